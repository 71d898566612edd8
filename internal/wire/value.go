package wire

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// arrayHeadMax is how many bytes of white space may stand before the first object of an array.
const arrayHeadMax = 1 << 10

// openValue is a JSON value that is not whole yet: over several lines, or an element of an array.
type openValue struct {
	open     bool
	depth    int
	inString bool
	escaped  bool   // the last byte was a backslash in a string
	text     []byte // of a value over several lines
	at       int    // what of an element was scanned, as an offset in the buffer
	dropped  bool   // the element is too long
}

// scan goes on in the value, and returns how many bytes of b belong to it: up to its end, or all.
func (v *openValue) scan(b []byte) int {
	for i := 0; i < len(b); i++ {
		switch {
		case v.escaped:
			v.escaped = false
		case v.inString:
			next := bytes.IndexAny(b[i:], `"\`)
			if next < 0 {
				return len(b)
			}
			i += next
			v.escaped, v.inString = b[i] == '\\', b[i] == '\\'
		default:
			switch b[i] {
			case '"':
				v.inString = true
			case '{', '[':
				v.depth++
			case '}', ']':
				if v.depth--; v.depth == 0 {
					return i + 1
				}
			}
		}
	}
	return len(b)
}

// goesOn reports whether a line can be the next one of a value that is printed over several lines: it is indented, or
// begins with what closes the value or separates its members.
func (v *openValue) goesOn(line []byte, framing Framing) bool {
	if len(line) == 0 {
		return framing != ServerSentEvents
	}
	switch line[0] {
	case ' ', '\t', '}', ']', '"', ',':
		return true
	}
	return false
}

// object takes in a line that begins with a brace, or is no field: a JSON text, or the first line
// of one that is printed over several lines.
func (f *Reader) object(line []byte) (Item, bool) {
	if f.framing != ServerSentEvents {
		f.framing = Lines
	}
	next := f.item(f.text(line))
	if next.Fault != Malformed || line[0] != '{' {
		return next, true
	}
	v := openValue{}
	if end := v.scan(line); end == len(line) && v.depth > 0 && !v.inString {
		f.value = v
		f.value.open, f.value.text = true, append(f.value.text[:0], line...)
		return Item{}, false
	}
	return next, true
}

// more takes in the next line of a value over several lines.
func (f *Reader) more(line []byte) (Item, bool) {
	v := &f.value
	if len(v.text)+len(line) > f.maxLine {
		f.value = openValue{}
		return f.drop(), true
	}
	v.text = append(append(v.text, '\n'), line...)
	if v.scan(line); v.depth > 0 {
		if v.inString { // no string goes on in the next line
			return f.breakOff(), true
		}
		return Item{}, false
	}
	next := f.item(string(v.text))
	f.value = openValue{}
	return next, true
}

// breakOff ends a value whose rest does not come.
func (f *Reader) breakOff() Item {
	f.value = openValue{}
	return Item{At: f.lines, Fault: Malformed}
}

// element returns the next element of an array.
func (f *Reader) element() (Item, bool) {
	v := &f.value
	if f.skipping {
		return f.skipScalar()
	}
	if !v.open {
		rest := f.buf[f.start:]
		blank := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n,[]"))
		if f.start += blank; f.start == len(f.buf) {
			return Item{}, false
		}
		if f.buf[f.start] != '{' {
			f.skipping = true
			return f.skipScalar()
		}
		v.open, v.at = true, f.start
	}
	v.at += v.scan(f.buf[v.at:])
	switch {
	case v.depth == 0:
		f.lines++
		text, dropped := f.buf[f.start:v.at], v.dropped
		f.start = v.at
		f.value = openValue{}
		if dropped || len(text) > f.maxLine {
			return f.drop(), true
		}
		return f.item(string(text)), true
	case f.ended:
		f.lines++
		f.start = len(f.buf)
		return f.breakOff(), true
	case v.at-f.start > f.maxLine:
		v.dropped = true
		f.start = v.at
	}
	return Item{}, false
}

// skipScalar passes over an element that is no object, up to what separates it from the next one.
func (f *Reader) skipScalar() (Item, bool) {
	end := bytes.IndexAny(f.buf[f.start:], ",\n{]")
	if end < 0 {
		end = len(f.buf) - f.start
	}
	f.start += end
	if f.start == len(f.buf) && !f.ended {
		return Item{}, false
	}
	f.skipping = false
	f.lines++
	return f.breakOff(), true
}

// isObject reports whether text is a valid JSON object.
func isObject(text string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\r', '\n':
		case '{':
			return Valid(text)
		default:
			return false
		}
	}
	return false
}

// depthMax is how deep values may be in each other: whoever checks them needs stack for each level.
const depthMax = 10_000

// Valid reports whether text is JSON, and no deeper than values may be in each other.
func Valid(text string) bool { return jsonx.Valid(text, depthMax) }
