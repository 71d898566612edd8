package lines

import (
	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/commands"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Checker tells of single lines whether they say something of the lines after them.
type Checker struct {
	Names  *names.NameCache // the sensitive ones
	header table            // what the line may be
}

// SaysOfNext reports whether a line with the name of a secret has one whose value is in the lines
// after it.
func (c *Checker) SaysOfNext(line []byte) bool {
	n := lex.AnyPrefixEnd(line)
	switch {
	case n > 0 && c.saysOfNext(line[n:]):
		return true
	case n > surePrefix:
		return names.IsContinued(line)
	}
	return c.saysOfNext(line) || n == 0 && saysAfterWords(line, c.Names) > 0
}

// saysOfNext is SaysOfNext of a line with nothing before it.
func (c *Checker) saysOfNext(line []byte) bool {
	return carries(line, c.Names) || c.header.readHeader(line, Indent{}, c.Names) || names.IsContinued(line) ||
		commands.IsItemOfProgram(line)
}

// MaySay says whether a line with an anchor of r in it may say something of the lines after it. One
// that is excluded may be a part of a name of more words.
func MaySay(r *detect.Rule, line []byte, at, to int, isExcluded bool) bool {
	return !isExcluded || r.IsNamed && !isPartOfSmallWord(line, at, to)
}

// isPartOfSmallWord says whether an anchor stands in a longer word that is all of small letters, as
// in most texts. Such a word is no name: it would be excluded for itself.
func isPartOfSmallWord(line []byte, at, to int) bool {
	const small = lex.Lower | lex.HexLower
	start, end := lex.Alnum.RunBack(line, at, names.MaxName), lex.Alnum.Run(line, to, names.MaxName)
	return end-start > to-at && small.Within(line[start:end])
}
