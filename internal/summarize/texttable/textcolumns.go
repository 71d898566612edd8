package texttable

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

const (
	maxColumnLen     = 40 // bytes of the name of a column
	leastColumns     = 3  // two need more evidence
	maxCellWords     = 64 // words of a row before its last column
	maxNamelessWords = 6  // of a row without a header or signs
	leastOfColons    = 7  // cells between colons, if they are not a path and a number
	maxShift         = 8  // characters by which a long cell moves those after it
	maxRedacted      = 64 // and one that was redacted
)

// columns says how the lines of a table are cut into cells: by a separator, or by where the words of the header are.
type columns struct {
	All        []column
	Separator  byte // 0 when there is none
	isWordy    bool // every row so far had one word for each column but the last
	singles    bool // some names are only one blank apart, and may be one name
	IsNameless bool // there is no header: the columns have numbers
	// so far no column is one of numbers in a table without a header, which only more rows than that make one
	NeedsMore bool
	// the last of these may have more words than the others: it is no amount, and the first rows had no cell in it
	// twice
	endsInText bool
	MayBeRow   bool // no cell of the first rows tells the header from one of them
	IsRow      bool // the supposed header is a row, as the first rows show
	NamesStay  bool // all of the first rows have the cell of the header in some column
	joinsTimes bool // a date and a time of day, with a blank between them, are one word of a row
}

// column is one name of the header and where it is, in characters from the start of the line.
type column struct {
	Name     []byte
	from, to int
	near     bool // one blank after the name before
	IsText   bool // its first cells are no numbers
	isAmount bool // its first cells are all amounts, in a table without a header or signs
	Place    int  // of its field
	kinds    cellKinds
}

// word is where a word of a line is: in bytes, and in characters.
type word struct {
	start, end int
	from, to   int
}

func (w word) of(line []byte) []byte { return line[w.start:w.end] }

// rowCells are the cells of a line by column; empty ones have no bytes.
type rowCells struct {
	Spans  [formats.MaxTextColumns]ascii.Span
	words  []word
	Filled int
	exact  int // cells that begin or end where the name of their column does
}

// cutWords finds the words of a line, at most so many. isWhole is false when there are more.
func cutWords(dst []word, line []byte, most int) (words []word, isWhole bool) {
	at := 0 // characters
	for i := 0; i < len(line); {
		if ascii.IsBlank(line[i]) {
			i++
			at++
			continue
		}
		if len(dst) == most {
			return dst, false
		}
		w := word{start: i, from: at}
		for ; i < len(line) && !ascii.IsBlank(line[i]); i++ {
			if line[i]&0xc0 != 0x80 { // not the rest of a character
				at++
			}
		}
		w.end, w.to = i, at
		dst = append(dst, w)
	}
	return dst, true
}

// cutRow finds the words of a row.
func (c *columns) cutRow(row *rowCells, line []byte) {
	row.words, _ = cutWords(row.words[:0], line, formats.MaxTextColumns+maxCellWords)
	for i := 1; c.joinsTimes && i < len(row.words); i++ {
		if before, word := &row.words[i-1], row.words[i]; isTimeOfTwo(*before, word, line) {
			before.end, before.to = word.end, word.to
			row.words = slices.Delete(row.words, i, i+1)
		}
	}
}

// isTimeOfTwo says whether two words of a line are a date and a time of day.
func isTimeOfTwo(first, second word, line []byte) bool {
	day := first.of(line)
	return second.from == first.to+1 && len(day) == len("2006-01-02") && value.StartsWithClock(line[second.start:]) &&
		(ascii.Matches(day, "dddd-dd-dd") || ascii.Matches(day, "dddd/dd/dd") || ascii.Matches(day, "dd/dd/dddd"))
}

// ReadHeader reads the names of columns if the line may be a header, by the looks of it.
func (c *columns) ReadHeader(line []byte, row *rowCells) bool {
	*c = columns{All: c.All[:0], isWordy: true}
	if last := len(line) - 1; last < 0 || line[last] == '.' || line[last] == ':' {
		return false
	}
	if c.Separator = separatorOf(line); c.Separator != 0 {
		rest, name, more := trimBars(line, c.Separator), []byte(nil), true
		for more && len(c.All) <= formats.MaxTextColumns {
			name, rest, more = cutCell(rest, c.Separator)
			c.add(column{Name: formats.Unquoted(name)})
		}
		return c.areNames(true)
	}
	isWhole := false
	if row.words, isWhole = cutWords(row.words[:0], line, formats.MaxTextColumns); !isWhole || len(row.words) == 0 {
		return false
	}
	if first := row.words[0].of(line); len(first) > 1 && first[0] == '-' {
		return false // an option in the help of a program
	}
	for i, w := range row.words {
		if name := line[w.start:w.end]; i > 0 && !isColumnName(name, false) {
			return false // as most lines have no header's words, names are looked at before they are kept
		}
	}
	for i, w := range row.words {
		near := i > 0 && w.from-row.words[i-1].to == 1
		c.singles = c.singles || near
		c.add(column{Name: line[w.start:w.end], from: w.from, to: w.to, near: near})
	}
	return c.areNames(false)
}

// readFirstRow reads the first row of a table without a header: its cells are parted by a sign, or it is a few words
// with an amount among them.
func (c *columns) readFirstRow(line []byte, row *rowCells) bool {
	*c = columns{All: c.All[:0], IsNameless: true}
	for _, separator := range []byte("|\t;,:") {
		cells, least := 1+bytes.Count(line, []byte{separator}), leastColumns
		switch {
		case separator == '\t' && isOfHunk(line):
			continue
		case separator == '\t' && !ascii.IsBlank(line[0]): // not where the lines of a file are numbered
			least = 2
		case separator == ',' && bytes.Contains(line, []byte(", ")):
			continue
		case separator == ':' && cells == 2 && isCounted(line):
			least = 2
		case separator == ':' && (cells < leastOfColons || bytes.Count(line, []byte(":/")) < 2): // passwd(5)
			continue
		}
		if cells >= least && cells <= formats.MaxTextColumns {
			c.Separator = separator
			break
		}
	}
	if c.Separator != 0 {
		for rest, more := trimBars(line, c.Separator), true; more; {
			_, rest, more = cutCell(rest, c.Separator)
			c.addNumbered()
		}
		return len(c.All) > 1
	}
	if _, _, isKey := formats.CutKey(line); isKey {
		return false
	}
	isWhole := false
	row.words, isWhole = cutWords(row.words[:0], line, maxNamelessWords)
	isCount := ascii.IsBlank(line[0]) && len(row.words) > 1 && isAmount(row.words[0].of(line)) // as of uniq -c and wc
	if !isCount && (!isWhole || !slices.ContainsFunc(row.words, func(w word) bool { return isAmount(w.of(line)) })) {
		return false
	}
	for range row.words {
		c.addNumbered()
	}
	return len(c.All) > 1
}

// isOfHunk reports whether a line reads like one of a hunk of a diff: a sign, and then a line that is indented by tabs.
// Signs stand in tables, too, beside a number or another sign.
func isOfHunk(line []byte) bool {
	if len(line) < 2 || bytes.IndexByte([]byte("+- "), line[0]) < 0 || line[1] != '\t' {
		return false
	}
	next, _, _ := bytes.Cut(line[2:], []byte{'\t'})
	return !isAmount(next) && string(next) != "-"
}

// isCounted says whether a line is a path, a colon and a number, as grep -c prints it.
func isCounted(line []byte) bool {
	path, count, _ := bytes.Cut(line, []byte{':'})
	return bytes.IndexByte(path, '/') >= 0 && bytes.IndexByte(path, ' ') < 0 && len(count) > 0 &&
		ascii.LeadingDigits(count) == len(count)
}

func (c *columns) addNumbered() { c.add(column{Name: formats.NumberedName(len(c.All))}) }

// AreFielded says whether rows are shown by a separator alone, under no header: they go on behind lines that are none,
// as the renamed files of a diff are among others.
func (c *columns) AreFielded() bool { return c.IsNameless && c.Separator == '\t' }

// RowsOfTrial is how many rows have to keep to the columns, under a header or the first row.
func (c *columns) RowsOfTrial() int {
	if c.IsNameless && (c.Separator == 0 || len(c.All) <= leastColumns) {
		return moreRows
	}
	return trialRows
}

// isAmount says whether a word is a number, perhaps with a unit: 4.0K.
func isAmount(word []byte) bool {
	return formats.IsPlainNumber(bytes.TrimRightFunc(word,
		func(r rune) bool { return unicode.IsLetter(r) || r == '%' }))
}

// IsSame says whether a header has the same names in the same places as another.
func (c *columns) IsSame(as *columns) bool {
	return c.Separator == as.Separator &&
		slices.EqualFunc(c.All, as.All, func(a, b column) bool {
			return bytes.Equal(a.Name, b.Name) && a.from == b.from && a.to == b.to
		})
}

// add appends a column. The name is copied: it outlives the line.
func (c *columns) add(col column) {
	n := len(c.All)
	if n == cap(c.All) {
		c.All = append(c.All, column{})
	}
	c.All = c.All[:n+1]
	kept := c.All[n].Name[:0]
	name := col.Name
	c.All[n] = col
	c.All[n].Name = append(kept, name[:min(len(name), maxColumnLen+1)]...)
}

// areNames says whether all names of columns look like names, and are different.
func (c *columns) areNames(mayHaveBlanks bool) bool {
	if len(c.All) < 2 || len(c.All) > formats.MaxTextColumns {
		return false
	}
	named, numbered := 0, 0
	for i := range c.All {
		name := c.All[i].Name
		switch {
		case isColumnName(name, mayHaveBlanks):
			named++
		case mayHaveBlanks && isNumbered(name):
			numbered++
		case i == 0 && isColumnName(bytes.TrimSuffix(name, []byte{':'}), false): // as that of the numbers of rows
		case i > 0 || bytes.ContainsFunc(name, formats.IsNotSign):
			return false
		}
		if mayHaveBlanks {
			for j := range i {
				if bytes.Equal(c.All[j].Name, name) {
					return false
				}
			}
		}
	}
	return named >= 2 && named >= numbered
}

// isNumbered says whether a name is a letter or two with a number, as those of a few columns may be: S1, p95.
func isNumbered(name []byte) bool {
	letters := ascii.LeadingLetters(name)
	return 0 < letters && letters <= 2 && letters < len(name) && letters+
		ascii.LeadingDigits(name[letters:]) == len(name)
}

// isColumnName says whether a name is one or a few words without a value in it.
func isColumnName(name []byte, mayHaveBlanks bool) bool {
	if len(name) == 0 || len(name) > maxColumnLen {
		return false
	}
	if unit := bytes.LastIndex(name, []byte(" [")); unit > 0 && mayHaveBlanks && name[len(name)-1] == ']' {
		return isColumnName(name[:unit], true) && isColumnName(name[unit+2:len(name)-1], false) // own [us]
	}
	letters, numerals, blanks := 0, 0, 0
	for _, b := range name {
		switch {
		case ascii.IsLetter(b) || b >= 0x80:
			letters++
		case ascii.IsDigit(b):
			numerals++
		case b == ' ':
			blanks++
		case bytes.IndexByte([]byte("_-%#/().+*:$&@"), b) < 0:
			return false
		}
	}
	last := name[len(name)-1]
	return (letters > 2*numerals || numerals == 0 && len(name) == 1) && (blanks == 0 || mayHaveBlanks && blanks < 4) &&
		last != '.' && last != ':' && !mask.IsPath(name)
}

// separatorOf returns what parts the cells of a header, 0 when it is blanks.
func separatorOf(line []byte) byte {
	switch {
	case bytes.IndexByte(line, '\t') > 0:
		return '\t'
	case indexBar(line) >= 0 && !hasBranch(line):
		return drawnBar
	case bytes.Contains(line, []byte(" | ")):
		return '|'
	case bytes.IndexByte(line, ',') > 0 && !bytes.Contains(line, []byte(", ")):
		return ','
	case bytes.IndexByte(line, ';') > 0 && bytes.IndexByte(line, ' ') < 0:
		return ';'
	}
	return 0
}

// drawnBar stands for the vertical lines of Unicode's box drawing characters (U+2500 to U+257F), as psql, sqlite3 and
// duckdb draw them: │, ┃ and ║. It ends the first of them in UTF-8.
const (
	drawnBar    = 0x82
	drawnBarLen = len("│")
)

// indexBar returns where the first such line is, -1 if there is none.
func indexBar(text []byte) int {
	for at := 0; ; at += drawnBarLen {
		n := bytes.IndexByte(text[at:], "│"[0])
		if at += n; n < 0 || at+drawnBarLen > len(text) {
			return -1
		}
		switch string(text[at : at+drawnBarLen]) {
		case "│", "┃", "║":
			return at
		}
	}
}

// hasBranch says whether a line is one of a tree.
func hasBranch(line []byte) bool {
	return bytes.Contains(line, []byte("├─")) || bytes.Contains(line, []byte("└─"))
}

// trimBars takes the bars around a row away, when bars part its cells.
func trimBars(line []byte, separator byte) []byte {
	length := 1
	switch separator {
	case drawnBar:
		length = drawnBarLen
	case '|':
	default:
		return line
	}
	line = bytes.TrimSpace(line)
	if len(line) >= 2*length && isBar(line[:length]) && isBar(line[len(line)-length:]) {
		line = line[length : len(line)-length]
	}
	return line
}

func isBar(text []byte) bool { return text[0] == '|' || indexBar(text) == 0 }

// cutCell cuts the first cell off a row, with its quotes (RFC 4180) and without the blanks around it.
func cutCell(row []byte, separator byte) (cell, rest []byte, more bool) {
	end := 0
	if len(row) > 0 && row[0] == '"' {
		for end = 1; end < len(row); end++ {
			if row[end] != '"' {
				continue
			}
			if end+1 < len(row) && row[end+1] == '"' {
				end++
				continue
			}
			break
		}
	}
	n, length := 0, 1
	if after := row[min(end, len(row)):]; separator == drawnBar {
		n, length = indexBar(after), drawnBarLen
	} else {
		n = bytes.IndexByte(after, separator)
		for separator == '|' && n > 0 && after[n-1] == '\\' { // as in the tables of Markdown
			next := bytes.IndexByte(after[n+1:], separator)
			if next < 0 {
				n = next
				break
			}
			n += 1 + next
		}
	}
	if n < 0 {
		return bytes.TrimSpace(row), nil, false
	}
	return bytes.TrimSpace(row[:end+n]), row[end+n+length:], true
}

// IsRule says whether a line is only drawn, as between a header and its rows.
func IsRule(line []byte) bool {
	dashes := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '-', '=':
			dashes++
		case '+', '|', ':', ' ', '\t':
		case "─"[0]: // U+2500 to U+257F are E2 94 80 to E2 95 BF
			if i+2 >= len(line) || line[i+1]&^1 != "─"[1] {
				return false
			}
			if drawn := string(line[i : i+3]); drawn == "─" || drawn == "━" || drawn == "═" {
				dashes++
			}
			i += 2
		default:
			return false
		}
	}
	return dashes > 2
}

// isRuleOfRuns reports whether a line is a rule of several runs of dashes with blanks between them, one for each column.
func isRuleOfRuns(line []byte) bool {
	return IsRule(line) && bytes.IndexByte(bytes.TrimSpace(line), ' ') > 0 && !bytes.ContainsAny(line, "+|:\t")
}

// HasLongRule says whether there is more in a line that is drawn than single dashes, as a row has where nothing is
// known.
func HasLongRule(line []byte) bool {
	return bytes.Contains(line, []byte("--")) || bytes.Contains(line, []byte("==")) || line[0] == "─"[0]
}

// Cut cuts a row. It returns false when the line is no row of this table.
func (c *columns) Cut(row *rowCells, line []byte) bool {
	row.Filled, row.exact = 0, 0
	switch {
	case c.IsNameless:
		return c.cutNameless(row, line)
	case c.Separator != 0:
		return c.cutAtSeparators(row, line)
	case bytes.IndexByte(line, '\t') >= 0:
		return false
	}
	c.cutRow(row, line)
	isInPlace := c.cutAtColumns(row, line)
	isText := c.areApart() && isRunning(row.words) && (!isInPlace || row.Filled < len(c.All) || row.exact < row.Filled)
	if isInPlace && row.exact == row.Filled && !isText {
		c.isWordy = c.isWordy && c.isCutAtWords(row)
		return true
	}
	shift := maxShift
	if bytes.Contains(line, []byte(mask.Redacted)) {
		shift = maxRedacted
	}
	if isOneForEach := len(row.words) == len(c.All) && !c.areApart(); c.isWordy &&
		(isOneForEach || c.areNear(row.words, shift) && (!isText || len(row.words) == len(c.All))) {
		c.cutAtWords(row, endOf(line))
		if c.areMostlyNumbers(row, line) {
			return true
		}
		isInPlace = c.cutAtColumns(row, line)
	}
	return isInPlace && 2*row.exact >= row.Filled && !isText
}

// isRunning reports whether words are one blank apart, as those of a text are.
func isRunning(words []word) bool {
	for i := 1; i < len(words); i++ {
		if words[i].from > words[i-1].to+1 {
			return false
		}
	}
	return len(words) > 1
}

// isCutAtWords says whether cells that were cut by their place are one word each, except the last one.
func (c *columns) isCutAtWords(row *rowCells) bool {
	if row.Filled < len(c.All) {
		return false
	}
	for i := range c.All[1:] {
		if row.Spans[i] != (ascii.Span{From: row.words[i].start, To: row.words[i].end}) {
			return false
		}
	}
	return true
}

// areNear says whether each word is not far from the name of the column with its number: a long cell moves all after
// it, but not by much. What is redacted may move it by more.
func (c *columns) areNear(words []word, shift int) bool {
	if len(words) < len(c.All) {
		return false
	}
	for i := range c.All {
		if words[i].from > c.All[i].to+shift || words[i].to+shift < c.All[i].from {
			return false
		}
	}
	return true
}

func (c *columns) cutAtSeparators(row *rowCells, line []byte) bool {
	rest := trimBars(line, c.Separator)
	offset := 0
	if len(rest) < len(line) {
		offset = bytes.Index(line, rest)
	}
	for i := range c.All {
		cell, next, more := cutCell(rest, c.Separator)
		if isLast := i == len(c.All)-1; isLast && more && c.IsNameless && c.Separator == '|' && c.All[i].IsText {
			cell, next = bytes.TrimSpace(rest), nil // a text has bars of its own
		} else if more == isLast {
			return false
		}
		from := offset + bytes.Index(rest, cell)
		row.Spans[i] = ascii.Span{From: from, To: from + len(cell)}
		if len(cell) > 0 {
			row.Filled++
			row.exact++
		}
		offset += len(rest) - len(next)
		rest = next
	}
	return row.Filled > 0
}

// cutAtWords gives each column a word, and the last one the rest of the line.
func (c *columns) cutAtWords(row *rowCells, end int) {
	for i := range c.All {
		row.Spans[i] = ascii.Span{From: row.words[i].start, To: row.words[i].end}
	}
	last := len(c.All) - 1
	row.Spans[last].To = end
	row.Filled, row.exact = len(c.All), len(c.All)
}

// cutNameless cuts a row of a table without a header: at its signs, into as many words as there are columns, or into
// amounts and the rest.
func (c *columns) cutNameless(row *rowCells, line []byte) bool {
	isPair := len(c.All) == 2
	switch {
	case c.Separator == 0:
		if !c.cutAtBlanks(row, line) {
			return false
		}
	case isPair && len(line) > 0 && ascii.IsBlank(line[0]), isPair && c.Separator == ':' && !isCounted(line),
		!c.cutAtSeparators(row, line):
		return false
	}
	return c.areAmounts(row, line) && !c.isTotal(row, line)
}

// cutAtBlanks cuts a row into words.
func (c *columns) cutAtBlanks(row *rowCells, line []byte) bool {
	if bytes.IndexByte(line, '\t') >= 0 {
		return false
	}
	c.cutRow(row, line)
	if len(row.words) < len(c.All) || len(row.words) > len(c.All) && !c.endsInText {
		return false
	}
	c.cutAtWords(row, endOf(line))
	return true
}

// areMostlyNumbers says whether half of the cells or more are amounts, or say that there is none, in the columns in
// which the first rows had numbers.
func (c *columns) areMostlyNumbers(row *rowCells, line []byte) bool {
	columns, amounts := 0, 0
	for i := range c.All {
		if c.All[i].IsText {
			continue
		}
		columns++
		if cell := row.Spans[i].Of(line); isAmount(cell) || isNone(cell) {
			amounts++
		}
	}
	return 2*amounts >= columns
}

// noValues are words that stand where there is no value, in any case.
var noValues = [...]string{"n/a", "na", "nan", "nil", "none", "null", "unknown"}

// isNone says whether a cell says that there is no value.
func isNone(cell []byte) bool {
	if isMark(cell) {
		return true
	}
	cell = bytes.Trim(cell, "<>()[]")
	return slices.ContainsFunc(noValues[:], func(word string) bool {
		return len(word) == len(cell) && strings.EqualFold(word, string(cell))
	})
}

// areAmounts says whether there are amounts in the columns of such.
func (c *columns) areAmounts(row *rowCells, line []byte) bool {
	for i := range c.All {
		if c.All[i].isAmount && !isAmount(row.Spans[i].Of(line)) {
			return false
		}
	}
	return true
}

// isTotal says whether a row is the sum of the others, which wc and du -c end with.
func (c *columns) isTotal(row *rowCells, line []byte) bool {
	last := len(c.All) - 1
	return c.All[0].isAmount && string(row.Spans[last].Of(line)) == "total"
}

// IsSum reports whether a row is the sum of the others by the name in its first cell.
func (c *columns) IsSum(row *rowCells, line []byte) bool {
	if c.Separator == 0 && c.IsNameless || len(c.All) < leastColumns {
		return false
	}
	name := bytes.TrimRight(formats.Unquoted(row.Spans[0].Of(line)), ":")
	return bytes.EqualFold(name, []byte("total")) || bytes.EqualFold(name, []byte("totals")) ||
		bytes.EqualFold(name, []byte("sum")) || bytes.EqualFold(name, []byte("grand total"))
}

// endOf is where the last word of a line ends, in bytes.
func endOf(line []byte) int { return len(bytes.TrimRight(line, " \t\r")) }

// isMark says whether a word is a sign, as before a line that is to be seen.
func isMark(word []byte) bool {
	return len(word) <= utf8.UTFMax && !bytes.ContainsFunc(word, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	})
}

// cutAtColumns gives each word to the column whose name it is under. A word that is under none belongs to the word
// before it, if one blank parts them. A mark before all columns is left out.
func (c *columns) cutAtColumns(row *rowCells, line []byte) bool {
	for i := range c.All {
		row.Spans[i] = ascii.Span{}
	}
	last := len(c.All) - 1
	row.Filled, row.exact = 0, 0
	at, to := -1, 0 // the column and the end of the word before
	from := 0       // of the cell
	closeCell := func() {
		if at >= 0 {
			row.Filled++
			if from == c.All[at].from || to == c.All[at].to {
				row.exact++
			}
		}
	}
	if len(row.words) > 0 {
		if w := row.words[0]; w.to <= c.All[0].from && isMark(line[w.start:w.end]) {
			row.words = row.words[:copy(row.words, row.words[1:])]
		}
	}
	for _, w := range row.words {
		under := max(at, 0)
		for under <= last && c.All[under].to <= w.from {
			under++
		}
		isUnder := under <= last && w.to > c.All[under].from
		if isUnder && under < last && w.to > c.All[under+1].from || !isUnder && (at < 0 || w.from-to > 1 && at < last) {
			return false
		}
		if isUnder && under != at {
			closeCell()
			at, from = under, w.from
			row.Spans[at].From = w.start
		}
		row.Spans[at].To, to = w.end, w.to
		if at == last {
			row.Spans[at].To = endOf(line)
			break
		}
	}
	closeCell()
	return row.Filled > 1 && row.Spans[0].To > 0
}

// joinUnder joins names that stand over the same run of dashes of a rule: % time over one run is one name. It reports
// whether the rule has fewer runs than there are names, and each name stands over one of them.
func (c *columns) joinUnder(rule []byte, row *rowCells) bool {
	if !isRuleOfRuns(rule) {
		return false
	}
	row.words, _ = cutWords(row.words[:0], rule, formats.MaxTextColumns)
	runs := row.words
	if len(runs) < 2 || len(runs) >= len(c.All) {
		return false
	}
	at, joined := 0, 0
	for i := range c.All {
		for at < len(runs) && runs[at].to <= c.All[i].from {
			at++
		}
		if at == len(runs) || c.All[i].from < runs[at].from || c.All[i].to > runs[at].to {
			return false
		}
		if i > 0 && c.All[i-1].from >= runs[at].from {
			joined++
		}
	}
	if joined != len(c.All)-len(runs) {
		return false // a run without a name
	}
	at = -1
	for i := range c.All {
		col := &c.All[i]
		if at >= 0 && col.from < runs[at].to {
			before := &c.All[at]
			before.Name = append(append(before.Name, ' '), col.Name...)
			continue
		}
		at++
		c.All[at], c.All[i] = c.All[i], c.All[at]
		c.All[at].from, c.All[at].to = runs[at].from, runs[at].to
		c.All[at].near = at > 0 && runs[at].from == runs[at-1].to+1
	}
	c.All = c.All[:len(runs)]
	return true
}

// mergeNames joins names that are one blank apart, where a word of a row is under both or none is under the second:
// not if all rows have one word for each name, which a long one may have moved.
func (c *columns) mergeNames(rows []textLine, row *rowCells) {
	if !c.singles || c.haveWordForEach(rows, row) {
		return
	}
	var isOwn, isShared [formats.MaxTextColumns]bool
	for i := range rows {
		if rows[i].IsRule {
			continue
		}
		c.cutRow(row, rows[i].Text)
		at := 0
		isPushed := false
		for j, w := range row.words {
			isPushed = c.isPushed(row.words, j, isPushed)
			for at < len(c.All) && c.All[at].to <= w.from {
				at++
			}
			if at == len(c.All) || w.to <= c.All[at].from {
				continue
			}
			isOwn[at] = true
			for next := at + 1; !isPushed && next < len(c.All) && w.to > c.All[next].from; next++ {
				isShared[next] = true
			}
		}
	}
	kept := 0
	for i := range c.All {
		col := &c.All[i]
		if i > 0 && col.near && (isShared[i] || !isOwn[i]) {
			before := &c.All[kept]
			before.Name = append(append(before.Name, ' '), col.Name...)
			before.to = col.to
			continue
		}
		if i > 0 {
			kept++
		}
		c.All[kept], c.All[i] = c.All[i], c.All[kept]
	}
	c.All = c.All[:kept+1]
}

// isPushed reports whether a word of a row with a word for each name stands where it does because the word before it is
// too long for its column, or is pushed itself.
func (c *columns) isPushed(words []word, i int, isBefore bool) bool {
	return i > 0 && i <= len(c.All) && len(words) >= len(c.All) && words[i].from == words[i-1].to+1 &&
		(isBefore || words[i-1].to > c.All[i-1].to)
}

// haveWordForEach says whether all rows have as many words as there are names.
func (c *columns) haveWordForEach(rows []textLine, row *rowCells) bool {
	for i := range rows {
		if rows[i].IsRule {
			continue
		}
		if c.cutRow(row, rows[i].Text); len(row.words) != len(c.All) {
			return false
		}
	}
	return true
}

// isRepeated says whether another column has the same name.
func (c *columns) isRepeated(i int) bool {
	isSame := func(of column) bool { return bytes.Equal(of.Name, c.All[i].Name) }
	return slices.ContainsFunc(c.All[:i], isSame) || slices.ContainsFunc(c.All[i+1:], isSame)
}

// OwnName returns the name of a column with a number if another before it has the same: percall, percall#2.
func (c *columns) OwnName(i int) []byte {
	times := 1
	for _, of := range c.All[:i] {
		if bytes.Equal(of.Name, c.All[i].Name) {
			times++
		}
	}
	if times == 1 {
		return c.All[i].Name
	}
	return fmt.Appendf(bytes.Clone(c.All[i].Name), "#%d", times)
}

// areApart says whether some names are more than one blank apart.
func (c *columns) areApart() bool {
	return slices.ContainsFunc(c.All[1:], func(col column) bool { return !col.near })
}

// readsOn says whether the name of a column goes on with that of the one before, as words of a text do that rows have
// blanks in the same places of: one blank is between them, it begins with a small letter, and one of them has several
// words.
func (c *columns) readsOn() bool {
	for i := 1; i < len(c.All); i++ {
		name, before := c.All[i].Name, c.All[i-1].Name
		if c.All[i].near && 'a' <= name[0] && name[0] <= 'z' &&
			(bytes.IndexByte(name, ' ') > 0 || bytes.IndexByte(before, ' ') > 0) {
			return true
		}
	}
	return false
}

// areCapitals says whether no name has a small letter.
func (c *columns) areCapitals() bool {
	for i := range c.All {
		if bytes.ContainsFunc(c.All[i].Name, func(r rune) bool { return 'a' <= r && r <= 'z' }) {
			return false
		}
	}
	return true
}
