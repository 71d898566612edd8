package redact

import (
	"bytes"
	"math"
	"strings"
)

// lexState is what a filter is in the middle of.
type lexState uint8

const (
	atLine           lexState = iota // nothing but blanks and byte order marks on this line so far
	between                          // JSON: between two tokens
	inString                         // of which no more than what Text holds is kept
	inEscape                         // a string, after a backslash
	inNumber                         // kept whole
	inLongNumber                     // too long to be anything but a number
	inWord                           // true, false, null, or the begin of a broken line
	inText                           // the rest of a line that is not JSON
	swallowString                    // the value of a sensitive key
	swallowNumber                    // the same
	swallowContainer                 // the same
	swallowLine                      // the same, but broken
)

// filter redacts JSON and lines of text. It takes JSON apart into tokens only,
// with no stack: a key is a string with a colon after it.
type filter struct {
	rules  *Rules
	text   *Text
	format Format
	state  lexState
	fresh  bool // at the start of a line, and in the middle of nothing

	bracket  bool    // the last byte was [
	key      *phrase // of the string just read, if it would be a sensitive key
	pending  *phrase // of the value to come
	named    bool    // the value to come is that of the last name that text keeps
	inside   bool    // a key or a value may follow the last of { [ , : } ]
	hidden   bool    // the value of a sensitive key has just ended
	token    [maxNumber]byte
	size     int // of token
	scratch  []byte
	escaped  bool // swallowing: after a backslash
	quoted   bool // swallowing: in a string
	value    bool // swallowing: after a value, which only , : } ] may follow
	broken   bool // swallowing: that was not so; ends with the line
	content  bool // swallowing a string: it is not empty
	depth    int  // swallowing a container
	outLimit int
}

func newFilter(r *Rules) *filter {
	return &filter{rules: r, text: r.Text(), scratch: make([]byte, 0, 4*maxNumber), outLimit: math.MaxInt}
}

// start makes f ready for an input.
func (f *filter) start(format Format) {
	f.scratch = f.text.Flush(f.scratch[:0])
	f.format = format
	f.newLine()
}

// newLine forgets all that does not outlive a line of Lines, or a broken line.
func (f *filter) newLine() {
	f.state = atLine
	f.fresh = true
	f.key, f.pending, f.bracket, f.inside, f.hidden = nil, nil, false, false, false
	f.named, f.text.name = false, f.text.name[:0]
	f.size = 0
	f.escaped, f.quoted, f.value, f.broken, f.content, f.depth = false, false, false, false, false, 0
}

// feed redacts src, appends to dst what is decided, and returns how much of src
// it has taken: all of it, unless dst has reached outLimit.
func (f *filter) feed(dst, src []byte) ([]byte, int) {
	i := 0
	for i < len(src) && len(dst) < f.outLimit {
		if f.fresh {
			f.fresh = false
			if n := f.cleanLines(src[i:]); n > 0 {
				dst = append(dst, src[i:i+n]...)
				i += n
				f.fresh = true
				continue
			}
		}
		var n int
		dst, n = f.step(dst, src[i:])
		i += n
	}
	switch f.state {
	case inString, inEscape, inText:
		dst = f.text.settle(dst)
	}
	return dst, i
}

// maxStep is how much of a string or a line is taken in at once.
const maxStep = 4 << 10

// step takes at least one byte of src, or changes state.
func (f *filter) step(dst, src []byte) ([]byte, int) {
	switch f.state {
	case atLine:
		return f.lineStart(dst, src)
	case between:
		return f.punctuation(dst, src)
	case inString:
		return f.stringPart(dst, src)
	case inEscape:
		return f.escape(dst, src)
	case inNumber, inWord:
		return f.tokenPart(dst, src)
	case inLongNumber, swallowNumber:
		n := 0
		for n < len(src) && isNumberByte(src[n]) {
			n++
		}
		if f.state == inLongNumber {
			dst = append(dst, src[:n]...)
		}
		if n < len(src) {
			f.hidden = f.state == swallowNumber
			f.state = between
		}
		return dst, n
	case inText:
		return f.textPart(dst, src)
	case swallowString:
		return f.swallowStringPart(dst, src)
	case swallowContainer:
		return f.swallowContainerPart(dst, src)
	}
	n := bytes.IndexByte(src, '\n') // swallowLine
	if n < 0 {
		return dst, len(src)
	}
	f.newLine()
	return append(dst, '\n'), n + 1
}

// byteOrderMark is passed over at the start of an input and of a line.
const byteOrderMark = "\xef\xbb\xbf"

func (f *filter) lineStart(dst, src []byte) ([]byte, int) {
	switch c := src[0]; {
	case c == byteOrderMark[f.size]:
		f.token[f.size] = c
		f.size++
		if f.size == len(byteOrderMark) {
			f.size = 0
			dst = append(dst, byteOrderMark...)
		}
		return dst, 1
	case f.size > 0:
		f.state = inWord
	case blank.has(c):
		n := blank.run(src, 0, len(src))
		return append(dst, src[:n]...), n
	case f.format == JSON || c == '{':
		f.state = between
	default:
		f.state = inText
	}
	return dst, 0
}

func (f *filter) punctuation(dst, src []byte) ([]byte, int) {
	c := src[0]
	bracket := f.bracket
	f.bracket = c == '['
	switch c {
	case '\n':
		f.hidden = false
		switch {
		case f.format != JSON:
			f.newLine()
		case f.key == nil && f.pending == nil && len(f.text.name) == 0:
			f.state, f.size, f.fresh = atLine, 0, true
		}
		return append(dst, c), 1
	case ' ', '\t', '\r':
		n := 1
		for n < len(src) && (src[n] == ' ' || src[n] == '\t' || src[n] == '\r') {
			n++
		}
		return append(dst, src[:n]...), n
	}
	if dst, broken := f.sensitiveLine(dst, c); broken {
		return dst, 0
	}
	if c == ':' {
		if f.key != nil {
			f.pending, f.key = f.key, nil
		}
		f.inside, f.named = true, len(f.text.name) > 0
		return append(dst, c), 1
	}
	whole := f.pending != nil && f.pending.whole
	switch c {
	case '"':
		f.key = nil
		if whole {
			f.state = swallowString
			f.content, f.escaped, f.broken = false, false, false
			return dst, 1
		}
		if f.named {
			f.text.introduce()
			f.named = false
		}
		f.text.context, f.pending = f.pending, nil
		f.state = inString
	case '{', '[':
		f.key = nil
		if whole {
			f.state = swallowContainer
			f.depth, f.quoted, f.escaped, f.value, f.broken = 1, false, false, false, false
			return f.field(dst), 1
		}
		f.pending = nil
		f.inside = true
		f.named, f.text.name = false, f.text.name[:0]
	case '}', ']', ',':
		f.key, f.pending = nil, nil
		f.named, f.text.name = false, f.text.name[:0]
		f.inside = c == ','
	default:
		f.state, f.size = inWord, 0
		if c == '-' || digits.has(c) {
			f.state = inNumber
		}
		f.bracket = bracket // the word follows it
		return dst, 0
	}
	return append(dst, c), 1
}

// sensitiveLine drops the rest of the line if c shows that it is broken around a
// sensitive key or its value: where the secret is cannot be told any more.
func (f *filter) sensitiveLine(dst []byte, c byte) ([]byte, bool) {
	separates := c == ',' || c == '}' || c == ']'
	isHidden := f.hidden
	f.hidden = false
	switch {
	case isHidden && !separates:
	case f.key != nil && f.key.whole && f.inside && !separates && c != ':':
		f.pending = f.key
		dst = f.field(dst)
	case f.pending != nil && f.pending.whole && separates:
		dst = f.field(dst)
	default:
		return dst, false
	}
	f.key = nil
	f.state = swallowLine
	return dst, true
}

// field writes the marker for the value of a sensitive key.
func (f *filter) field(dst []byte) []byte {
	dst = append(dst, '"')
	dst = f.mark(dst, f.pending.rule)
	f.pending = nil
	return append(dst, '"')
}

func (f *filter) mark(dst []byte, rule int) []byte {
	f.text.counts[rule]++
	return append(dst, f.rules.catalogue[rule].marker...)
}

// endsString tells the bytes at which a string is looked at closer.
var endsString = [256]bool{'"': true, '\\': true, '\n': true}

func (f *filter) stringPart(dst, src []byte) ([]byte, int) {
	n, limit := 0, min(len(src), maxStep)
	for n < limit && !endsString[src[n]] {
		n++
	}
	dst = f.text.stage(dst, src[:n])
	if n == limit {
		return dst, n
	}
	switch src[n] {
	case '"':
		f.state = between
		dst, f.key = f.text.flushName(dst)
		return append(dst, '"'), n + 1
	case '\\':
		f.state = inEscape
		f.token[0], f.size = '\\', 1
		return dst, n + 1
	}
	return f.lineEnd(dst), n + 1
}

// lineEnd ends a text at the end of a line, where the lexer starts afresh; but
// a private key goes on.
func (f *filter) lineEnd(dst []byte) []byte {
	dst = f.text.endLine(dst)
	if f.text.swallowing() {
		dst = f.text.Append(dst, []byte{'\n'})
		if f.text.swallowing() {
			f.newLine()
			f.state, f.fresh = inText, false
			return dst
		}
		dst = f.text.Flush(dst)
	} else {
		dst = append(dst, '\n')
	}
	f.newLine()
	return dst
}

// escape reads what follows a backslash. What is no escape stands for itself.
func (f *filter) escape(dst, src []byte) ([]byte, int) {
	c := src[0]
	if f.size == 1 && c != '\n' {
		f.token[1], f.size = c, 2
		if c == 'u' {
			return dst, 1
		}
		f.state = inString
		read := c
		if i := strings.IndexByte("nrtbf", c); i >= 0 {
			read = "\n\r\t\b\f"[i]
		}
		if read == c && c >= 0x80 {
			return f.text.stage(dst, f.token[:2]), 1
		}
		return f.text.stageEscape(dst, []byte{read}, f.token[:2]), 1
	}
	if !hexadecimal.has(c) {
		f.state = inString
		return f.text.stage(dst, f.token[:f.size]), 0
	}
	f.token[f.size] = c
	f.size++
	if f.size < 6 {
		return dst, 1
	}
	f.state = inString
	var read [4]byte
	n := decodeUnicode(&read, f.token[2:6])
	return f.text.stageEscape(dst, read[:n], f.token[:6]), 1
}

func isNumberByte(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// tokenPart reads a number or a word to its end.
func (f *filter) tokenPart(dst, src []byte) ([]byte, int) {
	isPart := isNumberByte
	if f.state == inWord {
		isPart = letters.has
	}
	for i, c := range src {
		switch {
		case !isPart(c):
			return f.tokenEnd(dst, c), i
		case f.size < len(f.token):
			f.token[f.size] = c
			f.size++
		case f.state == inWord:
			return f.textStart(dst), i
		default:
			f.state = inLongNumber
			if f.pending != nil && f.pending.whole {
				f.state = swallowNumber
				return f.field(dst), i
			}
			f.pending, f.key = nil, nil
			return append(dst, f.token[:f.size]...), i
		}
	}
	return dst, len(src)
}

// tokenEnd passes on a number or a word with c after it, or goes on in text.
func (f *filter) tokenEnd(dst []byte, c byte) []byte {
	tok := f.token[:f.size]
	whole := f.pending != nil && f.pending.whole
	switch {
	case !endsToken(c), f.state == inWord && !isLiteral(tok), f.state == inNumber && !isNumber(tok):
		return f.textStart(dst)
	case f.state == inWord:
		dst = append(dst, tok...)
	case whole:
		dst = f.field(dst)
	default:
		dst = f.numberValue(dst, tok)
	}
	f.pending, f.key, f.hidden = nil, nil, whole
	f.named, f.text.name = false, f.text.name[:0]
	f.state = between
	return dst
}

// numberValue passes on a number, or a marker in its place.
func (f *filter) numberValue(dst, tok []byte) []byte {
	before := f.text.written
	if f.named {
		f.text.introduce()
	}
	f.text.context = f.pending
	f.scratch = f.text.Flush(f.text.Append(f.scratch[:0], tok))
	if f.text.written == before {
		return append(dst, tok...)
	}
	dst = append(dst, '"')
	dst = append(dst, f.rules.catalogue[f.text.last].marker...)
	return append(dst, '"')
}

// endsToken says whether c may follow a number or a word.
func endsToken(c byte) bool { return strings.IndexByte(" \t\r\n,:]}[{\"", c) >= 0 }

func isLiteral(tok []byte) bool {
	switch string(tok) {
	case "true", "false", "null", "NaN", "Infinity": // the last two as Python writes them
		return true
	}
	return false
}

// isNumber says whether tok is a number as RFC 8259 6 has it.
func isNumber(tok []byte) bool {
	i := 0
	if i < len(tok) && tok[i] == '-' {
		i++
	}
	whole := digits.run(tok, i, len(tok))
	if whole == i || tok[i] == '0' && whole > i+1 {
		return false
	}
	i = whole
	if i < len(tok) && tok[i] == '.' {
		end := digits.run(tok, i+1, len(tok))
		if end == i+1 {
			return false
		}
		i = end
	}
	if i < len(tok) && (tok[i] == 'e' || tok[i] == 'E') {
		i++
		if i < len(tok) && (tok[i] == '+' || tok[i] == '-') {
			i++
		}
		end := digits.run(tok, i, len(tok))
		if end == i {
			return false
		}
		i = end
	}
	return i == len(tok)
}

// textStart goes on in text, from the token at hand to the end of the line.
func (f *filter) textStart(dst []byte) []byte {
	if f.pending == nil {
		f.pending = f.key // which has no colon
	}
	if f.pending != nil && f.pending.whole {
		f.state = swallowLine
		return f.field(dst)
	}
	f.pending, f.key = nil, nil
	f.state = inText
	if f.bracket { // which may begin a marker
		f.text.stagePassed('[')
		f.bracket = false
	}
	return f.text.stage(dst, f.token[:f.size])
}

func (f *filter) textPart(dst, src []byte) ([]byte, int) {
	part := src[:min(len(src), maxStep)]
	if n := bytes.IndexByte(part, '\n'); n >= 0 {
		return f.lineEnd(f.text.stage(dst, part[:n])), n + 1
	}
	return f.text.stage(dst, part), len(part)
}

// swallowStringPart drops a string up to its quote. If it went over the end of a
// line, the rest of that line is text.
func (f *filter) swallowStringPart(dst, src []byte) ([]byte, int) {
	for i, c := range src {
		if c == '\n' && f.format != JSON {
			if !f.content {
				dst = append(dst, '"')
			}
			f.newLine()
			return append(dst, '\n'), i + 1
		}
		if c == '"' && !f.escaped {
			if !f.content {
				dst = append(dst, '"')
			}
			f.pending = nil
			f.state, f.hidden = between, true
			if f.broken {
				f.state = inText
			}
			return append(dst, '"'), i + 1
		}
		if !f.content {
			f.content = true
			dst = append(dst, '"')
			dst = f.mark(dst, f.pending.rule)
		}
		f.broken = f.broken || c == '\n'
		f.escaped = c == '\\' && !f.escaped
	}
	return dst, len(src)
}

// swallowContainerPart drops an object or an array to its end. If it is broken,
// that is the end of the line on which it shows.
func (f *filter) swallowContainerPart(dst, src []byte) ([]byte, int) {
	for i, c := range src {
		if c == '\n' && (f.broken || f.quoted || f.format != JSON) {
			f.newLine()
			return append(dst, '\n'), i + 1
		}
		if f.quoted {
			f.quoted = c != '"' || f.escaped
			f.escaped = c == '\\' && !f.escaped
			continue
		}
		switch {
		case c == '{', c == '[':
			f.broken = f.broken || f.value
			f.depth++
			f.value = false
		case c == '}', c == ']':
			f.depth--
			f.value = true
		case c == ',', c == ':':
			f.value = false
		case c == '"':
			f.broken = f.broken || f.value
			f.quoted, f.value = true, true
		case (alnum | dash | plus | dot).has(c):
			f.value = true
		case whitespace.has(c):
		default:
			f.broken = true
		}
		if f.depth == 0 && !f.broken {
			f.state, f.hidden = between, true
			return dst, i + 1
		}
	}
	return dst, len(src)
}

// finish ends the input and appends to dst what is left of it.
func (f *filter) finish(dst []byte) []byte {
	switch f.state {
	case atLine:
		dst = append(dst, f.token[:f.size]...)
	case inNumber, inWord:
		dst = f.tokenEnd(dst, '\n')
	case inEscape:
		dst = f.text.stage(dst, f.token[:f.size])
	case swallowString:
		if !f.content {
			dst = append(dst, '"')
		}
	}
	return f.text.Flush(dst)
}
