package turn_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn"
)

// recorded returns the streams below folders beside the project, with the turns that are expected
// of them. The folders are not part of the project: without them the test is skipped.
func recorded(t testing.TB, pattern string) map[string]string {
	t.Helper()
	streams := make(map[string]string)
	ending := regexp.MustCompile(`\.(sse|ndjson|eventstream)$`)
	for _, beside := range []string{"../../shared/data", os.Getenv("KFW_SHARED_DATA")} {
		folders, err := filepath.Glob(filepath.Join(beside, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range folders {
			if err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
				if err != nil || !ending.MatchString(path) {
					return err
				}
				expected := ending.ReplaceAllString(path, ".expected.json")
				if _, err := os.Stat(expected); err == nil {
					streams[path] = expected
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		if len(streams) > 0 {
			return streams
		}
	}
	t.Skip("no " + pattern + " beside the project")
	return nil
}

// assembled is the turn of a stream, pushed in pieces of so many bytes, and all its events as JSON.
func assembled(t testing.TB, o turn.Options, stream []byte, piece int) (turn.Turn, string) {
	t.Helper()
	a := turn.New(o)
	var events strings.Builder
	var line []byte
	drain := func() {
		for {
			e, ok := a.Next()
			if !ok {
				return
			}
			line = append(e.AppendJSON(line[:0]), '\n')
			if !json.Valid(line) {
				t.Fatalf("an event is no JSON: %s", line)
			}
			events.Write(line)
			if len(o.Policies) > 0 {
				continue // which answer
			}
			if e.Kind == turn.InvalidCall {
				if err := a.Resolve(turn.Resolution{Action: turn.Fail}); err != nil {
					t.Fatal(err)
				}
			}
			if e.Kind == turn.AwaitVerdict {
				if err := a.Decide(turn.Verdict{Action: turn.Allow}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for len(stream) > 0 {
		n := min(piece, len(stream))
		lent := append([]byte(nil), stream[:n]...)
		if err := a.Push(lent); err != nil {
			t.Fatal(err)
		}
		clear(lent)
		stream = stream[n:]
		drain()
	}
	a.End()
	drain()
	return a.Close(), events.String()
}

// TestAdversarial holds turns to what is expected of streams that were changed in ways that change nothing, and of
// those that the rules decide.
func TestAdversarial(t *testing.T) {
	for path, expected := range recorded(t, "turn-adversarial") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			stream, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			wanted, err := os.ReadFile(expected)
			if err != nil {
				t.Fatal(err)
			}
			var want, got map[string]any
			if err := json.Unmarshal(wanted, &want); err != nil {
				t.Fatal(err)
			}
			result, events := assembled(t, turn.Options{}, stream, len(stream))
			if err := json.Unmarshal(result.AppendJSON(nil), &got); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"message_id", "model", "text", "finish_reason", "finish_class", "usage",
				"refusal", "malformed"} {
				if _, ok := want[name]; ok && !reflect.DeepEqual(want[name], got[name]) {
					t.Errorf("%s is %v, want %v", name, got[name], want[name])
				}
			}
			if spoken(want["reasoning"]) != spoken(got["reasoning"]) {
				t.Errorf("reasoning is %q, want %q", spoken(got["reasoning"]), spoken(want["reasoning"]))
			}
			if w, g := called(want["tool_calls"]), called(got["tool_calls"]); !reflect.DeepEqual(w, g) {
				t.Errorf("calls are %v, want %v", g, w)
			}
			_, broken := want["error"]
			if whole := !broken && want["incomplete"] == nil; result.Complete != whole {
				t.Errorf("complete is %t, want %t\n%s", result.Complete, whole, events)
			}
		})
	}
}

func spoken(reasoning any) (all string) {
	parts, _ := reasoning.([]any)
	for _, part := range parts {
		text, _ := part.(map[string]any)["text"].(string)
		all += text
	}
	return all
}

func called(calls any) (all []any) {
	list, _ := calls.([]any)
	for _, one := range list {
		c := one.(map[string]any)
		invalid, _ := c["invalid_json"].(bool)
		all = append(all, []any{c["name"], c["arguments"], invalid})
	}
	return all
}

// TestRecordedFramings: the chunks of a recorded stream are the same turn in whatever framing they
// come, and one by one.
func TestRecordedFramings(t *testing.T) {
	for path := range recorded(t, "turn*") {
		stream, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := assembled(t, turn.Options{}, stream, len(stream)+1)
		if want.Malformed > 0 || want.Error == "incomplete" {
			continue // what is broken is broken in its framing
		}
		var chunks []string
		r := wire.NewReader(64 << 20)
		r.Push(stream)
		r.End()
		named := false
		for item, ok := r.Next(); ok && !item.Done; item, ok = r.Next() {
			named = named || item.Event == "error" || r.Framing() == wire.BinaryFrames
			chunks = append(chunks, strings.NewReplacer("\n", " ", "\r", " ").Replace(item.JSON))
		}
		if named {
			continue // the name of an event says something that its chunk does not
		}
		for name, again := range map[string]string{
			"events": "data: " + strings.Join(chunks, "\n\ndata: ") + "\n\n",
			"CR":     "data: " + strings.Join(chunks, "\r\rdata: ") + "\r\r",
			"lines":  strings.Join(chunks, "\n") + "\n",
			"array":  "[" + strings.Join(chunks, ",\n") + "]",
		} {
			if got, _ := assembled(t, turn.Options{}, []byte(again), 1<<12); !reflect.DeepEqual(got, want) {
				t.Errorf("%s as %s: %s\nwant %s", filepath.Base(path), name, got.AppendJSON(nil), want.AppendJSON(nil))
			}
		}
		a := turn.New(turn.Options{})
		for _, chunk := range chunks {
			if err := a.PushChunk(json.RawMessage(chunk)); err != nil {
				t.Fatal(err)
			}
		}
		if got := a.Close(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s chunk by chunk: %s\nwant %s", filepath.Base(path), got.AppendJSON(nil), want.AppendJSON(nil))
		}
	}
}
