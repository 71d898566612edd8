package terminal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Screen writes text to a terminal. Control characters are made visible, as what a tool answers must not move the
// cursor or ask the terminal for something; colours (SGR, ECMA-48 8.3.117) stay up to the end of their line. What kfw
// says, and the numbers of lines, are dimmed, unless NO_COLOR is set.
type Screen struct {
	to      io.Writer
	isPlain bool
	isInner bool // the last write ended within a line
	text    []byte
}

// NewScreen returns a writer of text to a terminal. console is the terminal itself; nil if what to says is shown elsewhere.
func NewScreen(to io.Writer, console *os.File) *Screen {
	s := &Screen{to: to, isPlain: os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"}
	if console != nil && !s.isPlain {
		s.isPlain = !obeys(console.Fd())
	}
	return s
}

// Write implements io.Writer.
func (s *Screen) Write(p []byte) (int, error) {
	s.text = s.text[:0]
	for line := range bytes.Lines(p) {
		s.appendLine(line)
	}
	if _, err := s.to.Write(s.text); err != nil {
		return 0, err
	}
	return len(p), nil
}

const (
	dim   = "\x1b[2m"
	reset = "\x1b[0m"
)

func (s *Screen) appendLine(line []byte) {
	own := 0
	if !s.isPlain && !s.isInner {
		own = ownLen(line)
	}
	end := endOfText(line)
	if own > 0 {
		s.text = append(s.text, dim...)
		s.appendVisible(line[:own])
		s.text = append(s.text, reset...)
	}
	if hasColour := s.appendVisible(line[own:end]); hasColour {
		s.text = append(s.text, reset...)
	}
	s.text = append(s.text, line[end:]...)
	s.isInner = end == len(line)
}

// endOfText returns where the end of a line begins: LF or CR LF.
func endOfText(line []byte) int {
	text, isWhole := bytes.CutSuffix(line, []byte{'\n'})
	if !isWhole {
		return len(line)
	}
	return len(bytes.TrimSuffix(text, []byte{'\r'}))
}

// ownLen returns the length of what kfw itself says at the beginning of a line: all of a statement, or a number.
func ownLen(line []byte) int {
	for _, begin := range [...]string{"kfw: ", "= ", "… "} {
		if bytes.HasPrefix(line, []byte(begin)) {
			return endOfText(line)
		}
	}
	if n := ascii.LeadingDigits(line); n > 0 && bytes.HasPrefix(line[n:], []byte(": ")) {
		return n + len(":")
	}
	return 0
}

// appendVisible appends a text with its control characters made visible, and reports whether it has colours.
func (s *Screen) appendVisible(text []byte) (hasColour bool) {
	for i := 0; i < len(text); {
		if n := colourLen(text[i:]); n > 0 {
			if !s.isPlain {
				s.text = append(s.text, text[i:i+n]...)
				hasColour = true
			}
			i += n
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 {
			s.text = fmt.Appendf(s.text, "[U+%04X]", r)
		} else {
			s.text = append(s.text, text[i:i+size]...)
		}
		i += size
	}
	return hasColour
}

// colourLen returns the length of the control sequence for colours that a text begins with, 0 if there is none.
func colourLen(text []byte) int {
	if !bytes.HasPrefix(text, []byte("\x1b[")) {
		return 0
	}
	for i := len("\x1b["); i < len(text); i++ {
		switch c := text[i]; {
		case c == 'm':
			return i + 1
		case !ascii.IsDigit(c) && c != ';' && c != ':':
			return 0
		}
	}
	return 0
}
