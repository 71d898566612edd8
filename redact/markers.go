package redact

import (
	"strconv"

	"github.com/kfw-dev/kfw/redact/catalogue"
	"github.com/kfw-dev/kfw/redact/decode"
	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/match"
	"github.com/kfw-dev/kfw/redact/names"
)

// markers writes the markers of a text, and counts them.
type markers struct {
	rules   *catalogue.Set
	counts  []int      // by rule
	written int        // all of them
	last    int        // the rule of the last one
	number  int        // and its number
	keys    int        // keys that have become a marker
	numbers *numbering // nil: markers have no numbers

	// reading says that the current match is read, whose marker comes when that ends.
	reading bool
	quotes  names.Quotes // of that marker
	between []byte       // what stands between the bytes of the current match and of its marker
}

// end writes the marker of the match that was begun, now that nothing more
// can be of it.
func (m *markers) end(dst []byte) []byte {
	if !m.reading {
		return dst
	}
	m.reading = false
	return m.spread(m.markQuoted(dst, m.last, m.numbers.end(), m.quotes), len(dst))
}

// mark writes a marker, and counts it.
func (m *markers) mark(dst []byte, rule, number int) []byte {
	m.counts[rule]++
	m.written++
	m.last, m.number = rule, number
	return appendMarker(dst, &m.rules.Catalogue[rule], number)
}

// markQuoted writes a marker with quotes around it.
func (m *markers) markQuoted(dst []byte, rule, number int, q names.Quotes) []byte {
	return q.Append(m.mark(q.Append(dst), rule, number))
}

// appendKeyNumber appends what makes a key that has become a marker differ from others.
func (m *markers) appendKeyNumber(dst []byte) []byte {
	if m.keys++; m.keys == 1 {
		return dst
	}
	return strconv.AppendInt(append(dst, '#'), int64(m.keys), 10)
}

// spread puts between the bytes of a marker, which is dst[from:], what stands between those of the match, so that
// UTF-16 remains what it is.
func (m *markers) spread(dst []byte, from int) []byte {
	if len(m.between) == 0 {
		return dst
	}
	var marker [lex.MaxMarker + 2]byte
	n := copy(marker[:], dst[from:])
	dst = dst[:from]
	for i, c := range marker[:n] {
		if i > 0 {
			dst = append(dst, m.between...)
		}
		dst = append(dst, c)
	}
	return dst
}

// appendBetween appends to dst how the NULs are written that stand between the characters of a match from a place
// on, as UTF-16 has them; nothing if there are none.
func appendBetween(dst []byte, escapes []decode.Escape, from int) []byte {
	const shortest = 2 // that many in a row are no chance
	for i := range shortest {
		if i >= len(escapes) || escapes[i].Pos != from+i+1 || escapes[i].Read != 0 ||
			!match.IsNUL(escapes[i].Raw[:escapes[i].Written]) {
			return dst
		}
	}
	return append(dst, escapes[0].Raw[:escapes[0].Written]...)
}
