// Package split cuts a redacted response into chunks: JSON values, also those that YAML stands for, and lines of text.
//
// A redact.Reader comes in, chunks go out as an iterator. Their leads and sources, in order, are the response byte for
// byte, whatever it holds and however it is cut into reads. Memory does not grow with the response: a value that is
// larger than a chunk is opened, and its members become chunks with the path at which they stood.
//
// Presenter makes of a chunk what a frame shows; Restorer makes a chunk of what a handle has stored.
package split

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/redact"
)

// MaxChunkDefault is how many bytes a value or a line may have to be one chunk.
const MaxChunkDefault = 64 << 10

// BlockSize is how many bytes are read at once.
const BlockSize = 64 << 10

// Kind is what a chunk is.
type Kind uint8

const (
	JSON     Kind = iota // a JSON value
	Text                 // a line, or a line of broken JSON
	JSONPart             // a part of a string that is larger than a chunk
	TextPart             // a part of a line, or of a value nested too deep, that is larger than a chunk
)

// Notation is how the source of a chunk is written.
type Notation uint8

const (
	Plain    Notation = iota // as it is
	InString                 // in a JSON string, with escapes
	InYAML                   // a document of YAML, which stands for a JSON value
	InMember                 // a member of a mapping of YAML, of which the value counts
	InItem                   // an element of a list of YAML with its dash
)

// IsYAML reports whether the source is lines of YAML.
func (f Notation) IsYAML() bool { return f >= InYAML }

// Chunk is one unit of a response. Its bytes are lent until the next one.
//
// The leads and sources of all chunks, in order, are the response, byte for byte. A chunk with Seq 0 is none: it
// carries bytes or warnings that belong to no chunk, or says that the source is about to be read.
type Chunk struct {
	Seq      int    // 1, 2, 3, ...
	Rank     int    // its place in an order that was asked for, from 1; 0 if that is the order of the response
	Top      int    // number of the value at the top that it is, or is in; of the element, if that is an array; from 1
	Path     []byte // where it stood, in gjson syntax, when its parent was opened
	Lead     []byte // what stands between the chunk before and this one
	Source   []byte // the chunk
	LineEnd  []byte // how the line ends that Source ends, if that has been read: the next Lead begins with it
	Inner    []byte // what Source stands for, by its Notation; nil if that is Plain
	Notation Notation
	Kind     Kind
	Warnings []Warning
	Lossy    bool // it can't be shown as it is: an endless key before it, or nested deeper than 512

	// Waited is how long the source has been waited for until here, if that is measured (see
	// ChunksAtOnce), and Since how long it had been when the chunk came: less, if it was held.
	Waited, Since time.Duration
}

// Broken is JSON, or YAML, that is not: why, and where in the redacted input.
type Broken struct {
	Line, Column int // from 1; the column in bytes
	Reason       string
	Format       redact.Format // redact.YAML, or else JSON
}

// Error implements error.
func (b *Broken) Error() string {
	return fmt.Sprintf("line %d, column %d: broken %s: %s", b.Line, b.Column, formatName(b.Format), b.Reason)
}

// Chunks cuts a redacted response into chunks, in memory that does not grow with it. A value larger than max (bytes;
// 0 is the default) is opened: its members become the chunks, and so on inwards; strings and lines come in parts.
// What does not parse is lines. With strict the first broken JSON ends the response. With oneAnswer an array at the top
// is a value like any other, and a text is not cut into lines. An error, a *Broken or one of in, is the last thing it
// yields.
func Chunks(in *redact.Reader, max int, strict, oneAnswer bool) iter.Seq2[Chunk, error] {
	return ChunksAtOnce(in, max, strict, oneAnswer, 0)
}

// ChunksAtOnce is Chunks for a reader who waits. It holds nothing longer than flushAfter to find
// out its format; 0 is for ever. An incomplete line, JSON value or open YAML value does not count
// as held: it is still being read.
func ChunksAtOnce(
	in *redact.Reader, max int, strict, oneAnswer bool, flushAfter time.Duration,
) iter.Seq2[Chunk, error] {
	if max <= 0 {
		max = MaxChunkDefault
	}
	return func(yield func(Chunk, error) bool) {
		c := &chunker{options: options{max: max, strict: strict, oneAnswer: oneAnswer},
			input: input{source: in, buf: make([]byte, max+maxLead+BlockSize)}, held: held{flushAfter: flushAfter},
			yield: yield}
		c.payload = newPayload(c)
		c.run()
	}
}

// Content is the chunk as it is cut out of what it stands in: the response, or a string of it.
func (c *Chunk) Content() []byte {
	if c.Inner != nil {
		return c.Inner
	}
	return c.Source
}

// GoesOn says whether the chunk is more of the line that the one before is of.
func (c *Chunk) GoesOn() bool { return c.Kind == TextPart && len(c.Lead) == 0 && c.Seq > 1 }

// EndOfLine returns the beginning of a lead that belongs to the chunk before: up to its first line feed, or all of it.
func EndOfLine(lead []byte) []byte { return lead[:cmp.Or(bytes.IndexByte(lead, '\n')+1, len(lead))] }

// maxLead is how many bytes that belong to no chunk may stand before one and be yielded with it.
const maxLead = 1 << 10

// options say how a response is cut.
type options struct {
	max       int // bytes of the largest chunk
	strict    bool
	oneAnswer bool
	isInner   bool // what is cut is in a string
}

// chunker cuts an input into chunks: values of JSON, or lines.
type chunker struct {
	options
	input
	held
	yield   func(Chunk, error) bool
	payload *payload // of a string under way; nil if isInner

	json    scanner
	attempt attempt
	broken  brokenValue
	yaml    yamlCutter
	path    path
	started bool  // the format is known
	asLines bool  // the response is text: what is no value is a line of it
	line    bool  // a line of text is under way, not a value
	scalars int64 // offset up to which there is nothing but values on the line under way
	unit    int   // where the line or value under way begins in buf; -1 if none is
	part    Kind  // JSONPart or TextPart: some of it has been yielded
	key     int   // where the key under way begins in buf; -1 if none is
	cut     bool  // its beginning has been yielded

	seq      int
	top      int
	values   int // of JSON that have been yielded
	texts    int // lines of text among values
	warnings []Warning
	lossy    bool
	stopped  bool // the consumer, or strict, wants no more
}

func (c *chunker) run() {
	c.unit, c.key = -1, -1
	for {
		seq := c.seq
		c.scan()
		for c.isOverdue() && c.decide() {
			c.scan()
		}
		if c.stopped {
			return
		}
		// let others do what they have waited with for long enough, or look at the time while no
		// chunk is complete
		isNews := c.flushAfter > 0 || c.seq == seq && c.offset(c.end) > 0
		if isNews && !c.yield(Chunk{Waited: c.waited}, nil) {
			return
		}
		if c.makeRoom(); c.err == nil {
			c.readOn()
		}
		if c.err != nil {
			c.scan()
			c.finish()
			if !c.stopped && c.err != io.EOF {
				c.yield(Chunk{}, c.err)
			}
			return
		}
	}
}

// makeRoom makes room for a block in the buffer.
func (c *chunker) makeRoom() {
	moved := c.input.makeRoom()
	if c.unit >= 0 {
		c.unit -= moved
	}
	if c.key >= 0 {
		c.key -= moved
	}
}

// scan yields the chunks that are complete in the buffer. What is left then is at most max bytes.
func (c *chunker) scan() {
	for !c.stopped {
		var on bool
		switch {
		case c.yaml.state == maybeYAML:
			on = c.judgeYAML()
		case c.yaml.state != notYAML:
			on = c.scanYAML()
		case c.line:
			on = c.scanLine()
		case c.attempt.isComplete:
			on = c.endAttempt()
		default:
			on = c.scanJSON()
		}
		if !on {
			return
		}
	}
}

// byteOrderMark may stand before a response, and is no part of a value or of the first line.
const byteOrderMark = "\ufeff"

// start waits for the first byte that is neither white space nor of a byte order mark, which decides the format.
func (c *chunker) start() bool {
	held := c.lead + c.max - len(byteOrderMark) // as much as is held of it, however it is read
	if c.pos < min(c.end, held) {
		c.pos += spaces(c.buf[c.pos:min(c.end, held)])
	}
	if c.pos >= held {
		c.yieldLead(c.pos)
		return true
	}
	if rest := c.buf[c.pos:c.end]; bytes.HasPrefix(rest, []byte(byteOrderMark)) {
		c.pos += len(byteOrderMark)
		return true
	} else if len(rest) < len(byteOrderMark) && strings.HasPrefix(byteOrderMark, string(rest)) {
		return false
	}
	c.started = true
	c.asLines = c.source.Format() == redact.Lines
	if c.line = c.asLines; c.line {
		c.pos = c.firstLine()
		switch asked := c.source.Asked(); {
		case asked == redact.YAML:
			c.beginsYAML()
		case asked == redact.Auto && !c.isInner:
			c.yaml.state = maybeYAML
		}
	}
	return true
}

// firstLine returns where the first line of a text begins in the buffer.
func (c *chunker) firstLine() int {
	if c.base == 0 && c.lead == 0 && bytes.HasPrefix(c.buf[:c.end], []byte(byteOrderMark)) {
		return len(byteOrderMark)
	}
	return c.lead
}

// ---- text

func (c *chunker) scanLine() bool {
	if c.unit < 0 {
		if c.pos == c.end {
			return false
		}
		if begins, isKnown := c.beginsLine(); !begins {
			return isKnown
		}
		c.unit = c.pos
		c.top++
	}
	limit := min(c.end, c.unit+c.max+1)
	c.pos = min(c.pos, limit)
	n := -1
	if !c.oneText() {
		n = bytes.IndexByte(c.buf[c.pos:limit], '\n')
	}
	switch {
	case n >= 0:
		c.pos += n
		c.endLine(c.pos)
	case limit-c.unit > c.max:
		c.pos = c.unit + wholeRunes(c.buf[c.unit:c.unit+c.max])
		c.emit(c.unit, c.pos, TextPart)
		c.unit, c.part = c.pos, TextPart
	default:
		c.pos = limit
		return false
	}
	return true
}

// oneText reports whether line feeds are part of the chunk under way. A line of broken JSON ends at one.
func (c *chunker) oneText() bool {
	return c.oneAnswer && c.yaml.state == notYAML && c.asLines
}

// endLine yields the line that ends before end, where its line feed stands if it has one.
func (c *chunker) endLine(end int) {
	line := c.buf[c.unit:end]
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	kind := Text
	switch {
	case c.part != JSON:
		kind = TextPart
	case !c.broken.goesOn && isObject(line):
		kind = JSON
	}
	c.emit(c.unit, c.unit+len(line), kind)
	c.unit, c.part = -1, JSON
	c.pos = min(end+1, c.end)
	c.line = c.broken.goesOn || c.asLines && c.json.floor == 0
}

// endText yields what the input ends with: a line without a line feed, or the one text, whose last line feed is no part
// of it.
func (c *chunker) endText() {
	end := c.end
	if c.oneText() && c.buf[end-1] == '\n' {
		end--
	}
	if c.unit == end && c.part != JSON { // all of it has been yielded
		c.unit, c.pos = -1, c.end
		return
	}
	c.endLine(end)
}

// isObject reports whether line is one complete JSON object.
func isObject(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 0 && line[0] == '{' && jsonx.Valid(line, len(line))
}

// ---- JSON

func (c *chunker) scanJSON() bool {
	if !c.started {
		return c.start()
	}
	limit := min(c.end, c.lead+maxLead+c.max)
	if c.unit >= 0 {
		limit = min(c.end, c.unit+c.max)
	}
	if c.attempt.isArray {
		return c.tryArray(limit)
	}
	n, ev := c.json.scan(c.buf[c.pos:limit], c.offset(c.pos))
	c.pos += n
	switch ev {
	case more:
		switch {
		case c.unit >= 0 && c.pos-c.unit == c.max:
			c.open()
		case c.unit < 0 && c.pos-c.lead == maxLead+c.max:
			c.yieldLead(c.pos)
		default:
			return false
		}
	case begins:
		if c.json.resumes {
			c.abandon()
			break
		}
		if c.json.floor == 0 && !c.strict && !c.asLines {
			isLine, isKnown := c.isText(limit)
			if !isKnown {
				return false
			}
			if isLine {
				c.beginText()
				break
			}
		}
		if c.json.floor == 0 {
			c.json.hasMember = false
		}
		if c.json.floor == 0 && c.buf[c.pos] == '[' && !c.oneAnswer {
			c.beginArray()
			break
		}
		c.beginUnit(c.pos)
		c.read(c.json.begin(c.buf[c.pos], c.offset(c.pos)))
	case keyBegin:
		c.key, c.cut = c.pos, false
		c.read(c.json.begin(c.buf[c.pos], c.offset(c.pos)))
	case keyEnd:
		if !c.cut {
			c.path.addKey(c.buf[c.key:c.pos])
		}
		c.key = -1
	case ends:
		if c.json.floor == 0 && c.asLines && c.part == JSON {
			c.attempt.isComplete, c.attempt.size = true, c.pos-c.unit
			break
		}
		c.emit(c.unit, c.pos, c.part)
		c.unit, c.part = -1, JSON
		c.path.endMember()
		c.afterValue()
	case closes:
		c.json.floor--
		c.path.leave()
		c.path.endMember()
		c.afterValue()
	case broken:
		c.breakOff(c.json.reason)
	}
	return true
}

// isText reports whether what is left of the line is no JSON value, or several of them, though it may begin as a
// number, a literal or a list does: as a line of a log with its time or its level does, "2026-01-02 12:30" or
// "[INFO]", among others that are objects. It may not be known before the end of the line.
func (c *chunker) isText(limit int) (is, isKnown bool) {
	first := c.buf[c.pos]
	if first == '{' || first == '"' || c.offset(c.pos) < c.scalars {
		return false, true
	}
	line := c.buf[c.pos:limit]
	if first == '[' {
		isLabel, decided := redact.BeginsLabel(line)
		return isLabel, decided || limit-c.lead == maxLead+c.max || c.err != nil
	}
	if n := bytes.IndexByte(line, '\n'); n >= 0 {
		line = line[:n+1]
	} else if limit-c.lead < maxLead+c.max && c.err == nil {
		return false, false
	}
	var s scanner
	for at := 0; ; {
		n, ev := s.scan(line[at:], 0)
		at += n
		switch {
		case ev == broken:
			return true, true
		case ev == more:
			c.scalars = c.offset(c.pos + len(line))
			return false, true
		case ev == begins:
			if s.begin(line[at], 0) != "" {
				return true, true
			}
			at++
		}
	}
}

// beginText begins a line of text among JSON values.
func (c *chunker) beginText() {
	c.tellText("a line of text")
	c.unit, c.line = c.pos, true
}

// read takes the byte that begins a value or a key.
func (c *chunker) read(reason string) {
	if reason != "" {
		c.breakOff(reason)
		return
	}
	c.pos++
}

// open makes the members of the value under way, which is too large to be one chunk, the chunks from now on. Of a
// string, or of what is nested too deep, it yields a part.
func (c *chunker) open() {
	first := c.buf[c.unit]
	inner := c.json.floor + 1
	switch {
	case c.part == JSON && (first == '[' || first == '{') && inner <= maxDepth:
	case c.part == JSON && first == '"' && c.openString():
		return
	case c.json.inScalar && c.json.scalar.IsString():
		c.emitPart(wholeEscapes(c.buf[c.unit:c.pos]), JSONPart)
		return
	default:
		c.emitPart(wholeRunes(c.buf[c.unit:c.pos]), TextPart)
		return
	}

	// The members before the one under way are complete: they are read again, by a scanner of their own.
	under, stop := c.json, c.pos
	member := int(under.member[inner] - c.base)
	c.json = scanner{Structure: under.Around(inner - 1), floor: inner - 1}
	c.json.structure(first, c.offset(c.unit))
	c.pos = c.unit + 1
	c.unit = -1
	c.enter()
	end := c.end
	c.end = member
	for c.pos < member && !c.stopped && c.scanJSON() {
	}
	c.end = end
	if c.stopped {
		return
	}
	if value := c.memberValue(member, stop, &under); value >= 0 {
		if under.IsObject(inner) {
			key := bytes.IndexByte(c.buf[member:], '"') + member
			end, _ := jsonx.EndOfString(c.buf, key)
			c.path.addKey(c.buf[key:end])
		}
		c.beginUnit(value)
		under.floor = inner
		c.json, c.pos = under, stop
		return
	}
	// Between members there is little to read again: it is not part of a value under way.
	c.pos = member
}

// memberValue returns where the value of the member under way begins, -1 if the scanner stands before or after it.
func (c *chunker) memberValue(member, stop int, s *scanner) int {
	inner := c.json.floor
	if s.Depth == inner && (s.inKey() || !s.inScalar && s.opaque == 0) {
		return -1
	}
	i := member + spaces(c.buf[member:stop])
	if s.IsObject(inner) {
		i, _ = jsonx.EndOfString(c.buf[:stop], i)
		i += spaces(c.buf[i:stop]) + 1 // the colon
		i += spaces(c.buf[i:stop])
	}
	return i
}

// emitPart yields the first n bytes of the value under way and goes on with the rest.
func (c *chunker) emitPart(n int, kind Kind) {
	c.emit(c.unit, c.unit+n, kind)
	c.unit += n
	c.part = kind
}

// beginUnit begins a value of its own at buf[at].
func (c *chunker) beginUnit(at int) {
	if at-c.lead > maxLead {
		c.yieldLead(at)
	}
	c.unit, c.part = at, JSON
	if c.json.floor == 0 || c.json.floor == 1 && !c.json.IsObject(1) {
		c.top++
	}
	if c.json.floor > 0 && !c.json.IsObject(c.json.floor) {
		c.path.addIndex()
	}
}

// ---- out

func (c *chunker) emit(from, to int, kind Kind) {
	chunk := Chunk{Kind: kind}
	if c.yaml.state == notYAML {
		chunk.Path = c.where()
	}
	c.emitChunk(from, to, chunk)
}

// emitChunk yields a chunk with its kind and place. A value that is broken below maxDepth is text.
func (c *chunker) emitChunk(from, to int, chunk Chunk) {
	c.seq++
	if chunk.Kind == JSON && c.json.deep && !jsonx.Valid(c.buf[from:to], to-from) {
		chunk.Kind = Text
	}
	if chunk.Kind == JSON {
		c.values++
	}
	chunk.Seq, chunk.Top, chunk.Since = c.seq, c.top, c.since(c.offset(from))
	chunk.Lead, chunk.Source = c.buf[c.lead:from], c.buf[from:to]
	chunk.LineEnd = lineEnd(c.buf[to:c.end])
	chunk.Warnings = c.warnings
	chunk.Lossy = c.lossy || c.json.deep
	c.json.deep = false
	c.lead = to
	c.send(chunk)
}

// lineEnd returns the end of a line that b begins with, nil if it begins with none.
func lineEnd(b []byte) []byte {
	for _, end := range []string{"\n", "\r\n"} {
		if len(b) >= len(end) && string(b[:len(end)]) == end {
			return b[:len(end)]
		}
	}
	return nil
}

// enter makes the members of a container the chunks.
func (c *chunker) enter() {
	c.json.floor++
	c.path.enter()
}

// where returns the path of the value under way; nil for an element of an array at the top.
func (c *chunker) where() []byte {
	if levels := c.yaml.levels; len(levels) > 1 || len(levels) == 1 && !levels[0].isList {
		return c.path.text
	}
	if c.json.floor > 1 || c.json.floor == 1 && c.json.IsObject(1) {
		return c.path.text
	}
	return nil
}

// yieldLead gives away what is known to belong to no chunk: white space, or a key that is larger than a chunk.
func (c *chunker) yieldLead(to int) {
	if c.key >= 0 {
		if !c.cut {
			c.path.addKey(c.buf[c.key:to])
			c.cut, c.lossy = true, true
			c.warnings = append(c.warnings, Warning{What: "an object key longer than a chunk is only in the handle"})
		}
		c.key = to
	}
	if c.lead == to && len(c.warnings) == 0 {
		return
	}
	chunk := Chunk{Lead: c.buf[c.lead:to], Warnings: c.warnings, Lossy: c.lossy, Since: c.since(c.offset(to))}
	c.lead = to
	c.send(chunk)
}

func (c *chunker) send(chunk Chunk) {
	chunk.Waited = c.waited
	if !c.yield(chunk, nil) {
		c.stopped = true
	}
	c.warnings, c.lossy = c.warnings[:0], false
}

// finish yields what the end of the input completes.
func (c *chunker) finish() {
	if c.stopped {
		return
	}
	if !c.started {
		c.pos = c.end // half a byte order mark
	}
	for !c.line && c.started && !c.stopped && c.finishJSON() {
		c.scan()
	}
	if !c.stopped && c.line && c.unit >= 0 && c.unit < c.end {
		c.endText()
	}
	if !c.stopped {
		c.countBroken()
		c.yieldLead(c.pos)
	}
}

// finishJSON ends the value under way with the input, and reports whether there is more to scan then.
func (c *chunker) finishJSON() bool {
	ended, reason := c.json.finish()
	if c.attempt.isArray && (c.attempt.hasElement || ended) {
		c.openArray()
		return true
	}
	if ended {
		c.emit(c.unit, c.pos, c.part)
		c.unit, c.part = -1, JSON
	}
	if reason == "" || c.stopped {
		return false
	}
	c.breakOff(reason)
	return true
}
