package split

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/redact"
)

// A string that is larger than a chunk may be the payload of an envelope, as the text that a tool returns by the
// Model Context Protocol (Tool Result): JSON, or lines. It is cut as a response is: what is in it becomes the chunks.

// payload reads what is in the string under way of a chunker, without its escapes, up to its end.
type payload struct {
	*chunker         // whose unit begins with what has not been read
	inner    chunker // of what is in the string
	emitted  func(Chunk, error) bool
	format   redact.Format
	ended    bool // the string has, or it can't be read on
	isLater  bool // a chunk of it has been yielded
	path     []byte
}

// Bounds of what is read of a string and held until it is yielded, in bytes: one character may be written in six of
// them.
const (
	escapedSize = 6
	payloadRead = BlockSize / 16 // at once
	leastInner  = 1 << 10        // of the largest chunk in a string
)

func newPayload(c *chunker) *payload {
	p := &payload{chunker: c, inner: chunker{input: input{buf: make([]byte, len(c.buf))}}}
	p.emitted = p.emit
	return p
}

// openString makes what is in the string under way the chunks, if that is JSON, or lines.
func (c *chunker) openString() (isOpened bool) {
	if c.oneAnswer || c.isInner {
		return false
	}
	p := c.payload
	start := c.buf[c.unit+1 : c.pos]
	var ok bool
	if p.format, ok = payloadFormat(AppendUnescaped(p.inner.buf[:0], start[:wholeEscapes(start)])); !ok {
		return false
	}
	c.yieldLead(c.unit + 1)
	c.unit++
	c.json.reason = ""
	p.ended, p.isLater = false, false
	in := &p.inner
	*in = chunker{options: options{max: max(c.max/escapedSize, min(c.max, leastInner)), isInner: true},
		input: input{source: p, buf: in.buf}, yield: p.emitted, path: in.path.reset()}
	in.run()
	switch {
	case c.stopped:
	case !c.json.inScalar: // the string has ended
		c.unit = -1
		c.path.endMember()
	case c.json.reason != "":
		c.part = TextPart
		c.breakOff(c.json.reason)
	default:
		c.part = JSONPart // the input ends within it
	}
	return true
}

// payloadFormat says what the beginning of a string is the beginning of: JSON, or lines; ok is false if it is neither.
func payloadFormat(start []byte) (format redact.Format, ok bool) {
	if value := start[spaces(start):]; len(value) > 0 && (value[0] == '{' || value[0] == '[') {
		var s scanner
		if reason := s.begin(value[0], 0); reason == "" {
			if _, ev := s.scan(value[1:], 1); ev != broken {
				return redact.JSON, true
			}
		}
	}
	return redact.Lines, bytes.IndexByte(start, '\n') >= 0
}

// Format is that of what is in the string.
func (p *payload) Format() redact.Format { return p.format }

// Asked is the same: what is in a string is not read as YAML.
func (p *payload) Asked() redact.Format { return p.format }

// EndsLine returns false: only the reader of YAML asks for it, and a payload is not read as YAML.
func (p *payload) EndsLine() bool { return false }

// Rules are those of the response.
func (p *payload) Rules() *redact.Rules { return p.chunker.source.Rules() }

// Read reads what is in the string. It returns io.EOF where the string ends, and where its escapes or the input do.
func (p *payload) Read(into []byte) (n int, err error) {
	c := p.chunker
	into = into[:min(len(into), payloadRead)]
	for {
		rest := c.buf[c.unit:c.pos]
		if p.ended && !c.json.inScalar {
			rest = rest[:len(rest)-len(`"`)]
		} else {
			rest = rest[:wholeEscapes(rest)]
		}
		if len(rest) > 0 {
			n, size := unescapeInto(into, rest)
			c.unit += size
			return n, nil
		}
		if p.ended {
			return 0, io.EOF
		}
		if c.pos == c.end {
			c.makeRoom()
			if n, p.ended = c.readOn(); n == 0 {
				return 0, nil
			}
		}
		n, ev := c.json.scan(c.buf[c.pos:c.end], c.offset(c.pos))
		c.pos += n
		p.ended = p.ended && c.pos == c.end || ev != more
	}
}

// unescapeInto writes what stands in a JSON string, as appendUnescaped has it, and returns how much it wrote of how
// much.
func unescapeInto(dst, s []byte) (n, size int) {
	for size < len(s) && len(dst)-n >= utf8.UTFMax {
		if c := s[size]; c < utf8.RuneSelf && c != '\\' {
			dst[n] = c
			n++
			size++
			continue
		}
		r, length := nextRune(s[size:])
		n += utf8.EncodeRune(dst[n:], r)
		size += length
	}
	return n, size
}

// escapedLen is how many bytes of a JSON string stand for so many.
func escapedLen(s []byte, n int) (size int) {
	for n > 0 && size < len(s) {
		r, length := nextRune(s[size:])
		n -= utf8.RuneLen(r)
		size += length
	}
	return size
}

// emit yields a chunk of what is in the string.
func (p *payload) emit(chunk Chunk, err error) bool {
	c := p.chunker
	from := c.lead + escapedLen(c.buf[c.lead:c.unit], len(chunk.Lead))
	to := from + escapedLen(c.buf[from:c.unit], len(chunk.Source))
	chunk.Lead, chunk.LineEnd = c.buf[c.lead:from], nil
	c.lead = to
	for _, w := range chunk.Warnings {
		if w.Line > 0 { // in the string: its lines are not those of the response
			w = Warning{What: "JSON in a string is broken, shown as text from there"}
		}
		c.warnings = append(c.warnings, w)
	}
	if chunk.Seq > 0 {
		c.seq++
		chunk.Seq, chunk.Top, chunk.Path = c.seq, c.top, p.whereInside()
		if n := lost(c.buf[from:to], chunk.Source); n > 0 {
			c.warnings = append(c.warnings, Warning{What: InvalidShown, Count: n})
		}
		chunk.Inner, chunk.Notation, chunk.Source = chunk.Source, InString, c.buf[from:to]
		if p.isLater && (chunk.Kind == Text || chunk.Kind == TextPart) {
			chunk.Path = nil // it is told with the first line
		}
		p.isLater = true
	}
	chunk.Warnings = c.warnings
	c.send(chunk)
	return !c.stopped
}

// lost is how many characters of a part of a JSON string are invalid, and have become U+FFFD in the text of it.
func lost(part, text []byte) (n int) {
	if !bytes.Contains(text, []byte("\uFFFD")) {
		return 0
	}
	for len(part) > 0 {
		r, size := nextRune(part)
		isWritten := size == len("\uFFFD") || size == len(`\uFFFD`) && bytes.EqualFold(part[:size], []byte(`\uFFFD`))
		if r == utf8.RuneError && !isWritten {
			n++
		}
		part = part[size:]
	}
	return n
}

// whereInside is the path of the string, and in that the one of the chunk.
func (p *payload) whereInside() []byte {
	p.path = p.path[:0]
	if p.json.floor > 0 {
		p.path = append(p.path, p.chunker.path.text...)
	}
	if p.inner.json.floor > 0 {
		if len(p.path) > 0 {
			p.path = append(p.path, '.')
		}
		p.path = append(p.path, p.inner.path.text...)
	}
	return p.path
}
