package texttable

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

const (
	trialRows  = 3  // rows under a header that have to keep to its columns,
	moreRows   = 5  // and under one that is a row itself
	MaxHeld    = 8  // lines that are kept until that is known: a line may be drawn under each
	NearStart  = 10 // a header is among so many lines from the start, or from a blank line
	MaxMissed  = 3  // lines one after another that are no rows, within a table
	wholeShare = .75
)

// Table finds tables in lines: a line that may be a header opens a trial, in which lines are held; it is a table if
// the next lines keep to its columns. It ends where lines no longer do.
type Table struct {
	Columns    columns
	Candidate  columns // of the trial
	Row        rowCells
	Held       [MaxHeld]textLine
	HeldCount  int
	Trial      Trial
	IsRunning  bool                            // otherwise a trial, if any lines are held
	Rows       int                             // of all tables
	Headers    int                             // lines
	Numbered   int                             // tables whose columns have numbers for names
	Filled     [formats.MaxTextColumns + 1]int // rows by how many cells they have
	OtherLines int                             // lines among the rows of tables that are none
	IsRuled    bool                            // the last line was drawn under several rows
	SinceRule  int                             // rows
	IsUnder    bool                            // a rule was drawn under the header
	Missed     int                             // lines since the last row
	SinceBlank int                             // lines
	Pairs      []formats.Pair                  // of a line that is a record
	unescaped  []byte                          // what was between the quotes of one
	Cell       []byte
	Header     doubtfulHeader
}

// Trial says which lines must follow a possible header for a new table to begin.
type Trial uint8

const (
	Anywhere   Trial = iota // rows; the header is near the start or after a blank line
	UnderRule               // a drawn rule, then rows; the header is inside another table
	UnderRuns               // a rule of several runs, then rows; the header is anywhere else
	OtherRows               // rows that do not fit the table before; the header is inside that table
	OtherKinds              // rows with cells of other kinds; the header, or the first row, fits the table before
)

// MayOpen reports whether the next line, which is not blank, may be the header of a table, and which lines must follow.
func (t *Table) MayOpen() (Trial, bool) {
	switch {
	case t.SinceBlank == 1, !t.IsRunning && t.SinceBlank <= NearStart:
		return Anywhere, true
	case t.IsRunning && t.IsUnder && t.SinceRule > 1:
		return UnderRule, true
	case !t.IsRunning:
		return UnderRuns, true
	}
	return Anywhere, false
}

// IsRefused reports whether the next line shows that the held lines are no table.
func (t *Table) IsRefused(line []byte) bool {
	switch t.Trial {
	case UnderRule:
		return t.HeldCount == 1 && !IsRule(line)
	case UnderRuns:
		return t.HeldCount == 1 && !isRuleOfRuns(line)
	case OtherRows:
		return !IsRule(line) && t.Columns.Cut(&t.Row, line)
	}
	return false
}

// textLine is a line that is kept.
type textLine struct {
	Seq    int
	Text   []byte
	IsRule bool
}

func (l *textLine) Record() structure.Record {
	return structure.Record{Seq: l.Seq, Value: l.Text, IsText: true}
}

// Reset forgets all lines. The memory of t is used again.
func (t *Table) Reset() {
	*t = Table{
		Columns: columns{All: t.Columns.All[:0]}, Candidate: t.Candidate, Row: rowCells{words: t.Row.words},
		Held: t.Held, Pairs: t.Pairs, unescaped: t.unescaped, Cell: t.Cell,
		Header: doubtfulHeader{Line: textLine{Text: t.Header.Line.Text[:0]}},
	}
}

// IsInPlace reports whether each cell of the current row is surely in its column: it begins or ends where the name of
// the column does, or a separator stands between the cells.
func (t *Table) IsInPlace() bool { return t.Columns.Separator != 0 || t.Row.exact == t.Row.Filled }

// IsHeaderAgain says whether the current row is the header once more, as where a tool prints several tables.
func (t *Table) IsHeaderAgain(line []byte) bool {
	for i, c := range t.Columns.All {
		if !bytes.Equal(formats.Unquoted(t.Row.Spans[i].Of(line)), c.Name) {
			return false
		}
	}
	return true
}

// Rule takes in a line that is drawn. Where one is under each row, none is under the rows.
func (t *Table) Rule() { t.IsRuled, t.SinceRule = t.SinceRule > 1, 0 }

// IsFooter says whether a line under what is drawn under the rows is the total of these.
func (t *Table) IsFooter(line []byte) bool {
	if !t.IsRuled {
		return false
	}
	for word := range bytes.FieldsSeq(line) {
		if bytes.EqualFold(bytes.Trim(word, "|:"), []byte("total")) {
			return true
		}
	}
	return false
}

// ReadsFirstRow reports whether a line may be the first row of a table without a header, and is no
// record of another kind: neither pairs, nor what a search or a compiler says of a place in a file.
func (t *Table) ReadsFirstRow(line []byte) bool {
	if _, _, isAtPlace := lineclass.CutPlace(line); isAtPlace {
		return false
	}
	return !t.CutPairs(line, mask.PartsOf(line)) && t.Candidate.readFirstRow(line, &t.Row)
}

// Release returns the lines that are held, and holds none.
func (t *Table) Release() []textLine {
	held := t.Held[:t.HeldCount]
	t.HeldCount = 0
	return held
}

// Hold keeps a copy of a line until it is known whether it is part of a table. The caller holds no
// more than MaxHeld lines.
func (t *Table) Hold(r structure.Record) {
	h := &t.Held[t.HeldCount]
	h.Seq, h.Text, h.IsRule = r.Seq, append(h.Text[:0], r.Value...), IsRule(r.Value)
	t.HeldCount++
}

// evidence is what the lines under a header tell about whether it is one.
type evidence struct {
	rows          int
	isRuled       bool // a line is drawn under the header
	isInPlace     bool // all words are under a name,
	isNear        bool // or not far from it
	hasSameWords  bool // all rows have one word for each name
	filled, exact int
	amounts       [formats.MaxTextColumns]int
	numeric, same [formats.MaxTextColumns]int    // rows that have a number, or the name itself, in a column
	likeName      [formats.MaxTextColumns]int    // rows that have there what has the shape of the name, with digits
	outdented     int                            // rows that begin before the header does
	first         [formats.MaxTextColumns][]byte // the cells of the first row
	varies        [formats.MaxTextColumns]bool
	last          []byte // the last cell of the last row
	comesAgain    bool   // it was that of the row before or of the first one, for any row
}

// IsTable says whether the lines that are held are a header and rows.
func (t *Table) IsTable() bool {
	c := &t.Candidate
	if c.Separator == 0 && !c.IsNameless && t.hasTimeOfTwo() {
		c.joinsTimes = true
		if t.areHeaderAndRows() {
			return true
		}
		c.ReadHeader(t.Held[0].Text, &t.Row) // anew, with two columns for a date and a time
	}
	return t.areHeaderAndRows()
}

// hasTimeOfTwo says whether there is a time of two words in the last row.
func (t *Table) hasTimeOfTwo() bool {
	words, line := t.Row.words, t.Held[t.HeldCount-1].Text
	words, _ = cutWords(words[:0], line, formats.MaxTextColumns+maxCellWords)
	for i := range words[:max(1, len(words))-1] {
		if isTimeOfTwo(words[i], words[i+1], line) {
			return true
		}
	}
	return false
}

func (t *Table) areHeaderAndRows() bool {
	c := &t.Candidate
	c.NeedsMore = false
	held := t.Held[1:t.HeldCount]
	if c.Separator == 0 && (c.IsNameless || !c.joinUnder(held[0].Text, &t.Row)) {
		c.mergeNames(held, &t.Row)
	}
	if len(c.All) < 2 {
		return false
	}
	e := evidence{isInPlace: true, isNear: true, hasSameWords: true}
	if c.IsNameless && !t.testify(&e, t.Held[0].Text) {
		return false
	}
	for i := range held {
		if held[i].IsRule {
			e.isRuled = true
		} else if !t.testify(&e, held[i].Text) {
			return false
		}
	}
	c.NamesStay = false
	numbers, isAligned := 0, e.isInPlace && e.exact == e.filled
	isState := func(name []byte) bool { // as S of top, which may be S in the first rows
		return c.Separator == 0 && isAligned && len(name) == 1 && ascii.IsLetter(name[0])
	}
	for i := range c.All {
		isNumeric := e.numeric[i] == e.rows
		switch {
		case e.same[i] == e.rows && !isState(c.All[i].Name):
			if c.Separator == 0 || c.IsNameless {
				return false
			}
			c.NamesStay = true
		case c.IsNameless && c.Separator == 0 && t.Trial != OtherKinds && !e.varies[i] && isAlphabetic(e.first[i]):
			return false // a word that all lines have is one of a sentence
		case c.isRepeated(i) && (c.All[i].near || !isAligned || !isNumeric):
			return false // as words of a sentence are
		case !c.IsNameless && c.Separator == 0 && i == 0 && e.outdented == e.rows:
			return false // the header of others, if of any
		case isNumeric:
			numbers++
		}
	}
	c.MayBeRow = !c.IsNameless && !e.isRuled && numbers == 0
	c.IsRow = c.MayBeRow && (c.NamesStay || c.readsAsRow(&e))
	if c.NamesStay && !c.IsRow {
		return false
	}
	isMany := len(c.All) >= leastColumns
	switch {
	case c.Separator == 0 && !e.isRuled && c.readsOn(): // as what an option does
		return false
	case c.IsNameless:
		for i := range c.All {
			c.All[i].isAmount = (c.Separator == 0 || len(c.All) == 2) && e.amounts[i] == e.rows
		}
		c.endsInText = numbers > 0 && !c.All[len(c.All)-1].isAmount && !e.comesAgain
		// the first row is no header
		mayBeTexts := (c.Separator == '|' || c.Separator == '\t') && !slices.Contains(e.numeric[:len(c.All)], e.rows-1)
		c.NeedsMore = numbers == 0 && mayBeTexts && e.rows <= moreRows
		return numbers > 0 || mayBeTexts && !c.NeedsMore
	case c.Separator != 0:
		return isMany || numbers > 0 || e.isRuled
	case e.isInPlace && float64(e.exact) >= wholeShare*float64(e.filled):
		return isMany && (c.areApart() || c.areCapitals()) || numbers > 0 && e.exact == e.filled || e.isRuled
	}
	areApart := e.isNear && (c.areApart() || c.areCapitals())
	return c.isWordy && isMany && (e.hasSameWords && (2*numbers >= len(c.All) || areApart) ||
		areApart && 2*numbers >= len(c.All)) // the last column may have several words
}

// isAlphabetic says whether a cell begins with a letter or a mark.
func isAlphabetic(cell []byte) bool {
	return len(cell) > 0 && !ascii.IsDigit(cell[0]) && cell[0] != '-' && cell[0] != '+'
}

// testify adds what one line tells. It returns false when that is enough to say no.
func (t *Table) testify(e *evidence, line []byte) bool {
	c, row := &t.Candidate, &t.Row
	e.rows++
	switch {
	case c.Separator != 0 || c.IsNameless:
		if !c.Cut(row, line) {
			return false
		}
	case bytes.IndexByte(line, '\t') >= 0:
		return false
	default:
		c.cutRow(row, line)
		if first := row.words; len(first) > 0 && first[0].from < c.All[0].from && first[0].to != c.All[0].to {
			e.outdented++
		}
		isInPlace := c.cutAtColumns(row, line) && 2*row.Filled >= len(c.All)
		e.isInPlace = e.isInPlace && isInPlace
		e.isNear = e.isNear && c.areNear(row.words, maxShift)
		e.filled, e.exact = e.filled+row.Filled, e.exact+row.exact
		e.hasSameWords = e.hasSameWords && len(row.words) == len(c.All)
		switch isEnough := len(row.words) >= len(c.All); {
		case !isEnough && !isInPlace:
			return false
		case !isEnough, isInPlace && !c.isCutAtWords(row):
			c.isWordy = false
		case !isInPlace:
			c.cutAtWords(row, endOf(line))
		}
	}
	for i := range c.All {
		cell := row.Spans[i].Of(line)
		if bytes.Equal(formats.Unquoted(cell), c.All[i].Name) {
			e.same[i]++
		}
		if !c.IsNameless && hasShapeOf(formats.Unquoted(cell), c.All[i].Name) {
			e.likeName[i]++
		}
		if c.isNumeric(cell) {
			e.numeric[i]++
		}
		if c.IsNameless && isAmount(cell) {
			e.amounts[i]++
		}
		if e.rows == 1 {
			e.first[i] = cell
		} else if !bytes.Equal(cell, e.first[i]) {
			e.varies[i] = true
		}
		c.All[i].IsText = c.All[i].IsText || len(cell) > 0 && !isWrittenNumber(cell)
	}
	last := len(c.All) - 1
	cell := row.Spans[last].Of(line)
	e.comesAgain = e.comesAgain || e.rows > 1 && (bytes.Equal(cell, e.last) || bytes.Equal(cell, e.first[last]))
	e.last = cell
	return true
}

// isNumeric says whether a cell begins with a number; one that has neither a name nor a sign beside it is to be an
// amount.
func (c *columns) isNumeric(cell []byte) bool {
	if c.IsNameless && c.Separator == 0 {
		return isAmount(cell)
	}
	if len(cell) > 1 && (cell[0] == '-' || cell[0] == '+') {
		cell = cell[1:]
	}
	return len(cell) > 0 && ascii.IsDigit(cell[0])
}

// AppendCell appends a cell as JSON: a number if it is written as JSON has them and not in a column of text,
// a string otherwise.
func (c *columns) AppendCell(dst, cell []byte, isText bool) []byte {
	if !isText && isWrittenNumber(cell) {
		return append(dst, cell...)
	}
	dst = append(dst, '"')
	inside := formats.Unquoted(cell)
	if c.Separator == 0 || len(inside) == len(cell) {
		return append(jsonx.AppendCanonicalText(dst, cell), '"')
	}
	for {
		n := bytes.Index(inside, []byte(`""`))
		if n < 0 {
			return append(jsonx.AppendCanonicalText(dst, inside), '"')
		}
		dst = jsonx.AppendCanonicalText(dst, inside[:n+1])
		inside = inside[n+2:]
	}
}

// isWrittenNumber says whether a cell is a number of JSON, and not what an id may be: 1.1e-05 and 2e+06, but not 7e12.
func isWrittenNumber(cell []byte) bool {
	if formats.IsPlainNumber(cell) {
		return true
	}
	return formats.IsJSONNumber(cell) && (bytes.IndexByte(cell, '.') >= 0 || bytes.ContainsAny(cell[1:], "+-"))
}
