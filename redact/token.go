package redact

import (
	"strings"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/decode"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/report"
)

// token is a number, a word, an escape or the blanks of a line, of which no more is kept than a number may have.
type token struct {
	bytes [detect.MaxNumber]byte
	size  int
	begin int64 // in the input
}

// keepLast keeps the end of a number that is too long to be kept whole.
func (t *token) keepLast(part []byte) {
	part = part[max(0, len(part)-len(t.bytes)):]
	n := copy(t.bytes[:], t.bytes[max(0, t.size-(len(t.bytes)-len(part))):t.size])
	t.size = n + copy(t.bytes[n:], part)
}

// endKey passes on the quote that was held back, and the blanks after it.
func (t *token) endKey(dst []byte) []byte {
	dst = append(append(dst, '"'), t.bytes[:t.size]...)
	t.size = 0
	return dst
}

// tokenPart reads a number or a word to its end.
func (f *filter) tokenPart(dst, src []byte) ([]byte, int) {
	isPart := lex.IsNumberByte
	if f.state == inWord {
		isPart = lex.Letters.Has
	}
	for i, c := range src {
		switch {
		case !isPart(c):
			return f.tokenEnd(dst, c), i
		case f.token.size < len(f.token.bytes):
			f.token.bytes[f.token.size] = c
			f.token.size++
		case f.state == inWord:
			return f.textStart(dst, f.token.bytes[0]), i
		default:
			f.state = inLongNumber
			if f.next.pending != nil && f.next.pending.Whole {
				f.beginField(swallowNumber, f.token.begin)
				f.text.markers.Read(f.token.bytes[:f.token.size])
				return dst, i
			}
			f.next.pending, f.next.key = nil, nil
			return append(dst, f.token.bytes[:f.token.size]...), i
		}
	}
	return dst, len(src)
}

// tokenEnd passes on a number or a word with c after it, or goes on in text.
func (f *filter) tokenEnd(dst []byte, c byte) []byte {
	tok := f.token.bytes[:f.token.size]
	first := c
	if len(tok) > 0 {
		first = tok[0]
	}
	whole := f.next.pending != nil && f.next.pending.Whole
	switch {
	case !lex.EndsToken(c), f.state == inWord && !lex.IsLiteral(tok), f.state == inNumber &&
		(f.seen.bracket == '{' || !jsonx.IsNumber(tok)):
		return f.textStart(dst, first)
	case f.state == inWord:
		if dst = append(dst, tok...); f.next.part == names.SecretFlag && string(tok) == "true" {
			f.declare("client secret", names.PairValue)
		}
	case whole:
		f.beginField(between, f.token.begin)
		f.text.markers.Read(tok)
		dst = f.endField(dst, f.token.begin+int64(len(tok)))
	default:
		dst = f.numberValue(dst, tok)
		f.held.EndValue(dst, f.token.begin+int64(len(tok)))
	}
	f.next.pending, f.next.key, f.seen.redacted = nil, nil, whole
	f.next.named, f.text.name.leading = false, f.text.name.leading[:0]
	f.state = between
	return dst
}

// numberValue passes on a number, or a marker in its place.
func (f *filter) numberValue(dst, tok []byte) []byte {
	const shortest = 9 // of a number that says something without a name
	if len(tok) < shortest && f.next.pending == nil && !f.rules.Patterns {
		return append(dst, tok...)
	}
	if f.report.Hide != nil && f.next.member == 0 {
		// without a name it is as much in the text, which may be passed as clean
		return append(dst, tok...)
	}
	before := f.text.markers.Written
	if f.next.named {
		f.text.introduce()
	}
	f.text.context, f.text.in.Offset = f.next.pending, f.token.begin
	f.scratch = f.text.Flush(f.text.stage(f.scratch[:0], tok))
	if f.text.markers.Written == before {
		return append(dst, tok...)
	}
	if f.report.Hide != nil {
		end := f.token.begin + int64(len(tok))
		f.report.HidePart(report.Part{Rule: f.text.markers.Last, From: f.token.begin, To: end, Quotes: 1})
	}
	dst = append(dst, '"')
	dst = f.text.markers.AppendLast(dst)
	return append(dst, '"')
}

// keyEnd reads the blanks after a string that has become a marker. If a colon follows, the string is
// a key, which gets a number unless it is the first such of the record.
func (f *filter) keyEnd(dst, src []byte) ([]byte, int) {
	n := 0
	for n < len(src) && lex.Blank.Has(src[n]) && f.token.size < len(f.token.bytes) {
		f.token.bytes[f.token.size] = src[n]
		f.token.size++
		n++
	}
	if n == len(src) {
		return dst, n
	}
	if src[n] == ':' {
		dst = f.text.markers.AppendKeyNumber(dst)
	}
	f.state = between
	return f.token.endKey(dst), n
}

// escape reads what follows a backslash. What is no escape stands for itself.
func (f *filter) escape(dst, src []byte) ([]byte, int) {
	c := src[0]
	if f.token.size == 1 && c != '\n' {
		f.token.bytes[1], f.token.size = c, 2
		if c == 'u' {
			return dst, 1
		}
		f.state = inString
		read := c
		if i := strings.IndexByte("nrtbf", c); i >= 0 {
			read = "\n\r\t\b\f"[i]
		}
		if read == c && c >= 0x80 {
			return f.text.stage(dst, f.token.bytes[:2]), 1
		}
		return f.text.stageEscape(dst, []byte{read}, f.token.bytes[:2]), 1
	}
	if !lex.Hexadecimal.Has(c) {
		f.state = inString
		return f.text.stage(dst, f.token.bytes[:f.token.size]), 0
	}
	f.token.bytes[f.token.size] = c
	f.token.size++
	if f.token.size < 6 {
		return dst, 1
	}
	f.state = inString
	var read [4]byte
	n := decode.Encode(&read, decode.Number16(f.token.bytes[2:6]))
	return f.text.stageEscape(dst, read[:n], f.token.bytes[:6]), 1
}
