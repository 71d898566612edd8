// Package testinput holds what tests of several packages read.
package testinput

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact"
)

// Pieces is a reader that gives its bytes in Pieces of the sizes given, over and over, and a pause before each.
type Pieces struct {
	Data  []byte
	Sizes []byte // in bytes, less 1
	Err   error  // at the end; io.EOF if nil

	n      int
	paused bool
}

// Read implements io.Reader. Every other call, the first one among them, is a pause: (0, nil).
func (p *Pieces) Read(b []byte) (int, error) {
	if p.paused = !p.paused; p.paused {
		return 0, nil
	}
	if len(p.Data) == 0 {
		if p.Err != nil {
			return 0, p.Err
		}
		return 0, io.EOF
	}
	size := len(p.Data)
	if len(p.Sizes) > 0 {
		size = int(p.Sizes[p.n%len(p.Sizes)]) + 1
		p.n++
	}
	n := copy(b, p.Data[:min(size, len(p.Data))])
	p.Data = p.Data[n:]
	return n, nil
}

// PlainRules returns rules that redact nothing.
func PlainRules(t testing.TB) *redact.Rules {
	rules, err := redact.Compile(redact.Options{Off: true})
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// Seeds are small responses of all formats, whole and broken, for fuzz targets.
var Seeds = []string{
	"", " \n ", "{}", "[]", "[ ]", "{\"a\":1}\n{\"b\":2}\n", `{"a":1}{"b":2}`, `[1,2,{"a":[]},"x"]`, "1 2 3",
	`"a" "b"`, "12",
	"{\n  \"a\": [1,\n 2],\n \"b\": null\n}\n[true, false]",
	"{\"a\":1}\n{\"b\":\n{\"c\":3}\n", "{\"a\":1,}\n{\"b\":2}\n", "[1,2,oops,\n3,4]\n",
	"{\"a\":\"x\ny\"}\n{\"b\":2}", `{"a":"\q"}`, `{"a":"\ud83d\ude00\u00e9"}`,
	"hello\nworld\n", "a\r\nb\r\n", "text\n{\"a\":1}\n{broken\n", "\n\nlines\n", "no newline",
	"nul\x00 and \x1b[31m\n", "half \xe2\x82 rune\n", "{\"a\":\"\xff\"}\n",
	"{\n  id: 0,\n  \"b\": [1]\n}\n{\"a\":\n{\"b\":2}\nx\n", "[1, NaN]\n[{\"a\":1},\n {'b': 2}]\n",
	"x\n{\n \"a\": 1\n}\n[\n {\"a\":1},\n oops\n]\n",
	"]", "}", ",", ":", "[", "{", `{"a":"\u12"}`, "\ufeff{\"a\":1}\n{}", "\ufeff hello\n", " \xef\xbb",
	"\xef\xbb{}", "\ufeff\ufeff[1]", `{"a"`, `{"a":`, `{"a":1`, `"abc`, `"abc\`, "tru", "-", "1.", "1e", "nullx", "01",
	strings.Repeat("[", 600) + strings.Repeat("]", 600), strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600),
	strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 12) + "\x86" + strings.Repeat("}", 588),
	strings.Repeat("[", 600) + "tru" + strings.Repeat("}", 88) + strings.Repeat("]", 512),
	`{"kind":"List","Items":[{"n":0,"tags":["a","b"]},{"n":1,"tags":[]}],"next":null,"a.b":{"c d":"` +
		strings.Repeat("long ", 40) + `"}}`,
	`{"log":"` + strings.Repeat(`caf\u00e9 \"\\ é`, 20) + `","` + strings.Repeat("k", 200) + `":[1,[2,[3,[` +
		strings.Repeat("4,", 60) + `4]]]]}`,
	strings.Repeat("x", 300) + "\n" + strings.Repeat("é", 100),
	Surrogates(),
	`{"id":1,"content":[{"type":"text","text":"` + strings.Repeat(`{\"a\":[\"\\\"\u00e9\",2]}\n`, 20) +
		`"}],"ok":true}`,
	`["[{\"kind\":\"` + strings.Repeat(`caf\u00e9 `, 40) + `\",\"n\":` + strings.Repeat("[", 9) +
		strings.Repeat("]", 9) + `}, {\"b\":2}]", 2]`,
	`{"log":"` + strings.Repeat(`line \ud83d\ude00 of \"it\"\r\n\n{\"a\":1}\n`, 12) + `last"}{"b":2}`,
	`{"log":"` + strings.Repeat(`[INFO] x\n`, 20) + `\ud83d`, `{"log":"` + strings.Repeat(`a\nb`, 40) + `\q"}` +
		"\n[1]", `{"log":"` + strings.Repeat(`a\nb`, 40) + "\x01\n{}",
	`"[1,2,3,` + strings.Repeat(`\"x\",`, 40) + `oops\n4]\nmore"`, `{"a":"` + strings.Repeat(`\n`, 100) + `"}`,
	`{"a":"{` + strings.Repeat(" ", 200) + `\"b\"` + strings.Repeat(" ", 200) + `:1}"}`,
	"# two\na: 1\nb:\n  c: [1, {d: e}]\n  f: |\n    x\n\n     y\n---\na: 2\nb:\n- g: 1.50\n  h: \"\\u00e9\"\n- g: ~\n  h: 'it''s'\n",
	"items:\n" + strings.Repeat("- name: &n a\n  tags: {x: *n}\n  long: >-\n    folded\n    text\n\n    more\n", 12) +
		"kind: List\nlast:\n  deep:\n    - - 1\n      - 2\n    -\n      k: v\n",
	"- a: 1\n  b:\n    c: 2\n# c\n- a: 2\n  b: [\n    x,\n  ]\n\n- oops: [\n- a: 3\n  b: \"" + strings.Repeat("y ", 90) + "\"\n",
	"a:\n  b: 1\n c: 2\n---\nd: *e\n---\n- !t {f: 1}\n- <<: {g: 1}\n  h: 2\r\n...\nprose goes on\n",
	"a: &a [x, x]\nb: &b [*a, *a, *a]\nc: &c [*b, *b, *b]\nd: [*c, *c, *c, *c]\ne:\n  <<: &m {k: v}\n  l: " +
		strings.Repeat("m", 99) + "\n  n: 1\n" + strings.Repeat("#", 200) + "\nf:\n" + strings.Repeat("  # c\n", 30) + "  g: 1\n",
}

// Surrogates returns strings of half and whole pairs with an escape after them, to be cut at any place.
func Surrogates() string {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, `"%s%s%s"`+"\n", strings.Repeat("x", i), strings.Repeat(`\ud83dabcde\"`, 30),
			strings.Repeat(`\ud83d\ud83d\ude00\ud83d`, 30))
	}
	return "[]" + b.String()
}
