package summarize

import "bytes"

// fieldsDirective begins a line that names the fields of those after it.
const fieldsDirective = "#fields"

// readsFields takes in a line that names the fields of the lines after it: as a directive of the W3C's extended log file format
// (WD-logfile-960323) does, which IIS and CloudFront write, and one of the logs of Zeek. It returns false if it is another.
func (s *Summary) readsFields(r Record) bool {
	t := &s.table
	if len(r.Value) > maxLineLen || !t.candidate.readFields(r.Value, &t.row) {
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
	n := len(fieldsDirective)
	if len(line) <= n || line[0] != '#' || line[n] != ':' && line[n] != '\t' || !bytes.EqualFold(line[:n], []byte(fieldsDirective)) {
		return false
	}
	*c = columns{all: c.all[:0], isListed: true}
	isWhole := false
	names := line[n+1:]
	row.words, isWhole = cutWords(row.words[:0], names, maxTextColumns)
	for _, w := range row.words {
		c.add(column{name: w.of(names)})
	}
	return isWhole && len(c.all) > 1
}

// cutListed cuts a row whose columns have been named by a directive: at tabs, if there are any, or at blanks. A dash is no value.
func (c *columns) cutListed(row *rowCells, line []byte) bool {
	if isDirective(line) {
		return false
	}
	if bytes.IndexByte(line, '\t') >= 0 {
		c.separator = '\t'
	}
	if c.separator != 0 {
		if !c.cutAtSeparators(row, line) {
			return false
		}
	} else {
		if c.cutRow(row, line); len(row.words) != len(c.all) {
			return false
		}
		c.cutAtWords(row, endOf(line))
	}
	for i := range c.all {
		if string(row.spans[i].of(line)) == "-" {
			row.spans[i] = span{}
			row.filled--
		}
	}
	return row.filled > 0
}

// isDirective says whether a line among the rows of such a table tells of it.
func isDirective(line []byte) bool { return len(line) > 0 && line[0] == '#' }
