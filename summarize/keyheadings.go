package summarize

import (
	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/structure"
)

const (
	maxKeyHeadings  = 8
	roomForHeadings = maxKeyHeadings * formats.LongestKey
)

// keyHeadings are the lines "limits:" that the current line is under, the outermost first: each has
// names further to the right under it, as in YAML.
type keyHeadings struct {
	used    int
	columns [maxKeyHeadings]int
	ends    [maxKeyHeadings]int // of their names, in text
	text    [roomForHeadings]byte
}

// see takes in a line, be it a heading of names, under one of those that are kept, or past them.
func (h *keyHeadings) see(line []byte) {
	end := len(line)
	for end > 0 && ascii.IsBlank(line[end-1]) {
		end--
	}
	if end == 0 || h.used == 0 && line[end-1] != ':' {
		return
	}
	column := indentOfName(line)
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
func (h *keyHeadings) start(i int) int {
	if i == 0 {
		return 0
	}
	return h.ends[i-1]
}

// leave drops the headings that a line in that column is not under.
func (h *keyHeadings) leave(column int) {
	for h.used > 0 && h.columns[h.used-1] >= column {
		h.used--
	}
}

// nearest returns the name of the heading that the current line is directly under, nil if there is
// none.
func (h *keyHeadings) nearest() []byte {
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

// placeInColumn returns the place of a name that begins in that column of the current line. A name
// under a heading, further to the right or left than the same name came first, is of a part of the
// record, and another field: limits.name. It is structure.NoNode if there is no room for it.
func (s *Summary) placeInColumn(column int, name []byte) (place int) {
	if place = s.placeOfKey(name, false); place == structure.NoNode {
		return structure.NoNode
	}
	f := &s.fields[place]
	if !f.IsKey {
		f.Column, f.Outermost = int32(column), place
	}
	if f.Column == int32(column) {
		return place
	}
	heading := s.headings.nearest()
	if heading == nil {
		return place
	}
	outermost := place
	s.nameBuf = append(append(append(s.nameBuf[:0], heading...), '.'), name...)
	if place = s.placeOfKey(s.nameBuf, false); place != structure.NoNode {
		s.fields[place].Column, s.fields[place].Outermost = int32(column), outermost
	}
	return place
}
