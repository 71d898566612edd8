package protocol

import (
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
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
		w.pass(':')
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
	w.pass(',')
	if w.at == len(w.json) || w.json[w.at] == end {
		w.at = min(w.at+1, len(w.json))
		return false
	}
	return true
}

// pass passes over a sign between values, and white space.
func (w *walker) pass(sign byte) {
	for w.at < len(w.json) && (w.json[w.at] == sign || w.json[w.at] <= ' ') {
		w.at++
	}
}

func (w *walker) space() {
	for w.at < len(w.json) && w.json[w.at] <= ' ' {
		w.at++
	}
}

// text is the next value if it is a string, else nothing.
func (w *walker) text() string {
	w.space()
	if w.at == len(w.json) || w.json[w.at] != '"' {
		w.skip()
		return ""
	}
	from := w.at + 1
	end, isEscaped := jsonx.EndOfString(w.json, w.at)
	w.at = end
	inside := w.json[from:max(from, end-1)]
	if isEscaped {
		return unescaped(inside)
	}
	return inside
}

// words returns the next value if it is a string. Any other value that is not empty is an unknown
// item.
func (w *walker) words(name string, to *Steps) string {
	if w.next() == '"' {
		return w.text()
	}
	if !saysNothing(w.raw()) {
		to.strange(name)
	}
	return ""
}

// argument is the next value as the text of arguments: see argument.
func (w *walker) argument() string {
	if w.next() == '"' {
		return w.text()
	}
	return argument(w.value())
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
	if w.space(); w.at < len(w.json) {
		w.at = jsonx.EndOfValue(w.json, w.at)
	}
}
