package texttable

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// lineFormats are the formats of lines that are records by themselves, in the order in which they are tried: a line is
// of the first that it has the form of.
var lineFormats = [...]struct {
	needs mask.Part // what each line of the format has
	cut   func(dst []formats.Pair, line []byte) ([]formats.Pair, bool)
}{
	{mask.Equals, formats.CutPairs},                // logfmt
	{mask.Digit | mask.Bracket, formats.CutAccess}, // access logs
	{mask.Digit, formats.CutListing},               // listings of files
}

// CutPairs cuts a line of a known format into the names and values of its fields. has is what is in the line.
func (t *Table) CutPairs(line []byte, has mask.Part) bool {
	for _, f := range lineFormats {
		if has&f.needs == f.needs {
			var ok bool
			if t.Pairs, ok = f.cut(t.Pairs[:0], line); ok {
				return true
			}
		}
	}
	return false
}

// AppendPairValue appends a value as JSON: a number or a literal as it is, unless it is one of texts.
func (t *Table) AppendPairValue(dst, value []byte, isText bool, as formats.PairKind) []byte {
	switch {
	case as == formats.AsNumber:
		return append(dst, value...)
	case as == formats.AsText:
	case !isText && isWrittenNumber(value), string(value) == "true", string(value) == "false", string(value) == "null":
		return append(dst, value...)
	case len(value) > 1 && value[0] == '"':
		t.unescaped = jsonx.AppendUnescapedKnown(t.unescaped[:0], formats.Unquoted(value))
		value = t.unescaped
	}
	return append(jsonx.AppendCanonicalText(append(dst, '"'), value), '"')
}
