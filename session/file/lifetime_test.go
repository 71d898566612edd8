package file

import (
	"errors"
	"testing"

	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/internal/sessiontest"
)

// stored is what the file says its blocks take, and what they do take.
func stored(t *testing.T, f *Session) (said, taken int64) {
	t.Helper()
	check(t, f.existing(func(c *connection) error {
		_, err := c.one([]any{&said, &taken},
			"SELECT stored_bytes, (SELECT coalesce(sum(length(content)), 0) FROM block) FROM session")
		return err
	}))
	return said, taken
}

func isGone(err error, id, reason string) bool {
	gone, ok := errors.AsType[*session.Gone](err)
	return ok && gone.ID == id && gone.Reason == reason
}

// What a handle that could not be written leaves behind is nothing, least of all the id of another's.
func TestFailedFirstWrite(t *testing.T) {
	f := newFile(t)
	check(t, f.SetTotal(1000))
	check(t, f.existing(func(c *connection) error {
		return c.script("CREATE TRIGGER refused BEFORE UPDATE ON session BEGIN SELECT RAISE(FAIL, 'refused'); END")
	}))
	failed := sessiontest.Fill(t, f.NewHandle("failed", "all"), 1000)
	if _, err := failed.Name(); err == nil {
		t.Fatal("it was named")
	}
	check(t, f.existing(func(c *connection) error { return c.script("DROP TRIGGER refused") }))
	other := sessiontest.Fill(t, f.NewHandle("other", "all"), 1000)
	name := must[string](t)(other.Name())
	check(t, failed.Discard())
	must[*session.Stored](t)(f.Handle(name))
	check(t, sessiontest.Fill(t, other, 2*blockSize).Commit())
}

// A handle that is said to have blocks and has none ends neither the sweep nor, for that, another response.
func TestSweepOfDamaged(t *testing.T) {
	f := newFile(t)
	for range 2 {
		check(t, sessiontest.Fill(t, f.NewHandle("x", "all"), 2*blockSize).Commit())
	}
	check(t, f.existing(func(c *connection) error {
		return c.script("DROP TRIGGER block_removed; DELETE FROM block WHERE handle = 1; UPDATE handle SET gone_at = 1, state = 'expired' WHERE number = 1")
	}))
	if u, ok := errors.AsType[*session.Unusable](f.sweep()); !ok || u.Reason != "is damaged" {
		t.Errorf("sweep: %v", u)
	}
	must[*session.Stored](t)(f.Handle("h2"))
	check(t, sessiontest.Fill(t, f.NewHandle("x", "all"), 2*blockSize).Commit())
}

// While a response is written that needs room, what has expired since it began goes before what can still be used.
func TestRoomIsMadeOfWhatExpired(t *testing.T) {
	f := newFile(t)
	check(t, sessiontest.Fill(t, f.NewHandle("older", "all"), 3*blockSize).Commit())
	_, size := stored(t, f)
	f.settings.StoreMax = 3 * size
	check(t, sessiontest.Fill(t, f.NewHandle("newer", "all"), 3*blockSize).Commit())
	h := sessiontest.Fill(t, f.NewHandle("x", "all"), 2*blockSize)
	check(t, f.existing(func(c *connection) error {
		return c.exec(`UPDATE handle SET last_used_at = last_used_at - iif(number = 1, 1000, 100),
			ttl_ms = iif(number = 1, ttl_ms, 10) WHERE number IS NOT NULL`)
	}))
	check(t, sessiontest.Fill(t, h, 3*blockSize).Commit())
	must[*session.Stored](t)(f.Handle("h1"))
	if _, err := f.Handle("h2"); !isGone(err, "h2", "expired") {
		t.Errorf("the one that has expired: %v", err)
	}
}
