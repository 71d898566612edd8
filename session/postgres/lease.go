package postgres

import (
	"errors"
	"sync"
	"time"
)

// marginShare is the share of a lease before whose end nothing more is written: 5 s of a minute.
const marginShare = 12

// lease is how long what a process holds on a server stays its own. It is renewed when a third of it is over, as long
// as it is not ended. Until the server has confirmed it again, it is over, for this process, a margin before its end.
type lease struct {
	length time.Duration
	renew  func() (isOwn bool, err error) // on the server

	mu       sync.Mutex
	since    time.Time // when the last call that was confirmed was sent
	timer    *time.Timer
	isEnded  bool
	isLost   bool // somebody else may have it
	isActive sync.Mutex
}

// errLost is the error for a lease that is no longer this process's.
var errLost = errors.New("the lease is lost")

// confirmed says that the server has answered a call that was sent then, which renews the lease.
func (l *lease) confirmed(sent time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if sent.After(l.since) {
		l.since = sent
	}
	if l.isEnded {
		return
	}
	if l.timer == nil {
		l.timer = time.AfterFunc(l.length/3, l.tick)
		return
	}
	l.timer.Reset(l.length / 3)
}

// lost says that the server has given it to others.
func (l *lease) lost() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isLost = true
}

// isFresh reports whether the server has not given it to others yet, however fast or slow the clock of this host
// goes: where the host slept, the clock of the system has gone on and the other one not.
func (l *lease) isFresh() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	passed := max(now.Sub(l.since), now.Round(0).Sub(l.since.Round(0)))
	return !l.isLost && passed < l.length-l.length/marginShare
}

// check returns nil if the lease is fresh, or could be renewed.
func (l *lease) check() error {
	if l.isFresh() {
		return nil
	}
	return l.again()
}

// again renews the lease.
func (l *lease) again() error {
	l.isActive.Lock()
	defer l.isActive.Unlock()
	sent := time.Now()
	isOwn, err := l.renew()
	if err != nil {
		return err
	}
	if !isOwn {
		l.lost()
		return errLost
	}
	l.confirmed(sent)
	if !l.isFresh() { // the process was stopped meanwhile
		return errLost
	}
	return nil
}

// tick renews the lease in time. What goes wrong shows when the lease is checked.
func (l *lease) tick() {
	l.mu.Lock()
	isOver := l.isEnded || l.isLost
	l.mu.Unlock()
	if isOver || l.again() == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isEnded && !l.isLost {
		l.timer.Reset(l.length / 6)
	}
}

// end stops the renewal, and waits for one that is under way.
func (l *lease) end() {
	l.mu.Lock()
	l.isEnded = true
	if l.timer != nil {
		l.timer.Stop()
	}
	l.mu.Unlock()
	l.isActive.Lock()
	defer l.isActive.Unlock()
}
