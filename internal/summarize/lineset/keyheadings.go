package lineset

import (
	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
)

const (
	maxKeyHeadings  = 8
	roomForHeadings = maxKeyHeadings * formats.LongestKey
)

// KeyHeadings are the lines "limits:" that the current line is under, the outermost first: each has
// names further to the right under it, as in YAML.
type KeyHeadings struct {
	used    int
	columns [maxKeyHeadings]int
	ends    [maxKeyHeadings]int // of their names, in text
	text    [roomForHeadings]byte
}

// See takes in a line, be it a heading of names, under one of those that are kept, or past them.
func (h *KeyHeadings) See(line []byte) {
	end := len(line)
	for end > 0 && ascii.IsBlank(line[end-1]) {
		end--
	}
	if end == 0 || h.used == 0 && line[end-1] != ':' {
		return
	}
	column := IndentOfName(line)
	h.leave(column)
	if line[end-1] != ':' || h.used == maxKeyHeadings {
		return
	}
	name := line[min(column, end-1) : end-1]
	if len(name) == 0 || len(name) > formats.LongestKey || leadingName(name) < len(name) {
		return
	}
	h.columns[h.used] = column
	h.ends[h.used] = h.start(h.used) + copy(h.text[h.start(h.used):], name)
	h.used++
}

// start returns where the name of a heading begins.
func (h *KeyHeadings) start(i int) int {
	if i == 0 {
		return 0
	}
	return h.ends[i-1]
}

// leave drops the headings that a line in that column is not under.
func (h *KeyHeadings) leave(column int) {
	for h.used > 0 && h.columns[h.used-1] >= column {
		h.used--
	}
}

// Nearest returns the name of the heading that the current line is directly under, nil if there is
// none.
func (h *KeyHeadings) Nearest() []byte {
	if h.used == 0 {
		return nil
	}
	return h.text[h.start(h.used-1):h.ends[h.used-1]]
}

// leadingName returns how many bytes of text a name without blanks has.
func leadingName(text []byte) (n int) {
	for n < len(text) && formats.InKey[text[n]] && !ascii.IsBlank(text[n]) {
		n++
	}
	return n
}
