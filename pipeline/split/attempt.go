package split

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact"
)

// Text may begin like JSON: an object as a console prints it, a record that was cut, a list of a
// programming language. A value is read as an attempt: the chunker yields nothing of it until it is
// complete, or larger than a chunk. If it breaks before, its lines become text from its first byte,
// and reading goes on at the next line that is not indented deeper.
//
// An array at the top is an attempt until one of its elements is complete and the line has ended; in
// plan live, until one of its elements is complete. Then the array is open: yielded elements stay,
// and a broken element costs only itself. The same holds for a value larger than a chunk.
//
// In a text, a line that begins with an object, or with an array of objects, begins an attempt too,
// if the format was not asked for. The value must end with a line. After a preamble it may be on
// several lines.

// attempt is a value at the top that is read and not yet yielded. It begins with the current unit.
type attempt struct {
	isArray    bool  // that is not open yet; the scanner is in it, and the path is not
	hasElement bool  // one of the array is complete
	isComplete bool  // a value in a text, of which the line has not ended yet
	size       int   // in bytes, if it is complete
	indent     int   // blanks before it on its line, if that is one of a text
	isAfter    bool  // a value in a text has been yielded, but not what is left of its line
	read       int64 // bytes of all attempts that broke; they are read again
}

// brokenValue is the last value that broke.
type brokenValue struct {
	goesOn  bool  // the lines that follow may be of it
	indent  int   // blanks that the line begins with in which it begins
	opening byte  // with which it begins
	end     int64 // offset up to which it was read
	told    int   // values that broke and were JSON until then
}

// Bounds of attempts. Their bytes are read again when they break: at most so many times all that
// has been read, and one chunk more.
const (
	mostReadAgain = 4
	longestIndent = maxLead / 2
	// longestPreamble is how many chunks may come before a value that is on several lines: more are a document, in which
	// such a value is an example, and its lines have their numbers.
	longestPreamble = 64
)

// beginsLine reports whether a line of text begins at pos. If it does not, it goes to what begins
// there, and isKnown is false if more has to be read to tell.
func (c *chunker) beginsLine() (begins, isKnown bool) {
	switch {
	case c.yaml.state != notYAML:
		return true, true
	case c.attempt.isAfter:
		return c.endsValueLine()
	case c.broken.goesOn:
		return c.continuesBroken()
	}
	mayBegin, isKnown := c.mayBeginValue()
	if mayBegin {
		if c.pos-c.lead > longestIndent {
			c.yieldLead(c.pos)
		}
		c.pos += c.attempt.indent
		c.line = false
	}
	return isKnown && !mayBegin, isKnown
}

// mayBeginValue reports whether the line of text at pos begins as a JSON value that is to be read
// as one: with {, or with [ and a { or nothing after it.
func (c *chunker) mayBeginValue() (mayBegin, isKnown bool) {
	if !c.asLines || c.oneAnswer || c.isInner || c.source.Asked() != redact.Auto {
		return false, true
	}
	line := c.buf[c.pos:min(c.end, c.pos+longestIndent)]
	isWhole := c.isLast() || len(line) == longestIndent
	n := blanks(line)
	switch {
	case n == len(line):
		return false, isWhole
	case line[n] == '{':
	case line[n] == '[':
		next := n + 1 + blanks(line[n+1:])
		if next == len(line) {
			return false, isWhole
		}
		if line[next] != '{' && line[next] != '\n' {
			return false, true
		}
	default:
		return false, true
	}
	if c.seq >= longestPreamble {
		if isOne, isKnown := c.isOneLine(); !isOne || !isKnown {
			return false, isKnown
		}
	}
	c.attempt.indent = n
	return c.mayReadAgain(), true
}

// mayReadAgain reports whether the bytes of another attempt may be read again.
func (c *chunker) mayReadAgain() bool {
	return c.attempt.read <= mostReadAgain*c.offset(c.pos)+int64(c.max)
}

// isOneLine reports whether the line at pos ends as a value that is on this line alone does.
func (c *chunker) isOneLine() (is, isKnown bool) {
	line := c.buf[c.pos:c.end]
	if n := bytes.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	} else if !c.isLast() && len(line) < c.max {
		return false, false
	}
	line = bytes.TrimRight(line, " \t\r")
	return len(line) > 0 && (line[len(line)-1] == '}' || line[len(line)-1] == ']'), true
}

// blanks is how many blanks b begins with, other than line feeds.
func blanks(b []byte) int {
	for i, x := range b {
		if !isSpace(x) || x == '\n' {
			return i
		}
	}
	return len(b)
}

// endsValueLine skips the rest of a line after a value. If the rest is not blank, it is a line of
// text.
func (c *chunker) endsValueLine() (begins, isKnown bool) {
	c.pos += blanks(c.buf[c.pos:c.end])
	if c.pos == c.end {
		if c.pos-c.lead > maxLead {
			c.yieldLead(c.pos)
		}
		return false, false
	}
	c.attempt.isAfter = false
	if c.buf[c.pos] == '\n' {
		c.pos++
		return false, true
	}
	return true, true
}

// continuesBroken tells whether the line at pos is of the value that broke before it: it is if it
// is indented deeper, or is the bracket that closes it, or if too much has been read again.
func (c *chunker) continuesBroken() (is, isKnown bool) {
	line := c.buf[c.pos:min(c.end, c.pos+c.max)]
	n := blanks(line)
	isEnd := n == len(line)
	switch {
	case isEnd && !c.isLast() && n < c.max:
		return false, false
	case (isEnd || line[n] == '\n') && c.asLines:
		return true, true
	case isEnd || line[n] == '\n': // between values
		if c.pos += n; !isEnd {
			c.pos++
		}
		if c.pos-c.lead > maxLead {
			c.yieldLead(c.pos)
		}
		return false, true
	case n > c.broken.indent, c.offset(c.pos) < c.broken.end && !c.mayReadAgain():
		return true, true
	case n == c.broken.indent && line[n] == c.broken.opening+('}'-'{'):
		c.broken.indent = c.max // nothing is indented deeper
		return true, true
	}
	c.broken.goesOn = false
	c.line = c.asLines && c.json.floor == 0
	return false, true
}

// beginArray begins an attempt with the array at pos, which is at the top.
func (c *chunker) beginArray() {
	if c.pos-c.lead > maxLead {
		c.yieldLead(c.pos)
	}
	c.unit = c.pos
	c.attempt.isArray, c.attempt.hasElement = true, false
	c.json.structure('[', c.offset(c.pos))
	c.json.floor++
	c.pos++
}

// tryArray reads on in an array at the top that is still an attempt, up to limit. It reports
// whether there may be more to scan.
func (c *chunker) tryArray(limit int) bool {
	if n := bytes.IndexByte(c.buf[c.pos:limit], '\n'); n >= 0 {
		limit = c.pos + n + 1
	}
	n, ev := c.json.scan(c.buf[c.pos:limit], c.offset(c.pos))
	c.pos += n
	switch ev {
	case more:
		isLine := c.buf[c.pos-1] == '\n'
		if isLine && c.attempt.hasElement || c.pos-c.unit == c.max {
			c.openArray()
			return true
		}
		return isLine && c.pos < c.end
	case begins:
		c.read(c.json.begin(c.buf[c.pos], c.offset(c.pos)))
	case ends:
		c.attempt.hasElement = true
		if c.flushAfter > 0 || c.isInner {
			c.openArray()
		}
	case closes:
		if c.asLines {
			c.attempt.isComplete = true
			break
		}
		c.openArray()
	case broken:
		c.breakOff(c.json.reason)
	}
	return true
}

// openArray makes the elements of the array that is tried the chunks. They are read again.
func (c *chunker) openArray() {
	start := c.unit
	c.attempt.isArray = false
	c.json = scanner{}
	c.json.structure('[', c.offset(start))
	c.pos, c.unit = start+1, -1
	c.enter()
}

// endAttempt reads the rest of the last line of a complete value in a text. If the rest is not
// blank, the value becomes lines. It reports whether there may be more to scan.
func (c *chunker) endAttempt() bool {
	limit := min(c.end, c.unit+c.max)
	c.pos += blanks(c.buf[c.pos:limit])
	switch {
	case c.pos < limit && c.buf[c.pos] != '\n':
		c.toLines()
	case c.pos == limit && limit < c.unit+c.max && !c.isLast():
		return false
	default:
		c.takeValue()
	}
	return true
}

// takeValue yields the value that is complete, or opens the array that is. An array of nothing is
// lines: no chunk would stand for it.
func (c *chunker) takeValue() {
	c.attempt.isComplete = false
	switch {
	case c.attempt.isArray && !c.attempt.hasElement:
		c.toLines()
	case c.attempt.isArray:
		c.openArray()
	default:
		c.pos = c.unit + c.attempt.size
		c.emit(c.unit, c.pos, JSON)
		c.unit = -1
		c.afterValue()
	}
}

// afterValue goes back to the lines of a text after a value at the top.
func (c *chunker) afterValue() {
	if c.asLines && c.json.floor == 0 {
		c.line, c.attempt.isAfter = true, true
	}
}

// abandon closes all open containers after one of them broke, at a value that cannot stand in an
// object.
func (c *chunker) abandon() {
	for ; c.json.floor > 0; c.json.floor-- {
		c.path.leave()
	}
	c.json = scanner{}
	if c.asLines {
		c.line = true
		c.pos = c.lead + bytes.LastIndexByte(c.buf[c.lead:c.pos], '\n') + 1
	}
}

// breakOff handles JSON that breaks at pos. If nothing of the current value was yielded, the value
// becomes lines; otherwise the rest of the line does. With strict it ends the response, unless
// that is text.
func (c *chunker) breakOff(reason string) {
	isTop := c.json.floor == 0 || c.attempt.isArray
	if c.strict && !(isTop && c.asLines) {
		c.refuse(reason)
		return
	}
	start, isWhole := c.pos, true
	switch {
	case c.unit >= 0:
		start, isWhole = c.unit, c.part == JSON
	case c.key >= 0:
		start, isWhole = c.key, !c.cut
	}
	if !isWhole {
		c.part = TextPart
	}
	c.tellBroken(start, isTop, reason)
	c.countLines(start)
	c.broken.goesOn, c.broken.indent, c.broken.opening = isWhole, c.indent, 0
	if start < c.end {
		c.broken.opening = c.buf[start]
	}
	c.broken.end = max(c.broken.end, c.offset(c.pos))

	from := start
	if c.unit >= 0 && isWhole {
		c.attempt.read += int64(c.pos - start)
	}
	if isTop && c.unit >= 0 && isWhole {
		switch {
		case c.asLines:
			from -= c.attempt.indent
		case c.seq == 0 && c.source.Asked() == redact.Auto && !c.isInner:
			// what it begins with is no JSON: the response is text
			c.asLines = true
			from = c.firstLine()
		}
	}
	if isWhole {
		c.pos = from
	}
	if c.attempt.isArray {
		c.top++
		c.json.floor--
	}
	c.attempt.isArray, c.attempt.isComplete = false, false
	c.unit, c.line, c.key = from, true, -1
	c.json.resume()
}

// toLines makes lines of an attempt that is not broken.
func (c *chunker) toLines() {
	c.json.hasMember = false
	c.breakOff("a line of text")
}

// tellBroken warns of the broken value that begins at start. The first one has a warning with its
// place; the others are counted. If the format is auto, there is no warning for text that only
// begins like JSON: a value that breaks before its first member is complete, or a value in a text
// that goes on after it. A value inside a broken one has no warning of its own.
func (c *chunker) tellBroken(start int, isTop bool, reason string) {
	isEnd := c.pos == c.end && c.isLast()
	isText := c.source.Asked() == redact.Auto && (!c.json.hasMember || c.source.Format() == redact.Lines && !isEnd)
	switch {
	case start == c.pos:
		c.tellText(reason)
	case isTop && isText, c.offset(start) < c.broken.end:
	default:
		if c.broken.told++; c.broken.told == 1 {
			c.warnAt(c.pos, reason)
		}
	}
}

// tellText warns of the line of text at pos among JSON values, or counts it, unless it stands in a
// broken value. The first one has a warning with its place, the others are counted: there may be as
// many of them as of values.
func (c *chunker) tellText(reason string) {
	if c.broken.end > 0 && c.offset(c.pos) <= c.broken.end {
		return
	}
	if c.texts++; c.texts == 1 {
		c.warnAt(c.pos, reason)
	}
}

// countBroken adds the counts of lines and broken values without a warning of their own. If the
// format is auto and most values broke, it counts no values: then the response is text.
func (c *chunker) countBroken() {
	if more := c.texts - 1; more > 0 && !c.isInner {
		c.warnings = append(c.warnings, Warning{What: "more lines of text among the JSON values", Count: more})
	}
	isJSON := c.source.Asked() == redact.JSON || c.values > c.broken.told
	if more := c.broken.told - 1; more > 0 && isJSON && !c.isInner {
		c.warnings = append(c.warnings, Warning{What: "more values of broken JSON, shown as lines", Count: more})
	}
}

// warnAt warns of broken JSON, which breaks at buf[pos].
func (c *chunker) warnAt(pos int, reason string) {
	before := c.lineCount // what stands before pos may be placed later
	line, column := c.place(pos)
	c.lineCount = before
	c.warnings = append(c.warnings, Warning{What: reason, Line: line, Column: column})
}

// refuse ends the response with broken JSON.
func (c *chunker) refuse(reason string) {
	line, column := c.place(c.pos)
	c.stopped = true
	c.yield(Chunk{}, &Broken{Line: line, Column: column, Reason: reason})
}
