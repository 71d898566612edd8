package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Grid carries the names in a list to the values in lists beside it, as {"columns":[...],"rows":[[...]]}
// and [["id","password"],["1","x"]] have them. The list may hold the names themselves or objects with
// one. The zero value carries nothing.
type Grid struct {
	State   gridState
	columns []Column
	count   int    // commas in the list of names
	depth   int    // brackets that are open in the list of names, or in what holds the list
	arrays  uint64 // which of them are [
	inArray bool   // what holds the list is an array
	ofNames bool   // the key of the list says that objects in it have names of columns
	row     int    // depth within the current row; 0: there is none
	cell    int    // commas in it
}

type gridState uint8

const (
	noGrid   gridState = iota
	GridName           // in a list that may be of names
	gridRows           // after such a list, in what holds it
)

// Is reports whether names are carried or may be.
func (g *Grid) Is() bool { return g.State != noGrid }

// End makes g carry nothing. It keeps its memory for the next list.
func (g *Grid) End() { *g = Grid{columns: g.columns[:0]} }

// Open takes in a bracket, which begins the value of a member with a key or the first element of an array.
func (g *Grid) Open(isArray, isMember, isFirst bool, key []byte) {
	const deepest = 60
	switch g.State {
	case GridName:
		switch {
		case !isArray && (g.depth > 0 || g.ofNames):
			g.depth++
		case !isArray:
			g.End()
		case g.depth == 0 && isFirst && len(g.columns) == 0:
			g.inArray = true
		case g.depth == 0:
			g.End()
		default:
			g.depth++
		}
	case gridRows:
		isOfArray := g.inArray
		if g.depth > 0 {
			isOfArray = g.arrays>>(g.depth-1)&1 == 1
		}
		g.arrays &^= 1 << g.depth
		if isArray {
			g.arrays |= 1 << g.depth
		}
		if g.depth++; g.depth > deepest {
			g.End()
			return
		}
		if g.row == 0 && isArray && isOfArray {
			g.row, g.cell = g.depth, 0
		}
	default:
		if isArray && (isMember || isFirst) {
			g.End()
			g.State, g.inArray, g.ofNames = GridName, isFirst, isMember && isOfColumns(key)
		}
	}
}

// isOfColumns reports whether a key is that of a list of columns, as the answers of databases have it.
func isOfColumns(key []byte) bool {
	var b [MaxArgument]byte
	switch string(candidate.AppendLower(b[:0], key[:min(len(key), len(b))])) {
	case "columns", "cols", "fields", "header", "headers", "schema", "columnmetadata", "column_metadata", "columninfo":
		return true
	}
	return false
}

// Close takes in a closing bracket.
func (g *Grid) Close() {
	switch {
	case g.State == GridName && g.depth > 0:
		g.depth--
	case g.State == GridName && len(g.columns) > 1 && HasSensitive(g.columns):
		g.State, g.depth, g.row = gridRows, 0, 0
	case g.State == GridName || g.depth == 0:
		g.End()
	case g.State == gridRows:
		if g.row == g.depth {
			g.row = 0
		}
		g.depth--
	}
}

// Next takes in a comma.
func (g *Grid) Next() {
	switch {
	case g.State == GridName && g.depth == 0:
		if g.count++; g.count >= MaxColumns {
			g.End()
		}
	case g.State == gridRows && g.row > 0 && g.row == g.depth:
		g.cell++
	}
}

// ReadName takes in a string of the list of names, which is sensitive if p is not nil.
func (g *Grid) ReadName(name []byte, p *names.Phrase, isPairName bool) {
	switch {
	case g.State != GridName || g.depth > 1 || (g.depth == 1) != isPairName:
		return
	case len(g.columns) > g.count || !IsColumnName(name):
		g.End()
		return
	}
	for len(g.columns) < g.count {
		g.columns = append(g.columns, Column{})
	}
	c := Column{}
	if p != nil {
		c.Phrase, c.IsSensitive = *p, true
	}
	g.columns = append(g.columns, c)
}

// ReadScalar takes in a number or a literal, of which a list of names has none.
func (g *Grid) ReadScalar() {
	if g.State == GridName && g.depth == 0 {
		g.End()
	}
}

// Value returns the name of the value that begins here, or nil.
func (g *Grid) Value() *names.Phrase {
	if g.row == 0 || g.depth != g.row || g.cell >= len(g.columns) || !g.columns[g.cell].IsSensitive {
		return nil
	}
	return &g.columns[g.cell].Phrase
}

// MayHaveRows reports whether rows may follow a name in a list of JSON, on the line of which b is the
// rest, or on the next: lists in a list, or beside it. So many brackets are open around the name. After
// a long list it is not looked for them.
func MayHaveRows(b []byte, open int) bool {
	const longest = 512
	b = b[:min(len(b), longest)]
	isString, last := false, byte(0)
	for _, c := range b {
		switch {
		case c == '"':
			isString = !isString
			last = c
			continue
		case isString || lex.Whitespace.Has(c):
			continue
		case c == '[' && (last == '[' || last == ',' && open == 0):
			return true
		case c == '{' || c == '[':
			open++
		case c == ']' || c == '}':
			if open--; open < 0 {
				return false
			}
		}
		last = c
	}
	return true
}

// IsOfColumnList reports whether b, before a name in a line of JSON, begins a list of columns last.
func IsOfColumnList(b []byte) bool {
	list := bytes.LastIndexByte(b, '[')
	return list >= 0 && isOfColumns(KeyBefore(b[:list]))
}
