package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/report"
)

// swallowing is where in a value of a sensitive key the lexer is.
type swallowing struct {
	part  report.Part // what was read of it
	place Place       // where it begins
	words string      // of its name

	escaped bool // after a backslash
	quoted  bool // in a string
	value   bool // after a value, which only , : } ] may follow
	broken  bool // it is no JSON; it ends with the line
	content bool // a string: it is not empty
	depth   int  // brackets that are open in a container
}

// swallows says whether the filter is in the middle of a value that it drops.
func (s lexState) swallows() bool {
	return s == swallowString || s == swallowNumber || s == swallowContainer
}

// beginField begins to swallow the value of a sensitive key.
func (f *filter) beginField(state lexState, offset int64) {
	f.state = state
	f.swallow.place = f.PlaceOf(offset)
	f.swallow.part = report.Part{Rule: f.next.pending.Rule, From: offset, Quotes: 1}
	f.swallow.words = f.next.pending.Words
	if state == swallowString {
		f.swallow.part.Quotes = 0
		f.swallow.part.IsText = !f.next.isPaired() && f.next.under.Depth == 0
	}
	f.scratch = f.scratch[:0]
	f.text.markers.BeginValue(f.next.pending.Rule)
}

// endField writes the marker for a value that was swallowed, up to end.
func (f *filter) endField(dst []byte, end int64) []byte {
	f.swallow.hide(&f.report, end)
	f.next.pending = nil
	why := names.Reason{How: match.OfKey, Name: f.swallow.words, Path: f.pathHere()}
	f.report.Tell(f.swallow.part.Rule, f.swallow.place, why)
	return f.text.markers.EndValue(dst, f.swallow.part.Rule, f.swallow.part.Quotes)
}

// hide tells of the part of the value before end.
func (s *swallowing) hide(r *report.Report, end int64) {
	if r.Hide != nil && end > s.part.From {
		s.part.To = end
		r.HidePart(s.part)
	}
}

// brokenField writes the marker for the rest of a line that the value of p may be
// anywhere in. It has no number: what the value is cannot be told.
func (f *filter) brokenField(dst []byte, p *names.Phrase, offset int64) []byte {
	f.next.pending = nil
	f.report.Tell(p.Rule, f.PlaceOf(offset), names.Reason{How: match.OfKey, Name: p.Words})
	return f.text.markers.MarkQuoted(dst, p.Rule, 0, 1)
}

// isHarmless reports whether a value is none of a secret, whatever the name before it: a version or such,
// or the name of another field, where not just anything is the value.
func (f *filter) isHarmless(value []byte) bool {
	p := f.next.pending
	switch {
	case len(value) == 0 || len(value) > candidate.LongestHarmless || p.Want == names.AnyValue:
		return false
	case !p.IsSecret: // "birthdate": "Date of birth"
		return p.Want == names.Number && f.rules.Catalogue[p.Rule].Group == names.PII &&
			(lex.Letters | lex.High | lex.Wide | lex.Blank).Within(value)
	}
	key := f.text.name.ending
	if at := bytes.LastIndexByte(key, '/') + 1; names.IsAboutNamed(key[:at], value) {
		return true
	}
	return p.IsHarmless(value) || candidate.IsTranslation(f.text.name.ending, value, p.AnyWord) ||
		p.Want == names.LikelySecret && names.IsNameOfSecret(names.Window{Around: &f.text.around}, value)
}

// swallowStringPart drops a string up to its quote, unless it is a marker. If it
// went over the end of a line, what follows a comma or a bracket on that line is text.
func (f *filter) swallowStringPart(dst, src []byte) ([]byte, int) {
	n := 0
	for n < len(src) && (src[n] != '\n' || f.format == JSON) && (src[n] != '"' || f.swallow.escaped) {
		if src[n] == '\n' {
			f.swallow.broken = true
			f.lines.GoOn()
		}
		f.swallow.escaped = src[n] == '\\' && !f.swallow.escaped
		n++
	}
	f.swallow.content = f.swallow.content || n > 0
	f.scratch = append(f.scratch, src[:min(n, candidate.LongestHarmless+1-len(f.scratch))]...)
	if n < len(src) && f.isHarmless(f.scratch) {
		f.next.pending, f.state = nil, inString
		dst = append(dst, '"')
		f.text.nested.beginString()
		f.text.in.Offset, f.seen.isValue, f.seen.marked = f.swallow.part.From, true, f.text.markers.Written
		return f.text.stage(dst, f.scratch), n
	}
	f.text.markers.ReadString(src[:n])
	if n == len(src) {
		return dst, n
	}
	dst = f.endString(dst, f.Offset+int64(n))
	if src[n] == '\n' {
		f.newLine()
		return append(dst, '\n'), n + 1
	}
	f.next.pending = nil
	f.state, f.seen.redacted = between, true
	return append(dst, '"'), n + 1
}

// endString writes the marker for a string that was swallowed, or the string if it
// is empty or a marker: without its last quote, which there may be none of.
func (f *filter) endString(dst []byte, end int64) []byte {
	dst = append(dst, '"')
	w := names.Window{Text: f.scratch, End: true, Around: &f.text.around}
	switch {
	case !f.swallow.content:
		return dst
	case w.Marker(0) == len(f.scratch):
		return append(dst, f.scratch...)
	}
	return f.endField(dst, end)
}

// swallowContainerPart drops an object or an array to its end. If it is broken,
// that is the end of the line on which it shows.
func (f *filter) swallowContainerPart(dst, src []byte) ([]byte, int) {
	for i, c := range src {
		if c == '\n' && (f.swallow.broken || f.swallow.quoted || f.format != JSON) {
			f.text.markers.Read(src[:i])
			dst = f.endField(dst, f.Offset+int64(i))
			f.newLine()
			return append(dst, '\n'), i + 1
		}
		if c == '\n' {
			f.lines.GoOn()
		}
		if f.swallow.quoted {
			f.swallow.quoted = c != '"' || f.swallow.escaped
			f.swallow.escaped = c == '\\' && !f.swallow.escaped
			continue
		}
		switch {
		case c == '{', c == '[':
			f.swallow.broken = f.swallow.broken || f.swallow.value
			f.swallow.depth++
			f.swallow.value = false
		case c == '}', c == ']':
			f.swallow.depth--
			f.swallow.value = true
		case c == ',', c == ':':
			f.swallow.value = false
		case c == '"':
			f.swallow.broken = f.swallow.broken || f.swallow.value
			f.swallow.quoted, f.swallow.value = true, true
		case (lex.Alnum | lex.Dash | lex.Plus | lex.Dot).Has(c):
			f.swallow.value = true
		case lex.Whitespace.Has(c):
		default:
			f.swallow.broken = true
		}
		if f.swallow.depth == 0 && !f.swallow.broken {
			f.text.markers.Read(src[:i+1])
			f.lines.Read(c)
			f.state, f.seen.redacted = between, true
			return f.endField(dst, f.Offset+int64(i)+1), i + 1
		}
	}
	f.text.markers.Read(src)
	return dst, len(src)
}
