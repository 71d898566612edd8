package budget

import "slices"

// A piece can be as long as the text, and merging it at once would take the square of that. It is merged in windows
// that overlap. A sequence of tokens is what byte-pair encoding makes of its bytes if and only if that holds for
// every two neighbours in it. So where the tokens of two windows have one token in common, at the same place, those
// before it in the one and those after it in the other are together what the encoding makes of both. (The argument is
// that of the bpe crate in github/rust-gems.)
const (
	// windowOverlap is by how much a window goes back at first, in bytes: more than the longest token has. Mostly the
	// first token is in common then; else it goes back twice as far, and so on.
	windowOverlap = 160
	// windowHistory is how many bytes are kept to go back to. Neighbours would have to be undone one after another over
	// all of them for a count to be wrong.
	windowHistory = 512
)

// longPiece counts the tokens of a piece that comes in parts, in constant memory.
type longPiece struct {
	merger *merger
	before int    // tokens before text
	text   []byte // from the beginning of a token on
	ends   []int  // where the tokens of the first bytes of text end: what has been merged
	window []int
}

func newLongPiece(m *merger) *longPiece {
	return &longPiece{
		merger: m,
		text:   make([]byte, 0, mergeWindow),
		ends:   make([]int, 0, mergeWindow),
		window: make([]int, 0, mergeWindow),
	}
}

// reset begins another piece.
func (l *longPiece) reset() { l.before, l.text, l.ends = 0, l.text[:0], l.ends[:0] }

func (l *longPiece) write(part []byte) {
	for len(part) > 0 {
		if len(l.text) == mergeWindow {
			l.merge()
			l.forget()
		}
		n := min(len(part), mergeWindow-len(l.text))
		l.text = append(l.text, part[:n]...)
		part = part[n:]
	}
}

// tokens returns how many tokens the piece is, if it ends here. It may go on all the same.
func (l *longPiece) tokens() int {
	l.merge()
	return l.before + len(l.ends)
}

// merge takes in what has been written.
func (l *longPiece) merge() {
	merged := 0
	if len(l.ends) > 0 {
		merged = l.ends[len(l.ends)-1]
	}
	if merged == len(l.text) {
		return
	}
	for overlap := windowOverlap; ; overlap *= 2 {
		first, start := 0, 0 // the first token that is merged again, and where it begins
		if overlap < merged {
			first, _ = slices.BinarySearch(l.ends, merged-overlap)
		}
		if first > 0 {
			start = l.ends[first-1]
		}
		l.window = l.merger.ends(l.window[:0], l.text[start:], start)
		if kept, from, ok := inCommon(l.ends[first:], l.window, start); ok || first == 0 {
			l.ends = append(l.ends[:first+kept], l.window[from:]...)
			return
		}
	}
}

// inCommon returns the numbers of the first token that two sequences, which begin at the same byte, have in common;
// without one, 0 of both.
func inCommon(a, b []int, start int) (i, j int, ok bool) {
	startA, startB := start, start
	for i < len(a) && j < len(b) {
		switch {
		case startA == startB && a[i] == b[j]:
			return i, j, true
		case a[i] <= b[j]:
			startA = a[i]
			i++
		default:
			startB = b[j]
			j++
		}
	}
	return 0, 0, false
}

// forget drops the tokens before the last windowHistory bytes.
func (l *longPiece) forget() {
	n, _ := slices.BinarySearch(l.ends, len(l.text)-windowHistory)
	if n == 0 {
		return
	}
	cut := l.ends[n-1]
	l.before += n
	l.text = append(l.text[:0], l.text[cut:]...)
	l.ends = append(l.ends[:0], l.ends[n:]...)
	for i := range l.ends {
		l.ends[i] -= cut
	}
}
