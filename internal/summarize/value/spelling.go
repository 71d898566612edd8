package value

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// elsewhere.

// Spelling is what the spelling of the numbers of a field tells.
type Spelling struct {
	HasPaddedEnd bool  // some fraction of two digits or more ends with 0: 1.10
	Decimals     uint8 // digits of the first fraction,
	IsUneven     bool  // and another one has more or fewer
	HasPadded    bool  // some string is digits alone, with a 0 before them
	AreMixed     bool  // some have a unit that others lack, or one that does not convert to theirs
	UnitVaries   bool  // another field has the unit, and not always the same one
}

// Add looks at one more number, as it is written.
func (l *Spelling) Add(literal []byte) {
	point := bytes.IndexByte(literal, '.')
	if point < 0 {
		return
	}
	decimals := ascii.LeadingDigits(literal[point+1:])
	switch {
	case l.Decimals == 0:
		l.Decimals = uint8(min(decimals, 255))
	case int(l.Decimals) != decimals:
		l.IsUneven = true
	}
	l.HasPaddedEnd = l.HasPaddedEnd || decimals > 1 && literal[point+decimals] == '0'
}

// AreVersions reports whether the numbers are versions, as 1.9 and 1.10 are beside each other: no
// order is theirs.
func (l *Spelling) AreVersions() bool { return l.HasPaddedEnd && l.IsUneven }

// AddText looks at a string that is no number.
func (l *Spelling) AddText(text []byte) {
	l.HasPadded = l.HasPadded || len(text) > 1 && text[0] == '0' && ascii.LeadingDigits(text) == len(text)
}

// NameBeforeUnit returns what is before "unit" in the name of a field, without what joins them.
func NameBeforeUnit(name []byte) (of []byte, isUnit bool) {
	for _, end := range []string{"units", "unit"} {
		if EndsInWord(name, end) {
			return bytes.TrimRight(name[:len(name)-len(end)], "_-. "), true
		}
	}
	return nil, false
}

// IsAmountName reports whether a field has the amount of which another one, named after it, has the
// unit.
func IsAmountName(name, of []byte) bool {
	if len(of) > 0 {
		return bytes.EqualFold(name, of) ||
			len(name) > len(of) && bytes.EqualFold(name[:len(of)], of) && EndsInWord(name, "value")
	}
	names := []string{"value", "amount", "quantity", "qty", "size", "duration", "number", "measurement"}
	return slices.ContainsFunc(names, func(end string) bool { return EndsInWord(name, end) })
}

// EndsInWord reports whether a name ends in a word, which begins the name, or with a capital
// letter, or after a sign.
func EndsInWord(name []byte, word string) bool {
	at := len(name) - len(word)
	if at < 0 || !bytes.EqualFold(name[at:], []byte(word)) {
		return false
	}
	return at == 0 || !ascii.IsLetter(name[at-1]) || ascii.IsUpper(name[at]) && !ascii.IsUpper(name[at-1])
}

// ParseDecimalComma reads a number with a comma before its fraction: 30,374.
func ParseDecimalComma(text []byte, buffer *[]byte) (number []byte, ok bool) {
	whole, fraction, found := bytes.Cut(text, []byte{','})
	if !found || len(fraction) == 0 || ascii.LeadingDigits(fraction) < len(fraction) ||
		numeralLen(whole) != len(whole) || bytes.IndexByte(whole, '.') >= 0 {
		return nil, false
	}
	*buffer = append(append(append((*buffer)[:0], whole...), '.'), fraction...)
	return *buffer, len(*buffer) <= maxLiteralLen
}
