package redact

import "bytes"

// A string may hold JSON: the payload of a queue, the answer of a tool in an envelope. The rules see a text in it, as in any other.
// What only JSON tells, that a number or an object is the value of a sensitive key, or a word the other half of a pair, a filter
// of its own tells, which reads the text as a Reader would. Only the matches of it count, not what it passes on: so what is no match
// stays as it is written.

// maxNested is how deep: a string in a string in a string in a string.
const maxNested = 4

// nested is how far a text was looked at for JSON in it.
type nested struct {
	filter *filter // nil until there was some
	state  nestedState
	at     int    // in buf: what comes before was looked at
	origin int    // in buf: where what the filter reads begins
	read   []span // what it has, and the automaton of the text has not passed over
	spans  []span // found, not in those of the text yet
	end    int    // of the last of them
	output []byte // of the filter, which is for nobody
}

// nestedState is what comes next in a text.
type nestedState uint8

const (
	noneNested    nestedState = iota // nothing: it is no string
	nestedBegin                      // all of it, after blanks
	nestedNewLine                    // a line, after blanks
	nestedText                       // the rest of a line of text
	nestedLine                       // the rest of one that is JSON
	nestedValue                      // the rest of a text that is
)

// beginString says that the text to come is a string.
func (t *Text) beginString() {
	if t.level < maxNested {
		t.nested.state, t.nested.at, t.nested.end = nestedBegin, len(t.buf), -1
	}
}

// clear forgets what was looked at.
func (n *nested) clear() { n.state, n.read, n.spans = noneNested, n.read[:0], n.spans[:0] }

// readNested reads on in the JSON that the text may hold, and returns the start of what it can't tell yet.
func (t *Text) readNested(end bool) int {
	n := &t.nested
	if n.state == nestedBegin && n.at < len(t.buf) {
		if c := t.buf[n.at]; !whitespace.has(c) && c != '{' && c != '[' { // as nearly always
			n.state = nestedText
		}
	}
	for n.state != noneNested && n.at < len(t.buf) {
		rest := t.buf[n.at:]
		line := 0
		if n.state != nestedValue {
			line = bytes.IndexByte(rest, '\n') + 1
		}
		switch n.state {
		case nestedBegin, nestedNewLine:
			blanks := whitespace.run(rest, 0, len(rest))
			n.at += blanks
			if blanks == len(rest) {
				return len(t.buf)
			}
			t.beginNested(rest[blanks])
		case nestedText:
			if line == 0 {
				n.at = len(t.buf)
				return n.at
			}
			n.at += line
			n.state = nestedNewLine
		case nestedLine:
			if line == 0 {
				n.feed(rest)
				break
			}
			n.feed(rest[:line])
			n.finish()
			n.state = nestedNewLine
		case nestedValue:
			n.feed(rest)
		}
	}
	switch {
	case n.state < nestedLine:
		return len(t.buf)
	case end:
		n.finish()
		return len(t.buf)
	}
	return n.origin + int(n.filter.decided())
}

// beginNested tells by its first byte what comes next in the text.
func (t *Text) beginNested(c byte) {
	n := &t.nested
	format := Lines
	switch {
	case n.state == nestedBegin && (c == '{' || c == '['):
		n.state, format = nestedValue, JSON
	case c == '{':
		n.state = nestedLine
	default:
		n.state = nestedText
		return
	}
	if n.filter == nil {
		n.filter = newFilter(t.rules, t.rules.text(false))
		n.filter.text.level = t.level + 1
		n.filter.text.packed.level = unpackLevel // the text is unpacked as it is
		n.filter.hide = t.hideNested
		n.filter.text.hide = n.filter.hide
	}
	n.filter.position = position{}
	n.filter.start(format)
	n.origin = n.at
	n.read = append(n.read, span{start: n.at, end: n.at})
}

func (n *nested) feed(part []byte) {
	n.output, _ = n.filter.feed(n.output[:0], part)
	n.at += len(part)
	n.read[len(n.read)-1].end = n.at
}

// pass goes on after what the filter has read at the given place in buf, and returns where to, and where the next such begins, or end.
func (n *nested) pass(at, end int) (from, to int) {
	if len(n.read) == 0 {
		return at, end
	}
	passed := 0
	for _, s := range n.read {
		if s.start > at {
			end = s.start
			break
		}
		at = max(at, s.end)
		passed++
	}
	if passed > 0 && n.state >= nestedLine && passed == len(n.read) {
		passed-- // it is read on
	}
	n.read = n.read[:copy(n.read, n.read[passed:])]
	return at, end
}

func (n *nested) finish() { n.output = n.filter.finish(n.output[:0]) }

// matchGoesOn says whether a match that what was read ends in may go on.
func (n *nested) matchGoesOn() bool {
	return n.state >= nestedLine && (n.filter.swallows() || n.filter.text.matchGoesOn())
}

// hideNested takes in what the filter has read of a match, before the rest of it if there is more.
func (t *Text) hideNested(m hiddenPart) {
	n := &t.nested
	s := span{n.origin + int(m.from), n.origin + int(m.to), m.rule, m.quotes}
	if s.quotes > 0 {
		if w := (window{t.buf, true, &t.around}); s.end-s.start <= maxMarker && w.marker(s.start) == s.end {
			return // no array, but what was put in place of one
		}
		s.quotes++ // it is in one string more
	}
	switch last := len(n.spans) - 1; {
	case last >= 0 && s.start <= n.spans[last].start:
		n.spans[last] = span{s.start, max(s.end, n.end), s.rule, s.quotes}
	case last >= 0 && s.start < n.end:
		n.spans[last].end = max(s.end, n.end)
	case s.start < n.end: // which the text has already
		s.start = n.end - 1
		fallthrough
	default:
		n.spans = append(n.spans, s)
	}
	n.end = max(n.end, s.end)
}

// addNested makes the matches that begin before safe those of the text. No rule is asked what is a match beyond.
func (t *Text) addNested(safe int) {
	n := &t.nested
	if len(n.spans) == 0 {
		return
	}
	added := 0
	for added < len(n.spans) && n.spans[added].start < safe {
		t.add(n.spans[added])
		added++
	}
	n.spans = n.spans[:copy(n.spans, n.spans[added:])]
}

// move goes on in a buffer that begins by bytes later.
func (n *nested) move(by int) {
	n.at -= by
	n.origin -= by
	n.end -= by
	for _, all := range [][]span{n.read, n.spans} {
		for i := range all {
			all[i].start -= by
			all[i].end -= by
		}
	}
}

// hiddenPart is what has been read of a match, at offsets in an input.
type hiddenPart struct {
	rule     int
	from, to int64
	quotes   quotes
}

// quotes is how many are around a marker in place of a value that was none of a string: 0 for none, 1 for a pair, 2 for
// one in a string, whose backslashes are written, and so on.
type quotes uint8

// append appends one of them.
func (q quotes) append(dst []byte) []byte {
	if q == 0 {
		return dst
	}
	for range 1<<(q-1) - 1 {
		dst = append(dst, '\\')
	}
	return append(dst, '"')
}
