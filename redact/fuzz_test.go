package redact

import (
	"bytes"
	b64 "encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/names"
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

// byteByByte returns a redacted text that came in pieces of one byte.
func byteByByte(rules *Rules, format Format, text string) string {
	x := newFilter(rules.set, rules.Text())
	x.start(format)
	var out []byte
	for i := range len(text) {
		out, _ = x.feed(out, []byte(text[i:i+1]))
	}
	return string(x.finish(out))
}

// stays checks that nothing in a text is redacted.
func stays(t *testing.T, rules *Rules, text string) {
	t.Helper()
	if got := string(redacted(t, rules, Auto, []byte(text))); got != text {
		t.Errorf("%q\ngives\n%s", text, got)
	}
}

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
	for _, x := range testdepth.Some(catalogue.Rules(names.NewNames())) {
		f.Add([]byte(x.Example), uint64(1))
		f.Add([]byte("see "+x.Example+", then\n"+x.Example), uint64(2))
		f.Add([]byte(strings.Join(strings.Split("see "+x.Example+"\n", ""), "\x00")+"\x00"), uint64(10))
	}
	for _, s := range append(append([]string{}, unchanged...),
		"a@b.cc@d.ee 4012888888881881_x 4012888888881881-1",
		"password=[REDACTED:password]x password=[REDACTED:nothing] [REDACTED:email]mara@example.org",
		"full name: Ada van der Lind O'Brady is\nlast name: De la Cruz, Dr.",
		strings.Repeat("password=", 200)+"x y", "password="+strings.Repeat("k3", 900)+" z",
		strings.Repeat("a", 70)+"@example.org", "x@"+strings.Repeat("ab.", 200)+"cc",
		"eyJhbGciOiJIUzI1NiJ9"+strings.Repeat("Ab3", 900)+".x",
		"-----BEGIN PRIVATE KEY-----\n"+strings.Repeat("MIIabcdefghij0123456789klmnop\n", 50)+
			"-----END PRIVATE KEY----- a@b.cc",
		"-----BEGIN PRIVATE KEY-----\nlost\n"+strings.Repeat("line\n", 20)+"a@b.cc",
		"-----BEGIN PRIVATE KEY-----\nMIIabcdefghij0123456789klmnopABCDEFGH\nno key\n\n\n\nof it\n",
		"+1 (212) 555-0187 1 2 3 4 5 6 7 8 9 0 4012 8888 8888 1881 1 2 3",
		`{\"password\":\"hunter2\",\"b\":1}`, `\nghp_`+strings.Repeat("a1", 20),
		"zenTOKEN = 'n7ab4c9d2e8f1a6b3' | 'q2ab4c9d2e8f1a6b3' x <secret>{zen A1 n7ab4c9d2e8f1a6b3c}</secret> KEY-"+
			strings.Repeat("a1B2", 90),
		`mara\u0040example.org \\u0040 \/\/ \u00 \\\\\\\\\\\\\\\\\\u0041\u000aghp_\u0022`,
		"x "+strings.Repeat("4", 30)+".0e-1 4.012888888881881e15.",
		"g%68p_a1%2561 %25%32%35 mara%40example.org &#x6d;ara&commat;example.org &amp;#64; &#64 &bogus; &;",
		"mara\x1b[1m@exam\u200bple.org\x1b[0m \x1b[ \x1b] m\x00a\x00r\x00a\x00@\x00e.x\x00y ４０１２ 8888\u00a08888\u202f1881 219‑09‑9991",
		"see ory_at_7hQ2mX9kV47hQ2mX9kV47hQ2mX9kV47hQ2mX9kV47hQ, then\x1bory_at_7hQ2mX9kV47hQ2mX9k7h7hQ2mX9kV4\x1ehQ2mX9",
		strings.Repeat("\x00", 40)+"mara@"+strings.Repeat("\u200b", 40)+"example.org"+strings.Repeat("\x1b[m", 20),
		`\x6dara\x40example.org \\x40 \x4`,
		"[REDACTED:email:1] [REDACTED:email:4097] [REDACTED:email:01] password=[REDACTED:password:2]x password=[REDACTED:nothing:3]",
		"pass\\u0077ord=\\u0022a\\u0040b\\u0022 a@b.cc a@b.dd a@b.cc "+strings.Repeat("cvv=[REDACTED:cvv:12] ", 9),
		"https://[REDACTED:email:1]@db https://x:[REDACTED:url_password:12]@db Bearer [REDACTED:bearer_token:7]",
		"--token "+strings.Repeat("a1B2", 6)+
			" --password 'x y z' <password>abc</password> set(\"api_key\", \"abcd1234\")",
	) {
		f.Add([]byte(s), uint64(3))
	}
	for _, s := range shipped {
		f.Add([]byte(s), uint64(7))
	}
	for _, s := range []string{"user=mara.lind@example.org;", strings.Repeat("nothing here. ", 90) +
		"mara.lind@example.org" + strings.Repeat(" nor here", 90)} {
		once := b64.StdEncoding.EncodeToString([]byte(s))
		f.Add([]byte("x="+once+" "+b64.RawURLEncoding.EncodeToString([]byte(once))), uint64(5))
		f.Add([]byte(`{"a/`+hex.EncodeToString([]byte(s))+`":"0x`+hex.EncodeToString([]byte(once))+`","b":"`+once+
			`"}`), uint64(6))
	}
}

func FuzzText(f *testing.F) {
	seeds(f)
	f.Add([]byte("last name: De la Cruz,z"), uint64(57))
	plain := compile(f, Options{Groups: All})
	numbered := compile(f, Options{Groups: All, Numbered: true})
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		cutText(t, plain, text, seed)
		cutText(t, numbered, text, seed)
		if with, without := withoutNumbers(whole(numbered, text)),
			withoutNumbers(whole(plain, text)); !bytes.Equal(with, without) {
			t.Fatalf("with numbers\n%q\nwithout\n%q\nof\n%q", with, without, text)
		}
	})
}

var (
	numberInMarker = regexp.MustCompile(`(\[REDACTED:[a-z0-9_]+):[0-9]+\]`)
	numberInUTF16  = regexp.MustCompile(`(\[\x00` + strings.Join(strings.Split("REDACTED:", ""),
		`\x00`) + `(?:\x00[a-z0-9_])+)\x00:(?:\x00[0-9])+\x00\]`)
)

func withoutNumbers(text []byte) []byte {
	return numberInUTF16.ReplaceAll(numberInMarker.ReplaceAll(text, []byte("$1]")), []byte("$1\x00]"))
}

// besideMarker finds a marker that touches what may be a part of a token, or has a number beside
// it. What is there was not told from the match, and may be told once the marker stands there. A name
// without a blank in it goes on after a comma, as in Lind,Mara. A quote with a word after it ends no value.
var besideMarker = regexp.MustCompile(
	`\[REDACTED:person_name[:0-9]*\],\S|(?:[A-Za-z0-9_.+%~-]|==|[0-9][ \t])\[REDACTED:[a-z0-9_:]+\]|\[REDACTED:[a-z0-9_:]+\](?:[^\s"',;]|["'][0-9A-Za-z]|[ \t]+\(?[0-9])`)

// cutText checks that it does not matter how a text is cut, nor, if its matches stand apart, that
// it is redacted again.
func cutText(t *testing.T, rules *Rules, text []byte, seed uint64) {
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
	if got := whole(rules, want); !bytes.Equal(got, want) && !besideMarker.Match(want) {
		t.Fatalf("twice\n%q\nonce\n%q\nof\n%q", got, want, text)
	}
}

func FuzzReader(f *testing.F) {
	seeds(f)
	for _, s := range documents {
		f.Add([]byte(s), uint64(4))
		f.Add([]byte(asStrings(s, 1)), uint64(8))
		f.Add([]byte(asStrings(s, 2)), uint64(9))
		f.Add([]byte("say "+s+" and "+s), uint64(10))
	}
	f.Add([]byte("{\"password\":{\n\"old\":\"hunter2abcDEF99x000\n| id | password |\n|----|----|\n| 1 | hunter2abcDEF99x |\n{\"password\":{\n\""),
		uint64(3))
	f.Add([]byte("ay {\"password\":\"hunter2\",\"n\":1}\n{\"secret\":{\"deep\":[1,\x04\x00er\":\"x}\"}]},\"a\":1}\n an"), uint64(4))
	for i, s := range beginnings {
		f.Add([]byte(s+positions[i%len(positions)]+s), uint64(i))
	}
	rules := compile(f, Options{Groups: All})
	few := compile(f, Options{Groups: All, Numbered: true, AllowFields: []string{"a", "b.c", "items.id"}})
	numbered := compile(f, Options{Groups: All, Numbered: true})
	none := compile(f, Options{Groups: All, AllowFields: []string{"a name of no field"}})
	allowing := compile(f, Options{Groups: All, Allow: []string{"password@a", "email@*", "token@*.*", "phone"}})
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		holdsNoValue(t, none, in)
		endsBroken(t, few, in)
		for _, format := range []Format{Auto, Lines} {
			for _, r := range []*Rules{rules, few, numbered, allowing} {
				want, places := observed(t, r, format, in)
				var copied bytes.Buffer
				n, err := NewReader(&pieces{in, someOf(seed, true), io.EOF}, r, format).WriteTo(&copied)
				if err != nil || n != int64(len(want)) || !bytes.Equal(copied.Bytes(), want) {
					t.Fatalf("WriteTo ends with %v after %d bytes\n%q\nnot\n%q", err, n, copied.Bytes(), want)
				}
				decided := format
				for _, next := range []func() int{one, someOf(seed, true)} {
					x := NewReader(&pieces{in, next, errDone}, r, format)
					var seen []Place
					x.Observe(func(_ string, at Place) { seen = append(seen, at) })
					got, err := readAll(t, x)
					if !slices.Equal(seen, places) {
						t.Fatalf("in pieces (%d)\n%v\nin one piece\n%v\nof\n%q", seed, seen, places, in)
					}
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
				again := redacted(t, r, same, want)
				// What is left of a broken record may be withheld in its turn.
				isBroken := r == few && bytes.Contains(append(again, want...), []byte(lex.MarkerStart+catalogue.NotARecord))
				if !bytes.Equal(again, want) && !isBroken && !besideMarker.Match(want) && !holdsBroken(want) {
					t.Fatalf("twice\n%q\nonce\n%q\nof\n%q", again, want, in)
				}
				if format == Auto && isJSON(in) && !isJSON(want) {
					t.Fatalf("was JSON\n%q\nis not\n%q", in, want)
				}
				if format == Auto && isJSON(in) && r != few && shape(t, in) != shape(t, want) {
					t.Fatalf("another shape\n%q\nof\n%q", want, in)
				}
			}
		}
	})
}

// holdsBroken reports whether a text has objects or arrays and is no JSON: what follows a broken one may be of it.
func holdsBroken(text []byte) bool {
	return bytes.ContainsAny(anyMarker.ReplaceAll(text, nil), "{[") && !isJSON(text)
}

// observed redacts an input in one piece, and checks what it says of places.
func observed(t testing.TB, r *Rules, f Format, in []byte) (out []byte, places []Place) {
	t.Helper()
	x := NewReader(bytes.NewReader(in), r, f)
	x.Observe(func(_ string, at Place) {
		if at.Offset < 0 || at.Offset >= int64(len(in)) {
			t.Fatalf("a match at %d of %d", at.Offset, len(in))
		}
		before := in[:at.Offset]
		line, column := bytes.Count(before, []byte{'\n'})+1, len(before)-bytes.LastIndexByte(before, '\n')
		if at.Line != int64(line) || at.Column != int64(column) {
			t.Fatalf("%d is line %d, column %d, not %v of\n%q", at.Offset, line, column, at, in)
		}
		places = append(places, at)
	})
	out, err := readAll(t, x)
	if err != io.EOF {
		t.Fatal("a whole input ends with", err)
	}
	n := 0
	for _, count := range x.Counts() {
		n += count
	}
	if r.allowed == nil {
		if n != len(places) {
			t.Fatalf("%d matches at %d places of\n%q", n, len(places), in)
		}
		standsBefore(t, in, out, places)
	}
	return out, places
}

var anyMarker = regexp.MustCompile(`\[REDACTED:[a-z0-9_]+(:[0-9]+)?\]`)

// standsBefore checks that what stands before a marker in the output stands before the place of its match in the input,
// except the quotes that a marker has in place of a value that is no string.
func standsBefore(t testing.TB, in, out []byte, places []Place) {
	t.Helper()
	markers := anyMarker.FindAllIndex(out, -1)
	if bytes.Contains(in, []byte(lex.MarkerStart)) || len(markers) != len(places) {
		return // a marker that was there, or one for two matches in a number
	}
	from, last := int64(0), 0
	for i, m := range markers {
		before := bytes.Trim(out[last:m[0]], `\"`)
		if passed := bytes.TrimRight(in[from:places[i].Offset], `\"`); !bytes.HasSuffix(passed, before) {
			t.Fatalf("match %d is at %v of\n%q\nwhich gives\n%q", i+1, places[i], in, out)
		}
		from, last = places[i].Offset, m[1]
	}
}

// holdsNoValue checks that nothing is left of a value that was not asked for.
func holdsNoValue(t *testing.T, none *Rules, in []byte) {
	for _, format := range []Format{JSON, Lines} {
		left := bytes.ReplaceAll(redacted(t, none, format, in), []byte(lex.MarkerStart+catalogue.NotARecord+"]"), nil)
		if i := bytes.IndexFunc(left, func(r rune) bool { return r < 0x80 && lex.Alnum.Has(byte(r)) }); i >= 0 {
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

// FuzzNothingEaten checks that a marker takes the place of what it stands for and of nothing else: what stands between the
// markers stands in the input, in the same order, and each line that has no key of several lines is still one.
func FuzzNothingEaten(f *testing.F) {
	seeds(f)
	for _, s := range append(slices.Clone(overLines), documents...) {
		for i, prefix := range prefixes {
			f.Add([]byte(prefixed(s, prefix, "#")), uint64(i))
		}
	}
	rules := compile(f, Options{Groups: All})
	f.Fuzz(func(t *testing.T, in []byte, _ uint64) {
		if bytes.Contains(in, []byte(lex.MarkerStart)) || bytes.IndexByte(in, 0) >= 0 || // a marker in UTF-16
			bytes.ContainsAny(in, "{[\x1b") && !isJSON(in) { // of a broken value the rest goes
			return
		}
		for _, format := range []Format{Auto, Lines, JSON} {
			out := redacted(t, rules, format, in)
			if what := eaten(in, out); what != "" {
				t.Fatalf("%v: %s:\n%q\ngives\n%q", format, what, in, out)
			}
		}
	})
}

// eaten says what is wrong with the output, or nothing. Keys of JSON may have got a number, and what is no string quotes.
func eaten(in, out []byte) string {
	markers := anyMarker.FindAllIndex(out, -1)
	from, rest, isKey := 0, in, false
	for i, m := range append(markers, []int{len(out), len(out)}) {
		piece := out[from:m[0]]
		at := bytes.Index(rest, piece)
		for _, cut := range []string{`"`, `\"`, `\\\"`} { // quotes around the markers
			if at >= 0 {
				break
			}
			bare := piece
			if i > 0 {
				bare = bytes.TrimPrefix(bare, []byte(cut))
			}
			if i < len(markers) {
				bare = bytes.TrimSuffix(bare, []byte(cut))
			}
			if at = bytes.Index(rest, bare); at >= 0 {
				piece = bare
			}
		}
		switch {
		case at < 0:
			return "between two markers stands what the input has not"
		case i == 0 && at > 0:
			return "something before the first marker is gone"
		case i == len(markers) && len(markers) > 0 && !bytes.HasSuffix(rest, piece):
			return "something after the last marker is gone"
		case i > 0 && !isKey && bytes.IndexByte(rest[:at], '\n') >= 0 && bytes.IndexByte(bytes.TrimSpace(rest[:at]), '\n') < 0:
			return "the end of a line is gone with a value"
		}
		isKey = m[1] > m[0] && bytes.Contains(out[m[0]:m[1]], []byte("private_key"))
		rest, from = rest[at+len(piece):], m[1]
	}
	return ""
}
