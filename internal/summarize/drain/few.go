package drain

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

const (
	MostFew       = 8  // different numbers in a word of a template that are counted
	mostWordsOf   = 8  // the same of words in the place of one
	longestFew    = 32 // bytes of such a word
	maxFewPlaces  = 4  // of a template that are counted
	LeastOfFew    = 32 // lines of the template, for one of them to be rare
	linesOfEach   = 3  // on average, for their counts to tell more than that they vary
	bytesOfNumber = 9  // and of its count
	bytesOfCount  = 6
)

// fewNumbers counts the numbers in a word of a template while there are few different ones.
type fewNumbers struct {
	different int
	lines     int // that have them
	all       [MostFew]countedNumber
}

type countedNumber struct {
	number float64
	count  int
}

// add counts a number that came so many times more. It returns false if that is one too many.
func (f *fewNumbers) add(number float64, times int) bool {
	for i := range f.all[:f.different] {
		if f.all[i].number == number {
			f.all[i].count += times
			f.lines += times
			return true
		}
	}
	if f.different == MostFew {
		return false
	}
	f.all[f.different] = countedNumber{number, times}
	f.different++
	f.lines += times
	return true
}

// areUseful says whether the counts tell something.
func (f *fewNumbers) areUseful() bool { return f != nil && f.lines >= linesOfEach*f.different }

// append appends the numbers, the most frequent first, and how often each came: 200: 37, 404: 3.
func (f *fewNumbers) append(dst []byte) []byte {
	ordered := f.all
	slices.SortStableFunc(ordered[:f.different], func(a, b countedNumber) int { return b.count - a.count })
	for i, n := range ordered[:f.different] {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(strconv.AppendFloat(dst, n.number, 'f', -1, 64), ": "...)
		dst = strconv.AppendInt(dst, int64(n.count), 10)
	}
	return dst
}

// fewWords counts the words in one place of a template while there are few different ones.
type fewWords struct{ all []countedWord }

type countedWord struct {
	hash  uint32
	count int
	text  []byte
}

// index returns where a word is counted, -1 if it is not.
func (f *fewWords) index(hash uint32) int {
	return slices.IndexFunc(f.all, func(w countedWord) bool { return w.hash == hash })
}

// add counts a word that came so many times more. It returns false if that is one too many, or too long.
func (f *fewWords) add(hash uint32, text []byte, times int) bool {
	at := f.index(hash)
	if at < 0 {
		if len(f.all) == mostWordsOf || len(text) > longestFew {
			return false
		}
		at = len(f.all)
		f.all = append(f.all, countedWord{hash: hash, text: bytes.Clone(text)})
	}
	f.all[at].count += times
	return true
}

// AreUseful says whether the counts tell something.
func (f *fewWords) AreUseful() bool {
	if f == nil {
		return false
	}
	lines := 0
	for i := range f.all {
		lines += f.all[i].count
	}
	return lines >= linesOfEach*len(f.all)
}

// bytes returns how many more they take than a variable, about.
func (f *fewWords) bytes() (n int) {
	for i := range f.all {
		n += len(f.all[i].text) + bytesOfCount
	}
	return n
}

// append appends the words as the inside of a JSON string, the most frequent first, and how often each came, between
// angle brackets; and after those the marks that all of them end with: <PASS: 416, FAIL: 2>:. All begin with what is
// left out here.
func (f *fewWords) append(dst []byte, begin int) []byte {
	ordered := slices.Clone(f.all)
	slices.SortStableFunc(ordered, func(a, b countedWord) int { return b.count - a.count })
	marks := trailingMarks(ordered[0].text[begin:])
	for _, w := range ordered[1:] {
		for !bytes.HasSuffix(w.text[begin:], marks) {
			marks = marks[1:]
		}
	}
	for i, w := range ordered {
		if i == 0 {
			dst = append(dst, '<')
		} else {
			dst = append(dst, ", "...)
		}
		dst = append(jsonx.AppendCanonicalText(dst, w.text[begin:len(w.text)-len(marks)]), ": "...)
		dst = strconv.AppendInt(dst, int64(w.count), 10)
	}
	return jsonx.AppendCanonicalText(append(dst, '>'), marks)
}

// trailingMarks are the marks that a word ends with, after something else; the end of an element of XML is one.
func trailingMarks(word []byte) []byte {
	at := len(word)
	if end := bytes.Index(word, []byte("</")); end > 0 {
		at = end
	}
	for at > 1 && bytes.IndexByte([]byte(",;:.)]}\"'"), word[at-1]) >= 0 {
		at--
	}
	return word[at:]
}
