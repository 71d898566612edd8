// Package yaml reads YAML as tools write it, and writes the JSON that it stands for.
//
// A unit of whole lines comes in: a document, one member of a mapping, or one element of a list.
// One JSON value goes out, in the order of the text. What is read is YAML 1.2 without complex keys,
// anchors of keys and values that begin on the line of an explicit key: a text with one of these is
// an error, as is one that is no YAML. Plain scalars are read by the core schema: null, booleans
// and numbers are what JSON writes in the same characters; all others, such as 007, 0x1F, .5 and
// 1.10.0, are strings. A tag is passed over to its value.
//
// Time and memory are linear in the text and in what its aliases stand for, which a limit bounds.
package yaml

import "bytes"

// Part says what a text is of the document that it stands in.
type Part uint8

const (
	Document Part = iota // all of it: a mapping or a list
	Member               // a key and its value, which is converted
	Element              // an element of a list with its dash; the element is converted
)

// Error says why a text can't be converted. It quotes nothing of the text.
type Error struct {
	Offset int // in the text, in bytes
	Reason string

	IsTooLarge bool // the JSON is larger than the limit
	IsCut      bool // the text ends within a value
}

// Error implements error.
func (e *Error) Error() string { return e.Reason }

// Traits count what tells YAML from other texts that parse as such.
type Traits struct {
	Members int // keys with their values
	Aligned int // values that stand more than one blank after their colon
	Nested  int // block mappings that are under a key, or elements of several members
	Loose   int // plain scalars below their key, or whose lines go on further in than a writer would indent them
}

// A Converter converts one text after another. Its zero value is ready.
type Converter struct {
	Traits // of all texts

	src      []byte
	part     Part
	limit    int
	out      []byte
	key      []byte // of a Member
	err      *Error
	pos      int
	line     int // where the current line begins
	eol      int // where its line break begins
	depth    int // collections that are open
	copied   int // bytes that aliases stand for
	anchors  []anchor
	merged   [][]byte // mappings that are to be merged into those that are open
	text     []byte   // scratch
	isString bool     // the scalar is a string whatever it looks like
}

// anchor is the name of a part of the output.
type anchor struct {
	name     []byte
	from, to int
}

const (
	// maxDepth is how deep collections may be nested: that of package split for JSON.
	maxDepth = 512
	// mostCopies is how often the limit aliases may stand for. Merged members are copied and taken
	// out again, so that the size of the output does not bound the work.
	mostCopies = 16
)

// JSON returns the value that src stands for, in at most limit bytes. It is lent until the next
// call.
func (c *Converter) JSON(src []byte, part Part, limit int) ([]byte, *Error) {
	*c = Converter{Traits: c.Traits, src: src, part: part, limit: limit, out: c.out[:0], key: c.key[:0],
		anchors: c.anchors[:0], merged: c.merged[:0], text: c.text[:0]}
	c.setLine(0)
	if !c.unit() {
		return nil, c.err
	}
	return c.out, nil
}

// Key returns the key of the Member that was converted, as a JSON string.
func (c *Converter) Key() []byte { return c.key }

func (c *Converter) unit() bool {
	n := c.indent()
	if c.err != nil {
		return false
	}
	if n < 0 {
		return c.fail("nothing stands here")
	}
	c.pos += n
	ok := false
	switch {
	case c.part == Member:
		if !c.isKey() {
			return c.fail("a key must come here")
		}
		if ok = c.readKey(); ok {
			c.key = append(c.key, c.out...)
			c.out = c.out[:0]
			ok = c.value(n, true)
		}
	case c.part == Element:
		if !c.isItem() {
			return c.fail("an item must come here")
		}
		c.pos++
		ok = c.value(n, false)
	case c.isItem():
		ok = c.list(n)
	case c.isKey():
		ok = c.mapping(n, false)
	case c.at('{'), c.at('[') && markerLen(c.src[c.pos:c.eol]) == 0:
		ok = c.flow() && c.endLine()
	default:
		return c.fail("neither a key nor an item")
	}
	if ok && c.indent() >= 0 {
		return c.fail("the indentation fits no line before it")
	}
	return ok && c.err == nil
}

// fail notes the first error and returns false.
func (c *Converter) fail(reason string) bool {
	if c.err == nil {
		c.err = &Error{Offset: c.pos, Reason: reason}
	}
	return false
}

// cut fails because the text ends within a value.
func (c *Converter) cut() bool {
	c.fail("the text ends within a value")
	c.err.IsCut = true
	return false
}

// fits reports whether the output is within the limit, and fails if it is not.
func (c *Converter) fits() bool {
	if len(c.out) <= c.limit && c.copied <= mostCopies*c.limit {
		return true
	}
	c.fail("what it stands for is larger than a chunk")
	c.err.IsTooLarge = true
	return false
}

// enter opens a collection.
func (c *Converter) enter() bool {
	if c.depth++; c.depth > maxDepth {
		return c.fail("nested too deep")
	}
	return true
}

// ---- lines

// setLine makes the line that begins at a place the current one.
func (c *Converter) setLine(at int) {
	c.pos, c.line, c.eol = at, at, len(c.src)
	if n := bytes.IndexByte(c.src[at:], '\n'); n >= 0 {
		c.eol = at + n
	}
	if c.eol > at && c.src[c.eol-1] == '\r' {
		c.eol--
	}
}

// nextLine makes the next line the current one; false if there is none.
func (c *Converter) nextLine() bool {
	n := bytes.IndexByte(c.src[c.eol:], '\n')
	if n < 0 {
		c.pos, c.line, c.eol = len(c.src), len(c.src), len(c.src)
		return false
	}
	c.setLine(c.eol + n + 1)
	return true
}

// indent passes empty lines and comments, from the beginning of a line. It returns how many blanks
// the next line begins with, and stays before them; -1 at the end of the text.
func (c *Converter) indent() int {
	for {
		n := blanks(c.src[c.line:c.eol])
		rest := c.src[c.line+n : c.eol]
		switch {
		case len(rest) > 0 && rest[0] == '\t' && len(bytes.Trim(rest, " \t")) > 0:
			c.pos = c.line + n
			c.fail("a tab in the indentation")
			return -1
		case len(rest) > 0 && rest[0] != '#' && rest[0] != '\t':
			return n
		case !c.nextLine():
			return -1
		}
	}
}

// endLine passes what is left of a line, which may be a comment only.
func (c *Converter) endLine() bool {
	if !c.isLineDone() {
		return c.fail("nothing more can stand on the line")
	}
	c.nextLine()
	return true
}

// isLineDone reports whether nothing is left of the line except blanks and a comment.
func (c *Converter) isLineDone() bool {
	i := c.pos
	for i < c.eol && isBlank(c.src[i]) {
		i++
	}
	return i == c.eol || c.src[i] == '#' && (i > c.pos || i == c.line || isBlank(c.src[i-1]))
}

func (c *Converter) skipBlanks() {
	for c.pos < c.eol && isBlank(c.src[c.pos]) {
		c.pos++
	}
}

// at reports whether the next byte of the line is b.
func (c *Converter) at(b byte) bool { return c.pos < c.eol && c.src[c.pos] == b }

// blanks is how many blanks b begins with.
func blanks(b []byte) int {
	for i, x := range b {
		if x != ' ' {
			return i
		}
	}
	return len(b)
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }
