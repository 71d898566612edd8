package fit

import (
	"bytes"

	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// verbatim holds the response as a verbatim encoding shows it, from the end of the last raw frame on. It is what a
// reader gets if the rest of the response fits.
type verbatim struct {
	isOpen  bool   // the response may still be shown byte for byte
	text    []byte // as it would be written
	atStart bool   // the next byte begins what a reader may take for a line
	skip    int    // bytes of the next lead that have been added already, as the end of a line
	invalid int    // sequences of invalid UTF-8
	line    int    // where in text the open line begins

	counted int // bytes of text
	tokens  int // of these
	recount int // bytes of text from which on it is counted again
}

// add adds a chunk, or what stands between chunks.
func (v *verbatim) add(c split.Chunk) {
	lead := c.Lead[min(v.skip, len(c.Lead)):]
	v.skip = max(0, v.skip-len(c.Lead))
	v.write(lead)
	if c.Seq > 0 {
		v.write(c.Source)
		v.write(c.LineEnd)
		v.skip = len(c.LineEnd)
	}
}

// endLine adds the end of a line that the lead of the next chunk begins with, and reports whether it does.
func (v *verbatim) endLine(next split.Chunk) bool {
	lead := next.Lead[min(v.skip, len(next.Lead)):]
	if !bytes.HasPrefix(lead, []byte("\n")) && !bytes.HasPrefix(lead, []byte("\r\n")) {
		return false
	}
	end := lead[:bytes.IndexByte(lead, '\n')+1]
	v.write(end)
	v.skip += len(end)
	return true
}

// endsLine reports whether no line is open. Tokens are counted by lines that end in LF.
func (v *verbatim) endsLine() bool { return v.line == len(v.text) }

// write adds bytes of the response. Every maximal part of a sequence of invalid UTF-8 becomes U+FFFD.
func (v *verbatim) write(source []byte) {
	if !split.IsValid(source) {
		var n int
		source, n = split.ReplaceInvalid(nil, source)
		v.invalid += n
	}
	from := len(v.text)
	v.text, v.atStart = encode.AppendVerbatim(v.text, source, v.atStart)
	if n := bytes.LastIndexByte(v.text[from:], '\n'); n >= 0 {
		v.line = from + n + 1
	}
}

// forget empties the text, which has been written.
func (v *verbatim) forget() {
	v.text, v.line = v.text[:0], 0
	v.counted, v.tokens, v.recount = 0, 0, 0
}

// end gives up to show the response byte for byte.
func (v *verbatim) end() { v.isOpen, v.text = false, nil }

// fits reports whether the text that is held costs no more than room, as a whole. If it is not to be exact, a text that
// has hardly grown since it was counted is taken to fit.
func (v *verbatim) fits(o *Options, room int, isExact bool) bool {
	if least, _ := o.Counter.Bounds(len(v.text)); least > room {
		return false
	}
	_, most := o.Counter.Bounds(len(v.text) - v.counted)
	if !isExact && (most <= room-v.tokens || len(v.text) < v.recount) {
		return true
	}
	v.tokens, v.counted = o.Cost(v.text), len(v.text)
	v.recount = v.counted + max(leastGrowth, v.counted/growth)
	return v.tokens <= room
}

// Held text is counted again after it has grown by this much, so that all counts together are a
// small multiple of its length.
const (
	leastGrowth = 256 // bytes
	growth      = 2   // and a share of its length
)
