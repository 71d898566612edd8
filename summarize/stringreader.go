package summarize

import (
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// A record may be the envelope of another: most of it is one string that holds JSON, as the text that a tool returns
// by the Model Context Protocol (Tool Result), or an event from a queue. It is shown as if that JSON stood in place of
// the string.

// stringReader takes in the JSON that strings of records hold.
type stringReader struct {
	*Summary

	embedded   []byte // the object in a string,
	isInString bool   // which the current value is in
	payload    []byte // the current record with the JSON in its string opened,
	isOpened   bool   // if it is an envelope,
	envelopes  int    // as so many were,
	holders    int    // and so many others had strings with JSON
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
