package texttable

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// ReadFields reads the names in such a line.
func (c *columns) ReadFields(line []byte, row *rowCells) bool {
	n := len(formats.FieldsDirective)
	if len(line) <= n || line[0] != '#' || line[n] != ':' && line[n] != '\t' ||
		!bytes.EqualFold(line[:n], []byte(formats.FieldsDirective)) {
		return false
	}
	*c = columns{All: c.All[:0], IsListed: true}
	names := line[n+1:]
	isWhole := false
	if row.words, isWhole = cutWords(row.words[:0], names, formats.MaxTextColumns); !isWhole || len(row.words) < 2 {
		return false
	}
	for _, w := range row.words {
		if !isColumnName(w.of(names), false) {
			return false
		}
		c.add(column{Name: w.of(names)})
	}
	return true
}

// cutListed cuts a row whose columns have been named by a directive: at tabs, or at blanks, which may be between
// quotes. A dash is no value.
func (c *columns) cutListed(row *rowCells, line []byte) bool {
	if formats.IsDirective(line) || !c.cutAtTabs(row, line) && !c.cutAtQuotedWords(row, line) {
		return false
	}
	for i := range c.All {
		if string(row.Spans[i].Of(line)) == "-" {
			row.Spans[i] = ascii.Span{}
			row.Filled--
		}
	}
	return true
}

// cutAtTabs cuts a row that has as many cells between tabs as there are columns.
func (c *columns) cutAtTabs(row *rowCells, line []byte) bool {
	if bytes.Count(line, []byte{'\t'}) != len(c.All)-1 {
		return false
	}
	from := 0
	for i := range c.All {
		n := bytes.IndexByte(line[from:], '\t')
		if n < 0 {
			n = len(bytes.TrimRight(line[from:], "\r"))
		}
		if row.Spans[i] = (ascii.Span{From: from, To: from + n}); n > 0 {
			row.Filled++
			row.exact++
		}
		from += n + len("\t")
	}
	return true
}

// cutAtQuotedWords cuts a row that has as many words as there are columns, if what is between quotes is one.
func (c *columns) cutAtQuotedWords(row *rowCells, line []byte) bool {
	if c.cutRow(row, line); bytes.IndexByte(line, '"') >= 0 {
		for i := 0; i < len(row.words); i++ {
			if line[row.words[i].start] != '"' {
				continue
			}
			isEnd := func(w word) bool { return line[w.end-1] == '"' && w.end-1 > row.words[i].start }
			if last := slices.IndexFunc(row.words[i:], isEnd); last > 0 {
				row.words[i].end, row.words[i].to = row.words[i+last].end, row.words[i+last].to
				row.words = slices.Delete(row.words, i+1, i+last+1)
			}
		}
	}
	if len(row.words) != len(c.All) {
		return false
	}
	c.cutAtWords(row, endOf(line))
	return true
}

// lineFormat is a format of lines that are records by themselves.
type lineFormat struct {
	needs mask.Part // what each line of the format has
	cut   func(t *Table, dst []formats.Pair, line []byte) ([]formats.Pair, bool)
}

// lineFormats are the formats of lines, in the order in which they are tried: a line is of the first that it has the
// form of. The last three have digits in their lines.
var lineFormats = [...]lineFormat{
	{mask.Equals, plain(formats.CutPairs)},                // logfmt
	{mask.Digit | mask.Bracket, plain(formats.CutAccess)}, // access logs
	{mask.Bracket, (*Table).cutInsert},                    // dumps of databases
	{mask.Bracket, (*Table).cutSample},                    // metrics, by their labels,
	{0, (*Table).cutDescribed},                            // and after a comment that describes them
	{mask.Digit, plain(formats.CutBenchmark)},             // benchmarks of Go
	{mask.Digit | mask.Bracket, plain(formats.CutCall)},   // traced calls
	{mask.Digit, plain(formats.CutListing)},               // listings of files
}

// plain is a cutter that needs to know of no other line.
func plain(cut func([]formats.Pair, []byte) ([]formats.Pair, bool)) func(*Table, []formats.Pair, []byte) (
	[]formats.Pair, bool) {
	return func(_ *Table, dst []formats.Pair, line []byte) ([]formats.Pair, bool) { return cut(dst, line) }
}

// cutInsert cuts a row of a dump, whose columns have the names that a statement before gave them.
func (t *Table) cutInsert(dst []formats.Pair, line []byte) (pairs []formats.Pair, ok bool) {
	if pairs, ok = t.inserts.Cut(dst, line); !ok {
		t.inserts.Create(line)
	}
	return pairs, ok
}

// cutSample cuts a sample of a metric.
func (t *Table) cutSample(dst []formats.Pair, line []byte) ([]formats.Pair, bool) {
	return formats.CutSample(dst, line, t.HasSamples)
}

// cutDescribed cuts a sample without labels, if a comment before described it.
func (t *Table) cutDescribed(dst []formats.Pair, line []byte) ([]formats.Pair, bool) {
	if !t.HasSamples {
		return dst, false
	}
	return t.cutSample(dst, line)
}

// CutPairs cuts a line of a known format into the names and values of its fields. has is what is in the line.
func (t *Table) CutPairs(line []byte, has mask.Part) bool {
	for i := range lineFormats {
		if f := &lineFormats[i]; has&f.needs == f.needs {
			var ok bool
			if t.Pairs, ok = f.cut(t, t.Pairs[:0], line); ok {
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
	case as == formats.AsQuoted:
		if doubled := []byte("''"); bytes.Contains(value, doubled) {
			value = bytes.ReplaceAll(value, doubled, doubled[:1])
		}
	case !isText && isWrittenNumber(value), string(value) == "true", string(value) == "false", string(value) == "null":
		return append(dst, value...)
	case len(value) > 1 && value[0] == '"':
		t.unescaped = jsonx.AppendUnescapedKnown(t.unescaped[:0], formats.Unquoted(value))
		value = t.unescaped
	}
	return append(jsonx.AppendCanonicalText(append(dst, '"'), value), '"')
}
