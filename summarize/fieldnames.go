package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// readsFields takes in a line that names the fields of the lines after it: as a directive of the W3C's extended log file format
// (WD-logfile-960323) does, which IIS and CloudFront write, and one of the logs of Zeek. It returns false if it is another.
func (s *Summary) readsFields(r structure.Record) bool {
	t := &s.table
	if len(r.Value) > mask.MaxLineLen || !t.candidate.readFields(r.Value, &t.row) {
		return false
	}
	if t.rows > 0 && t.candidate.isSame(&t.columns) {
		t.isRunning, t.missed = true, 0
	} else {
		s.openTable()
	}
	s.addHeader(r)
	return true
}

// readFields reads the names in such a line.
func (c *columns) readFields(line []byte, row *rowCells) bool {
	n := len(formats.FieldsDirective)
	if len(line) <= n || line[0] != '#' || line[n] != ':' && line[n] != '\t' || !bytes.EqualFold(line[:n], []byte(formats.FieldsDirective)) {
		return false
	}
	*c = columns{all: c.all[:0], isListed: true}
	names := line[n+1:]
	isWhole := false
	if row.words, isWhole = cutWords(row.words[:0], names, formats.MaxTextColumns); !isWhole || len(row.words) < 2 {
		return false
	}
	for _, w := range row.words {
		if !isColumnName(w.of(names), false) {
			return false
		}
		c.add(column{name: w.of(names)})
	}
	return true
}

// cutListed cuts a row whose columns have been named by a directive: at tabs, or at blanks, which may be between quotes. A dash is no
// value.
func (c *columns) cutListed(row *rowCells, line []byte) bool {
	if formats.IsDirective(line) || !c.cutAtTabs(row, line) && !c.cutAtQuotedWords(row, line) {
		return false
	}
	for i := range c.all {
		if string(row.spans[i].Of(line)) == "-" {
			row.spans[i] = ascii.Span{}
			row.filled--
		}
	}
	return true
}

// cutAtTabs cuts a row that has as many cells between tabs as there are columns.
func (c *columns) cutAtTabs(row *rowCells, line []byte) bool {
	if bytes.Count(line, []byte{'\t'}) != len(c.all)-1 {
		return false
	}
	from := 0
	for i := range c.all {
		n := bytes.IndexByte(line[from:], '\t')
		if n < 0 {
			n = len(bytes.TrimRight(line[from:], "\r"))
		}
		if row.spans[i] = (ascii.Span{From: from, To: from + n}); n > 0 {
			row.filled++
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
	if len(row.words) != len(c.all) {
		return false
	}
	c.cutAtWords(row, endOf(line))
	return true
}
