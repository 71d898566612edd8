package summarize

import (
	"math"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/value"
)

// areCodes reports whether the values are digits of one length, of which some begin with 0.
func (f *field) areCodes() bool {
	if !f.literals.HasPadded || f.shortest != f.longest {
		return false
	}
	n := f.numbers
	return f.types[jsonx.Number] == 0 || len(n.Min.Literal) == f.longest && len(n.Max.Literal) == f.longest
}

// judgeLiterals finds the numbers that are none by the names of their fields, or of those beside them.
func (s *Summary) judgeLiterals() {
	for id := range s.fields {
		f, name := &s.fields[id], s.paths.Nodes[id].Name
		if f.numbers != nil && value.EndsInWord(name, "version") && f.literals.Decimals > 0 {
			f.literals.HasPaddedEnd, f.literals.IsUneven = true, true
		}
		of, isUnit := value.NameBeforeUnit(name)
		if !isUnit || f.isExact() && len(f.counts.entries) < 2 || f.numbers != nil {
			continue
		}
		for other := range s.fields {
			if n := &s.paths.Nodes[other]; other != id && n.Parent == s.paths.Nodes[id].Parent && value.IsAmountName(n.Name, of) {
				s.fields[other].literals.UnitVaries = true
			}
		}
	}
}

// hasFractions says whether some number was no integer.
func (f *field) hasFractions() bool { return f.numbers.Sum.HasFractions() }

// startQuantiles begins the sketch with the numbers counted so far, or a sample of them if there is no room for it.
func (f *field) startQuantiles(room *int) {
	numbers, isWhole := f.countedNumbers()
	if !isWhole || len(numbers) == 0 {
		return
	}
	if *room >= sketch.QuantilesSize {
		if q := sketch.NewQuantiles(numbers); q.Size() <= *room {
			f.numbers.Quantiles = q
			*room -= q.Size()
			return
		}
	}
	f.numbers.Sample = sketch.NewSample(numbers)
}

// countedNumbers are those among the values that are counted; isWhole is false when one is not known whole, or too large.
func (f *field) countedNumbers() (numbers []sketch.Counted, isWhole bool) {
	isWhole = true
	for _, e := range f.counts.entries {
		switch n, ok := f.numberIn(e.text); {
		case !ok:
		case e.cut || math.IsInf(n, 0) || math.IsNaN(n):
			isWhole = false
		default:
			numbers = append(numbers, sketch.Counted{Number: n, Count: e.count})
		}
	}
	return numbers, isWhole
}

// numberIn returns the number that a value of the field is, be it written as a string.
func (f *field) numberIn(v []byte) (number float64, ok bool) {
	literal := v
	switch jsonx.KindOf(v[0]) {
	case jsonx.Number:
	case jsonx.String:
		if literal, _, ok = f.numeral(jsonx.Inside(v)); !ok {
			return 0, false
		}
	default:
		return 0, false
	}
	return value.ParseFloat(literal), true
}

// numeral returns the number that a text is, in the unit of the field: rounded if the text has it in another one. It is not ok if
// the text is no number, or has a unit that can't be converted. What is returned is lent until the next call.
func (f *field) numeral(text []byte) (number []byte, isRounded, ok bool) {
	if f.hasCommas && !f.isProse {
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
	case q.Number != nil && (f.unit == nil || q.IsNone() || f.unit.Name == string(q.Name)):
		return q.Number, false, true
	case f.unit == nil:
	case !q.IsKnown || q.Dimension != f.unit.Dimension:
		f.literals.AreMixed = true
		return nil, false, false
	default:
		factor = q.Factor / f.unit.Factor
	}
	f.converted = value.AppendRounded(f.converted[:0], q.Value*factor, convertedDigits)
	return f.converted, true, true
}

// learnUnit gives the field the unit of its first number that is not nothing.
func (f *field) learnUnit(text []byte) {
	if q, ok := value.ParseQuantity(text, &f.plain); ok && !q.IsNone() {
		if !q.IsKnown {
			q.Unit = value.Unit{Name: string(q.Name)}
		}
		of := q.Unit
		f.unit = &of
	}
}

// hasUnit says whether the numbers in the strings of a field have a unit.
func (f *field) hasUnit() bool { return f.unit != nil && f.unit.Name != "" }

const convertedDigits = 12
