package summarize

import "bytes"

// A record may be the envelope of another: most of it is one string that holds JSON, as the text that a tool returns by the Model
// Context Protocol (Tool Result), or an event from a queue. It is told as if that JSON stood in place of the string.

// A text of many lines is told by these if it is most of the first record: further ones are seldom the results of tools, and have
// stack traces in their strings.
const (
	leastEnvelope = 64      // bytes
	leastText     = 2 << 10 // bytes of a text
	leastOfText   = 16      // lines of it
)

// open makes payload an envelope with what is in its string in place of that, and says whether the value is one. Where most records with
// JSON in a string are none, none is: their strings are values like others.
func (s *Summary) open(value []byte) bool {
	if s.isOpened = false; s.holders > s.envelopes {
		return false
	}
	switch s.payload, s.isOpened = appendOpened(s.payload[:0], value); {
	case s.isOpened:
		s.envelopes++
	case (s.envelopes > 0 || s.records <= learning) && NextOpening(value) >= 0:
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
	opened = appendUnescaped(opened, inside(value[from:to]))
	if !IsContainer(bytes.TrimRight(opened[at:], " \t\r\n")) {
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
		if end, _ := endOfString(value, at); 2*(end-at-1) > len(value) && !isName(value, end) {
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
	rest := withoutBlanks(value[end:])
	return len(rest) > 0 && rest[0] == ':'
}

// textOf finds the string that is most of a value and has many lines; 0, 0 if there is none.
func textOf(value []byte) (from, to int) {
	if len(value) < leastText {
		return 0, 0
	}
	for at := 0; 2*at < len(value); {
		n := bytes.IndexByte(value[at:], '"')
		if n < 0 {
			break
		}
		from = at + n
		at, _ = endOfString(value, from)
		if isMost := 2*(at-from) > len(value); isMost && !isName(value, at) && bytes.Count(value[from:at], []byte(`\n`)) >= leastOfText {
			return from, at
		}
	}
	return 0, 0
}

// addTextOf takes in the lines of the text in a string.
func (s *Summary) addTextOf(r Record, text []byte) {
	s.payload = bytes.TrimSuffix(appendUnescaped(s.payload[:0], inside(text)), []byte{'\n'})
	for line := range bytes.SplitSeq(s.payload, []byte{'\n'}) {
		line = bytes.TrimSuffix(line, []byte{'\r'})
		s.records++
		s.inText++
		s.addLine(Record{Seq: r.Seq, Value: line, IsText: true})
	}
}
