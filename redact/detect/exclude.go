package detect

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
)

var Nothing = names.Around{Found: new([]names.Span)}

// FindsNothing says so of a form that looks at most at whether there is a quote,
// not beyond it.
func FindsNothing(f names.Form, b []byte, at, to int) bool {
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
