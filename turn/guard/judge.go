package guard

import (
	"encoding/json"
	"errors"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn"
)

// failuresMax is how many failures in a row a judge may have until it is not asked any more: it
// would only cost time.
const failuresMax = 3

// Why a call is blocked that a judge did not judge.
var (
	errNotUnderstood = errors.New("the judge gave no answer that can be understood")
	errNotAsked      = errors.New("the judge failed 3 times in a row and is not asked any more")
	errAmbiguous     = errors.New("a name stands twice in the arguments, " +
		"and a tool may read another one than the judge")
)

// Judge asks someone else about every call, a line of JSON for a question and one for its answer.
// It is a turn.Policy. What it gets no clear answer about is blocked, and so are arguments in which
// a name stands twice; a call that was not offered ends the turn then.
type Judge struct {
	// Ask returns the answer to a question about the block of that number. Whoever answers too
	// late, or without being asked, is an error.
	Ask func(question []byte) (answer []byte, err error)
	// Context has questions also say the text so far, and the calls before the one they are about.
	Context bool
	// Allowed are the names that calls may be repaired to. Rules are what arguments that the judge
	// rewrote, and names that it repaired to, must pass.
	Allowed []string
	Rules   Rules

	failures int // in a row
}

// Chunk asks the judge about the call that waits.
func (j *Judge) Chunk(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
	question, waits := now.Waiting()
	if !waits {
		return
	}
	if question.Kind == turn.AwaitVerdict && isAmbiguous(&question.Call) {
		decide(to, turn.Verdict{Action: turn.Block, Why: errAmbiguous.Error(), FailSafe: true})
		return
	}
	said, err := j.ask(&question, now)
	switch {
	case question.Kind == turn.AwaitVerdict && err != nil:
		decide(to, turn.Verdict{Action: turn.Block, Why: err.Error(), FailSafe: true})
	case question.Kind == turn.AwaitVerdict:
		decide(to, j.verdict(&question, said))
	case err != nil:
		resolve(to, turn.Resolution{Action: turn.Fail})
	default:
		j.resolve(&question, said, to)
	}
}

// verdict is what an answer says of a complete call.
func (j *Judge) verdict(question *turn.Event, said answer) turn.Verdict {
	v := turn.Verdict{Action: said.action, Text: said.text, Why: said.why, Arguments: said.arguments}
	if said.action == turn.Rewrite {
		rewritten := question.Call
		rewritten.Arguments, rewritten.Valid = said.arguments, true
		if j.Rules.Forbid(&rewritten) {
			return forbidden()
		}
	}
	return v
}

// resolve answers a call that was not offered, if the judge does.
func (j *Judge) resolve(question *turn.Event, said answer, to *turn.Outlet) {
	r := turn.Resolution{Action: said.action, Name: said.name, Feedback: said.why}
	switch said.action {
	case turn.Fail, turn.Skip, turn.Retry:
	case turn.Block, turn.Replace:
		r = turn.Resolution{Action: turn.Fail}
	case turn.Repair:
		if said.name == "" {
			r.Name, _ = Nearest(question.Call.Name, j.Allowed, j.Rules)
		}
		if !mayRepair(question.Call.Name, r.Name, j.Allowed, j.Rules) {
			r = turn.Resolution{Action: turn.Fail}
		}
	default:
		return // what becomes of such calls says someone else
	}
	resolve(to, r)
}

// ask returns the answer to a question, or why there is none.
func (j *Judge) ask(question *turn.Event, now turn.Snapshot) (answer, error) {
	if j.failures == failuresMax {
		return answer{}, errNotAsked
	}
	line, err := j.Ask(j.line(question, now))
	var said answer
	if err == nil {
		said, err = parseAnswer(line, question)
	}
	if err != nil {
		j.failures++
		return answer{}, err
	}
	j.failures = 0
	return said, nil
}

// asked is a question as a judge reads it.
type asked struct {
	Block     int             `json:"k"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"args,omitempty"`
	Valid     *bool           `json:"valid,omitempty"`
	Custom    bool            `json:"custom,omitempty"`
	Invalid   bool            `json:"invalid,omitempty"`
	Allowed   []string        `json:"allowed,omitempty"`
	Text      *string         `json:"text,omitempty"`
	Calls     []asked         `json:"calls,omitempty"`
}

func (j *Judge) line(question *turn.Event, now turn.Snapshot) []byte {
	q := asked{Block: question.Block, ID: question.Call.ID, Name: question.Call.Name, Custom: question.Call.Custom}
	if question.Kind == turn.InvalidCall {
		q.Invalid, q.Allowed = true, j.Allowed
	} else {
		q.setArguments(question.Call.Arguments, question.Call.Valid)
	}
	if j.Context {
		text := now.Turn().Text
		q.Text = &text
		for _, o := range now.Objects() {
			if o.Kind == turn.CallObject && o.Block < question.Block && o.Choice == question.Choice {
				before := asked{Block: o.Block, ID: o.ID, Name: o.Name}
				before.setArguments(o.Text(), wire.Valid(o.Text()))
				q.Calls = append(q.Calls, before)
			}
		}
	}
	return asJSON(q)
}

func (q *asked) setArguments(arguments string, valid bool) {
	valid = valid && (q.Custom || json.Valid([]byte(arguments))) // which has a limit of depth
	q.Valid, q.Arguments = &valid, json.RawMessage(arguments)
	if !valid || q.Custom {
		q.Arguments = asJSON(arguments)
	}
}

// asJSON is a value of which it is known that it has a form in JSON.
func asJSON(value any) []byte {
	line, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return line
}

// answer is what a judge said.
type answer struct {
	action                     turn.Action
	why, text, name, arguments string
}

// parseAnswer reads an answer: one object, in which no name is twice, that repeats the number of
// the question and has what its action needs.
func parseAnswer(line []byte, question *turn.Event) (answer, error) {
	whole := gjson.ParseBytes(line)
	if !wire.Valid(string(line)) || !whole.IsObject() || hasTwice(whole, plain, 0) {
		return answer{}, errNotUnderstood
	}
	text := func(name string) (string, bool) {
		member := whole.Get(name)
		return member.Str, !member.Exists() || member.Type == gjson.String
	}
	action, ok := text("act")
	said := answer{action: turn.Action(action)}
	for name, to := range map[string]*string{"why": &said.why, "text": &said.text, "name": &said.name} {
		var fits bool
		*to, fits = text(name)
		ok = ok && fits
	}
	block := whole.Get("k")
	if !ok || block.Type != gjson.Number || block.Num != float64(question.Block) {
		return answer{}, errNotUnderstood
	}
	switch said.action {
	case turn.Allow, turn.Block, turn.Fail:
		return said, nil
	case turn.Replace:
		ok = said.text != "" || question.Kind == turn.InvalidCall
	case turn.Rewrite:
		arguments := whole.Get("args")
		said.arguments = arguments.Raw
		if question.Call.Custom {
			said.arguments = arguments.Str
		}
		ok = arguments.IsObject() && !question.Call.Custom || arguments.Type == gjson.String && question.Call.Custom
	case turn.Repair, turn.Skip, turn.Retry:
		ok = question.Kind == turn.InvalidCall
	default:
		ok = false
	}
	if !ok {
		return answer{}, errNotUnderstood
	}
	return said, nil
}

// isAmbiguous reports whether two readers of the arguments of a call may read different values.
func isAmbiguous(c *turn.Call) bool {
	if c.Custom || !c.Valid {
		return false // a text
	}
	return hasTwice(gjson.Parse(c.Arguments), func(name string) string { return name }, 0)
}

// hasTwice reports whether an object in a value has two members whose names are the same to a
// reader.
func hasTwice(value gjson.Result, read func(name string) string, depth int) (twice bool) {
	if depth > depthMax {
		return true
	}
	seen := make(map[string]bool)
	value.ForEach(func(name, member gjson.Result) bool {
		if value.IsObject() {
			said := read(textOf(name))
			twice = twice || seen[said]
			seen[said] = true
		}
		twice = twice || (member.IsObject() || member.IsArray()) && hasTwice(member, read, depth+1)
		return !twice
	})
	return twice
}
