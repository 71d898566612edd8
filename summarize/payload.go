package summarize

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// A record may be the envelope of another: most of it is one string that holds JSON, as the text that a tool returns by the Model
// Context Protocol (Tool Result), or an event from a queue. It is told as if that JSON stood in place of the string.

// Texts of many lines are told by these if they are most of the first record, as what a command printed is. So are those at the same
// place in further ones if there are few fields around them. Else they are seldom the results of tools, stack traces are among them,
// and sources: then they are told if no further record comes.
const (
	leastEnvelope = 64      // bytes
	leastText     = 2 << 10 // bytes of a record of texts
	leastOfText   = 16      // lines of them
	placesAround  = 16      // places in a record that further ones like it have texts in
)

// Where texts are that are told by their lines, if not at a place.
const (
	anyPlace = noNode - 1 // the first record will tell
	noPlace  = noNode
)

// textIn is a string of several lines in the record at hand.
type textIn struct {
	place int
	value []byte // JSON
}

// open makes payload an envelope with what is in its string in place of that, and says whether the value is one. Where most records with
// JSON in a string are none, none is: their strings are values like others.
func (s *Summary) open(value []byte) bool {
	if s.isOpened = false; s.holders > s.envelopes {
		return false
	}
	switch s.payload, s.isOpened = appendOpened(s.payload[:0], value); {
	case s.isOpened:
		s.envelopes++
	case (s.envelopes > 0 || s.records <= surprise.Learning) && NextOpening(value) >= 0:
		s.holders++
	}
	return s.isOpened
}

// appendOpened appends an envelope with what is in its string in place of that, and says whether the value is one.
func appendOpened(dst, value []byte) (opened []byte, ok bool) {
	from, to := payloadOf(value)
	if to == 0 {
		return dst, false
	}
	opened = append(dst, value[:from]...)
	at := len(opened)
	opened = jsonx.AppendUnescapedKnown(opened, jsonx.Inside(value[from:to]))
	if !jsonx.IsContainer(bytes.TrimRight(opened[at:], " \t\r\n")) {
		return dst, false
	}
	return append(opened, value[to:]...), true
}

// payloadOf finds the string that is most of a value and may be a container; 0, 0 if there is none. It begins in the first half.
func payloadOf(value []byte) (from, to int) {
	if len(value) < leastEnvelope {
		return 0, 0
	}
	half := value[:len(value)/2+1]
	for at := 0; at < len(half); at++ {
		n := NextOpening(half[at:])
		if n < 0 {
			break
		}
		at += n
		if end, _ := jsonx.EndOfString(value, at); 2*(end-at-1) > len(value) && !isName(value, end) {
			return at, end
		}
	}
	return 0, 0
}

// NextOpening is where in JSON the next string begins that begins with a bracket, as one does that holds an object or an array; -1 if
// there is none.
func NextOpening(value []byte) (found int) {
	found = -1
	for _, bracket := range [...]byte{'{', '['} {
		for at := 1; at < len(value); at++ {
			n := bytes.IndexByte(value[at:], bracket)
			if n < 0 {
				break
			}
			at += n
			if value[at-1] == '"' && (at == 1 || value[at-2] != '\\') { // else it is not what a string begins with
				found = at - 1
				value = value[:at]
			}
		}
	}
	return found
}

// isName says whether the string that ends there is the name of a member.
func isName(value []byte, end int) bool {
	rest := ascii.TrimBlanks(value[end:])
	return len(rest) > 0 && rest[0] == ':'
}

// keepText keeps a string of the record at hand if it has lines that are told, or several that may be.
func (s *Summary) keepText(value []byte, place int) {
	switch {
	case s.isInString || len(jsonx.Inside(value)) == 0:
		return
	case s.textPlace == anyPlace:
		if _, isCut := firstLine(jsonx.Inside(value)); !isCut {
			return
		}
	case s.textPlace != place:
		return
	}
	s.texts = append(s.texts, textIn{place: place, value: value})
}

// addTexts takes in the lines of the texts in a record that has been added.
func (s *Summary) addTexts(r Record) {
	isFirst := s.textPlace == anyPlace
	if isFirst {
		s.textPlace = s.placeOfTexts(r)
	}
	isAlone := isFirst && len(s.fields) > placesAround
	for _, t := range s.texts {
		switch {
		case t.place != s.textPlace:
		case isAlone:
			s.heldTexts = append(s.heldTexts, t.value...)
		default:
			s.addLinesOf(t.value, r.Seq)
		}
	}
	s.texts = s.texts[:0]
	if isAlone {
		s.textPlace = noPlace
	}
}

// addHeldTexts takes in the texts of the first record if no other came.
func (s *Summary) addHeldTexts() {
	texts := s.heldTexts
	for s.heldTexts = texts[:0]; len(texts) > 0; {
		end, _ := jsonx.EndOfString(texts, 0)
		s.addLinesOf(texts[:end], 1)
		texts = texts[end:]
	}
}

// placeOfTexts is where the texts of the record at hand are if they are most of it, and have many lines: that of the longest one.
func (s *Summary) placeOfTexts(r Record) int {
	if r.Seq > 1 || len(r.Value) < leastText || len(s.texts) == 0 {
		return noPlace
	}
	place := slices.MaxFunc(s.texts, func(a, b textIn) int { return cmp.Compare(len(a.value), len(b.value)) }).place
	bytesOf, lines := 0, 0
	for _, t := range s.texts {
		if t.place == place {
			bytesOf += len(t.value)
			lines += bytes.Count(t.value, []byte(`\n`))
		}
	}
	if 2*bytesOf <= len(r.Value) || lines < leastOfText {
		return noPlace
	}
	return place
}

// addLinesOf takes in the lines of a text in a string.
func (s *Summary) addLinesOf(text []byte, seq int) {
	s.settle()
	s.embedded = bytes.TrimSuffix(jsonx.AppendUnescapedKnown(s.embedded[:0], jsonx.Inside(text)), []byte{'\n'})
	for line := range bytes.SplitSeq(s.embedded, []byte{'\n'}) {
		line = bytes.TrimSuffix(line, []byte{'\r'})
		s.records++
		s.inText++
		s.addLine(Record{Seq: seq, Value: line, IsText: true})
	}
}
