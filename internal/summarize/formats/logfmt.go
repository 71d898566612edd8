package formats

import (
	"bytes"
	"math/bits"

	"github.com/kfw-dev/kfw/internal/ascii"
)

const (
	leastPairs = 3 // of a line in logfmt
	maxPairs   = 96
)

// Pair is a name, and where its value is in a line.
type Pair struct {
	Name  []byte
	Value ascii.Span
	As    PairKind
}

// PairKind is how the value of a pair is read.
type PairKind uint8

const (
	asRead   PairKind = iota // a number or a literal if it reads like one, without its quotes if it has some
	AsNumber                 // of JSON
	AsText                   // as it is
)

// CutPairs cuts a line in logfmt: pairs name=value with blanks between them, a value in quotes if it has blanks, as
// log/slog's TextHandler and many loggers write it. It returns false if there is anything else in the line, or too few.
func CutPairs(dst []Pair, line []byte) (pairs []Pair, ok bool) {
	for i := 0; ; {
		for i < len(line) && line[i] == ' ' {
			i++
		}
		if i == len(line) {
			return dst, len(dst) >= leastPairs
		}
		name := ascii.Span{From: i, To: i + nameLen(line[i:])}
		if i = name.To; name.From == i || i == len(line) || line[i] != '=' || len(dst) == maxPairs {
			return dst, false
		}
		value := ascii.Span{From: i + 1, To: i + 1 + valueLen(line[i+1:])}
		if i = value.To; i < len(line) && line[i] != ' ' {
			return dst, false
		}
		dst = append(dst, Pair{Name: name.Of(line), Value: value})
	}
}

// nameLen is the length of the name of a pair at the start of text: letters, digits and a few signs, of which an
// underscore alone may come first.
func nameLen(text []byte) (n int) {
	if len(text) == 0 || !ascii.IsLetter(text[0]) && text[0] != '_' {
		return 0
	}
	for n = 1; n < len(text) && inName[text[n]]; n++ {
	}
	return n
}

// inName says which bytes may be in the name of a pair.
var inName = func() (t [256]bool) {
	for c := range t {
		t[c] = ascii.IsAlphanumeric(byte(c)) || bytes.IndexByte([]byte("_.-/@"), byte(c)) >= 0
	}
	return t
}()

// valueLen is the length of the value at the start of text, with its quotes. What follows is no blank if it is none.
func valueLen(text []byte) (n int) {
	if len(text) > 0 && text[0] == '"' {
		for n = 1; n < len(text) && text[n] != '"'; n++ {
			if text[n] == '\\' {
				n++
			}
		}
		if n >= len(text) {
			return 0
		}
		return n + 1
	}
	for ; n+8 <= len(text); n += 8 {
		b := ascii.EightAt(text, n)
		if found := ascii.ZeroBytes(b^' '*ascii.EachByte) | ascii.ZeroBytes(b^'"'*ascii.EachByte); found != 0 {
			return n + bits.TrailingZeros64(found)/8
		}
	}
	for n < len(text) && text[n] != ' ' && text[n] != '"' {
		n++
	}
	return n
}
