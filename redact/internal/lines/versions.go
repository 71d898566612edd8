package lines

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/commands"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// said is the state that earlier lines leave for later ones, in one version of a text.
type said struct {
	table table
	carry names.Carry
	outer []names.Carry // around carry, innermost last: what is carried on where that ends
	argv  commands.Argv
	// isPrefixed: the structure began behind a prefix, which each of its lines has.
	isPrefixed bool
	prefix     prefix
	// hasAnyPrefix: the prefix has no known form; only later lines with the same prefix confirm it.
	hasAnyPrefix bool
	others       int    // lines since the last one with the prefix
	sign         byte   // the prefix, if it is one byte
	valueOf      []byte // the name whose value the next line may have, if it is a sensitive one; else empty
	isCommand    bool   // valueOf is the beginning of a command line, no name
	taken        int    // bytes of such a name that was taken for the current line
	margin       int    // the indent of the line on which the structure began, in characters
}

func newSaid() said {
	return said{valueOf: make([]byte, 0, 2*names.MaxName), outer: make([]names.Carry, 0, maxOuter)}
}

// says reports whether there is any state for later lines.
func (s *said) says() bool { return len(s.valueOf) > 0 || s.isOpen() }

// isOpen reports whether there is state for more lines than the next one.
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

// isSigned reports whether the prefix is a sign of a diff.
func (s *said) isSigned() bool { return s.isPrefixed && (s.sign == '+' || s.sign == '-') }

// mayBeOfDiff reports whether the next line, which begins with + or -, may be a changed line of a diff. The structure
// must have begun behind such a sign, or indented: in a text that is no diff, a line at the margin would end it.
func (s *said) mayBeOfDiff() bool {
	isText := s.carry.Is() || s.argv.IsOpen() || len(s.valueOf)+s.taken > 0 && !s.isCommand
	return s.isSigned() || !s.isPrefixed && isText && s.margin > 0
}

// versions follows the old and the new text of a diff: removed lines belong to the old one, added lines to the new one,
// unchanged lines to both. Each text is read as if the other lines were not there.
type versions struct {
	sign  byte // of the last line, if the diff changed it; else 0
	other said // the state of the other version, if sign is not 0
}

func (v *versions) forget() {
	v.sign = 0
	v.other.forget()
}

// BeginVersion takes c, the first byte of a line after its blanks.
func (l *State) BeginVersion(c byte) {
	if l.versions.sign != 0 {
		l.setVersion(l.signOf(c))
	}
}

// signOf returns c, the first byte of the current line, if it is a sign of a diff; else 0.
func (l *State) signOf(c byte) byte {
	if (c == '+' || c == '-') && l.row.indent.width == 0 {
		return c
	}
	return 0
}

// setVersion switches to the version of a line with that sign; 0 is an unchanged line.
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

// beginVersion finds the version of the current line, of which text up to limit is read. It returns false if more must
// be read first.
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

// skipSign passes the sign of the current line of a diff. The sign counts as indent only if the structure did not begin
// behind one.
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
