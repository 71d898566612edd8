package yaml

import "bytes"

// LineKind is what a line is, by how it begins.
type LineKind uint8

const (
	Blank   LineKind = iota // nothing but blanks
	Comment                 // a comment, or a directive before a document
	Marker                  // the beginning or the end of a document
	Item                    // an element of a list begins
	Closing                 // a bracket closes
	Other                   // a key, or anything else
)

// Look returns what a line without its end is, and how many blanks it begins with.
func Look(line []byte) (kind LineKind, indent int) {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	indent = blanks(line)
	rest := line[indent:]
	switch {
	case len(bytes.TrimLeft(rest, " \t")) == 0:
		return Blank, indent
	case rest[0] == '#':
		return Comment, indent
	case beginsItem(rest):
		return Item, indent
	case rest[0] == ']' || rest[0] == '}':
		return Closing, indent
	case indent == 0 && isMarker(rest):
		return Marker, 0
	case indent == 0 && (bytes.HasPrefix(rest, []byte("%YAML ")) || bytes.HasPrefix(rest, []byte("%TAG "))):
		return Comment, 0
	}
	return Other, indent
}

// isMarker reports whether a line begins or ends a document, with nothing of it on the line except
// a tag.
func isMarker(line []byte) bool {
	rest, isBegin := bytes.CutPrefix(line, []byte("---"))
	if !isBegin {
		var isEnd bool
		if rest, isEnd = bytes.CutPrefix(line, []byte("...")); !isEnd {
			return false
		}
	}
	if len(rest) > 0 && !isBlank(rest[0]) {
		return false
	}
	rest = bytes.TrimSpace(rest)
	if isBegin && len(rest) > 0 && rest[0] == '!' && !bytes.ContainsAny(rest, " \t") {
		return true
	}
	return len(rest) == 0 || rest[0] == '#'
}

// Opens says what the value of a key or of an item is, by the line that it begins on.
type Opens uint8

const (
	Nothing   Opens = iota // a scalar, or what can't be opened
	Below                  // what stands on the lines below
	MappingAt              // a mapping, whose first key is on the line
)

// Inside reports what is in the Member or the Element that a line without its end begins, where its
// value begins if it is a MappingAt, and the key of a Member as a JSON string.
func (c *Converter) Inside(line []byte, part Part) (opens Opens, at int, key []byte) {
	*c = Converter{Traits: c.Traits, src: line, part: part, limit: len(line), out: c.out[:0]}
	c.setLine(0)
	c.pos = blanks(line)
	switch {
	case part == Member && c.isKey():
		if !c.readKey() {
			return Nothing, 0, nil
		}
		key = c.out
	case part == Element && c.isItem():
		c.pos++
	default:
		return Nothing, 0, nil
	}
	_, hasProperties, ok := c.properties()
	switch {
	case !ok:
	case c.isLineDone():
		return Below, 0, key
	case part == Element && !hasProperties && c.isKey():
		return MappingAt, c.pos, nil
	}
	return Nothing, 0, key
}

// IsPlainly reports whether a line that is not indented can be one of YAML as tools write it: a key
// without blanks in it, and its value. It returns the key.
func IsPlainly(line []byte) (key []byte, is bool) {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	end := keyEnd(line)
	if end <= 0 {
		return nil, false
	}
	key = line[:end]
	return key, key[0] == '"' || key[0] == '\'' || !bytes.ContainsAny(key, " \t()<>")
}

// IsKey reports whether a line without its end begins with a key, after its indentation.
func IsKey(line []byte) bool {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	return keyEnd(line[blanks(line):]) >= 0
}
