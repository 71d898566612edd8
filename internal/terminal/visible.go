// Package terminal shows people what kfw says beside a response: text, lines of JSON, and how far a run is.
//
// In go texts that somebody else chose: names of files, arguments, messages of errors. Out come texts without what
// any rule of package redact matches, whatever the flags say, and without characters that a terminal obeys.
package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/kfw-dev/kfw/internal/hidden"
)

// Printable returns text as a terminal shows it and does not obey; a dash if it is empty.
func Printable(text string) string {
	if text == "" {
		return "-"
	}
	return visible(text)
}

// visible returns a text that a terminal shows and does not obey: hidden characters by their numbers, as in a response,
// and U+FFFD for all others that are not printed.
func visible(text string) string {
	shown, _ := hidden.Show(nil, []byte(text), false, false)
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, string(shown))
}

// VisibleLines returns the lines of a text as a terminal shows them and does not obey.
func VisibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n")
}

// WriteJSON writes a line of JSON that a terminal shows and does not obey. It escapes what is not printed, and each
// variation selector, so that a program reads what was there.
func WriteJSON(w io.Writer, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, r := range string(line) {
		if unicode.IsPrint(r) && !unicode.Is(unicode.Variation_Selector, r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}
