package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
)

const (
	trialRows  = 3  // rows under a header that have to keep to its columns,
	moreRows   = 5  // and under one that is a row itself
	maxHeld    = 8  // lines that are kept until that is known: a line may be drawn under each
	nearStart  = 10 // a header is among so many lines from the start, or from a blank line
	maxMissed  = 3  // lines one after another that are no rows, within a table
	wholeShare = .75
)

// textTable finds tables in lines: a line that may be a header opens a trial, in which lines are held; it is a table if
// the next lines keep to its columns. It ends where lines no longer do.
type textTable struct {
	columns    columns
	candidate  columns // of the trial
	row        rowCells
	held       [maxHeld]textLine
	heldCount  int
	isRunning  bool                            // otherwise a trial, if any lines are held
	rows       int                             // of all tables
	headers    int                             // lines
	filled     [formats.MaxTextColumns + 1]int // rows by how many cells they have
	misfits    int                             // lines among the rows of tables that are none
	isRuled    bool                            // the last line was drawn under several rows
	sinceRule  int                             // rows
	missed     int                             // lines since the last row
	sinceBlank int                             // lines
	pairs      []formats.Pair                  // of a line that is a record
	hasSamples bool                            // metrics have been described
	inserts    formats.Inserts
	unescaped  []byte // what was between the quotes of one
	cell       []byte
	header     doubtfulHeader
}

// textLine is a line that is kept.
type textLine struct {
	seq    int
	text   []byte
	isRule bool
}

func (l *textLine) record() structure.Record {
	return structure.Record{Seq: l.seq, Value: l.text, IsText: true}
}

func (t *textTable) reset() {
	*t = textTable{
		columns: columns{all: t.columns.all[:0]}, candidate: t.candidate, row: rowCells{words: t.row.words}, held: t.held, pairs: t.pairs, unescaped: t.unescaped, cell: t.cell,
		header: doubtfulHeader{line: textLine{text: t.header.line.text[:0]}},
	}
}

// isHeaderAgain says whether the row at hand is the header once more, as where a tool prints several tables.
func (t *textTable) isHeaderAgain(line []byte) bool {
	for i, c := range t.columns.all {
		if c.isTime {
			continue
		}
		if !bytes.Equal(formats.Unquoted(t.row.spans[i].Of(line)), c.name) {
			return false
		}
	}
	return true
}

// rule takes in a line that is drawn. Where one is under each row, none is under the rows.
func (t *textTable) rule() { t.isRuled, t.sinceRule = t.sinceRule > 1, 0 }

// isFooter says whether a line under what is drawn under the rows is the total of these.
func (t *textTable) isFooter(line []byte) bool {
	if !t.isRuled {
		return false
	}
	for word := range bytes.FieldsSeq(line) {
		if bytes.EqualFold(bytes.Trim(word, "|:"), []byte("total")) {
			return true
		}
	}
	return false
}

// isTimeOfRows says whether a line that has been cut is the time of the rows after it and no more, as between those of iostat.
func (t *textTable) isTimeOfRows(line []byte) bool {
	const parts = "0123456789/-:.,+APMTZ "
	if 2*t.row.filled > len(t.columns.all) || t.columns.separator != 0 || t.columns.isListed ||
		!ascii.IsDigit(line[0]) || len(bytes.Trim(line, parts)) > 0 {
		return false
	}
	colon := bytes.IndexByte(line, ':')
	return colon > 1 && ascii.Matches(line[colon-2:], "dd:dd")
}

// addLine takes in a line of text. It may be held, until it is known whether it is the header of a table.
func (s *Summary) addLine(r structure.Record) {
	t := &s.table
	isEmpty := isBlankLine(r.Value)
	for t.heldCount > 0 {
		if s.addToTrial(r, isEmpty) {
			return
		}
		s.giveUpTrial()
	}
	t.sinceBlank++
	if isEmpty {
		t.sinceBlank = 0
	} else if mayOpen := !t.isRunning && t.sinceBlank <= nearStart || t.sinceBlank == 1; s.readsFields(r) || mayOpen && s.readsHeader(r) {
		return
	}
	s.addKnown(r, isEmpty)
}

// addKnown takes in a line that is no header of a new table: as a row or what is drawn around rows, as part of a block,
// or as a line with a form.
func (s *Summary) addKnown(r structure.Record, isEmpty bool) {
	t := &s.table
	s.has = mask.PartsOf(r.Value)
	switch {
	case isEmpty:
		t.missed = maxMissed
	case !t.isRunning, t.columns.isListed && formats.IsDirective(r.Value):
	case isDrawn(r.Value) && hasLongRule(r.Value):
		t.rule()
		s.addPartOfTable(r)
		return
	case !t.isFooter(r.Value) && t.columns.cut(&t.row, r.Value) && !t.isTimeOfRows(r.Value) &&
		!t.columns.isSum(&t.row, r.Value):
		t.missed, t.isRuled = 0, false
		if t.isHeaderAgain(r.Value) {
			t.header.times++
			s.addHeader(r)
			s.addNumberedFields(r.Value)
		} else {
			s.addRow(r)
		}
		return
	case isRule(r.Value):
		t.rule()
		s.addPartOfTable(r)
		return
	default:
		t.missed++
		t.isRunning = t.missed <= maxMissed || t.columns.isListed
		if t.missed == 1 {
			t.misfits++
			s.recognize(r.Value)
			s.addForm(r, true)
			return
		}
	}
	if ok, samplesFollow := formats.IsComment(r.Value, t.hasSamples); ok {
		if t.hasSamples = samplesFollow; samplesFollow && s.out != nil {
			s.out.matchers.Clear() // what was a line like others may be a sample now
		}
		s.addPartOfTable(r)
		return
	}
	if !s.recognize(r.Value) && t.cutPairs(r.Value, s.has) { // a line with a known form has no pairs, as those before it
		s.addPairs(r)
		return
	}
	if kind := s.blocks.add(r.Value); kind != noBlock {
		s.addBlockLine(r, kind)
		return
	}
	s.addForm(r, false)
}

// readsHeader takes in a line that is the header of the last table once more, or holds one that may be that of another.
func (s *Summary) readsHeader(r structure.Record) bool {
	t := &s.table
	if ok, _ := formats.IsComment(r.Value, t.hasSamples); ok {
		return false
	}
	isHeader := len(r.Value) <= mask.MaxLineLen && (t.candidate.readHeader(r.Value, &t.row) || s.lines == 0 && t.readsFirstRow(r.Value))
	switch {
	case !isHeader:
		return false
	case t.rows > 0 && t.candidate.isSame(&t.columns):
		t.isRunning, t.missed = true, 0
		s.addHeader(r)
	default:
		t.hold(r)
	}
	return true
}

// readsFirstRow reports whether a line may be the first row of a table without a header, and is no
// record of another kind: neither pairs, nor what a search or a compiler says of a place in a file.
func (t *textTable) readsFirstRow(line []byte) bool {
	if _, _, isAtPlace := lineclass.CutPlace(line); isAtPlace {
		return false
	}
	return !t.cutPairs(line, mask.PartsOf(line)) && t.candidate.readFirstRow(line, &t.row)
}

// release returns the lines that are held, and holds none.
func (t *textTable) release() []textLine {
	held := t.held[:t.heldCount]
	t.heldCount = 0
	return held
}

func (t *textTable) hold(r structure.Record) {
	h := &t.held[t.heldCount]
	h.seq, h.text, h.isRule = r.Seq, append(h.text[:0], r.Value...), isRule(r.Value)
	t.heldCount++
}

// addToTrial holds one more line under what may be a header. It returns false when the header is none.
func (s *Summary) addToTrial(r structure.Record, isEmpty bool) bool {
	t := &s.table
	if isEmpty || len(r.Value) > mask.MaxLineLen || t.heldCount == maxHeld {
		return false
	}
	t.hold(r)
	rows := 0
	for i := range t.held[1:t.heldCount] {
		if !t.held[1+i].isRule {
			rows++
		}
	}
	if rows < t.candidate.rowsOfTrial() {
		return true
	}
	for !t.isTable() {
		switch {
		case t.candidate.needsMore:
			return true
		case !t.candidate.isNameless && s.lines == 0 && t.readsFirstRow(t.held[0].text): // a row may read like a header
			if rows < t.candidate.rowsOfTrial() {
				return true
			}
		default:
			t.heldCount-- // the line at hand is looked at once more
			return false
		}
	}
	isWithin := s.lines > 0 && t.candidate.isRow && (t.candidate.separator == 0 || t.candidate.namesStay)
	if isWithin || s.goesOnUnderHeld() {
		t.heldCount--
		return false
	}
	s.openTable()
	held := t.release()
	for i := range held {
		s.novelty.reason = notNovel // only that of the line at hand is told
		h := &held[i]
		line := h.record()
		switch {
		case h.isRule:
			t.rule()
			s.addPartOfTable(line)
		case i == 0 && !t.columns.isNameless:
			t.header.keep(h, t.columns.mayBeRow)
			s.addHeader(line)
			s.addNumberedFields(h.text)
			if t.columns.isRow {
				s.addHeaderAsRow()
			}
		default:
			if t.columns.cut(&t.row, h.text); t.columns.isSum(&t.row, h.text) {
				s.has = mask.PartsOf(h.text)
				s.recognize(h.text)
				s.addForm(line, true)
			} else {
				s.addRow(line)
			}
		}
	}
	return true
}

// openTable begins a table with the columns of the candidate.
func (s *Summary) openTable() {
	t := &s.table
	t.isRunning, t.missed, t.isRuled, t.sinceRule = true, 0, false, 0
	t.columns, t.candidate = t.candidate, t.columns
	t.header.isKept = false
	for i := range t.columns.all {
		c := &t.columns.all[i]
		name := t.columns.ownName(i)
		before := len(s.fields)
		if c.place = s.grown(s.paths.Member(structure.RootNode, name)); c.place == structure.NoNode {
			s.further.Add(sketch.Hash(name), &s.nameRoom)
			continue
		}
		s.fields[c.place].isColumn = true
		s.fields[c.place].hasCommas = t.columns.separator == ';'
		t.columns.mayBeRow = t.columns.mayBeRow && c.place >= before // others may have a field of that name
	}
}

// giveUpTrial takes in the line that is no header after all. Those after it are looked at anew: one may be.
func (s *Summary) giveUpTrial() {
	t := &s.table
	held := t.release()
	s.addKnown(held[0].record(), false)
	for i := range held[1:] {
		s.addLine(held[1+i].record()) // when it is held again, that is further to the front
	}
	s.novelty.reason = notNovel
}

// settle takes in the lines that are held: there is nothing more to come under what may be a header.
func (s *Summary) settle() {
	t := &s.table
	for i := range t.release() {
		s.addKnown(t.held[i].record(), false)
	}
	s.novelty.reason = notNovel
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

// isTable says whether the lines that are held are a header and rows.
func (t *textTable) isTable() bool {
	c := &t.candidate
	if c.separator == 0 && !c.isNameless && t.heldCount > 1 && t.held[1].isRule {
		if c.readRule(t.held[1].text, t.held[0].text, &t.row) && t.areHeaderAndRows() {
			return true
		}
		c.readHeader(t.held[0].text, &t.row) // anew
	}
	if c.separator == 0 && !c.isNameless && t.hasTimeOfTwo() {
		c.joinsTimes = true
		if t.areHeaderAndRows() {
			return true
		}
		c.readHeader(t.held[0].text, &t.row) // anew, with two columns for a date and a time
	}
	if c.isNameless && c.readRuns(t.held[0].text) {
		if t.areHeaderAndRows() {
			return true
		}
		if c.needsMore {
			return false
		}
		c.readFirstRow(t.held[0].text, &t.row) // anew
	}
	if t.areHeaderAndRows() {
		return true
	}
	return c.isNameless && c.separator == 0 && t.hasCounts() && t.areHeaderAndRows()
}

// hasCounts says whether all rows begin with numbers, as those of uniq -c and wc, and makes columns of them and of the rest.
func (t *textTable) hasCounts() bool {
	c := &t.candidate
	if !ascii.IsBlank(t.held[0].text[0]) {
		return false
	}
	amounts := len(c.all) - 1
	for i := range t.held[:t.heldCount] {
		line := t.held[i].text
		c.cutRow(&t.row, line)
		amounts = min(amounts, len(t.row.words)-1)
		for j := range max(0, amounts) {
			if !isAmount(t.row.words[j].of(line)) {
				amounts = j
				break
			}
		}
	}
	c.all, c.isRest = c.all[:1+max(0, amounts)], true
	return amounts > 0
}

// hasTimeOfTwo says whether there is a time of two words in the last row.
func (t *textTable) hasTimeOfTwo() bool {
	words, line := t.row.words, t.held[t.heldCount-1].text
	words, _ = cutWords(words[:0], line, formats.MaxTextColumns+maxCellWords)
	for i := range words[:max(1, len(words))-1] {
		if isTimeOfTwo(words[i], words[i+1], line) {
			return true
		}
	}
	return false
}

func (t *textTable) areHeaderAndRows() bool {
	c := &t.candidate
	c.needsMore = false
	held := t.held[1:t.heldCount]
	if c.separator == 0 {
		c.mergeNames(held, &t.row)
	}
	if len(c.all) < 2 {
		return false
	}
	e := evidence{isInPlace: true, isNear: true, hasSameWords: true}
	if c.isNameless && !t.testify(&e, t.held[0].text) {
		return false
	}
	for i := range held {
		if held[i].isRule {
			e.isRuled = true
		} else if !t.testify(&e, held[i].text) {
			return false
		}
	}
	c.namesStay = false
	numbers, isAligned := 0, e.isInPlace && e.exact == e.filled
	isState := func(name []byte) bool { // as S of top, which may be S in the first rows
		return c.separator == 0 && isAligned && len(name) == 1 && ascii.IsLetter(name[0])
	}
	for i := range c.all {
		isNumeric := e.numeric[i] == e.rows
		switch {
		case e.same[i] == e.rows && !c.all[i].isTime && !isState(c.all[i].name):
			if c.separator == 0 || c.isNameless {
				return false
			}
			c.namesStay = true
		case c.isNameless && c.separator == 0 && !e.varies[i] && isAlphabetic(e.first[i]):
			return false // a word that all lines have is one of a sentence
		case c.isRepeated(i) && (c.all[i].near || !isAligned || !isNumeric):
			return false // as words of a sentence are
		case !c.isNameless && c.separator == 0 && i == 0 && e.outdented == e.rows:
			return false // the header of others, if of any
		case isNumeric && !c.all[i].isTime:
			numbers++
		}
	}
	c.mayBeRow = !c.isNameless && !e.isRuled && numbers == 0
	c.isRow = c.mayBeRow && (c.namesStay || c.readsAsRow(&e))
	if c.namesStay && !c.isRow {
		return false
	}
	isMany := len(c.all) >= leastColumns
	switch {
	case c.all[0].isTime && 2*numbers < len(c.all)-1: // as of a line of a log
		return false
	case c.separator == 0 && !e.isRuled && c.readsOn(): // as what an option does
		return false
	case c.isNameless:
		for i := range c.all {
			c.all[i].isAmount = (c.separator == 0 || len(c.all) == 2) && e.amounts[i] == e.rows
		}
		c.endsInText = numbers > 0 && !c.all[len(c.all)-1].isAmount && !e.comesAgain
		mayBeTexts := (c.separator == '|' || c.separator == '\t') && !slices.Contains(e.numeric[:len(c.all)], e.rows-1) // the first row is no header
		c.needsMore = numbers == 0 && mayBeTexts && e.rows <= moreRows
		return numbers > 0 || mayBeTexts && !c.needsMore
	case c.separator != 0:
		return isMany || numbers > 0 || e.isRuled
	case e.isInPlace && float64(e.exact) >= wholeShare*float64(e.filled):
		return isMany && (c.areApart() || c.areCapitals()) || numbers > 0 && e.exact == e.filled || e.isRuled
	}
	return c.isWordy && e.hasSameWords && isMany && (2*numbers >= len(c.all) || e.isNear && (c.areApart() || c.areCapitals()))
}

// isAlphabetic says whether a cell begins with a letter or a mark.
func isAlphabetic(cell []byte) bool {
	return len(cell) > 0 && !ascii.IsDigit(cell[0]) && cell[0] != '-' && cell[0] != '+'
}

// testify adds what one line tells. It returns false when that is enough to say no.
func (t *textTable) testify(e *evidence, line []byte) bool {
	c, row := &t.candidate, &t.row
	e.rows++
	switch {
	case c.separator != 0 || c.isNameless:
		if !c.cut(row, line) {
			return false
		}
	case bytes.IndexByte(line, '\t') >= 0:
		return false
	default:
		c.cutRow(row, line)
		if first := row.words; len(first) > 0 && first[0].from < c.all[0].from && first[0].to != c.all[0].to {
			e.outdented++
		}
		isInPlace := c.cutAtColumns(row, line) && 2*row.filled >= len(c.all)
		e.isInPlace = e.isInPlace && isInPlace
		e.isNear = e.isNear && c.areNear(row.words, maxShift)
		e.filled, e.exact = e.filled+row.filled, e.exact+row.exact
		e.hasSameWords = e.hasSameWords && len(row.words) == len(c.all)
		switch isEnough := len(row.words) >= len(c.all); {
		case !isEnough && !isInPlace:
			return false
		case !isEnough, isInPlace && !c.isCutAtWords(row):
			c.isWordy = false
		case !isInPlace:
			c.cutAtWords(row, endOf(line))
		}
	}
	for i := range c.all {
		cell := row.spans[i].Of(line)
		if bytes.Equal(formats.Unquoted(cell), c.all[i].name) {
			e.same[i]++
		}
		if !c.isNameless && hasShapeOf(formats.Unquoted(cell), c.all[i].name) {
			e.likeName[i]++
		}
		if c.isNumeric(cell) {
			e.numeric[i]++
		}
		if c.isNameless && isAmount(cell) {
			e.amounts[i]++
		}
		if e.rows == 1 {
			e.first[i] = cell
		} else if !bytes.Equal(cell, e.first[i]) {
			e.varies[i] = true
		}
		c.all[i].isText = c.all[i].isText || len(cell) > 0 && !isWrittenNumber(cell)
	}
	last := len(c.all) - 1
	cell := row.spans[last].Of(line)
	e.comesAgain = e.comesAgain || e.rows > 1 && (bytes.Equal(cell, e.last) || bytes.Equal(cell, e.first[last]))
	e.last = cell
	return true
}

// isNumeric says whether a cell begins with a number; one that has neither a name nor a sign beside it is to be an amount.
func (c *columns) isNumeric(cell []byte) bool {
	if c.isNameless && c.separator == 0 {
		return isAmount(cell)
	}
	if len(cell) > 1 && (cell[0] == '-' || cell[0] == '+') {
		cell = cell[1:]
	}
	return len(cell) > 0 && ascii.IsDigit(cell[0])
}

// addHeader takes in a header.
func (s *Summary) addHeader(r structure.Record) {
	s.table.headers++
	s.addPartOfTable(r)
}

// addPartOfTable takes in a header or what is drawn under it.
func (s *Summary) addPartOfTable(r structure.Record) {
	s.beginLine(r.Seq)
	if s.out != nil {
		s.out.row.isAround = true
		s.out.row.keepLine(r.Value)
	}
	s.end()
}

// addRow takes in a line that has been cut into the cells of a table.
func (s *Summary) addRow(r structure.Record) {
	t := &s.table
	if t.header.isKept && t.comesAgain(r.Value) {
		s.addHeaderAsRow()
		t.columns.cut(&t.row, r.Value)
	}
	s.beginLine(r.Seq)
	s.addCellsOf(r.Value)
	s.end()
	t.rows++
	t.sinceRule++
}

// addCellsOf takes in the cells of the current line, which has been cut.
func (s *Summary) addCellsOf(line []byte) {
	t := &s.table
	s.fields[structure.RootNode].rows++
	t.filled[t.row.filled]++
	if s.out != nil {
		s.line.Set(line)
		s.noteRow(line)
	}
	for i := range t.columns.all {
		place := t.columns.all[i].place
		cell := t.row.spans[i].Of(line)
		if len(cell) == 0 || place == structure.NoNode {
			continue
		}
		t.cell = t.columns.appendCell(t.cell[:0], cell, t.columns.all[i].isText)
		s.lineFields.add(s.paths.Path(place), t.cell)
		if t.columns.mayBeRow && s.lineFields != nil { // the columns may get numbers later
			s.lineFields.add(formats.NumberedName(i), t.cell)
		}
		s.addScalar(t.cell, jsonx.KindOf(t.cell[0]), place)
	}
}

// tabulate.AppendCell appends a cell as JSON: a number if it is written as JSON has them and not in a column of text, a string
// otherwise.
func (c *columns) appendCell(dst, cell []byte, isText bool) []byte {
	if !isText && isWrittenNumber(cell) {
		return append(dst, cell...)
	}
	dst = append(dst, '"')
	inside := formats.Unquoted(cell)
	if c.separator == 0 || len(inside) == len(cell) {
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
