package lines

import (
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
	sign       byte   // the last of what stands there
	valueOf    []byte // the name whose value the next line may have, if it is a sensitive one; else empty
	isCommand  bool   // which is no name, but the begin of a command line
}

func newSaid() said {
	return said{valueOf: make([]byte, 0, 2*names.MaxName), outer: make([]names.Carry, 0, maxOuter)}
}

// says reports whether something is said of the lines to come.
func (s *said) says() bool {
	return len(s.valueOf) > 0 || s.table.is() || s.carry.Is() || s.argv.IsOpen()
}

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

// mayBeOfDiff reports whether the next line, which begins with the sign of a diff, may be a changed one. What
// was said began behind such a sign, or behind the blank that stands in its place, where no line at the margin
// would be of it.
func (s *said) mayBeOfDiff() bool {
	return s.isSigned() || !s.isPrefixed && (s.carry.Is() && s.carry.Indent > 0 || s.argv.IsOpen() && s.argv.Indent > 0 ||
		len(s.valueOf) > 0 && !s.isCommand)
}

// versions are the two texts that a diff has: the lines it removed and the lines it added each follow the
// lines it did not change, as if the others were not there. The zero value is of a text that is no diff.
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
	v, sign := &l.versions, byte(0)
	if (c == '+' || c == '-') && l.row.indent.width == 0 {
		sign = c
	}
	switch {
	case sign == v.sign:
		return
	case v.sign == 0 && !l.mayBeOfDiff():
		return
	case v.sign == 0:
		v.other.setTo(&l.said)
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

// beginVersionOfRow is BeginVersion of the current line, unless that is known, which is read up to a place.
func (l *State) beginVersionOfRow(limit int) {
	r := &l.row
	if r.hasVersion {
		return
	}
	r.hasVersion = true
	c := byte('\n')
	if r.line >= 0 && r.line < limit {
		c = l.in.Buf[r.line]
	}
	before := l.versions.sign
	if l.BeginVersion(c); l.versions.sign != before {
		l.expectInRow()
	}
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
