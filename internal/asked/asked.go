// Package asked makes a question of what a reader has written and called: the texts of an agent and its user, and the
// input of tools.
//
// Blocks come in, the oldest first; each is redacted before anything else is done with it. Out comes a
// question.Question, which holds hashes of words and no text. Placeholders are no words.
package asked

import (
	"bytes"
	"encoding/json"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/redact"
)

// Bounds of a call, so that one that writes a file leaves room for what was said before it.
const (
	MaxInput = question.MaxText // bytes of JSON; an input that is larger is left out
	MaxCall  = 16 << 10         // bytes of what is taken of it
	maxDepth = 64               // of nested values that are looked into
)

// Asked is what a reader has written and called.
type Asked struct {
	rules  *redact.Rules
	blocks [][]byte
}

// By returns an Asked that redacts by these rules. A choice of fields has no effect on it: a
// question is no record.
func By(rules *redact.Rules) *Asked { return &Asked{rules: rules} }

// Question returns the question of all blocks; nil if they have no word that a question can be
// about.
func (a *Asked) Question() *question.Question { return question.Of(a.blocks...) }

// Text adds the blocks of a plain text: see question.Parse. Of a longer one it takes the last question.MaxText bytes.
func (a *Asked) Text(text []byte) {
	a.blocks = append(a.blocks, question.Blocks(a.redact(end(text)))...)
}

// Said adds a text as one block. An empty one is none.
func (a *Asked) Said(text []byte) {
	if len(text) > 0 {
		a.blocks = append(a.blocks, a.redact(end(text)))
	}
}

// Call adds a call as one block: the name of the tool, which may be empty, and its input: see Input.
func (a *Asked) Call(name string, input []byte) {
	block := append([]byte(name), '\n')
	switch {
	case len(input) > MaxInput:
	case json.Valid(input):
		block = append(block, Input(withoutPlaceholders(a.rules.Value(nil, input, redact.JSON)))...)
	default:
		block = append(block, a.redact(input[:min(len(input), MaxCall)])...)
	}
	if len(block) > 1 {
		a.blocks = append(a.blocks, block)
	}
}

func end(text []byte) []byte { return text[max(0, len(text)-question.MaxText):] }

// redact returns the redaction of a text, without placeholders.
func (a *Asked) redact(text []byte) []byte {
	return withoutPlaceholders(a.rules.Value(nil, text, redact.Lines))
}

// withoutPlaceholders returns text with a blank in the place of each placeholder of redaction: lines of the response
// that have one would seem to be asked for. It overwrites text.
func withoutPlaceholders(text []byte) []byte {
	out := text[:0]
	for {
		at := bytes.Index(text, []byte(lex.MarkerStart))
		if at < 0 {
			return append(out, text...)
		}
		out = append(append(out, text[:at]...), ' ')
		text = text[at+len(lex.MarkerStart):]
		text = text[bytes.IndexByte(text, ']')+1:]
	}
}

// Input returns what the input of a call says, JSON, one value a line and at most MaxCall bytes: strings, numbers, and
// the names of members below the top. Names at the top are those of the tool's parameters.
func Input(input []byte) []byte {
	var all []byte
	add := func(text string) bool {
		all = append(append(all, text[:min(len(text), MaxCall-len(all))]...), '\n')
		return len(all) < MaxCall
	}
	var walk func(v gjson.Result, depth int) bool
	walk = func(v gjson.Result, depth int) bool {
		goesOn := true
		switch {
		case v.Type == gjson.String:
			return add(v.String())
		case v.Type == gjson.Number:
			return add(v.Raw)
		case depth < maxDepth && (v.IsObject() || v.IsArray()):
			isNamed := v.IsObject() && depth > 0
			v.ForEach(func(name, member gjson.Result) bool {
				goesOn = (!isNamed || add(name.String())) && walk(member, depth+1)
				return goesOn
			})
		}
		return goesOn
	}
	walk(gjson.ParseBytes(input), 0)
	return all[:min(len(all), MaxCall)]
}
