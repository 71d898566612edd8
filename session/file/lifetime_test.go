package file

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/session"
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

// The store never takes more than it may: what was used longest ago goes, never what is being written.
func TestStoreMax(t *testing.T) {
	f := newFile(t)
	one := func() *session.Handle { return fill(t, f.NewHandle("x", "all"), 3*blockSize) }
	check(t, one().Commit())
	_, size := stored(t, f)
	f.settings.StoreMax = 4 * size
	check(t, one().Commit())
	check(t, one().Commit())
	must[*session.Stored](t)(f.Handle("h1")) // is now the last one used
	check(t, f.existing(func(c *connection) error {
		return c.exec("UPDATE handle SET last_used_at = last_used_at - iif(number = 1, 0, 1000 - number)")
	}))
	for range 2 {
		check(t, one().Commit())
		if said, taken := stored(t, f); said != taken || taken > 4*size {
			t.Errorf("%d bytes are stored, the file says %d, at most %d may be", taken, said, 4*size)
		}
	}
	_, err := f.Handle("h2")
	gone, ok := errors.AsType[*session.Gone](err)
	if !ok || gone.Reason != "evicted" || time.Since(gone.When) > time.Hour {
		t.Errorf("the one used longest ago: %v", err)
	}
	for _, id := range []string{"h1", "h3", "h4", "h5"} {
		s := must[*session.Stored](t)(f.Handle(id))
		for _, err := range s.Chunks(0) {
			check(t, err)
		}
	}
}

func TestStoreTooSmall(t *testing.T) {
	f := newFile(t)
	f.settings.StoreMax = 100
	h := fill(t, f.NewHandle("x", "all"), 1000)
	_, err := h.Name()
	if u, ok := errors.AsType[*session.Unusable](err); !ok || !strings.HasPrefix(u.Reason, "cannot keep more") {
		t.Fatalf("error is %v", err)
	}
	if err := h.Keep(nil, []byte("more"), nil, 0); err == nil {
		t.Error("the handle goes on")
	}
	check(t, h.Discard())
	if handles, blocks := rows(t, f); handles != 0 || blocks != 0 {
		t.Errorf("%d handles and %d blocks are left", handles, blocks)
	}
}

// TestEvictionThatCannotHelp: a handle that does not fit takes none of the others with it.
func TestEvictionThatCannotHelp(t *testing.T) {
	f := newFile(t)
	for range 5 {
		must[string](t)(fill(t, f.NewHandle("x", "all"), 100).Name())
	}
	f.settings.StoreMax = 100
	h := fill(t, f.NewHandle("x", "all"), 1000)
	_, err := h.Name()
	if u, ok := errors.AsType[*session.Unusable](err); !ok || !u.Full {
		t.Fatalf("error is %v", err)
	}
	check(t, h.Discard())
	for _, id := range []string{"h1", "h2", "h3", "h4", "h5"} {
		must[*session.Stored](t)(f.Handle(id))
	}
}

// A handle keeps the life it was made with.
func TestTTL(t *testing.T) {
	f := newFile(t)
	f.settings.TTL = time.Hour // of the file that is made, too
	must[string](t)(f.NewHandle("hour", "all").Name())
	f.settings.TTL = 2 * time.Hour
	must[string](t)(f.NewHandle("two hours", "all").Name())
	f.settings.TTL = 0
	must[string](t)(f.NewHandle("as the file says", "all").Name())
	infos := must[[]session.Info](t)(f.Handles())
	for i, want := range []time.Duration{time.Hour, 2 * time.Hour, time.Hour} {
		if got := infos[i].Expires.Sub(infos[i].Created); got != want {
			t.Errorf("%s: lives for %v", infos[i].From, got)
		}
	}
}

func TestRemove(t *testing.T) {
	f := newFile(t)
	if err := f.Remove("h1"); !isGone(err, "h1", "unknown") {
		t.Errorf("without a file: %v", err)
	}
	if names := files(t, f.Path()); len(names) != 0 {
		t.Errorf("asking made %v", names)
	}
	for range 3 {
		check(t, fill(t, f.NewHandle("x", "all"), 2*blockSize).Commit())
	}
	check(t, f.Remove())
	for _, ids := range [][]string{{"h1", "h4"}, {"h1", "x"}, {"h1", "h1"}} {
		if err := f.Remove(ids...); !isGone(err, ids[1], "unknown") && !isGone(err, ids[1], "removed") {
			t.Errorf("%v: %v", ids, err)
		}
	}
	if infos := must[[]session.Info](t)(f.Handles()); len(infos) != 3 {
		t.Errorf("of a call that failed, something was removed: %v", infos)
	}
	check(t, f.Remove("h1", "h3"))
	if _, err := f.Handle("h3"); !isGone(err, "h3", "removed") {
		t.Errorf("a removed one: %v", err)
	}
	if said, taken := stored(t, f); said != taken || taken == 0 {
		t.Errorf("%d bytes are stored, the file says %d", taken, said)
	}
	if infos := must[[]session.Info](t)(f.Handles()); len(infos) != 1 || infos[0].ID != "h2" {
		t.Errorf("left are %v", infos)
	}
}

func isGone(err error, id, reason string) bool {
	gone, ok := errors.AsType[*session.Gone](err)
	return ok && gone.ID == id && gone.Reason == reason
}

// While a handle is written, removing it ends the writing with an error.
func TestRemoveWhileWriting(t *testing.T) {
	f := newFile(t)
	h := fill(t, f.NewHandle("x", "all"), blockSize)
	check(t, f.Remove(must[string](t)(h.Name())))
	if err := errors.Join(h.Keep(nil, []byte("more"), nil, 0), h.Commit()); err == nil ||
		errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error is %v", err)
	}
}

// What a handle that could not be written leaves behind is nothing, least of all the id of another's.
func TestFailedFirstWrite(t *testing.T) {
	f := newFile(t)
	check(t, f.SetTotal(1000))
	check(t, f.existing(func(c *connection) error {
		return c.script("CREATE TRIGGER refused BEFORE UPDATE ON session BEGIN SELECT RAISE(FAIL, 'refused'); END")
	}))
	failed := fill(t, f.NewHandle("failed", "all"), 1000)
	if _, err := failed.Name(); err == nil {
		t.Fatal("it was named")
	}
	check(t, f.existing(func(c *connection) error { return c.script("DROP TRIGGER refused") }))
	other := fill(t, f.NewHandle("other", "all"), 1000)
	name := must[string](t)(other.Name())
	check(t, failed.Discard())
	must[*session.Stored](t)(f.Handle(name))
	check(t, fill(t, other, 2*blockSize).Commit())
}

// A handle that is said to have blocks and has none ends neither the sweep nor, for that, another response.
func TestSweepOfDamaged(t *testing.T) {
	f := newFile(t)
	for range 2 {
		check(t, fill(t, f.NewHandle("x", "all"), 2*blockSize).Commit())
	}
	check(t, f.existing(func(c *connection) error {
		return c.script("DROP TRIGGER block_removed; DELETE FROM block WHERE handle = 1; UPDATE handle SET gone_at = 1, state = 'expired' WHERE number = 1")
	}))
	if u, ok := errors.AsType[*session.Unusable](f.sweep()); !ok || u.Reason != "is damaged" {
		t.Errorf("sweep: %v", u)
	}
	must[*session.Stored](t)(f.Handle("h2"))
	check(t, fill(t, f.NewHandle("x", "all"), 2*blockSize).Commit())
}

// While a response is written that needs room, what has expired since it began goes before what can still be used.
func TestRoomIsMadeOfWhatExpired(t *testing.T) {
	f := newFile(t)
	check(t, fill(t, f.NewHandle("older", "all"), 3*blockSize).Commit())
	_, size := stored(t, f)
	f.settings.StoreMax = 3 * size
	check(t, fill(t, f.NewHandle("newer", "all"), 3*blockSize).Commit())
	h := fill(t, f.NewHandle("x", "all"), 2*blockSize)
	check(t, f.existing(func(c *connection) error {
		return c.exec(`UPDATE handle SET last_used_at = last_used_at - iif(number = 1, 1000, 100),
			ttl_ms = iif(number = 1, ttl_ms, 10) WHERE number IS NOT NULL`)
	}))
	check(t, fill(t, h, 3*blockSize).Commit())
	must[*session.Stored](t)(f.Handle("h1"))
	if _, err := f.Handle("h2"); !isGone(err, "h2", "expired") {
		t.Errorf("the one that has expired: %v", err)
	}
}
