package yaml

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// scalar writes a scalar, an alias or a collection in brackets, in a collection in column col, and
// ends the line.
func (c *Converter) scalar(col int) bool {
	rest := c.src[c.pos:c.eol]
	switch first := rest[0]; {
	case first == '"' || first == '\'':
		return c.quoted(col) && c.endLine()
	case first == '{', first == '[' && markerLen(rest) == 0:
		return c.flow() && c.endLine()
	case first == '*':
		return c.alias() && c.endLine()
	case !beginsPlain(rest):
		return c.fail("no value can begin so")
	}
	return c.plain(col)
}

// beginsPlain reports whether b begins with a plain scalar (YAML 1.2, 7.3.3), or with what
// redaction left of one.
func beginsPlain(b []byte) bool {
	switch b[0] {
	case ',', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
		return false
	case '[':
		return markerLen(b) > 0
	case '-', '?', ':':
		return len(b) > 1 && !isBlank(b[1])
	}
	return true
}

// markerStart is what package redact writes in place of a secret, up to the name of the rule.
const markerStart = "[REDACTED:"

// markerLen is the length of the marker that b begins with, 0 if it begins with none.
func markerLen(b []byte) int {
	if !bytes.HasPrefix(b, []byte(markerStart)) {
		return 0
	}
	for i := len(markerStart); i < len(b); i++ {
		switch x := b[i]; {
		case x == ']' && i > len(markerStart):
			return i + 1
		case (x|0x20 < 'a' || x|0x20 > 'z') && (x < '0' || x > '9') && x != '_' && x != '-' && x != ':':
			return 0
		}
	}
	return 0
}

// plain writes the plain scalar that begins here. Lines that are further in than col go on with it.
func (c *Converter) plain(col int) bool {
	text, isEnded, ok := c.plainLine()
	if !ok {
		return false
	}
	if isEnded || !c.goesOn(col) {
		return c.writePlain(text)
	}
	c.text = append(c.text[:0], text...)
	for c.goesOn(col) {
		breaks := 0
		for c.line+blanks(c.src[c.line:c.eol]) == c.eol {
			breaks++
			c.nextLine()
		}
		n := blanks(c.src[c.line:c.eol])
		c.pos = c.line + n
		if c.isItem() || c.at('\t') {
			return c.fail("a plain value can't go on so")
		}
		if n > col+maxIndent {
			c.Loose++
		}
		if text, isEnded, ok = c.plainLine(); !ok {
			return false
		}
		if breaks == 0 {
			c.text = append(c.text, ' ')
		}
		c.text = append(append(c.text, bytes.Repeat([]byte{'\n'}, breaks)...), text...)
		if isEnded {
			break
		}
	}
	return c.writeString(c.text)
}

// maxIndent is the most blanks that a writer indents by.
const maxIndent = 4

// plainLine takes what is left of the line as a part of a plain scalar. isEnded says that a comment
// ends it.
func (c *Converter) plainLine() (text []byte, isEnded, ok bool) {
	line := c.src[c.pos:c.eol]
	if n := plainColon(line); n >= 0 {
		c.pos += n
		return nil, false, c.fail("a mapping can't begin here")
	}
	if n := comment(line); n >= 0 {
		line, isEnded = line[:n], true
	}
	c.nextLine()
	return bytes.TrimRight(line, " \t"), isEnded, true
}

// goesOn reports whether the next line that is not empty is further in than col, and no comment.
func (c *Converter) goesOn(col int) bool {
	for rest := c.src[c.line:]; ; {
		line, after, more := bytes.Cut(rest, []byte{'\n'})
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if n := blanks(line); n < len(line) {
			return n > col && line[n] != '#'
		}
		if !more {
			return false
		}
		rest = after
	}
}

// writePlain writes a plain scalar of one line: null, a boolean or a number of the core schema
// where JSON has the same characters for it, else a string.
func (c *Converter) writePlain(text []byte) bool {
	if c.isString {
		return c.writeString(text)
	}
	switch string(text) {
	case "~", "null", "Null", "NULL":
		c.out = append(c.out, "null"...)
	case "true", "True", "TRUE":
		c.out = append(c.out, "true"...)
	case "false", "False", "FALSE":
		c.out = append(c.out, "false"...)
	default:
		if !isNumber(text) {
			return c.writeString(text)
		}
		c.out = append(c.out, text...)
	}
	return true
}

// isNumber reports whether text is a number in JSON (RFC 8259, 6).
func isNumber(text []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		text = text[n:]
		return n > 0
	}
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	if len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9' || !digits() {
		return false
	}
	if len(text) > 0 && text[0] == '.' {
		if text = text[1:]; !digits() {
			return false
		}
	}
	if len(text) > 0 && (text[0] == 'e' || text[0] == 'E') {
		if text = text[1:]; len(text) > 0 && (text[0] == '+' || text[0] == '-') {
			text = text[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(text) == 0
}

// writeString writes text as a JSON string.
func (c *Converter) writeString(text []byte) bool {
	c.out = append(c.out, '"')
	ok := c.write(text)
	c.out = append(c.out, '"')
	return ok
}

// write writes text as the inside of a JSON string. Bytes that are not valid UTF-8 stay.
func (c *Converter) write(text []byte) bool {
	from := 0
	for i, x := range text {
		if x >= ' ' && x != '"' && x != '\\' {
			continue
		}
		c.out = append(c.out, text[from:i]...)
		from = i + 1
		switch x {
		case '"', '\\':
			c.out = append(c.out, '\\', x)
		case '\t':
			c.out = append(c.out, `\t`...)
		case '\n':
			c.out = append(c.out, `\n`...)
		default:
			return c.fail("a control character")
		}
	}
	c.out = append(c.out, text[from:]...)
	return true
}

// writeRune writes a character that was escaped.
func (c *Converter) writeRune(r rune) {
	switch {
	case r == '\n':
		c.out = append(c.out, `\n`...)
	case r == '\t':
		c.out = append(c.out, `\t`...)
	case r == '"' || r == '\\':
		c.out = append(c.out, '\\', byte(r))
	case r < ' ':
		const digits = "0123456789abcdef"
		c.out = append(c.out, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
	default:
		c.out = utf8.AppendRune(c.out, r)
	}
}

// alias writes what the anchor stands for that an alias names. In a part of a document, whose
// anchors may be elsewhere, an unknown alias is a string.
func (c *Converter) alias() bool {
	word := c.src[c.pos:c.eol]
	if n := bytes.IndexAny(word, " \t,[]{}"); n >= 0 {
		word = word[:n]
	}
	c.pos += len(word)
	for i := len(c.anchors) - 1; i >= 0; i-- {
		if a := c.anchors[i]; bytes.Equal(a.name, word[1:]) {
			c.copied += a.to - a.from
			c.out = append(c.out, c.out[a.from:a.to]...)
			return c.fits()
		}
	}
	if c.part == Document || len(word) == 1 {
		return c.fail("an alias without its anchor")
	}
	return c.writeString(word)
}

// ---- quoted scalars

// quoted writes the quoted scalar that begins here. Its lines after the first are further in than
// col.
func (c *Converter) quoted(col int) bool {
	quote := c.src[c.pos]
	c.pos++
	c.out = append(c.out, '"')
	for {
		from := c.pos
		for c.pos < c.eol && c.src[c.pos] != quote && c.src[c.pos] != '\\' {
			c.pos++
		}
		if c.pos < c.eol && c.src[c.pos] == '\\' && quote == '\'' {
			c.pos++
			if !c.write(c.src[from:c.pos]) {
				return false
			}
			continue
		}
		part := c.src[from:c.pos]
		if c.pos == c.eol {
			if !c.write(bytes.TrimRight(part, " \t")) || !c.fold(col, false) {
				return false
			}
			continue
		}
		if !c.write(part) {
			return false
		}
		c.pos++
		switch {
		case c.src[c.pos-1] == '\\':
			if !c.escape(col) {
				return false
			}
		case quote == '\'' && c.at('\''):
			c.pos++
			c.out = append(c.out, '\'')
		default:
			c.out = append(c.out, '"')
			return true
		}
	}
}

// fold goes on with a quoted scalar in the next line that is not empty. One line break is a blank,
// unless it is escaped; several are one less.
func (c *Converter) fold(col int, isEscaped bool) bool {
	breaks := 0
	for {
		if !c.nextLine() {
			return c.cut()
		}
		if c.skipBlanks(); c.pos < c.eol {
			break
		}
		breaks++
	}
	if blanks(c.src[c.line:c.eol]) <= col {
		return c.fail("a quoted value goes on further out than it began")
	}
	if breaks == 0 && !isEscaped {
		c.out = append(c.out, ' ')
	}
	for range breaks {
		c.out = append(c.out, `\n`...)
	}
	return true
}

// escape writes the character that the escape stands for whose backslash was passed.
func (c *Converter) escape(col int) bool {
	if c.pos == c.eol {
		return c.fold(col, true)
	}
	size := 0
	c.pos++
	switch x := c.src[c.pos-1]; x {
	case '0':
		c.writeRune(0)
	case 'a':
		c.writeRune('\a')
	case 'b':
		c.writeRune('\b')
	case 't', '\t':
		c.writeRune('\t')
	case 'n':
		c.writeRune('\n')
	case 'v':
		c.writeRune('\v')
	case 'f':
		c.writeRune('\f')
	case 'r':
		c.writeRune('\r')
	case 'e':
		c.writeRune('\x1b')
	case ' ', '"', '/', '\\':
		c.writeRune(rune(x))
	case 'N':
		c.writeRune('\u0085')
	case '_':
		c.writeRune('\u00a0')
	case 'L':
		c.writeRune('\u2028')
	case 'P':
		c.writeRune('\u2029')
	case 'x':
		size = 2
	case 'u':
		size = 4
	case 'U':
		size = 8
	default:
		return c.fail("unknown escape in a string")
	}
	if size == 0 {
		return true
	}
	if c.eol-c.pos < size {
		return c.fail("an escape needs hexadecimal digits")
	}
	n, err := strconv.ParseUint(string(c.src[c.pos:c.pos+size]), 16, 32)
	if err != nil {
		return c.fail("an escape needs hexadecimal digits")
	}
	c.pos += size
	if r := rune(n); utf8.ValidRune(r) {
		c.writeRune(r)
		return true
	}
	return c.fail("an escape that is no character")
}

// ---- block scalars

// blockScalar writes the literal or folded scalar whose header begins here, in a collection in
// column col.
func (c *Converter) blockScalar(col int) bool {
	isFolded := c.src[c.pos] == '>'
	chomp, size := byte(0), 0
	for c.pos++; c.pos < c.eol && !isBlank(c.src[c.pos]); c.pos++ {
		switch x := c.src[c.pos]; {
		case (x == '-' || x == '+') && chomp == 0:
			chomp = x
		case x >= '1' && x <= '9' && size == 0:
			size = int(x - '0')
		default:
			return c.fail("not the header of a block scalar")
		}
	}
	if size > 0 && c.part != Document && c.depth == 0 {
		return c.fail("an indentation that is told from a line before")
	}
	if !c.endLine() {
		return false
	}
	indent := col + size
	if size == 0 {
		indent = c.scalarIndent(col)
	}
	c.out = append(c.out, '"')
	if !c.blockLines(indent, isFolded, chomp) {
		return false
	}
	c.out = append(c.out, '"')
	return true
}

// scalarIndent returns the indentation of the first line that is not empty, at least one more than
// col.
func (c *Converter) scalarIndent(col int) int {
	for rest := c.src[c.line:]; len(rest) > 0; {
		line, after, _ := bytes.Cut(rest, []byte{'\n'})
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if n := blanks(line); n < len(line) {
			return max(n, col+1)
		}
		rest = after
	}
	return col + 1
}

// blockLines writes the lines of a block scalar that are indented by so many blanks.
func (c *Converter) blockLines(indent int, isFolded bool, chomp byte) bool {
	breaks, hasText, wasFurther := 0, false, false
	for c.line < len(c.src) {
		line := c.src[c.line:c.eol]
		n := blanks(line)
		if n < indent && n < len(line) {
			break
		}
		if len(line) <= indent {
			breaks++
			c.nextLine()
			continue
		}
		line = line[indent:]
		isFurther := isBlank(line[0])
		if isFolded && hasText && !isFurther && !wasFurther {
			if breaks--; breaks == 0 {
				c.out = append(c.out, ' ')
			}
		}
		c.writeBreaks(breaks)
		if !c.write(line) {
			return false
		}
		breaks, hasText, wasFurther = 1, true, isFurther
		c.nextLine()
	}
	switch {
	case chomp == '+':
		c.writeBreaks(breaks)
	case chomp == 0 && hasText:
		c.writeBreaks(1)
	}
	return true
}

func (c *Converter) writeBreaks(n int) {
	for range n {
		c.out = append(c.out, `\n`...)
	}
}
