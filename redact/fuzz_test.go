package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

func compile(t testing.TB, o Options) *Rules {
	t.Helper()
	r, err := Compile(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// whole redacts one text in one piece.
func whole(r *Rules, text []byte) []byte {
	x := r.Text()
	return x.Flush(x.Append(nil, text))
}

// inPieces redacts one text in pieces of the sizes that next gives, and spoils
// what it lent.
func inPieces(x *Text, text []byte, next func() int) []byte {
	var out []byte
	var lent []byte
	for len(text) > 0 {
		n := min(len(text), next())
		lent = append(lent[:0], text[:n]...)
		out = x.Append(out, lent)
		clear(lent)
		text = text[n:]
	}
	return x.Flush(out)
}

// pieces is a reader that gives what it holds in pieces, and sometimes nothing.
type pieces struct {
	rest []byte
	next func() int
	err  error
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, p.err
	}
	n := copy(b, p.rest[:min(len(p.rest), p.next())])
	p.rest = p.rest[n:]
	return n, nil
}

// readAll is io.ReadAll for a reader that may give nothing, with spoiled buffers.
func readAll(t testing.TB, r io.Reader) ([]byte, error) {
	t.Helper()
	var out []byte
	buf := make([]byte, 300)
	for idle := 0; idle < 1<<20; {
		n, err := r.Read(buf)
		out = append(out, buf[:n]...)
		clear(buf)
		if err != nil {
			return out, err
		}
		idle++
		if n > 0 {
			idle = 0
		}
	}
	t.Fatal("the reader gives nothing, for ever")
	return nil, nil
}

func one() int { return 1 }

// someOf gives random sizes, zero among them if idle.
func someOf(seed uint64, idle bool) func() int {
	rnd := rand.New(rand.NewPCG(seed, 1))
	sizes := []int{1, 2, 3, 7, 20, 61, 400, 5000}
	if idle {
		sizes = append(sizes, 0)
	}
	return func() int { return sizes[rnd.IntN(len(sizes))] }
}

var errDone = errors.New("exit status 3")

func redacted(t testing.TB, r *Rules, f Format, in []byte) []byte {
	t.Helper()
	out, err := readAll(t, NewReader(bytes.NewReader(in), r, f))
	if err != io.EOF {
		t.Fatal("a whole input ends with", err)
	}
	return out
}

func seeds(f *testing.F) {
	for _, x := range catalogue(newNames()) {
		f.Add([]byte(x.example), uint64(1))
		f.Add([]byte("see "+x.example+", then\n"+x.example), uint64(2))
	}
	for _, s := range append(append([]string{}, unchanged...),
		"a@b.cc@d.ee 4012888888881881_x 4012888888881881-1",
		"password=[REDACTED:password]x password=[REDACTED:nothing] [REDACTED:email]mara@example.org",
		strings.Repeat("password=", 200)+"x y", "password="+strings.Repeat("k3", 900)+" z",
		strings.Repeat("a", 70)+"@example.org", "x@"+strings.Repeat("ab.", 200)+"cc",
		"eyJhbGciOiJIUzI1NiJ9"+strings.Repeat("Ab3", 900)+".x",
		"-----BEGIN PRIVATE KEY-----\n"+strings.Repeat("MIIabcdefghij0123456789klmnop\n", 50)+"-----END PRIVATE KEY----- a@b.cc",
		"-----BEGIN PRIVATE KEY-----\nlost\n"+strings.Repeat("line\n", 20)+"a@b.cc",
		"+1 (212) 555-0187 1 2 3 4 5 6 7 8 9 0 4012 8888 8888 1881 1 2 3",
		`{\"password\":\"hunter2\",\"b\":1}`, `\nghp_`+strings.Repeat("a1", 20),
		"zenTOKEN = 'n7ab4c9d2e8f1a6b3' | 'q2ab4c9d2e8f1a6b3' x <secret>{zen A1 n7ab4c9d2e8f1a6b3c}</secret> KEY-"+strings.Repeat("a1B2", 90),
		`mara\u0040example.org \\u0040 \/\/ \u00 \\\\\\\\\\\\\\\\\\u0041\u000aghp_\u0022`, "x "+strings.Repeat("4", 30)+".0e-1 4.012888888881881e15.",
		"--token "+strings.Repeat("a1B2", 6)+" --password 'x y z' <password>abc</password> set(\"api_key\", \"abcd1234\")",
	) {
		f.Add([]byte(s), uint64(3))
	}
}

func FuzzText(f *testing.F) {
	seeds(f)
	rules := compile(f, Options{Groups: All})
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		want := whole(rules, text)
		x := rules.Text()
		for range 2 { // a second time, to see that Flush leaves nothing behind
			if got := inPieces(x, text, one); !bytes.Equal(got, want) {
				t.Fatalf("byte by byte\n%q\nin one piece\n%q\nof\n%q", got, want, text)
			}
			if got := inPieces(x, text, someOf(seed, false)); !bytes.Equal(got, want) {
				t.Fatalf("in pieces (%d)\n%q\nin one piece\n%q\nof\n%q", seed, got, want, text)
			}
		}
		if got := whole(rules, want); !bytes.Equal(got, want) {
			t.Fatalf("twice\n%q\nonce\n%q\nof\n%q", got, want, text)
		}
	})
}

func FuzzReader(f *testing.F) {
	seeds(f)
	for _, s := range documents {
		f.Add([]byte(s), uint64(4))
	}
	rules := compile(f, Options{Groups: All})
	few := compile(f, Options{Groups: All, AllowFields: []string{"a", "b.c", "items.id"}})
	none := compile(f, Options{Groups: All, AllowFields: []string{"a name of no field"}})
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		holdsNoValue(t, none, in)
		endsBroken(t, few, in)
		for _, format := range []Format{Auto, Lines} {
			for _, r := range []*Rules{rules, few} {
				want := redacted(t, r, format, in)
				decided := format
				for _, next := range []func() int{one, someOf(seed, true)} {
					x := NewReader(&pieces{in, next, errDone}, r, format)
					got, err := readAll(t, x)
					if err != errDone || x.BytesRead() != int64(len(in)) {
						t.Fatalf("ends with %v after %d bytes of %d", err, x.BytesRead(), len(in))
					}
					decided = x.Format()
					if !bytes.Equal(got, want) {
						t.Fatalf("in pieces (%d)\n%q\nin one piece\n%q\nof\n%q", seed, got, want, in)
					}
				}
				same := format
				if r == few { // a line that is withheld now begins as an array does
					same = decided
				}
				if again := redacted(t, r, same, want); !bytes.Equal(again, want) {
					t.Fatalf("twice\n%q\nonce\n%q\nof\n%q", again, want, in)
				}
				if format == Auto && isJSON(in) && !isJSON(want) {
					t.Fatalf("was JSON\n%q\nis not\n%q", in, want)
				}
				if format == Auto && isJSON(in) && r == rules && shape(t, in) != shape(t, want) {
					t.Fatalf("another shape\n%q\nof\n%q", want, in)
				}
			}
		}
	})
}

// holdsNoValue checks that nothing is left of a value that was not asked for.
func holdsNoValue(t *testing.T, none *Rules, in []byte) {
	for _, format := range []Format{JSON, Lines} {
		left := bytes.ReplaceAll(redacted(t, none, format, in), []byte(markerStart+notARecord+"]"), nil)
		if i := bytes.IndexFunc(left, func(r rune) bool { return r < 0x80 && alnum.has(byte(r)) }); i >= 0 {
			t.Fatalf("%q shows\n%q", in, left)
		}
	}
}

// endsBroken checks that a kept value, broken or not, takes no more than one
// record after it along.
func endsBroken(t *testing.T, few *Rules, in []byte) {
	const leak = "no part of the value"
	if bytes.Contains(in, []byte(leak)) {
		return
	}
	broken := append([]byte(`{"a":`), in...)
	for range 3 {
		broken = append(broken, "\n{\"a\":1,\"other\":\""+leak+"\"}"...)
	}
	for _, format := range []Format{JSON, Lines} {
		if got := redacted(t, few, format, broken); bytes.Count(got, []byte(leak)) > 1 {
			t.Fatalf("%q shows\n%q", broken, got)
		}
	}
}

// isJSON says whether b is objects and arrays, and nothing else.
func isJSON(b []byte) bool {
	d := json.NewDecoder(bytes.NewReader(b))
	for n := 0; ; n++ {
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return err == io.EOF && n > 0
		}
		if v[0] != '{' && v[0] != '[' {
			return false
		}
	}
}

// shape counts the values of the top level.
func shape(t *testing.T, b []byte) int {
	d := json.NewDecoder(bytes.NewReader(b))
	for n := 0; ; n++ {
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return n
		}
	}
}
