package split

import (
	"bytes"
	"io"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/pipeline/internal/yaml"
	"github.com/kfw-dev/kfw/redact"
)

// YAML is cut into units of whole lines: a document; where a document is larger than a chunk, its
// members and elements, and so on inwards; and the elements of a list at the top, as those of a
// JSON array, or of a list of mappings that is most of its document. What a chunk of YAML holds is
// the JSON that the unit stands for. A unit that is no YAML, or is larger than a chunk and can't be
// opened, is lines.
//
// Where a unit ends is told by the indentation alone, so that it does not matter what is in it.

// yamlCutter is how far a response of YAML is.
type yamlCutter struct {
	state     yamlState
	head      yamlHead // of what may be YAML
	converter yaml.Converter
	redactor  *redact.Values
	clean     []byte // what the unit stands for, redacted

	levels   []yamlLevel // containers that were opened
	isOpened bool        // the document under way was
	isList   bool        // most of it is a list of mappings, each of which is a unit
	part     yaml.Part   // what the unit under way is
	size     int         // bytes of it that have been looked at, without empty lines and comments after it
	stray    bool        // its indentation fits no level
	isRemark bool        // what is lines is no unit, but a comment that is larger than a chunk
	failed   int         // units that are no YAML
	isCut    bool        // the last of them ends within a value
	docs     int         // documents that are
	isPaused bool        // the last unit was ended by a pause and may go on
}

type yamlState uint8

const (
	notYAML   yamlState = iota
	maybeYAML           // the beginning of the response is held until it tells
	isYAML
	yamlLines // the unit under way is lines
)

// yamlLevel is a container that was opened: in which column its keys or dashes are.
type yamlLevel struct {
	column int
	isList bool
}

// scanYAML cuts what is in the buffer, up to the end of a unit, and reports whether there may be
// more.
func (c *chunker) scanYAML() bool {
	if c.yaml.state == yamlLines {
		return c.scanYAMLLine()
	}
	for {
		line, next, ok := c.wholeLine()
		if !ok {
			return c.cutYAML()
		}
		kind, indent := yaml.Look(line)
		if c.unit >= 0 {
			if c.pos > c.unit && c.endsYAML(kind, indent) {
				c.endYAML()
				return true
			}
			c.pos = next
			if kind != yaml.Blank && (kind != yaml.Comment || indent > c.column()) {
				c.yaml.size = len(bytes.TrimSuffix(c.buf[c.unit:c.lineStop(next)], []byte{'\r'}))
			}
			continue
		}
		if c.yaml.isPaused && kind > yaml.Comment {
			c.yaml.isPaused = false
			if !c.endsYAML(kind, indent) {
				c.goesOnYAML()
				return true
			}
		}
		switch kind {
		case yaml.Blank, yaml.Comment:
			c.pos = next
		case yaml.Marker:
			c.pos = next
			c.closeYAML(0)
			c.yaml.isOpened, c.yaml.isList = false, false
		default:
			c.beginYAML(kind, indent)
		}
		if c.unit < 0 && c.pos-c.lead > maxLead {
			c.yieldLead(c.pos)
		}
	}
}

// cutYAML goes on where the next line was not read to its end, or is too long for a chunk, by
// itself or with the unit under way. It reports whether there may be more.
func (c *chunker) cutYAML() bool {
	size := c.end - c.pos
	if c.unit >= 0 {
		size = c.end - c.unit
	}
	switch {
	case size <= c.max && (!c.isLast() || c.unit < 0):
		return false
	case size <= c.max:
		c.endYAML()
		return true
	case c.unit < 0:
		kind, indent := yaml.Look(c.buf[c.pos:c.end])
		if kind <= yaml.Comment {
			c.passLine()
			return true
		}
		c.beginYAML(kind, indent)
	case c.pos > c.unit && c.column() < maxLead:
		// the beginning of the line tells whether it is one of the unit
		begin := c.buf[c.pos:min(c.end, c.pos+c.column()+longestSign)]
		if len(begin) < c.column()+longestSign && bytes.IndexByte(begin, '\n') < 0 && !c.isLast() {
			return false
		}
		if n := bytes.IndexByte(begin, '\n'); n >= 0 {
			begin = begin[:n]
		}
		if c.endsYAML(yaml.Look(begin)) {
			c.endYAML()
			return true
		}
	}
	if c.yaml.stray {
		c.endYAML()
	} else if !c.openYAML(min(c.end, c.unit+c.max+1)) {
		c.toYAMLLines()
	}
	return true
}

// longestSign is how many bytes tell what a line is, after the blanks that a unit before it ends
// at: those of a marker and the blank after it, and one as column -1 has them.
const longestSign = len("--- ") + 1

// wholeLine returns the line that begins at pos and where the next one begins. ok is false if its
// end was not read, or if the unit under way would be larger with it than a chunk.
func (c *chunker) wholeLine() (line []byte, next int, ok bool) {
	from := c.pos
	if c.unit >= 0 {
		from = c.unit
	}
	limit := min(c.end, from+c.max+1)
	if c.pos >= limit {
		return nil, 0, false
	}
	if n := bytes.IndexByte(c.buf[c.pos:limit], '\n'); n >= 0 {
		return c.buf[c.pos : c.pos+n], c.pos + n + 1, true
	}
	if c.isLast() && limit == c.end && c.end-from <= c.max {
		return c.buf[c.pos:c.end], c.end, true
	}
	return nil, 0, false
}

// isLast reports whether all of the input is in the buffer.
func (c *chunker) isLast() bool { return c.err != nil }

// lineStop is where the line ends, without its line feed, that ends before next.
func (c *chunker) lineStop(next int) int {
	if c.buf[next-1] == '\n' {
		return next - 1
	}
	return next
}

// column is that of the container in which the unit under way is; -1 for a document.
func (c *chunker) column() int {
	if levels := c.yaml.levels; len(levels) > 0 {
		return levels[len(levels)-1].column
	}
	return -1
}

// endsYAML reports whether a line is none of the unit under way.
func (c *chunker) endsYAML(kind yaml.LineKind, indent int) bool {
	column := c.column()
	switch {
	case kind == yaml.Marker:
		return true
	case kind <= yaml.Comment || indent > column:
		return false
	case indent < column:
		return true
	}
	return kind != yaml.Closing && (kind != yaml.Item || c.yaml.part != yaml.Member || c.yaml.stray)
}

// beginYAML begins a unit with the line that begins at pos.
func (c *chunker) beginYAML(kind yaml.LineKind, indent int) {
	y := &c.yaml
	for len(y.levels) > 0 {
		last := y.levels[len(y.levels)-1]
		if last.column < indent || last.column == indent && last.isList == (kind == yaml.Item) {
			break
		}
		c.closeYAML(len(y.levels) - 1)
	}
	y.stray = y.isOpened && indent != c.column()
	y.part = yaml.Document
	switch {
	case len(y.levels) > 0 && y.levels[len(y.levels)-1].isList:
		y.part = yaml.Element
	case len(y.levels) > 0:
		y.part = yaml.Member
	case kind == yaml.Item && !y.isOpened && !c.oneAnswer:
		c.enterYAML(indent, true)
		y.part = yaml.Element
	}
	if c.pos-c.lead > maxLead {
		c.yieldLead(c.pos)
	}
	c.unit, y.size = c.pos, 0
	if len(y.levels) == 0 || len(y.levels) == 1 && y.levels[0].isList {
		c.top++
	}
}

// enterYAML makes the members of a container the units.
func (c *chunker) enterYAML(column int, isList bool) {
	c.yaml.levels = append(c.yaml.levels, yamlLevel{column, isList})
	c.yaml.isOpened = true
	c.path.enter()
}

// closeYAML closes the containers that were opened, up to so many.
func (c *chunker) closeYAML(keep int) {
	for len(c.yaml.levels) > keep {
		c.yaml.levels = c.yaml.levels[:len(c.yaml.levels)-1]
		c.path.leave()
		c.path.endMember()
	}
}

// endYAML yields the unit under way, which is complete.
func (c *chunker) endYAML() {
	y := &c.yaml
	if y.stray {
		c.breakYAML(&yaml.Error{Reason: outOfLine})
		return
	}
	value, err := y.converter.JSON(c.buf[c.unit:c.unit+y.size], y.part, c.max)
	switch {
	case err != nil && err.IsTooLarge:
		if !c.openYAML(c.pos) {
			c.toYAMLLines()
		}
		return
	case err != nil:
		c.breakYAML(err)
		return
	}
	switch y.part {
	case yaml.Document:
		y.docs++
		if y.isList = !c.oneAnswer && holdsRecords(value); y.isList && c.openYAML(c.pos) {
			return
		}
	case yaml.Member:
		key := bytes.Clone(y.converter.Key())
		if y.isList && len(y.levels) == 1 && isRecords(gjson.Parse(ascii.LentString(value))) && c.openYAML(c.pos) {
			return
		}
		c.path.addKey(key)
	case yaml.Element:
		c.path.addIndex()
	}
	if y.redactor != nil {
		y.clean = y.redactor.Append(y.clean[:0], value, redact.JSON)
		value = y.clean
	}
	to := c.unit + y.size
	c.emitChunk(c.unit, to, Chunk{Kind: JSON, Inner: value, Notation: InYAML + Notation(y.part), Path: c.where()})
	c.path.endMember()
	c.unit, c.pos = -1, to+len(lineEnd(c.buf[to:c.end]))
}

// pauseYAML ends the unit under way, though the next line may be of it as well, if it is YAML as it
// stands. A unit in which a value is open becomes lines. It does not end within a line.
func (c *chunker) pauseYAML() bool {
	y := &c.yaml
	if c.pos < c.end || !c.source.EndsLine() || y.stray {
		return false
	}
	switch _, err := y.converter.JSON(c.buf[c.unit:c.unit+y.size], y.part, c.max); {
	case err == nil:
	case err.IsCut:
		c.warnings = append(c.warnings, Warning{What: "YAML that paused within a value is shown as lines"})
		c.toYAMLLines()
		return true
	case c.strict:
		return false
	}
	before := c.seq
	c.endYAML()
	y.isPaused = c.seq > before
	return true
}

// goesOnYAML turns the rest of a unit into lines, after a pause has ended the unit early.
func (c *chunker) goesOnYAML() {
	c.warnings = append(c.warnings, Warning{What: "YAML that went on after a pause is shown as lines"})
	c.yaml.state, c.yaml.size = yamlLines, 0
}

// holdsRecords reports whether most of a JSON object is one list of records.
func holdsRecords(value []byte) (is bool) {
	gjson.Parse(ascii.LentString(value)).ForEach(func(_, member gjson.Result) bool {
		if 2*len(member.Raw) <= len(value) {
			return true
		}
		is = isRecords(member)
		return false
	})
	return is
}

// isRecords reports whether a JSON value is a list that begins with two objects.
func isRecords(value gjson.Result) bool {
	objects := 0
	if value.IsArray() {
		value.ForEach(func(_, element gjson.Result) bool {
			if element.IsObject() {
				objects++
				return objects < 2
			}
			return false
		})
	}
	return objects == 2
}

// openYAML makes the members of the unit under way the units from now on. It returns false if the
// unit can't be opened by what stands before end in the buffer.
func (c *chunker) openYAML(end int) bool {
	y := &c.yaml
	from := c.unit
	stop := bytes.IndexByte(c.buf[from:end], '\n')
	if stop < 0 || y.stray {
		return false
	}
	first, next := c.buf[from:from+stop], from+stop+1
	if y.part == yaml.Document {
		kind, indent := yaml.Look(first)
		if kind != yaml.Item && !yaml.IsKey(first) {
			return false
		}
		c.enterYAML(indent, kind == yaml.Item)
		c.pos, c.unit = from, -1
		return true
	}
	opens, column, key := y.converter.Inside(first, y.part)
	isList := false
	switch opens {
	case yaml.Nothing:
		return false
	case yaml.Below:
		if next, column, isList = c.below(next, end); next < 0 {
			return false
		}
	}
	if y.part == yaml.Member {
		c.path.addKey(key)
	} else {
		c.path.addIndex()
	}
	c.enterYAML(column, isList)
	if c.unit, c.pos = -1, next; opens == yaml.Below {
		return true
	}
	// the first member stands behind the dash
	if c.unit = from + column; c.unit-c.lead > maxLead {
		c.yieldLead(c.unit)
	}
	y.part, y.size = yaml.Member, len(bytes.TrimSuffix(first, []byte{'\r'}))-column
	return true
}

// below returns where the line begins, from at on, with which the value of a key or a dash begins
// that stands below it, its column, and whether it is a list; -1 if what stands there can't be
// opened.
func (c *chunker) below(at, end int) (line, column int, isList bool) {
	for at < end {
		text := c.buf[at:end]
		stop := bytes.IndexByte(text, '\n')
		if stop >= 0 {
			text = text[:stop]
		}
		switch kind, indent := yaml.Look(text); {
		case kind == yaml.Item:
			return at, indent, true
		case stop < 0:
			return -1, 0, false
		case kind > yaml.Comment:
			if !yaml.IsKey(text) || indent <= c.column() {
				return -1, 0, false
			}
			return at, indent, false
		}
		at += stop + 1
	}
	return -1, 0, false
}

const outOfLine = "the indentation fits no line before it"

// breakYAML makes the unit under way, which is no YAML, lines.
func (c *chunker) breakYAML(err *yaml.Error) {
	y := &c.yaml
	y.failed++
	y.isCut = err.IsCut
	line, column := c.place(c.unit + err.Offset)
	if c.strict && c.source.Asked() == redact.YAML {
		c.stopped = true
		c.yield(Chunk{}, &Broken{Line: line, Column: column, Reason: err.Reason, Format: redact.YAML})
		return
	}
	c.warnings = append(c.warnings, Warning{What: err.Reason, Line: line, Column: column, Format: redact.YAML})
	c.toYAMLLines()
}

// toYAMLLines makes the unit under way lines.
func (c *chunker) toYAMLLines() {
	if c.yaml.part == yaml.Element && len(c.yaml.levels) > 0 && !c.yaml.stray {
		c.path.addIndex()
		c.path.endMember()
	}
	c.yaml.state, c.yaml.size = yamlLines, 0
	c.pos, c.unit = c.unit, -1
}

// passLine makes the line that begins at pos, which is no unit and larger than a chunk, a line of
// text.
func (c *chunker) passLine() { c.yaml.state, c.yaml.size, c.yaml.isRemark = yamlLines, 0, true }

// scanYAMLLine yields a line of a unit that is lines.
func (c *chunker) scanYAMLLine() bool {
	if c.unit < 0 {
		limit := min(c.end, c.pos+c.max+1)
		n := bytes.IndexByte(c.buf[c.pos:limit], '\n')
		if n < 0 && limit-c.pos <= c.max && !c.isLast() {
			return false
		}
		if n < 0 {
			n = limit - c.pos
		}
		if kind, indent := yaml.Look(c.buf[c.pos : c.pos+n]); c.yaml.size > 0 &&
			(c.yaml.isRemark || c.endsYAML(kind, indent)) {
			c.yaml.state, c.yaml.isRemark = isYAML, false
			return true
		}
		c.yaml.size++
	}
	return c.scanLine()
}

// ---- what is YAML by itself

// yamlWindow is how many bytes of a response are held at most until it is known whether they are
// YAML.
const yamlWindow = BlockSize

// yamlHead is what is known of the lines that a response begins with.
type yamlHead struct {
	read  int // bytes of whole lines
	keys  map[string]bool
	lines int  // that are keys or items
	deep  bool // one is indented, or an item
	docs  int  // that have ended
}

// mostFlat is how many keys in a row may be at the top of what is YAML by itself, with nothing
// under any: there are more in a log.
const mostFlat = 64

// add takes the next line and reports whether there may still be YAML, as tools write it.
func (h *yamlHead) add(line []byte) bool {
	kind, indent := yaml.Look(line)
	switch {
	case kind <= yaml.Comment:
		return true
	case kind == yaml.Marker:
		if h.lines > 0 {
			h.docs++
		}
		h.lines, h.deep = 0, false
		clear(h.keys)
		return true
	case indent > 0 || kind == yaml.Item:
		if indent > 0 && h.lines == 0 {
			return false
		}
		h.deep = true
		h.lines++
		return true
	case kind == yaml.Closing:
		return h.deep
	}
	key, ok := yaml.IsPlainly(line)
	if !ok || h.keys[string(key)] {
		return false
	}
	if h.keys == nil {
		h.keys = make(map[string]bool)
	}
	h.keys[string(key)] = true
	h.lines++
	return h.deep || h.lines <= mostFlat
}

// judgeYAML decides whether the response is records of YAML by itself: by its first 64 KiB, or all
// of it, or two documents. All of that must be YAML, and be several documents, or for the most part
// a list of mappings: one document of settings says more as lines. It returns false if more has to
// be read. How it is read does not matter.
func (c *chunker) judgeYAML() bool {
	h := &c.yaml.head
	limit := min(c.end, c.pos+yamlWindow)
	isEnd := c.isLast() && limit == c.end
	for c.pos+h.read < limit {
		rest := c.buf[c.pos+h.read : limit]
		n := bytes.IndexByte(rest, '\n')
		if n < 0 && !isEnd {
			break
		}
		if n < 0 {
			n = len(rest) - 1
		}
		if !h.add(bytes.TrimSuffix(rest[:n+1], []byte{'\n'})) {
			c.yaml.state = notYAML
			return true
		}
		h.read += n + 1
		if h.docs == 2 {
			break
		}
	}
	isWindow := limit == c.pos+yamlWindow
	if h.docs < 2 && !isEnd && !isWindow {
		return false
	}
	isWhole := isEnd && c.pos+h.read == c.end
	c.yaml.state = notYAML
	if c.areYAML(c.buf[c.pos:c.pos+h.read], isWhole || h.docs == 2) {
		c.beginsYAML()
	}
	c.yaml.head = yamlHead{}
	return true
}

// areYAML reports whether lines are YAML as tools write it. If they are not whole, the last unit
// may end too soon.
func (c *chunker) areYAML(lines []byte, isWhole bool) bool {
	trial := chunker{options: options{max: c.max}, unit: -1, key: -1,
		input: input{source: c.source, buf: lines, end: len(lines), err: io.EOF}}
	elements, bytesOf := 0, 0
	trial.yield = func(chunk Chunk, _ error) bool {
		if chunk.Notation == InItem && len(trial.yaml.levels) <= 2 && chunk.Inner[0] == '{' {
			elements, bytesOf = elements+1, bytesOf+len(chunk.Source)
		}
		return true
	}
	trial.yaml.state, trial.started, trial.line, trial.asLines = isYAML, true, true, true
	trial.scan()
	y := &trial.yaml
	if y.failed > 0 && (isWhole || y.failed > 1 || !y.isCut) {
		return false
	}
	traits := &y.converter.Traits
	isList := elements > 1 && 2*bytesOf > len(lines) && traits.Nested > 0
	areDocs := y.docs > 1 && (traits.Nested > 0 || traits.Members >= 2*y.docs)
	return (isList || areDocs) && traits.Loose == 0 && traits.Aligned*alignedShare <= traits.Members
}

// alignedShare: where more than one in so many values are aligned in columns, a text is one for
// people.
const alignedShare = 4

// beginsYAML makes the rest of the response YAML.
func (c *chunker) beginsYAML() {
	c.yaml.state = isYAML
	c.yaml.redactor = c.source.Rules().Values()
}
