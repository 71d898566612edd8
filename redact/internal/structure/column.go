package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

const MaxArgument = 32 // what of an argument is kept

// AppendEnd appends the end of an argument to dst.
func AppendEnd(dst, argument []byte) []byte {
	return append(dst, argument[max(0, len(argument)-MaxArgument):]...)
}

// KeyBefore returns the key that b ends with, and its colon; nil if it ends with none.
func KeyBefore(b []byte) []byte {
	b = bytes.TrimRight(b, " \t\r\n")
	b, isValue := bytes.CutSuffix(b, []byte{':'})
	b, isKey := bytes.CutSuffix(bytes.TrimRight(b, " \t\r\n"), []byte{'"'})
	if !isValue || !isKey {
		return nil
	}
	return b[bytes.LastIndexByte(b, '"')+1:]
}

// MaxColumns is how many columns of a table are looked at.
const MaxColumns = 64

// Column is a column of a table.
type Column struct {
	names.Phrase      // what its cells are the values of
	IsSensitive  bool // or of nothing
	From, To     int  // where its name stands, in characters from the begin of the line
}

// IsColumnName says whether a cell of a header may be the name of a column.
func IsColumnName(name []byte) bool {
	const signs = lex.Word | lex.Dash | lex.Dot | lex.Slash | lex.High | lex.Wide
	isName := false
	for _, c := range name {
		if !signs.Has(c) && c != ' ' && c != '#' {
			return false
		}
		isName = isName || (lex.Letters | lex.High | lex.Wide).Has(c)
	}
	return isName && len(name) <= longestColumn && name[len(name)-1] != '.'
}

// HasSensitive reports whether one of the columns has sensitive values.
func HasSensitive(columns []Column) bool {
	for i := range columns {
		if columns[i].IsSensitive {
			return true
		}
	}
	return false
}

// longestColumn is how long the name of a column is, in bytes.
const longestColumn = 40

// MaxHeader is how long the header of a table is, in bytes.
const MaxHeader = lex.LookBehind

// HeaderSigns are the kinds of signs that a header has.
const HeaderSigns = lex.Word | lex.Dash | lex.Dot | lex.Slash | lex.High | lex.Wide | lex.Blank | lex.Comma |
	lex.Quote | lex.Punctuation

// PairColumnOf returns what a column is whose rows are pairs of a name and a value.
func PairColumnOf(name []byte) names.PairPart {
	var b [names.MaxName]byte
	switch string(candidate.AppendLower(b[:0], name[:min(len(name), len(b))])) {
	case "name", "key", "variable", "variable_name", "variable name", "parameter", "setting", "property", "option",
		"env",
		"field", "attribute", "item", "keyname":
		return names.PairName
	case "value":
		return names.PairValue
	}
	return names.NoPart
}
