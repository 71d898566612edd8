package excerpt

import "github.com/kfw-dev/kfw/internal/ascii"

// mostWords is how many words of a unit are looked at.
const mostWords = 64

// span is a part of a text.
type span struct{ from, to int }

// word is a word of a unit.
type word struct {
	span
	hash  uint64
	shape uint64 // that of all paths, that of all words with a digit, or the hash
	isNum bool   // it begins with a digit
}

// The shapes of words that are not distinguished.
const (
	shapeOfPath   = 1
	shapeOfDigits = 2
)

const (
	hashStart = 14695981039346656037 // FNV-1a
	hashPrime = 1099511628211
)

// isGapByte are the bytes that stand between words.
var isGapByte = [256]bool{' ': true, '\t': true, ',': true, '|': true, '=': true, '"': true, '<': true, '>': true}

// appendWords appends the first words of a unit.
func appendWords(words []word, unit []byte) []word {
	for i := 0; i < len(unit) && len(words) < mostWords; {
		for i < len(unit) && isGapByte[unit[i]] {
			i++
		}
		from, hash := i, uint64(hashStart)
		hasLetter, hasDigit, isPath := false, false, false
		for ; i < len(unit) && !isGapByte[unit[i]]; i++ {
			c := unit[i]
			hash = (hash ^ uint64(c)) * hashPrime
			switch byteClasses[c] {
			case digitByte:
				hasDigit = true
			case otherByte:
				isPath = isPath || c == '/' || c == '.'
			default:
				hasLetter = true
			}
		}
		if i == from {
			break
		}
		w := word{span: span{from, i}, hash: hash, shape: hash, isNum: ascii.IsDigit(unit[from])}
		switch {
		case isPath && hasLetter:
			w.shape = shapeOfPath
		case hasDigit:
			w.shape = shapeOfDigits
		}
		words = append(words, w)
	}
	return words
}

// hashOf returns the hash of a word, FNV-1a.
func hashOf(word []byte) uint64 {
	hash := uint64(hashStart)
	for _, c := range word {
		hash = (hash ^ uint64(c)) * hashPrime
	}
	return hash
}
