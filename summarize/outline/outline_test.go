package outline

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// read returns an outline of all lines of a text. Each line is overwritten after it has been added.
func read(text string) *Outline {
	o := New()
	add(o, text)
	return o
}

func add(o *Outline, text string) {
	var lent []byte
	for i, line := range strings.Split(text, "\n") {
		lent = append(lent[:0], line...)
		o.Add(i+1, lent)
		for j := range lent {
			lent[j] = '#'
		}
	}
}

// check fails for entries that are not lines of the text, in their order, or for more or longer ones than there may be.
func check(t *testing.T, o *Outline, text string) {
	t.Helper()
	lines := strings.Split(text, "\n")
	entries, more := o.Entries()
	if more < 0 || len(entries) > maxEntries {
		t.Fatalf("%d entries, %d more", len(entries), more)
	}
	before := 0
	for _, e := range entries {
		switch {
		case e.Line <= before || e.Line > len(lines):
			t.Fatalf("line %d after line %d, of %d", e.Line, before, len(lines))
		case len(e.Text) > maxText+len(jsonx.Ellipsis):
			t.Fatalf("line %d: %d bytes", e.Line, len(e.Text))
		case !bytes.Contains([]byte(lines[e.Line-1]), bytes.TrimSuffix(e.Text, []byte(jsonx.Ellipsis))):
			t.Fatalf("line %d: %q is not in %q", e.Line, e.Text, lines[e.Line-1])
		case e.Tells <= 0:
			t.Fatalf("line %d tells %v", e.Line, e.Tells)
		}
		before = e.Line
	}
}

func FuzzOutline(f *testing.F) {
	for _, s := range shapesOfTexts {
		f.Add(s.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o := read(text)
		check(t, o, text)
		first := fmt.Sprintf("%s %+v %+v", o.Shape(), o.Totals(), entriesOf(o))
		o.Reset()
		if entries, more := o.Entries(); o.Shape() != Lines || len(entries) > 0 || more > 0 {
			t.Fatalf("%q, %d, %d after Reset", o.Shape(), len(entries), more)
		}
		add(o, text)
		if again := fmt.Sprintf("%s %+v %+v", o.Shape(), o.Totals(), entriesOf(o)); again != first {
			t.Fatalf("%s\nand then\n%s", first, again)
		}
	})
}

// entriesOf returns the entries, a line each.
func entriesOf(o *Outline) string {
	var b strings.Builder
	entries, _ := o.Entries()
	for _, e := range entries {
		fmt.Fprintf(&b, "%d: %s", e.Line, bytes.TrimLeft(e.Text, " \t"))
		if e.Is != "" {
			fmt.Fprintf(&b, " %s", e.Is)
		}
		if e.IsChange {
			fmt.Fprintf(&b, " +%d -%d", e.Added, e.Removed)
		}
		if e.Hits > 0 {
			fmt.Fprintf(&b, " %d hits", e.Hits)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestBounds: however many lines there are, there is a bound to the entries and their bytes, and all that had no room
// are counted.
func TestBounds(t *testing.T) {
	o := New()
	o.Add(1, []byte("package tide"))
	const lines = 200_000
	for i := 2; i <= lines; i++ {
		o.Add(i, fmt.Appendf(nil, "func Height%d(at Time, datum Datum, stations []Station) (height float64, err error) {", i))
	}
	entries, more := o.Entries()
	if o.Shape() != Source || len(entries) > maxEntries || len(entries) < maxEntries/8 || len(entries)+more != lines {
		t.Errorf("%s: %d entries and %d more", o.Shape(), len(entries), more)
	}
	if l := o.leading().outline(); cap(l.arena) > 2*maxBytes {
		t.Errorf("%d bytes", cap(l.arena))
	}
}

// TestDecidedOnce: what comes after the first 64 KiB does not change the shape.
func TestDecidedOnce(t *testing.T) {
	o := New()
	for i := range 3000 {
		o.Add(i+1, fmt.Appendf(nil, "the tide of the day was about as high as that of day %d", i))
	}
	for i := range 3000 {
		o.Add(3001+i, fmt.Appendf(nil, "func height%d() int {", i))
	}
	if o.Shape() != Text {
		t.Errorf("%s", o.Shape())
	}
}

func TestAllocations(t *testing.T) {
	for _, s := range shapesOfTexts {
		o := New()
		text := []byte(s.text)
		run := func() {
			o.Reset()
			rest, n := text, 0
			for len(rest) > 0 {
				var line []byte
				line, rest, _ = bytes.Cut(rest, []byte{'\n'})
				n++
				o.Add(n, line)
			}
		}
		run()
		if n := testing.AllocsPerRun(10, run); n > 0 {
			t.Errorf("%s: %v allocations", s.name, n)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	for _, s := range shapesOfTexts {
		lines := bytes.Split([]byte(s.text), []byte{'\n'})
		for _, isDecided := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/%v", s.name, isDecided), func(b *testing.B) {
				o := New()
				add(o, s.text)
				if o.winner, o.decided = o.leading(), isDecided; !isDecided {
					o.winner = nil
				} else if o.winner != nil {
					o.winner.settle()
				}
				b.SetBytes(int64(len(s.text)))
				for b.Loop() {
					if o.bytes = 0; o.winner != nil {
						o.winner.outline().reset()
					} else if !isDecided {
						o.Reset()
					}
					for i, line := range lines {
						o.Add(i+1, line)
					}
				}
			})
		}
	}
}

// TestOutlines: the shape of each text, and its outline.
func TestOutlines(t *testing.T) {
	for _, s := range shapesOfTexts {
		t.Run(s.name, func(t *testing.T) {
			o := read(s.text)
			check(t, o, s.text)
			if o.Shape() != s.shape {
				t.Fatalf("%q, want %q", o.Shape(), s.shape)
			}
			got := entriesOf(o)
			for want := range strings.Lines(strings.TrimSpace(s.want)) {
				if !strings.Contains("\n"+got, "\n"+strings.TrimSpace(want)+"\n") {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
			for _, never := range s.never {
				if strings.Contains(got, never) {
					t.Errorf("%q in\n%s", never, got)
				}
			}
		})
	}
}
