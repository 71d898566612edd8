package candidate

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
)

// Operand is how many bytes after a value tell that it is a part of a longer expression.
const Operand = 3

// IsPartOfName says whether v, in capitals, is words of the name itself, as constants have
// it: PCP_PASSWORD_REQUIRED_PROPERTY = "PCP_PASSWORD_REQUIRED".
func IsPartOfName(name, v []byte) bool {
	return (lex.Upper | lex.HexUpper | lex.Underscore | lex.Digits).Within(v) && bytes.IndexByte(v, '_') > 0 &&
		len(v) < len(name) && bytes.Contains(name, v)
}

// IsConstant says whether v is words in capitals that underscores join, with small numbers at their ends, as programs
// name what a standard lists: TLS_PSK_WITH_CHACHA20_POLY1305_SHA256.
func IsConstant(v []byte) bool {
	const least = 3 // words
	words := 0
	for word := range bytes.SplitSeq(v, []byte{'_'}) {
		letters := (lex.Upper | lex.HexUpper).Run(word, 0, len(word))
		if len(word) == 0 || letters == 0 && words == 0 || lex.Digits.Run(word, letters, LongestInName-1) < len(word) {
			return false
		}
		words++
	}
	return words >= least
}

// IsCapital says whether r may begin a name: a capital, or of an alphabet outside ASCII.
func IsCapital(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 0x80 }

// IsSize says whether v is a number of bits that words of computers have.
func IsSize(v []byte) bool {
	switch string(v) {
	case "8", "16", "32", "64":
		return true
	}
	return false
}

// IsTuple says whether the name at i is the last of several that a line begins with.
func IsTuple(b []byte, i int) bool {
	const longest = 80
	start := (lex.Word | lex.Comma | lex.Blank | lex.Dot).RunBack(b, i, longest)
	return (start == 0 || lex.Newline.Has(b[start-1])) && i-start < longest && bytes.IndexByte(b[start:i], ',') > 0
}

// IsRecordOf says whether the name text[start:end] is one of a row of fields that colons
// join, as a format is described, and v goes on with it: group:password:GID.
func IsRecordOf(b []byte, start, end int, v []byte) bool {
	return start > 1 && lex.Word.Has(b[start-2]) && b[start-1] == ':' && b[end] == ':' &&
		(lex.Letters | lex.Underscore | lex.Colon).Within(v)
}

// isFormat says whether v is nothing but verbs of printf and signs: %s:%s, (-0x%04X).
func isFormat(v []byte) bool {
	const flags = "-+ #.*0123456789lhz"
	if bytes.IndexByte(v, '%') < 0 {
		return false
	}
	for i := 0; i < len(v); i++ {
		switch {
		case v[i] == '%':
			verb := i + 1
			for verb < len(v) && bytes.IndexByte([]byte(flags), v[verb]) >= 0 {
				verb++
			}
			if verb == len(v) || !lex.Letters.Has(v[verb]) {
				return false
			}
			i = verb
		case bytes.HasPrefix(v[i:], []byte("0x%")):
			i++
		case !(lex.Everything &^ (lex.Alnum | lex.High | lex.Wide)).Has(v[i]):
			return false
		}
	}
	return true
}

// isSubstitution says whether v is a command whose output a shell puts there: `pwd`.
func isSubstitution(v []byte) bool {
	command := bytes.Trim(v, "'")
	return len(command) > 2 && command[0] == '`' && command[len(command)-1] == '`'
}

// isFieldTag says whether v is what Go tells of a field of a struct: json:"api_key,omitempty".
func isFieldTag(v []byte) bool {
	end := (lex.Lower | lex.HexLower | lex.Underscore).Run(v, 0, len(v))
	return end > 0 && len(v) > end+2 && v[end] == ':' && v[end+1] == '"' && v[len(v)-1] == '"'
}

// IsObjectID says whether v is an identifier of ASN.1 (ITU-T X.660): 2.5.4.42.
func IsObjectID(v []byte) bool {
	return len(v) > 4 && v[0] >= '0' && v[0] <= '2' && v[1] == '.' && (lex.Digits | lex.Dot).Within(v) &&
		bytes.Count(v, []byte{'.'}) > 2
}

// isMask says whether v has nothing but signs, asterisks among them: it was hidden before.
func isMask(v []byte) bool {
	return bytes.Contains(v, []byte("***")) && (lex.Everything &^ (lex.Alnum | lex.High | lex.Wide)).Within(v)
}

// isAlternatives says whether v is words of which one is to be chosen, as the syntax of a
// command has them in brackets, or literals: [file|stdin|env], true|false, on/off.
func isAlternatives(v []byte) bool {
	const brackets = "[](){}<>"
	if bytes.IndexByte(v, '|') < 0 && bytes.IndexByte(v, '/') < 0 {
		return false
	}
	isOr := func(r rune) bool { return r == '|' || r == '/' }
	words := bytes.Trim(v, brackets)
	isBracketed := len(words) > 0 && bytes.IndexByte([]byte("[({<"), v[0]) >= 0 && bytes.IndexByte(words, '|') > 0
	n, areStops := 0, true
	for part := range bytes.FieldsFuncSeq(words, isOr) {
		if !lex.Letters.Has(part[0]) || !(lex.Word | lex.Dash).Within(part) || IsMade(part) {
			return false
		}
		n++
		areStops = areStops && IsStopWord(part)
	}
	return n > 1 && (isBracketed || areStops)
}

// isLink says whether v is the address of a page, in words.
func isLink(v []byte) bool {
	const inWords = lex.Letters | lex.Slash | lex.Dash | lex.Dot | lex.Colon | lex.Underscore
	return (bytes.HasPrefix(v, []byte("https://")) || bytes.HasPrefix(v, []byte("http://"))) && inWords.Within(v)
}

// IsEndpoint says whether v is the address of a page or a service, without a user or a query.
func IsEndpoint(v []byte) bool {
	return (bytes.HasPrefix(v, []byte("https://")) || bytes.HasPrefix(v, []byte("http://"))) &&
		(lex.Alnum | lex.Slash | lex.Dash | lex.Dot | lex.Colon | lex.Underscore).Within(v)
}

// isRole says whether v begins with what tells how reStructuredText shows a word: :ref:`x`.
func isRole(v []byte) bool {
	return v[0] == ':' && len(v) > 2 && bytes.IndexByte(v[1:], ':') > 0 && (lex.Letters | lex.Colon).Within(v)
}
