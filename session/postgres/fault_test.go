//go:build unix

package postgres

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testpg"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/internal/sessiontest"
)

// network is a way to a server that loses connections: before a request has arrived, in the middle of one, or when
// the server has done what it asks and the answer is on its way. It also takes its time.
type network struct {
	dir  string // of its socket
	to   string // the server's socket
	most int    // one request of so many is lost
	lost atomic.Int64

	mu     sync.Mutex
	random *rand.Rand
}

// overBadNetwork returns a way to a server on which one request of so many is lost.
func overBadNetwork(t *testing.T, s *testpg.Server, seed uint64, most int) *network {
	t.Helper()
	dir := must[string](t)(os.MkdirTemp("", "kfw-net-")) // a socket's path is short
	n := &network{dir: dir, to: testpg.Socket(s.Dir), most: most, random: rand.New(rand.NewPCG(seed, 5))}
	l := must[net.Listener](t)(net.Listen("unix", testpg.Socket(dir)))
	t.Cleanup(func() { _, _ = l.Close(), os.RemoveAll(dir) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go n.serve(c)
		}
	}()
	return n
}

// What is done with a request.
const (
	passes = iota
	isDelayed
	isCutBefore
	isCutWithin
	isCutAfter
)

// fate says what to do with the next request. One that must not be repeated passes, and so does what comes
// before the first request.
func (n *network) fate(request []byte, isFirst bool) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	if isFirst || bytes.Contains(request, []byte("kfw.reset(")) || bytes.Contains(request, []byte("kfw.remove(")) ||
		bytes.Contains(request, []byte("kfw.set_total(")) ||
		n.random.IntN(n.most) > 0 {
		return passes
	}
	n.lost.Add(1)
	return isDelayed + n.random.IntN(isCutAfter)
}

func (n *network) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("unix", n.to)
	if err != nil {
		return
	}
	defer server.Close()
	var swallows atomic.Bool
	go func() {
		defer client.Close()
		buffer := make([]byte, 64<<10)
		for {
			got, err := server.Read(buffer)
			if err != nil || swallows.Load() {
				return
			}
			if _, err := client.Write(buffer[:got]); err != nil {
				return
			}
		}
	}()
	buffer := make([]byte, 256<<10)
	for requests := 0; ; requests++ {
		got, err := client.Read(buffer)
		if err != nil {
			return
		}
		request := buffer[:got]
		switch n.fate(request, requests == 0) {
		case isDelayed:
			time.Sleep(20 * time.Millisecond)
		case isCutBefore:
			return
		case isCutWithin:
			_, _ = server.Write(request[:got/2]) // it may be closed
			return
		case isCutAfter:
			swallows.Store(true)
			_, _ = server.Write(request) // it may be closed
			_, _ = io.Copy(io.Discard, client)
			return
		}
		if _, err := server.Write(request); err != nil {
			return
		}
	}
}

// TestContractOverABadNetwork: what is lost on the way to the server or back changes nothing: each call is done once.
func TestContractOverABadNetwork(t *testing.T) {
	s := server(t)
	var lost int64
	names := []string{"Grant", "SetTotalAndReset", "Saved", "ExhaustedByReservations", "Record", "Ledger", "NotHeld",
		"TTL", "StoreMax", "NamedByContent", "Again", "HandlesAtOnce", "AllowanceSetAside"}
	if testdepth.All() {
		names = append(names, "RoundTrip", "Lines", "ShownAtOnce", "Remove", "Gone")
	}
	sessiontest.Run(t, func(t *testing.T) sessiontest.Place {
		n := overBadNetwork(t, s, uint64(lost)+uint64(len(t.Name())), 6)
		t.Cleanup(func() { lost += n.lost.Load() })
		return &place{t, s, n.dir, named(t)}
	}, names...)
	if lost < 20 {
		t.Errorf("%d requests were lost", lost)
	}
}

// TestKilledServer: while 16 clients spend, the server dies several times as in a power failure. What a client was
// told to be on the ledger is there, and never more than the total.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	s := testpg.New(t)
	withTables(t, s)
	const clients, total = 16, 400_000
	url := s.URL("killed", "lease", "2s")
	var acked atomic.Int64
	var stop atomic.Bool
	var all sync.WaitGroup
	for range clients {
		f := at(t, url, session.Settings{Total: total, Wait: 30 * time.Second})
		all.Go(func() {
			for !stop.Load() {
				g, err := f.Allocate(400, 20, "run")
				if _, isOver := errors.AsType[*session.Exhausted](err); isOver {
					return
				}
				for spent := 0; err == nil && spent < g.Tokens()-40; spent += 40 {
					if err = g.Spend(40); err == nil {
						acked.Add(40)
					}
				}
				if err == nil {
					err = g.Close(0)
				}
				if err != nil && !errors.Is(err, session.ErrTakenBack) {
					t.Error(err)
					return
				}
			}
		})
	}
	f := at(t, url, session.Settings{Total: total, Wait: 30 * time.Second})
	for range 3 {
		for before := acked.Load(); acked.Load() < before+4000 && !t.Failed(); time.Sleep(time.Millisecond) {
		}
		// What was acknowledged before the server dies is on the ledger after it.
		before := acked.Load()
		s.Kill()
		check(t, s.Start())
		status := must[session.Status](t)(f.Status())
		if status.Used < int(before) || status.Used+status.Reserved > total {
			t.Errorf("%d were acknowledged, the ledger says %+v", before, status)
		}
	}
	stop.Store(true)
	all.Wait()
	status := must[session.Status](t)(f.Status())
	if status.Used < int(acked.Load()) || status.Used > total {
		t.Errorf("%d were acknowledged, the ledger says %+v", acked.Load(), status)
	}
}

// TestAcknowledged: an acknowledged write is there even if the server dies right after it.
func TestAcknowledged(t *testing.T) {
	t.Parallel()
	s := testpg.New(t, "wal_writer_delay=10s") // nothing but a commit makes the log reach the disk
	withTables(t, s)
	f := at(t, s.URL("acked"), session.Settings{Wait: 30 * time.Second})
	dies := func() {
		t.Helper()
		s.Kill()
		check(t, s.Start())
	}
	used := 0
	is := func() {
		t.Helper()
		dies()
		if status := must[session.Status](t)(f.Status()); status.Used != used {
			t.Errorf("used %d, want %d", status.Used, used)
		}
	}
	check(t, f.SetTotal(5000))
	dies()
	if status := must[session.Status](t)(f.Status()); status.Total != 5000 {
		t.Errorf("total %d", status.Total)
	}
	must[budget.Account](t)(f.Spend(40, "spend"))
	used += 40
	is()
	held, _, err := f.Hold(100, time.Hour, "hold")
	check(t, err)
	is()
	_, _, err = f.Settle(held.ID, 70, "settle")
	check(t, err)
	used += 70
	is()
	g := must[*session.Grant](t)(f.Allocate(400, 20, "run"))
	used += g.Drawn()
	is()
	before := g.Drawn()
	check(t, g.Spend(300))
	used += g.Drawn() - before
	is()
	h := f.NewHandle("x", "all")
	check(t, h.Keep(nil, []byte("text"), nil, 0))
	check(t, h.CommitShown(session.Shown{Result: []byte("r"), Call: []byte("c")}, 10, "x"))
	name := must[string](t)(h.Name())
	used += 10
	is()
	var kept bytes.Buffer
	if _, err := must[*session.Stored](t)(f.Handle(name)).WriteTo(&kept); err != nil || kept.String() != "text" {
		t.Errorf("%q, %v", kept.String(), err)
	}
	used -= g.Drawn() - 300
	check(t, g.Close(0))
	is()
}

// TestDeadClient: a client that is gone keeps what it has drawn and nothing else, once its lease is over.
func TestDeadClient(t *testing.T) {
	t.Parallel()
	s := server(t)
	url := s.URL(named(t), "lease", "1s")
	dead := at(t, url, session.Settings{Total: 10_000})
	g := must[*session.Grant](t)(dead.Allocate(4000, 20, "dead"))
	check(t, g.Spend(100))
	h := dead.NewHandle("dead", "all")
	check(t, h.Keep(nil, []byte("what there is"), nil, 0))
	name := must[string](t)(h.Name())
	silence(dead, true) // it does not renew its leases
	f := at(t, url, session.Settings{})
	for {
		status := must[session.Status](t)(f.Status())
		if status.Reserved == 0 {
			if status.Used != g.Drawn() || status.Left != 10_000-g.Drawn() {
				t.Errorf("%d were drawn, the ledger says %+v", g.Drawn(), status)
			}
			break
		}
		if status.Reserved != 4000-g.Drawn() {
			t.Fatalf("%d were drawn, the ledger says %+v", g.Drawn(), status)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if next := must[*session.Grant](t)(f.Allocate(10_000, 1, "next")); next.Tokens() != 10_000-g.Drawn() {
		t.Errorf("the next is granted %d", next.Tokens())
	}
	for must[*session.Stored](t)(f.Handle(name)).Info().Died == false {
		time.Sleep(10 * time.Millisecond)
	}
	silence(dead, false)
	if err := g.Spend(1); !errors.Is(err, session.ErrTakenBack) {
		t.Errorf("it goes on: %v", err)
	}
}

// silence lets a client call nothing, or call again.
func silence(s *Session, is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = is
}

// TestRenewed: a client that waits for long keeps what it holds.
func TestRenewed(t *testing.T) {
	t.Parallel()
	url := server(t).URL(named(t), "lease", "1s")
	f := at(t, url, session.Settings{Total: 10_000})
	g := must[*session.Grant](t)(f.Allocate(4000, 20, "waits"))
	h := f.NewHandle("waits", "all")
	check(t, h.Keep(nil, []byte("one"), nil, 0))
	name := must[string](t)(h.Name())
	time.Sleep(2500 * time.Millisecond)
	other := at(t, url, session.Settings{})
	if next := must[*session.Grant](t)(other.Allocate(10_000, 1, "next")); next.Tokens() != 6000 {
		t.Errorf("another is granted %d", next.Tokens())
	}
	check(t, g.Spend(4000))
	check(t, g.Close(0))
	check(t, h.Keep(nil, []byte("two"), nil, 0))
	check(t, h.Commit())
	if i := must[*session.Stored](t)(other.Handle(name)).Info(); !i.Complete || i.Chunks != 2 {
		t.Errorf("%+v", i)
	}
}

// TestLeaseByAnyClock: a lease is over when either clock of the host says so, a margin before the server gives it to
// others, and a process that was stopped while it renewed has no lease.
func TestLeaseByAnyClock(t *testing.T) {
	asked := 0
	l := lease{length: time.Minute, renew: func() (bool, error) { asked++; return true, nil }}
	for _, c := range []struct {
		since   time.Time
		isFresh bool
	}{
		{time.Now(), true},
		{time.Now().Add(-54 * time.Second), true},
		{time.Now().Add(-56 * time.Second), false},
		{time.Now().Round(0).Add(-56 * time.Second), false}, // the host slept: only the clock of the system went on
		{time.Now().Add(time.Hour), true},                   // it was put back
	} {
		l.since = c.since
		if l.isFresh() != c.isFresh {
			t.Errorf("%v ago: fresh is %v", time.Since(c.since), !c.isFresh)
		}
	}
	l.since = time.Now().Add(-time.Hour)
	check(t, l.check())
	if check(t, l.check()); asked != 1 {
		t.Errorf("the server was asked %d times", asked)
	}
	l.end()
	l.renew = func() (bool, error) { return false, nil }
	l.since = time.Now().Add(-time.Hour)
	if err := l.check(); !errors.Is(err, errLost) || l.isFresh() {
		t.Errorf("a lease that others have: %v", err)
	}
}

// TestServerAway: a draw that the server does not confirm is an error in time, and nothing more may be written.
func TestServerAway(t *testing.T) {
	t.Parallel()
	s := testpg.New(t)
	withTables(t, s)
	f := at(t, s.URL("away", "lease", "1s"), session.Settings{Wait: time.Second})
	g := must[*session.Grant](t)(f.Allocate(4000, 20, "run"))
	check(t, g.Spend(100))
	s.Kill()
	unusable := func(err error) {
		t.Helper()
		if u, ok := errors.AsType[*session.Unusable](err); !ok || !u.IsServer {
			t.Errorf("error is %v", err)
		}
	}
	unusable(g.Spend(3000))
	for f := true; f; time.Sleep(10 * time.Millisecond) {
		f = g.Last(0) == nil // what is drawn may be written while the lease lasts
	}
	unusable(g.Last(20))
	unusable(g.Close(0))
	_, err := f.Allocate(1, 1, "next")
	unusable(err)
	unusable(fill(f.NewHandle("x", "all")))
}

func fill(h *session.Handle) error {
	err := h.Keep(nil, []byte("text"), nil, 0)
	_, nameErr := h.Name()
	return errors.Join(err, nameErr)
}

// TestNothingOfTheUser: no error of a server names the user, and each says what is wrong.
func TestNothingOfTheUser(t *testing.T) {
	s := server(t)
	for _, sql := range []string{"DROP ROLE IF EXISTS nobody_knows", "CREATE ROLE nobody_knows LOGIN",
		"DROP DATABASE IF EXISTS without", "CREATE DATABASE without"} {
		admin(t, s, sql)
	}
	for name, c := range map[string]struct{ url, says string }{
		"no user":     {testpg.URL("secret_user", s.Dir, "x"), "refuses the user"},
		"no rights":   {testpg.URL("nobody_knows", s.Dir, "x"), "does not let this user"},
		"no database": {"postgres://kfw@/none?session=x&host=" + s.Dir, "no such database"},
		"no tables":   {"postgres://kfw@/without?session=x&host=" + s.Dir, "no tables of kfw"},
		"no tenant":   {s.URL("x", "tenant", "none"), "no such tenant"},
		"no server":   {testpg.URL("secret_user", t.TempDir(), "x"), "nothing listens there"},
		"no TLS":      {s.URL("x", "sslmode", "verify-full") + "&host=127.0.0.1&port=1", "can't be"},
	} {
		f := at(t, c.url, session.Settings{Wait: 300 * time.Millisecond})
		_, err := f.Status()
		said := fmt.Sprint(err, f.Path())
		if err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(said, c.says) ||
			strings.Contains(said, "secret_user") || strings.Contains(said, "nobody_knows") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFsyncOff: a server that may lose what it has acknowledged is refused; one that does not wait for the disk by
// itself does for the ledger.
func TestFsyncOff(t *testing.T) {
	t.Parallel()
	s := testpg.New(t, "fsync=off")
	withTables(t, s)
	_, err := at(t, s.URL("x"), session.Settings{}).Spend(1, "x")
	if u, ok := errors.AsType[*session.Unusable](err); !ok || !bytes.Contains([]byte(u.Reason), []byte("fsync")) {
		t.Errorf("error is %v", err)
	}
}
