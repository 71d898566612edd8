package candidate

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
)

// IsMade says whether v looks made by a machine by chance: letters and digits
// change places more often than in words with numbers, and stand in long parts.
func IsMade(v []byte) bool {
	const (
		shortestPart = 8
		least        = 8 // different bytes
	)
	in := lex.ClassOf(v)
	if len(v) < MinMade || in&lex.Digits == 0 || in&lex.Letters == 0 || isUUID(v) || isHexLiteral(v) ||
		v[0] == '/' || v[0] == '.' || in&lex.Colon != 0 && bytes.Contains(v, []byte("://")) {
		return false
	}
	if i := bytes.LastIndexByte(v, '.'); in&lex.Dot != 0 && i > 0 && len(v)-i <= 5 && lex.Letters.Within(v[i+1:]) {
		return false // a file or a domain
	}
	if in&lex.Slash != 0 && holdsWordInPath(v) {
		return false
	}
	var longest, mixed int // of the parts that mix letters and digits: the longest, and the bytes of all
	var changes, runs, word int
	for start := 0; start < len(v); {
		end := start
		var in, last lex.Class
		for ; end < len(v); end++ {
			c := CaseOf[v[end]]
			if c == 0 {
				break
			}
			if c != last { // nothing here needs a jump, and which comes next is chance
				changes++
			}
			if c&^last == lex.Digits {
				runs++
			}
			in |= c
			last = c
		}
		if end > start {
			changes-- // the first
		}
		word += end - start
		if in&lex.Digits != 0 && in != lex.Digits {
			longest = max(longest, end-start)
			mixed += end - start
		}
		start = end + 1
	}
	switch {
	case longest < shortestPart || mixed*5 < len(v)*3 || !IsVaried(v, least):
		return false
	case runs < 2:
		return changes*5 >= word*2
	}
	return changes*6 >= word
}

// IsMadeWord reports whether v, letters and digits, is a password that a program made: capitals, small letters and
// digits alternate more often than in a name.
func IsMadeWord(v []byte) bool {
	const shortest, longest = 10, 19
	if len(v) < shortest || len(v) > longest || !lex.Alnum.Within(v) || !holdsInnerDigit(v) {
		return false
	}
	changes := 0
	var in lex.Class
	for i, c := range v {
		in |= CaseOf[c]
		if i > 0 && CaseOf[c] != CaseOf[v[i-1]] {
			changes++
		}
	}
	return in == lex.Digits|lex.Lower|lex.Upper && changes*5 >= len(v)*2
}

// CaseOf tells digits, small letters and capitals apart, and 0 other bytes.
var CaseOf = func() (t [256]lex.Class) {
	for c, k := range lex.KindOf {
		switch {
		case k&lex.Digits != 0:
			t[c] = lex.Digits
		case k&(lex.Lower|lex.HexLower) != 0:
			t[c] = lex.Lower
		case k&(lex.Upper|lex.HexUpper) != 0:
			t[c] = lex.Upper
		}
	}
	return t
}()

// IsLikelySecret says whether v looks made by a machine: letters and digits in
// one word that is neither a path nor words and small numbers in a row.
func IsLikelySecret(v []byte) bool {
	if i := bytes.Index(v, []byte(lex.MarkerStart)); i >= 0 {
		v = v[:i]
	}
	if IsSalt(v) {
		return true
	}
	if len(v) < 8 || bytes.Contains(v, []byte("://")) || !lex.NonSpace.Within(v) {
		return false
	}
	// Name::Of::Class
	if i := bytes.IndexByte(v, ':'); i > 0 && i+1 < len(v) && v[i+1] == ':' && (lex.Word | lex.Colon).Within(v) &&
		!IsMade(v) {
		return false
	}
	if v[0] == '/' && bytes.Count(v, []byte("/")) > 1 || isHexLiteral(v) {
		return false
	}
	if IsStrong(v) {
		return true
	}
	var seen lex.Class
	for _, c := range v {
		seen |= lex.KindOf[c]
	}
	if seen&lex.Digits == 0 {
		return HasScrambled(v) || len(v) >= 20 && seen&(lex.Lower|lex.HexLower) != 0 &&
			seen&(lex.Upper|lex.HexUpper) != 0 &&
			seen&(lex.Slash|lex.Dot|lex.Blank|lex.Underscore|lex.Dash|lex.Colon|lex.High|lex.Wide) == 0
	}
	if seen&lex.Letters == 0 {
		return false
	}
	part := 0 // the longest part that mixes letters and digits
	for start := 0; start < len(v); {
		end := start
		var in lex.Class
		for end < len(v) && lex.Alnum.Has(v[end]) {
			in |= lex.KindOf[v[end]]
			end++
		}
		if in&lex.Digits != 0 && in&lex.Letters != 0 {
			part = max(part, end-start)
		}
		start = end + 1
	}
	return part >= 6
}

// IsSalt says whether v is a long row of signs, digits and letters by chance, with blanks among
// them, as programs make keys and salts of all printable characters.
func IsSalt(v []byte) bool {
	const shortest, kindsOfSigns, blanksIn = 40, 3, 20
	if len(v) < shortest || !(lex.Everything &^ (lex.Control | lex.Newline | lex.High | lex.Wide)).Within(v) {
		return false
	}
	in := lex.ClassOf(v)
	if in&lex.Digits == 0 || in&(lex.Lower|lex.HexLower) == 0 || in&(lex.Upper|lex.HexUpper) == 0 {
		return false
	}
	// of words, paths and encodings as well
	const ofText = lex.Base64URL | lex.Base64 | lex.Backslash | lex.Equals | lex.Dot
	var signs [128]bool
	n, changes := 0, 0
	for i, c := range v {
		if CaseOf[c] == 0 && c != ' ' && !ofText.Has(c) && !signs[c] {
			signs[c] = true
			n++
		}
		if i > 0 && CaseOf[c] != CaseOf[v[i-1]] {
			changes++
		}
	}
	return n >= kindsOfSigns && changes*2 >= len(v) && bytes.Count(v, []byte{' '})*blanksIn <= len(v)
}

// IsStrong says whether v has as many kinds of signs in it as only a password has.
func IsStrong(v []byte) bool {
	const shortest, kindsOfSigns = 10, 4
	const ordinary = lex.Alnum | lex.Underscore | lex.Dash | lex.Dot | lex.Slash | lex.Quote
	if ordinary.Within(v) {
		return false
	}
	var signs [128]bool
	n, other := 0, 0
	for _, c := range v {
		switch {
		case lex.Whitespace.Has(c), c >= 0x80, lex.Control.Has(c):
			return false
		case ordinary.Has(c):
			other++
		case !signs[c]:
			signs[c] = true
			n++
		}
	}
	return len(v) >= shortest && n >= kindsOfSigns && other*2 >= len(v)
}

// IsFilled says whether v, that a name says is a secret, is a stand-in for one, such as
// people type: a long row of letters and digits, or of groups of the same length.
func IsFilled(v []byte, letterOnly bool) bool {
	const shortest = 20
	if len(v) < shortest || !IsVaried(v, 8) {
		return false
	}
	n := 0 // digits
	for _, c := range v {
		if lex.Digits.Has(c) {
			n++
		}
	}
	switch {
	case lex.Alnum.Within(v) && n > 0:
		return n >= 6 && len(v)-n >= 4
	case lex.Alnum.Within(v):
		return letterOnly && len(v) >= 24 &&
			((lex.Lower | lex.HexLower).Within(v) || (lex.Upper | lex.HexUpper).Within(v))
	}
	group := lex.Alnum.Run(v, 0, len(v))
	if group < 5 || isUUID(v) {
		return false
	}
	for at := 0; at < len(v); at += group + 1 {
		end := lex.Alnum.Run(v, at, len(v))
		if end-at != group || end < len(v) && v[end] != '-' || !HasDigit(v[at:end]) &&
			!(lex.Upper|lex.HexUpper).Within(v[at:end]) {
			return false
		}
	}
	return true
}

// IsScrambled says whether capitals change with small letters more often than in
// words put together.
func IsScrambled(v []byte) bool {
	changes := 0
	for i := 1; i < len(v); i++ {
		if (lex.Upper | lex.HexUpper).Has(v[i]) != (lex.Upper | lex.HexUpper).Has(v[i-1]) {
			changes++
		}
	}
	return changes*5 >= len(v)*2
}

// leastScrambled is how many letters in a row are no name in a program if they are scrambled.
const leastScrambled = 20

// HasScrambled says whether v has so many letters in a row that no words were put together: a random key without a
// digit, maybe after a prefix.
func HasScrambled(v []byte) bool {
	for start := 0; start < len(v); {
		end := lex.Letters.Run(v, start, len(v))
		if run := v[start:end]; len(run) >= leastScrambled && IsScrambled(run) && !IsPhrase(run) {
			return true
		}
		start = end + 1
	}
	return false
}

// IsPhrase says whether v, letters alone, reads as words put together: most letters are
// small, few words are short, and there are as many vowels as in words.
func IsPhrase(v []byte) bool {
	small, starts, vowels := 0, 0, 0
	for i, c := range v {
		switch {
		case (lex.Lower | lex.HexLower).Has(c):
			small++
		case i == 0 || (lex.Lower | lex.HexLower).Has(v[i-1]):
			starts++
		}
		if strings.IndexByte("aeiou", lex.LowerByte(c)) >= 0 {
			vowels++
		}
	}
	return small*2 >= len(v) && starts*6 <= len(v) && vowels*4 >= len(v)
}

// IsID says whether v is what identifiers are as well: a UUID, or hexadecimal of
// at least so many digits.
func IsID(v []byte, shortest int) bool {
	if isUUID(v) {
		return true
	}
	return len(v) >= shortest && lex.Hexadecimal.Within(v) && HasDigit(v) && !lex.Digits.Within(v) && IsVaried(v, 6)
}

func isUUID(v []byte) bool {
	return len(v) == 36 && (lex.Hexadecimal | lex.Dash).Within(v) && v[8] == '-' && v[13] == '-' && v[18] == '-' &&
		v[23] == '-'
}

// IsIdentifier says whether v is a UUID or a hash in hexadecimal.
func IsIdentifier(v []byte) bool {
	switch len(v) {
	case 32, 40, 64:
		return lex.Hexadecimal.Within(v)
	case 36:
		return (lex.Hexadecimal | lex.Dash).Within(v) && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
	}
	return false
}

// IsNumbered says whether v is words of letters that signs join, each with a small number at its end:
// morning2, agent2.kfw.
func IsNumbered(v []byte) bool {
	const most = 3 // digits
	for i := 0; i < len(v); i++ {
		from := i
		i = lex.Letters.Run(v, i, len(v))
		number := lex.Digits.Run(v, i, most)
		if number == from || number < len(v) && !(lex.Underscore|lex.Dash|lex.Dot).Has(v[number]) ||
			IsScrambled(v[from:i]) {
			return false
		}
		i = number
	}
	return true
}

// IsFingerprint says whether v is the fingerprint of a key as GnuPG writes it.
func IsFingerprint(v []byte) bool { return len(v) == 40 && (lex.Digits | lex.HexUpper).Within(v) }

// IsReplica says whether v ends as the name of a pod does that a controller of
// Kubernetes made: a hash of the template, and five letters and digits.
func IsReplica(v []byte) bool {
	const suffix = 5
	n := len(v) - suffix - 1
	if n < 0 || v[n] != '-' || !(lex.Lower | lex.LowerHex).Within(v[n+1:]) {
		return false
	}
	hash := n - (lex.Lower|lex.LowerHex).RunBack(v, n, n)
	return hash >= 8 && hash <= 10
}

// holdsWordInPath says whether one of the parts between slashes in v is words.
func holdsWordInPath(v []byte) bool {
	const shortest = 4
	for part, rest, found := bytes.Cut(v, []byte{'/'}); found; part, rest, found = bytes.Cut(rest, []byte{'/'}) {
		if len(part) >= shortest && (lex.Lower | lex.HexLower | lex.Underscore | lex.Dash | lex.Dot).Within(part) {
			return true
		}
	}
	return false
}

// IsVaried says whether v has at least so many different bytes.
func IsVaried(v []byte, least int) bool {
	var seen [4]uint64
	for _, c := range v {
		if some, bit := &seen[c/64], uint64(1)<<(c%64); *some&bit == 0 {
			*some |= bit
			if least--; least == 0 {
				return true
			}
		}
	}
	return false
}

// HasDigit reports whether v holds a digit of ASCII.
func HasDigit(v []byte) bool { return lex.ClassOf(v)&lex.Digits != 0 }

// MinMade is the length in bytes of the shortest value that IsMade takes to be made by a machine.
// A lower one finds shorter keys and takes more plain words and ids for them.
const MinMade = 16

// IsDated reports whether v begins with a date, as ids do that people read: 2026-01-02-4f9a01c7.
func IsDated(v []byte) bool {
	const size = len("2026-01-02")
	return len(v) > size && v[4] == '-' && v[7] == '-' && (v[0] == '1' || v[0] == '2') && lex.Digits.Within(v[:4]) &&
		lex.Digits.Within(v[5:7]) && lex.Digits.Within(v[8:size]) && !lex.Alnum.Has(v[size])
}
