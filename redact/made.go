package redact

import (
	"bytes"
	"strings"
)

// isMade says whether v looks made by a machine by chance: letters and digits
// change places more often than in words with numbers, and stand in long parts.
func isMade(v []byte) bool {
	const (
		shortestPart = 8
		least        = 8 // different bytes
	)
	in := kindsIn(v)
	if len(v) < minMade || in&digits == 0 || in&letters == 0 || isUUID(v) || isHexLiteral(v) ||
		v[0] == '/' || v[0] == '.' || in&colon != 0 && bytes.Contains(v, []byte("://")) {
		return false
	}
	if i := bytes.LastIndexByte(v, '.'); in&dot != 0 && i > 0 && len(v)-i <= 5 && letters.within(v[i+1:]) {
		return false // a file or a domain
	}
	if in&slash != 0 && holdsWordInPath(v) {
		return false
	}
	var longest, mixed int // of the parts that mix letters and digits: the longest, and the bytes of all
	var changes, runs, word int
	for start := 0; start < len(v); {
		end := start
		var in, last kinds
		for ; end < len(v); end++ {
			c := caseOf[v[end]]
			if c == 0 {
				break
			}
			if c != last { // nothing here needs a jump, and which comes next is chance
				changes++
			}
			if c&^last == digits {
				runs++
			}
			in |= c
			last = c
		}
		if end > start {
			changes-- // the first
		}
		word += end - start
		if in&digits != 0 && in != digits {
			longest = max(longest, end-start)
			mixed += end - start
		}
		start = end + 1
	}
	switch {
	case longest < shortestPart || mixed*5 < len(v)*3 || !isVaried(v, least):
		return false
	case runs < 2:
		return changes*5 >= word*2
	}
	return changes*6 >= word
}

// caseOf tells digits, small letters and capitals apart, and 0 other bytes.
var caseOf = func() (t [256]kinds) {
	for c, k := range kindOf {
		switch {
		case k&digits != 0:
			t[c] = digits
		case k&(lower|hexLower) != 0:
			t[c] = lower
		case k&(upper|hexUpper) != 0:
			t[c] = upper
		}
	}
	return t
}()

// isLikelySecret says whether v looks made by a machine: letters and digits in
// one word that is neither a path nor words and small numbers in a row.
func isLikelySecret(v []byte) bool {
	if i := bytes.Index(v, []byte(markerStart)); i >= 0 {
		v = v[:i]
	}
	if isSalt(v) {
		return true
	}
	if len(v) < 8 || bytes.Contains(v, []byte("://")) || !nonSpace.within(v) {
		return false
	}
	if i := bytes.IndexByte(v, ':'); i > 0 && i+1 < len(v) && v[i+1] == ':' && (word | colon).within(v) && !isMade(v) { // Name::Of::Class
		return false
	}
	if v[0] == '/' && bytes.Count(v, []byte("/")) > 1 || isHexLiteral(v) {
		return false
	}
	if isStrong(v) {
		return true
	}
	var seen kinds
	for _, c := range v {
		seen |= kindOf[c]
	}
	if seen&digits == 0 {
		return len(v) >= 20 && seen&(lower|hexLower) != 0 && seen&(upper|hexUpper) != 0 && seen&(slash|dot|blank|underscore|dash) == 0
	}
	if seen&letters == 0 {
		return false
	}
	part := 0 // the longest part that mixes letters and digits
	for start := 0; start < len(v); {
		end := start
		var in kinds
		for end < len(v) && alnum.has(v[end]) {
			in |= kindOf[v[end]]
			end++
		}
		if in&digits != 0 && in&letters != 0 {
			part = max(part, end-start)
		}
		start = end + 1
	}
	return part >= 6
}

// isSalt says whether v is a long row of signs, digits and letters by chance, with blanks among
// them, as programs make keys and salts of all printable characters.
func isSalt(v []byte) bool {
	const shortest, kindsOfSigns, blanksIn = 40, 3, 20
	if len(v) < shortest || !(everything &^ (control | newline | high | wide)).within(v) {
		return false
	}
	in := kindsIn(v)
	if in&digits == 0 || in&(lower|hexLower) == 0 || in&(upper|hexUpper) == 0 {
		return false
	}
	const ofText = base64URL | base64 | backslash | equals | dot // of words, paths and encodings as well
	var signs [128]bool
	n, changes := 0, 0
	for i, c := range v {
		if caseOf[c] == 0 && c != ' ' && !ofText.has(c) && !signs[c] {
			signs[c] = true
			n++
		}
		if i > 0 && caseOf[c] != caseOf[v[i-1]] {
			changes++
		}
	}
	return n >= kindsOfSigns && changes*2 >= len(v) && bytes.Count(v, []byte{' '})*blanksIn <= len(v)
}

// isStrong says whether v has as many kinds of signs in it as only a password has.
func isStrong(v []byte) bool {
	const shortest, kindsOfSigns = 10, 4
	const ordinary = alnum | underscore | dash | dot | slash | quote
	if ordinary.within(v) {
		return false
	}
	var signs [128]bool
	n, other := 0, 0
	for _, c := range v {
		switch {
		case whitespace.has(c), c >= 0x80, control.has(c):
			return false
		case ordinary.has(c):
			other++
		case !signs[c]:
			signs[c] = true
			n++
		}
	}
	return len(v) >= shortest && n >= kindsOfSigns && other*2 >= len(v)
}

// isFilled says whether v, that a name says is a secret, is a stand-in for one, such as
// people type: a long row of letters and digits, or of groups of the same length.
func isFilled(v []byte, letterOnly bool) bool {
	const shortest = 20
	if len(v) < shortest || !isVaried(v, 8) {
		return false
	}
	n := 0 // digits
	for _, c := range v {
		if digits.has(c) {
			n++
		}
	}
	switch {
	case alnum.within(v) && n > 0:
		return n >= 6 && len(v)-n >= 4
	case alnum.within(v):
		return letterOnly && len(v) >= 24 && ((lower | hexLower).within(v) || (upper | hexUpper).within(v))
	}
	group := alnum.run(v, 0, len(v))
	if group < 5 || isUUID(v) {
		return false
	}
	for at := 0; at < len(v); at += group + 1 {
		end := alnum.run(v, at, len(v))
		if end-at != group || end < len(v) && v[end] != '-' || !hasDigit(v[at:end]) && !(upper|hexUpper).within(v[at:end]) {
			return false
		}
	}
	return true
}

// isScrambled says whether capitals change with small letters more often than in
// words put together.
func isScrambled(v []byte) bool {
	changes := 0
	for i := 1; i < len(v); i++ {
		if (upper | hexUpper).has(v[i]) != (upper | hexUpper).has(v[i-1]) {
			changes++
		}
	}
	return changes*5 >= len(v)*2
}

// isPhrase says whether v, letters alone, reads as words put together: most letters are
// small, few words are short, and there are as many vowels as in words.
func isPhrase(v []byte) bool {
	small, starts, vowels := 0, 0, 0
	for i, c := range v {
		switch {
		case (lower | hexLower).has(c):
			small++
		case i == 0 || (lower | hexLower).has(v[i-1]):
			starts++
		}
		if strings.IndexByte("aeiou", lowerByte(c)) >= 0 {
			vowels++
		}
	}
	return small*2 >= len(v) && starts*6 <= len(v) && vowels*4 >= len(v)
}

// isID says whether v is what identifiers are as well: a UUID, or hexadecimal of
// at least so many digits.
func isID(v []byte, shortest int) bool {
	if isUUID(v) {
		return true
	}
	return len(v) >= shortest && hexadecimal.within(v) && hasDigit(v) && !digits.within(v) && isVaried(v, 6)
}

func isUUID(v []byte) bool {
	return len(v) == 36 && (hexadecimal | dash).within(v) && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
}

// isIdentifier says whether v is a UUID or a hash in hexadecimal.
func isIdentifier(v []byte) bool {
	switch len(v) {
	case 32, 40, 64:
		return hexadecimal.within(v)
	case 36:
		return (hexadecimal | dash).within(v) && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
	}
	return false
}

// isNumbered says whether v is words of letters that signs join, each with a small number at its end:
// morning2, agent2.kfw.
func isNumbered(v []byte) bool {
	const most = 3 // digits
	for i := 0; i < len(v); i++ {
		from := i
		i = letters.run(v, i, len(v))
		number := digits.run(v, i, most)
		if number == from || number < len(v) && !(underscore|dash|dot).has(v[number]) || isScrambled(v[from:i]) {
			return false
		}
		i = number
	}
	return true
}

// isFingerprint says whether v is the fingerprint of a key as GnuPG writes it.
func isFingerprint(v []byte) bool { return len(v) == 40 && (digits | hexUpper).within(v) }

// isReplica says whether v ends as the name of a pod does that a controller of
// Kubernetes made: a hash of the template, and five letters and digits.
func isReplica(v []byte) bool {
	const suffix = 5
	n := len(v) - suffix - 1
	if n < 0 || v[n] != '-' || !(lower | lowerHex).within(v[n+1:]) {
		return false
	}
	hash := n - (lower|lowerHex).runBack(v, n, n)
	return hash >= 8 && hash <= 10
}

// holdsWordInPath says whether one of the parts between slashes in v is words.
func holdsWordInPath(v []byte) bool {
	const shortest = 4
	for part, rest, found := bytes.Cut(v, []byte{'/'}); found; part, rest, found = bytes.Cut(rest, []byte{'/'}) {
		if len(part) >= shortest && (lower | hexLower | underscore | dash | dot).within(part) {
			return true
		}
	}
	return false
}

// isVaried says whether v has at least so many different bytes.
func isVaried(v []byte, least int) bool {
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

func hasDigit(v []byte) bool { return kindsIn(v)&digits != 0 }
