package outlier

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

// identityLine is the last line that says which record the names and values after it are of: the first one of these
// whose values are nearly all different, or the line before the first of them, if that nearly always is another one.
type identityLine struct {
	Key      uint64 // that it has, or the one after it; 0 for none
	Values   int    // that have come
	Number   int    // of the line
	Indent   int
	Text     []byte
	First    uint64 // the key of the first line that was a name and its value
	last     int    // number of the last line that was a name and its value
	keys     [keysOfIdentity]keyValues
	Sections sections
}

// keyValues is how many values a name has, where a section is around it, and how many lines that are no name and
// value came before it.
type keyValues struct {
	Key               uint64
	values, fresh     int // of these, those that were new when they came
	last, again       int // number of the last line that has it; how many came once more in a record
	leads, freshLeads int
}

const (
	leastOfIdentity   = 4   // values, nearly all different
	LongestOfIdentity = 96  // bytes of a line,
	longestLead       = 160 // and of one that is no name and value
	MostUnderIdentity = 64  // lines
	keysOfIdentity    = 256 // names that are looked at
)

// See looks at a line that is a name and its value, the one of that number.
func (d *identityLine) See(name, value []byte, number int, line []byte, form int, o *Candidates) {
	isFirst := d.last != number-1
	d.last = number
	indent := IndentOfName(line)
	k := d.ValuesOf(sketch.Hash(name) ^ d.Sections.Around(indent)*sketch.PlaceFactor)
	if k == nil {
		return
	}
	if k.values++; d.First == 0 {
		d.First = k.Key
	}
	if k.last > 0 && k.last == number-1 || d.Key != 0 && d.Key != k.Key && k.last > d.Number {
		k.again++
	}
	k.last = number
	if o.Words.Add(sketch.Hash(value)^k.Key*sketch.PlaceFactor, 1) == 1 {
		k.fresh++
	}
	isOther := o.Before != nil && (o.Before.Form < 0 || o.Before.Form != form) // not two lines of one template
	if isFirst && isOther && d.leads(k, o.Before.Line.Of(o.Before.Bytes), number-1, indent, &o.Words) {
		return
	}
	isLater := k.Key == d.Key || k.values > d.Values // than what it is to replace, which is of another record then
	if text := bytes.TrimSpace(line); isLater && k.tellsApart() && len(text) <= LongestOfIdentity {
		d.set(k.Key, k.values, number, indent)
		d.Text = append(d.Text[:0], text...)
	} else if k.Key == d.Key || indent < d.Indent {
		d.Key = 0
	}
}

// tellsApart reports whether the values of a name tell records apart: they are different, and a
// record has one of them. Lines that begin with who wrote them, as those of many services, come
// one after another.
func (k *keyValues) tellsApart() bool {
	return AreDifferent(k.values, k.fresh) && k.ComesAlone()
}

// ComesAlone reports whether a name hardly comes one line after another, or twice in a record.
func (k *keyValues) ComesAlone() bool {
	return float64(k.values-k.again) >= fields.LeastShare*float64(k.values)
}

// IsOfEach reports whether a name is one that most of so many records have, and have once.
func (k *keyValues) IsOfEach(records int) bool {
	least := fields.LeastShare * float64(records)
	return float64(k.values) >= least/2 && fields.LeastShare*float64(k.values-1) <= float64(records) && k.ComesAlone()
}

// TellsApart reports whether the name of a key, or the lines before it, still tell records apart.
func (d *identityLine) TellsApart(key uint64) bool {
	if k := d.keyed(key); k != nil && key != 0 {
		return k.tellsApart()
	}
	if k := d.keyed(^key); k != nil {
		return AreDifferent(k.leads, k.freshLeads)
	}
	return true
}

// ComesAlone reports whether the name of a key still comes once in a record.
func (d *identityLine) ComesAlone(key uint64) bool {
	k := d.keyed(key)
	return k == nil || key == 0 || k.ComesAlone()
}

// keyed returns what is known of the name of a key, nil if nothing is.
func (d *identityLine) keyed(key uint64) *keyValues {
	if k := &d.keys[key%keysOfIdentity]; k.Key == key {
		return k
	}
	return nil
}

// ValuesOf returns what is known of a name; nil if another one has its place.
func (d *identityLine) ValuesOf(key uint64) *keyValues {
	k := &d.keys[key%keysOfIdentity]
	if k.Key == 0 {
		k.Key = key
	}
	if k.Key != key {
		return nil
	}
	return k
}

// leads looks at the line before that of a name, which is none, and says whether it says which record that is of.
func (d *identityLine) leads(k *keyValues, line []byte, number, indent int, words *sketch.Counts) bool {
	text := bytes.TrimSpace(line)
	isDrawn := len(text) > 0 && strings.IndexByte("-+=", text[0]) >= 0 // between records
	if len(text) == 0 || IndentOf(line) > indent || isDrawn || lineclass.HasVerdictOfSuccess(text) {
		return false
	}
	k.leads++
	if words.Add(sketch.Hash(line), 1) == 1 {
		k.freshLeads++
	}
	isLead := AreDifferent(k.leads, k.freshLeads) && len(text) <= longestLead &&
		float64(k.leads) >= fields.LeastShare*float64(k.values)
	if isLead {
		d.set(^k.Key, k.leads, number, IndentOf(line))
		d.Text = d.Text[:0]
		for word := range bytes.FieldsSeq(text) { // which may be under those of other leads
			d.Text = append(append(d.Text, word...), ' ')
		}
		d.Text = d.Text[:len(d.Text)-1]
	}
	return isLead
}

func (d *identityLine) set(key uint64, values, number, indent int) {
	d.Key, d.Values, d.Number, d.Indent = key, values, number, indent
}

// AreDifferent says whether so many values that were new when they came tell records apart.
func AreDifferent(values, fresh int) bool {
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

// Open takes in the line of a section.
func (o *sections) Open(line []byte) {
	indent := IndentOfName(line)
	if o.leave(indent); o.count < maxSections {
		o.all[o.count] = section{indent, sketch.Hash(bytes.TrimSpace(line))}
		o.count++
	}
}

// Around is the name of the section that a line with that indent is in; 0 for none.
func (o *sections) Around(indent int) uint64 {
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

// IndentOfName is where the name that a line begins with is: what comes after a bullet is further in than that.
func IndentOfName(line []byte) int {
	at := ascii.PastBlanks(line, 0)
	for at+1 < len(line) && line[at] == '-' && ascii.IsBlank(line[at+1]) {
		at = ascii.PastBlanks(line, at+1)
	}
	return at
}

// blockHead is the first line after a blank one, which says what the lines under it are of: a resource of a plan, a
// commit, a pod.
type blockHead struct {
	After        int // number of the blank line
	Text         []byte
	Number       int // of the line
	Indent       int
	Count, Fresh int // heads, and those that were new when they came
}

const LongestHead = 80 // bytes

// Identifies says whether the head says which block the current line is in, and is further out or as far: those of
// most blocks are different.
func (h *blockHead) Identifies(line []byte, number int) bool {
	isOfBlock := h.Number == h.After+1 && h.Number < number && number-h.Number <= MostUnderIdentity &&
		h.Indent <= IndentOf(line)
	return isOfBlock && h.Count >= leastOfIdentity && 2*h.Fresh >= h.Count && len(h.Text) <= LongestHead
}

// AreAlike reports whether two lines read like lines of one template: as many words, three at
// least, and in more than half of the places the same one, or numbers. Neither says which record
// the other is of.
func AreAlike(a, b []byte) bool {
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
