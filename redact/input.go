package redact

import "github.com/kfw-dev/kfw/redact/decode"

// input is the part of a text that is kept, decoded. buf[:done] has been passed on or dropped, buf[done:] is held.
// The automaton has read buf[:scanned]. All places are in buf.
type input struct {
	buf      []byte
	done     int
	scanned  int
	escapes  []decode.Escape // of buf[done:], in order
	begin    int             // where the text begins, until its context is settled
	offset   int64           // of buf[done] in the input
	inString bool            // the text is a string of JSON, which may be a value
	afterNUL bool            // what was passed on last is a NUL
}

// passed takes in bytes at the start of a text that were already passed on.
func (in *input) passed(b []byte) {
	in.buf = append(in.buf[:0], b...)
	in.done = len(in.buf)
}

// copy appends buf[done:to] as it was written, to the end of the escaped
// character that to is in, and what is not seen there. It returns the escapes
// beyond.
func (in *input) copy(dst []byte, escapes []decode.Escape, to int) ([]byte, []decode.Escape) {
	size := len(dst)
	for len(escapes) > 0 && (escapes[0].Pos < to || escapes[0].Pos == to && escapes[0].Read == 0) {
		e := &escapes[0]
		dst = append(dst, in.buf[in.done:e.Pos]...)
		dst = append(dst, e.Raw[:e.Written]...)
		in.afterNUL = isNUL(e.Raw[:e.Written])
		in.done = e.Pos + int(e.Read)
		escapes = escapes[1:]
	}
	if in.done < to {
		dst = append(dst, in.buf[in.done:to]...)
		in.done, in.afterNUL = to, false
	}
	in.offset += int64(len(dst) - size)
	return dst, escapes
}

// isNUL reports whether raw is one NUL, as it is or as JSON writes it.
func isNUL(raw []byte) bool { return len(raw) == 1 && raw[0] == 0 || string(raw) == `\u0000` }
