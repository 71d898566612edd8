package file

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/internal/sessiontest"
)

// place is a session file. It implements sessiontest.Place.
type place struct {
	t    *testing.T
	path string
}

func newPlace(t *testing.T) sessiontest.Place {
	t.Helper()
	return &place{t, filepath.Join(t.TempDir(), "s.kfw")}
}

// Open implements sessiontest.Place. Windows removes no file that is open, so all are closed when the test ends.
func (p *place) Open(s session.Settings) session.Session {
	f := At(p.path, s)
	p.t.Cleanup(func() { check(p.t, f.Close()) })
	return f
}

// IsMade implements sessiontest.Place.
func (p *place) IsMade() bool {
	_, err := os.Stat(p.path)
	return err == nil
}

// exec runs a statement on the file.
func (p *place) exec(sql string, args ...any) {
	p.t.Helper()
	f := At(p.path, session.Settings{})
	defer f.Close()
	check(p.t, f.existing(func(c *connection) error { return c.exec(sql, args...) }))
}

// Age implements sessiontest.Place.
func (p *place) Age(by time.Duration, ids ...string) {
	const all = "UPDATE handle SET last_used_at = last_used_at - ?"
	if len(ids) == 0 {
		p.exec(all, by.Milliseconds())
	}
	for _, id := range ids {
		number, _ := session.HandleNumber(id)
		p.exec(all+" WHERE number = ?", by.Milliseconds(), number)
	}
}

// Expire implements sessiontest.Place.
func (p *place) Expire(id string) {
	number, _ := session.GrantNumber(id)
	p.exec("UPDATE invocation SET held_until = 1 WHERE id = ?", number)
}

// Stored implements sessiontest.Place. The count in the file equals the size of its blocks.
func (p *place) Stored() int64 {
	f := At(p.path, session.Settings{})
	defer f.Close()
	said, taken := stored(p.t, f)
	if said != taken {
		p.t.Errorf("%d bytes are stored, the file says %d", taken, said)
	}
	return taken
}

func TestContract(t *testing.T) { sessiontest.Run(t, newPlace) }

func FuzzLedger(f *testing.F) {
	f.Add([]byte("\x00\x05\x01\x0e\x20\x10"))
	f.Fuzz(func(t *testing.T, steps []byte) { sessiontest.Ledger(t, newPlace(t), steps) })
}

func FuzzHandleRoundTrip(f *testing.F) {
	for _, data := range sessiontest.Responses() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1000 { // of which 12 MB are made
			return
		}
		sessiontest.RoundTrip(t, newPlace(t), data)
	})
}
