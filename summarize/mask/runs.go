package mask

import (
	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// NextLongNumber finds the next number with that many digits or more in what of a line begins at from; start is its
// length if there is none.
func NextLongNumber(line []byte, from int) (start, end int) {
	for i := from + surprise.LongNumberLen - 1; i < len(line); i += surprise.LongNumberLen { // one of these is in each
		if !ascii.IsDigit(line[i]) {
			continue
		}
		start, end = i, i+ascii.LeadingDigits(line[i:])
		for start > from && ascii.IsDigit(line[start-1]) {
			start--
		}
		isApart := (start == 0 || !ascii.IsAlphanumeric(line[start-1])) &&
			(end == len(line) || !ascii.IsAlphanumeric(line[end]))
		if isApart && end-start >= surprise.LongNumberLen && !isInUUID(line, start, end) {
			return start, end
		}
		for i+surprise.LongNumberLen < end {
			i += surprise.LongNumberLen
		}
	}
	return len(line), len(line)
}

// isInUUID says whether a number is the first or the last part of a UUID.
func isInUUID(line []byte, start, end int) bool {
	return StartsWithUUID(line[start:]) || end >= UUIDLen && StartsWithUUID(line[end-UUIDLen:])
}

// hasLongNumber says whether a word has a number as long as those that longestNumber counts.
func hasLongNumber(word []byte) bool {
	start, end := NextLongNumber(word, 0)
	return start < end
}

// Names steps through the runs of letters in a line. Numbers and ids are counted, but passed over: new ones tell
// nothing.
type Names struct {
	Text     []byte
	At, Runs int
}

// Next returns the next run of letters, a part of Text; At is where it ends. ok is false if there
// is none.
func (n *Names) Next() (name []byte, ok bool) {
	for {
		start, end, isName := NextRun(n.Text, n.At)
		if start == end {
			return nil, false
		}
		n.At = end
		if n.Runs++; isName {
			return n.Text[start:end], true
		}
	}
}

// NextRun finds the next run of letters and digits in what of a text begins at from; it is empty if there is none. A
// name is one without digits.
func NextRun(text []byte, from int) (start, end int, isName bool) {
	for from < len(text) && Parts[text[from]]&(Digit|Letter) == 0 {
		from++
	}
	has := Part(0)
	for end = from; end < len(text) && Parts[text[end]]&(Digit|Letter) != 0; end++ {
		has |= Parts[text[end]]
	}
	return from, end, has&Digit == 0
}
