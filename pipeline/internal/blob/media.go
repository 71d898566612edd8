package blob

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// What a blob is when nothing names its type (RFC 2046).
const (
	unknownMedia = "application/octet-stream"
	textMedia    = "text/plain"
)

// signature is bytes by which a type of media is known, a dot standing for any.
type signature struct{ bytes, media string }

// signatures are those of the types in the WHATWG's "MIME Sniffing", 6, that tools send, and of zstd (RFC 8878), xz, ELF
// and SQLite.
var signatures = []signature{
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
	{"RIFF....WEBPVP", "image/webp"},
	{"....ftypavif", "image/avif"},
	{"BM....\x00\x00\x00\x00", "image/bmp"},
	{"\x00\x00\x01\x00", "image/vnd.microsoft.icon"},
	{"II*\x00", "image/tiff"},
	{"MM\x00*", "image/tiff"},
	{"RIFF....WAVE", "audio/wav"},
	{"ID3", "audio/mpeg"},
	{"OggS\x00", "application/ogg"},
	{"....ftyp", "video/mp4"},
	{"\x1a\x45\xdf\xa3", "video/webm"},
	{"%PDF-", "application/pdf"},
	{"PK\x03\x04", "application/zip"},
	{"\x1f\x8b\x08", "application/gzip"},
	{"\x28\xb5\x2f\xfd", "application/zstd"},
	{"\xfd7zXZ\x00", "application/x-xz"},
	{"\x7fELF", "application/x-elf"},
	{"\x00asm", "application/wasm"},
	{"SQLite format 3\x00", "application/vnd.sqlite3"},
	{"wOF2", "font/woff2"},
}

// longestHead is how many bytes of a blob are looked at.
const longestHead = 384

// MediaOf returns the media type of bytes that begin so.
func MediaOf(head []byte) string {
	for _, s := range signatures {
		if s.matches(head) {
			return s.media
		}
	}
	if isText(head) {
		return textMedia
	}
	return unknownMedia
}

func (s signature) matches(head []byte) bool {
	if len(head) < len(s.bytes) {
		return false
	}
	for i := range len(s.bytes) {
		if c := s.bytes[i]; c != '.' && c != head[i] {
			return false
		}
	}
	return true
}

// isText reports whether head is UTF-8 without control characters, except that a character may be cut at its end.
func isText(head []byte) bool {
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		switch {
		case r == utf8.RuneError && n <= 1:
			return !utf8.FullRune(head)
		case r < ' ' && !strings.ContainsRune("\t\n\f\r\x1b", r), r == 0x7f:
			return false
		}
		head = head[n:]
	}
	return true
}

const (
	dataScheme    = "data:"
	dataEncoding  = ";base64,"
	longestScheme = 128 // bytes of a data URL before its data
)

// dataURL returns the length of what a data URL has before its data (RFC 2397), if text ends in that; otherwise 0.
func dataURL(text []byte) int {
	if !bytes.HasSuffix(text, []byte(dataEncoding)) {
		return 0
	}
	text = text[max(0, len(text)-longestScheme):]
	at := bytes.LastIndex(text, []byte(dataScheme))
	if at < 0 || bytes.ContainsAny(text[at:], "\" \n\t<>()[]{}") {
		return 0
	}
	return len(text) - at
}

// namedMedia returns the type that a data URL names, without parameters; empty if it names none.
func namedMedia(scheme []byte) string {
	media, _, _ := strings.Cut(strings.ToLower(string(scheme[len(dataScheme):])), ";")
	media = strings.ReplaceAll(media, `\/`, "/")
	of, name, _ := strings.Cut(media, "/")
	isOther := func(c rune) bool {
		return c >= utf8.RuneSelf || !ascii.IsAlphanumeric(byte(c)) && !strings.ContainsRune("+-.", c)
	}
	if of == "" || name == "" || strings.ContainsFunc(of, isOther) || strings.ContainsFunc(name, isOther) {
		return ""
	}
	return media
}
