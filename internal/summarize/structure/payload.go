package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
)

// Texts of many lines are shown by these if they are most of the first record, as what a command printed is. So are
// those at the same place in further ones if there are few fields around them. Else they are seldom the results of
// tools, stack traces are among them, and sources: then they are shown if no further record comes.
const (
	leastEnvelope = 64      // bytes
	LeastText     = 2 << 10 // bytes of a record of texts
	LeastOfText   = 16      // lines of them
	PlacesAround  = 16      // places in a record that further ones like it have texts in
)

// Where texts are that are shown by their lines, if not at a place.
const (
	AnyPlace = NoNode - 1 // the first record will tell
	NoPlace  = NoNode
)

// TextIn is a string of several lines in the current record.
type TextIn struct {
	Place int
	Value []byte // JSON
}

// AppendOpened appends an envelope with what is in its string in place of that, and says whether the value is one.
func AppendOpened(dst, value []byte) (opened []byte, ok bool) {
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

// payloadOf finds the string that is most of a value and may be a container; 0, 0 if there is none. It begins in the
// first half.
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

// NextOpening is where in JSON the next string begins that begins with a bracket, as one does that holds an object or
// an array; -1 if there is none.
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
