package turn_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/guard"
)

// asker is one of those that are asked about calls. It answers each pair of a name and arguments always in the same
// way, and remembers which pairs it does not let through.
type asker struct {
	seed    byte
	refused map[string]bool
}

func (a *asker) verdict(name, arguments string) (v turn.Verdict, answers bool) {
	n := a.seed
	own := fmt.Sprintf(`{"n":%d,"by":%d}`, a.seed>>6, a.seed)
	if arguments == own { // which it rewrote others to
		return turn.Verdict{Action: turn.Allow}, true
	}
	for _, c := range []byte(name + arguments) {
		n = n*31 + c
	}
	switch n % 8 {
	case 0, 1:
		return v, false
	case 2:
		v.Action = turn.Block
	case 3:
		v.Action = turn.Replace
		v.Text = "no"
	case 4:
		v.Action = turn.Fail
	case 5:
		v.Action = turn.Rewrite
		v.Arguments = own
	default:
		v.Action = turn.Allow
	}
	if v.Action == turn.Block || v.Action == turn.Replace || v.Action == turn.Fail {
		a.refused[name+arguments] = true
	}
	return v, true
}

func (a *asker) Chunk(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
	question, waits := now.Waiting()
	if !waits {
		return
	}
	if question.Kind == turn.InvalidCall {
		if a.seed&1 == 0 {
			a.refused[question.Call.Name] = true
			_ = to.Resolve(turn.Resolution{Action: []turn.Action{turn.Fail, turn.Skip, turn.Retry}[a.seed>>1%3]})
		} else if a.seed&2 == 0 {
			_ = to.Resolve(turn.Resolution{Action: turn.Repair, Name: "add"})
		}
		return
	}
	if v, answers := a.verdict(question.Call.Name, question.Call.Arguments); answers {
		_ = to.Decide(v)
	}
}

// askJudge answers as a judge's program would.
func (a *asker) askJudge(question []byte) ([]byte, error) {
	var k int
	if _, err := fmt.Sscanf(string(question), `{"k":%d`, &k); err != nil {
		return nil, err
	}
	name := between(question, `"name":"`, `"`)
	arguments := between(question, `"args":`, `,"valid"`)
	if a.seed == 0 {
		return nil, errors.New("no answer")
	}
	v, answers := a.verdict(name, arguments)
	if !answers {
		a.refused[name+arguments] = true
		return []byte("sure"), nil
	}
	extra := ""
	switch v.Action {
	case turn.Rewrite:
		extra = `,"args":` + v.Arguments
	case turn.Replace:
		extra = `,"text":"no"`
	}
	return fmt.Appendf(nil, `{"k":%d,"act":"%s"%s}`, k, v.Action, extra), nil
}

func between(text []byte, from, to string) string {
	_, rest, _ := strings.Cut(string(text), from)
	inner, _, _ := strings.Cut(rest, to)
	return inner
}

// FuzzStrictest: what a policy, a rule, a judge or the program does not let through never passes, whatever the others
// say and in whatever order they are asked.
func FuzzStrictest(f *testing.F) {
	for seed := range byte(40) {
		f.Add([]byte{seed, seed * 3, seed*7 + 1, seed * 5, seed, seed + 2, seed * 11})
	}
	f.Fuzz(func(t *testing.T, seeds []byte) {
		if len(seeds) < 7 || len(seeds) > 64 {
			return
		}
		refused := make(map[string]bool)
		rule, err := guard.ParseRule([]string{"remove", `add:n=~^[12]$`, `list:n=~3`}[seeds[0]%3])
		if err != nil {
			t.Fatal(err)
		}
		rules := guard.Rules{rule}
		policies := []turn.Policy{&asker{seed: seeds[1], refused: refused}, &asker{seed: seeds[2], refused: refused}}
		if seeds[3]&1 == 0 {
			policies = append(policies, &guard.Judge{Ask: (&asker{seed: seeds[3], refused: refused}).askJudge,
				Allowed: []string{"add", "list"}})
		}
		at := int(seeds[4]) % (len(policies) + 1)
		policies = append(policies[:at:at], append([]turn.Policy{rules}, policies[at:]...)...)
		if seeds[4]&1 == 0 {
			policies = append(policies, guard.Others{}, guard.Invalid{Action: turn.Repair, Allowed: []string{"add"}})
		}
		o := turn.Options{Policies: policies, Judge: seeds[5]&1 == 0, StreamArguments: seeds[5]&2 == 0}
		if seeds[5]&4 == 0 {
			o.Advertised = []string{"add", "list"}
		}
		program := &asker{seed: seeds[6], refused: make(map[string]bool)}
		a := turn.New(o)
		stream := ""
		for i, n := range seeds {
			name := []string{"add", "list", "remove", "ad"}[n%4]
			stream += chat(callDelta(fmt.Sprintf(`"index":%d,"id":"c%d","function":{"name":"%s","arguments":"{\"n\":%d}"}`,
				i, i, name, n>>2%4)))
		}
		if err := a.Push([]byte(stream + finish)); err != nil {
			t.Fatal(err)
		}
		var passed []turn.Call
		closed := false // what is asked then has its answer
		pull := func() {
			for e, ok := a.Next(); ok; e, ok = a.Next() {
				switch e.Kind {
				case turn.AwaitVerdict:
					if seeds[6]&1 != 0 || closed {
						continue
					}
					if v, answers := program.verdict(e.Call.Name, e.Call.Arguments); answers {
						if err := a.Decide(v); err != nil {
							t.Error(err)
						}
					}
				case turn.InvalidCall:
					if seeds[6]&2 == 0 {
						_ = a.Resolve(turn.Resolution{Action: turn.Repair, Name: "list"})
					}
				case turn.CallEnded:
					passed = append(passed, e.Call)
					if !closed && program.refused[e.Call.Name+e.Call.Arguments] {
						t.Errorf("%s(%s) was let through, which the program refused", e.Call.Name, e.Call.Arguments)
					}
				}
			}
		}
		pull()
		a.End()
		pull()
		closed = true
		result := a.Close()
		pull()
		for _, c := range append(passed, result.Calls...) {
			if refused[c.Name+c.Arguments] || c.RepairedFrom != "" && refused[c.RepairedFrom] || rules.Forbid(&c) {
				t.Errorf("%s(%s) was let through", c.Name, c.Arguments)
			}
		}
	})
}

// TestStrictest: of all answers about a call the strictest counts, whoever gives it and when.
func TestStrictest(t *testing.T) {
	strict := []turn.Action{turn.Allow, turn.Rewrite, turn.Replace, turn.Block, turn.Fail}
	for i, policy := range strict {
		for j, program := range strict {
			says := func(action turn.Action) turn.Verdict {
				return turn.Verdict{Action: action, Text: "no", Arguments: `{"new":1}`}
			}
			a := turn.New(turn.Options{Judge: true, Policies: []turn.Policy{policyFunc(
				func(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
					if _, waits := now.Waiting(); waits {
						if err := to.Decide(says(policy)); err != nil {
							t.Error(err)
						}
					}
				})}})
			if err := a.Push([]byte(words())); err != nil {
				t.Fatal(err)
			}
			var did turn.Action
			pull := func() {
				for e, ok := a.Next(); ok; e, ok = a.Next() {
					switch e.Kind {
					case turn.AwaitVerdict:
						if err := a.Decide(says(program)); err != nil {
							t.Error(err)
						}
					case turn.Judged:
						did = e.Verdict.Action
					}
				}
			}
			pull()
			a.Close()
			pull()
			if did != strict[max(i, j)] {
				t.Errorf("policy %s, program %s: %s", policy, program, did)
			}
		}
	}
}
