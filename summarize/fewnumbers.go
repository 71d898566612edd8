package summarize

import (
	"slices"
	"strconv"
)

const (
	mostFew       = 5 // different numbers in a word of a form that are counted
	linesOfEach   = 3 // on average, for their counts to tell more than their range
	bytesOfNumber = 9 // and of its count
)

// fewNumbers counts the numbers in a word of a form while there are few different ones.
type fewNumbers struct {
	different int
	lines     int // that have them
	all       [mostFew]countedNumber
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
	if f.different == mostFew {
		return false
	}
	f.all[f.different] = countedNumber{number, times}
	f.different++
	f.lines += times
	return true
}

// areTold says whether the counts tell something.
func (f *fewNumbers) areTold() bool { return f != nil && f.lines >= linesOfEach*f.different }

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
