package summarize

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// A record may be the envelope of another: most of it is one string that holds JSON, as the text that a tool returns
// by the Model Context Protocol (Tool Result), or an event from a queue. It is shown as if that JSON stood in place of
// the string.

// stringReader takes in what strings of records hold: JSON, or a text of many lines.
type stringReader struct {
	*Summary

	embedded   []byte             // the object in a string, or the text,
	isInString bool               // which the current value is in
	payload    []byte             // the current record with the JSON in its string opened,
	isOpened   bool               // if it is an envelope,
	envelopes  int                // as so many were,
	holders    int                // and so many others had strings with JSON
	texts      []structure.TextIn // in the current record
	textPlace  int                // of those that are shown by their lines
	heldTexts  []byte             // of the first record, if they are shown only where no other comes
}

// mostUndecided is how many records come before it is decided whether JSON in a string is opened.
const mostUndecided = 20

// open makes payload an envelope with what is in its string in place of that, and says whether the value is one.
// Where most records with JSON in a string are none, none is: their strings are values like others.
func (s *stringReader) open(value []byte) bool {
	if s.isOpened = false; s.holders > s.envelopes {
		return false
	}
	switch s.payload, s.isOpened = structure.AppendOpened(s.payload[:0], value); {
	case s.isOpened:
		s.envelopes++
	case (s.envelopes > 0 || s.records <= mostUndecided) && structure.NextOpening(value) >= 0:
		s.holders++
	}
	return s.isOpened
}

// keepText keeps a string of the current record if it has lines that are shown, or several that may be.
func (s *stringReader) keepText(value []byte, place int) {
	switch {
	case s.isInString || len(jsonx.Inside(value)) == 0:
		return
	case s.textPlace == structure.AnyPlace:
		if _, isCut := fields.FirstLine(jsonx.Inside(value)); !isCut {
			return
		}
	case s.textPlace != place:
		return
	}
	s.texts = append(s.texts, structure.TextIn{Place: place, Value: value})
}

// addTexts takes in the lines of the texts in a record that has been added.
func (s *stringReader) addTexts(r structure.Record) {
	isFirst := s.textPlace == structure.AnyPlace
	if isFirst {
		s.textPlace = s.placeOfTexts(r)
	}
	isAlone := isFirst && len(s.places.Fields) > structure.PlacesAround
	for _, t := range s.texts {
		switch {
		case t.Place != s.textPlace:
		case isAlone:
			s.heldTexts = append(s.heldTexts, t.Value...)
		default:
			s.addLinesOf(t.Value, r.Seq)
		}
	}
	s.texts = s.texts[:0]
	if isAlone {
		s.textPlace = structure.NoPlace
	}
}

// addHeldTexts takes in the texts of the first record if no other came.
func (s *stringReader) addHeldTexts() {
	texts := s.heldTexts
	for s.heldTexts = texts[:0]; len(texts) > 0; {
		end, _ := jsonx.EndOfString(texts, 0)
		s.addLinesOf(texts[:end], 1)
		texts = texts[end:]
	}
}

// placeOfTexts is where the texts of the current record are if they are most of it, and have many lines: that of the
// longest one.
func (s *stringReader) placeOfTexts(r structure.Record) int {
	if r.Seq > 1 || len(r.Value) < structure.LeastText || len(s.texts) == 0 {
		return structure.NoPlace
	}
	place := slices.MaxFunc(s.texts,
		func(a, b structure.TextIn) int { return cmp.Compare(len(a.Value), len(b.Value)) }).Place
	bytesOf, lines := 0, 0
	for _, t := range s.texts {
		if t.Place == place {
			bytesOf += len(t.Value)
			lines += bytes.Count(t.Value, []byte(`\n`))
		}
	}
	if 2*bytesOf <= len(r.Value) || lines < structure.LeastOfText {
		return structure.NoPlace
	}
	return place
}

// addLinesOf takes in the lines of a text in a string.
func (s *stringReader) addLinesOf(text []byte, seq int) {
	s.lines.settle()
	s.embedded = bytes.TrimSuffix(jsonx.AppendUnescapedKnown(s.embedded[:0], jsonx.Inside(text)), []byte{'\n'})
	for line := range bytes.SplitSeq(s.embedded, []byte{'\n'}) {
		line = bytes.TrimSuffix(line, []byte{'\r'})
		s.records++
		s.inText++
		s.lines.addLine(structure.Record{Seq: seq, Value: line, IsText: true})
	}
}
