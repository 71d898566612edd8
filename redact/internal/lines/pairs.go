package lines

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// unnamed is the value of a pair of YAML whose name may stand on a line to come. The zero value is
// none.
type unnamed struct {
	is       bool
	isQuoted bool
	indent   int // of its key, in characters
	from, to int // in the text
	lines    int // read since
}

const (
	// MaxUnnamedLines is how many lines may stand between the value of a pair and its name.
	MaxUnnamedLines = 8
	// maxUnnamedBytes is the same in bytes.
	maxUnnamedBytes = lex.LookBehind
)

// move follows a text that lost its first bytes.
func (u *unnamed) move(by int) {
	u.from -= by
	u.to -= by
}

// readPairLine reads a line of text[line:at] that may have the value of a pair, or its name after
// it.
func (l *State) readPairLine(line, at, indent int) {
	u := &l.unnamed
	text := l.in.Buf[line:at]
	y := names.ReadYAML(text, indent)
	if y.IsJSON {
		*u = unnamed{}
		return
	}
	if u.is {
		u.lines++
		switch {
		case len(bytes.TrimSpace(text)) == 0:
			return
		case y.IsItem || y.Indent < u.indent || u.lines > MaxUnnamedLines || at-u.from > maxUnnamedBytes:
			*u = unnamed{}
		case y.Indent == u.indent && names.PartOf(y.Key) == names.PairName:
			l.nameValue(names.Unquoted(y.Value))
			*u = unnamed{}
		}
	}
	if !u.is && (y.IsItem || y.Indent > 0) && names.PartOf(y.Key) == names.PairValue && at-line < names.MaxValue {
		from, to, isQuoted := names.Scalar(y.Value)
		if value := bytes.LastIndex(text, y.Value); from < to {
			*u = unnamed{is: true, isQuoted: isQuoted, indent: y.Indent, from: line + value + from, to: line +
				value + to}
		}
	}
}

// nameValue takes the value that was read, now that its name is.
func (l *State) nameValue(name []byte) {
	u := &l.unnamed
	if len(name) > names.MaxName || !lex.NameOfKey.Within(name) {
		return
	}
	p, _ := l.names.Of(bytes.Trim(name, "-."))
	if p == nil || !p.IsIn(l.in.Buf[u.from:u.to], u.isQuoted, l.around) {
		return
	}
	s := names.Span{Start: u.from, End: u.to, Rule: p.Rule}
	if l.yaml.is && !u.isQuoted {
		s.Quotes = 1
	}
	l.matches.Reason = names.Reason{How: match.CarriedReasons[names.SameMap], Name: p.Words}
	l.matches.Add(s)
}

// mayHavePairValue reports whether a line that is being read may turn out to have the value of a
// pair.
func mayHavePairValue(line []byte) bool {
	const longest = len("parameterValue")
	key := line[:min(len(line), structure.MaxHeader)]
	for len(key) > 0 && ((lex.Blank | lex.Dash).Has(key[0]) || key[0] == '\'') { // of each piece of a line
		key = key[1:]
	}
	end := lex.Word.Run(key, 0, longest+1)
	switch {
	case len(key) == len(line) && len(line) > 0: // at the margin a name would have to be, too
		return false
	case end == len(key):
		return bytes.HasPrefix([]byte("value"), key) || bytes.HasPrefix([]byte("Value"), key) ||
			bytes.HasPrefix([]byte("ParameterValue"), key) || bytes.HasPrefix([]byte("parameterValue"), key)
	}
	return names.PartOf(key[:end]) == names.PairValue
}

// AwaitsName reports whether the line that is being read has the value of a pair whose name may
// follow, or one before it has.
func (l *State) AwaitsName() bool {
	line := l.in.Begin
	if l.row.isBegun {
		line = l.row.line
	}
	return l.unnamed.is || line >= 0 && len(l.in.Buf)-line < names.MaxValue && mayHavePairValue(l.in.Buf[line:])
}
