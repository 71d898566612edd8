package split

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/illformed"
	"github.com/kfw-dev/kfw/internal/jsonx"
)

// Presenter makes of a chunk's source the value that a frame shows: valid UTF-8, on one line, never deeper than
// maxDepth, and nothing else changed.
type Presenter struct {
	value    []byte
	clean    []byte
	warnings []Warning
}

// NewPresenter returns a presenter with room for a chunk of so many bytes.
func NewPresenter(largest int) Presenter {
	return Presenter{value: make([]byte, largest+largest/4)}
}

// InvalidShown is the warning of invalid UTF-8, which is counted.
const InvalidShown = "invalid UTF-8 sequences shown as U+FFFD"

var tooDeep = "nested deeper than " + strconv.Itoa(maxDepth) + ", shown as a string from there"

// Present returns the value of c, and whether it is text (not JSON). What had to be changed is said in warnings. All is
// lent until the next call.
func (p *Presenter) Present(c Chunk) (value []byte, isText bool, warnings []Warning) {
	source := c.Content()
	p.warnings = append(p.warnings[:0], c.Warnings...)
	if !IsValid(source) {
		var n int
		p.clean, n = ReplaceInvalid(p.clean[:0], source)
		source = p.clean
		p.warn(Warning{What: InvalidShown, Count: n})
	}
	switch c.Kind {
	case Text:
		return source, true, p.warnings
	case TextPart:
		p.warn(Warning{What: "part of a longer line or value"})
		return source, true, p.warnings
	case JSONPart:
		p.warn(Warning{What: "part of a longer string"})
		return p.quotePart(source), false, p.warnings
	}
	deep, ok := p.compact(source)
	if !ok {
		return source, true, p.warnings
	}
	if deep {
		p.warn(Warning{What: tooDeep})
	}
	return p.value, false, p.warnings
}

// IsValid is utf8.Valid, sooner where all is ASCII.
func IsValid(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			break
		}
	}
	return utf8.Valid(b)
}

func (p *Presenter) warn(w Warning) { p.warnings = append(p.warnings, w) }

// ReplaceInvalid appends b to dst with every maximal part of an invalid sequence replaced by U+FFFD, as WHATWG
// decodes, and counts them.
func ReplaceInvalid(dst, b []byte) (clean []byte, count int) {
	for len(b) > 0 {
		n := illformed.Len(b)
		if n > 0 {
			count++
			dst = append(dst, "\uFFFD"...)
		} else {
			_, n = utf8.DecodeRune(b)
			dst = append(dst, b[:n]...)
		}
		b = b[n:]
	}
	return dst, count
}

// quotePart makes a JSON string of a part of one: the first part brings its opening quote, the last its closing one.
func (p *Presenter) quotePart(part []byte) []byte {
	p.value = p.value[:0]
	if len(part) == 0 || part[0] != '"' {
		p.value = append(p.value, '"')
	}
	p.value = append(p.value, part...)
	if !endsInEscape(part) && !endsQuoted(part) {
		p.value = append(p.value, '"')
	}
	return p.value
}

// endsInEscape reports whether part, of a JSON string, ends within an escape.
func endsInEscape(part []byte) bool {
	for {
		n := bytes.IndexByte(part, '\\')
		if n < 0 {
			return false
		}
		size := 2
		if n+1 < len(part) && part[n+1] == 'u' {
			size = 6
		}
		if n+size > len(part) {
			return true
		}
		part = part[n+size:]
	}
}

// endsQuoted reports whether part, of a JSON string, ends with its closing quote.
func endsQuoted(part []byte) bool {
	if len(part) < 2 || part[len(part)-1] != '"' {
		return false
	}
	slashes := 0
	for i := len(part) - 2; i >= 0 && part[i] == '\\'; i-- {
		slashes++
	}
	return slashes%2 == 0
}

// compact writes source to p.value without white space between tokens, and what is deeper than maxDepth as a string.
// It reports whether there was any, and whether source is one JSON value.
func (p *Presenter) compact(source []byte) (deep, ok bool) {
	var s scanner
	p.value = p.value[:0]
	lead := spaces(source)
	source = source[lead:]
	if len(source) == 0 || s.begin(source[0], 0) != "" {
		return false, false
	}
	n, ev := s.scan(source[1:], 1)
	if ev == more {
		if ended, _ := s.finish(); !ended {
			return false, false
		}
	} else if ev != ends || spaces(source[1+n:]) != len(source)-1-n {
		return false, false
	}
	depth := 0
	for i := 0; i < len(source); {
		switch c := source[i]; {
		case isSpace(c):
			i++
		case c == '"':
			end, _ := jsonx.EndOfString(source, i)
			p.value = append(p.value, source[i:end]...)
			i = end
		case (c == '[' || c == '{') && depth == maxDepth:
			end := jsonx.EndOfValue(source, i)
			p.value = jsonx.AppendCanonicalString(p.value, source[i:end])
			i = end
			deep = true
		default:
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
			p.value = append(p.value, c)
			i++
		}
	}
	return deep, true
}
