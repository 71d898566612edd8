package summarize

import (
	"bytes"
	"slices"
)

// hidden is what the placeholders in a text leave of it.
type hidden uint8

const (
	notHidden    hidden = iota
	partlyHidden        // values that read alike may differ in what was redacted
	allHidden           // nothing is left but signs
)

// hides returns what the placeholders in a text leave of it: "[REDACTED:email]" stands for any
// value that a rule redacts. One with a number stands for one value alone.
func hides(text []byte) (how hidden) {
	isLeft := false
	for bytes.IndexByte(text, '[') >= 0 { // few do
		at := bytes.Index(text, []byte(redacted))
		if at < 0 {
			break
		}
		isLeft = isLeft || partsOf(text[:at])&(letter|digit) != 0
		text = text[at+len(redacted):]
		end := bytes.IndexByte(text, ']')
		if end < 0 || bytes.IndexByte(text[:end], ':') < 0 {
			how = partlyHidden
		}
		text = text[max(0, end):]
	}
	if how == partlyHidden && !isLeft && partsOf(text)&(letter|digit) == 0 {
		return allHidden
	}
	return how
}

// withoutRedacted leaves out the values that are redacted: they need not be the same one.
func withoutRedacted(entries []valueCount) []valueCount {
	return slices.DeleteFunc(entries, func(e valueCount) bool { return e.isHidden })
}
