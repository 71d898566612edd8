package formats

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// wordAt returns the word after the blanks at a place, and where what follows it begins.
func wordAt(line []byte, at int) (word ascii.Span, end int) {
	word.From = ascii.PastBlanks(line, at)
	word.To = word.From
	for word.To < len(line) && !ascii.IsBlank(line[word.To]) {
		word.To++
	}
	return word, ascii.PastBlanks(line, word.To)
}

// IsJSONNumber says whether a word is a number of JSON.
func IsJSONNumber(word []byte) bool {
	n := bytes.IndexAny(word, "eE")
	if n < 0 {
		return IsPlainNumber(word)
	}
	exponent := word[n+1:]
	if len(exponent) > 0 && (exponent[0] == '+' || exponent[0] == '-') {
		exponent = exponent[1:]
	}
	return IsPlainNumber(word[:n]) && len(exponent) > 0 && ascii.LeadingDigits(exponent) == len(exponent)
}
