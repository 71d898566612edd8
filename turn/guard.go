package turn

import (
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/internal/wire"
)

// Action is what becomes of a call.
type Action string

// What becomes of a call whose name is not allowed.
const (
	Fail   Action = "fail"   // the turn ends: nothing more is read
	Repair Action = "repair" // it goes on under another name
	Skip   Action = "skip"   // the turn is abandoned, and the next request goes on without the call
	Retry  Action = "retry"  // the turn is abandoned, and the next request asks for another call
)

// What becomes of a complete call. Fail is an answer, too: the turn ends.
const (
	Allow   Action = "allow"
	Block   Action = "block"   // a text takes its place that says so
	Replace Action = "replace" // a text takes its place
	Rewrite Action = "rewrite" // it goes out with other arguments
)

// Resolution is the answer to an InvalidCall.
type Resolution struct {
	Action   Action
	Name     string // for Repair: one that is allowed
	Feedback string // for Skip and Retry: what the model is told; a sentence that names what is allowed if it is empty
}

// Verdict is the answer to an AwaitVerdict.
type Verdict struct {
	Action    Action
	Text      string // for Replace
	Arguments string // for Rewrite: JSON, or a text if the tool is a custom one
	Why       string // for Block, Fail: the reason
	FailSafe  bool   // for Block: there was no answer that could be understood
}

// PeerFeedback is what a model is told of calls that were good, in a turn that was abandoned for another one.
const PeerFeedback = "Tool not executed because another tool call in the same assistant turn was invalid."

// gate is what a call has to pass: the names that are allowed, the policies that deny, and the answer to a question.
type gate struct {
	tools   Tools
	names   map[string]bool // of the tools that are allowed
	any     bool            // every name is allowed
	deniers []denier
	streams bool  // arguments are reported as they come
	judges  bool  // see Options.Judge
	asks    bool  // every whole call waits for a verdict, if only for that of a policy
	waiting *call // the call that waits for an answer
	answers answers
}

// answers collects the verdicts on the waiting call. The strictest counts.
type answers struct {
	consulted  bool        // the policies were asked
	verdict    *Verdict    // about a complete call; nil if there is none
	resolution *Resolution // about one that is not allowed; nil if there is none
	from       *station    // whose the verdict is; nil is the program
	rewritten  bool        // the arguments were, and all others are asked about the new ones
	program    programSaid
}

// programSaid is whether the program has answered.
type programSaid uint8

const (
	programSilent programSaid = iota
	programAnswered
	programOwes // it answered about other arguments, and is asked again
)

// rank orders actions: what has more is stricter.
func (a Action) rank() int {
	return slices.Index([]Action{Allow, Repair, Rewrite, Skip, Retry, Replace, Block, Fail}, a)
}

// add takes in a verdict. Of two that are as strict the first counts; if both rewrite the call, and to different
// arguments, neither is an answer that all agree on.
func (s *answers) add(v Verdict, from *station) {
	switch had := s.verdict; {
	case had != nil && had.Action == Rewrite && v.Action == Rewrite && had.Arguments != v.Arguments:
		s.verdict = &Verdict{Action: Block, Why: "it was rewritten twice", FailSafe: true}
	case had == nil || v.Action.rank() > had.Action.rank():
		s.verdict, s.from = &v, from
	}
}

// resolve takes in a resolution. Of two that are as strict the first counts; two names to repair to are none.
func (s *answers) resolve(r Resolution) {
	switch had := s.resolution; {
	case had != nil && had.Action == Repair && r.Action == Repair && had.Name != r.Name:
		s.resolution = &Resolution{Action: Fail}
	case had == nil || r.Action.rank() > had.Action.rank():
		s.resolution = &r
	}
}

// given reports whether there is an answer.
func (s *answers) given() bool { return s.verdict != nil || s.resolution != nil }

// blocks reports whether no other answer can let the call through.
func (s *answers) blocks() bool { return s.verdict != nil && s.verdict.Action.rank() > Rewrite.rank() }

// newGate returns the gate that options describe.
func newGate(o *Options) gate {
	g := gate{tools: Tools{Advertised: o.Advertised, Allowed: o.Allowed}, judges: o.Judge,
		asks: o.Judge || len(o.Policies) > 0, streams: o.StreamArguments && o.RedactArguments == nil}
	if g.tools.Allowed == nil {
		g.tools.Allowed = g.tools.Advertised
	}
	g.any = g.tools.Allowed == nil
	g.names = make(map[string]bool, len(g.tools.Allowed))
	for _, name := range g.tools.Allowed {
		g.names[name] = true
	}
	for _, p := range o.Policies {
		if d, ok := p.(denier); ok {
			g.deniers = append(g.deniers, d)
		}
	}
	return g
}

// allows reports whether a tool of that name may be called.
func (g *gate) allows(name string) bool { return g.any || g.names[name] }

// denies reports whether a policy denies the tool of a call.
func (g *gate) denies(c *call) bool {
	return slices.ContainsFunc(g.deniers, func(d denier) bool { return d.Deny(c.name) || d.Deny(c.wireName) })
}

// answered ends the question about the call that waits.
func (g *gate) answered() { g.waiting, g.answers = nil, answers{} }

// Resolve says what becomes of the call of the last InvalidCall. If there are policies, they are asked, too, and the
// strictest answer counts: fail, retry, skip, repair. After an error nothing has changed.
func (a *Assembler) Resolve(r Resolution) error {
	t := &a.core
	c := t.gate.waiting
	switch {
	case c == nil || c.announced:
		return ErrNotAwaited
	case r.Action == Repair && !t.gate.names[r.Name]:
		return ErrNotAllowed
	case !slices.Contains([]Action{Fail, Repair, Skip, Retry}, r.Action):
		return ErrNotAwaited
	}
	t.gate.answers.resolve(r)
	a.concludeNow()
	return nil
}

// concludeNow has the answer count that there is, if no policy is still to be asked.
func (a *Assembler) concludeNow() {
	if said := &a.core.gate.answers; len(a.policies.stations) == 0 || said.consulted && !a.policies.asking {
		a.conclude()
	}
}

// conclude does what the strictest answer says about the call that waits.
func (a *Assembler) conclude() {
	t := &a.core
	c, all := t.gate.waiting, t.gate.answers
	if v := all.verdict; v != nil && v.Action == Rewrite && !all.rewritten {
		v.Arguments = t.redact.shown(v.Arguments)
		c.args.final, c.args.valid = v.Arguments, true
		t.gate.answers.rewritten = true
		if all.from != nil && all.program == programAnswered {
			t.gate.answers.program = programOwes
			a.pose()
		}
		if len(a.policies.stations) > 0 {
			t.gate.answers.consulted = false
			return
		}
	}
	t.gate.answered()
	if all.resolution != nil {
		a.resolve(c, *all.resolution)
	} else {
		a.decide(c, *all.verdict)
	}
}

// resolve does what becomes of a call that is not allowed.
func (a *Assembler) resolve(c *call, r Resolution) {
	t := &a.core
	t.emit(Event{Kind: Resolved, Block: c.number, Choice: c.in.index, Resolution: &r})
	if r.Action == Repair {
		c.announce(r.Name)
		return
	}
	t.outcome.failed, t.outcome.refused = true, true
	c.fate = blockedCall
	a.choices.flush()
	said := Notice{Code: codeRefused, Message: "a call of a tool that is not allowed"}
	if r.Action == Fail {
		t.outcome.readOnly(readNothing)
	} else {
		t.emit(Event{Kind: RolledBack, Messages: c.in.rollback(c, r)})
		said = Notice{Code: codeAbandoned, Message: "the turn was abandoned for a call of a tool that is not allowed"}
		t.outcome.readOnly(readUsage)
	}
	t.outcome.failure, t.outcome.code = said.Code, said.Code
	t.emit(Event{Kind: Broke, Notice: said, Call: Call{Name: t.redact.whole(c.wireName)}, Tools: t.gate.tools})
}

func invalidFeedback(action Action, allowed []string) string {
	text := "Tool not executed: there is no tool of that name."
	if action == Skip {
		return text + " Go on without it."
	}
	if len(allowed) == 0 {
		return text + " No tool may be called."
	}
	text += " Call one of these: "
	for i, name := range allowed {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return text + "."
}

// Decide says what becomes of the call of the last AwaitVerdict. If there are policies, they are asked, too, and the
// strictest answer counts: fail, block, replace, rewrite, allow. Arguments that one of them rewrote are shown to all
// others. After an error nothing has changed.
func (a *Assembler) Decide(v Verdict) error { return a.answer(v, nil) }

// answer takes in the verdict of a policy, or of the program if that is nil.
func (a *Assembler) answer(v Verdict, from *station) error {
	t := &a.core
	c := t.gate.waiting
	switch {
	case c == nil || !c.whole || !slices.Contains([]Action{Allow, Block, Replace, Rewrite, Fail}, v.Action):
		return ErrNotAwaited
	case v.Action == Rewrite && !c.custom && !wire.Valid(v.Arguments):
		return ErrNotJSON
	}
	t.gate.answers.add(v, from)
	if from == nil {
		t.gate.answers.program = programAnswered
	}
	a.concludeNow()
	return nil
}

// decide does what becomes of a complete call.
func (a *Assembler) decide(c *call, v Verdict) {
	t := &a.core
	v.Why, v.Text = t.redact.whole(v.Why), t.redact.whole(v.Text)
	judged := c.event(Judged)
	judged.Verdict = &v
	t.emit(judged)
	switch v.Action {
	case Allow, Rewrite:
		c.hold()
		return
	case Fail:
		c.fate = blockedCall
		a.choices.flush()
		t.outcome.refused = true
		t.fail(codeDenied, cmp.Or(v.Why, "a call that is not allowed"))
		t.outcome.readOnly(readNothing)
		return
	}
	c.fate = blockedCall
	notice := v.Text
	if v.Action == Block {
		notice = blockedNotice(t.redact.whole(c.name), v.Why)
	}
	c.in.prose.addNotice(notice)
}

// blockedNotice is the text that takes the place of a call that was blocked.
func blockedNotice(name, why string) string {
	if why != "" {
		why = ": " + why
	}
	return "[The call of " + name + " was blocked" + why + "]"
}
