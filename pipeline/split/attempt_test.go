package split

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/redact"
)

// kindsOf are chunks as a table writes them: values as they are, lines after a bar, and warnings
// after an exclamation mark.
func kindsOf(all []keptChunk) (got []string) {
	for _, c := range all {
		switch {
		case c.Seq == 0:
		case c.Kind == JSON:
			got = append(got, c.Source)
		case c.Kind == Text:
			got = append(got, "|"+c.Source)
		default:
			got = append(got, "+"+c.Source)
		}
		for _, w := range c.Warnings {
			got = append(got, "!"+w.String())
		}
	}
	return got
}

// linesOf are lines as kindsOf has them, if each is text.
func linesOf(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range lines {
		lines[i] = "|" + lines[i]
	}
	return lines
}

// TestWhatDoesNotParse: what begins as JSON and is none is lines as they stand, from its first byte,
// and a record that is broken costs itself.
func TestWhatDoesNotParse(t *testing.T) {
	const log = "{\n    id: 0,\n    tags: [ 'a' ],\n\n    \"b\": {\n      c: [Object]\n    }\n}\n"
	const reprs = "[{'a': None},\n {'a': [1,\n        2]}]\n"
	const list = "[\n  {\n    id: 0,\n    \"k\": 1\n  },\n  ... 40 more items\n]\n"
	for name, test := range map[string]struct {
		in   string
		want []string
	}{
		"objects of a console": {log + log + "done\n", linesOf(log + log + "done\n")},
		"a list of them":       {list + log, linesOf(list + log)},
		"a representation":     {"{'a': 1}\n{'a': None}\n", linesOf("{'a': 1}\n{'a': None}\n")},
		"a list of those":      {reprs, linesOf(reprs)},
		"a list in a line": {"[1, 2, None]\n[3, None]\n", []string{"|[1, 2, None]",
			"!line 1, column 8: broken JSON: a value must come here", "|[3, None]"}},
		"a number that is none": {"{\"a\": 1, \"b\": NaN}\n", []string{"|{\"a\": 1, \"b\": NaN}",
			"!line 1, column 15: broken JSON: a value must come here"}},
		"on lines": {"{\n  \"a\": [\n    1\n  ],\n  \"b\": -Infinity\n}\n", append([]string{"|{",
			"!line 5, column 9: broken JSON: a number ends too soon"},
			linesOf("  \"a\": [\n    1\n  ],\n  \"b\": -Infinity\n}\n")...)},
		"an element": {"[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": NaN,\n    \"b\": [\n      2\n    ]\n  },\n" +
			"  {\"a\":3}\n]\n",
			[]string{"{\n    \"a\": 1\n  }", "|{", "!line 6, column 10: broken JSON: a value must come here",
				"|    \"a\": NaN,", "|    \"b\": [", "|      2", "|    ]", "|  },", `{"a":3}`}},
		"an element of a line": {"[\n{\"a\":1},\n{\"a\":NaN},\n{\"a\":3}\n]\n{}\n", []string{`{"a":1}`, `|{"a":NaN},`,
			"!line 3, column 6: broken JSON: a value must come here", `{"a":3}`, "{}"}},
		"a record cut in a string": {"{\"a\":1}\n{\"a\":\"x\n{\"a\":3}\n", []string{`{"a":1}`, `|{"a":"x`,
			"!line 2, column 8: broken JSON: control character in a string", `{"a":3}`}},
		"a record cut after a colon": {"{\"a\":1}\n{\"a\":\n{\"a\":3}\n{\"a\":4}\n", []string{`{"a":1}`, `|{"a":`,
			"!line 4, column 1: broken JSON: a comma or the end must come here", `{"a":3}`, `{"a":4}`}},
		"a record cut after a comma": {"{\"a\":1}\n{\"a\":2,\n{\n \"a\":3\n}\n{\"a\":4}\n", []string{`{"a":1}`, `|{"a":2,`,
			"!line 3, column 1: broken JSON: an object key must come here", "{\n \"a\":3\n}", `{"a":4}`}},
		"the first record": {"{\"a\":\n{\"a\":1}\n7\n", []string{`|{"a":`,
			"!line 3, column 1: broken JSON: a comma or the end must come here", `{"a":1}`, "|7"}},
		"the last record": {"{\"a\":1}\n{\n  \"a\": 2,\n  \"b", []string{`{"a":1}`, "|{",
			"!line 4, column 5: broken JSON: the input ends within a value", `|  "a": 2,`, `|  "b`}},
		"records": {"{\"a\":1}\n{\"a\":}\n{\"a\":2}\n{\"a\":3}\n{\"a\":4}\n{\"a\":,}\nnext\n", []string{`{"a":1}`,
			`|{"a":}`, "!line 2, column 6: broken JSON: a value must come here", `{"a":2}`, `{"a":3}`, `{"a":4}`,
			`|{"a":,}`, "|next", "!line 7, column 1: broken JSON: a line of text",
			"!1 more value of broken JSON, shown as lines"}},
		"most of the records": {"{\"a\":1}\n{\"a\":}\n{\"a\":}\n{\"a\":}\n", []string{`{"a":1}`, `|{"a":}`,
			"!line 2, column 6: broken JSON: a value must come here", `|{"a":}`, `|{"a":}`}},
		"a list that ends in an element": {`[{"a":1},{"a":2},{"a`, []string{`{"a":1}`, `{"a":2}`, `|{"a`,
			"!line 1, column 21: broken JSON: the input ends within a value"}},
		"blank lines before it": {"\n  {id: 0}\n", linesOf("\n  {id: 0}\n")},
		"a mark before it":      {"\ufeff{id: 0}\n", []string{"|{id: 0}"}},
		"line ends of two":      {"{\r\n  id: 0\r\n}\r\n", []string{"|{", "|  id: 0", "|}"}},
		"values of a line": {"{\"a\":1} {\"a\":}\n{\"a\":3}\n", []string{`{"a":1}`, `|{"a":}`,
			"!line 1, column 14: broken JSON: a value must come here", `{"a":3}`}},
		"a code": {"int main()\n{\n    int x[] = {\n    1 };\n  [\n}\n[]\n[\n]\n{ }\n",
			append(linesOf("int main()\n{\n    int x[] = {\n    1 };\n  [\n}\n[]\n[\n]\n"), "{ }")},
	} {
		for _, sizes := range [][]byte{nil, {0}, {4, 30}} {
			got := kindsOf(chunksOf(t, []byte(test.in), sizes, redact.Auto, 1<<10, false))
			if !slices.Equal(got, test.want) {
				t.Errorf("%s, in pieces of %v:\n got %q\nwant %q", name, sizes, got, test.want)
			}
		}
	}
}

// TestValuesAfterLines: a value in a text that begins and ends with lines is read as one, over
// however many lines, if the format was not asked for.
func TestValuesAfterLines(t *testing.T) {
	const follows = "x\n{\n  \"a\": 1\n};\n{\n  \"a\": 1\n},\n{\"a\":1} x\n[{\"a\":1}].\n"
	for name, test := range map[string]struct {
		in   string
		want []string
	}{
		"an object":         {"got:\n{\n  \"a\": 1\n}\nbye\n", []string{"|got:", "{\n  \"a\": 1\n}", "|bye"}},
		"an array of lines": {"got:\n[\n  {\"a\": 1},\n  2\n]\n\nbye\n", []string{"|got:", `{"a": 1}`, "2", "|", "|bye"}},
		"an array in a line": {"HTTP/2 200 \r\nx-a: b\r\n\r\n[{\"a\":1},{\"a\":2}]", []string{"|HTTP/2 200 ",
			"|x-a: b", "|", `{"a":1}`, `{"a":2}`}},
		"indented":          {"got:\n  {\n    \"a\": 1\n  } \t\n  bye\n", []string{"|got:", "{\n    \"a\": 1\n  }", "|  bye"}},
		"one after another": {"x\n{\"a\":1}\n{\n\"a\":2}\r\n{\"a\":3}", []string{"|x", `{"a":1}`, "{\n\"a\":2}", `{"a":3}`}},
		"labels and braces": {"x\n[INFO] {\n{{ x }}\n[ 1, 2 ]\n{\n", linesOf("x\n[INFO] {\n{{ x }}\n[ 1, 2 ]\n{\n")},
		"what follows it":   {follows, linesOf(follows)},
		"what breaks": {"x\n{\n  \"a\": 1,\n  b: [\n    {}\n  ]\n}\n{\"a\":1}\n", append(
			linesOf("x\n{\n  \"a\": 1,\n  b: [\n    {}\n  ]\n}"), `{"a":1}`)},
		"what breaks after an element": {"x\n[\n  {\"a\": 1},\n  oops\n]\ny\n7\n", []string{"|x", `{"a": 1}`, "|oops",
			"!line 4, column 3: broken JSON: a value must come here", "|y", "|7"}},
		"what is cut": {"x\n{\n  \"a\": 1,\n  \"b\": [\n", append([]string{"|x", "|{",
			"!line 5, column 1: broken JSON: the input ends within a value"}, linesOf("  \"a\": 1,\n  \"b\": [\n")...)},
		"what is larger than a chunk": {"x\n{\n  \"a\": \"" + strings.Repeat("y", 900) + "\",\n  \"b\": [\n    " +
			strings.Repeat("1, ", 300) + "2\n  ]\n}\n7\n", []string{"|x", `"` + strings.Repeat("y", 900) + `"`,
			"[\n    " + strings.Repeat("1, ", 300) + "2\n  ]", "|7"}},
		"what is, and breaks": {"x\n{\n  \"a\": \"" + strings.Repeat("y", 1000) + "\",\n  \"b\": [\n    1, z\n  ]\n" +
			"{\"a\":1}\n{\"b\":2}\n7\n", []string{"|x", `"` + strings.Repeat("y", 1000) + `"`, "|[",
			"!line 5, column 8: broken JSON: a value must come here", "|    1, z", "|  ]", `{"a":1}`, `{"b":2}`, "|7"}},
	} {
		for _, sizes := range [][]byte{nil, {0}, {4, 30}} {
			got := kindsOf(chunksOf(t, []byte(test.in), sizes, redact.Auto, 1<<10, false))
			if !slices.Equal(got, test.want) {
				t.Errorf("%s, in pieces of %v:\n got %q\nwant %q", name, sizes, got, test.want)
			}
		}
		if strings.Contains(test.in, "\"\n") {
			continue
		}
		asked := chunksOf(t, []byte(test.in), nil, redact.Lines, 1<<10, false)
		if n := strings.Count(test.in, "\n"); len(asked) < n || len(asked) > n+1 {
			t.Errorf("%s: %d chunks of %d lines that were asked for", name, len(asked), n)
		}
	}
}

// somePieces are pieces of lines that begin, break and end values.
var somePieces = []string{"{", "}", "[", "]", "{\"a\":1}", "[{\"a\":1},", "\"b\":", "\"b\": [", "1,", "2", ",", "x: 1",
	"'c'", "{}", "[]", "[INFO] y",
	"\n", "\n", "\n", "\n\n", "\n  ", "\n  ", "\n    ", " ", "\r\n", "\t", "\"s\ud7ff\"", "NaN", "tru",
	"{\"d\":\"" + strings.Repeat("long ", 9) + "\"}", strings.Repeat(" ", 70), "\ufeff", "text", "\"open", "\\"}

// TestPiecesOfValues: whatever begins, breaks and ends where, the chunks are the input and do not
// depend on how it is cut into reads; nor do they for a reader who waits.
func TestPiecesOfValues(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	values, texts := 0, 0
	for range testdepth.Cases(1500) {
		var b strings.Builder
		for range 3 + random.IntN(30) {
			b.WriteString(somePieces[random.IntN(len(somePieces))])
		}
		in := b.String()
		for _, format := range []redact.Format{redact.Auto, redact.JSON} {
			max, oneAnswer := 16+random.IntN(200), random.IntN(8) == 0
			whole := chunksOf(t, []byte(in), nil, format, max, oneAnswer)
			for _, sizes := range [][]byte{{0}, {byte(random.IntN(9)), byte(random.IntN(40))}} {
				if got := chunksOf(t, []byte(in), sizes, format, max, oneAnswer); !reflect.DeepEqual(got, whole) {
					t.Fatalf("%q, chunks of %d, in pieces of %v:\n got %+v\nwant %+v", in, max, sizes, got, whole)
				}
			}
			for _, c := range whole {
				if c.Kind == JSON && c.Seq > 0 {
					values++
				} else {
					texts++
				}
			}
			waits := atOnceOf(t, in, nil, format, max)
			if got := atOnceOf(t, in, []byte{0, 11}, format, max); !slices.Equal(got, waits) {
				t.Fatalf("%q, chunks of %d, at once:\n got %q\nwant %q", in, max, got, waits)
			}
		}
	}
	if values < testdepth.Cases(1500) || texts < testdepth.Cases(6000) {
		t.Errorf("%d values, %d lines", values, texts)
	}
}

// atOnceOf returns the chunks of data for a reader who waits an hour at most.
func atOnceOf(t *testing.T, data string, sizes []byte, format redact.Format, max int) (got []string) {
	in := redact.NewReader(&testinput.Pieces{Data: []byte(data), Sizes: sizes}, testinput.PlainRules(t), format)
	whole := ""
	for c, err := range ChunksAtOnce(in, max, false, false, time.Hour) {
		if err != nil {
			t.Fatal(err)
		}
		whole += string(c.Lead) + string(c.Source)
		if c.Seq > 0 {
			got = append(got, fmt.Sprint(c.Kind, " ", string(c.Source)))
		}
	}
	if whole != data {
		t.Fatalf("at once %q is %q", data, whole)
	}
	return got
}

// TestPausesInAttempts: a value in a text that has not ended when nothing may be held any longer is
// lines, also those that come later; one that has ended is a value. A value that a response begins
// with is read, not held.
func TestPausesInAttempts(t *testing.T) {
	for name, test := range map[string]struct{ pieces, want []string }{
		"an open value":    {[]string{"x\n{\n", "  \"a\": 1\n}\n{\"b\":2}\n"}, []string{"|x", "|{", "|  \"a\": 1", "|}", `{"b":2}`}},
		"an ended value":   {[]string{"x\n{\n  \"a\": 1\n}", "\ny\n"}, []string{"|x", "{\n  \"a\": 1\n}", "|y"}},
		"within a line":    {[]string{"x\n{\"a\":", "1}\ny\n"}, []string{"|x", `{"a":1}`, "|y"}},
		"an open array":    {[]string{"x\n[\n", "  {\"a\":1}\n]\n"}, []string{"|x", "|[", "|  {\"a\":1}", "|]"}},
		"an array opened":  {[]string{"x\n[\n  {\"a\":1},\n", "  {\"a\":2}\n]\n"}, []string{"|x", `{"a":1}`, `{"a":2}`}},
		"nothing but JSON": {[]string{"{\n", "\"a\": 1\n}\n"}, []string{"{\n\"a\": 1\n}"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clean := redact.NewReader(&paused{pieces: test.pieces}, testinput.PlainRules(t), redact.Auto)
				var all []keptChunk
				whole := ""
				for c, err := range ChunksAtOnce(clean, 0, false, false, time.Second) {
					if err != nil {
						t.Fatal(err)
					}
					whole += string(c.Lead) + string(c.Source)
					all = append(all, keptChunk{Seq: c.Seq, Source: string(c.Source), Kind: c.Kind,
						Warnings: slices.Clone(c.Warnings)})
				}
				if got := kindsOf(all); !slices.Equal(got, test.want) || whole != strings.Join(test.pieces, "") {
					t.Errorf("got %q, not %q", got, test.want)
				}
			})
		})
	}
}

// TestAttemptsAreBounded: what breaks again and again is not read again and again.
func TestAttemptsAreBounded(t *testing.T) {
	lines := []string{"[\n", "{\"a\":\n", "[{\"a\":\n", "[" + strings.Repeat(" ", 100) + "\n"}
	var inputs []string
	for _, line := range lines {
		inputs = append(inputs, "x\n"+strings.Repeat(strings.Repeat(line, 250)+"1]]]x\n", 50), strings.Repeat(line, 9000))
	}
	inputs = append(inputs, strings.Repeat("[\n", 1<<20)) // it takes minutes if all of it is read again for each line
	for _, in := range inputs {
		c := &chunker{options: options{max: MaxChunkDefault}, input: input{
			buf:    make([]byte, MaxChunkDefault+maxLead+BlockSize),
			source: redact.NewReader(strings.NewReader(in), testinput.PlainRules(t), redact.Auto)}}
		size := 0
		c.yield = func(chunk Chunk, _ error) bool {
			size += len(chunk.Lead) + len(chunk.Source)
			return true
		}
		c.payload = newPayload(c)
		c.run()
		if most := int64(mostReadAgain*len(in) + 2*MaxChunkDefault); size != len(in) || c.attempt.read > most {
			t.Errorf("%.20q: %d bytes are read again, more than %d", in, c.attempt.read, most)
		}
	}
}

// TestPreamble: a value on several lines is a value after some lines, and lines in a document.
func TestPreamble(t *testing.T) {
	const value = "{\n  \"a\": 1\n}\n"
	for lines, want := range map[int]int{longestPreamble - 1: longestPreamble, longestPreamble: longestPreamble + 3} {
		all := chunksOf(t, []byte(strings.Repeat("words of a text\n", lines)+value), nil, redact.Auto, 1<<10, false)
		chunks := 0
		for _, c := range all {
			chunks = max(chunks, c.Seq)
		}
		if chunks != want {
			t.Errorf("%d lines and a value are %d chunks, want %d", lines, chunks, want)
		}
	}
}
