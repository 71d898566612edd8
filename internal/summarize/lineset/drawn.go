package lineset

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/texttable"
)

// IsDrawn says whether a line is drawn: it rules a table, or stands above or below one.
func IsDrawn(line []byte) bool {
	return len(line) > 0 && (line[0] == '+' || line[0] == '-' || line[0] == '=' || line[0] == "─"[0]) &&
		texttable.IsRule(line)
}

// IsBlankLine says whether a line has nothing but white space.
func IsBlankLine(line []byte) bool {
	if len(line) > 0 && ' ' < line[0] && line[0] < 0x7f {
		return false // as most lines
	}
	return len(bytes.TrimSpace(line)) == 0
}

// IndentOfName returns where the name begins in a line that may have the dashes of a list before it.
func IndentOfName(line []byte) int {
	at := ascii.PastBlanks(line, 0)
	for at+1 < len(line) && line[at] == '-' && ascii.IsBlank(line[at+1]) {
		at = ascii.PastBlanks(line, at+1)
	}
	return at
}
