package detect

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Nothing is what surrounds a text of which nothing is known: no match, no marker, no name. It is
// shared, so a form that is asked with it must not write to it.
var Nothing = names.Around{Found: new([]names.Span)}

// findsNothing reports whether f finds nothing at the anchor b[at:to]. f must not look beyond
// the next quote after it.
func findsNothing(f names.Form, b []byte, at, to int) bool {
	if end := bytes.IndexByte(b[to:], '"'); end >= 0 {
		b = b[:to+end]
	}
	return f.Find(names.Window{Text: b, End: true, Around: &Nothing}, at, to).Verdict == names.NoMatch
}

// LineBody returns what follows the blanks and byte order marks that a line begins with.
func LineBody(line []byte) []byte {
	if len(line) > 0 && line[0] > ' ' && line[0] != lex.ByteOrderMark[0] { // as most do
		return line
	}
	for {
		line = line[lex.Blank.Run(line, 0, len(line)):]
		rest, found := bytes.CutPrefix(line, []byte(lex.ByteOrderMark))
		if !found {
			return line
		}
		line = rest
	}
}

// Excluder is a form that can often tell that it finds nothing at an anchor, and
// needs not know what stands beyond the quotes around it for that.
type Excluder interface {
	Excludes(b []byte, at, to int) bool
}
