package jsonx

import (
	"io"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// longestEscape is that of a character outside of the basic plane, in bytes: two of \u and four digits.
const longestEscape = 12

// shortEscapes are what the byte after a backslash stands for, where that is a whole escape; 0 where it is not.
var shortEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// DecodeEscape returns the character that the escape at the start of b stands for, and its length. b is JSON that has
// been checked. Half of a surrogate pair stands for U+FFFD. isWhole is false if more of the string is needed; what is
// returned holds if the string ends with b.
func DecodeEscape[T []byte | string](b T) (r rune, size int, isWhole bool) {
	size = min(len(b), 6)
	if size < 2 {
		return utf8.RuneError, size, false
	}
	if c := shortEscapes[b[1]]; c != 0 {
		return rune(c), 2, true
	}
	if b[1] != 'u' { // no escape of JSON: the text was not checked
		return rune(b[1]), 2, true
	}
	if size < 6 {
		return utf8.RuneError, size, false
	}
	if r = hexRune(b[2:6]); !utf16.IsSurrogate(r) {
		return r, size, true
	}
	const second = `\u`
	begun := min(len(b)-size, len(second))
	switch {
	case r >= 0xDC00, string(b[size:size+begun]) != second[:begun]: // half a pair
		return utf8.RuneError, size, true
	case len(b) < longestEscape:
		return utf8.RuneError, size, false
	}
	if r = utf16.DecodeRune(r, hexRune(b[8:12])); r == utf8.RuneError {
		return r, size, true
	}
	return r, longestEscape, true
}

// hexRune returns the number that four hexadecimal digits are.
func hexRune[T []byte | string](digits T) (r rune) {
	for i := range len(digits) {
		c := digits[i]
		switch {
		case c <= '9':
			c -= '0'
		case c <= 'F':
			c -= 'A' - 10
		default:
			c -= 'a' - 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// appendEscaped appends text as the inside of a JSON string, with no more escapes than JSON asks for. What is no UTF-8
// becomes U+FFFD.
func appendEscaped[T []byte | string](dst []byte, text T) []byte {
	for len(text) > 0 {
		n := PlainRun(text)
		dst = appendValid(dst, text[:n])
		if n == len(text) {
			break
		}
		dst = appendEscape(dst, text[n])
		text = text[n+1:]
	}
	return dst
}

// AppendString appends text as a JSON string.
func AppendString[T []byte | string](dst []byte, text T) []byte {
	return append(appendEscaped(append(dst, '"'), text), '"')
}

func appendValid[T []byte | string](dst []byte, text T) []byte {
	from := len(dst)
	dst = append(dst, text...)
	if utf8.Valid(dst[from:]) {
		return dst
	}
	b := slices.Clone(dst[from:])
	dst = dst[:from]
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		dst = utf8.AppendRune(dst, r)
		b = b[size:]
	}
	return dst
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	}
	return appendCanonicalByte(dst, c)
}

// Encoder writes a text as the inside of a JSON string, however the text is cut.
type Encoder struct {
	to      io.Writer
	buf     []byte
	partial []byte // the beginning of a character
}

// NewEncoder returns an Encoder that writes to w. The caller writes the quotes.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{to: w} }

// Write implements io.Writer.
func (e *Encoder) Write(text []byte) (int, error) {
	n := len(text)
	e.buf = e.buf[:0]
	for len(e.partial) > 0 && len(text) > 0 {
		e.partial = append(e.partial, text[0])
		text = text[1:]
		if utf8.FullRune(e.partial) {
			r, size := utf8.DecodeRune(e.partial)
			if r == utf8.RuneError && size == 1 {
				// The byte that was added may begin another character.
				text = append([]byte{e.partial[len(e.partial)-1]}, text...)
				e.partial = e.partial[:len(e.partial)-1]
			}
			e.buf = appendEscaped(e.buf, e.partial)
			e.partial = e.partial[:0]
		}
	}
	for start := max(0, len(text)-utf8.UTFMax+1); start < len(text); start++ {
		if utf8.RuneStart(text[start]) && !utf8.FullRune(text[start:]) {
			e.partial = append(e.partial[:0], text[start:]...)
			text = text[:start]
			break
		}
	}
	e.buf = appendEscaped(e.buf, text)
	if _, err := e.to.Write(e.buf); err != nil {
		return 0, err
	}
	return n, nil
}

// Close writes what is left of a character that was cut off. It does not close what is written to.
func (e *Encoder) Close() error {
	_, err := e.to.Write(appendEscaped(nil, e.partial))
	e.partial = nil
	return err
}
