package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/internal/sessiontest"
)

// rows returns how many handles and blocks are in a file.
func rows(t *testing.T, f *Session) (handles, blocks int) {
	t.Helper()
	check(t, f.existing(func(c *connection) error {
		_, err := c.one([]any{&handles, &blocks}, "SELECT (SELECT count(*) FROM handle), (SELECT count(*) FROM block)")
		return err
	}))
	return handles, blocks
}

func TestNothingIsLeftOfWhatWasNotNeeded(t *testing.T) {
	for _, end := range []func(*session.Handle) error{(*session.Handle).Commit, (*session.Handle).Discard} {
		f := newFile(t)
		h := f.NewHandle("small", "all")
		check(t, h.Keep(nil, []byte("{}"), nil, 0))
		check(t, end(h))
		if names := files(t, f.Path()); len(names) != 0 {
			t.Errorf("left: %v", names)
		}
		if err := h.Keep(nil, nil, nil, 0); err == nil {
			t.Error("something was kept after the end")
		}
	}
}

func TestDiscardGivesTheSpaceBack(t *testing.T) {
	f := newFile(t)
	first := f.NewHandle("first", "all")
	must[string](t)(first.Name())
	check(t, first.Discard())
	check(t, f.Close())
	small := must[fs.FileInfo](t)(os.Stat(f.Path())).Size()

	f = reopen(t, f.Path())
	h := sessiontest.Fill(t, f.NewHandle("large", "all"), 3*blocksPerSweep*blockSize)
	must[string](t)(h.Name())
	check(t, h.Discard())
	check(t, h.Discard())
	if handles, blocks := rows(t, f); handles != 0 || blocks != 0 {
		t.Errorf("%d handles and %d blocks are left", handles, blocks)
	}
	if _, err := f.Handle("h2"); err == nil {
		t.Error("a discarded handle was read")
	}
	next := f.NewHandle("next", "all")
	if name := must[string](t)(next.Name()); name != "h3" {
		t.Errorf("the next is called %s", name)
	}
	check(t, next.Discard())
	check(t, f.Close())
	if size := must[fs.FileInfo](t)(os.Stat(f.Path())).Size(); size > small+32<<10 {
		t.Errorf("the file went from %d to %d bytes", small, size)
	}
}

// A block may be under way into the file when its handle is discarded.
func TestDiscardWhileWriting(t *testing.T) {
	f := newFile(t)
	for range 10 {
		h := sessiontest.Fill(t, f.NewHandle("x", "all"), blockSize+2000)
		check(t, h.Discard())
		if handles, blocks := rows(t, f); handles != 0 || blocks != 0 {
			t.Errorf("%d handles and %d blocks are left", handles, blocks)
		}
	}
}

// A block that could not be written is no part of a handle that is named, and what comes next says so: once if that
// is Discard.
func TestFullBlockNotWritten(t *testing.T) {
	for name, next := range map[string]func(*session.Handle) error{
		"Name":    func(h *session.Handle) error { _, err := h.Name(); return err },
		"Commit":  (*session.Handle).Commit,
		"Discard": (*session.Handle).Discard,
		"Keep":    func(h *session.Handle) error { return h.Keep(nil, make([]byte, blockSize), nil, 0) },
	} {
		f := newFile(t)
		h := f.NewHandle("x", "all")
		must[string](t)(h.Name())
		check(t, f.existing(func(c *connection) error {
			return c.script("CREATE TRIGGER refused BEFORE INSERT ON block WHEN NEW.number = 0 BEGIN SELECT RAISE(FAIL, 'refused'); END")
		}))
		sessiontest.Fill(t, h, blockSize+2000)
		if next(h) == nil {
			t.Errorf("%s is silent", name)
		}
		if next(h) == nil != (name == "Discard") {
			t.Errorf("%s is not the same when it is called again", name)
		}
		check(t, h.Discard())
		if handles, blocks := rows(t, f); handles != 0 || blocks != 0 {
			t.Errorf("%s: %d handles and %d blocks are left", name, handles, blocks)
		}
	}
}

// writeHandleAndHold is a process that has named one handle, has blocks of another, and does not end by itself.
func writeHandleAndHold(path string) error {
	f := At(path, session.Settings{})
	named, unnamed := f.NewHandle("named", "all"), f.NewHandle("unnamed", "all")
	for i := range 20_000 {
		chunk := fmt.Appendf(nil, `{"i":%d}`, i)
		if err := errors.Join(named.Keep(nil, chunk, nil, 0), unnamed.Keep(nil, chunk, nil, 0)); err != nil {
			return err
		}
	}
	name, err := named.Name()
	if err != nil {
		return err
	}
	return hold(name)
}

func TestHandleOfTheDeadStaysReadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.kfw")
	victim, name := holding(t, "handle", path)
	f := reopen(t, path)
	for _, state := range []string{"writing", "incomplete"} {
		s := must[*session.Stored](t)(f.Handle(name))
		if i := s.Info(); i.Chunks != 20_000 || i.Complete || i.From != "named" {
			t.Errorf("%s: %+v", state, i)
		}
		seq := 0
		for c, err := range s.Chunks(19_000) {
			check(t, err)
			if seq = c.Seq; string(c.Source) != fmt.Sprintf(`{"i":%d}`, seq-1) {
				t.Fatalf("chunk %d is another", seq)
			}
		}
		if seq != 20_000 {
			t.Errorf("%s: the last chunk is %d", state, seq)
		}
		check(t, f.existing(func(c *connection) error {
			var got string
			_, err := c.one([]any{&got}, "SELECT state FROM handle WHERE origin = 'named'")
			if got != state {
				t.Errorf("the state is %q, want %q", got, state)
			}
			return err
		}))
		if state == "writing" {
			kill(t, victim)
		}
	}
	if handles, _ := rows(t, f); handles != 1 {
		t.Errorf("%d handles are left, one can be known", handles)
	}
}

// TestPageReadsItsBlocksAlone: wherever a page is, the blocks that hold it are found by the index and no other is read.
// So the last page of a large handle takes no longer than the first.
func TestPageReadsItsBlocksAlone(t *testing.T) {
	const page = 20
	f := newFile(t)
	check(t, sessiontest.Fill(t, f.NewHandle("x", "all"), 20*blockSize).Commit())
	s := must[*session.Stored](t)(f.Handle("h1"))
	last := s.Info().Chunks - page
	for _, offset := range []int{0, last / 2, last} {
		check(t, f.existing(func(c *connection) error {
			return errors.Join(
				c.exec("CREATE TEMP TABLE others AS SELECT id, content FROM block WHERE last_chunk <= ? OR first_chunk > ?",
					offset, offset+page),
				c.exec("UPDATE block SET content = x'00' WHERE id IN (SELECT id FROM others)"))
		}))
		n := 0
		for _, err := range s.Chunks(offset) {
			check(t, err)
			if n++; n == page {
				break
			}
		}
		if n != page {
			t.Errorf("%d chunks were read from %d on, want %d", n, offset, page)
		}
		for _, err := range s.Chunks((offset + s.Info().Chunks/2) % s.Info().Chunks) { // what is elsewhere
			if u, ok := errors.AsType[*session.Unusable](err); !ok || u.Reason != "is damaged" {
				t.Errorf("a page elsewhere: %v", err)
			}
			break
		}
		check(t, f.existing(func(c *connection) error {
			return errors.Join(
				c.exec("UPDATE block SET content = others.content FROM others WHERE others.id = block.id"),
				c.exec("DROP TABLE others"))
		}))
	}
	check(t, f.existing(func(c *connection) error {
		var id, parent, unused int
		var plan string
		_, err := c.one([]any{&id, &parent, &unused, &plan}, "EXPLAIN QUERY PLAN "+nextBlock, s.Row(), last, 0)
		if !strings.HasPrefix(plan, "SEARCH block USING INDEX block_by_chunk") {
			t.Errorf("blocks are looked for by %q", plan)
		}
		return err
	}))
}

func line(dst []byte, i int) []byte {
	return fmt.Appendf(dst[:0],
		`{"id":%d,"name":"name number %d","status":"active","url":"https://example.test/users/%d","score":%d}`,
		i*7919%100003, i, i*31%977, i*i%10007)
}

func BenchmarkKeep(b *testing.B) {
	b.ReportAllocs()
	f := At(filepath.Join(b.TempDir(), "s.kfw"), session.Settings{})
	h := f.NewHandle("x", "all")
	var lines [4096][]byte
	for i := range lines {
		lines[i] = line(nil, i)
	}
	b.SetBytes(int64(len(lines[0])) + 1)
	newline := []byte("\n")
	for i := 0; b.Loop(); i++ {
		if err := h.Keep(newline, lines[i%len(lines)], nil, 0); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(h.Commit(), f.Close()); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkLastPage(b *testing.B) {
	for _, size := range []int{1 << 20, 64 << 20} {
		b.Run(fmt.Sprint(size>>20, "MiB"), func(b *testing.B) {
			b.ReportAllocs()
			f := At(filepath.Join(b.TempDir(), "s.kfw"), session.Settings{})
			h := sessiontest.Fill(b, f.NewHandle("x", "all"), size)
			if err := h.Commit(); err != nil {
				b.Fatal(err)
			}
			s, err := f.Handle("h1")
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				for _, err := range s.Chunks(s.Info().Chunks - 20) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
