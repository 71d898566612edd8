package fields

import (
	"bytes"
	"slices"
)

// Which measures are shown.
const (
	MaxMeasures    = 8  // those that most lines have
	LinesOfMeasure = 20 // lines that have it at least,
	ShareOfMeasure = 20 // and one in so many of all
	// bytes that a measure takes in the facts, without its label
	LengthOfMeasure = len(`"":{"n":9999,"min":0,"max":99999,"mean":999.999},`)
)

// Measure is what a number is of that stands beside the same word in lines of one template or of several: "length
// 1438", "took 12ms".
type Measure struct {
	Label    []byte
	Numbers  int
	Min, Max float64
	Sum      float64
	IsUnit   bool // the label is one that stands in the word of the number
	IsPart   bool // there may be others, in words that are not always one number
}

// MayBe reports whether a label may be of the same numbers: all words of one are words of the
// other, which may have a unit.
func (m *Measure) MayBe(label []byte) bool {
	return hasWordsOf(m.Label, label) || hasWordsOf(label, m.Label) || bytes.HasPrefix(m.Label, label) ||
		bytes.HasPrefix(label, m.Label)
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

// leastSpread is between which numbers of a measure are at least, as a share of them.
const leastSpread = .002

// IsID says whether the numbers are all the same, hardly differ, or count the lines, as those of processes do.
func (m *Measure) IsID() bool {
	return m.Min == m.Max || m.Min > 0 && m.Max-m.Min < m.Max*leastSpread ||
		countsUp(m.Min, m.Max, m.Numbers)
}
