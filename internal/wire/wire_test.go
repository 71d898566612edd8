package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/wire"
)

// read returns the items of a stream that comes in pieces, and their framing. Cut says how long the
// next piece is.
func read(stream []byte, maxLine int, cut func(left int) int) (items []wire.Item, framing wire.Framing) {
	r := wire.NewReader(maxLine)
	pull := func() {
		for next, ok := r.Next(); ok; next, ok = r.Next() {
			next.JSON, next.Event = strings.Clone(next.JSON), strings.Clone(next.Event)
			items = append(items, next)
		}
	}
	for len(stream) > 0 {
		n := cut(len(stream))
		piece := bytes.Clone(stream[:n])
		r.Push(piece)
		clear(piece) // which the reader must not keep
		stream = stream[n:]
		pull()
	}
	r.End()
	pull()
	return items, r.Framing()
}

func whole(left int) int { return left }

// framings are ways to write a list of JSON objects as a stream, with what Framing says of them.
func framings() map[string]func(objects []string) ([]byte, wire.Framing) {
	events := func(end, begin string, doneMark bool) func([]string) ([]byte, wire.Framing) {
		return func(objects []string) ([]byte, wire.Framing) {
			var b strings.Builder
			for i, object := range objects {
				if i%3 == 1 {
					b.WriteString(": keep alive" + end + end)
				}
				fmt.Fprintf(&b, "event: kind%d%sid: %d%s%s%s%s%s", i%2, end, i, end, begin, object, end, end)
			}
			if doneMark {
				b.WriteString(begin + wire.DoneMark + end + end)
			}
			return []byte(b.String()), wire.ServerSentEvents
		}
	}
	joined := func(before, between, after string, framing wire.Framing) func([]string) ([]byte, wire.Framing) {
		return func(objects []string) ([]byte, wire.Framing) {
			return []byte(before + strings.Join(objects, between) + after), framing
		}
	}
	return map[string]func([]string) ([]byte, wire.Framing){
		"events, LF":           events("\n", "data: ", true),
		"events, CR":           events("\r", "data: ", false),
		"events, CRLF":         events("\r\n", "data: ", true),
		"events without space": events("\n", "data:", true),
		"events, no last line": func(objects []string) ([]byte, wire.Framing) {
			b, framing := events("\n", "data: ", false)(objects)
			return bytes.TrimRight(b, "\n"), framing
		},
		"events with a BOM": func(objects []string) ([]byte, wire.Framing) {
			b, framing := events("\n", "data: ", true)(objects)
			return append([]byte("\ufeff"), b...), framing
		},
		"data over several lines": func(objects []string) ([]byte, wire.Framing) {
			var b strings.Builder
			for _, object := range objects {
				var indented bytes.Buffer
				if err := json.Indent(&indented, []byte(object), "", " "); err != nil {
					panic(err)
				}
				b.WriteString("data: " + strings.ReplaceAll(indented.String(), "\n", "\ndata: ") + "\n\n")
			}
			return []byte(b.String()), wire.ServerSentEvents
		},
		"lines":              joined("", "\n", "\n", wire.Lines),
		"lines, CRLF":        joined("", "\r\n", "\r\n", wire.Lines),
		"lines, no last end": joined("", "\n", "", wire.Lines),
		"lines with a BOM":   joined("\ufeff", "\n", "", wire.Lines),
		"blank lines":        joined("\n\n", "\n\n\n", "\n\n", wire.Lines),
		"values over several lines": func(objects []string) ([]byte, wire.Framing) {
			var b bytes.Buffer
			for _, object := range objects {
				if err := json.Indent(&b, []byte(object), "", "  "); err != nil {
					panic(err)
				}
				b.WriteByte('\n')
			}
			return b.Bytes(), wire.Lines
		},
		"array":                 joined("[", ",", "]", wire.JSONArray),
		"array over lines":      joined("[\n", "\n,\r\n", "\n]\n", wire.JSONArray),
		"array with a BOM":      joined("\ufeff [ ", " , ", " ] ", wire.JSONArray),
		"array that is cut off": joined("[", ",", "", wire.JSONArray),
		"frames": func(objects []string) ([]byte, wire.Framing) {
			var b []byte
			for i, object := range objects {
				b = wire.AppendFrame(b, fmt.Sprintf("kind%d", i%2), false, []byte(object))
			}
			return b, wire.BinaryFrames
		},
	}
}

// FuzzRoundTrip: objects that are framed in any way are read as they were, however the stream is
// cut.
func FuzzRoundTrip(f *testing.F) {
	f.Add("a", "b", "\u00e9 \U0001f600 \" \\", 3, 7)
	f.Add("data: {", "\n\n", "]}[{", 1, 1)
	f.Add("[DONE]", "\r", "\ufeff", 5, 64)
	f.Add("", "event: x", "}", 2, 13)
	ways := framings()
	f.Fuzz(func(t *testing.T, x, y, z string, count, piece int) {
		if count < 1 || count > 50 || piece < 1 || len(x)+len(y)+len(z) > 1<<12 {
			t.Skip()
		}
		var objects []string
		for i := range count {
			one, err := json.Marshal(map[string]any{"n": i, x: []any{y, map[string]any{z: x}, nil}, "t": y + z})
			if err != nil {
				t.Fatal(err)
			}
			objects = append(objects, string(one))
		}
		for name, way := range ways {
			stream, framing := way(objects)
			items, got := read(stream, 1<<20, func(left int) int { return min(piece, left) })
			if n := len(items); n > 0 && items[n-1].Done {
				items = items[:n-1]
			}
			if got != framing || len(items) != count {
				t.Fatalf("%s: %d items of %d, framing %s\n%q", name, len(items), count, got, stream)
			}
			for i, item := range items {
				var compact bytes.Buffer
				if err := json.Compact(&compact, []byte(item.JSON)); err != nil || compact.String() != objects[i] ||
					item.Fault != wire.NoFault {
					t.Fatalf("%s: item %d is %+v, want %s", name, i, item, objects[i])
				}
				if named := strings.HasPrefix(name, "events") || name == "frames"; named &&
					item.Event != fmt.Sprintf("kind%d", i%2) {
					t.Fatalf("%s: the event of item %d is %q", name, i, item.Event)
				}
			}
		}
	})
}

// FuzzCuts: the items of any bytes do not depend on how they are cut, and each that has no fault is
// an object.
func FuzzCuts(f *testing.F) {
	for _, way := range framings() {
		stream, _ := way([]string{`{"a":1}`, `{"b":[{"c":"\"}"}]}`, `{}`})
		f.Add(stream, uint64(0x9e3779b97f4a7c15), 1<<10)
		f.Add(stream[:len(stream)*2/3], uint64(3), 16)
		f.Add(append(bytes.Clone(stream), "\x00garbage\n{\n"...), uint64(77), 12)
	}
	f.Add([]byte("data: {\"a\":\ndata: 1}\ndata: x\n\n{\n \"a\": 1\n"), uint64(5), 20)
	f.Add([]byte("[7, {\"a\":1}, \"x\", [], {\"b\""), uint64(5), 20)
	f.Add(wire.AppendFrame(nil, "throttlingException", true, []byte(`{"message":"slow"}`)), uint64(9), 1<<10)
	f.Fuzz(func(t *testing.T, stream []byte, cuts uint64, maxLine int) {
		if maxLine < 1 || len(stream) > 1<<14 {
			t.Skip()
		}
		want, framing := read(stream, maxLine, whole)
		for _, item := range want {
			if item.Fault == wire.NoFault && !item.Done && (!json.Valid([]byte(item.JSON)) ||
				!strings.HasPrefix(strings.TrimLeft(item.JSON, " \t\r\n"), "{")) {
				t.Errorf("no object: %+v", item)
			}
		}
		random := cuts
		got, cut := read(stream, maxLine, func(left int) int {
			random = random*6364136223846793005 + 1442695040888963407
			return min(1+int(random>>60), left)
		})
		if cut != framing || !slices.Equal(got, want) {
			t.Errorf("%q\nin pieces %s %+v\nas a whole %s %+v", stream, cut, got, framing, want)
		}
	})
}

// TestFaults: what is wrong with a piece of a stream is said of that piece, and what follows is read
// if where it begins is known.
func TestFaults(t *testing.T) {
	frame := wire.AppendFrame(nil, "messageStart", false, []byte(`{"role":"assistant"}`))
	broken := bytes.Clone(frame)
	broken[len(broken)-6] ^= 1
	long := strings.Repeat("x", 100)
	for name, test := range map[string]struct {
		stream string
		want   string
	}{
		"a line that is no JSON": {"{\"a\":1}\nno\n{\"b\":1}\n", `{"a":1} malformed {"b":1}`},
		"an event that is no JSON": {"data: {\"a\":1}\n\ndata: no\n\ndata: {\"b\":1}\n\n",
			`{"a":1} malformed {"b":1}`},
		"no blank line between":      {"data: {\"a\":1}\ndata: {\"b\":1}\n\n", `{"a":1} {"b":1}`},
		"a value that is cut off":    {"{\n \"a\": 1,\n", "malformed"},
		"a value that is broken off": {"{\n \"a\": 1,\n{\"b\":1}\n", `malformed {"b":1}`},
		"a line that is too long":    {`{"a":"` + long + "\"}\n{\"b\":1}\n", `too long {"b":1}`},
		"an event that is too long":  {`data: {"a":"` + long + "\"}\n\ndata: {\"b\":1}\n\n", `too long {"b":1}`},
		"an element too long":        {`[{"a":"` + long + `"},{"b":1}]`, `too long {"b":1}`},
		"an element that is a text":  {`[{"a":1},"x",{"b":1}]`, `{"a":1} malformed {"b":1}`},
		"the end mark":               {"data: {\"a\":1}\n\ndata:  [DONE] \n\n", `{"a":1} done`},
		"the end mark as a line":     {"{\"a\":1}\n[DONE]\n", `{"a":1} done`},
		"two frames":                 {string(frame) + string(frame), `{"role":"assistant"} {"role":"assistant"}`},
		"a frame that is too long": {string(wire.AppendFrame(nil, "x", false,
			[]byte(`{"a":"`+long+`"}`))) + string(frame), `too long {"role":"assistant"}`},
		"a broken frame":          {string(frame) + string(broken) + string(frame), `{"role":"assistant"} corrupt`},
		"a frame that is cut off": {string(frame) + string(frame[:30]), `{"role":"assistant"} corrupt`},
		"an exception": {string(wire.AppendFrame(nil, "throttlingException", true, []byte(`{"message":"slow"}`))),
			`{"type":"throttlingException","message":"slow"}`},
	} {
		most := 90
		if strings.Contains(test.stream, ":event-type") || strings.Contains(test.stream, ":exception-type") {
			most = len(frame) + 40
		}
		for piece := 1; piece <= 3; piece++ {
			items, _ := read([]byte(test.stream), most, func(left int) int { return min(left, piece*piece) })
			var said []string
			for _, item := range items {
				switch {
				case item.Done:
					said = append(said, "done")
				case item.Fault == wire.NoFault:
					said = append(said, item.JSON)
				default:
					said = append(said, map[wire.Fault]string{wire.Malformed: "malformed", wire.TooLong: "too long",
						wire.Corrupt: "corrupt"}[item.Fault])
				}
			}
			if got := strings.Join(said, " "); got != test.want {
				t.Errorf("%s, in pieces of %d: %s, want %s", name, piece*piece, got, test.want)
			}
		}
	}
}

// TestLines: an item says the line that it ends at, or its number.
func TestLines(t *testing.T) {
	for stream, want := range map[string]int64{"\n\n{\"a\":1}\n": 3, ": c\r\n\r\ndata: {}\r\n\r\n": 4, "data: {}": 1,
		"[{},\n{}]": 2} {
		items, _ := read([]byte(stream), 1<<10, whole)
		if n := len(items); n == 0 || items[n-1].At != want {
			t.Errorf("%q: %+v, want %d", stream, items, want)
		}
	}
}

// TestPushItem: an object that is already cut out is an item as it is, and what is none is a fault.
func TestPushItem(t *testing.T) {
	r := wire.NewReader(20)
	for text, want := range map[string]wire.Item{`{"a":1}`: {JSON: `{"a":1}`}, ` {"a":1} `: {JSON: ` {"a":1} `},
		`[1]`: {JSON: "[1]", Fault: wire.Malformed}, "[DONE]": {JSON: "[DONE]", Done: true},
		`{"a":"` + strings.Repeat("x", 20) + `"}`: {Fault: wire.TooLong}} {
		b := []byte(text)
		r.PushItem(b)
		clear(b)
		got, ok := r.Next()
		want.At = got.At
		if !ok || got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// TestValid: what is valid is JSON, and no deeper than a checker has stack for.
func TestValid(t *testing.T) {
	nested := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	for text, want := range map[string]bool{`{}`: true, `"[[["`: true, nested(10_000): true, nested(10_001): false,
		nested(1 << 20): false, `"` + strings.Repeat("[", 20_000) + `"`: true,
		`{"a":1}x`: false, ``: false, "\ufeff{}": false, "\"\n\"": false} {
		if wire.Valid(text) != want {
			t.Errorf("%.30q is valid: %t", text, !want)
		}
	}
}
