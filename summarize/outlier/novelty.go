package outlier

import "github.com/kfw-dev/kfw/internal/jsonx"

// Novelty is the most telling reason why a record stands out from those before.
type Novelty struct {
	Reason noveltyReason
	Field  int    // where
	detail []byte // a value or a word, shortened
	kind   jsonx.Kind
}

// noveltyReason is in the order of how much a reason tells.
type noveltyReason uint8

// The reasons, each of which tells more than those before it.
const (
	NotNovel    noveltyReason = iota // nothing is new
	NewLineForm                      // the first line of its form
	NewField                         // the first record with the field
	ErrorWord                        // a word that names an error
	NewType                          // the first value of its type in the field
	FarOut                           // a number more than FarOutSpans away from the typical ones
	NewValue                         // a value that has not come before, in a field with few
)

const (
	FarOutSpans  = 3  // a number so many spans of the typical range away from it
	maxDetailLen = 40 // bytes of a value in a reason
)

// Note keeps the reason if it tells more than the one there is.
func (n *Novelty) Note(reason noveltyReason, field int, detail []byte, k jsonx.Kind) {
	if reason > n.Reason {
		*n = Novelty{Reason: reason, Field: field, detail: appendDetail(n.detail[:0], detail), kind: k}
	}
}

// Text is a short phrase, and of which kind that is; path is that of the field, the inside of a JSON string.
func (n *Novelty) Text(path []byte) (why, kind string) {
	name := string(AppendPlain(nil, path))
	switch n.Reason {
	case NewLineForm:
		return "new kind of line", "new kind of line"
	case NewField:
		return "field " + name + " first seen", "new field"
	case NewType:
		return "field " + name + " first has type " + n.kind.String(), "new type"
	case FarOut:
		return "number " + name + " far out: " + string(n.detail), "far out"
	case NewValue:
		return "new value " + name + "=" + string(n.detail), "new value"
	case ErrorWord:
		if len(path) == 0 {
			return "error: " + string(n.detail), "error"
		}
		return "error: " + string(n.detail) + " in " + name, "error"
	}
	return "", ""
}

// appendDetail appends a JSON scalar as text, shortened, or plain text.
func appendDetail(dst, value []byte) []byte {
	if len(value) >= 2 && value[0] == '"' {
		value = value[1 : len(value)-1]
	}
	short := jsonx.CutInside(value, maxDetailLen)
	dst = AppendPlain(dst, short)
	if len(short) < len(value) {
		dst = append(dst, jsonx.Ellipsis...)
	}
	return dst
}

// AppendPlain appends the inside of a JSON string as text. Control characters
// stay escaped.
func AppendPlain(dst, inside []byte) []byte {
	for i := 0; i < len(inside); i++ {
		if inside[i] == '\\' && i+1 < len(inside) && (inside[i+1] == '"' || inside[i+1] == '\\') {
			i++
		}
		dst = append(dst, inside[i])
	}
	return dst
}
