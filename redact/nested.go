package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/decode"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/report"
)

// A string may hold JSON: the payload of a queue, the answer of a tool in an envelope. So may the line of a log. The
// rules see a text in it, as in any other. What only JSON tells, that a number or an object is the value of a
// sensitive key, or a word the other half of a pair, a filter of its own tells, which reads the value as a Reader
// would. Only its matches count, and only beside those of the rules: so nothing is shown that would not be if it were
// no JSON, and what is no match stays as it is written.

// maxNested is how deep: a string in a string in a string in a string.
const maxNested = 4

// maxHeld is how long a value may be that is read only if all of it is one, in bytes.
const maxHeld = textBuffer / 2

// nested is how far a text was looked at for JSON in it.
type nested struct {
	rules   *catalogue.Set
	in      *match.Input
	matches *match.Set
	level   int     // in how many texts the text is nested, which have decoded it
	filter  *filter // nil until there was some
	state   nestedState
	within  bool         // the value begins within a line, as it may in code
	held    bool         // the filter has read nothing of it yet
	broken  bool         // it was no value after all
	value   lex.Value    // where it ends
	at      int          // in buf: what comes before was looked at
	origin  int          // in buf: where the value begins
	spans   []names.Span // found, not in those of the text yet
	end     int          // of the last of them
	output  []byte       // of the filter; it is dropped
}

// nestedState is what comes next in a text.
type nestedState uint8

const (
	noneNested    nestedState = iota // nothing that is looked at
	nestedBegin                      // a value, or text
	nestedNewLine                    // blanks, and an object, or text
	nestedText                       // the rest of a line, in which an object may begin
	nestedValue                      // the rest of a value
)

// beginString says that the text to come is a string, which may be a value.
func (n *nested) beginString() { n.begin(nestedBegin, true) }

// beginLine says that it is a line, or what is left of one.
func (n *nested) beginLine() { n.begin(nestedText, false) }

func (n *nested) begin(state nestedState, inString bool) {
	if n.level < maxNested {
		n.state, n.in.InString, n.at, n.end = state, inString, len(n.in.Buf), -1
	}
}

// clear forgets what was looked at.
func (n *nested) clear() { n.state, n.spans = noneNested, n.spans[:0] }

// readOn reads on in the JSON that the text may hold, and returns the start of what it can't tell yet.
func (n *nested) readOn(end bool) int {
	if n.state == noneNested {
		return len(n.in.Buf)
	}
	for n.at < len(n.in.Buf) {
		rest := n.in.Buf[n.at:]
		switch n.state {
		case nestedBegin:
			if n.state = nestedText; rest[0] == '{' || rest[0] == '[' {
				n.beginValue(false)
			}
		case nestedNewLine:
			blanks := lex.Whitespace.Run(rest, 0, len(rest))
			n.at += blanks
			switch {
			case blanks == len(rest):
			case rest[blanks] == '{':
				n.beginValue(false)
			default:
				n.state = nestedText
			}
		case nestedText:
			// no quote in it, nor a new line
			if n.in.InString && len(n.in.Escapes) == 0 && rest[len(rest)-1] != lex.ObjectBegin[0] {
				n.at = len(n.in.Buf)
				break
			}
			line, _, isWhole := bytes.Cut(rest, []byte{'\n'})
			object := bytes.Index(line, []byte(lex.ObjectBegin))
			switch {
			case object >= 0:
				n.at += object
				n.beginValue(true)
			case isWhole:
				n.at += len(line) + 1
				n.state = nestedNewLine
			case line[len(line)-1] == lex.ObjectBegin[0] && !end:
				n.at += len(line) - 1
				return n.at
			default:
				n.at += len(line)
			}
		case nestedValue:
			n.readValue(rest)
		}
	}
	switch {
	case n.state < nestedValue:
		return len(n.in.Buf)
	case end:
		if n.held && !n.within { // cut off
			n.release()
		}
		n.finish()
		return len(n.in.Buf)
	case n.held:
		return n.origin
	}
	return n.origin + int(n.filter.decided())
}

// beginValue begins to read a value, at the start of a line or within it.
func (n *nested) beginValue(within bool) {
	n.value.Begin()
	n.state, n.within, n.held, n.broken, n.origin = nestedValue, within, true, false, n.at
}

// readValue reads on in a value, to where it ends or is broken.
func (n *nested) readValue(part []byte) {
	for i := 0; i < len(part); i++ {
		if n.value.Quoted && !n.value.Escaped {
			for i < len(part) && inStrings[part[i]] < endsString {
				i++
			}
			if i == len(part) {
				break
			}
		}
		switch n.value.Read(part[i]) {
		case lex.ValueEnds:
			n.passOn(part[:i+1])
			if n.held && lex.HasScalars(n.in.Buf[n.origin:n.at]) {
				n.release()
			}
			n.finish()
			return
		case lex.ValueBroken:
			n.passOn(part[:i])
			n.broken = true
			n.finish()
			return
		}
	}
	n.passOn(part)
}

// passOn gives the filter the next part of a value, unless that is held.
func (n *nested) passOn(part []byte) {
	n.at += len(part)
	switch {
	case !n.held:
		n.output, _ = n.filter.feed(n.output[:0], part)
	case n.at-n.origin > maxHeld:
		n.release()
	}
}

// release gives it what was held.
func (n *nested) release() {
	if n.filter == nil {
		n.filter = newFilter(n.rules, newText(n.rules, false))
		n.filter.text.nested.level = n.level + 1
		n.filter.text.packing.packed.Level = decode.UnpackLevel // the text is unpacked as it is
		n.filter.report.Hide = n.hide
		n.filter.text.hide = n.filter.report.HidePart
		n.filter.inherits(n.matches)
	}
	n.filter.Position = report.Position{}
	n.filter.start(JSON)
	n.held = false
	n.output, _ = n.filter.feed(n.output[:0], n.in.Buf[n.origin:n.at])
}

// finish ends the value.
func (n *nested) finish() {
	n.state = nestedText
	if !n.held {
		n.output = n.filter.finish(n.output[:0])
	}
}

// goesOn says whether a match that what was read ends in may go on.
func (n *nested) goesOn() bool {
	return n.state == nestedValue && !n.held && (n.filter.state.swallows() || n.filter.text.matchGoesOn())
}

// hide takes in what the filter has read of a match, before the rest of it if there is more.
func (n *nested) hide(m report.Part) {
	if n.filter.state == inText || n.within && m.IsText || n.broken && m.To-m.From <= lex.MaxMarker {
		// of what is broken, as by a marker in place of an array, or may be code: the rules for texts know better
		return
	}
	s := names.Span{Start: n.origin + int(m.From), End: n.origin + int(m.To), Rule: m.Rule, Quotes: m.Quotes}
	if s.Quotes > 0 && n.in.InString {
		s.Quotes++ // it is in one string more
	}
	switch last := len(n.spans) - 1; {
	case last >= 0 && s.Start <= n.spans[last].Start:
		s.End = max(s.End, n.end)
		n.spans[last] = s
	case last >= 0 && s.Start < n.end:
		n.spans[last].End = max(s.End, n.end)
	case s.Start < n.end: // which the text has already
		s.Start = n.end - 1
		fallthrough
	default:
		n.spans = append(n.spans, s)
	}
	n.end = max(n.end, s.End)
}

// addBefore makes the matches that begin before safe those of the text. No rule is asked what is a match beyond.
func (n *nested) addBefore(safe int) {
	if len(n.spans) == 0 {
		return
	}
	added := 0
	for added < len(n.spans) && n.spans[added].Start < safe {
		n.matches.Reason = n.spans[added].Why
		n.matches.Add(n.spans[added])
		added++
	}
	n.spans = n.spans[:copy(n.spans, n.spans[added:])]
}

// move goes on in a buffer that begins by bytes later.
func (n *nested) move(by int) {
	n.at -= by
	n.origin -= by
	n.end -= by
	for i := range n.spans {
		n.spans[i].Start -= by
		n.spans[i].End -= by
	}
}
