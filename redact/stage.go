package redact

import (
	"slices"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/decode"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// stage takes src in, and passes on only what there is no room for.
func (t *Text) stage(dst, src []byte) []byte {
	if t.rules.PassAll {
		return append(dst, src...)
	}
	if t.nested.level > 0 { // it has been decoded
		return t.put(dst, src)
	}
	for len(src) > 0 {
		if t.inSequence() || decode.NotationOf[src[0]] != decode.Plain {
			dst = t.read(dst, 0, src[0], src[:1])
			src = src[1:]
			continue
		}
		n := plainRun(src)
		dst = t.put(dst, src[:n])
		src = src[n:]
	}
	return dst
}

// plainRun returns how many bytes of src come before the first that may begin a notation.
func plainRun(src []byte) int {
	n := 0
	for ; n+8 <= len(src); n += 8 {
		b := (*[8]byte)(src[n:])
		if decode.NotationOf[b[0]]|decode.NotationOf[b[1]]|decode.NotationOf[b[2]]|decode.NotationOf[b[3]]|
			decode.NotationOf[b[4]]|decode.NotationOf[b[5]]|decode.NotationOf[b[6]]|
			decode.NotationOf[b[7]] != decode.Plain {
			break
		}
	}
	for n < len(src) && decode.NotationOf[src[n]] == decode.Plain {
		n++
	}
	return n
}

// stagePlain is stage for bytes of which none begins a notation.
func (t *Text) stagePlain(dst, src []byte) []byte {
	if t.rules.PassAll || t.inSequence() {
		return t.stage(dst, src)
	}
	return t.put(dst, src)
}

// stageEscape is stage for one character that reads as the bytes of read, at
// most 4, and is written as raw, at most maxRaw bytes.
func (t *Text) stageEscape(dst, read, raw []byte) []byte {
	if t.rules.PassAll {
		return append(dst, raw...)
	}
	if t.nested.level > 0 {
		return t.readCharacter(dst, decode.Levels, read, raw)
	}
	if len(read) == 1 && decode.NotationOf[read[0]] == decode.Plain && !t.inSequence() {
		return t.putEscape(dst, read, raw)
	}
	return t.readCharacter(dst, 0, read, raw)
}

func (t *Text) inSequence() bool {
	for i := range t.sequences {
		if t.sequences[i].Size > 0 {
			return true
		}
	}
	return false
}

// read takes in a byte that was decoded so many times.
func (t *Text) read(dst []byte, level int, c byte, raw []byte) []byte {
	if level == decode.Levels {
		if len(raw) == 1 {
			return t.put(dst, raw)
		}
		return t.putEscape(dst, []byte{c}, raw)
	}
	s := &t.sequences[level]
	if !s.Takes(c, len(raw)) {
		dst = t.endSequence(dst, level)
		if !s.Takes(c, len(raw)) {
			return t.read(dst, level+1, c, raw)
		}
	}
	if s.Size == 0 {
		s.Before = t.lastBefore(level)
	}
	s.Add(c, raw)
	if !s.Whole() {
		return dst
	}
	var read [4]byte
	n := s.Character(&read)
	if n < 0 {
		return t.endSequence(dst, level)
	}
	written := s.Raw
	raw = written[:s.Written]
	s.Size, s.Backslashes, s.Written = 0, 0, 0
	return t.readCharacter(dst, level+1, read[:n], raw)
}

// lastBefore returns the last byte before a sequence that begins at a level: it may be of one that was decoded more often.
func (t *Text) lastBefore(level int) byte {
	for i := level + 1; i < len(t.sequences); i++ {
		if s := &t.sequences[i]; s.Size > 0 {
			return s.Units[s.Size-1].Read
		}
	}
	if len(t.in.Buf) == 0 {
		return 0
	}
	return t.in.Buf[len(t.in.Buf)-1]
}

// readCharacter is read for a character of any number of bytes.
func (t *Text) readCharacter(dst []byte, level int, read, raw []byte) []byte {
	if len(read) == 1 {
		return t.read(dst, level, read[0], raw)
	}
	for ; level < decode.Levels; level++ {
		dst = t.endSequence(dst, level)
	}
	var seen [4]byte
	if n := decode.SeenAs(&seen, read); n >= 0 {
		read = seen[:n]
	}
	return t.putEscape(dst, read, raw)
}

// endSequence takes in the begin of a sequence that did not become one.
func (t *Text) endSequence(dst []byte, level int) []byte {
	s := &t.sequences[level]
	if s.Size == 0 {
		return dst
	}
	begin := *s
	s.Size, s.Backslashes, s.Written = 0, 0, 0
	raw := begin.Raw[:begin.Written]
	for _, u := range begin.Units[:begin.Size] {
		dst = t.read(dst, level+1, u.Read, raw[:u.Written])
		raw = raw[u.Written:]
	}
	return dst
}

// endSequences is endSequence at the end of the text.
func (t *Text) endSequences(dst []byte) []byte {
	for level := range decode.Levels {
		dst = t.endSequence(dst, level)
	}
	return dst
}

// put takes in bytes that read as they are written.
func (t *Text) put(dst, src []byte) []byte {
	for len(src) > 0 {
		t.compact()
		n := copy(t.in.Buf[len(t.in.Buf):cap(t.in.Buf)], src)
		t.in.Buf = t.in.Buf[:len(t.in.Buf)+n]
		src = src[n:]
		if len(t.in.Buf) < cap(t.in.Buf) {
			continue
		}
		if dst = t.advance(dst, false); t.in.Done <= lex.LookBehind { // what is nested holds it back
			t.in.Buf = slices.Grow(t.in.Buf, textBuffer)
		}
	}
	return dst
}

func (t *Text) putEscape(dst, read, raw []byte) []byte {
	if len(t.in.Escapes) == cap(t.in.Escapes) || len(t.in.Buf)+len(read) > cap(t.in.Buf) {
		dst = t.advance(dst, false)
		t.compact()
	}
	if n := len(t.in.Escapes) - decode.MaxUnseen; len(read) == 0 && n >= 0 && t.in.Escapes[n].Pos == len(t.in.Buf) {
		read = []byte{' '}
	}
	e := decode.Escape{Pos: len(t.in.Buf), Read: uint8(len(read)), Written: uint8(len(raw))}
	copy(e.Raw[:], raw)
	t.in.Escapes = append(t.in.Escapes, e)
	t.in.Buf = append(t.in.Buf, read...)
	return dst
}

// unpack looks for packed secrets in what has been read, and returns the start
// of what it can't tell yet.
func (t *Text) unpack(end bool) int {
	p := &t.packing.packed
	if p.Level == decode.UnpackLevel {
		return len(t.in.Buf)
	}
	for {
		if !p.Going {
			p.At, p.IsHex, p.Going = decode.NextPacked(t.in.Buf, p.At, end)
			p.Read = p.At
			if !p.Going {
				return p.At
			}
		}
		class := decode.PackedClass
		if p.IsHex {
			class = lex.Hexadecimal
		}
		p.Read = class.Run(t.in.Buf, p.Read, p.At+decode.PackedLook+1-p.Read)
		if p.Read == len(t.in.Buf) && p.Read <= p.At+decode.PackedLook && !end {
			return p.At
		}
		stop := min(p.Read, p.At+decode.PackedLook)
		rule, found := t.holds(t.in.Buf[p.At:stop], p.IsHex)
		switch {
		case found:
			if !p.IsHex {
				class |= lex.Equals
			}
			t.matches.Reason = names.Reason{How: match.InBase64}
			t.take(rule, names.Finding{Verdict: names.OpenEnded, Start: p.At, End: stop, Class: class})
			t.beginPackedLines(stop, rule, class)
			p.At, p.Going = stop, false
		case stop < p.Read:
			p.At += decode.PackedStep
		default:
			p.At, p.Going = stop, false
		}
	}
}

// beginPackedLines begins to read the lines of a packed secret, the first of which goes on from a place, if that is
// long enough to be one of several.
func (t *Text) beginPackedLines(at, rule int, class lex.Class) {
	const least = 40
	if key := &t.matches.Key; !key.Open && at-t.packing.packed.At >= least {
		*key = structure.Block{Open: true, Rule: rule, Pos: at, Packed: class}
	}
}

// holds says whether a rule matches in what src is packed from, and which.
func (t *Text) holds(src []byte, isHex bool) (rule int, found bool) {
	if t.packing.inner == nil {
		t.packing.inner = newFilter(t.rules, newText(t.rules, false))
		t.packing.inner.text.packing.packed.Level = t.packing.packed.Level + 1
		t.packing.inner.inherits(&t.matches)
	}
	x := t.packing.inner
	x.start(Lines)
	x.text.markers.Written = 0
	n := decode.Unpacked(&t.packing.unpacked, src, isHex)
	plain := t.packing.unpacked[:n]
	if isUTF16 := n > 3 && (plain[0] == 0 || plain[1] == 0); isUTF16 {
		plain = slices.DeleteFunc(plain, func(c byte) bool { return c == 0 })
	}
	if !decode.IsMostlyText(plain) {
		return 0, false // a match would be chance
	}
	out, _ := x.feed(t.packing.output[:0], plain)
	t.packing.output = x.finish(out)
	return x.text.markers.Last, x.text.markers.Written > 0
}

// unpacking looks for secrets in what a text has in base64 or in hexadecimal digits.
type unpacking struct {
	packed   decode.Packed
	inner    *filter // of what is packed; nil until there was some
	unpacked [decode.PackedLook]byte
	output   []byte // of inner
}
