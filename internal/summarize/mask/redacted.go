package mask

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Blob is what the label of a blob begins with: "[blob: image/png, 150 kB]".
const Blob = "[blob: "

// placeholders is what the placeholders in a text leave of it.
type placeholders uint8

const (
	noPlaceholder   placeholders = iota
	SomePlaceholder              // values that read alike may differ in what a placeholder stands for
	OnlyPlaceholder              // nothing is left but signs
)

// PlaceholdersIn returns what the placeholders in a text leave of it: "[REDACTED:email]" stands for any
// value that a rule redacts, and "[blob: image/png, 150 kB]" for any image of that size. A
// redaction with a number stands for one value alone.
func PlaceholdersIn(text []byte) (how placeholders) {
	isLeft := false
	for {
		at, length := placeholder(text)
		if at < 0 {
			break
		}
		isLeft = isLeft || PartsOf(text[:at])&(Letter|Digit) != 0
		isRedacted := length == len(Redacted)
		text = text[at+length:]
		end := bytes.IndexByte(text, ']')
		if end < 0 || !isRedacted || bytes.IndexByte(text[:end], ':') < 0 {
			how = SomePlaceholder
		}
		text = text[max(0, end):]
	}
	if how == SomePlaceholder && !isLeft && PartsOf(text)&(Letter|Digit) == 0 {
		return OnlyPlaceholder
	}
	return how
}

// labelLen returns the length of the label of a blob at the start of text, and no more of a word; 0
// if there is none.
func labelLen(text []byte) int {
	if !bytes.HasPrefix(text, []byte(Blob)) {
		return 0
	}
	end := bytes.IndexByte(text, ']') + 1
	if end == 0 || end < len(text) && !ascii.IsBlank(text[end]) {
		return 0
	}
	return end
}

// HasBlob reports whether a text has the label of a blob.
func HasBlob(text []byte) bool { return bytes.Contains(text, []byte(Blob)) }

// placeholder returns where the first placeholder of a text is, -1 if there is none, and the length
// of what it begins with.
func placeholder(text []byte) (at, length int) {
	for at = 0; ; at++ {
		bracket := bytes.IndexByte(text[at:], '[') // few have one
		if bracket < 0 {
			return -1, 0
		}
		at += bracket
		for _, begins := range [...]string{Redacted, Blob} {
			if bytes.HasPrefix(text[at:], []byte(begins)) {
				return at, len(begins)
			}
		}
	}
}
