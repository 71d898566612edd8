package turn_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/turn"
)

// chat is a stream of chunks that say these deltas.
func chat(deltas ...string) string {
	var b strings.Builder
	for _, delta := range deltas {
		b.WriteString(`data: {"id":"c1","model":"m","choices":[{"index":0,"delta":` + delta + `}]}` + "\n\n")
	}
	return b.String()
}

const finish = `data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n"

func callDelta(members string) string { return `{"tool_calls":[{` + members + `}]}` }

// TestIdentity: which call a piece belongs to.
func TestIdentity(t *testing.T) {
	open := func(index, id, name string) string {
		return callDelta(`"index":` + index + `,"id":"` + id + `","function":{"name":"` + name + `","arguments":""}`)
	}
	more := func(members, arguments string) string {
		return callDelta(members + `"function":{"arguments":"` + arguments + `"}`)
	}
	for _, test := range []struct {
		name   string
		deltas []string
		want   string
	}{
		{"by index", []string{open("0", "a", "x"), open("1", "b", "y"), more(`"index":0,`, "1"),
			more(`"index":1,`, "2")}, "x(1)a y(2)b"},
		{"an index is a label", []string{open("7", "a", "x"), more(`"index":7,`, "1")}, "x(1)a"},
		{"an occupied index", []string{open("0", "a", "x"), more(`"index":0,`, "1"), open("0", "b", "y"),
			more(`"index":0,`, "2")}, "x(1)a y(2)b"},
		{"a known id beats the index", []string{open("0", "a", "x"), more(`"index":1,"id":"a",`, "1")}, "x(1)a"},
		{"another id without a name", []string{open("0", "a", "x"), more(`"index":0,"id":"b",`, "1")}, "x(1)a"},
		{"no index", []string{callDelta(`"id":"a","function":{"name":"x"}`),
			callDelta(`"id":"b","function":{"name":"y"}`), more(`"id":"a",`, "1"), more(``, "2")}, "x(12)a y({})b"},
		{"null is absent", []string{open("0", "a", "x"),
			callDelta(`"index":0,"id":null,"function":{"name":null,"arguments":"1"}`)}, "x(1)a"},
		{"one id twice", []string{open("0", "a", "x"), open("1", "a", "y"), more(`"index":1,`, "1")}, "x({})a y(1)a"},
		{"the head at another's index", []string{open("0", "a", "x"), more(`"index":0,`, "1"), open("0", "b", "y"),
			more(`"index":1,`, "2"), more(`"index":1,`, "3")}, "x(1)a y(23)b"},
		{"an id that is null in words", []string{callDelta(`"id":"a","function":{"name":"x"}`),
			callDelta(`"id":"null","function":{"name":"","arguments":"1"}`)}, "x(1)a"},
		{"another id in each piece, and no index", []string{callDelta(`"id":"a","function":{"name":"x"}`),
			more(`"id":"b",`, "1"), more(`"id":"c",`, "2")}, "x(12)a"},
		{"two at once, with neither", []string{`{"tool_calls":[{"function":{"name":"x","arguments":"1"}},` +
			`{"function":{"name":"x","arguments":"2"}}]}`}, "x(1)call_1 x(2)call_2"},
		{"an empty object first", []string{callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":{}}`),
			more(`"index":0,`, "1")}, "x(1)a"},
		{"an empty object alone", []string{callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":{}}`)},
			"x({})a"},
		{"the form before there were several",
			[]string{`{"function_call":{"name":"x","arguments":"1"}}`, `{"function_call":{"arguments":"2"}}`},
			"x(12)call_1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, events := assembled(t, turn.Options{}, []byte(chat(test.deltas...)+finish), 64)
			var all []string
			for _, c := range got.Calls {
				all = append(all, c.Name+"("+c.Arguments+")"+c.ID)
			}
			if said := strings.Join(all, " "); said != test.want || !got.Complete {
				t.Errorf("the calls are %s, want %s\n%s", said, test.want, events)
			}
		})
	}
}

// TestUnjudged: no call is let through that was not judged, however the stream ends.
func TestUnjudged(t *testing.T) {
	stream := chat(`{"content":"a"}`, callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":"{}"}`))
	for cut := range len(stream) {
		got, events := assembled(t, turn.Options{Judge: true}, []byte(stream[:cut]), 1<<10)
		if got.Complete || len(got.Calls) > 0 || strings.Contains(events, `"e":"call_end"`) {
			t.Fatalf("cut at %d: %s", cut, events)
		}
	}
}

// TestCustomTools: a call of a custom tool is held to the list of tools and judged like others, and
// no call becomes one after its name was known.
func TestCustomTools(t *testing.T) {
	custom := callDelta(`"index":0,"id":"a","type":"custom","custom":{"name":"shell","input":"ls"}`)
	plain := callDelta(`"index":0,"id":"a","type":"function","function":{"name":"shell","arguments":"{}"}`)
	late := callDelta(`"index":0,"custom":{}`)
	for _, test := range []struct {
		name   string
		o      turn.Options
		stream string
		calls  int
		whole  bool
	}{
		{"advertised", turn.Options{Advertised: []string{"shell"}}, chat(custom) + finish, 1, true},
		{"not advertised", turn.Options{Advertised: []string{"ls"}}, chat(custom) + finish, 0, false},
		{"judged", turn.Options{Judge: true}, chat(custom) + finish, 1, true},
		{"becomes one", turn.Options{}, chat(plain, late) + finish, 0, false},
		{"becomes one in the end", turn.Options{Judge: true}, chat(plain) + finish + chat(late) + finish, 0, false},
	} {
		got, events := assembled(t, test.o, []byte(test.stream), 64)
		if got.Complete != test.whole || strings.Count(events, `"e":"call_end"`) != test.calls || test.calls > 0 &&
			!got.Calls[0].Custom {
			t.Errorf("%s: %s", test.name, events)
		}
	}
}

// TestSpliced: another message after the end of the first one is not of the turn. Where the protocol has no end of its
// own, it shows itself by its id, and the turn is refused.
func TestSpliced(t *testing.T) {
	another := strings.NewReplacer(`"c1"`, `"c2"`, `"m1"`, `"m2"`, `"r1"`, `"r2"`, `"g1"`, `"g2"`, `"v1"`, `"v2"`)
	for protocol, stream := range samples() {
		stream = strings.ReplaceAll(stream, "data: [DONE]\n\n", "")
		if protocol == turn.AnthropicMessages {
			stream += "\r\n\r\n"
		}
		endless := protocol == turn.OpenAIChat || protocol == turn.Gemini
		got, events := assembled(t, turn.Options{}, []byte(stream+another.Replace(stream)), 1<<10)
		if got.Complete == endless || strings.Count(events, `"e":"call_end"`) > 1 && !endless {
			t.Errorf("%s: %s", protocol, events)
		}
	}
}

// TestEnd: the turn comes with the end that the protocol has, while the connection is still open. What it cost may
// follow, and is told once more; nothing else is.
func TestEnd(t *testing.T) {
	for protocol, stream := range samples() {
		if protocol == turn.Gemini {
			continue // it has none
		}
		a := turn.New(turn.Options{})
		next := func(bytes string) (kinds string) {
			if err := a.Push([]byte(bytes)); err != nil {
				t.Fatal(err)
			}
			for e, ok := a.Next(); ok; e, ok = a.Next() {
				kinds += string(e.Kind) + " "
			}
			return kinds
		}
		if said := next(stream + "\r\n\r\n"); !strings.HasSuffix(said, "turn ") || !a.Finished() || a.Stopped() {
			t.Errorf("%s: %s", protocol, said)
		}
		if protocol == turn.OpenAIChat {
			if said := next(chat(`{"content":"more"}`) + `data: {"choices":[],"usage":{"late":1}}` +
				"\n\n"); said != "usage " {
				t.Errorf("what comes after the end is told as %s", said)
			}
		}
	}
}

// TestAfterFinish: what follows a finish reason of the same message is of the turn, with one
// warning, and the last reason counts.
func TestAfterFinish(t *testing.T) {
	stop := strings.Replace(finish, "tool_calls", "stop", 1)
	first := callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":"{}"}`)
	second := callDelta(`"index":1,"id":"b","function":{"name":"y","arguments":"{\"n\":1}"}`)
	for name, stream := range map[string]string{
		"chat": chat(`{"content":"One "}`, first) + stop + chat(`{"content":"moment"}`, second) + finish,
		"gemini": `{"responseId":"g","candidates":[{"content":{"parts":[{"text":"One "},{"functionCall":{"name":"x","args":{}}}]},"finishReason":"STOP"}]}
{"responseId":"g","candidates":[{"content":{"parts":[{"text":"moment"},{"functionCall":{"name":"y","args":{"n":1}}}]},"finishReason":"STOP"}]}
{"responseId":"g","candidates":[{"content":{"parts":[]},"finishReason":"MAX_TOKENS"}]}
`,
	} {
		got, events := assembled(t, turn.Options{}, []byte(stream), 64)
		if !got.Complete || got.Text != "One moment" || len(got.Calls) != 2 || got.Calls[1].Arguments != `{"n":1}` {
			t.Errorf("%s: %s", name, events)
		}
		if n := strings.Count(events, `"code":"after_finish"`); n != 1 {
			t.Errorf("%s: %d warnings: %s", name, n, events)
		}
		if want := map[string]string{"chat": "tool_calls", "gemini": "MAX_TOKENS"}[name]; got.FinishReason != want {
			t.Errorf("%s: the reason is %s", name, got.FinishReason)
		}
	}
}

// TestDriverErrors: what whoever drives an Assembler does wrong is an error of the call, and changes nothing.
func TestDriverErrors(t *testing.T) {
	a := turn.New(turn.Options{Advertised: []string{"x"}, Judge: true})
	want := func(err, wanted error) {
		t.Helper()
		if !errors.Is(err, wanted) {
			t.Errorf("the error is %v, want %v", err, wanted)
		}
	}
	pull := func() {
		for {
			if _, ok := a.Next(); !ok {
				return
			}
		}
	}
	want(a.Resolve(turn.Resolution{Action: turn.Fail}), turn.ErrNotAwaited)
	want(a.Push([]byte(chat(callDelta(`"index":0,"id":"a","function":{"name":"y","arguments":"{}"}`))+finish)), nil)
	pull()
	want(a.Push([]byte("data: more\n\n")), turn.ErrAwaiting)
	want(a.Decide(turn.Verdict{Action: turn.Allow}), turn.ErrNotAwaited)
	want(a.Resolve(turn.Resolution{Action: turn.Repair, Name: "z"}), turn.ErrNotAllowed)
	want(a.Resolve(turn.Resolution{Action: turn.Allow}), turn.ErrNotAwaited)
	want(a.Resolve(turn.Resolution{Action: turn.Repair, Name: "x"}), nil)
	a.End()
	pull()
	want(a.Resolve(turn.Resolution{Action: turn.Fail}), turn.ErrNotAwaited)
	want(a.Decide(turn.Verdict{Action: turn.Skip}), turn.ErrNotAwaited)
	want(a.Decide(turn.Verdict{Action: turn.Rewrite, Arguments: "{"}), turn.ErrNotJSON)
	want(a.Decide(turn.Verdict{Action: turn.Allow}), nil)
	got := a.Close()
	want(a.Push([]byte("data: more\n\n")), turn.ErrClosed)
	if !got.Complete || len(got.Calls) != 1 || got.Calls[0].Name != "x" || got.Calls[0].RepairedFrom != "y" {
		t.Errorf("%+v", got)
	}
}

// TestRestated: where a provider says the whole of a block again, that is what was meant.
func TestRestated(t *testing.T) {
	stream := `{"type":"response.created","response":{"id":"r1","model":"m","output":[]}}
{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"One "}
{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"One moment"}
{"type":"response.completed","response":{"id":"r2","model":"m","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Two moments"}]}]}}
`
	got, events := assembled(t, turn.Options{}, []byte(stream), 64)
	if got.Text != "Two moments" || got.ID != "r2" || !got.Complete {
		t.Errorf("%q, %s\n%s", got.Text, got.ID, events)
	}
}

// TestChoices: the first answer is the turn, the others are listed, and their calls are held to the same list.
func TestChoices(t *testing.T) {
	stream := `{"id":"c1","model":"m","choices":[{"index":0,"delta":{"content":"one"}},{"index":1,"delta":{"content":"two"}}]}
{"id":"c1","model":"m","choices":[{"index":1,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"1"}}]},"finish_reason":"tool_calls"}]}
{"id":"c1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
`
	got, events := assembled(t, turn.Options{Advertised: []string{"x"}}, []byte(stream), 64)
	if !got.Complete || got.Text != "one" || len(got.Calls) != 0 || got.Class != turn.Stop {
		t.Errorf("the turn is %+v\n%s", got, events)
	}
	if len(got.Others) != 1 || got.Others[0].Text != "two" || len(got.Others[0].Calls) != 1 ||
		got.Others[0].Class != turn.ToolCalls {
		t.Errorf("the others are %+v\n%s", got.Others, events)
	}
	if refused, _ := assembled(t, turn.Options{Advertised: []string{"y"}}, []byte(stream), 64); refused.Complete {
		t.Error("a call of another answer passed the list by")
	}
}

// TestDeep: arguments and chunks that are values in each other without end are no JSON, and end
// nothing.
func TestDeep(t *testing.T) {
	deep := strings.Repeat("[", 4<<20) + strings.Repeat("]", 4<<20)
	got, _ := assembled(t, turn.Options{},
		[]byte(chat(callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":"`+deep+`"}`))+finish), 1<<16)
	if !got.Complete || len(got.Calls) != 1 || got.Calls[0].Valid {
		t.Error("the arguments are taken for JSON")
	}
	got, _ = assembled(t, turn.Options{}, []byte(`{"deep":`+deep+"}\n"+chat(`{"content":"a"}`)+finish), 1<<16)
	if got.Malformed != 1 || got.Text != "a" {
		t.Errorf("%d lines are malformed, the text is %q", got.Malformed, got.Text)
	}
}
