package summarize

import "github.com/kfw-dev/kfw/internal/jsonx"

// novelty is the most telling reason why a record stands out from those before.
type novelty struct {
	reason noveltyReason
	field  int    // where
	detail []byte // a value or a word, shortened
	kind   jsonx.Kind
}

// noveltyReason is in the order of how much a reason tells.
type noveltyReason uint8

const (
	notNovel noveltyReason = iota
	newLineForm
	newField
	errorWord
	newType
	farOut
	newValue
)

const (
	farOutSpans  = 3  // a number so many spans of the typical range away from it
	maxDetailLen = 40 // bytes of a value in a reason
)

// note keeps the reason if it tells more than the one there is.
func (n *novelty) note(reason noveltyReason, field int, detail []byte, k jsonx.Kind) {
	if reason > n.reason {
		*n = novelty{reason: reason, field: field, detail: appendDetail(n.detail[:0], detail), kind: k}
	}
}

// text is a short phrase, and of which kind that is; path is that of the field, the inside of a JSON string.
func (n *novelty) text(path []byte) (why, kind string) {
	name := string(appendPlain(nil, path))
	switch n.reason {
	case newLineForm:
		return "new kind of line", "new kind of line"
	case newField:
		return "field " + name + " first seen", "new field"
	case newType:
		return "field " + name + " first has type " + n.kind.String(), "new type"
	case farOut:
		return "number " + name + " far out: " + string(n.detail), "far out"
	case newValue:
		return "new value " + name + "=" + string(n.detail), "new value"
	case errorWord:
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
	dst = appendPlain(dst, short)
	if len(short) < len(value) {
		dst = append(dst, jsonx.Ellipsis...)
	}
	return dst
}

// appendPlain appends the inside of a JSON string as text. Control characters
// stay escaped.
func appendPlain(dst, inside []byte) []byte {
	for i := 0; i < len(inside); i++ {
		if inside[i] == '\\' && i+1 < len(inside) && (inside[i+1] == '"' || inside[i+1] == '\\') {
			i++
		}
		dst = append(dst, inside[i])
	}
	return dst
}
