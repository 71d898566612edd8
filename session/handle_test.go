package session

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		check(t, err)
		return v
	}
}

// writer fails as it says, and keeps nothing.
type writer struct{ err error }

func (w writer) Write(Write) (Written, error) { return Written{Handle: 1, Row: 1, Number: 1}, w.err }
func (w writer) Discard(int64) error          { return nil }

// TestHandleMemory: the buffer of a handle is that of a block, whatever is kept, and a chunk allocates nothing.
func TestHandleMemory(t *testing.T) {
	h := NewHandle(writer{}, "spaces", "all")
	space := bytes.Repeat([]byte(" "), 1<<20)
	check(t, h.Keep(nil, []byte("1"), nil, 0))
	for range 20 {
		check(t, h.Tail(space))
	}
	check(t, h.Keep(space, []byte("2"), nil, 0))
	check(t, h.settle())
	if got := max(cap(h.block.bytes), cap(h.full.bytes)); got > 2*blockSize {
		t.Errorf("the buffer grew to %d bytes", got)
	}
	check(t, h.Commit())

	h = NewHandle(writer{}, "x", "all")
	lead, source, path := []byte("\n"), []byte(`{"a":1}`), []byte("Items.0")
	check(t, h.Keep(lead, source, path, 0))
	h.block.index = slices.Grow(h.block.index, 4000)
	h.block.path = slices.Grow(h.block.path, 64)
	if n := testing.AllocsPerRun(200, func() {
		path[6]++
		if err := errors.Join(h.Keep(lead, source, path, 0), h.Tail(lead)); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a chunk", n)
	}
}

// TestHandleEndsItsGoroutine: what can't be written leaves no goroutine.
func TestHandleEndsItsGoroutine(t *testing.T) {
	refused := errors.New("refused")
	h := NewHandle(writer{refused}, "x", "all")
	check(t, h.Keep(nil, []byte("1"), nil, 0))
	if _, err := h.Name(); !errors.Is(err, refused) || h.writes != nil {
		t.Errorf("error is %v, the goroutine stays: %v", err, h.writes != nil)
	}
}
