package process

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// CatchEndings sends the signals that end kfw to caught, except ignored ones, as under nohup.
func CatchEndings(caught chan<- os.Signal) {
	for _, ending := range endings() {
		if !signal.Ignored(ending) {
			signal.Notify(caught, ending)
		}
	}
}

// Interruption is a signal that is to end kfw in good order, once it has come. The second one ends kfw at once.
type Interruption struct {
	caught chan os.Signal
	Came   chan struct{} // closed when it has
	Signal syscall.Signal
}

// CatchInterruption waits for a signal that is to end kfw, until Close.
func CatchInterruption() *Interruption {
	i := &Interruption{caught: make(chan os.Signal, 1), Came: make(chan struct{})}
	CatchEndings(i.caught)
	go func() {
		for caught := range i.caught {
			number := caught.(syscall.Signal)
			if i.Signal != 0 {
				os.Exit(ExitSignal + int(number))
			}
			i.Signal = number
			close(i.Came)
		}
	}()
	return i
}

// Reader reads from In unless the signal comes first, or the time is over. What it returns is valid until the next
// call.
type Reader struct {
	In  io.Reader
	Buf []byte

	done  chan result
	under bool // a read is under way
}

type result struct {
	n   int
	err error
}

// ErrTime is the error of a read that timed out. The next read continues it.
var ErrTime = errors.New("nothing came in time")

// Read returns the next bytes, or why there are none. A nil timeout waits.
func (r *Reader) Read(i *Interruption, timeout <-chan time.Time) ([]byte, error) {
	if !r.under {
		r.under, r.done = true, make(chan result, 1)
		go func() {
			n, err := r.In.Read(r.Buf)
			r.done <- result{n, err}
		}()
	}
	select {
	case came := <-r.done:
		r.under = false
		return r.Buf[:came.n], came.err
	case <-timeout:
		return nil, ErrTime
	case <-i.Came:
		return nil, &Interrupted{i.Signal}
	}
}

// Close leaves the signals to do what they did before.
func (i *Interruption) Close() error {
	signal.Stop(i.caught)
	close(i.caught)
	return nil
}

// ExitSignal is the exit status of a process that a signal ended, less the number of the signal.
const ExitSignal = 128

// Interrupted is a run that a signal ended.
type Interrupted struct{ Signal syscall.Signal }

// Error implements error. The signal is not part of the message.
func (e *Interrupted) Error() string { return "interrupted" }
