package marker

import (
	"strconv"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/decode"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Writer writes the markers of a text, and counts them.
type Writer struct {
	rules   []detect.Rule
	Counts  []int      // of markers, by rule
	Written int        // markers of all rules
	Last    int        // the rule of the last marker
	number  int        // of the last marker; 0: none
	keys    int        // of the current record that have become a marker
	numbers *numbering // nil: markers have no numbers

	// reading says that the current match is read, whose marker comes when that ends.
	reading bool
	quotes  names.Quotes // of that marker
	between []byte       // what stands between the bytes of the current match and of its marker
}

// New returns a Writer of the markers of rules. If it is numbered, equal secrets have equal
// numbers.
func New(rules []detect.Rule, numbered bool) Writer {
	m := Writer{rules: rules, Counts: make([]int, len(rules))}
	if numbered {
		m.numbers = newNumbering()
	}
	return m
}

// NewRecord says that a record begins, which has keys of its own.
func (m *Writer) NewRecord() { m.keys = 0 }

// HasKeys reports whether a key of the current record has become a marker.
func (m *Writer) HasKeys() bool { return m.keys > 0 }

// HasNumbers reports whether markers have numbers.
func (m *Writer) HasNumbers() bool { return m.numbers != nil }

// Begin appends the marker of a match to dst, unless the match has to be read first to be numbered.
func (m *Writer) Begin(dst []byte, s names.Span) []byte {
	if m.numbers == nil {
		from := len(dst)
		if !s.IsKey {
			return m.spread(m.MarkQuoted(dst, s.Rule, 0, s.Quotes), from)
		}
		dst = m.mark(s.Quotes.Append(dst), s.Rule, 0)
		return m.spread(s.Quotes.Append(m.AppendKeyNumber(dst)), from)
	}
	m.numbers.begin(&m.rules[s.Rule])
	m.Last, m.quotes, m.reading = s.Rule, s.Quotes, true
	return dst
}

// BeginValue begins to read a value that becomes a marker of a rule.
func (m *Writer) BeginValue(rule int) { m.numbers.begin(&m.rules[rule]) }

// Read reads on in a match or a value, in parts of any size.
func (m *Writer) Read(part []byte) { m.numbers.read(part) }

// ReadString is read for a part of a string as JSON writes it: what counts is how it reads.
func (m *Writer) ReadString(part []byte) { m.numbers.readString(part) }

// EndValue appends the marker of the value that was read to dst, with quotes around it.
func (m *Writer) EndValue(dst []byte, rule int, q names.Quotes) []byte {
	return m.MarkQuoted(dst, rule, m.numbers.end(), q)
}

// AppendLast appends the last marker to dst once more, which is not counted.
func (m *Writer) AppendLast(dst []byte) []byte { return appendMarker(dst, &m.rules[m.Last], m.number) }

// SetBetween sets what stands between the characters of the match to come, which begins at from:
// NULs, if one was passed on before it and escapes has them after each character.
func (m *Writer) SetBetween(escapes []decode.Escape, from int, afterNUL bool) {
	if m.between = m.between[:0]; afterNUL {
		m.between = appendBetween(m.between, escapes, from)
	}
}

// End appends the marker of the match that was begun to dst, now that nothing more can be of it.
func (m *Writer) End(dst []byte) []byte {
	if !m.reading {
		return dst
	}
	m.reading = false
	return m.spread(m.MarkQuoted(dst, m.Last, m.numbers.end(), m.quotes), len(dst))
}

// mark writes a marker, and counts it.
func (m *Writer) mark(dst []byte, rule, number int) []byte {
	m.Counts[rule]++
	m.Written++
	m.Last, m.number = rule, number
	return appendMarker(dst, &m.rules[rule], number)
}

// MarkQuoted appends a marker with quotes around it to dst; number is 0 if it has none.
func (m *Writer) MarkQuoted(dst []byte, rule, number int, q names.Quotes) []byte {
	return q.Append(m.mark(q.Append(dst), rule, number))
}

// AppendKeyNumber appends what makes a key that has become a marker differ from others.
func (m *Writer) AppendKeyNumber(dst []byte) []byte {
	if m.keys++; m.keys == 1 {
		return dst
	}
	return strconv.AppendInt(append(dst, '#'), int64(m.keys), 10)
}

// spread puts between the bytes of a marker, which is dst[from:], what stands between those of the
// match, so that UTF-16 remains what it is.
func (m *Writer) spread(dst []byte, from int) []byte {
	if len(m.between) == 0 {
		return dst
	}
	var written [lex.MaxMarker + 2]byte
	n := copy(written[:], dst[from:])
	dst = dst[:from]
	for i, c := range written[:n] {
		if i > 0 {
			dst = append(dst, m.between...)
		}
		dst = append(dst, c)
	}
	return dst
}

// appendBetween appends to dst how the NULs are written that stand between the characters of a
// match from a place on, as UTF-16 has them; nothing if there are none.
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
