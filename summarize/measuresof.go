package summarize

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/drain"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// findMeasures returns those that most lines have: not what is the same in all of them. Lines that are
// told as a name and its value count for the labels that other lines have.
func (s *teller) findMeasures() (all []fields.Measure) {
	index := map[string]int{}
	var mixed [][]byte
	isCut := false          // some numbers are past what is read of a line
	hasFreeNumeral := false // some are in words that are any, with any unit
	for _, isKeyed := range [...]bool{false, true} {
		for i := range s.text.Templates.All {
			t := &s.text.Templates.All[i]
			if t.Count == 0 || s.lines.isShownByKey(t) != isKeyed {
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
					all = append(all, fields.Measure{Label: l.Label, Min: w.Low, Max: w.High})
				}
				of := &all[m]
				of.IsUnit = of.IsUnit || bytes.HasSuffix(t.Word(l.At), l.Label)
				of.Numbers += t.Count
				of.Min, of.Max, of.Sum = min(of.Min, w.Low), max(of.Max, w.High), of.Sum+w.Sum
			}
		}
	}
	for i := range all {
		m := &all[i]
		m.IsPart = isCut || m.IsUnit && hasFreeNumeral || s.text.Templates.Others > 0 ||
			slices.ContainsFunc(mixed, m.MayBe) ||
			slices.ContainsFunc(all[:i], func(of fields.Measure) bool { return m.MayBe(of.Label) }) ||
			slices.ContainsFunc(all[i+1:], func(of fields.Measure) bool { return m.MayBe(of.Label) })
	}
	all = slices.DeleteFunc(all, func(m fields.Measure) bool {
		return m.IsID() || s.isShownAsKey(m.Label) || m.Numbers < fields.LinesOfMeasure ||
			fields.ShareOfMeasure*m.Numbers < s.text.Count
	})
	slices.SortStableFunc(all, func(a, b fields.Measure) int { return cmp.Compare(b.Numbers, a.Numbers) })
	return all[:min(len(all), fields.MaxMeasures)]
}

// isShownAsKey says whether the numbers beside a word are shown as the values of that name.
func (s *teller) isShownAsKey(label []byte) bool {
	place := s.places.Paths.Find(s.places.Paths.Keys, label, false)
	return s.places.Paths.Keys != structure.RootNode && place != structure.NoNode &&
		s.lines.isShownKey(&s.places.Fields[place])
}

// measures writes what is known of those that are shown. The mean is of a sum of rounded numbers.
func (o tree) measures(all []fields.Measure, isShown []bool) {
	if !slices.Contains(isShown, true) {
		return
	}
	const digits = 6
	o.Open(facts.Measures)
	for i := range all {
		if m := &all[i]; isShown[i] {
			o.OpenNamed(jsonx.AppendCanonicalText(nil, m.Label))
			o.AreEstimates = m.IsPart
			o.Count(facts.MeasureCount, m.Numbers)
			o.Add(facts.MeasureMin)
			o.Text = strconv.AppendFloat(o.Text, m.Min, 'f', -1, 64)
			o.Add(facts.MeasureMax)
			o.Text = strconv.AppendFloat(o.Text, m.Max, 'f', -1, 64)
			o.Add(facts.MeasureMean)
			o.Text = value.AppendRounded(o.Text, m.Sum/float64(m.Numbers), digits)
			o.AreEstimates = false
			o.Close()
		}
	}
	o.Close()
}
