package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/summarize/ascii"
)

// What is written with digits need not be a number: a version, a code, an amount whose unit stands elsewhere.

// literals is what the spelling of the numbers of a field tells.
type literals struct {
	hasPaddedEnd bool  // some fraction of two digits or more ends with 0: 1.10
	decimals     uint8 // digits of the first fraction,
	isUneven     bool  // and another one has more or fewer
	hasPadded    bool  // some string is digits alone, with a 0 before them
	areMixed     bool  // some have a unit that others lack, or one that does not convert to theirs
	unitVaries   bool  // another field has the unit, and not always the same one
}

// add looks at one more number, as it is written.
func (l *literals) add(literal []byte) {
	point := bytes.IndexByte(literal, '.')
	if point < 0 {
		return
	}
	decimals := ascii.LeadingDigits(literal[point+1:])
	switch {
	case l.decimals == 0:
		l.decimals = uint8(min(decimals, 255))
	case int(l.decimals) != decimals:
		l.isUneven = true
	}
	l.hasPaddedEnd = l.hasPaddedEnd || decimals > 1 && literal[point+decimals] == '0'
}

// areVersions reports whether the numbers are versions, as 1.9 and 1.10 are beside each other: no order is theirs.
func (l *literals) areVersions() bool { return l.hasPaddedEnd && l.isUneven }

// addText looks at a string that is no number.
func (l *literals) addText(text []byte) {
	l.hasPadded = l.hasPadded || len(text) > 1 && text[0] == '0' && ascii.LeadingDigits(text) == len(text)
}

// areCodes reports whether the values are digits of one length, of which some begin with 0.
func (f *field) areCodes() bool {
	if !f.literals.hasPadded || f.shortest != f.longest {
		return false
	}
	n := f.numbers
	return f.types[kindNumber] == 0 || len(n.min.literal) == f.longest && len(n.max.literal) == f.longest
}

// judgeLiterals finds the numbers that are none by the names of their fields, or of those beside them.
func (s *Summary) judgeLiterals() {
	for id := range s.fields {
		f, name := &s.fields[id], s.paths.nodes[id].name
		if f.numbers != nil && endsInWord(name, "version") && f.literals.decimals > 0 {
			f.literals.hasPaddedEnd, f.literals.isUneven = true, true
		}
		of, isUnit := nameBeforeUnit(name)
		if !isUnit || f.isExact() && len(f.counts.entries) < 2 || f.numbers != nil {
			continue
		}
		for other := range s.fields {
			if n := &s.paths.nodes[other]; other != id && n.parent == s.paths.nodes[id].parent && isAmountName(n.name, of) {
				s.fields[other].literals.unitVaries = true
			}
		}
	}
}

// nameBeforeUnit returns what is before "unit" in the name of a field, without what joins them.
func nameBeforeUnit(name []byte) (of []byte, isUnit bool) {
	for _, end := range []string{"units", "unit"} {
		if endsInWord(name, end) {
			return bytes.TrimRight(name[:len(name)-len(end)], "_-. "), true
		}
	}
	return nil, false
}

// isAmountName reports whether a field has the amount of which another one, named after it, has the unit.
func isAmountName(name, of []byte) bool {
	if len(of) > 0 {
		return bytes.EqualFold(name, of) ||
			len(name) > len(of) && bytes.EqualFold(name[:len(of)], of) && endsInWord(name, "value")
	}
	names := []string{"value", "amount", "quantity", "qty", "size", "duration", "number", "measurement"}
	return slices.ContainsFunc(names, func(end string) bool { return endsInWord(name, end) })
}

// endsInWord reports whether a name ends in a word, which begins the name, or with a capital letter, or after a sign.
func endsInWord(name []byte, word string) bool {
	at := len(name) - len(word)
	if at < 0 || !bytes.EqualFold(name[at:], []byte(word)) {
		return false
	}
	return at == 0 || !ascii.IsLetter(name[at-1]) || ascii.IsUpper(name[at]) && !ascii.IsUpper(name[at-1])
}

// decimalComma reads a number with a comma before its fraction: 30,374.
func decimalComma(text []byte, buffer *[]byte) (number []byte, ok bool) {
	whole, fraction, found := bytes.Cut(text, []byte{','})
	if !found || len(fraction) == 0 || ascii.LeadingDigits(fraction) < len(fraction) ||
		numeralLen(whole) != len(whole) || bytes.IndexByte(whole, '.') >= 0 {
		return nil, false
	}
	*buffer = append(append(append((*buffer)[:0], whole...), '.'), fraction...)
	return *buffer, len(*buffer) <= maxLiteralLen
}
