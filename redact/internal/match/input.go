package match

import "github.com/kfw-dev/kfw/redact/internal/decode"

// Input is the part of a text that is kept, decoded. Buf[:Done] has been passed on or dropped,
// Buf[Done:] is held. The automaton has read Buf[:Scanned]. All places are in Buf.
type Input struct {
	Buf      []byte
	Done     int
	Scanned  int
	Escapes  []decode.Escape // of Buf[Done:], in order
	Begin    int             // where the text begins, until its context is settled
	Offset   int64           // of Buf[Done] in the input
	InString bool            // the text is a string of JSON, which may be a value
	AfterNUL bool            // what was passed on last is a NUL
}

// Passed takes in bytes at the start of a text that were already passed on.
func (in *Input) Passed(b []byte) {
	in.Buf = append(in.Buf[:0], b...)
	in.Done = len(in.Buf)
}

// Copy appends Buf[Done:to] as it was written, to the end of the escaped
// character that to is in, and what is not seen there. It returns the escapes
// beyond.
func (in *Input) Copy(dst []byte, escapes []decode.Escape, to int) ([]byte, []decode.Escape) {
	size := len(dst)
	for len(escapes) > 0 && (escapes[0].Pos < to || escapes[0].Pos == to && escapes[0].Read == 0) {
		e := &escapes[0]
		dst = append(dst, in.Buf[in.Done:e.Pos]...)
		dst = append(dst, e.Raw[:e.Written]...)
		in.AfterNUL = IsNUL(e.Raw[:e.Written])
		in.Done = e.Pos + int(e.Read)
		escapes = escapes[1:]
	}
	if in.Done < to {
		dst = append(dst, in.Buf[in.Done:to]...)
		in.Done, in.AfterNUL = to, false
	}
	in.Offset += int64(len(dst) - size)
	return dst, escapes
}

// IsNUL reports whether raw is one NUL, as it is or as JSON writes it.
func IsNUL(raw []byte) bool { return len(raw) == 1 && raw[0] == 0 || string(raw) == `\u0000` }
