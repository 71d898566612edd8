package protocol

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// walker goes once through JSON that is known to be valid. It is for the chunks that a stream has most of: to look up
// one member after another goes through a chunk as often.
type walker struct {
	json string
	at   int // of the next value
}

// object calls visit with the name of each member, whose value is the next one then; what visit leaves is passed over.
// A value that is no object is passed over.
func (w *walker) object(visit func(name string)) {
	if !w.begins('{') {
		w.skip()
		return
	}
	for w.more('}') {
		name := w.text()
		w.space()
		w.at++ // the colon
		w.space()
		from := w.at
		visit(name)
		if w.at == from {
			w.skip()
		}
	}
}

// array calls visit for each element.
func (w *walker) array(visit func()) {
	if !w.begins('[') {
		w.skip()
		return
	}
	for w.more(']') {
		from := w.at
		visit()
		if w.at == from {
			w.skip()
		}
	}
}

// begins passes over the first character of an object or an array.
func (w *walker) begins(c byte) bool {
	w.space()
	if w.at == len(w.json) || w.json[w.at] != c {
		return false
	}
	w.at++
	return true
}

// more passes over what is between members or elements, or over the end.
func (w *walker) more(end byte) bool {
	w.space()
	if w.at < len(w.json) && w.json[w.at] == ',' {
		w.at++
		w.space()
	}
	if w.at == len(w.json) || w.json[w.at] == end {
		w.at = min(w.at+1, len(w.json))
		return false
	}
	return true
}

func (w *walker) space() {
	for w.at < len(w.json) && w.json[w.at] <= ' ' {
		w.at++
	}
}

// text is the next value if it is a string, else nothing.
func (w *walker) text() string {
	w.space()
	from := w.at
	w.skip()
	raw := w.json[from:w.at]
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if inner := raw[1 : len(raw)-1]; strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return unescaped(raw[1 : len(raw)-1])
}

// next is the first byte of the next value, or 0.
func (w *walker) next() byte {
	w.space()
	if w.at == len(w.json) {
		return 0
	}
	return w.json[w.at]
}

// number is the next value if it is a whole number, else 0.
func (w *walker) number() (n int, ok bool) {
	n, err := strconv.Atoi(w.raw())
	return n, err == nil
}

// value is the next value.
func (w *walker) value() gjson.Result { return gjson.Parse(w.raw()) }

// raw is the next value, as it is written.
func (w *walker) raw() string {
	w.space()
	from := w.at
	w.skip()
	return w.json[from:w.at]
}

// skip passes over the next value.
func (w *walker) skip() {
	w.space()
	if w.at < len(w.json) && w.json[w.at] == '"' {
		w.skipString()
		return
	}
	for depth := 0; w.at < len(w.json); {
		switch w.json[w.at] {
		case '"':
			w.skipString()
		case '{', '[':
			depth++
			w.at++
			continue
		case '}', ']':
			depth--
			w.at++
		case ',', ':', ' ', '\n', '\r', '\t':
			if depth == 0 {
				return
			}
			w.at++
			continue
		default:
			w.skipWord()
		}
		if depth <= 0 {
			return
		}
	}
}

func (w *walker) skipString() {
	const short = 32 // up to here a loop is faster than a call
	for i := w.at + 1; i < len(w.json) && i < w.at+short; i++ {
		switch w.json[i] {
		case '"':
			w.at = i + 1
			return
		case '\\':
			i++
		}
	}
	for w.at++; ; w.at++ {
		end := strings.IndexByte(w.json[w.at:], '"')
		if end < 0 {
			w.at = len(w.json)
			return
		}
		w.at += end
		slashes := 0
		for w.json[w.at-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			w.at++
			return
		}
	}
}

// skipWord passes over a number, true, false or null.
func (w *walker) skipWord() {
	for ; w.at < len(w.json); w.at++ {
		switch w.json[w.at] {
		case ',', '}', ']', ':', ' ', '\n', '\r', '\t':
			return
		}
	}
}
