package file

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/session"
)

// TestNamedByContent: the same content has the same name in each file, is stored once, and is there again after it was
// gone.
func TestNamedByContent(t *testing.T) {
	f, other := newFile(t), newFile(t)
	keep := func(f *Session, text string) string {
		h := f.NewHandle("x", "all").NamedByContent()
		for line := range strings.Lines(text) {
			check(t, h.Keep(nil, []byte(line), nil, 0))
		}
		name := must[string](t)(h.Name())
		check(t, h.Commit())
		return name
	}
	long := strings.Repeat("a line of a log\n", 20_000)
	first, again, elsewhere, second := keep(f, long), keep(f, long), keep(other, long), keep(f, long+"more\n")
	if first != again || first != elsewhere || first == second {
		t.Errorf("%s, %s, %s, %s", first, again, elsewhere, second)
	}
	if n := len(must[[]session.Info](t)(f.Handles())); n != 2 {
		t.Errorf("%d handles", n)
	}
	var rows int
	check(t, f.existing(func(c *connection) error {
		_, err := c.one([]any{&rows}, "SELECT count(*) FROM handle WHERE gone_at IS NULL")
		return err
	}))
	if rows != 2 {
		t.Errorf("%d responses are stored", rows)
	}
	h := f.NewHandle("x", "all")
	check(t, h.Keep(nil, []byte("x"), nil, 0))
	if name := must[string](t)(h.Name()); name != "h1" {
		t.Errorf("a handle that is not named by its content is %s", name)
	}
	check(t, h.Commit())
	check(t, f.Remove(first))
	if once := keep(f, long); once != first {
		t.Errorf("%s, not %s", once, first)
	}
	if n := len(must[[]session.Info](t)(f.Handles())); n != 3 {
		t.Errorf("%d handles", n)
	}
}
