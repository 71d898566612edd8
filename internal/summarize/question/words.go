package question

import "strings"

// shortestWord is how many letters or digits a word has at least: shorter ones stand in every text.
const shortestWord = 3

// charClass is what a byte is within a word.
type charClass uint8

const (
	other charClass = iota
	lower
	upper
	digit
	underscore
)

var classes = func() (t [256]charClass) {
	for i := range t {
		switch c := byte(i); {
		case 'a' <= c && c <= 'z', c >= 0x80: // a letter of another script is of no case
			t[i] = lower
		case 'A' <= c && c <= 'Z':
			t[i] = upper
		case '0' <= c && c <= '9':
			t[i] = digit
		case c == '_':
			t[i] = underscore
		}
	}
	return t
}()

// stopWords are words of English and of talk about code that stand in nearly every question.
var stopWords = func() map[uint64]bool {
	all := map[uint64]bool{}
	for word := range strings.FieldsSeq(`the and for with this that from are was not but you have will can all any has
		had its our your into then than when what which let now use using check see file files look need should would
		call text how why where there here also just like want make does did get one new out who`) {
		all[hashOf([]byte(word))] = true
	}
	return all
}()

// eachWord yields the hash of each word of a text: each identifier in letters of any case, and each of its parts.
func eachWord(text []byte, yield func(hash uint64)) {
	eachIdentifier(text, func(start, end int) { eachOf(text[start:end], yield) })
}

// eachIdentifier yields where the identifiers of a text are: letters, digits and underscores without a gap.
func eachIdentifier(text []byte, yield func(start, end int)) {
	for i := 0; i < len(text); i++ {
		if classes[text[i]] == other {
			continue
		}
		start := i
		for i < len(text) && classes[text[i]] != other {
			i++
		}
		if i-start >= shortestWord {
			yield(start, i)
		}
	}
}

// eachOf yields the hash of an identifier, and then of each of its parts if it has several: parts are set apart by
// underscores, digits, and by a capital letter after a small one (retryCount, HTTP_PROXY).
func eachOf(identifier []byte, yield func(hash uint64)) {
	yield(hashOf(identifier))
	start := 0
	for i := 1; i <= len(identifier); i++ {
		if i < len(identifier) && !beginsPart(identifier, i) {
			continue
		}
		if part := identifier[start:i]; i-start >= shortestWord && len(part) < len(identifier) && isLetter(part[0]) {
			yield(hashOf(part))
		}
		start = i
	}
}

// beginsPart reports whether a part of an identifier begins at i.
func beginsPart(identifier []byte, i int) bool {
	before, here := classes[identifier[i-1]], classes[identifier[i]]
	switch {
	case before == upper && here == lower:
		return false
	case here == upper && before == upper:
		return i+1 < len(identifier) && classes[identifier[i+1]] == lower
	}
	return before != here
}

func isLetter(c byte) bool { return classes[c] == lower || classes[c] == upper }

// hashOf is FNV-1a of a word in small letters.
func hashOf(word []byte) uint64 {
	hash := uint64(14695981039346656037)
	for _, c := range word {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		hash = (hash ^ uint64(c)) * 1099511628211
	}
	return hash
}
