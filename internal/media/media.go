// Package media tells images, sound, films and PDF documents in base64 from other base64, which may be a text with a
// secret in it, and changes the latter.
package media

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// head is how much of a text says what it is, in bytes of base64.
const head = 684

// Is reports whether a text is base64 of an image, a sound, a film or a PDF.
func Is(text string) bool {
	all, err := base64.StdEncoding.DecodeString(text)
	return err == nil && is(all)
}

// Filter passes base64 of an image, a sound, a film or a PDF unchanged. It decodes other base64,
// applies filter to the content, and encodes the result. Text that does not begin like base64 goes
// through filter directly. Base64 that breaks off later is an error.
func Filter(text io.Reader, filter func(io.Reader) io.Reader) io.Reader {
	in := bufio.NewReaderSize(text, head)
	begin, _ := in.Peek(head)
	first, err := base64.StdEncoding.AppendDecode(nil, begin[:len(begin)/4*4])
	switch {
	case err != nil:
		return filter(in)
	case is(first):
		return in
	}
	return &encoder{in: filter(base64.NewDecoder(base64.StdEncoding, in))}
}

func is(content []byte) bool {
	if utf8.Valid(content) {
		return false
	}
	kind, _, _ := strings.Cut(http.DetectContentType(content), "/")
	return kind == "image" || kind == "audio" || kind == "video" || bytes.HasPrefix(content, []byte("%PDF-"))
}

// encoder reads base64 of what it reads.
type encoder struct {
	in   io.Reader
	raw  [3 << 10]byte // a multiple of 3: only the last piece is padded
	text []byte        // not read yet
	err  error
}

// Read implements io.Reader.
func (e *encoder) Read(b []byte) (int, error) {
	for len(e.text) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		n := 0
		for n < len(e.raw) && e.err == nil {
			var more int
			more, e.err = e.in.Read(e.raw[n:])
			n += more
		}
		e.text = base64.StdEncoding.AppendEncode(e.text[:0], e.raw[:n])
	}
	n := copy(b, e.text)
	e.text = e.text[n:]
	return n, nil
}
