package yaml

import "bytes"

// flow writes the list or the mapping in brackets that begins here.
func (c *Converter) flow() bool {
	if !c.enter() {
		return false
	}
	isMapping := c.src[c.pos] == '{'
	end := byte(']')
	if isMapping {
		end = '}'
	}
	c.out = append(c.out, c.src[c.pos])
	c.pos++
	for isFirst := true; ; isFirst = false {
		if !c.flowSpace() {
			return false
		}
		if c.at(end) {
			break
		}
		if !isFirst {
			c.out = append(c.out, ',')
		}
		if ok := isMapping && c.flowMember() || !isMapping && c.flowElement(); !ok {
			return c.fail("no value can begin so")
		}
		if !c.flowSpace() {
			return false
		}
		if c.at(end) {
			break
		}
		if !c.at(',') {
			return c.fail("a comma or the end must come here")
		}
		c.pos++
	}
	c.out = append(c.out, end)
	c.pos++
	c.depth--
	return c.fits()
}

// flowSpace passes blanks, line breaks and comments within brackets.
func (c *Converter) flowSpace() bool {
	for c.isLineDone() {
		if !c.nextLine() {
			return c.cut()
		}
	}
	c.skipBlanks()
	return true
}

// isFlowColon reports whether a colon stands here that ends a key. After a quoted key anything may
// follow it.
func (c *Converter) isFlowColon(isQuoted bool) bool {
	return c.at(':') && (isQuoted || c.pos+1 == c.eol || isBlank(c.src[c.pos+1]) || isFlowSign(c.src[c.pos+1]))
}

func isFlowSign(b byte) bool { return bytes.IndexByte([]byte(",[]{}"), b) >= 0 }

// flowMember writes a member of a mapping in brackets.
func (c *Converter) flowMember() bool {
	from := len(c.out)
	isQuoted, ok := c.flowKey()
	if !ok || !c.flowSpace() {
		return false
	}
	c.Members++
	return c.flowAfterKey(from, isQuoted)
}

// flowAfterKey writes the value of the key that was written from there on, or null.
func (c *Converter) flowAfterKey(from int, isQuoted bool) bool {
	if !c.isFlowColon(isQuoted) {
		c.out = append(c.out, ":null"...)
		return true
	}
	c.pos++
	c.out = append(c.out, ':')
	if !c.flowSpace() {
		return false
	}
	if c.at(',') || c.at('}') || c.at(']') {
		c.out = append(c.out, "null"...)
		return true
	}
	return c.flowValue()
}

// flowKey writes a key in brackets.
func (c *Converter) flowKey() (isQuoted, ok bool) {
	if c.at('"') || c.at('\'') {
		return true, c.quoted(-1)
	}
	text, ok := c.flowPlain()
	return false, ok && c.writeString(text)
}

// flowElement writes an element of a list in brackets, which may be a member without the brackets
// of its mapping.
func (c *Converter) flowElement() bool {
	from := len(c.out)
	if rest := c.src[c.pos:c.eol]; rest[0] == '"' || rest[0] == '\'' || beginsPlain(rest) {
		start, line, eol := c.pos, c.line, c.eol
		isQuoted, ok := c.flowKey()
		if !ok || !c.flowSpace() {
			return false
		}
		if c.isFlowColon(isQuoted) {
			key := bytes.Clone(c.out[from:])
			c.out = append(append(c.out[:from], '{'), key...)
			if !c.flowAfterKey(from, isQuoted) {
				return false
			}
			c.out = append(c.out, '}')
			return true
		}
		if isQuoted {
			return true
		}
		c.pos, c.line, c.eol, c.out = start, line, eol, c.out[:from]
	}
	return c.flowValue()
}

// flowValue writes a value in brackets.
func (c *Converter) flowValue() bool {
	anchored, _, ok := c.properties()
	if !ok || !c.flowSpace() {
		return false
	}
	from := len(c.out)
	rest := c.src[c.pos:c.eol]
	switch first := rest[0]; {
	case first == '"' || first == '\'':
		ok = c.quoted(-1)
	case first == '{', first == '[' && markerLen(rest) == 0:
		c.isString = false
		ok = c.flow()
	case first == '*':
		ok = c.alias()
	default:
		var text []byte
		if text, ok = c.flowPlain(); ok {
			ok = c.writePlain(text)
		}
	}
	c.isString = false
	if ok && anchored != nil {
		c.anchors = append(c.anchors, anchor{anchored, from, len(c.out)})
	}
	return ok
}

// flowPlain returns the plain scalar in brackets that begins here. It may go on in the next lines.
func (c *Converter) flowPlain() (text []byte, ok bool) {
	if rest := c.src[c.pos:c.eol]; !beginsPlain(rest) || len(rest) > 1 && rest[0] != '[' && isPlainSign(rest[0]) &&
		isFlowSign(rest[1]) {
		return nil, c.fail("no value can begin so")
	}
	c.text = c.text[:0]
	for {
		from := c.pos
		for c.pos < c.eol && !c.endsFlowPlain() {
			c.pos += max(1, markerLen(c.src[c.pos:c.eol]))
		}
		isLineEnd := c.pos == c.eol
		c.text = append(c.text, bytes.TrimRight(c.src[from:c.pos], " \t")...)
		if !isLineEnd {
			return c.text, true
		}
		if !c.flowSpace() {
			return nil, false
		}
		if c.endsFlowPlain() {
			return c.text, true
		}
		c.text = append(c.text, ' ')
	}
}

// isPlainSign reports whether b begins a plain scalar only if a character that is none of a
// scalar's signs follows.
func isPlainSign(b byte) bool { return b == '-' || b == '?' || b == ':' }

// endsFlowPlain reports whether a plain scalar in brackets ends before the next byte.
func (c *Converter) endsFlowPlain() bool {
	rest := c.src[c.pos:c.eol]
	return isFlowSign(rest[0]) && markerLen(rest) == 0 || c.isFlowColon(false) ||
		rest[0] == '#' && c.pos > c.line && isBlank(c.src[c.pos-1])
}
