package redact

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
)

// A value that is kept and broken takes no record after it along.
func TestAllowFieldsOfBroken(t *testing.T) {
	rules := compile(t, Options{Groups: All, AllowFields: []string{"keep", "b.c"}})
	const after = "\n{\"keep\":1,\"other\":\"leak\"}\n{\"keep\":2,\"other\":\"leak\"}\n"
	const withheld, rest = "[REDACTED:not_a_record]", "\n{\"keep\":2}\n"
	for _, c := range []struct{ in, want string }{
		{`{"keep":[1,2`, "{\"keep\":[1,2\n" + withheld + rest},
		{`{"keep":{"a":{}`, "{\"keep\":{\"a\":{}\n" + withheld + rest},
		{`{"keep":{"a":1,`, "{\"keep\":{\"a\":1,\n" + withheld + rest},
		{`{"keep":{`, "{\"keep\":{\n" + withheld + rest},
		{`{"keep":{"a"`, "{\"keep\":{\"a\"\n" + withheld + rest},
		{`{"keep":nul`, "{\"keep\":nul\n" + withheld + rest},
		{`{"drop":[1,2`, "{" + withheld + rest},
		{`{"b":{"c":[1`, "{\"b\":{\"c\":[1\n" + withheld + rest},
		{`{"b":{"d":"x"`, "{\"b\":{\n" + withheld + rest},
		{`{"keep":["a`, "{\"keep\":[\"a\n{\"keep\":1}" + rest},
		{`{"keep":[1,,2]}`, `{"keep":[1,` + withheld + "\n{\"keep\":1}" + rest},
		{`{"keep":[1 2]}`, `{"keep":[1 ` + withheld + "\n{\"keep\":1}" + rest},
		{`{"keep":[1"2"]}`, `{"keep":[1` + withheld + "\n{\"keep\":1}" + rest},
		{`{"keep":["a":1]}`, `{"keep":["a"` + withheld + "\n{\"keep\":1}" + rest},
		{`{"keep":{"a",1}}`, `{"keep":{"a"` + withheld + "\n{\"keep\":1}" + rest},
		{`{"keep":{"a"::1}}`, `{"keep":{"a":` + withheld + "\n{\"keep\":1}" + rest},
		{`{"keep":[1},"other":"leak"]}`, `{"keep":[1` + withheld + "\n{\"keep\":1}" + rest},
		{`{"keep":{"a":1],"other":"leak"}`, `{"keep":{"a":1` + withheld + "\n{\"keep\":1}" + rest},
		{`{"keep":[x=1]}`, `{"keep":[x` + withheld + "\n{\"keep\":1}" + rest},
		{`{"keep":` + strings.Repeat("[", lex.MaxDepth+1), `{"keep":` + strings.Repeat("[", lex.MaxDepth) +
			withheld + "\n{\"keep\":1}" + rest},
	} {
		if got := string(redacted(t, rules, Auto, []byte(c.in+after))); got != c.want {
			t.Errorf("%.80s\ngives\n%.200s\nnot\n%.200s", c.in, got, c.want)
		}
	}
}

// record makes an object whose values tell their own path: no name is there only
// once, and any value may be an object, an array of some, or neither.
func record(rnd *rand.Rand, path string, depth int) string {
	names := []string{"a", "b", "c", `\u0061`, `\u0062`, "ab"}
	var b strings.Builder
	b.WriteByte('{')
	for i := range rnd.IntN(5) {
		if i > 0 {
			b.WriteByte(',')
		}
		name := names[rnd.IntN(len(names))]
		plain := strings.NewReplacer(`\u0061`, "a", `\u0062`, "b").Replace(name)
		fmt.Fprintf(&b, `"%s":%s`, name, member(rnd, path+plain+".", depth))
	}
	b.WriteByte('}')
	return b.String()
}

func member(rnd *rand.Rand, path string, depth int) string {
	switch n := rnd.IntN(4); {
	case depth > 0 && n == 0:
		return record(rnd, path, depth-1)
	case depth > 0 && n == 1:
		return "[" + member(rnd, path, depth-1) + " ,\n" + member(rnd, path, depth-1) + "]"
	}
	return `"<` + path + `>"`
}

var valuePath = regexp.MustCompile(`<([a-c.]+)>`)

// Whatever stands twice or in an opened parent, what is kept is what is asked for.
func TestAllowFieldsOfAny(t *testing.T) {
	for _, paths := range [][]string{{"a"}, {"a.b"}, {"a", "a.b"}, {"a.b", "a"}, {"a.a", "b.c", "c"},
		{"a.b.c", "a.c"}} {
		rules := compile(t, Options{AllowFields: paths, Groups: Secrets})
		isAllowed := func(path string) bool {
			for _, p := range paths {
				if strings.HasPrefix(path, p+".") {
					return true
				}
			}
			return false
		}
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 300 {
			in := []byte(record(rnd, "", 4) + "\n[" + record(rnd, "", 4) + "," + record(rnd, "", 3) + "]")
			out := redacted(t, rules, Auto, in)
			var want [][]byte
			for _, m := range valuePath.FindAllSubmatch(in, -1) {
				if isAllowed(string(m[1])) {
					want = append(want, m[0])
				}
			}
			if got := valuePath.FindAll(out, -1); !bytes.Equal(bytes.Join(got, nil), bytes.Join(want, nil)) ||
				!isJSON(out) {
				t.Fatalf("%v of\n%s\ngives\n%s", paths, in, out)
			}
		}
	}
}

// Cut anywhere, a record shows nothing of the records after it. Only after a
// bracket, comma or colon the next may be what is missing, and no more than one.
func TestAllowFieldsOfCut(t *testing.T) {
	rules := compile(t, Options{Groups: All, AllowFields: []string{"a", "b.c"}})
	const first = `{"x":[1,{"y":"z"}],"a":{"p":[1,"q{",{"r":null}],"s":-1.5e3},"b":[{"c":["d"],"e":true}],"z":{"a":[2]}}`
	for cut := range len(first) {
		in := first[:cut] + "\n" + `{"a":1,"other":"leak2"}` + "\n" + `{"a":1,"other":"leak3"}` + "\n" +
			`{"a":1,"b":{"other":"leak4","c":"last"}}` + "\n"
		got := redacted(t, rules, Auto, []byte(in))
		mayGoOn := cut > 0 && strings.IndexByte("[,:", first[cut-1]) >= 0
		if leaks := bytes.Count(got, []byte("leak")); leaks > 1 || leaks == 1 &&
			(!mayGoOn || !bytes.Contains(got, []byte("leak2"))) {
			t.Errorf("%s\ngives\n%s", in, got)
		}
		if !bytes.HasSuffix(got, []byte("\n{\"a\":1,\"b\":{\"c\":\"last\"}}\n")) {
			t.Errorf("%s\ndoes not go on:\n%s", in, got)
		}
	}
}
