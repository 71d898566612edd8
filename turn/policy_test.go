package turn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
	"github.com/kfw-dev/kfw/turn/guard"
)

// policyFunc is a policy of one function.
type policyFunc func(chunk turn.Chunk, now turn.Snapshot, to *turn.Outlet)

func (f policyFunc) Chunk(chunk turn.Chunk, now turn.Snapshot, to *turn.Outlet) { f(chunk, now, to) }

// words is a stream of two texts and a call between them.
func words() string {
	return chat(`{"content":"One "}`, `{"content":"moment. "}`,
		callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":"}`),
		callDelta(`"index":0,"function":{"arguments":"1}"}`), `{"content":"Done."}`) + finish
}

// TestPolicy: what a policy does with a chunk is what is told and what the turn says.
func TestPolicy(t *testing.T) {
	has := func(text string) func(turn.Chunk) bool {
		return func(c turn.Chunk) bool { return strings.Contains(c.JSON, text) }
	}
	for name, test := range map[string]struct {
		policy          policyFunc
		text, calls     string
		complete        bool
		events, missing string // among what is told
	}{
		"nothing": {func(turn.Chunk, turn.Snapshot, *turn.Outlet) {}, "One moment. Done.", "x", true, `"d":"One "`,
			"held"},
		"forward": {func(_ turn.Chunk, _ turn.Snapshot, to *turn.Outlet) { to.Forward() }, "One moment. Done.", "x",
			true,
			`"d":"One "`, "held"},
		"hold one": {func(c turn.Chunk, _ turn.Snapshot, to *turn.Outlet) {
			if has("One")(c) {
				to.Hold()
			}
		}, "One moment. Done.", "x", true, "{\"e\":\"text\",\"d\":\"One \"}\n{\"e\":\"text\",\"d\":\"moment. \"}",
			"held"},
		"hold all": {func(_ turn.Chunk, _ turn.Snapshot, to *turn.Outlet) { to.Hold() }, "", "", false, `"code":"held"`,
			`"e":"text"`},
		"replace": {func(c turn.Chunk, _ turn.Snapshot, to *turn.Outlet) {
			if has("moment")(c) {
				to.Replace("second, ")
			}
		}, "One second, Done.", "x", true, `"d":"second, "`, "moment"},
		"drop": {func(c turn.Chunk, _ turn.Snapshot, to *turn.Outlet) {
			if has("moment")(c) {
				to.Replace("")
			}
		}, "One Done.", "x", true, `"d":"Done."`, "moment"},
		"hold and replace": {func(c turn.Chunk, _ turn.Snapshot, to *turn.Outlet) {
			switch {
			case has("One")(c):
				to.Hold()
			case has("moment")(c):
				to.Replace("Well. ")
			}
		}, "Well. Done.", "x", true, `"d":"Well. "`, "One"},
		"a call": {func(c turn.Chunk, _ turn.Snapshot, to *turn.Outlet) {
			if has("tool_calls\":[")(c) {
				to.Replace("No calls. ")
			}
		}, "One moment. No calls. No calls. Done.", "", true, "No calls.", `"e":"call`},
		"end": {func(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
			for _, o := range now.Objects() {
				if o.Kind == turn.CallObject {
					to.End("no_calls", "there are to be no calls")
				}
			}
		}, "One moment. ", "", false, `{"e":"error","code":"no_calls","message":"there are to be no calls"}`, "Done"},
		"end at the end": {func(c turn.Chunk, _ turn.Snapshot, to *turn.Outlet) {
			if c.Last {
				to.End("", "late")
			}
		}, "One moment. Done.", "x", false, `"code":"policy","message":"late"`, "held"},
		"an answer": {func(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
			if q, waits := now.Waiting(); waits {
				if err := to.Decide(turn.Verdict{Action: turn.Rewrite,
					Arguments: fmt.Sprintf(`{"k":%d}`, q.Block)}); err != nil {
					t.Error(err)
				}
			}
		}, "One moment. Done.", "x", true, `"args":{"k":2},"valid":true}`, "held"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, piece := range []int{7, 1 << 10} {
				got, events := assembled(t, turn.Options{Policies: []turn.Policy{test.policy}}, []byte(words()), piece)
				calls := ""
				for _, c := range got.Calls {
					calls += c.Name
				}
				if got.Text != test.text || calls != test.calls || got.Complete != test.complete {
					t.Errorf("the turn is %q, %q, %t\n%s", got.Text, calls, got.Complete, events)
				}
				shown, _, _ := strings.Cut(events, `{"e":"turn"`)
				if !strings.Contains(shown, test.events) || strings.Contains(shown, test.missing) {
					t.Errorf("the events are\n%s", events)
				}
				second, _ := assembled(t,
					turn.Options{Policies: []turn.Policy{policyFunc(func(turn.Chunk, turn.Snapshot,
						*turn.Outlet) {
					}), test.policy}}, []byte(words()), piece)
				if second.Text != got.Text || second.Complete != got.Complete {
					t.Errorf("after another policy the turn is %q", second.Text)
				}
			}
		})
	}
}

// TestReplacedCall: a call that a policy takes back with the chunk that has all of it is not let through, whatever is
// answered later.
func TestReplacedCall(t *testing.T) {
	stream := `{"model":"m","message":{"tool_calls":[{"function":{"name":"x","arguments":{}}}]},"done":true}`
	for _, answers := range []bool{false, true} {
		replaced := false
		once := policyFunc(func(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
			if _, waits := now.Waiting(); waits && answers {
				if err := to.Decide(turn.Verdict{Action: turn.Allow}); err != nil {
					t.Error(err)
				}
			}
			if !replaced {
				replaced = true
				to.Replace("No calls.")
			}
		})
		got, events := assembled(t, turn.Options{Policies: []turn.Policy{once}}, []byte(stream), 1<<10)
		if got.Text != "No calls." || got.Blocked != 1 || len(got.Calls) > 0 || strings.Contains(events, `"e":"call`) {
			t.Errorf("answered %t: %s", answers, events)
		}
	}
}

// TestDeniedArguments: nothing of the arguments of a denied tool is told before it is blocked, those
// of others are.
func TestDeniedArguments(t *testing.T) {
	o := turn.Options{Judge: true, StreamArguments: true, Policies: []turn.Policy{denies("x"), guard.Others{}}}
	stream := chat(callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":"{\"secret\":"}`),
		callDelta(`"index":0,"function":{"arguments":"1}"}`),
		callDelta(`"index":1,"id":"b","function":{"name":"y","arguments":"{\"open\":1}"}`)) + finish
	got, events := assembled(t, o, []byte(stream), 64)
	if !got.Complete || got.Blocked != 1 || len(got.Calls) != 1 || strings.Contains(events, `{"e":"args","k":1,`) ||
		!strings.Contains(events, `{"e":"args","k":2,`) {
		t.Error(events)
	}
}

// denies is a policy that denies a tool.
type denies string

func (d denies) Deny(name string) bool { return name == string(d) }

func (d denies) Chunk(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
	if question, waits := now.Waiting(); waits && d.Deny(question.Call.Name) {
		if err := to.Decide(turn.Verdict{Action: turn.Block}); err != nil {
			to.End("policy", err.Error())
		}
	}
}

// TestPolicySecret: what a policy takes back of a text is in no event and not in the turn, wherever
// a redactor held it.
func TestPolicySecret(t *testing.T) {
	for _, cut := range []string{"moment", "Done"} {
		o := redacting(t)
		o.Policies = []turn.Policy{policyFunc(func(c turn.Chunk, _ turn.Snapshot, to *turn.Outlet) {
			if strings.Contains(c.JSON, cut) {
				to.End("", "no")
			}
		})}
		got, events := assembled(t, o, []byte(words()), 64)
		if strings.Contains(events, cut) || strings.Contains(got.Text, cut) || got.Complete {
			t.Errorf("%s: %s", cut, events)
		}
	}
}

// TestSnapshot: at every moment a snapshot has each object that came so far, and says whether it is
// complete.
func TestSnapshot(t *testing.T) {
	var seen []string
	a := turn.New(turn.Options{Policies: []turn.Policy{policyFunc(func(c turn.Chunk, now turn.Snapshot,
		_ *turn.Outlet) {
		if c.Last {
			return
		}
		state := ""
		for _, o := range now.Objects() {
			state += fmt.Sprintf("%s %d %q %t; ", o.Kind, o.Block, o.Text(), o.Complete)
		}
		seen = append(seen, state)
	})}})
	if err := a.Push([]byte(words())); err != nil {
		t.Fatal(err)
	}
	a.Close()
	for _, want := range []string{`text 1 "One " false; `, `text 1 "One moment. " false; call 2 "{\"n\":" false; `,
		`text 1 "One moment. Done." true; call 2 "{\"n\":1}" true; `} {
		found := false
		for _, state := range seen {
			found = found || state == want
		}
		if !found {
			t.Errorf("no %s in %q", want, seen)
		}
	}
}

// TestPartialTurn: a call that is not allowed comes with the turn so far, and goes back to the
// provider with what there is of its arguments.
func TestPartialTurn(t *testing.T) {
	a := turn.New(turn.Options{Advertised: []string{"x"}})
	if err := a.PushChunk([]byte(
		`{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"Hm.","tool_calls":[{"index":0,"id":"a",` +
			`"function":{"name":"x","arguments":"{\"n\":"}},{"index":1,"id":"b","function":{"name":"y",` +
			`"arguments":"{\"m\""}}]}}]}`)); err != nil {
		t.Fatal(err)
	}
	var messages []turn.Message
	for e, ok := a.Next(); ok; e, ok = a.Next() {
		if e.Kind == turn.InvalidCall {
			partial := e.Now().Turn()
			if partial.Text != "Hm." || len(partial.Calls) != 2 || partial.Calls[1].Name != "y" ||
				partial.Calls[0].Arguments != `{"n":` || !partial.Calls[0].Incomplete {
				t.Errorf("the turn so far is %+v", partial)
			}
			if err := a.Resolve(turn.Resolution{Action: turn.Retry}); err != nil {
				t.Fatal(err)
			}
		}
		if e.Kind == turn.RolledBack {
			messages = e.Messages
		}
	}
	for p, want := range map[turn.Protocol]string{
		turn.OpenAIChat: `[{"role":"assistant","content":"Hm.","tool_calls":[{"id":"a","type":"function",` +
			`"function":{"name":"x","arguments":"{\"partial_arguments\":\"{\\\"n\\\":\"}"}},` +
			`{"id":"b","type":"function","function":{"name":"y","arguments":"{\"partial_arguments\":\"{\\\"m\\\"\"}"}}]},` +
			`{"role":"tool","tool_call_id":"a","content":"` + turn.PeerFeedback +
			`"},{"role":"tool","tool_call_id":"b",` +
			`"content":"Tool not executed: there is no tool of that name. Call one of these: x."}]`,
		turn.AnthropicMessages: `[{"role":"assistant","content":[{"type":"text","text":"Hm."},{"type":"tool_use",` +
			`"id":"a","name":"x","input":{"partial_arguments":"{\"n\":"}},`,
		turn.OpenAIResponses: `{"type":"function_call","call_id":"b","name":"y","arguments":"{\"partial_arguments\":\"{\\\"m\\\"\"}"},` +
			`{"type":"function_call_output","call_id":"a","output":"`,
		turn.Gemini:          `{"functionResponse":{"id":"b","name":"y","response":{"error":"`,
		turn.BedrockConverse: `{"toolResult":{"toolUseId":"b","content":[{"text":"`,
		turn.CohereV2:        `{"role":"tool","tool_call_id":"b","content":"`,
		turn.Ollama:          `{"role":"tool","tool_name":"y","content":"`,
	} {
		if got := string(encode.AppendMessages(nil, p, messages...)); !strings.Contains(got, want) {
			t.Errorf("%s: %s", p, got)
		}
	}
}
