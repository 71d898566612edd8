package jsonx

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// walk copies a value, walking into every object and array down to some depth. Strings go through change, if it is
// not nil.
func walk(e *Editor, depth int, change func(io.Reader) io.Reader) error {
	kind, err := e.Kind()
	if err != nil {
		return err
	}
	switch {
	case kind == String && change != nil:
		return e.Rewrite(change)
	case kind == Object && depth > 0:
		return e.Object(func([]byte) error { return walk(e, depth-1, change) }, nil)
	case kind == Array && depth > 0:
		return e.Array(func(int) error { return walk(e, depth-1, change) }, nil)
	}
	return e.Copy()
}

// pieces reads data in pieces of these sizes, again and again.
type pieces struct {
	data  []byte
	sizes []byte
	n     int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	size := len(b)
	if len(p.sizes) > 0 {
		size = 1 + int(p.sizes[p.n%len(p.sizes)])
		p.n++
	}
	n := copy(b[:min(len(b), size)], p.data)
	p.data = p.data[n:]
	return n, nil
}

// edited returns what walk makes of one text.
func edited(data, sizes []byte, bufSize, depth int, change func(io.Reader) io.Reader) (out string, err error) {
	var b bytes.Buffer
	e := NewEditor(true)
	e.Reset(bufio.NewReaderSize(&pieces{data: data, sizes: sizes}, bufSize), &b)
	if err = walk(e, depth, change); err == nil {
		_, err = e.End()
	}
	return b.String(), err
}

// copied returns a text that is copied up to what is wrong with it, and from there on as it stands.
func copied(data, sizes []byte, depth int) (string, error) {
	var b bytes.Buffer
	e := NewEditor(true)
	in := bufio.NewReader(&pieces{data: data, sizes: sizes})
	e.Reset(in, &b)
	err := walk(e, depth, nil)
	if err == nil {
		_, err = e.End()
	}
	if err != nil {
		if err := e.Keep(); err != nil {
			return "", err
		}
	}
	_, err = io.Copy(&b, in)
	return b.String(), err
}

func same(r io.Reader) io.Reader { return r }

// upper is a change that keeps most texts.
func upper(r io.Reader) io.Reader { return &mapped{r} }

type mapped struct{ io.Reader }

func (m *mapped) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	for i, c := range p[:n] {
		if c == 'x' {
			p[i] = '\n'
		}
	}
	return n, err
}

// FuzzEditor: a line that is JSON comes out byte for byte, whatever is walked; one that is not is an error; no cut of
// the input changes what comes out; nothing of a text that is copied is lost, whatever it is; and a string that was
// changed is the JSON of the changed text.
func FuzzEditor(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"a\u00e9\ud83d\ude00\n\"\/x"}]}}`,
		` [ 1 , -0.5e+7 , true,false ,null, "", {} , [ ] ,"é😀" ] ` + "\r\n",
		`{"a":{"b":{"c":{"d":["\ud83d","\ud83dx","\ud83d\u0041","\udc00\n","\ud83d\n"]}}}, "a" : 1}`,
		`"unterminated`, `{"a":1,}`, `[1,]`, `{"a" 1}`, `01`, `1.`, `-`, `1e`, `tru`, "\"a\tb\"", "[1\n]", `"\x"`,
		`"\u12g4"`, `{} {}`, "{} \r {}", "",
	} {
		f.Add([]byte(seed), []byte{0}, uint8(3))
	}
	f.Fuzz(func(t *testing.T, line, sizes []byte, depth uint8) {
		line, _, _ = bytes.Cut(line, []byte{'\n'})
		isJSON := json.Valid(line) && !bytes.ContainsAny(line, "\n")
		for _, change := range []func(io.Reader) io.Reader{nil, same} {
			out, err := edited(line, nil, 64<<10, int(depth), change)
			if isJSON != (err == nil) {
				t.Fatalf("%v, valid %v: %q", err, isJSON, line)
			}
			if isJSON && out != string(line) {
				t.Fatalf("%q became %q", line, out)
			}
			cut, cutErr := edited(line, sizes, 16, int(depth), change)
			if isJSON && cut != out || (cutErr == nil) != (err == nil) {
				t.Fatalf("cut: %v, %v: %q became %q, not %q", cutErr, err, line, cut, out)
			}
			if !isJSON && !errors.As(err, new(*SyntaxError)) {
				t.Fatalf("%v", err)
			}
		}
		for _, pieces := range [][]byte{nil, sizes} {
			if got, err := copied(line, pieces, int(depth)); got != string(line) || err != nil {
				t.Fatalf("%v: %q copied is %q", err, line, got)
			}
		}
		if !isJSON {
			return
		}
		whole, _ := edited(line, nil, 64<<10, int(depth), upper)
		cut, _ := edited(line, sizes, 16, int(depth), upper)
		if whole != cut {
			t.Fatalf("cut: %q became %q, not %q", line, cut, whole)
		}
		var before string
		if json.Unmarshal(line, &before) == nil && utf8.Valid(line) {
			var after string
			if err := json.Unmarshal([]byte(whole), &after); err != nil ||
				after != strings.ReplaceAll(before, "x", "\n") {
				t.Fatalf("%v: %q became %q", err, line, whole)
			}
		}
	})
}

// TestDropAndAdd: what is dropped takes its comma along, and what is added gets one.
func TestDropAndAdd(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"a":1,"drop":{"x":[1,2]},"b":2}`, `{"a":1,"b":2,"new":0}`},
		{`{"drop":1 , "a" : 2}`, `{  "a" : 2,"new":0}`},
		{`{ "drop":1, "drop":"\"" }`, `{"new":0 }`},
		{`{"a":[] ,"drop":null}`, `{"a":[],"new":0}`},
		{`{}`, `{"new":0}`},
		{`{"dr\u006fp":1}`, `{"new":0}`},
	} {
		var b bytes.Buffer
		e := NewEditor(true)
		e.Reset(bufio.NewReader(iotest.OneByteReader(strings.NewReader(c.in))), &b)
		err := e.Object(func(name []byte) error {
			if string(name) == "drop" {
				return e.Drop()
			}
			return e.Copy()
		}, func() error { return e.Add(`"new":0`) })
		if err != nil || b.String() != c.want {
			t.Errorf("%v: %s became %s, not %s", err, c.in, b.String(), c.want)
		}
	}
}

// TestLongName: a name longer than is looked at passes, and is equal to no other.
func TestLongName(t *testing.T) {
	name := strings.Repeat("n", 3*maxName)
	line := `{"a":1,"` + name + `":{"b":2}}`
	var names []int
	var b bytes.Buffer
	e := NewEditor(true)
	e.Reset(bufio.NewReader(strings.NewReader(line)), &b)
	err := e.Object(func(name []byte) error {
		names = append(names, len(name))
		return e.Copy()
	}, nil)
	if err != nil || b.String() != line || names[1] < maxName-1 || names[1] > maxName {
		t.Errorf("%v, names of %v bytes", err, names)
	}
}

// TestDepth: deeper than maxDepth is an error wherever the walk ends.
func TestDepth(t *testing.T) {
	for _, depth := range []int{0, 5, maxDepth + 1} {
		for _, nested := range []int{maxDepth, maxDepth + 1} {
			line := strings.Repeat("[", nested) + strings.Repeat("]", nested)
			_, err := edited([]byte(line), nil, 4096, depth, nil)
			if (err == nil) != (nested == maxDepth) {
				t.Errorf("%d deep, %d of them walked: %v", nested, depth, err)
			}
		}
	}
}

// FuzzEncoder: a text that is written as a string is read as the same text, however it is cut, with U+FFFD for what
// is no UTF-8.
func FuzzEncoder(f *testing.F) {
	f.Add([]byte("a\u00e9\U0001f600\xff\xc3\x00\x1f\"\\\n"), 3)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		whole := AppendString(nil, text)
		var got string
		if err := json.Unmarshal(whole, &got); err != nil ||
			got != strings.ToValidUTF8(string(bytesToRunes(text)), "\uFFFD") {
			t.Fatalf("%v: %q", err, whole)
		}
		var b bytes.Buffer
		e := NewEncoder(&b)
		at := max(0, cut)
		at = min(at, len(text))
		for _, part := range [][]byte{text[:at/2], text[at/2 : at], text[at:]} {
			if _, err := e.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Close(); err != nil || `"`+b.String()+`"` != string(whole) {
			t.Fatalf("%v: %q, not %q", err, b.String(), whole)
		}
	})
}

// bytesToRunes is text with U+FFFD for each byte that is no UTF-8.
func bytesToRunes(text []byte) []byte {
	var out []byte
	for _, r := range string(text) {
		out = utf8.AppendRune(out, r)
	}
	return out
}

// TestAllocations: a large value costs no more than a small one.
func TestAllocations(t *testing.T) {
	e := NewEditor(true)
	in := bufio.NewReaderSize(nil, 64<<10)
	line := []byte(`{"a":"` + strings.Repeat(`text \n`, 200_000) + `"}`)
	source := bytes.NewReader(line)
	run := func() {
		source.Reset(line)
		in.Reset(source)
		e.Reset(in, io.Discard)
		if err := walk(e, 1, same); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(5, run); n > 40 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkRewrite(b *testing.B) {
	e := NewEditor(true)
	in := bufio.NewReaderSize(nil, 64<<10)
	line := []byte(`"` + strings.Repeat(
		`2026-01-02 INFO service=api request=17 message=\"handled the request 17\"\n`, 100_000) + `"`)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		in.Reset(bytes.NewReader(line))
		e.Reset(in, io.Discard)
		if err := e.Rewrite(same); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCopy(b *testing.B) {
	e := NewEditor(true)
	in := bufio.NewReaderSize(nil, 64<<10)
	line := []byte(`"` + strings.Repeat(
		`2026-01-02 INFO service=api request=17 message=\"handled the request 17\"\n`, 100_000) + `"`)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		in.Reset(bytes.NewReader(line))
		e.Reset(in, io.Discard)
		if err := e.Copy(); err != nil {
			b.Fatal(err)
		}
	}
}
