package sessiontest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
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

// Responses returns bytes that say what is in a response, for RoundTrip.
func Responses() [][]byte {
	all := [][]byte{{}, []byte("\x02\x01\x00\x10abcdefghijkl\x03\x00\x00\x04mnopqrstuvwxyz"),
		[]byte("\x00\x00\x00\x00 \x00\x00\x00\x00 ")} // chunks of nothing
	r := rand.NewChaCha8([32]byte{})
	for n := range 5 {
		data := make([]byte, 40<<n)
		_, _ = r.Read(data) // it never fails
		all = append(all, data)
	}
	return all
}

func testRoundTrip(t *testing.T, next func() Place) {
	for _, data := range Responses() {
		RoundTrip(t, next(), data)
	}
}

// RoundTrip stores a response of any chunks, and reads it while it is written and afterwards.
func RoundTrip(t *testing.T, p Place, data []byte) {
	writing, reading := open(p, session.Settings{}), open(p, session.Settings{})
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

func testLeadOfAnySize(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{})
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

// What has been written is not written again to name it once more.
func testNamedAgain(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{})
	h := Fill(t, f.NewHandle("x", "all"), 1000)
	name := must[string](t)(h.Name())
	check(t, f.Remove(name))
	if again := must[string](t)(h.Name()); again != name {
		t.Errorf("%s is called %s", name, again)
	}
}

func testGone(t *testing.T, next func() Place) {
	p := next()
	f := open(p, session.Settings{})
	for _, id := range []string{"h1", "", "h", "h0", "h01", "h+1", "h-1", "x1", "h1 ", "h99999999999999999999"} {
		_, err := f.Handle(id)
		if gone, ok := errors.AsType[*session.Gone](err); !ok || gone.Reason != "unknown" || gone.ID != id {
			t.Errorf("%q: %v", id, err)
		}
	}
	if infos, err := f.Handles(); !errors.Is(err, fs.ErrNotExist) || len(infos) != 0 || p.IsMade() {
		t.Errorf("asking made something, or said %v", err)
	}

	check(t, Fill(t, f.NewHandle("old", "all"), 3*blockSize).Commit())
	check(t, Fill(t, f.NewHandle("new", "all"), blockSize/2).Commit())
	second := f.NewHandle("new", "all")
	must[string](t)(second.Name())
	check(t, second.Commit())
	old := must[*session.Stored](t)(f.Handle("h1"))
	expires := old.Info().Expires.Add(-2 * session.DefaultTTL)
	p.Age(2*session.DefaultTTL, "h1")
	for range 2 {
		_, err := f.Handle("h1")
		gone, ok := errors.AsType[*session.Gone](err)
		if !ok || gone.Reason != "expired" || gone.When.Sub(expires).Abs() > time.Minute {
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
	if bytes := p.Stored(); bytes > blockSize {
		t.Errorf("%d bytes are left of the expired one", bytes)
	}
}

func testHandlesAtOnce(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{})
	var names []string
	done := make(chan string)
	for i := range 8 {
		go func() {
			h := f.NewHandle(fmt.Sprint(i), "all")
			Fill(t, h, 2*blockSize)
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

// The store never takes more than it may: what was used longest ago goes, never what is being written.
func testStoreMax(t *testing.T, next func() Place) {
	p := next()
	f := open(p, session.Settings{})
	one := func() *session.Handle { return Fill(t, f.NewHandle("x", "all"), 3*blockSize) }
	check(t, one().Commit())
	size := p.Stored()
	f = open(p, session.Settings{StoreMax: 4 * size})
	check(t, one().Commit())
	check(t, one().Commit())
	must[*session.Stored](t)(f.Handle("h1")) // is now the last one used
	p.Age(time.Second, "h2", "h3")
	p.Age(time.Second, "h2")
	for range 2 {
		check(t, one().Commit())
		if taken := p.Stored(); taken > 4*size {
			t.Errorf("%d bytes are stored, at most %d may be", taken, 4*size)
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

func testStoreTooSmall(t *testing.T, next func() Place) {
	p := next()
	f := open(p, session.Settings{StoreMax: 100})
	h := Fill(t, f.NewHandle("x", "all"), 1000)
	_, err := h.Name()
	if u, ok := errors.AsType[*session.Unusable](err); !ok || !strings.HasPrefix(u.Reason, "cannot keep more") {
		t.Fatalf("error is %v", err)
	}
	if err := h.Keep(nil, []byte("more"), nil, 0); err == nil {
		t.Error("the handle goes on")
	}
	check(t, h.Discard())
	if left := p.Stored(); left != 0 {
		t.Errorf("%d bytes are left", left)
	}
}

// testEvictionThatCannotHelp: a handle that does not fit takes none of the others with it.
func testEvictionThatCannotHelp(t *testing.T, next func() Place) {
	p := next()
	f := open(p, session.Settings{})
	for range 5 {
		must[string](t)(Fill(t, f.NewHandle("x", "all"), 100).Name())
	}
	f = open(p, session.Settings{StoreMax: 100})
	h := Fill(t, f.NewHandle("x", "all"), 1000)
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
func testTTL(t *testing.T, next func() Place) {
	p := next()
	f := open(p, session.Settings{TTL: time.Hour}) // of the session that is made, too
	must[string](t)(f.NewHandle("hour", "all").Name())
	f = open(p, session.Settings{TTL: 2 * time.Hour})
	must[string](t)(f.NewHandle("two hours", "all").Name())
	f = open(p, session.Settings{})
	must[string](t)(f.NewHandle("as the file says", "all").Name())
	infos := must[[]session.Info](t)(f.Handles())
	for i, want := range []time.Duration{time.Hour, 2 * time.Hour, time.Hour} {
		if got := infos[i].Expires.Sub(infos[i].Created); got != want {
			t.Errorf("%s: lives for %v", infos[i].From, got)
		}
	}
}

func testRemove(t *testing.T, next func() Place) {
	p := next()
	f := open(p, session.Settings{})
	if err := f.Remove("h1"); !isGone(err, "h1", "unknown") {
		t.Errorf("without a file: %v", err)
	}
	if p.IsMade() {
		t.Error("asking made it")
	}
	for range 3 {
		check(t, Fill(t, f.NewHandle("x", "all"), 2*blockSize).Commit())
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
	if p.Stored() == 0 {
		t.Error("nothing is left of the other")
	}
	if infos := must[[]session.Info](t)(f.Handles()); len(infos) != 1 || infos[0].ID != "h2" {
		t.Errorf("left are %v", infos)
	}
}

// While a handle is written, removing it ends the writing with an error.
func testRemoveWhileWriting(t *testing.T, next func() Place) {
	f := open(next(), session.Settings{})
	h := Fill(t, f.NewHandle("x", "all"), blockSize)
	check(t, f.Remove(must[string](t)(h.Name())))
	if err := errors.Join(h.Keep(nil, []byte("more"), nil, 0), h.Commit()); err == nil ||
		errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error is %v", err)
	}
}

// testNamedByContent: the same content has the same name in each file, is stored once, and is there again after it
// was gone.
func testNamedByContent(t *testing.T, next func() Place) {
	f, other := open(next(), session.Settings{}), open(next(), session.Settings{})
	keep := func(f session.Session, text string) string {
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
