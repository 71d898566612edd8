package protocol

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Step is what a chunk of any protocol says, one thing at a time.
type Step struct {
	Kind   StepKind
	Choice int
	Key    Key
	// What these hold is said at the kinds.
	ID, Name, Text, Signature string
	JSON                      gjson.Result
	Class                     Class
	Flag                      bool
	Index                     int  // the number that the provider gave a part of the reasoning
	Custom                    bool // the arguments of the call are text, and no JSON
	Again                     bool // a signature may have come already
}

// Key tells the blocks of one kind and choice apart.
type Key struct {
	Index int  // of a block, an item or a call
	Part  int  // of an item
	None  bool // the provider gives calls no index
}

// StepKind is what a step says.
type StepKind uint8

// The kinds of steps.
const (
	BeginStep    StepKind = iota // id, name (the model), text (the role): the first of each counts; flag: the last
	TextStep                     // text: more of a text
	RefusalStep                  // text: more of a refusal
	ReasonStep                   // text: more of a part of the reasoning; id; name: its kind
	SignStep                     // signature of reasoning; name, text: its type, its format; flag: of what is not shown
	FormStep                     // name, text, index: the type, format and number of a part of the reasoning
	SignTextStep                 // signature of a text, which ends with it
	CallStep                     // id, name, signature, text: more arguments; flag: only the key tells calls apart
	InputStep                    // json: all arguments of the call with this key or id; flag: unless others come
	EndStep                      // the blocks with this key are at their end
	// text: all of a text that may have come; name: the kind of block; flag: unless more comes
	RestateStep
	ItemStep   // id of the item that a call or a text belongs to
	FinishStep // text: the reason, as it is; name: the native one; class
	UsageStep  // json; name: of a single counter; text: WholeUsage, OnlyCounters, else it is merged
	// name: the type of an item that is not in the turn; flag: it has content; text: NotPassedOn
	HostedStep
	OtherStep // name: the type of an unknown chunk; flag: it has content; text: NotPassedOn
	NoteStep  // name, text: a member of the turn that is passed on
	FailStep  // name: the code, text: the message; flag: the stream contradicts itself
	DoneStep  // the answer is at its end: what follows can only be what it cost
)

// Kinds of blocks, for RestateStep.
const (
	TextBlock      = "text"
	RefusalBlock   = "refusal"
	ReasoningBlock = "reasoning"
)

// Names of notes.
const (
	GroundingNote = "grounding"     // the provider names sources
	StopNote      = "stop_sequence" // text: the sequence that ended the turn
)

// Calls are numbered apart from blocks where a protocol gives neither a number.
const callPart = -1 // the part of a call's key

// NotPassedOn marks an item whose chunk is never passed on: it may ask the caller to do something, or has another form
// than it should have.
const NotPassedOn = "not passed on"

// How a report of usage is taken in.
const (
	WholeUsage   = "whole"    // what was reported before does not count
	OnlyCounters = "counters" // numbers, and groups of them
)

// Steps collects what one chunk says. Nothing is added for texts that are empty.
type Steps struct{ List []Step }

// Add appends a step.
func (s *Steps) Add(next Step) { s.List = append(s.List, next) }

func (s *Steps) begin(id, model, role string) {
	if id != "" || model != "" || role != "" {
		s.Add(Step{Kind: BeginStep, ID: id, Name: model, Text: role})
	}
}

func (s *Steps) text(choice int, at Key, text string) {
	if text != "" {
		s.Add(Step{Kind: TextStep, Choice: choice, Key: at, Text: text})
	}
}

func (s *Steps) refusal(choice int, at Key, text string) {
	if text != "" {
		s.Add(Step{Kind: RefusalStep, Choice: choice, Key: at, Text: text})
	}
}

func (s *Steps) reason(choice int, at Key, id, text string) {
	if text != "" || id != "" {
		s.Add(Step{Kind: ReasonStep, Choice: choice, Key: at, ID: id, Text: text})
	}
}

func (s *Steps) sign(choice int, at Key, signature string) {
	if signature != "" {
		s.Add(Step{Kind: SignStep, Choice: choice, Key: at, Signature: signature})
	}
}

func (s *Steps) input(choice int, at Key, arguments gjson.Result) {
	s.Add(Step{Kind: InputStep, Choice: choice, Key: at, JSON: arguments})
}

func (s *Steps) end(choice int, at Key) { s.Add(Step{Kind: EndStep, Choice: choice, Key: at}) }

func (s *Steps) finish(choice int, reason, native string, class Class) {
	if reason != "" {
		s.Add(Step{Kind: FinishStep, Choice: choice, Text: reason, Name: native, Class: class})
	}
}

func (s *Steps) usage(counters gjson.Result) {
	if counters.IsObject() {
		s.Add(Step{Kind: UsageStep, JSON: counters})
	}
}

func (s *Steps) hosted(kind string) { s.Add(Step{Kind: HostedStep, Name: kind}) }

// Other says that a chunk or an item is not known.
func (s *Steps) Other(kind string, content bool) {
	s.Add(Step{Kind: OtherStep, Name: kind, Flag: content})
}

func (s *Steps) note(choice int, name, value string) {
	if value != "" {
		s.Add(Step{Kind: NoteStep, Choice: choice, Name: name, Text: value})
	}
}

// words is the text of a string. Another value, unless it says nothing, is an item that is not known.
func (s *Steps) words(of gjson.Result, name string) string {
	if of.Type != gjson.String && !saysNothing(of.Raw) {
		s.strange(name)
	}
	return Text(of)
}

// saysNothing reports whether a value is in place of one that is left out.
func saysNothing(json string) bool {
	const longest = 64 // bytes of one that is written with blanks
	if len(json) > longest {
		return false
	}
	switch strings.Join(strings.Fields(json), "") {
	case "", "null", `""`, "{}", "[]", "false":
		return true
	}
	return false
}

// callWith says that more comes of a call, and arguments in whatever form: a string is more of them, an empty object
// stands for them unless others come, another value is all of them.
func (s *Steps) callWith(call Step, arguments gjson.Result) {
	call.Kind, call.Text = CallStep, Text(arguments)
	s.Add(call)
	if arguments.Type != gjson.String && arguments.Type != gjson.Null {
		s.Add(Step{Kind: InputStep, Choice: call.Choice, Key: call.Key, ID: call.ID, JSON: arguments,
			Flag: saysNothing(arguments.Raw)})
	}
}

func (s *Steps) done() { s.Add(Step{Kind: DoneStep}) }

// strangeCall says that there is something in place of a call that can't be read as one.
func (s *Steps) strangeCall() { s.contradict("a call in a form that is not known") }

// restate marks the steps from first on as a repetition of earlier content. Of a text with several
// parts all parts are repeated.
func (s *Steps) restate(first int) {
	said := slices.Clone(s.List[first:])
	s.List = s.List[:first]
	for _, step := range said {
		words := Step{Kind: RestateStep, Choice: step.Choice, Key: step.Key, Text: step.Text}
		switch step.Kind {
		case TextStep:
			words.Name = TextBlock
		case RefusalStep:
			words.Name = RefusalBlock
		case ReasonStep:
			words.Name = ReasoningBlock
		case SignStep:
			step.Again = true
		case CallStep:
			step.Text = ""
			s.Add(step)
			if words.Text != "" {
				s.Add(Step{Kind: InputStep, Choice: step.Choice, Key: step.Key, ID: step.ID,
					JSON: gjson.Result{Type: gjson.String, Str: words.Text}})
			}
			continue
		}
		if words.Name == "" || step.Text == "" {
			s.Add(step)
			continue
		}
		if step.ID != "" || step.Name != "" {
			step.Text = ""
			s.Add(step)
		}
		i := slices.IndexFunc(s.List[first:], func(had Step) bool {
			return had.Kind == RestateStep && had.Key == words.Key && had.Name == words.Name &&
				had.Choice == words.Choice
		})
		if i < 0 {
			s.Add(words)
		} else {
			s.List[first+i].Text += words.Text
		}
	}
}

// strange says that there is content in another form than it should have.
func (s *Steps) strange(name string) {
	s.Add(Step{Kind: OtherStep, Name: name, Text: NotPassedOn, Flag: true})
}

// contradict says that the stream contradicts itself.
func (s *Steps) contradict(message string) {
	s.Add(Step{Kind: FailStep, Text: message, Flag: true})
}

// Fail says that something went wrong.
func (s *Steps) Fail(code, message string) {
	s.Add(Step{Kind: FailStep, Name: code, Text: message})
}
