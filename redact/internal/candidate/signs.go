package candidate

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
)

// leastWithSigns is the shortest word that may be a password because of its signs, in bytes.
const leastWithSigns = 6

// MayHaveSigns reports whether v may be a password with signs in it: one word with letters and digits, which begins with
// no quote and holds no reference to a variable and no URL.
func MayHaveSigns(v []byte) bool {
	in := lex.ClassOf(v)
	if len(v) < leastWithSigns || in&lex.Digits == 0 || in&lex.Letters == 0 || in&lex.Whitespace != 0 ||
		lex.Quote.Has(v[0]) || bytes.Contains(v, []byte("://")) || bytes.Contains(v, []byte(lex.MarkerStart)) {
		return false
	}
	for _, open := range []string{"${", "$(", "{{", "#{", "%{", "%(", "<%", "@{"} {
		if i := bytes.Index(v, []byte(open)); i >= 0 && i+2 < len(v) {
			return false
		}
	}
	return v[0] != '%' || v[len(v)-1] != '%'
}

// HasInnerSign reports whether v is a word with a sign right before a letter that stands there in passwords only:
// Correct!Horse. Before a digit it may be of a version: HEAD~1.
func HasInnerSign(v []byte) bool {
	const shortest = 8
	const signs = "!^~"
	if len(v) < shortest || !lex.Letters.Has(v[0]) {
		return false
	}
	is := false
	for i, c := range v {
		switch {
		case (lex.Word | lex.Dash).Has(c):
		case bytes.IndexByte([]byte(signs), c) < 0:
			return false
		default:
			is = is || i+1 < len(v) && lex.Alnum.Has(v[i-1]) && lex.Letters.Has(v[i+1])
		}
	}
	return is
}

// IsNoCode reports whether v, a word without quotes, can be no expression in any programming language: after an opening
// bracket stands a word that begins with a digit and is no number, as in Kestrel(77Quill, or a letter follows a call, as
// in a(b)c.
func IsNoCode(v []byte) bool {
	if !MayHaveSigns(v) {
		return false
	}
	for i, c := range v {
		switch {
		case i == 0:
		case (c == '(' || c == '[' || c == '{') && lex.Alnum.Has(v[i-1]) && startsNoOperand(v[i+1:]):
			return true
		case c == ')' && i+1 < len(v) && lex.Alnum.Has(v[i+1]) && isEndOfCall(v[:i]):
			return true
		}
	}
	return false
}

// startsNoOperand reports whether v begins with a digit and is no number: 77Quill, 7aB3. A number with a unit, and
// hexadecimal digits, are numbers.
func startsNoOperand(v []byte) bool {
	const longestUnit = 2
	digits := lex.Digits.Run(v, 0, len(v))
	letters := lex.Letters.Run(v, digits, len(v))
	end := lex.Word.Run(v, letters, len(v))
	if digits == 0 || letters == digits || isHexLiteral(v[:end]) || lex.LowerHex.Within(v[:end]) {
		return false
	}
	return letters-digits > longestUnit || end > letters
}

// isEndOfCall reports whether the parenthesis that closes after v was opened right after a name.
func isEndOfCall(v []byte) bool {
	open := 0
	for i := len(v) - 1; i > 0; i-- {
		switch v[i] {
		case ')':
			open++
		case '(':
			if open--; open < 0 {
				return lex.Alnum.Has(v[i-1])
			}
		}
	}
	return false
}

// IsOddWord reports whether v, a whole value in a settings file or a table, has signs that only a password would have: a
// sign such as @ or & before letters and digits that are no name, or a bracket that is not closed. In a program a later
// line may close the bracket. isTight excludes that: v is a cell, or stands right after an equals sign.
func IsOddWord(v []byte, isTight bool) bool {
	if !MayHaveSigns(v) {
		return false
	}
	if IsNoCode(v) || v[0] == '{' && isEncoded(v) {
		return true
	}
	switch v[0] {
	case '@', '&', '*', ':', '=', '<', '>':
		return !isTag(v) && holdsInnerDigit(v[1:])
	}
	head := bytes.TrimRight(v, "([{")
	switch {
	case !opensBracket(v):
		return false
	case len(head) < len(v) && lex.Letters.Has(v[0]) && (lex.NameOfKey | lex.Colon | lex.Angle).Within(head):
		return IsTyped(head) && (isTight || holdsInnerDigit(head))
	}
	return isTight || holdsInnerDigit(v)
}

// isTag reports whether v is in angle brackets.
func isTag(v []byte) bool { return v[0] == '<' && v[len(v)-1] == '>' }

// holdsInnerDigit reports whether v has at least two digits and a letter after one of them. Names seldom do: their
// digits are at the end, or there is one.
func holdsInnerDigit(v []byte) bool {
	const least = 2
	digits, is := 0, false
	for i, c := range v {
		if lex.Digits.Has(c) {
			digits++
			is = is || i+1 < len(v) && lex.Letters.Has(v[i+1])
		}
	}
	return is && digits >= least
}

// opensBracket reports whether a bracket in v is not closed.
func opensBracket(v []byte) bool {
	var open [3]int
	for _, c := range v {
		switch c {
		case '(':
			open[0]++
		case ')':
			open[0]--
		case '[':
			open[1]++
		case ']':
			open[1]--
		case '{':
			open[2]++
		case '}':
			open[2]--
		}
	}
	return open[0] > 0 || open[1] > 0 || open[2] > 0
}
