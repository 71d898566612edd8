package split

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/redact"
)

// TestByteOrderMark: the mark before a response is no part of its first chunk, in whatever pieces it comes.
func TestByteOrderMark(t *testing.T) {
	for in, first := range map[string]string{
		"\ufeffid,name\n1,a\n": "id,name", "\ufeff\n1\n": "", "\ufeff hello": " hello", "\ufeff\ufefftwo": "\ufefftwo",
		"\ufeff{\"a\":1}": `{"a":1}`, "x\n\ufeffy\n": "x", " \ufeffid\n": " \ufeffid",
	} {
		for _, sizes := range [][]byte{nil, {0}, {1}, {2, 0}} {
			if all := chunksOf(t, []byte(in), sizes, redact.Auto, 64, false); len(all) == 0 || all[0].Source != first {
				t.Errorf("%q, in pieces of %v: %v", in, sizes, all)
			}
		}
	}
	if all := chunksOf(t, []byte("\ufeff"), nil, redact.Auto, 64, false); len(all) > 0 {
		t.Errorf("a mark alone: %v", all)
	}
}

// FuzzChunks: however the input is cut into reads, the chunks are the same, and together they are the input.
func FuzzChunks(f *testing.F) {
	for i, seed := range testinput.Seeds {
		f.Add([]byte(seed), []byte{byte(i), 0, 7}, uint8(i%4), uint8(64))
		f.Add([]byte(seed), []byte{byte(i), 0, 7}, uint8(i%4+128), uint8(64))
	}
	f.Fuzz(func(t *testing.T, data, sizes []byte, format, max uint8) {
		limit, oneAnswer := int(max)+16, format >= 128
		whole := chunksOf(t, data, nil, redact.Format(format%4), limit, oneAnswer)
		for _, cut := range [][]byte{sizes, {0}} {
			if got := chunksOf(t, data, cut, redact.Format(format%4), limit, oneAnswer); !reflect.DeepEqual(got,
				whole) {
				t.Fatalf("cut %v:\n%+v\nwhole:\n%+v", cut, got, whole)
			}
		}
		var p Presenter
		restorer := NewRestorer(testinput.PlainRules(t))
		for _, c := range whole {
			chunk := c.Chunk()
			content := chunk.Content()
			if len(content) > limit {
				t.Errorf("chunk %d has %d bytes, more than %d", c.Seq, len(content), limit)
			}
			if c.Notation == InString && !bytes.Equal(AppendUnescaped(nil, chunk.Source), c.Inner) {
				t.Errorf("chunk %d is %q in a string, not %q", c.Seq, chunk.Source, c.Inner)
			}
			if restored := restorer.Chunk(chunk.Path, chunk.Source, chunk.StoredKind()); c.Kind < JSONPart &&
				!bytes.Equal(restored.Content(), content) {
				t.Errorf("chunk %d is %q, and as it is kept %q", c.Seq, content, restored.Content())
			}
			value, isText, _ := p.Present(chunk)
			if !utf8.Valid(value) || !isText && !json.Valid(value) {
				t.Errorf("chunk %d (kind %d) is shown as what it is not", c.Seq, c.Kind)
			}
			if isText && c.Kind == JSON && gjson.ValidBytes(content) {
				t.Errorf("chunk %d is JSON and shown as text", c.Seq)
			}
		}
	})
}

// TestChunksAreTheValues holds the chunks of valid JSON against encoding/json.
func TestChunksAreTheValues(t *testing.T) {
	for _, seed := range testinput.Seeds {
		decoder := json.NewDecoder(strings.NewReader(seed))
		var want []any
		for {
			var v any
			if err := decoder.Decode(&v); err == io.EOF {
				break
			} else if err != nil {
				want = nil
				break
			}
			if array, ok := v.([]any); ok {
				want = append(want, array...)
			} else {
				want = append(want, v)
			}
		}
		if want == nil {
			continue
		}
		got := []any{}
		for _, c := range chunksOf(t, []byte(seed), nil, redact.JSON, 1<<20, false) {
			var v any
			if err := json.Unmarshal([]byte(c.Source), &v); err != nil {
				t.Errorf("%.40q: chunk %d: %v", seed, c.Seq, err)
			}
			got = append(got, v)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%.40q:\n got %v\nwant %v", seed, got, want)
		}
	}
}

// An object on a line of a text is JSON, with blanks before it, too.
func TestObjectsInText(t *testing.T) {
	for line, want := range map[string]Kind{`{"a":1}`: JSON, " \t{\"a\":1}": JSON, "\t \t{\"a\":1} ": JSON,
		"x{}": Text, " \t": Text, "{": Text} {
		all := chunksOf(t, []byte("a text\n"+line+"\n"), nil, redact.Lines, 1<<10, false)
		if last := all[len(all)-1]; last.Kind != want || last.Source != line {
			t.Errorf("%q is %q of kind %d, want %d", line, last.Source, last.Kind, want)
		}
	}
}

// TestLinesAmongValues: a line that begins as a number, a literal or a list and is none is a line of text, as those
// of a log are among its objects; and values on one line are values.
func TestLinesAmongValues(t *testing.T) {
	for _, lines := range [][]string{
		{`{"a":1}`, "2026-01-02 12:30:01,5 INFO x", `{"b":2}`, "12:30 y", "-x", "true story", "nullx", "[INFO] z",
			"[ x ]", "Started",
			"[notice] z", "[fatal] z", "[true] z", "[2026-01-02 12:30] z", "[1/300] z", "[0.03s][info] z", "[x",
			`{"c":3}`},
		{"[1]", "10.0.0.1 - GET /", "1 2 3", "12", `true "x" {"c":3}`, "1 oops"},
	} {
		var want, got []string
		for _, line := range lines {
			switch {
			case line == "[1]":
				want = append(want, "0 1")
			case line == "1 2 3" || strings.HasPrefix(line, `true "x"`):
				for _, value := range strings.Fields(line) {
					want = append(want, "0 "+value)
				}
			case json.Valid([]byte(line)):
				want = append(want, "0 "+line)
			default:
				want = append(want, "1 "+line)
			}
		}
		for _, sizes := range [][]byte{nil, {0}, {4, 30}} {
			got = got[:0]
			for _, c := range chunksOf(t, []byte(strings.Join(lines, "\n")+"\n"), sizes, redact.JSON, 64, false) {
				if c.Seq > 0 {
					got = append(got, fmt.Sprint(int(c.Kind), " ", c.Source))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q, not %q", got, want)
			}
		}
	}
	start := strings.Repeat("1 ", 5000)
	for _, c := range chunksOf(t, []byte(start+"oops\n"), nil, redact.JSON, 1<<10, false) {
		if c.Kind == Text && c.Seq < 4000 {
			t.Errorf("%q is text", c.Source)
		}
	}
}

// TestOpened: a value of any size is the same, put together from its chunks and their paths.
func TestOpened(t *testing.T) {
	items := make([]any, 50)
	for i := range items {
		items[i] = map[string]any{"id": float64(i), "name": strings.Repeat("n", i),
			"deep": []any{map[string]any{"x.y": "z"}}}
	}
	want := map[string]any{"kind": "List", "Items": items, "empty": map[string]any{}, "none": []any{}}
	data, err := json.MarshalIndent(want, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	for _, max := range []int{64, 200, 1000, len(data)} {
		leaves := 0
		for _, c := range chunksOf(t, data, []byte{9}, redact.Auto, max, false) {
			if found := gjson.GetBytes(data, c.Path); c.Path != "" && found.Raw != c.Source {
				t.Errorf("max %d: %s is not chunk %d", max, c.Path, c.Seq)
			}
			leaves++
		}
		if max == len(data) && leaves != 1 || max < len(data) && leaves < 4 {
			t.Errorf("max %d: %d chunks", max, leaves)
		}
	}
}

// TestOneAnswer: an array and a text are one chunk, as long as they are not larger than one may be.
func TestOneAnswer(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"[1,2,{\"a\":[]}]\n", []string{`[1,2,{"a":[]}]`}},
		{"[]", []string{"[]"}},
		{"{\"a\":1}\n", []string{`{"a":1}`}},
		{"one\ntwo\n", []string{"one\ntwo"}},
		{"one\r\ntwo\r\n\r\n", []string{"one\r\ntwo\r\n"}},
		{"one\ntwo", []string{"one\ntwo"}},
		{"[1,2\noops\n[3]", []string{"[1,2\noops\n[3]"}},
		{"{}\n[1,2\noops\n[3]", []string{"{}", "[1,2", "oops", "[3]"}},
		{"[\"" + strings.Repeat("x", 40) + "\",{\"a\":\"" + strings.Repeat("y", 40) + "\"}]", []string{
			`"` + strings.Repeat("x", 40) + `"`, `{"a":"` + strings.Repeat("y", 40) + `"}`}},
		{strings.Repeat("x\n", 32), []string{strings.Repeat("x\n", 32)[:63]}},
		{strings.Repeat("x", 64) + "\n", []string{strings.Repeat("x", 64)}},
		{strings.Repeat("x\n", 64), []string{strings.Repeat("x\n", 32), strings.Repeat("x\n", 32)[:63]}},
	} {
		var got []string
		for _, chunk := range chunksOf(t, []byte(c.in), []byte{5}, redact.Auto, 64, true) {
			if chunk.Seq > 0 {
				got = append(got, chunk.Source)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%.40q:\n got %q\nwant %q", c.in, got, c.want)
		}
	}
}

// TestPayloads: what is in a large string is cut as it is by itself, however it is escaped, and stands at the path of
// the string.
func TestPayloads(t *testing.T) {
	const max = 64
	cutAlone := 0
	for _, seed := range testdepth.Some(testinput.Seeds) {
		seed += "\n" + seed + strings.Repeat("\nx", max)
		if !utf8.ValidString(seed) {
			continue
		}
		format, _ := payloadFormat([]byte(seed[:max]))
		var want []keptChunk
		alone := &chunker{options: options{max: max, isInner: true}, input: input{buf: make([]byte, BlockSize),
			source: redact.NewReader(strings.NewReader(seed), testinput.PlainRules(t), format)}}
		alone.yield = func(c Chunk, err error) bool {
			if c.Seq > 0 {
				want = append(want, keptChunk{c.Seq, string(c.Path), string(c.Source), c.Kind, nil, nil, Plain})
			}
			return true
		}
		alone.run()
		quoted, err := json.Marshal(seed)
		if err != nil {
			t.Fatal(err)
		}
		hard := `"`
		for _, r := range seed {
			if strings.ContainsRune("éx\n\"", r) {
				hard += fmt.Sprintf(`\u%04x`, r)
			} else {
				hard += strings.Trim(string(jsonx.AppendCanonicalString(nil, string(r))), `"`)
			}
		}
		pairs := ""
		for _, unit := range utf16.Encode([]rune(seed)) {
			pairs += fmt.Sprintf(`\u%04X`, unit)
		}
		for _, quoted := range []string{string(quoted), hard + `"`, `"` + pairs + `"`} {
			start := []byte(quoted[1:max])
			if f, ok := payloadFormat(AppendUnescaped(nil, start[:wholeEscapes(start)])); !ok || f != format {
				continue // its beginning is too short to tell
			}
			var got []keptChunk
			for _, c := range chunksOf(t, []byte(`{"id":7,"in":[{"text":`+quoted+`}]}`), []byte{3, 90, 7},
				redact.Auto, max, false) {
				if c.Inner != nil {
					got = append(got, c)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%.60q: %d chunks, not %d", seed, len(got), len(want))
				continue
			}
			cutAlone += len(got)
			for i := range got {
				path := strings.TrimSuffix("in.0.text."+want[i].Path, ".")
				if i > 0 && (want[i].Kind == Text || want[i].Kind == TextPart) {
					path = "" // it is told with the first line
				}
				// elements at the top have their index here
				inArray := want[i].Path == "" && strings.HasPrefix(got[i].Path, path+".")
				if string(got[i].Inner) != want[i].Source || got[i].Kind != want[i].Kind || got[i].Path != path &&
					!inArray {
					t.Errorf("%.60q: %q at %s of kind %d, not %q at %s of kind %d", seed,
						got[i].Inner, got[i].Path, got[i].Kind, want[i].Source, path, want[i].Kind)
				}
			}
		}
	}
	if cutAlone < testdepth.Cases(2000) {
		t.Errorf("%d chunks in strings", cutAlone)
	}
}

// TestWholeEscapes: what is cut off is not within an escape, nor between the halves of a pair.
func TestWholeEscapes(t *testing.T) {
	for text, want := range map[string]int{
		`ab\`: 2, `ab\u00e`: 2, `ab\u00e9`: 8, `\\`: 2, `\n\"`: 4,
		`a\ud83d`: 1, `a\ud83d\`: 1, `a\ud83d\u`: 1, `a\ud83d\ude0`: 1, `a\ud83d\ude00`: 13, `a\uD83D`: 1,
		`a\uD83D\uDE0`: 1, `a\uD83D\uDFFF`: 13,
		`a\ud83dx`: 8, `a\ud83d\n`: 9, `a\ud83d\u0041`: 13, `a\ud83d\ud83d`: 7, `a\ud83d\ud83d\udc00`: 19, `a\ude00`: 7,
	} {
		if got := wholeEscapes([]byte(text)); got != want {
			t.Errorf("%s: %d, not %d", text, got, want)
		}
	}
}

// TestPayloadsAreLeftAlone: a large string that is no payload comes in parts, and so does one in a payload.
func TestPayloadsAreLeftAlone(t *testing.T) {
	for _, in := range []string{
		`{"a":"` + strings.Repeat("x", 200) + `"}`,
		`{"a":"` + strings.Repeat("x", 200) + `\n"}`, // it tells too late
		`{"a":"[` + strings.Repeat("x", 200) + `"}`,
		`{"a":"{\"b\":\"` + strings.Repeat(`\\n`, 99) + `\"}"}`,
	} {
		parts := 0
		for _, c := range chunksOf(t, []byte(in), nil, redact.Auto, 64, false) {
			if c.Kind == JSONPart {
				parts++
			}
		}
		if parts < 3 {
			t.Errorf("%s: %d parts", in, parts)
		}
	}
	lines := `{"a":"` + strings.Repeat(`x\n`, 99) + `"}`
	for _, c := range chunksOf(t, []byte(lines), nil, redact.Auto, 64, true) {
		if c.Inner != nil {
			t.Errorf("one answer has %q", c.Source)
		}
	}
}

// TestPayloadsWarn: broken JSON in a string has a warning, without a line since that would be one of the string; so has
// what is lost of it. White space may stand before it.
func TestPayloadsWarn(t *testing.T) {
	broken, lost := 0, 0
	in := `{"a":"\n [{\"b\":\"\ud83d\xff` + strings.Repeat("x", 20) + `\"},` + strings.Repeat(`{\"b\":1},`, 20) +
		`oops\nmore"}` + "\n{}"
	in = strings.ReplaceAll(in, `\xff`, "\xff")
	all := chunksOf(t, []byte(in), nil, redact.Auto, 64, false)
	for _, c := range all {
		for _, w := range c.Warnings {
			switch {
			case w.What == InvalidShown:
				lost += w.Count
			case w.Line == 0 && strings.HasPrefix(w.What, "JSON in a string is broken"):
				broken++
			default:
				t.Errorf("%+v", w)
			}
		}
	}
	if broken != 1 || lost != 2 || all[0].Path != "a.0" || all[len(all)-1].Source != "{}" {
		t.Errorf("%d broken, %d lost, %+v", broken, lost, all)
	}
}

func TestBroken(t *testing.T) {
	for _, c := range []struct {
		in           string
		line, column int
		reason       string
	}{
		{"{\"a\":1}\n{\"a\":}\n", 2, 6, "a value must come here"},
		{"{\"a\" 1}", 1, 6, "a colon must come here"},
		{"[1 2]", 1, 4, "a comma or the end must come here"},
		{"{1:2}", 1, 2, "an object key must come here"},
		{"[1,\n\n  tru]", 3, 6, "not a value"},
		{"[\"a\nb\"]", 1, 4, "control character in a string"},
		{`["\x"]`, 1, 4, "unknown escape in a string"},
		{`["\u12g"]`, 1, 7, `a unicode escape needs four hexadecimal digits`},
		{"[1.]", 1, 4, "a number ends too soon"},
		{"[1", 1, 3, "the input ends within a value"},
		{`{"a":"b`, 1, 8, "the input ends within a value"},
	} {
		var broken *Broken
		for _, err := range Chunks(redact.NewReader(strings.NewReader(c.in), testinput.PlainRules(t), redact.JSON),
			0, true, false) {
			if err != nil && !errors.As(err, &broken) {
				t.Errorf("%q: %v", c.in, err)
			}
		}
		if want := (Broken{Line: c.line, Column: c.column, Reason: c.reason}); broken == nil || *broken != want {
			t.Errorf("%q: %v, want %v", c.in, broken, &want)
		}
	}
}

// TestChunksPassErrors: what the input ends with comes after the last chunk.
func TestChunksPassErrors(t *testing.T) {
	failed := errors.New("driver failed")
	in := redact.NewReader(&testinput.Pieces{Data: []byte("{\"a\":1}\n{\"b\""), Err: failed},
		testinput.PlainRules(t), redact.Auto)
	var got []string
	for c, err := range Chunks(in, 0, false, false) {
		switch {
		case err != nil:
			got = append(got, err.Error())
		case c.Seq > 0:
			got = append(got, string(c.Source))
		}
	}
	if want := []string{`{"a":1}`, `{"b"`, "driver failed"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestChunksAtOnce: a value is yielded when it is complete, before more is read.
func TestChunksAtOnce(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		defer w.Close()
		for i := range 3 {
			fmt.Fprintf(w, "{\"i\":%d}", i)
		}
	}()
	read := 0
	next, stop := iter.Pull2(Chunks(redact.NewReader(&countReads{r, &read}, testinput.PlainRules(t), redact.JSON),
		0, false, false))
	defer stop()
	for i := range 3 {
		c, err, ok := next()
		if !ok || err != nil || c.Seq != i+1 || read != i+1 {
			t.Fatalf("after %d reads: chunk %d, %v", read, c.Seq, err)
		}
	}
}

// TestChunksPause: whatever was read before, a read of nothing lets others look at the time.
func TestChunksPause(t *testing.T) {
	in := strings.Repeat(`{"a":1}`, 2*BlockSize/7+1)[:2*BlockSize/7*7]
	pauses := 0
	for c, err := range Chunks(redact.NewReader(io.MultiReader(strings.NewReader(in), &silent{times: 3}),
		testinput.PlainRules(t), redact.JSON), 1<<10, false, false) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Seq == 0 {
			pauses++
		}
	}
	if pauses < 3 {
		t.Errorf("%d pauses", pauses)
	}
}

// silent gives nothing a few times, and ends.
type silent struct{ times int }

func (s *silent) Read([]byte) (int, error) {
	if s.times--; s.times < 0 {
		return 0, io.EOF
	}
	return 0, nil
}

type countReads struct {
	io.Reader
	n *int
}

func (c *countReads) Read(p []byte) (int, error) {
	*c.n++
	return c.Reader.Read(p)
}

func BenchmarkChunks(b *testing.B) {
	record := []byte(`{"id":123456,"name":"user-17","status":"ok","amount":17.25,"tags":["a","b"],"note":"nothing to see in this row"}` + "\n")
	for _, bench := range []struct {
		name string
		data []byte
	}{
		{"ndjson", bytes.Repeat(record, 10_000)},
		{"array", append(append([]byte("["), bytes.Repeat(append(bytes.TrimSpace(record), ','), 10_000)...), "1]"...)},
		{"text", bytes.Repeat([]byte("2026-11-21T07:00:01 host app[7]: request 123 done in 7 ms\n"), 20_000)},
		{"string", append(append([]byte(`"`), bytes.Repeat([]byte("lorem ipsum dolor sit amet "), 40_000)...), '"')},
	} {
		b.Run(bench.name, func(b *testing.B) {
			rules := testinput.PlainRules(b)
			b.SetBytes(int64(len(bench.data)))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range Chunks(redact.NewReader(bytes.NewReader(bench.data), rules, redact.Auto), 0,
					false, false) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func FuzzUnescaped(f *testing.F) {
	for _, seed := range []string{"", "plain", `\n\t\"\\\/\b\f\r`, `\u00e9\ud83d\ude00`, `\ud83d`,
		`\ude00\ud83d\ude00`, `\ud83dx`, "\xff", `\u0041`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want string
		if json.Unmarshal([]byte(`"`+s+`"`), &want) != nil {
			return
		}
		if got := string(AppendUnescaped(nil, []byte(s))); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	})
}
