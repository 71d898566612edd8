package fields

import (
	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
)

// HasLike reports whether a text is about as long as the values of a field, and one of those that are
// known is made of the same kinds of characters.
func (f *Field) HasLike(text []byte) bool {
	if 2*len(text) <= f.Shortest || len(text) >= 2*f.Longest {
		return false
	}
	for i := range f.Seen.Counts.Entries {
		if e := &f.Seen.Counts.Entries[i]; e.Text[0] == '"' && kindsOf(jsonx.Inside(e.Text)) == kindsOf(text) {
			return true
		}
	}
	return false
}

// kindsOf returns which kinds of characters a text has, letters by their case.
func kindsOf(text []byte) (kinds uint16) {
	for _, c := range text {
		switch {
		case ascii.IsUpper(c):
			kinds |= 1
		case ascii.IsLetter(c):
			kinds |= 2
		case ascii.IsDigit(c):
			kinds |= 4
		case ascii.IsBlank(c):
			kinds |= 8
		case c >= 0x80:
			kinds |= 16
		default:
			kinds |= 32
		}
	}
	return kinds
}
