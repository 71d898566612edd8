package turn

import (
	"bytes"
	"strings"

	"github.com/tidwall/gjson"
)

// framer cuts a stream of bytes into items: events of server-sent events, lines of JSON, or frames of a binary event
// stream. Which of them it is shows itself: a line that begins with a brace is no field of server-sent events, and no
// text begins with the checksum of its own first bytes. Every byte is looked at a bounded number of times, whatever
// the cuts.
//
// Server-sent events are those of https://html.spec.whatwg.org/multipage/server-sent-events.html, but that an event at
// the end of the input needs no blank line after it.
type framer struct {
	maxLine int // bytes
	buf     []byte
	start   int // of what has not been consumed
	lf, cr  int // where the next ones are at or after start; len(buf) if there is none up to there
	ended   bool

	kind      frameKind
	framing   Framing // of the last item
	afterCR   bool    // the last line ended in CR: an LF that follows belongs to it
	skipping  bool    // the rest of a line that is too long
	lines     int64
	event     string // under way
	lastEvent string // that was named: the next one often has the same name
	first     string // line of data of the event under way
	data      []byte // all of them, if there are more
	dataLines int
	ready     []item // of an event that turned out to be several
}

type frameKind uint8

const (
	unknownFrames frameKind = iota
	textFrames
	binaryFrames
)

// item is one JSON text of the stream, or what is wrong with a piece of it.
type item struct {
	event  string // of server-sent events, or the type of a binary frame
	json   string // valid JSON
	at     int64  // line, or number of the frame, from 1
	broken brokenness
	done   bool // the end mark [DONE]
}

type brokenness uint8

const (
	whole     brokenness = iota
	malformed            // not JSON; the next one may be
	tooLong              // longer than a line may be
	corrupt              // a frame whose checksum is wrong: where the next one begins is not known
)

const doneMark = "[DONE]"

// push takes in bytes. It does not keep b.
func (f *framer) push(b []byte) {
	if f.start > 0 && f.start >= len(f.buf)/2 {
		f.discard()
	}
	f.buf = append(f.buf, b...)
}

// discard moves what has not been consumed to the front.
func (f *framer) discard() {
	n := copy(f.buf, f.buf[f.start:])
	f.buf = f.buf[:n]
	f.lf, f.cr = max(0, f.lf-f.start), max(0, f.cr-f.start)
	f.start = 0
}

// next returns the next item that is whole.
func (f *framer) next() (item, bool) {
	if len(f.ready) > 0 {
		next := f.ready[0]
		f.ready = f.ready[1:]
		return next, true
	}
	if f.kind == unknownFrames && !f.tell() {
		return item{}, false
	}
	if f.kind == binaryFrames {
		return f.frame()
	}
	for {
		line, why, ok := f.line()
		if !ok {
			break
		}
		if why == tooLong {
			return f.drop(), true
		}
		if next, ok := f.field(line); ok {
			return next, true
		}
	}
	if f.ended && f.dataLines > 0 {
		return f.dispatch()
	}
	return item{}, false
}

// tell finds out what frames there are, once there are enough bytes.
func (f *framer) tell() bool {
	const bom = "\ufeff"
	head := f.buf[f.start:]
	switch {
	case len(head) > 0 && head[0] == 0: // the length of a frame; no text begins so
		if len(head) < preludeSize && !f.ended {
			return false
		}
		f.kind = textFrames
		if isPrelude(head) {
			f.kind = binaryFrames
		}
	case len(head) >= len(bom) || f.ended || len(head) > 0 && head[0] != bom[0]:
		f.kind = textFrames
		if bytes.HasPrefix(head, []byte(bom)) {
			f.start += len(bom)
		}
	default:
		return false
	}
	return true
}

// line returns the next line without its end. The last one of the input needs none.
func (f *framer) line() (line []byte, why brokenness, ok bool) {
	if f.afterCR && f.start < len(f.buf) {
		f.afterCR = false
		if f.buf[f.start] == '\n' {
			f.start++
		}
	}
	end := f.lineEnd()
	size := end - f.start
	if end == len(f.buf) {
		if !f.ended {
			if size > f.maxLine {
				f.skipping = true
				f.start = end
			}
			return nil, whole, false
		}
		if size == 0 && !f.skipping {
			return nil, whole, false
		}
	}
	line = f.buf[f.start:end]
	f.start = end
	if end < len(f.buf) {
		f.afterCR = f.buf[end] == '\r'
		f.start++
	}
	f.lines++
	if f.skipping || size > f.maxLine {
		f.skipping = false
		return nil, tooLong, true
	}
	return line, whole, true
}

// lineEnd returns where the line at start ends, or len(buf).
func (f *framer) lineEnd() int {
	f.lf = f.find(f.lf, '\n')
	f.cr = f.find(f.cr, '\r')
	return min(f.lf, f.cr)
}

// find returns where the next c is, when none is between start and from.
func (f *framer) find(from int, c byte) int {
	if from >= f.start && from < len(f.buf) && f.buf[from] == c {
		return from
	}
	from = max(from, f.start)
	if i := bytes.IndexByte(f.buf[from:], c); i >= 0 {
		return from + i
	}
	return len(f.buf)
}

// field takes in a line, and returns an item if one ends with it.
func (f *framer) field(line []byte) (item, bool) {
	if len(line) == 0 {
		if f.dataLines > 0 {
			return f.dispatch()
		}
		f.event = ""
		return item{}, false
	}
	switch line[0] {
	case '{':
		f.framing = Lines
		return f.item(string(line)), true
	case ':':
		return item{}, false // a comment
	}
	name, value, _ := bytes.Cut(line, []byte{':'})
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	switch string(name) {
	case "data":
		if f.dataLines++; f.dataLines == 1 {
			f.first = string(value)
			return item{}, false
		}
		if f.dataLines == 2 {
			f.data = append(f.data[:0], f.first...)
		}
		f.data = append(append(f.data, '\n'), value...)
		if len(f.data) > f.maxLine {
			return f.drop(), true
		}
	case "event":
		if f.lastEvent != string(value) {
			f.lastEvent = string(value)
		}
		f.event = f.lastEvent
	case "id", "retry":
	default:
		text := bytes.TrimSpace(line)
		switch {
		case string(text) == doneMark:
			return item{at: f.lines, done: true}, true
		case len(text) > 0 && f.framing != ServerSentEvents: // which may have fields that are not known
			return f.item(string(text)), true
		}
	}
	return item{}, false
}

// drop forgets an event that is too long.
func (f *framer) drop() item {
	f.event, f.first, f.dataLines = "", "", 0
	return item{at: f.lines, broken: tooLong}
}

// dispatch ends an event. Producers that leave out the blank line between events make one of several JSON texts.
func (f *framer) dispatch() (item, bool) {
	f.framing = ServerSentEvents
	text := f.first
	if f.dataLines > 1 {
		text = string(f.data)
	}
	f.first, f.dataLines = "", 0
	next := f.item(text)
	if next.broken == malformed && strings.Contains(text, "\n") {
		var parts []item
		for line := range strings.SplitSeq(text, "\n") {
			part := f.item(line)
			if part.broken != whole {
				parts = nil
				break
			}
			parts = append(parts, part)
		}
		if parts != nil {
			f.ready = parts[1:]
			next = parts[0]
		}
	}
	f.event = ""
	return next, true
}

func (f *framer) item(text string) item {
	next := item{event: f.event, json: text, at: f.lines}
	switch {
	case len(text) < 2*len(doneMark) && strings.TrimSpace(text) == doneMark:
		next.done = true
	case !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") || !gjson.Valid(text):
		next.broken = malformed
	}
	return next
}
