package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/session"
)

// kept is what a Chunk should be.
type kept struct {
	lead, source, path string
	kind               uint8
}

// cut makes chunks and bytes between them out of any bytes: a few bytes say what comes next and how long it is.
func cut(data []byte) iter.Seq2[kept, bool] {
	return func(yield func(kept, bool) bool) {
		take := func(n int) string {
			n = min(n, len(data))
			s := string(data[:n])
			data = data[n:]
			return s
		}
		path := ""
		for len(data) > 4 {
			kind, lead, length := data[0], int(data[1]), int(binary.BigEndian.Uint16(data[2:]))
			data = data[4:]
			if kind&0x80 != 0 { // enough to fill blocks
				length *= 5
			}
			fill := strings.Repeat(take(9)+"x", length+1)[:length]
			if kind&0x40 != 0 {
				lead *= 300
			}
			k := kept{lead: strings.Repeat(" ", lead), source: fill, kind: kind & 3}
			if kind&2 != 0 {
				path = path[:min(len(path), int(kind>>2&15))] + take(int(kind>>4&3))
			}
			k.path = path
			if !yield(k, kind&0x30 != 0x30) {
				return
			}
		}
	}
}

func FuzzHandleRoundTrip(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x02\x01\x00\x10abcdefghijkl\x03\x00\x00\x04mnopqrstuvwxyz"))
	f.Add([]byte("\x00\x00\x00\x00 \x00\x00\x00\x00 ")) // chunks of nothing
	r := rand.NewChaCha8([32]byte{})
	for n := range 5 {
		data := make([]byte, 40<<n)
		if _, err := r.Read(data); err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1000 { // of which 12 MB are made
			return
		}
		path := filepath.Join(dir, fmt.Sprint("s", os.Getpid()))
		writing, reading := At(path, session.Settings{}), At(path, session.Settings{})
		defer func() {
			check(t, errors.Join(writing.Close(), reading.Close()))
			check(t, os.RemoveAll(path))
		}()
		h := writing.NewHandle("fuzz", "all")
		var chunks []kept
		var whole []byte
		looks, mostLooks := 0, 8
		lent := func(s string) []byte { return []byte(s) }
		for k, isChunk := range cut(data) {
			lead, source, path := lent(k.lead), lent(k.source), lent(k.path)
			whole = append(whole, lead...)
			whole = append(whole, source...)
			if isChunk {
				check(t, h.Keep(lead, source, path, k.kind))
				k.lead = k.lead[max(0, len(k.lead)-maxLead):]
				chunks = append(chunks, k)
			} else {
				check(t, h.Tail(lead))
				check(t, h.Tail(source))
			}
			clear(lead)
			clear(source)
			clear(path)
			if looks < mostLooks && len(chunks)%7 == 3 { // each is a commit, which waits for the disk
				looks++
				name := must[string](t)(h.Name())
				compare(t, must[*session.Stored](t)(reading.Handle(name)), chunks, whole, false)
			}
		}
		name := must[string](t)(h.Name())
		before := must[*session.Stored](t)(reading.Handle(name))
		compare(t, before, chunks, whole, false)
		check(t, h.Keep(nil, []byte("one more"), nil, 0))
		check(t, h.Commit())
		compare(t, before, chunks, whole, false)
		chunks, whole = append(chunks, kept{source: "one more"}), append(whole, "one more"...)
		compare(t, must[*session.Stored](t)(reading.Handle(name)), chunks, whole, true)
	})
}

func compare(t *testing.T, s *session.Stored, chunks []kept, whole []byte, complete bool) {
	t.Helper()
	if i := s.Info(); i.Chunks != len(chunks) || i.Bytes != int64(len(whole)) || i.Complete != complete {
		t.Fatalf("%d chunks of %d bytes were kept (complete: %v), the handle says %+v", len(chunks), len(whole),
			complete, i)
	}
	var out bytes.Buffer
	if n, err := s.WriteTo(&out); err != nil || n != int64(len(whole)) || !bytes.Equal(out.Bytes(), whole) {
		t.Fatalf("WriteTo gave %d of %d bytes, or others: %v", n, len(whole), err)
	}
	step := 1 + len(chunks)/8 // each look reads all that follows
	for offset := range len(chunks) + 2 {
		if offset > 1 && offset < len(chunks)-1 && offset%step != 0 {
			continue
		}
		next := offset
		for c, err := range s.Chunks(offset) {
			check(t, err)
			if c.Seq == 0 {
				continue
			}
			k := chunks[next]
			if next++; c.Seq != next {
				t.Fatalf("from %d on: chunk %d came as number %d", offset, next, c.Seq)
			}
			if string(c.Lead) != k.lead || string(c.Source) != k.source || string(c.Path) != k.path ||
				c.Kind != k.kind {
				t.Fatalf("from %d on: chunk %d is another", offset, next)
			}
			clear(c.Lead)
			clear(c.Source)
		}
		if next < len(chunks) {
			t.Fatalf("from %d on: chunks end after %d of %d", offset, next, len(chunks))
		}
	}
}

func TestLeadOfAnySize(t *testing.T) {
	f := newFile(t)
	h := f.NewHandle("spaces", "all")
	space := bytes.Repeat([]byte(" "), 1<<20)
	check(t, h.Keep(nil, []byte("1"), nil, 0))
	for range 20 {
		check(t, h.Tail(space))
	}
	check(t, h.Keep(space, []byte("2"), nil, 0))
	check(t, h.Commit())
	s := must[*session.Stored](t)(f.Handle("h1"))
	for c, err := range s.Chunks(1) {
		check(t, err)
		if c.Seq != 2 || string(c.Source) != "2" || !bytes.Equal(c.Lead, space[:maxLead]) {
			t.Errorf("chunk %d has a lead of %d bytes", c.Seq, len(c.Lead))
		}
	}
	if n := must[int64](t)(s.WriteTo(io.Discard)); n != 21<<20+2 {
		t.Errorf("%d bytes", n)
	}
}

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
	h := fill(t, f.NewHandle("large", "all"), 3*blocksPerSweep*blockSize)
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
		h := fill(t, f.NewHandle("x", "all"), blockSize+2000)
		check(t, h.Discard())
		if handles, blocks := rows(t, f); handles != 0 || blocks != 0 {
			t.Errorf("%d handles and %d blocks are left", handles, blocks)
		}
	}
}

// What has been written is not written again to name it once more.
func TestNamedAgain(t *testing.T) {
	f := newFile(t)
	h := fill(t, f.NewHandle("x", "all"), 1000)
	name := must[string](t)(h.Name())
	check(t, f.Remove(name))
	if again := must[string](t)(h.Name()); again != name {
		t.Errorf("%s is called %s", name, again)
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
		fill(t, h, blockSize+2000)
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

// fill keeps about n bytes of random chunks.
func fill(t testing.TB, h *session.Handle, n int) *session.Handle {
	t.Helper()
	r := rand.NewChaCha8([32]byte{1})
	chunk := make([]byte, 1000)
	for ; n > 0; n -= len(chunk) {
		if _, err := r.Read(chunk); err != nil {
			t.Fatal(err)
		}
		if err := h.Keep([]byte{'\n'}, chunk, nil, 1); err != nil {
			t.Fatal(err)
		}
	}
	return h
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

func TestGone(t *testing.T) {
	f := newFile(t)
	for _, id := range []string{"h1", "", "h", "h0", "h01", "h+1", "h-1", "x1", "h1 ", "h99999999999999999999"} {
		_, err := f.Handle(id)
		if gone, ok := errors.AsType[*session.Gone](err); !ok || gone.Reason != "unknown" || gone.ID != id {
			t.Errorf("%q: %v", id, err)
		}
	}
	if infos, err := f.Handles(); !errors.Is(err, fs.ErrNotExist) || len(infos) != 0 || len(files(t, f.Path())) != 0 {
		t.Errorf("asking made something, or said %v", err)
	}

	check(t, fill(t, f.NewHandle("old", "all"), 3*blockSize).Commit())
	check(t, fill(t, f.NewHandle("new", "all"), blockSize/2).Commit())
	second := f.NewHandle("new", "all")
	must[string](t)(second.Name())
	check(t, second.Commit())
	old := must[*session.Stored](t)(f.Handle("h1"))
	const days = 86_400_000
	used := time.Now().Add(-2 * session.DefaultTTL).UnixMilli()
	check(t, f.existing(func(c *connection) error {
		return c.exec("UPDATE handle SET last_used_at = ? WHERE number = 1", used)
	}))
	for range 2 {
		_, err := f.Handle("h1")
		gone, ok := errors.AsType[*session.Gone](err)
		if !ok || gone.Reason != "expired" || gone.When.UnixMilli() != used+days {
			t.Errorf("an old handle: %v", err)
		}
	}
	for _, err := range old.Chunks(0) {
		if _, ok := errors.AsType[*session.Gone](err); !ok {
			t.Errorf("reading on: %v", err)
		}
	}
	infos := must[[]session.Info](t)(f.Handles())
	if len(infos) != 1 || infos[0].ID != "h2" || infos[0].From != "new" || !infos[0].Complete ||
		time.Until(infos[0].Expires) < session.DefaultTTL/2 {
		t.Errorf("those left: %+v", infos)
	}
	if _, blocks := rows(t, f); blocks != 0 {
		t.Errorf("%d blocks are left of the expired one", blocks)
	}
}

// TestPageReadsItsBlocksAlone: wherever a page is, the blocks that hold it are found by the index and no other is read.
// So the last page of a large handle takes no longer than the first.
func TestPageReadsItsBlocksAlone(t *testing.T) {
	const page = 20
	f := newFile(t)
	check(t, fill(t, f.NewHandle("x", "all"), 20*blockSize).Commit())
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

func TestHandlesAtOnce(t *testing.T) {
	f := newFile(t)
	var names []string
	done := make(chan string)
	for i := range 8 {
		go func() {
			h := f.NewHandle(fmt.Sprint(i), "all")
			fill(t, h, 2*blockSize)
			name, err := h.Name()
			if err = errors.Join(err, h.Commit()); err != nil {
				t.Error(err)
			}
			done <- name
		}()
	}
	for range 8 {
		names = append(names, <-done)
	}
	slices.Sort(names)
	if want := []string{"h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8"}; !slices.Equal(names, want) {
		t.Errorf("names are %v", names)
	}
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
			h := fill(b, f.NewHandle("x", "all"), size)
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
