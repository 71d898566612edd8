package jsonx

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// AppendUnescaped appends the text that the inside of a JSON string stands for.
func AppendUnescaped(dst, inside []byte) []byte {
	for len(inside) > 0 {
		n := bytes.IndexByte(inside, '\\')
		if n < 0 {
			return append(dst, inside...)
		}
		dst = append(dst, inside[:n]...)
		r, size, _ := DecodeEscape(inside[n:])
		dst = utf8.AppendRune(dst, r)
		inside = inside[n+size:]
	}
	return dst
}

// SurrogateByte begins the three bytes of half a surrogate pair.
const SurrogateByte = 0xED

// AppendUnescapedHalves is AppendUnescaped, except that half of a surrogate pair stays itself: the
// three bytes that it would have in UTF-8. The other half may be at the beginning of another
// string.
func AppendUnescapedHalves(dst []byte, inside string) []byte {
	for {
		n := strings.IndexByte(inside, '\\')
		if n < 0 {
			return append(dst, inside...)
		}
		dst = append(dst, inside[:n]...)
		inside = inside[n:]
		r, size, _ := DecodeEscape(inside)
		if r == utf8.RuneError {
			r = hexRune(inside[2:size])
		}
		if utf16.IsSurrogate(r) {
			dst = append(dst, SurrogateByte, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		inside = inside[size:]
	}
}

// A Text is the next value, a string, as a reader of the text that it stands for. It fills what it is given, unless
// the string ends, so that its answers do not depend on how the input came. It is to be read to its end before
// anything else is done with the Editor.
type Text struct {
	e    *Editor
	err  error
	rest []byte // text that was decoded and not read
	raw  []byte // the beginning of an escape
	seen func(source []byte)
}

// Text returns the next value, which is a string. It is taken and not copied; what stands before it is. seen, if not
// nil, gets the inside of the string as it is written, in pieces that cut no escape, before it is read as text.
func (e *Editor) Text(seen func(source []byte)) (*Text, error) {
	c, err := e.space()
	if err != nil {
		return nil, err
	}
	if c != '"' {
		return nil, e.wrong("a value that is no string")
	}
	if err := e.Keep(); err != nil {
		return nil, err
	}
	e.scan.start(e.depth)
	_, _ = e.scan.feed([]byte{'"'})
	e.take(1)
	return &Text{e: e, seen: seen}, nil
}

// mostRead is how many bytes one Read returns at most: what is read and not compared yet is held.
const mostRead = 32 << 10

// Read implements io.Reader.
func (t *Text) Read(p []byte) (n int, err error) {
	p = p[:min(len(p), mostRead)]
	for n < len(p) {
		if len(t.rest) > 0 {
			k := copy(p[n:], t.rest)
			t.rest = t.rest[k:]
			n += k
			continue
		}
		if t.err != nil {
			break
		}
		n += t.decode(p[n:])
	}
	if n > 0 {
		return n, nil
	}
	return 0, t.err
}

// decode takes some of the string and returns how many bytes of text it has put into p.
func (t *Text) decode(p []byte) int {
	e := t.e
	b, err := e.window()
	if err != nil {
		t.err = e.ended(err)
		return 0
	}
	if len(t.raw) == 0 {
		if from, n := decodeRun(p, b); from > 0 {
			t.pass(b[:from])
			e.take(from)
			return n
		}
	}
	n, reason := e.scan.feed(b[:1])
	if reason != "" {
		t.err = e.wrong(reason)
		return 0
	}
	isEnd := e.scan.ended()
	if !isEnd {
		t.raw = append(t.raw, b[0])
	}
	e.take(n)
	t.unescape(isEnd)
	if isEnd {
		t.err = io.EOF
	}
	return 0
}

// decodeRun decodes b into p up to the end of the string, or up to what needs a closer look. It returns how many
// bytes of each that was.
func decodeRun(p, b []byte) (from, n int) {
	for {
		k := PlainRun(b[from:min(len(b), from+len(p)-n)])
		copy(p[n:], b[from:from+k])
		from, n = from+k, n+k
		if from+6 > len(b) || b[from] != '\\' || n+utf8.UTFMax > len(p) {
			return from, n
		}
		if c := shortEscapes[b[from+1]]; c != 0 {
			p[n] = c
			from, n = from+2, n+1
			continue
		}
		if b[from+1] != 'u' {
			return from, n
		}
		for _, c := range b[from+2 : from+6] {
			if !ascii.IsHexDigit(c) {
				return from, n
			}
		}
		r := hexRune(b[from+2 : from+6])
		if utf16.IsSurrogate(r) {
			return from, n
		}
		n += utf8.EncodeRune(p[n:], r)
		from += 6
	}
}

// unescape decodes the escapes that are whole. Half of a surrogate pair is, if the string goes on with something else.
func (t *Text) unescape(isEnd bool) {
	for len(t.raw) > 0 {
		size := 1
		switch {
		case t.raw[0] != '\\': // what follows half of a pair
			t.rest = append(t.rest, t.raw[0])
		default:
			r, n, isWhole := DecodeEscape(t.raw)
			if !isWhole && !isEnd {
				return
			}
			t.rest = utf8.AppendRune(t.rest, r)
			size = n
		}
		t.pass(t.raw[:size])
		t.raw = append(t.raw[:0], t.raw[size:]...)
	}
}

func (t *Text) pass(source []byte) {
	if t.seen != nil {
		t.seen(source)
	}
}

// Rewrite copies the next value, a string, through change: a reader of another text. As long as both are the same, the
// string keeps its own escapes.
func (e *Editor) Rewrite(change func(text io.Reader) io.Reader) error {
	s := source{to: e.out}
	t, err := e.Text(s.add)
	if err != nil {
		return err
	}
	if _, err := e.out.Write([]byte{'"'}); err != nil {
		return err
	}
	changed := change(t)
	buf := e.buf[:cap(e.buf)]
	for {
		n, err := changed.Read(buf)
		if writeErr := s.write(buf[:n], false); writeErr != nil {
			return writeErr
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if _, err := io.Copy(io.Discard, t); err != nil { // what change did not read
		return err
	}
	if err := s.close(); err != nil {
		return err
	}
	_, err = e.out.Write([]byte{'"'})
	return err
}

// WriteChanged writes a string that stands for text. As far as that is what another string, with its quotes, stands
// for, it keeps the escapes of that.
func WriteChanged(to io.Writer, other []byte, text string) error {
	if _, err := to.Write([]byte{'"'}); err != nil {
		return err
	}
	s := source{to: to}
	s.add(Inside(other))
	if err := s.write([]byte(text), false); err != nil {
		return err
	}
	if err := s.close(); err != nil {
		return err
	}
	_, err := to.Write([]byte{'"'})
	return err
}

// maxSource is how many bytes of a string, as it is written, wait for the text that they became.
const maxSource = 1 << 20

// source is the inside of a string as it is written, as far as it was read and not compared with what became of it.
type source struct {
	to      io.Writer
	waiting []byte
	at      int
	begun   int    // bytes of the current escape's text that were there
	carry   []byte // text that may be the beginning of a character
	encoder *Encoder
}

func (s *source) add(b []byte) {
	if s.encoder != nil {
		return
	}
	if s.at > 0 && len(s.waiting)+len(b) > cap(s.waiting) {
		s.waiting = append(s.waiting[:0], s.waiting[s.at:]...)
		s.at = 0
	}
	if len(s.waiting)-s.at+len(b) > maxSource {
		s.differ()
		return
	}
	s.waiting = append(s.waiting, b...)
}

// differ ends the comparison: what comes now gets new escapes.
func (s *source) differ() {
	s.encoder = NewEncoder(s.to)
	s.waiting = nil
}

// write takes text and writes it as it was written, or with new escapes once it differs from what was read.
func (s *source) write(text []byte, isEnd bool) error {
	if len(s.carry) > 0 {
		text = append(s.carry, text...)
		s.carry = nil
	}
	start := s.at
	for len(text) > 0 && s.encoder == nil {
		from := s.waiting[s.at:]
		if s.begun == 0 && len(from) > 1 && from[0] == '\\' && shortEscapes[from[1]] == text[0] && text[0] != 0 {
			s.at += 2
			text = text[1:]
			continue
		}
		if len(from) > 0 && from[0] == '\\' {
			n, isSame := s.matchEscape(from, text)
			if isSame {
				text = text[n:]
				continue
			}
			// What was there of the escape's text is written like what follows.
			begun := appendEscapeText(nil, from)[:s.begun:s.begun]
			text = append(begun, text...)
		} else {
			n := matchPlain(from, text)
			s.at += n
			text = text[n:]
			if n > 0 {
				continue
			}
			if len(text) < len(from) && !isEnd && !utf8.FullRune(text) && bytes.HasPrefix(from, text) {
				s.carry = append(s.carry, text...)
				break
			}
		}
		if err := s.flush(start); err != nil {
			return err
		}
		s.differ()
	}
	if s.encoder == nil {
		return s.flush(start)
	}
	_, err := s.encoder.Write(text)
	return err
}

// flush writes what was found to be the same since start.
func (s *source) flush(start int) error {
	if start == s.at {
		return nil
	}
	_, err := s.to.Write(s.waiting[start:s.at])
	return err
}

// matchPlain returns how many bytes of text are those of from, which has no escape there, in whole characters.
func matchPlain(from, text []byte) (n int) {
	most := min(len(from), len(text))
	for n+8 <= most {
		x := binary.LittleEndian.Uint64(from[n:])
		slashes := x ^ '\\'*ascii.EachByte
		differs := x ^ binary.LittleEndian.Uint64(text[n:])
		if ascii.ZeroBytes(slashes) != 0 || differs != 0 {
			break
		}
		n += 8
	}
	for n < most && from[n] == text[n] && from[n] != '\\' {
		n++
	}
	if n == len(from) || n < len(text) && utf8.RuneStart(from[n]) && utf8.RuneStart(text[n]) {
		return n
	}
	// Within a character: back to its beginning, unless it is none.
	for back := 1; back < utf8.UTFMax && back <= n; back++ {
		if utf8.RuneStart(from[n-back]) {
			if _, size := utf8.DecodeRune(from[n-back:]); size > back {
				return n - back
			}
			break
		}
	}
	return n
}

// appendEscapeText appends the text of the escape that from begins with.
func appendEscapeText(dst, from []byte) []byte {
	r, _, _ := DecodeEscape(from)
	return utf8.AppendRune(dst, r)
}

// matchEscape compares text with what an escape stands for, and passes the escape once all of it was there.
func (s *source) matchEscape(from, text []byte) (n int, isSame bool) {
	var room [utf8.UTFMax]byte
	want := appendEscapeText(room[:0], from)[s.begun:]
	n = min(len(want), len(text))
	if !bytes.Equal(want[:n], text[:n]) {
		return 0, false
	}
	if n < len(want) {
		s.begun += n
		return n, true
	}
	_, size, _ := DecodeEscape(from)
	s.begun = 0
	s.at += size
	return n, true
}

// close writes what is left.
func (s *source) close() error {
	if err := s.write(nil, true); err != nil {
		return err
	}
	if s.encoder == nil && s.begun > 0 { // the text ended within a character
		text := appendEscapeText(nil, s.waiting[s.at:])[:s.begun]
		s.differ()
		if _, err := s.encoder.Write(text); err != nil {
			return err
		}
	}
	if s.encoder != nil {
		return s.encoder.Close()
	}
	return nil
}
