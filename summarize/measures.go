package summarize

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/value"
)

const (
	maxMeasures     = 8
	linesOfMeasure  = 20 // at least,
	shareOfMeasure  = 20 // and of so many lines one
	lengthOfMeasure = len(`"":{"n":9999,"min":0,"max":99999,"mean":999.999},`)
)

// measure is what a number is of that stands beside the same word in lines of one form or of several: "length 1438", "took 12ms".
type measure struct {
	label    []byte
	numbers  int
	min, max float64
	sum      float64
	isUnit   bool // the label is one that stands in the word of the number
	isPart   bool // there may be others, in words that are not always one number
}

// measures returns those that most lines have: not what is the same in all of them. Lines that are
// told as a name and its value count for the labels that other lines have.
func (s *Summary) measures() (all []measure) {
	index := map[string]int{}
	var mixed [][]byte
	isCut := false          // some numbers are past what is read of a line
	hasFreeNumeral := false // some are in words that are any, with any unit
	for _, isKeyed := range [...]bool{false, true} {
		for i := range s.templates.All {
			t := &s.templates.All[i]
			if t.Count == 0 || s.isToldByKey(t) != isKeyed {
				continue
			}
			isCut = isCut || t.Cut
			hasFreeNumeral = hasFreeNumeral || slices.ContainsFunc(t.Words, drain.Word.IsFreeNumeral)
			labels, isPart := t.Labels()
			mixed = append(mixed, isPart...)
			for _, l := range labels {
				w := &t.Words[l.At]
				m, known := index[string(l.Label)]
				switch {
				case !known && isKeyed: // the facts of the key say it
					continue
				case !known:
					m = len(all)
					index[string(l.Label)] = m
					all = append(all, measure{label: l.Label, min: w.Low, max: w.High})
				}
				of := &all[m]
				of.isUnit = of.isUnit || bytes.HasSuffix(t.Word(l.At), l.Label)
				of.numbers += t.Count
				of.min, of.max, of.sum = min(of.min, w.Low), max(of.max, w.High), of.sum+w.Sum
			}
		}
	}
	for i := range all {
		m := &all[i]
		m.isPart = isCut || m.isUnit && hasFreeNumeral || s.templates.Others > 0 || slices.ContainsFunc(mixed, m.mayBe) ||
			slices.ContainsFunc(all[:i], func(of measure) bool { return m.mayBe(of.label) }) ||
			slices.ContainsFunc(all[i+1:], func(of measure) bool { return m.mayBe(of.label) })
	}
	all = slices.DeleteFunc(all, func(m measure) bool {
		return m.isID() || s.isToldAsKey(m.label) || m.numbers < linesOfMeasure || shareOfMeasure*m.numbers < s.lines
	})
	slices.SortStableFunc(all, func(a, b measure) int { return cmp.Compare(b.numbers, a.numbers) })
	return all[:min(len(all), maxMeasures)]
}

// mayBe reports whether a label may be of the same numbers: all words of one are words of the
// other, which may have a unit.
func (m *measure) mayBe(label []byte) bool {
	return hasWordsOf(m.label, label) || hasWordsOf(label, m.label) || bytes.HasPrefix(m.label, label) ||
		bytes.HasPrefix(label, m.label)
}

// hasWordsOf reports whether a label has all words of another one.
func hasWordsOf(label, of []byte) bool {
	for word := range bytes.FieldsSeq(of) {
		if !slices.ContainsFunc(bytes.Fields(label), func(w []byte) bool { return bytes.Equal(w, word) }) {
			return false
		}
	}
	return true
}

// isID says whether the numbers are all the same, hardly differ, or count the lines, as those of processes do.
func (m *measure) isID() bool {
	different := m.max - m.min + 1
	isSequence := m.max == math.Trunc(m.max) && math.Abs(different-float64(m.numbers)) < float64(m.numbers)/10
	return m.min == m.max || m.min > 0 && m.max-m.min < m.max*surprise.LeastWidth || isSequence
}

// isToldAsKey says whether the numbers beside a word are told as the values of that name.
func (s *Summary) isToldAsKey(label []byte) bool {
	place := s.paths.Find(s.paths.Keys, label, false)
	return s.paths.Keys != structure.RootNode && place != structure.NoNode && s.isToldKey(&s.fields[place])
}

// measures writes what is known of those that are shown. The mean is of a sum of rounded numbers.
func (o *object) measures(all []measure, isShown []bool) {
	if !slices.Contains(isShown, true) {
		return
	}
	const digits = 6
	o.open("measures")
	for i := range all {
		if m := &all[i]; isShown[i] {
			mark := ""
			if m.isPart {
				mark = "~"
			}
			o.open(ascii.LentString(jsonx.AppendCanonicalText(nil, m.label)))
			o.count("n"+mark, m.numbers)
			o.key("min" + mark)
			o.dst = strconv.AppendFloat(o.dst, m.min, 'f', -1, 64)
			o.key("max" + mark)
			o.dst = strconv.AppendFloat(o.dst, m.max, 'f', -1, 64)
			o.key("mean~")
			o.dst = value.AppendRounded(o.dst, m.sum/float64(m.numbers), digits)
			o.close()
		}
	}
	o.close()
}
