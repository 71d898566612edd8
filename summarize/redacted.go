package summarize

import (
	"bytes"
	"slices"
)

// hidesValue reports whether a text has a placeholder that stands for any value that a rule redacts: "[REDACTED:email]". One with a
// number stands for one value alone.
func hidesValue(text []byte) bool {
	for bytes.IndexByte(text, '[') >= 0 { // few do
		at := bytes.Index(text, []byte(redacted))
		if at < 0 {
			return false
		}
		text = text[at+len(redacted):]
		end := bytes.IndexByte(text, ']')
		if end < 0 || bytes.IndexByte(text[:end], ':') < 0 {
			return true
		}
	}
	return false
}

// withoutRedacted leaves out the values that a placeholder stands for: they need not be the same one.
func withoutRedacted(entries []valueCount) []valueCount {
	return slices.DeleteFunc(entries, func(e valueCount) bool { return e.isHidden })
}
