package summarize

import (
	"bytes"
	"strings"
)

// What stands out in a line that is a part of something is told with the line that says of what.

// identityLine is the last line whose value says which record the names and values after it are of: the first one of those whose
// values are all different.
type identityLine struct {
	place  int // of its name; 0 for none
	values int // that have come
	number int // of the line
	indent int
	text   []byte
}

const (
	leastOfIdentity   = 4  // values, all different
	longestOfIdentity = 64 // bytes of a line
	mostUnderIdentity = 64 // lines
)

// see looks at a line that is a name and its value.
func (d *identityLine) see(f *field, place, number int, line []byte) {
	isLater := place == d.place || f.values > d.values // than what it is to replace, which is of another record then
	text := bytes.TrimSpace(line)
	if f.values < leastOfIdentity || f.fresh < f.values || !isLater || len(text) > longestOfIdentity {
		if place == d.place || indentOf(line) < d.indent {
			d.place = 0
		}
		return
	}
	*d = identityLine{place, f.values, number, indentOf(line), append(d.text[:0], text...)}
}

// blockHead is the first line after a blank one, which says what the lines under it are of: a resource of a plan, a commit, a pod.
type blockHead struct {
	after        int // number of the blank line
	text         []byte
	number       int // of the line
	indent       int
	count, fresh int // heads, and those that were new when they came
}

const longestHead = 80 // bytes

// seeHead keeps the line at hand, the next one to be counted, if it is the head of a block.
func (s *Summary) seeHead(line []byte) {
	h := &s.out.head
	if s.has&(digit|letter) == 0 {
		s.out.identity.place = 0 // the lines of a record end
		if isBlankLine(line) {
			h.after = s.lines + 1
		}
		return
	}
	if s.lines != h.after {
		return
	}
	h.count++
	if s.out.words.add(hashOf(line), 1) == 1 {
		h.fresh++
	}
	h.number, h.indent = s.lines+1, indentOf(line)
	h.text = append(h.text[:0], bytes.TrimSpace(line[:min(len(line), h.indent+longestHead+1)])...)
}

// identifies says whether the head says which block the line at hand is in, and is further out or as far: those of most blocks are
// different.
func (h *blockHead) identifies(line []byte, number int) bool {
	isOfBlock := h.number == h.after+1 && h.number < number && number-h.number <= mostUnderIdentity && h.indent <= indentOf(line)
	return isOfBlock && h.count >= leastOfIdentity && 2*h.fresh >= h.count && len(h.text) <= longestHead
}

// forgetIdentity is called for a line that is no name and its value: on the same level, the lines of the record end. One that ends in the
// sign that comes after names is the name of what is under it, or of nothing.
func (s *Summary) forgetIdentity(line []byte) {
	d := &s.out.identity
	text := bytes.TrimRight(line, " \t")
	isName := len(text) > 0 && strings.IndexByte(":|=", text[len(text)-1]) >= 0
	if d.place != 0 && !isName && indentOf(line) <= d.indent {
		d.place = 0
	}
}

// keepIdentity keeps the line that says which record the line at hand is of with that, if it may stand out.
func (s *Summary) keepIdentity(line []byte) {
	r, d, text := s.out.row, &s.out.identity, []byte(nil)
	switch {
	case s.out.head.identifies(line, s.lines):
		text = s.out.head.text
	case d.place != 0 && d.number < s.lines && s.lines-d.number <= mostUnderIdentity:
		text = d.text
	}
	if from := len(r.bytes); len(r.reasons) > 0 && len(text) > 0 && from+len(text) <= rowCap {
		r.bytes = append(r.bytes, text...)
		r.identity = span{from, len(r.bytes)}
	}
}
