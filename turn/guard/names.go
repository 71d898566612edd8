package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// alike are letters and digits that are read as each other in one or another font.
var alike = strings.NewReplacer("rn", "m", "vv", "w")

// Normal returns a name as a reader takes it: its letters and digits alone, without letter
// case and marks, and with one letter for all that look like it. Two names that are the same then
// are the same to a rule.
func Normal(name string) string { return alike.Replace(strings.Map(letter, plain(name))) }

// letter drops what is no letter or digit, and returns one letter for those that look like it.
func letter(r rune) rune {
	switch r {
	case '1', 'i', '|':
		return 'l'
	case '0':
		return 'o'
	}
	if unicode.IsLetter(r) || unicode.IsNumber(r) {
		return r
	}
	return -1
}

// plain is a text without letter case, marks and signs that have no width, and with Latin letters
// in place of those that look like them.
func plain(text string) string {
	if isPlain(text) {
		return text
	}
	text = asDrawn(norm.NFKD.String(asDrawn(text)))
	return asDrawn(norm.NFKD.String(cases.Fold().String(text)))
}

// asDrawn is a text without marks and signs that have no width, and with Latin letters and ASCII
// digits in place of those that look like them or mean the same.
func asDrawn(text string) string {
	like := drawn()
	var b strings.Builder
	for _, r := range text {
		latin, ok := like[r]
		switch {
		case ok:
			b.WriteString(latin)
		case isUnseen(r) || unicode.In(r, unicode.Mn, unicode.Me):
		default:
			b.WriteRune(asciiDigit(r))
		}
	}
	return b.String()
}

// isPlain reports whether a text is ASCII without capital letters and control characters, as most
// names are.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}

// seen is a text as it is drawn: what has no width is left out, and there is one blank between its
// words and none around it.
func seen(text string) string {
	text = strings.Map(func(r rune) rune {
		if isUnseen(r) {
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(norm.NFKC.String(text)), " ")
}

// asciiDigit returns the ASCII digit for a decimal digit of any script, and what else there is as
// it is.
func asciiDigit(r rune) rune {
	const base = 10
	if r < utf8.RuneSelf || !unicode.IsDigit(r) {
		return r
	}
	for _, digits := range unicode.Nd.R16 {
		if rune(digits.Lo) <= r && r <= rune(digits.Hi) {
			return '0' + (r-rune(digits.Lo))%base
		}
	}
	for _, digits := range unicode.Nd.R32 {
		if rune(digits.Lo) <= r && r <= rune(digits.Hi) {
			return '0' + (r-rune(digits.Lo))%base
		}
	}
	return r
}

// isUnseen reports whether a character is drawn as nothing, or stands for one that could not be
// read.
func isUnseen(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', unicode.ReplacementChar:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		unicode.IsControl(r) && !unicode.IsSpace(r)
}
