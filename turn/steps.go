package turn

import "github.com/tidwall/gjson"

// step is what a chunk of any protocol says, one thing at a time.
type step struct {
	kind   stepKind
	choice int
	key    key
	// What these hold is said at the kinds.
	id, name, text, signature string
	json                      gjson.Result
	class                     FinishClass
	flag                      bool
}

// key tells the blocks of one kind and choice apart.
type key struct {
	index int  // of a block, an item or a call
	part  int  // of an item
	none  bool // the provider gives calls no index
}

type stepKind uint8

const (
	beginStep    stepKind = iota // id, name (the model), text (the role): the first of each counts; flag: the last
	textStep                     // text: more of a text
	refusalStep                  // text: more of a refusal
	reasonStep                   // text: more of a part of the reasoning; id; name: its kind
	signStep                     // signature of reasoning; name, text: its type, its format; flag: of what is not shown
	signTextStep                 // signature of the text
	callStep                     // id, name, text: more of its arguments; signature; flag: the key alone tells calls apart
	inputStep                    // json: the arguments of the call with this key or id, whole; flag: unless others come
	endStep                      // the blocks with this key are at their end
	restateStep                  // text: all of a text that may have come already; name: the kind of block
	itemStep                     // id of the item that a call or a text belongs to
	finishStep                   // text: the reason, as it is; name: the native one; class
	usageStep                    // json; name: of a single counter; text: wholeUsage or onlyCounters, or else it is merged
	hostedStep                   // name: the type of an item that is not in the turn; flag: it has content of the assistant
	otherStep                    // name: the type of a chunk that is not known; flag: it has content of the assistant
	noteStep                     // name, text: a member of the turn that is passed on
	failStep                     // name: the code, text: the message
	doneStep                     // nothing follows
)

// Kinds of blocks, for restateStep.
const (
	textBlock      = "text"
	refusalBlock   = "refusal"
	reasoningBlock = "reasoning"
)

// How a report of usage is taken in.
const (
	wholeUsage   = "whole"    // what was reported before does not count
	onlyCounters = "counters" // numbers, and groups of them
)

// steps collects what one chunk says. Nothing is added for texts that are empty.
type steps struct{ list []step }

func (s *steps) add(next step) { s.list = append(s.list, next) }

func (s *steps) begin(id, model, role string) {
	if id != "" || model != "" || role != "" {
		s.add(step{kind: beginStep, id: id, name: model, text: role})
	}
}

func (s *steps) text(choice int, at key, text string) {
	if text != "" {
		s.add(step{kind: textStep, choice: choice, key: at, text: text})
	}
}

func (s *steps) refusal(choice int, at key, text string) {
	if text != "" {
		s.add(step{kind: refusalStep, choice: choice, key: at, text: text})
	}
}

func (s *steps) reason(choice int, at key, id, text string) {
	if text != "" || id != "" {
		s.add(step{kind: reasonStep, choice: choice, key: at, id: id, text: text})
	}
}

func (s *steps) sign(choice int, at key, signature string) {
	if signature != "" {
		s.add(step{kind: signStep, choice: choice, key: at, signature: signature})
	}
}

func (s *steps) call(choice int, at key, id, name, arguments string) {
	s.add(step{kind: callStep, choice: choice, key: at, id: id, name: name, text: arguments})
}

func (s *steps) input(choice int, at key, arguments gjson.Result) {
	s.add(step{kind: inputStep, choice: choice, key: at, json: arguments})
}

func (s *steps) end(choice int, at key) { s.add(step{kind: endStep, choice: choice, key: at}) }

func (s *steps) finish(choice int, reason, native string, class FinishClass) {
	if reason != "" {
		s.add(step{kind: finishStep, choice: choice, text: reason, name: native, class: class})
	}
}

func (s *steps) usage(counters gjson.Result) {
	if counters.IsObject() {
		s.add(step{kind: usageStep, json: counters})
	}
}

func (s *steps) hosted(kind string) { s.add(step{kind: hostedStep, name: kind}) }

func (s *steps) other(kind string, content bool) {
	s.add(step{kind: otherStep, name: kind, flag: content})
}

func (s *steps) note(choice int, name, value string) {
	if value != "" {
		s.add(step{kind: noteStep, choice: choice, name: name, text: value})
	}
}

func (s *steps) fail(code, message string) {
	s.add(step{kind: failStep, name: code, text: message})
}
