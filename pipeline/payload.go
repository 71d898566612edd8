package pipeline

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/redact"
)

// A string that is larger than a chunk may be the payload of an envelope, as the text that a tool returns by the Model Context
// Protocol (Tool Result): JSON, or lines. It is cut as a response is: what is in it becomes the chunks.

// payload reads what is in the string under way of a chunker, without its escapes, up to its end.
type payload struct {
	*chunker // whose unit begins with what has not been read
	inner    *chunker
	format   redact.Format
	ended    bool   // the string has, or it can't be read on
	path     []byte // of the chunk at hand
}

// openString makes what is in the string under way the chunks, if that is JSON, or lines.
func (c *chunker) openString() (isOpened bool) {
	if c.oneAnswer || c.isInner {
		return false
	}
	if c.innerBuf == nil {
		c.innerBuf = make([]byte, c.max+maxLead+blockSize)
	}
	start := c.buf[c.unit+1 : c.pos]
	format, ok := payloadFormat(appendUnescaped(c.innerBuf[:0], start[:wholeEscapes(start)]))
	if !ok {
		return false
	}
	c.yieldLead(c.unit + 1)
	c.unit++
	c.json.reason = ""
	p := &payload{chunker: c, format: format}
	p.inner = &chunker{in: p, max: c.max, yield: p.emit, isInner: true, buf: c.innerBuf}
	p.inner.run()
	switch {
	case c.stopped:
	case c.json.state == inAfter: // the string has ended
		c.unit = -1
		c.leave()
	case c.json.reason != "":
		c.part = TextPart
		c.breakLine(c.json.reason)
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

// Read reads what is in the string. It returns io.EOF where the string ends, and where its escapes or the input do.
func (p *payload) Read(into []byte) (n int, err error) {
	c := p.chunker
	into = into[:min(len(into), blockSize/4)] // what has been read and not yielded is to be held as it is escaped
	for {
		rest := c.buf[c.unit:c.pos]
		if p.ended && c.json.state == inAfter {
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
			if len(c.buf)-c.end < blockSize/2 { // escapes take up to six times what they stand for
				c.buf = append(c.buf, make([]byte, blockSize)...)
			}
			if n, p.ended = c.readOn(); n == 0 {
				return 0, nil
			}
		}
		n, ev := c.json.scan(c.buf[c.pos:c.end], c.base+int64(c.pos))
		c.pos += n
		p.ended = p.ended && c.pos == c.end || ev != more
	}
}

// unescapeInto writes what stands in a JSON string, as appendUnescaped has it, and returns how much it wrote of how much.
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
	chunk.Lead = c.buf[c.lead:from]
	c.lead = to
	if chunk.Seq > 0 {
		c.seq++
		chunk.Seq = c.seq
		chunk.Inner, chunk.Source = chunk.Source, c.buf[from:to]
		chunk.Path = p.pathOf()
	}
	for _, w := range chunk.Warnings {
		if w.Line == 0 { // that what is in a string is no JSON, is no defect
			c.warnings = append(c.warnings, w)
		}
	}
	chunk.Warnings = c.warnings
	c.send(chunk)
	return !c.stopped
}

// pathOf joins the path of the string and that of what is in it.
func (p *payload) pathOf() []byte {
	p.path = append(p.path[:0], p.where()...)
	if p.inner.json.floor > 0 {
		if len(p.path) > 0 {
			p.path = append(p.path, '.')
		}
		p.path = append(p.path, p.inner.path...)
	}
	return p.path
}
