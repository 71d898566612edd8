package fields

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// areCodes reports whether the values are digits of one length, of which some begin with 0.
func (f *Field) areCodes() bool {
	if !f.Written.Literals.HasPadded || f.Shortest != f.Longest {
		return false
	}
	n := f.Numbers
	return f.Seen.Types[jsonx.Number] == 0 || len(n.Min.Literal) == f.Longest && len(n.Max.Literal) == f.Longest
}

// HasFractions says whether some number was no integer.
func (f *Field) HasFractions() bool { return f.Numbers.Sum.HasFractions() }

// numeral returns the number that a text is, in the unit of the field: rounded if the text has it in another one. It
// is not ok if the text is no number, or has a unit that can't be converted. What is returned is lent until the next
// call.
func (f *Written) numeral(text []byte) (number []byte, isRounded, ok bool) {
	if f.HasCommas && !f.isProse {
		if number, ok = value.ParseDecimalComma(text, &f.plain); ok {
			return number, false, true
		}
	}
	q, ok := value.ParseQuantity(text, &f.plain)
	if !ok || f.isProse {
		return nil, false, false
	}
	factor := 1.
	switch {
	case q.Number != nil && (f.Unit == nil || q.IsNone() || f.Unit.Name == string(q.Name)):
		return q.Number, false, true
	case f.Unit == nil:
	case !q.IsKnown || q.Dimension != f.Unit.Dimension:
		f.Literals.AreMixed = true
		return nil, false, false
	default:
		factor = q.Factor / f.Unit.Factor
	}
	f.converted = value.AppendRounded(f.converted[:0], q.Value*factor, convertedDigits)
	return f.converted, true, true
}

// learnUnit gives the field the unit of its first number that is not nothing.
func (f *Written) learnUnit(text []byte) {
	if q, ok := value.ParseQuantity(text, &f.plain); ok && !q.IsNone() {
		if !q.IsKnown {
			q.Unit = value.Unit{Name: string(q.Name)}
		}
		of := q.Unit
		f.Unit = &of
	}
}

// hasUnit says whether the numbers in the strings of a field have a unit.
func (f *Written) hasUnit() bool { return f.Unit != nil && f.Unit.Name != "" }

const convertedDigits = 12
