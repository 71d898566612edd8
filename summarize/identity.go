package summarize

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

// What stands out in a line that is a part of something is told with the line that says of what.

// identityLine is the last line that says which record the names and values after it are of: the first one of these whose values are
// nearly all different, or the line before the first of them, if that nearly always is another one.
type identityLine struct {
	key      uint64 // that it has, or the one after it; 0 for none
	values   int    // that have come
	number   int    // of the line
	indent   int
	text     []byte
	first    uint64 // the key of the first line that was a name and its value
	last     int    // number of the last line that was a name and its value
	keys     [keysOfIdentity]keyValues
	sections sections
}

// keyValues is how many values a name has, where a section is around it, and how many lines that are no name and value came before it.
type keyValues struct {
	key               uint64
	values, fresh     int // of these, those that were new when they came
	last, again       int // number of the last line that has it; how many came once more in a record
	leads, freshLeads int
}

const (
	leastOfIdentity   = 4   // values, nearly all different
	longestOfIdentity = 96  // bytes of a line,
	longestLead       = 160 // and of one that is no name and value
	mostUnderIdentity = 64  // lines
	keysOfIdentity    = 256 // names that are looked at
)

// see looks at a line that is a name and its value, the one of that number.
func (d *identityLine) see(name, value []byte, number int, line []byte, form int, o *outstanding) {
	isFirst := d.last != number-1
	d.last = number
	indent := indentOfName(line)
	k := d.valuesOf(sketch.Hash(name) ^ d.sections.around(indent)*sketch.PlaceFactor)
	if k == nil {
		return
	}
	if k.values++; d.first == 0 {
		d.first = k.key
	}
	if k.last > 0 && k.last == number-1 || d.key != 0 && d.key != k.key && k.last > d.number {
		k.again++
	}
	k.last = number
	if o.words.Add(sketch.Hash(value)^k.key*sketch.PlaceFactor, 1) == 1 {
		k.fresh++
	}
	isOther := o.before != nil && (o.before.form < 0 || o.before.form != form) // not two lines of one template
	if isFirst && isOther && d.leads(k, o.before.line.Of(o.before.bytes), number-1, indent, &o.words) {
		return
	}
	isLater := k.key == d.key || k.values > d.values // than what it is to replace, which is of another record then
	if text := bytes.TrimSpace(line); isLater && k.tellsApart() && len(text) <= longestOfIdentity {
		d.set(k.key, k.values, number, indent)
		d.text = append(d.text[:0], text...)
	} else if k.key == d.key || indent < d.indent {
		d.key = 0
	}
}

// tellsApart reports whether the values of a name tell records apart: they are different, and a
// record has one of them. Lines that begin with who wrote them, as those of many services, come
// one after another.
func (k *keyValues) tellsApart() bool {
	return areDifferent(k.values, k.fresh) && k.comesAlone()
}

// comesAlone reports whether a name hardly comes one line after another, or twice in a record.
func (k *keyValues) comesAlone() bool {
	return float64(k.values-k.again) >= fields.LeastShare*float64(k.values)
}

// isOfEach reports whether a name is one that most of so many records have, and have once.
func (k *keyValues) isOfEach(records int) bool {
	least := fields.LeastShare * float64(records)
	return float64(k.values) >= least/2 && fields.LeastShare*float64(k.values-1) <= float64(records) && k.comesAlone()
}

// tellsApart reports whether the name of a key, or the lines before it, still tell records apart.
func (d *identityLine) tellsApart(key uint64) bool {
	if k := d.keyed(key); k != nil && key != 0 {
		return k.tellsApart()
	}
	if k := d.keyed(^key); k != nil {
		return areDifferent(k.leads, k.freshLeads)
	}
	return true
}

// comesAlone reports whether the name of a key still comes once in a record.
func (d *identityLine) comesAlone(key uint64) bool {
	k := d.keyed(key)
	return k == nil || key == 0 || k.comesAlone()
}

// keyed returns what is known of the name of a key, nil if nothing is.
func (d *identityLine) keyed(key uint64) *keyValues {
	if k := &d.keys[key%keysOfIdentity]; k.key == key {
		return k
	}
	return nil
}

// valuesOf returns what is known of a name; nil if another one has its place.
func (d *identityLine) valuesOf(key uint64) *keyValues {
	k := &d.keys[key%keysOfIdentity]
	if k.key == 0 {
		k.key = key
	}
	if k.key != key {
		return nil
	}
	return k
}

// leads looks at the line before that of a name, which is none, and says whether it says which record that is of.
func (d *identityLine) leads(k *keyValues, line []byte, number, indent int, words *sketch.Counts) bool {
	text := bytes.TrimSpace(line)
	isDrawn := len(text) > 0 && strings.IndexByte("-+=", text[0]) >= 0 // between records
	if len(text) == 0 || indentOf(line) > indent || isDrawn || lineclass.HasVerdictOfSuccess(text) {
		return false
	}
	k.leads++
	if words.Add(sketch.Hash(line), 1) == 1 {
		k.freshLeads++
	}
	isLead := areDifferent(k.leads, k.freshLeads) && len(text) <= longestLead && float64(k.leads) >= fields.LeastShare*float64(k.values)
	if isLead {
		d.set(^k.key, k.leads, number, indentOf(line))
		d.text = d.text[:0]
		for word := range bytes.FieldsSeq(text) { // which may be under those of other leads
			d.text = append(append(d.text, word...), ' ')
		}
		d.text = d.text[:len(d.text)-1]
	}
	return isLead
}

func (d *identityLine) set(key uint64, values, number, indent int) {
	d.key, d.values, d.number, d.indent = key, values, number, indent
}

// areDifferent says whether so many values that were new when they came tell records apart.
func areDifferent(values, fresh int) bool {
	return values >= leastOfIdentity && float64(fresh) >= fields.LeastShare*float64(values)
}

// sections are the names without a value that a line is further in than, as YAML has them.
type sections struct {
	all   [maxSections]section
	count int
}

type section struct {
	indent int
	name   uint64 // hash of it
}

const maxSections = 16

// open takes in the line of a section.
func (o *sections) open(line []byte) {
	indent := indentOfName(line)
	if o.leave(indent); o.count < maxSections {
		o.all[o.count] = section{indent, sketch.Hash(bytes.TrimSpace(line))}
		o.count++
	}
}

// around is the name of the section that a line with that indent is in; 0 for none.
func (o *sections) around(indent int) uint64 {
	if o.leave(indent); o.count == 0 {
		return 0
	}
	return o.all[o.count-1].name
}

// leave leaves the sections that are not further out.
func (o *sections) leave(indent int) {
	for o.count > 0 && o.all[o.count-1].indent >= indent {
		o.count--
	}
}

// indentOfName is where the name that a line begins with is: what comes after a bullet is further in than that.
func indentOfName(line []byte) int {
	at := ascii.PastBlanks(line, 0)
	for at+1 < len(line) && line[at] == '-' && ascii.IsBlank(line[at+1]) {
		at = ascii.PastBlanks(line, at+1)
	}
	return at
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
	if s.has&(mask.Digit|mask.Letter) == 0 {
		s.out.identity.key = 0 // the lines of a record end
		if isBlankLine(line) {
			h.after = s.lines + 1
		}
		return
	}
	if s.lines != h.after {
		return
	}
	h.count++
	if s.out.words.Add(sketch.Hash(line), 1) == 1 {
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

// forgetIdentity is called for a line that is no name and its value: further out, or where nothing is indented, the lines of the record end.
// One that ends in the sign that comes after names is the name of what is under it, or of nothing.
func (s *Summary) forgetIdentity(line []byte) {
	d := &s.out.identity
	text := bytes.TrimRight(line, " \t")
	switch isName := len(text) > 0 && strings.IndexByte(":|=", text[len(text)-1]) >= 0; {
	case isName:
		d.sections.open(text)
	case d.key != 0 && indentOf(line) < max(1, d.indent):
		d.key = 0
	}
}

// isUnderIdentity says whether the line at hand, which may stand out and is no name and its value, is further in than what says which record
// it is of.
func (s *Summary) isUnderIdentity(line []byte) bool {
	h, d := &s.out.head, &s.out.identity
	if len(s.out.row.reasons) == 0 {
		return false
	}
	indent := indentOf(line)
	return indent > h.indent && h.identifies(line, s.lines) || d.key != 0 && indent > d.indent
}

// keepIdentity keeps the line that says which record the line at hand is of with that, if it may stand out.
func (s *Summary) keepIdentity(line []byte) {
	r, d, text, key := s.out.row, &s.out.identity, []byte(nil), uint64(0)
	switch {
	case s.out.head.identifies(line, s.lines):
		text = s.out.head.text
	case d.key != 0 && d.number < s.lines && s.lines-d.number <= mostUnderIdentity:
		text, key = d.text, d.key
	}
	if len(r.reasons) == 0 || areAlike(text, line) {
		return
	}
	if from := len(r.bytes); len(text) > 0 && from+len(text) <= rowCap {
		r.bytes = append(r.bytes, text...)
		r.identity, r.record = ascii.Span{From: from, To: len(r.bytes)}, key
	}
}

// isKnownUnderIdentity reports whether the current line, a name and its value, belongs to the
// record that the lines before it say: it is indented deeper, or its name is one that most records
// have. A name that hardly came may begin something else, as "curl: (28) timed out" does, unless
// the record begins with what identifies it.
func (s *Summary) isKnownUnderIdentity(name, line []byte) bool {
	h, d := &s.out.head, &s.out.identity
	indent := indentOfName(line)
	isOfHead := h.identifies(line, s.lines)
	if isOfHead && indent > h.indent || !isOfHead && indent > d.indent {
		return true
	}
	k := d.valuesOf(sketch.Hash(name) ^ d.sections.around(indent)*sketch.PlaceFactor)
	isFirst := !isOfHead && d.key == d.first
	if k == nil {
		return isFirst
	}
	s.out.row.name = k.key
	switch {
	case isFirst:
		return k.comesAlone()
	case isOfHead:
		return k.isOfEach(h.count)
	}
	return k.isOfEach(d.values)
}

// areAlike reports whether two lines read like lines of one template: as many words, three at
// least, and in more than half of the places the same one, or numbers. Neither says which record
// the other is of.
func areAlike(a, b []byte) bool {
	words, same := 0, 0
	for a, b = bytes.TrimSpace(a), bytes.TrimSpace(b); len(a) > 0 && len(b) > 0; words++ {
		var inA, inB []byte
		inA, a, _ = bytes.Cut(a, []byte{' '})
		inB, b, _ = bytes.Cut(b, []byte{' '})
		a, b = bytes.TrimLeft(a, " "), bytes.TrimLeft(b, " ")
		if bytes.Equal(inA, inB) || ascii.IsDigit(inA[0]) && ascii.IsDigit(inB[0]) {
			same++
		}
	}
	return len(a) == len(b) && words > 2 && 2*same > words
}
