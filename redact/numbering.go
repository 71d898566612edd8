package redact

import (
	"hash/maphash"
	"strconv"
)

const (
	// maxNumbered is how many secrets have numbers. Those that come later have none,
	// so that memory does not grow with the input.
	maxNumbered = 4096
	// maxMarkerNumber is the length of ":4096".
	maxMarkerNumber = 5
)

// numbering gives equal secrets of one rule equal numbers, counted from 1 in the
// order in which they end. What it keeps of a secret is 64 bits of a hash with a
// key of its own, so nothing can be guessed from it; that two of all those with
// numbers share one by accident happens once in 10^12 runs. A nil numbering reads
// nothing and has no numbers.
type numbering struct {
	numbers map[uint64]int // by the hash of the name and the secret
	highest map[string]int // by name
	hash    maphash.Hash
	rule    *rule // of the match that is being read
}

func newNumbering() *numbering {
	return &numbering{numbers: make(map[uint64]int), highest: make(map[string]int)}
}

// begin begins to read a match of x.
func (n *numbering) begin(x *rule) {
	if n == nil {
		return
	}
	n.rule = x
	n.hash.Reset()
	n.hash.WriteString(x.name) // never fails, nor does what follows
	n.hash.WriteByte(0)        // which is in no name
}

// read reads on, in parts of any size.
func (n *numbering) read(part []byte) {
	if n != nil {
		n.hash.Write(part)
	}
}

// end returns the number of what was read, or 0.
func (n *numbering) end() int {
	if n == nil {
		return 0
	}
	sum := n.hash.Sum64()
	number := n.numbers[sum]
	if number == 0 && len(n.numbers) < maxNumbered {
		n.highest[n.rule.name]++
		number = n.highest[n.rule.name]
		n.numbers[sum] = number
	}
	return number
}

// appendMarker appends the marker of x, with a number unless that is 0.
func appendMarker(dst []byte, x *rule, number int) []byte {
	if number == 0 {
		return append(dst, x.marker...)
	}
	dst = append(dst, x.marker[:len(x.marker)-1]...)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(number), 10)
	return append(dst, ']')
}

// isMarkerNumber says whether b may be the number of a marker.
func isMarkerNumber(b []byte) bool {
	if len(b) == 0 || len(b) >= maxMarkerNumber || b[0] == '0' || !digits.within(b) {
		return false
	}
	n, err := strconv.Atoi(string(b))
	return err == nil && n <= maxNumbered
}
