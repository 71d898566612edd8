package yaml

import (
	"bytes"

	"github.com/tidwall/gjson"
)

// isItem reports whether an element of a list begins here.
func (c *Converter) isItem() bool { return beginsItem(c.src[c.pos:c.eol]) }

// beginsItem reports whether a line, after its indentation, begins an element of a list.
func beginsItem(line []byte) bool {
	return len(line) > 0 && line[0] == '-' && (len(line) == 1 || isBlank(line[1]))
}

// isKey reports whether a key begins here.
func (c *Converter) isKey() bool { return keyEnd(c.src[c.pos:c.eol]) >= 0 }

// keyEnd returns where the colon stands after the key that a line begins with, after its
// indentation; -1 if it begins with none.
func keyEnd(line []byte) int {
	if len(line) == 0 {
		return -1
	}
	i := 0
	if quote := line[0]; quote == '"' || quote == '\'' {
		n := quotedLen(line)
		if n < 0 {
			return -1
		}
		for i = n; i < len(line) && isBlank(line[i]); i++ {
		}
		if i < len(line) && line[i] == ':' && (i+1 == len(line) || isBlank(line[i+1])) {
			return i
		}
		return -1
	}
	if !beginsPlain(line) {
		return -1
	}
	return plainColon(line)
}

// plainColon returns where the first colon of line stands that ends a plain key, -1 if there is
// none before a comment.
func plainColon(line []byte) int {
	for i := 0; i < len(line); i++ {
		n := bytes.IndexByte(line[i:], ':')
		if n < 0 {
			return -1
		}
		i += n
		if i+1 == len(line) || isBlank(line[i+1]) {
			if comment(line[:i]) >= 0 {
				return -1
			}
			return i
		}
	}
	return -1
}

// comment returns where a comment begins in line, with the blanks before it; -1 for nowhere.
func comment(line []byte) int {
	for i := 0; i < len(line); i++ {
		n := bytes.IndexByte(line[i:], '#')
		if n < 0 {
			return -1
		}
		if i += n; i > 0 && isBlank(line[i-1]) {
			for i > 0 && isBlank(line[i-1]) {
				i--
			}
			return i
		}
	}
	return -1
}

// quotedLen is the length of the quoted scalar that line begins with, -1 if it does not end there.
func quotedLen(line []byte) int {
	quote := line[0]
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quote == '"':
			i++
		case line[i] == quote && quote == '\'' && i+1 < len(line) && line[i+1] == quote:
			i++
		case line[i] == quote:
			return i + 1
		}
	}
	return -1
}

// readKey writes the key that begins here and passes its colon.
func (c *Converter) readKey() bool {
	end := c.pos + keyEnd(c.src[c.pos:c.eol])
	if c.at('"') || c.at('\'') {
		if !c.quoted(-1) {
			return false
		}
	} else if !c.writeString(bytes.TrimRight(c.src[c.pos:end], " \t")) {
		return false
	}
	c.pos = end + 1
	return true
}

// mapping writes the mapping whose first key begins here, in column col. underKey says that it is a
// value of a mapping.
func (c *Converter) mapping(col int, underKey bool) bool {
	if !c.enter() {
		return false
	}
	from, merged, members := len(c.out), len(c.merged), 0
	c.out = append(c.out, '{')
	for {
		if !c.member(col, from) {
			return false
		}
		members++
		n := c.indent()
		if c.err != nil {
			return false
		}
		if n < col {
			break
		}
		c.pos = c.line + n
		switch {
		case n > col:
			return c.fail("the indentation fits no line before it")
		case c.isItem():
			return c.fail("an item among keys")
		case !c.isKey():
			return c.fail("a key must come here")
		}
	}
	if len(c.merged) > merged {
		c.merge(from, c.merged[merged:])
		c.merged = c.merged[:merged]
	}
	c.out = append(c.out, '}')
	c.Members += members
	if underKey || members > 1 && (c.depth > 1 || c.part != Document) {
		c.Nested++
	}
	c.depth--
	return c.fits()
}

// member writes a member of the mapping that begins at from in the output.
func (c *Converter) member(col, from int) bool {
	before := len(c.out)
	if before > from+1 {
		c.out = append(c.out, ',')
	}
	isMerge := bytes.HasPrefix(c.src[c.pos:c.eol], []byte("<<")) && keyEnd(c.src[c.pos:c.eol]) == len("<<")
	if !c.readKey() {
		return false
	}
	c.out = append(c.out, ':')
	if line := c.src[c.pos:c.eol]; len(line) > 2 && blanks(line) > 1 && !c.isLineDone() {
		c.Aligned++
	}
	value := len(c.out)
	if !c.value(col, true) {
		return false
	}
	if isMerge && (c.out[value] == '{' || c.out[value] == '[') {
		c.merged = append(c.merged, bytes.Clone(c.out[value:]))
		c.out = c.out[:before]
		for len(c.anchors) > 0 && c.anchors[len(c.anchors)-1].to > before {
			c.anchors = c.anchors[:len(c.anchors)-1]
		}
	}
	return true
}

// merge writes the members of other mappings, or of lists of mappings, that the mapping under way
// has no key for. It begins at from in the output.
func (c *Converter) merge(from int, others [][]byte) {
	has := make(map[string]bool)
	gjson.ParseBytes(append(bytes.Clone(c.out[from:]), '}')).ForEach(func(key, _ gjson.Result) bool {
		has[key.Str] = true
		return true
	})
	add := func(other gjson.Result) {
		other.ForEach(func(key, value gjson.Result) bool {
			if !has[key.Str] {
				has[key.Str] = true
				if len(c.out) > from+1 {
					c.out = append(c.out, ',')
				}
				c.out = append(append(append(c.out, key.Raw...), ':'), value.Raw...)
			}
			return len(c.out) <= c.limit
		})
	}
	for _, other := range others {
		of := gjson.ParseBytes(other)
		if of.IsObject() {
			add(of)
			continue
		}
		of.ForEach(func(_, element gjson.Result) bool {
			if element.IsObject() {
				add(element)
			}
			return true
		})
	}
}

// list writes the list whose first item begins here, in column col.
func (c *Converter) list(col int) bool {
	if !c.enter() {
		return false
	}
	from := len(c.out)
	c.out = append(c.out, '[')
	for {
		if len(c.out) > from+1 {
			c.out = append(c.out, ',')
		}
		c.pos++
		if !c.value(col, false) {
			return false
		}
		n := c.indent()
		if c.err != nil {
			return false
		}
		if n < col {
			break
		}
		c.pos = c.line + n
		if n > col {
			return c.fail("the indentation fits no line before it")
		}
		if !c.isItem() { // the next key of the mapping whose value the list is
			c.pos = c.line
			break
		}
	}
	c.out = append(c.out, ']')
	c.depth--
	return c.fits()
}

// value writes what follows a key or a dash, whose collection is in column col. It ends at the
// beginning of a line.
func (c *Converter) value(col int, afterKey bool) bool {
	anchored, hasProperties, ok := c.properties()
	if !ok {
		return false
	}
	from := len(c.out)
	if c.isLineDone() {
		ok = c.below(col, afterKey)
	} else {
		ok = c.beside(col, afterKey, hasProperties)
	}
	c.isString = false
	if ok && anchored != nil {
		c.anchors = append(c.anchors, anchor{anchored, from, len(c.out)})
	}
	return ok && c.fits()
}

// properties passes the anchor and the tag before a value.
func (c *Converter) properties() (anchored []byte, has, ok bool) {
	c.isString = false
	for c.skipBlanks(); c.at('&') || c.at('!'); c.skipBlanks() {
		word := c.src[c.pos:c.eol]
		if n := bytes.IndexAny(word, " \t,[]{}"); n >= 0 {
			word = word[:n]
		}
		c.pos += len(word)
		if word[0] == '&' {
			if anchored != nil || len(word) == 1 {
				return nil, true, c.fail("an anchor without a name of its own")
			}
			anchored = word[1:]
		} else {
			c.isString = string(word) == "!!str" || string(word) == "!"
		}
		if c.pos < c.eol && !isBlank(c.src[c.pos]) && bytes.IndexByte([]byte(",]}"), c.src[c.pos]) < 0 {
			return nil, true, c.fail("a blank must come after an anchor or a tag")
		}
		has = true
	}
	return anchored, has, true
}

// below writes the value that stands on the lines after its key or dash, or null.
func (c *Converter) below(col int, afterKey bool) bool {
	c.nextLine()
	n := c.indent()
	if c.err != nil {
		return false
	}
	if n > col || n == col && afterKey && beginsItem(c.src[c.line+n:c.eol]) {
		c.pos = c.line + n
		switch {
		case c.isItem():
			return c.list(n)
		case c.isKey():
			return c.mapping(n, afterKey)
		case c.at('|') || c.at('>') || c.at('&') || c.at('!'):
			return c.fail("what a value is must stand on the line of its key")
		}
		c.Loose++
		return c.scalar(col)
	}
	if c.isString {
		c.out = append(c.out, `""`...)
	} else {
		c.out = append(c.out, "null"...)
	}
	return true
}

// beside writes the value that begins on the line of its key or dash.
func (c *Converter) beside(col int, afterKey, hasProperties bool) bool {
	if c.at('|') || c.at('>') {
		return c.blockScalar(col)
	}
	if !afterKey && c.isItem() || !afterKey && c.isKey() {
		if hasProperties {
			return c.fail("an anchor or a tag before a key or an item")
		}
		if c.isItem() {
			return c.list(c.pos - c.line)
		}
		return c.mapping(c.pos-c.line, false)
	}
	return c.scalar(col)
}
