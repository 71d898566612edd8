// Package wire cuts the bytes of a stream into JSON texts, whatever way a provider frames them in.
// Bytes go in, cut anywhere; items come out, which do not depend on the cuts. It knows no provider.
package wire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Framing is how the items of a stream are told apart.
type Framing string

// The framings.
const (
	ServerSentEvents Framing = "sse"
	Lines            Framing = "ndjson"
	BinaryFrames     Framing = "eventstream"
	JSONArray        Framing = "json-array"
)

// Reader cuts a stream of bytes into items: events of server-sent events, lines of JSON, values of JSON over several
// lines, elements of one JSON array, or frames of a binary event stream. The first bytes show which: a line that begins
// with a brace is no field of server-sent events, and no text begins with the checksum of its own first bytes. A Reader
// looks at every byte a bounded number of times, whatever the cuts.
//
// Server-sent events are those of https://html.spec.whatwg.org/multipage/server-sent-events.html, except that an event
// at the end of the input needs no blank line after it.
type Reader struct {
	maxLine int // bytes
	buf     []byte
	start   int // of what has not been consumed
	lf, cr  int // where the next ones are at or after start; len(buf) if there is none up to there
	ended   bool

	kind     frameKind
	framing  Framing // of the last item
	afterCR  bool    // the last line ended in CR: an LF that follows belongs to it
	skipping bool    // the rest of a line that is too long, or of an element that is no object
	skip     int64   // bytes of a frame that is too long
	lines    int64
	event    eventLines
	value    openValue
	ready    []Item // items that came with the one before
}

// eventLines is the server-sent event under way.
type eventLines struct {
	name     string
	lastName string // of the event before: the next one often has the same name
	first    string // line of data
	data     []byte // all of them, if there are more
	lines    int    // of data
}

type frameKind uint8

const (
	unknownFrames frameKind = iota
	textFrames
	binaryFrames
	arrayFrames
	lostFrames // nothing more is read
)

// Item is one JSON text of the stream, or what is wrong with a piece of it.
type Item struct {
	Event string // of server-sent events, or the type of a binary frame
	JSON  string // a valid object
	At    int64  // line, or number of the frame or element, from 1
	Fault Fault
	Done  bool // the end mark [DONE]
}

// Fault is what is wrong with an item.
type Fault uint8

// The faults.
const (
	NoFault   Fault = iota
	Malformed       // not JSON; the next one may be
	TooLong         // longer than a line may be
	Corrupt         // a frame whose checksum is wrong: where the next one begins is not known
)

// DoneMark is the data of the event that ends a stream, in any protocol.
const DoneMark = "[DONE]"

// NewReader returns a Reader of lines, events, elements and frames of at most maxLine bytes.
func NewReader(maxLine int) *Reader { return &Reader{maxLine: maxLine} }

// Framing returns the framing of the last item.
func (f *Reader) Framing() Framing { return f.framing }

// End says that no more bytes come.
func (f *Reader) End() { f.ended = true }

// Ended reports whether End was called.
func (f *Reader) Ended() bool { return f.ended }

// PushItem takes in an item that is already cut out: a JSON text, which it copies.
func (f *Reader) PushItem(json []byte) {
	f.lines++
	if f.framing == "" {
		f.framing = Lines
	}
	if len(json) > f.maxLine {
		f.ready = append(f.ready, f.drop())
		return
	}
	f.ready = append(f.ready, f.item(string(json)))
}

// Push takes in bytes. It does not keep b.
func (f *Reader) Push(b []byte) {
	if f.kind == lostFrames {
		return
	}
	if f.start > 0 && f.start >= len(f.buf)/2 {
		f.discard()
	}
	f.buf = append(f.buf, b...)
}

// discard moves what has not been consumed to the front.
func (f *Reader) discard() {
	const large = 1 << 20 // bytes of a buffer that a long line has left
	if rest := len(f.buf) - f.start; cap(f.buf) > large && rest < large/2 {
		f.buf = slices.Clone(f.buf[f.start:])
	} else {
		f.buf = f.buf[:copy(f.buf, f.buf[f.start:])]
	}
	f.lf, f.cr = max(0, f.lf-f.start), max(0, f.cr-f.start)
	f.value.at = max(0, f.value.at-f.start)
	f.start = 0
}

// Next returns the next item that is whole.
func (f *Reader) Next() (Item, bool) {
	if len(f.ready) > 0 {
		next := f.ready[0]
		f.ready = f.ready[1:]
		return next, true
	}
	if f.kind == unknownFrames && !f.tell() {
		return Item{}, false
	}
	switch f.kind {
	case binaryFrames:
		return f.frame()
	case arrayFrames:
		return f.element()
	case lostFrames:
		return Item{}, false
	}
	for {
		line, why, ok := f.line()
		if !ok {
			break
		}
		if why == TooLong {
			return f.drop(), true
		}
		if next, ok := f.field(line); ok {
			return next, true
		}
	}
	if f.ended && f.value.open {
		return f.breakOff(), true
	}
	if f.ended && f.event.lines > 0 {
		return f.dispatch()
	}
	return Item{}, false
}

// tell finds out what frames there are, once there are enough bytes.
func (f *Reader) tell() bool {
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
	return f.kind != textFrames || f.lookForArray()
}

// lookForArray finds out whether the text is one JSON array of objects. It reports false if more bytes are needed.
func (f *Reader) lookForArray() bool {
	inside := false
	for i, c := range f.buf[f.start:] {
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == '[' && !inside:
			inside = true
		default:
			if inside && (c == '{' || c == ']') {
				f.kind, f.framing = arrayFrames, JSONArray
				f.start += i
			}
			return true
		}
		if i == arrayHeadMax {
			return true
		}
	}
	if !f.ended {
		f.kind = unknownFrames
	}
	return f.ended
}

// line returns the next line without its end. The last one of the input needs none.
func (f *Reader) line() (line []byte, why Fault, ok bool) {
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
			return nil, NoFault, false
		}
		if size == 0 && !f.skipping {
			return nil, NoFault, false
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
		return nil, TooLong, true
	}
	return line, NoFault, true
}

// lineEnd returns where the line at start ends, or len(buf).
func (f *Reader) lineEnd() int {
	f.lf = f.find(f.lf, '\n')
	f.cr = f.find(f.cr, '\r')
	return min(f.lf, f.cr)
}

// find returns where the next c is, when none is between start and from.
func (f *Reader) find(from int, c byte) int {
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
func (f *Reader) field(line []byte) (Item, bool) {
	if f.value.open {
		if f.value.goesOn(line, f.framing) {
			return f.more(line)
		}
		broken := f.breakOff()
		if next, ok := f.field(line); ok {
			f.ready = append(f.ready, next)
		}
		return broken, true
	}
	if len(line) == 0 {
		if f.event.lines > 0 {
			return f.dispatch()
		}
		f.event.name = ""
		return Item{}, false
	}
	switch line[0] {
	case '{':
		return f.object(line)
	case ':':
		return Item{}, false // a comment
	}
	name, value, _ := bytes.Cut(line, []byte{':'})
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	switch string(name) {
	case "data":
		if f.event.lines++; f.event.lines == 1 {
			f.event.first = f.text(value)
			return Item{}, false
		}
		if f.event.lines == 2 {
			f.event.data = append(f.event.data[:0], f.event.first...)
		}
		f.event.data = append(append(f.event.data, '\n'), value...)
		if len(f.event.data) > f.maxLine {
			return f.drop(), true
		}
	case "event":
		if f.event.lastName != string(value) {
			f.event.lastName = string(value)
		}
		f.event.name = f.event.lastName
	case "id", "retry":
	default:
		text := bytes.TrimSpace(line)
		switch {
		case string(text) == DoneMark:
			return Item{At: f.lines, Done: true}, true
		case len(text) > 0 && f.framing != ServerSentEvents: // which may have fields that are not known
			return f.object(text)
		}
	}
	return Item{}, false
}

// largeLine is from where on a line is not copied out of the buffer, but takes the buffer with it, in bytes.
const largeLine = 1 << 20

// text returns a part of the line that was read last. Of a large one the buffer is given up.
func (f *Reader) text(line []byte) string {
	if len(line) < largeLine || len(line) < cap(f.buf)/2 {
		return string(line)
	}
	rest := len(f.buf) - f.start
	f.buf = append(make([]byte, 0, rest), f.buf[f.start:]...)
	f.lf, f.cr, f.start = 0, 0, 0
	return ascii.LentString(line) // nothing else has it
}

// drop forgets an event that is too long.
func (f *Reader) drop() Item {
	f.event.name, f.event.first, f.event.lines = "", "", 0
	return Item{At: f.lines, Fault: TooLong}
}

// dispatch ends an event. Producers that leave out the blank line between events make one of several JSON texts.
func (f *Reader) dispatch() (Item, bool) {
	f.framing = ServerSentEvents
	text := f.event.first
	if f.event.lines > 1 {
		text = string(f.event.data)
	}
	f.event.first, f.event.lines = "", 0
	next := f.item(text)
	if next.Fault == Malformed && strings.Contains(text, "\n") {
		var parts []Item
		for line := range strings.SplitSeq(text, "\n") {
			part := f.item(line)
			if part.Fault != NoFault {
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
	f.event.name = ""
	return next, true
}

func (f *Reader) item(text string) Item {
	next := Item{Event: f.event.name, JSON: text, At: f.lines}
	switch {
	case len(text) < 2*len(DoneMark) && strings.TrimSpace(text) == DoneMark:
		next.Done = true
	case !isObject(text):
		next.Fault = Malformed
	}
	return next
}
