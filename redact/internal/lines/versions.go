package lines

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/commands"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// said is what earlier lines of a version of a text say of its lines to come.
type said struct {
	table table
	carry names.Carry
	outer []names.Carry // around carry, innermost last: what is carried on where that ends
	argv  commands.Argv
	// isPrefixed: it began behind something that a program put before each line.
	isPrefixed bool
	prefix     prefix // which is this
	// hasAnyPrefix: nothing but the text after it and the next lines say that it is one.
	hasAnyPrefix bool
	others       int    // lines since the last that had it
	sign         byte   // that, if it is no more than one byte
	valueOf      []byte // the name whose value the next line may have, if it is a sensitive one; else empty
	isCommand    bool   // which is no name, but the begin of a command line
	taken        int    // bytes of such a name that was taken for the current line
	margin       int    // characters before the line with which all of this began
}

func newSaid() said {
	return said{valueOf: make([]byte, 0, 2*names.MaxName), outer: make([]names.Carry, 0, maxOuter)}
}

// says reports whether something is said of the lines to come.
func (s *said) says() bool { return len(s.valueOf) > 0 || s.isOpen() }

// isOpen reports whether something is said that may be of more lines than the next.
func (s *said) isOpen() bool { return s.table.is() || s.carry.Is() || s.argv.IsOpen() }

// forget forgets all but the name whose value the next line may have.
func (s *said) forget() {
	s.table.end()
	s.carry, s.outer, s.argv, s.isPrefixed = names.Carry{}, s.outer[:0], commands.Argv{}, false
}

// setTo makes s a copy of o.
func (s *said) setTo(o *said) {
	columns := append(s.table.columns[:0], o.table.columns...)
	outer := append(s.outer[:0], o.outer...)
	valueOf := append(s.valueOf[:0], o.valueOf...)
	*s = *o
	s.table.columns, s.outer, s.valueOf = columns, outer, valueOf
}

// isSigned reports whether what stands before the lines is the sign of a diff.
func (s *said) isSigned() bool { return s.isPrefixed && (s.sign == '+' || s.sign == '-') }

// mayBeOfDiff reports whether the next line, which begins with the sign of a diff, may be a changed one.
// What was said began behind such a sign, or behind the blank in its place: without a diff, no line at
// the margin would be of it.
func (s *said) mayBeOfDiff() bool {
	isText := s.carry.Is() || s.argv.IsOpen() || len(s.valueOf)+s.taken > 0 && !s.isCommand
	return s.isSigned() || !s.isPrefixed && isText && s.margin > 0
}

// versions are the two texts that a diff has: the lines it removed and the lines it added each follow
// the lines it did not change, as if the others were not there.
type versions struct {
	sign  byte // the sign that the last line begins with, of a line that the diff changed; else 0
	other said // what the lines of the other version say, if sign is not 0
}

func (v *versions) forget() {
	v.sign = 0
	v.other.forget()
}

// BeginVersion says that a line of text begins with c, after the blanks that were read.
func (l *State) BeginVersion(c byte) {
	if l.versions.sign != 0 {
		l.setVersion(l.signOf(c))
	}
}

// signOf returns c, which the current line begins with, if it is the sign of a diff, or 0.
func (l *State) signOf(c byte) byte {
	if (c == '+' || c == '-') && l.row.indent.width == 0 {
		return c
	}
	return 0
}

// setVersion goes on in a line that a diff has added or removed, or in one that it has not changed.
func (l *State) setVersion(sign byte) {
	v := &l.versions
	switch {
	case sign == v.sign:
		return
	case v.sign == 0:
		v.other.setTo(&l.said)
		v.other.valueOf = append(v.other.valueOf, l.valueOf[:l.taken]...)
	case sign != 0 || v.sign == '-':
		l.said, v.other = v.other, l.said
	}
	if v.sign = sign; sign == 0 { // both go on, and the added lines say more of what follows
		if !l.said.says() {
			l.said, v.other = v.other, l.said
		}
		v.other.forget()
		v.other.valueOf = v.other.valueOf[:0]
	}
}

// beginVersion finds out of which version the current line is, which is read up to a place; false means that this
// is not known yet.
func (l *State) beginVersion(limit int, isEnd bool) bool {
	r, v := &l.row, &l.versions
	line := l.in.Buf[max(r.line, 0):limit]
	sign := byte(0)
	if len(line) > 0 {
		sign = l.signOf(line[0])
	}
	if v.sign == 0 && sign != 0 {
		const enough = len("- x")
		if len(line) < enough && !isEnd && bytes.IndexByte(line, '\n') < 0 {
			return false
		}
		isItem := len(line) >= enough && line[1] == ' ' && !lex.Blank.Has(line[2]) // of a list of YAML
		if isItem || !l.mayBeOfDiff() && !l.collection.reads() {
			sign = 0
		}
	}
	r.hasVersion = true
	if sign != v.sign {
		l.setVersion(sign)
		l.expectInRow()
	}
	return true
}

// skipSign begins the current line of a diff after its sign. What began behind a sign has no indent for it.
func (l *State) skipSign(line []byte) {
	r := &l.row
	r.hasPrefix = false
	width := 1
	if l.isPrefixed {
		width = 0
	}
	switch {
	case r.indent.width == 0 && len(line) > 0 && (line[0] == '+' || line[0] == '-'):
		l.skip(1, width)
	case l.isPrefixed && r.indent.width > 0: // a line that the diff did not change
		r.indent.width--
		r.width--
	case l.isPrefixed && len(line) > 0 && line[0] == ' ': // the same, where blanks are of the text
		l.skip(1, 0)
	}
}
