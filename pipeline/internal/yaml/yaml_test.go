package yaml

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	goyaml "github.com/goccy/go-yaml"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

const testLimit = 1 << 16

// convert returns the JSON of a document.
func convert(t testing.TB, text string) (value any, err *Error) {
	var c Converter
	data, err := c.JSON([]byte(text), Document, testLimit)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%q is %q: %v", text, data, err)
	}
	return value, nil
}

// TestValues: what YAML stands for, by its scalars, collections and properties.
func TestValues(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb: -2.50\nc: 1e3":                            `{"a":1,"b":-2.50,"c":1e3}`,
		"a: 007\nb: 0x1F\nc: .5\nd: 1.10.0\ne: +1":          `{"a":"007","b":"0x1F","c":".5","d":"1.10.0","e":"+1"}`,
		"a: ~\nb: null\nc:\nd: yes\ne: True\nf: 'no'":       `{"a":null,"b":null,"c":null,"d":"yes","e":true,"f":"no"}`,
		"a: 2026-01-02T03:04:05Z\nb: 12:30\nc: .inf":        `{"a":"2026-01-02T03:04:05Z","b":"12:30","c":".inf"}`,
		"1: a\ntrue: b\n~: c":                               `{"1":"a","true":"b","~":"c"}`,
		"a: x # c\nb: x#c\nc: 'x # c'":                      `{"a":"x","b":"x#c","c":"x # c"}`,
		"a:\n- 1\n- b: 2\n  c: 3\nd:\n  - - 4\n    - 5":     `{"a":[1,{"b":2,"c":3}],"d":[[4,5]]}`,
		"a: http://x/y:z\nb: a b\n  c\n\n  d":               `{"a":"http://x/y:z","b":"a b c\nd"}`,
		"a: \"x\\n\\u00e9\\x41\\\n  y\"\nb: 'it''s\n\n  z'": "{\"a\":\"x\\néAy\",\"b\":\"it's\\nz\"}",
		"a: |\n  x\n   y\n\n  z\nb: >\n  x\n  y\n\n  z\n   w\n  v\nc: |-\n  x\nd: |+\n  x\n\ne: 1": `{"a":"x\n y\n\nz\n",` +
			`"b":"x y\nz\n w\nv\n","c":"x","d":"x\n\n","e":1}`,
		"a: {b: 1, \"c\":2, d, e: [x, y: z, ], f: }":          `{"a":{"b":1,"c":2,"d":null,"e":["x",{"y":"z"}],"f":null}}`,
		"a: [\n  x, # c\n  y z\n   w\n]":                      `{"a":["x","y z w"]}`,
		"a: !!str 1\nb: !Ref x\nc: !!binary |\n  eHg=\nd: !t": `{"a":"1","b":"x","c":"eHg=\n","d":null}`,
		"a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\nf:\n  b: 3\n  <<: [*x]": `{"a":{"b":1},"c":{"b":1},"d":{"e":2,"b":1},` +
			`"f":{"b":3}}`,
		"a: [REDACTED:email]\nb: [[REDACTED:email], x[REDACTED:url:2]y]\nc: [REDACTED:a] and\n[REDACTED:k]: 1": `{"a":` +
			`"[REDACTED:email]","b":["[REDACTED:email]","x[REDACTED:url:2]y"],"c":"[REDACTED:a] and","[REDACTED:k]":1}`,
		"a: 1\na: 2":           `{"a":1,"a":2}`,
		"- a\n-\n- \n- b: 1\n": `["a",null,null,{"b":1}]`,
		"a:\r\n  b: |\r\n    x\r\n    y\r\nc: 1\r\n": `{"a":{"b":"x\ny\n"},"c":1}`,
	} {
		var c Converter
		if got, err := c.JSON([]byte(text), Document, testLimit); err != nil || string(got) != want {
			t.Errorf("%q:\n got %s %v\nwant %s", text, got, err, want)
		}
	}
}

// TestEscapes: each escape in double quotes stands for the character that YAML 1.2.2 (5.7) gives it.
func TestEscapes(t *testing.T) {
	escapes := map[string]rune{"0": 0, "a": '\a', "b": '\b', "t": '\t', "\t": '\t', "n": '\n', "v": '\v',
		"f": '\f', "r": '\r', "e": '\x1b', " ": ' ', `"`: '"', "/": '/', `\`: '\\', "N": '\u0085',
		"_": '\u00a0', "L": '\u2028', "P": '\u2029'}
	for r := range rune(0x180) {
		escapes[fmt.Sprintf("u%04x", r)], escapes[fmt.Sprintf("U%08X", r)] = r, r
		if r <= 0xff {
			escapes[fmt.Sprintf("x%02X", r)] = r
		}
	}
	for _, r := range []rune{0x2028, 0xd7ff, 0xe000, 0xfffd, 0x1f600, 0x10ffff} {
		escapes[fmt.Sprintf("U%08x", r)] = r
	}
	for escape, r := range escapes {
		value, err := convert(t, `a: "x\`+escape+`y"`)
		if want := map[string]any{"a": "x" + string(r) + "y"}; err != nil || !reflect.DeepEqual(value, want) {
			t.Errorf("%q is %v, %v; want %v", escape, value, err, want)
		}
	}
	for _, escape := range []string{"q", "x4", "xg0", "u004", "U0000004", "U00110000", "ud800", "uDFFF",
		"U0000D800", "1"} {
		if value, err := convert(t, `a: "x\`+escape+`"`); err == nil {
			t.Errorf("%q is %v", escape, value)
		}
	}
}

// TestRefused: what is no YAML, or none that is read, is an error, and so is what aliases make too
// large.
func TestRefused(t *testing.T) {
	for _, text := range []string{
		"", "# c", "text", "a: b: c", "a: b\n  c: d", "a: 1\n- b", "a: 1\n  - b", "- a\nb: 1", " a: 1\nb: 2",
		"a:\n\tb: 1",
		"a: [1", "a: [1}", "a: {b: 1", "a: \"x", "a: 'x\nb: 1", "a: \"\\q\"", "a: *x", "? a\n: b", "a: &x *x",
		"a: @b", "a: `b`",
		"a: %b", "a: |x\n  y", "a: - b", "a: \"b\" c", "a: [b] c", "a: x\x01", "a:\n    b: 1\n  c: 2", "--- a",
		"[a, b]: c",
		"a: &x [*x]", strings.Repeat("[", 1000),
		"a: &a [x,x,x,x,x,x,x,x]\n" + laughs(9),
		"a:\n" + strings.Repeat("- ", 600) + "x",
	} {
		if value, err := convert(t, text); err == nil {
			t.Errorf("%q is %v", text, value)
		}
	}
}

// laughs doubles an anchor again and again.
func laughs(n int) string {
	var b strings.Builder
	for i := range n {
		alias := fmt.Sprintf("*%c,", 'a'+i)
		fmt.Fprintf(&b, "%c: &%c [%s]\n", 'b'+i, 'b'+i, strings.Repeat(alias, 8))
	}
	return b.String()
}

// TestParts: a member and an element are their values, and say of what key.
func TestParts(t *testing.T) {
	var c Converter
	for _, p := range []struct {
		text string
		part Part
		want string
	}{
		{"  a: 1", Member, "1"}, {"  a:\n  - x\n  - y", Member, `["x","y"]`}, {"a:\n      b: *z", Member, `{"b":"*z"}`},
		{"  - a: 1\n    b: 2", Element, `{"a":1,"b":2}`}, {"- x", Element, `"x"`}, {"-", Element, "null"},
	} {
		got, err := c.JSON([]byte(p.text), p.part, testLimit)
		if err != nil || string(got) != p.want || p.part == Member && string(c.Key()) != `"a"` {
			t.Errorf("%q: %s of %s, %v", p.text, got, c.Key(), err)
		}
	}
	for _, text := range []string{"a: 1\nb: 2", "- a\n- b"} {
		for _, part := range []Part{Member, Element} {
			if got, err := c.JSON([]byte(text), part, testLimit); err == nil {
				t.Errorf("%q: %s", text, got)
			}
		}
	}
}

// FuzzJSON: whatever is read as YAML is written as JSON.
func FuzzJSON(f *testing.F) {
	f.Add("a: 1\nb:\n- c: |\n    x\n  d: [e, {f: 'g'}]\n")
	f.Add("a: &x \"y\\u00e9\"\nb: *x\nc: >-\n  z\n\n  w\n")
	f.Add("- a b\n  c\n- !!str 1\n-\n  - <<: {a: 1}\n    b: # c\n")
	f.Fuzz(func(t *testing.T, text string) {
		var c Converter
		for part := range Element + 1 {
			if value, err := c.JSON([]byte(text), part, testLimit); err == nil && !json.Valid([]byte(strings.ToValidUTF8(
				string(value), "?"))) {
				t.Errorf("%q is %s", text, value)
			}
		}
	})
}

// TestAsTheLibrary: documents as tools write them are what the library of the settings reads in
// them.
func TestAsTheLibrary(t *testing.T) {
	for seed := range testdepth.Cases(3000) {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		want := randomValue(r, 0)
		text, err := goyaml.MarshalWithOptions(want, options(r)...)
		if err != nil {
			t.Fatal(err)
		}
		var library any
		if err := goyaml.Unmarshal(text, &library); err != nil {
			continue
		}
		got, failed := convert(t, string(text))
		if failed != nil {
			t.Fatalf("seed %d: %v at %d:\n%s", seed, failed, failed.Offset, text)
		}
		if a, b := canonical(t, got), canonical(t, library); a != b {
			t.Fatalf("seed %d:\n%s\n got %s\nwant %s", seed, text, a, b)
		}
	}
}

func options(r *rand.Rand) []goyaml.EncodeOption {
	return []goyaml.EncodeOption{goyaml.IndentSequence(r.IntN(2) == 0), goyaml.Indent(2 + r.IntN(3)),
		goyaml.UseLiteralStyleIfMultiline(r.IntN(2) == 0), goyaml.UseSingleQuote(r.IntN(2) == 0)}
}

func canonical(t *testing.T, value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var again any
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	data, err = json.Marshal(again)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// randomValue returns a mapping or, further in, any value.
func randomValue(r *rand.Rand, depth int) any {
	words := []string{"a", "name", "web-1", "x: y", "# no", "it's", "say \"hi\"", "line\nbreak\n", "  in",
		"true", "12", "1.5",
		"null", "~", "", "é", "-", "- x", "[x]", "{y}", "*z", "&w", "!v", "%u", "@t", "http://h:80/p?q#f", "2026-01-02",
		"0x1F", "007", "one two three four", "trail ", "a:b", ":c", "d:", "\\n", "multi\n\nline\n  text"}
	word := func() string { return words[r.IntN(len(words))] }
	kind := r.IntN(8)
	if depth == 0 {
		kind = 0
	}
	switch {
	case kind < 2 && depth < 4:
		m := goyaml.MapSlice{}
		seen := map[string]bool{}
		for range 1 + r.IntN(4) {
			key := word()
			if key = strings.TrimSpace(strings.ReplaceAll(key, "\n", "")); key != "" && !seen[key] {
				seen[key] = true
				m = append(m, goyaml.MapItem{Key: key, Value: randomValue(r, depth+1)})
			}
		}
		if len(m) == 0 {
			return goyaml.MapSlice{{Key: "k", Value: 1}}
		}
		return m
	case kind == 2 && depth < 4:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = randomValue(r, depth+1)
		}
		return list
	case kind == 3:
		return r.IntN(1000) - 500
	case kind == 4:
		return []any{true, false, nil, 1.5, -0.25}[r.IntN(5)]
	}
	return word()
}

func BenchmarkJSON(b *testing.B) {
	var text strings.Builder
	text.WriteString("apiVersion: v1\nitems:\n")
	for i := range 120 {
		fmt.Fprintf(&text, "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web-%d\n    labels:\n      app: web\n"+
			"      tier: front\n  spec:\n    containers:\n    - name: a\n      image: \"nginx:1.%d\"\n      ports:\n"+
			"      - containerPort: 80\n", i, i)
	}
	src := []byte(text.String())
	var c Converter
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.JSON(src, Document, testLimit); err != nil {
			b.Fatal(err)
		}
	}
}

// TestWhereItIsWrong: an error is where the text has a mark.
func TestWhereItIsWrong(t *testing.T) {
	for marked, reason := range map[string]string{
		"a:\n  ‸\tb: 1": "a tab in the indentation",
		"- a\n‸b: 1":    "",
		"a: [1‸}":       "",
	} {
		_, err := convert(t, strings.Replace(marked, "‸", "", 1))
		if err == nil || err.Offset != strings.Index(marked, "‸") || reason != "" && err.Reason != reason {
			t.Errorf("%q: %+v", marked, err)
		}
	}
}
