package marker

import (
	"bytes"
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/decode"
	"github.com/kfw-dev/kfw/redact/internal/detect"
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
	rule    *detect.Rule // of the match that is being read
	escape  [len(`\u0040`)]byte
	size    int // of escape, which a string is in the middle of
}

func newNumbering() *numbering {
	return &numbering{numbers: make(map[uint64]int), highest: make(map[string]int)}
}

// begin begins to read a match of x.
func (n *numbering) begin(x *detect.Rule) {
	if n == nil {
		return
	}
	n.rule, n.size = x, 0
	n.hash.Reset()
	n.hash.WriteString(x.Name) // never fails, nor does what follows
	n.hash.WriteByte(0)        // which is in no name
}

// read reads on, in parts of any size.
func (n *numbering) read(part []byte) {
	if n != nil {
		n.hash.Write(part)
	}
}

// readString reads on in a string as JSON writes it: what counts is how it reads.
func (n *numbering) readString(part []byte) {
	if n == nil {
		return
	}
	for len(part) > 0 {
		if n.size > 0 {
			n.readEscape(part[0])
			part = part[1:]
			continue
		}
		end := bytes.IndexByte(part, '\\')
		if end < 0 {
			end = len(part)
		} else {
			n.escape[0], n.size = '\\', 1
		}
		n.hash.Write(part[:end])
		part = part[min(end+1, len(part)):]
	}
}

// readEscape reads what follows a backslash. What is no escape stands for itself.
func (n *numbering) readEscape(c byte) {
	n.escape[n.size] = c
	n.size++
	switch {
	case n.size == 2 && c != 'u':
		if i := strings.IndexByte("nrtbf", c); i >= 0 {
			c = "\n\r\t\b\f"[i]
		}
		n.hash.WriteByte(c)
	case n.size > 2 && !lex.Hexadecimal.Has(c):
		n.hash.Write(n.escape[:n.size])
	case n.size < len(n.escape):
		return
	default:
		var read [4]byte
		n.hash.Write(read[:decode.Encode(&read, decode.Number16(n.escape[2:]))])
	}
	n.size = 0
}

// end returns the number of what was read, or 0.
func (n *numbering) end() int {
	if n == nil {
		return 0
	}
	n.hash.Write(n.escape[:n.size])
	sum := n.hash.Sum64()
	number := n.numbers[sum]
	if number == 0 && len(n.numbers) < lex.MaxNumbered {
		n.highest[n.rule.Name]++
		number = n.highest[n.rule.Name]
		n.numbers[sum] = number
	}
	return number
}

// appendMarker appends the marker of x, with a number unless that is 0.
func appendMarker(dst []byte, x *detect.Rule, number int) []byte {
	if number == 0 {
		return append(dst, x.Marker...)
	}
	dst = append(dst, x.Marker[:len(x.Marker)-1]...)
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, int64(number), 10)
	return append(dst, ']')
}
