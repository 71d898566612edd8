package excerpt

import (
	"bytes"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

const ellipsis = "…"

// appendShown appends a unit as a page shows it: without codes for colours, of a line that a program wrote over the
// last state, and on one line whatever breaks it.
func appendShown(dst []byte, u Unit) []byte {
	if u.IsRecord && len(u.Path) > 0 {
		dst = append(append(dst, u.Path...), ": "...)
	}
	from := len(dst)
	text := u.Text
	if !u.IsRecord {
		text = lastState(text)
	}
	if bytes.IndexByte(text, mask.Escape) >= 0 {
		dst = mask.AppendWithoutEscapes(dst, text)
	} else {
		dst = append(dst, text...)
	}
	if hasBreak(dst[from:]) {
		dst = escapeBreaks(dst, from)
	}
	return dst
}

// plain are the bytes that a page shows as they are.
var plain = func() (t [256]bool) {
	for i := range t {
		t[i] = !(i >= '\n' && i <= '\r' || i == mask.Escape || i == 0xc2 || i == 0xe2)
	}
	return t
}()

// isPlain reports whether a unit is shown as it is, byte for byte.
func isPlain(u Unit) bool {
	if len(u.Path) > 0 {
		return false
	}
	for _, c := range u.Text {
		if !plain[c] {
			return false
		}
	}
	return true
}

// lastState returns what a terminal shows of a line: what follows the last carriage return before its end.
func lastState(line []byte) []byte {
	line = bytes.TrimRight(line, "\r")
	return line[bytes.LastIndexByte(line, '\r')+1:]
}

// breaks are the line breaks of Unicode other than LF (UAX 14, classes BK, CR, LF and NL), as a page shows them.
var breaks = []struct{ is, shown string }{
	{"\n", `\n`}, {"\r", `\r`}, {"\v", `\v`}, {"\f", `\f`}, {"\u0085", `\u0085`},
	{"\u2028", `\u2028`}, {"\u2029", `\u2029`},
}

// OneLine returns a text with escapes in the place of its line breaks, and may change it.
func OneLine(text []byte) []byte {
	if !hasBreak(text) {
		return text
	}
	return escapeBreaks(text, 0)
}

// hasBreak reports whether a text may have a line break.
func hasBreak(text []byte) bool {
	for _, c := range text {
		if c >= '\n' && c <= '\r' || c == 0xc2 || c == 0xe2 {
			return true
		}
	}
	return false
}

// escapeBreaks puts escapes in the place of the line breaks of dst[from:].
func escapeBreaks(dst []byte, from int) []byte {
	text := dst[from:]
	for _, b := range breaks {
		if bytes.Contains(text, []byte(b.is)) {
			text = bytes.ReplaceAll(text, []byte(b.is), []byte(b.shown))
		}
	}
	return append(dst[:from], text...)
}

// ownNumberLen returns the length of the number that a line brings with it, as file readers and searches write them:
// "  12→", "  12\t", "path:12:", "path-12-". It is 0 if the line has none.
func ownNumberLen(line []byte) int {
	i := len(line) - len(bytes.TrimLeft(line, " "))
	if n := ascii.LeadingDigits(line[i:]); n > 0 {
		i += n
		switch rest := line[i:]; {
		case bytes.HasPrefix(rest, []byte("→")):
			return i + len("→")
		case bytes.HasPrefix(rest, []byte("\t")):
			return i + 1
		}
		return 0
	}
	return placeLen(line)
}

// pathOf returns the path of a place: "a.go" of "a.go:12:".
func pathOf(place []byte) []byte {
	sign := place[len(place)-1]
	return place[:bytes.LastIndexByte(place[:len(place)-1], sign)]
}

// longestPlace is how many bytes the place is looked for in.
const longestPlace = 256

// placeLen returns the length of a path and the number of a line of it at the beginning of a line, as grep -n writes
// them, with dashes around the number in a line of context; 0 if there is none. What begins with a digit and is no path
// by its signs, as a time, is none, and neither is a pair, as of logfmt: its value may be a time.
func placeLen(line []byte) int {
	isPath := len(line) > 0 && (ascii.IsLetter(line[0]) || line[0] == '_')
	dashed := 0
	for i := 0; i < min(len(line), longestPlace); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			return dashed
		case c == '=' && bytes.IndexByte(line[:i], '/') < 0:
			return 0
		case c == '/' || c == '.' && i+1 < len(line) && ascii.IsLetter(line[i+1]):
			isPath = true
		case c == ':' && i == 1 && bytes.HasPrefix(line[i+1:], []byte{'\\'}): // of a drive
		case c == ':' && isPath:
			if end := numberBetween(line, i); end > 0 {
				return end
			}
			return dashed
		case c == '-' && isPath && dashed == 0:
			dashed = numberBetween(line, i)
		}
	}
	return dashed
}

// numberBetween returns the end of a number between two signs, the first of which is at i; 0 if none is there, or one
// that a line of a file does not have, as the minutes in 10:05:59.
func numberBetween(line []byte, i int) int {
	n := ascii.LeadingDigits(line[i+1:])
	if end := i + 1 + n; n > 0 && end < len(line) && line[end] == line[i] && (n == 1 || line[i+1] != '0') {
		return end + 1
	}
	return 0
}

// cutLen returns how many bytes of a text, at most most, end between characters.
func cutLen(text []byte, most int) int {
	if len(text) <= most {
		return len(text)
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}

// shortestPiece is the least of a piece of a long line, in bytes.
const shortestPiece = 80

// pieceLen returns the length of the next piece of a long line: up to a good place to break in the
// second half of longLine bytes, or all that is left.
func pieceLen(text []byte) int {
	if len(text) <= longLine {
		return len(text)
	}
	window := text[:cutLen(text, longLine)]
	if len(text) < longLine+shortestPiece { // what is left is two pieces
		window = text[:cutLen(text, len(text)-shortestPiece)]
	}
	for _, sign := range [...]string{`\n`, "}, ", "},", ". ", ", ", ",", " "} {
		if at := bytes.LastIndex(window, []byte(sign)); at+len(sign) >= shortestPiece {
			return at + len(sign)
		}
	}
	return len(window)
}
