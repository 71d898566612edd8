package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// PairMark is the form of the word value where it says that a name and its value are apart: in the
// header of a table of pairs, and as the key of a pair in YAML or JSON whose name may follow on a
// line to come. It is no match itself.
type PairMark struct{}

// Anchors returns the anchors of the form, in lower case.
func (PairMark) Anchors() []string { return []string{"value"} }

// Find implements names.Form: it finds nothing.
func (PairMark) Find(names.Window, int, int) names.Finding { return names.Finding{} }

// Excludes reports whether the word says no such thing.
func (PairMark) Excludes(b []byte, at, to int) bool {
	const longest = 160
	const around = lex.Whitespace | lex.Quote | lex.Comma | lex.Punctuation
	if at > 0 && !around.Has(b[at-1]) || to < len(b) && !(around|lex.Colon).Has(b[to]) {
		return true
	}
	start := bytes.LastIndexByte(b[:at], '\n') + 1
	end := len(b)
	if size := bytes.IndexByte(b[to:], '\n'); size >= 0 {
		end = to + size
	}
	before, after := b[start:at], b[to:end]
	if quoted := bytes.TrimLeft(after, "\"' "); len(quoted) > 0 && quoted[0] == ':' {
		if after[0] == '"' { // as JSON has it, after whatever else
			return closesObject(after)
		}
		isPair := len(bytes.Trim(before, " \t-\"'{,")) == 0
		return !isPair || bytes.IndexByte(after, '}') >= 0
	}
	if end-start > longest || HeaderSigns.Run(b, start, end-start) < end || !endsCell(before) || !beginsCell(after) {
		return true
	}
	for name := range bytes.FieldsFuncSeq(before, func(c rune) bool { return c != '_' && !isLetter(c) }) {
		if PairColumnOf(name) == names.PairName {
			return false
		}
	}
	return true
}

// closesObject reports whether the object of a key ends in the line that has it. line begins with
// the quote that ends the key.
func closesObject(line []byte) bool {
	depth, isIn := 0, true
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case isIn && c == '\\':
			i++
		case c == '"':
			isIn = !isIn
		case isIn:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth < 0 {
				return true
			}
		}
	}
	return false
}

// endsCell reports whether a cell of a header may begin after b: a separator or two blanks stand
// there.
func endsCell(b []byte) bool {
	b = bytes.TrimRight(b, `"`)
	cell := bytes.TrimSuffix(b, []byte{' '})
	return len(cell) > 0 && (cell[len(cell)-1] == ' ' || bytes.IndexByte([]byte("\t|,;"), cell[len(cell)-1]) >= 0)
}

// beginsCell reports whether a cell of a header may end before b.
func beginsCell(b []byte) bool {
	b = bytes.TrimLeft(b, `"`)
	cell := bytes.TrimPrefix(b, []byte{' '})
	return len(cell) == 0 || cell[0] == ' ' || bytes.IndexByte([]byte("\t|,;\r"), cell[0]) >= 0
}

func isLetter(c rune) bool { return c < 0x80 && lex.Letters.Has(byte(c)) }
