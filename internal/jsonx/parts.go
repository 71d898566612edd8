package jsonx

import "unicode/utf8"

// Parts is a buffer for long JSON. When it is full, Flush takes its content.
type Parts struct {
	B     []byte
	Flush func(part []byte) (empty []byte) // nil: all is kept in B
	last  byte                             // that was flushed
}

// partSize is how much is appended at once, in bytes.
const partSize = 32 << 10

// Raw appends JSON as it is.
func (p *Parts) Raw(json string) {
	for ; p.Flush != nil && len(json) > partSize; json = json[partSize:] {
		p.B = append(p.B, json[:partSize]...)
		p.flush()
	}
	p.B = append(p.B, json...)
}

// String appends a text as a JSON string.
func (p *Parts) String(text string) {
	p.B = append(p.B, '"')
	for p.Flush != nil && len(text) > partSize {
		n := partSize
		for back := 1; back < utf8.UTFMax; back++ {
			if utf8.RuneStart(text[n]) {
				break
			}
			n--
		}
		p.B = appendEscaped(p.B, text[:n])
		text = text[n:]
		p.flush()
	}
	p.B = append(appendEscaped(p.B, text), '"')
}

// Name appends the name of a member, and the comma before it if it is not the first.
func (p *Parts) Name(name string) {
	p.Comma()
	p.B = append(append(append(p.B, '"'), name...), '"', ':')
}

// Comma appends a comma, unless an object or a list only begins.
func (p *Parts) Comma() {
	last := p.last
	if n := len(p.B); n > 0 {
		last = p.B[n-1]
	}
	if last != 0 && last != '{' && last != '[' && last != ':' {
		p.B = append(p.B, ',')
	}
}

func (p *Parts) flush() {
	p.last = p.B[len(p.B)-1]
	p.B = p.Flush(p.B)
}
