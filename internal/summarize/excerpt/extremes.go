package excerpt

import (
	"bytes"
	"math"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Bounds of extremes.
const (
	mostSignatures = 256 // of units, past which none is measured
	mostMeasured   = 12  // words of a unit
	leastMeasured  = 10  // numbers at a place, for one to be far from the others, and
	shareMeasured  = 0.2 // of all units
	mostRises      = 0.7 // of the numbers at a place that measure something are greater than the one before
	farOut         = 8.0 // standard deviations from the mean of the others
	longestNumber  = 12  // bytes: longer ones are identifiers
)

// extremes finds outliers among numbers. It compares the numbers at the same place of units that have the same
// sequence of names and numbers.
type extremes struct {
	units       int
	bySignature map[uint64]*[mostMeasured]moments
}

// moments are of the numbers at one place, by the method of Welford (1962).
type moments struct {
	n, mean, m2 float64
	most, last  float64
	rises       float64 // how often a number was greater than the one before
	seen        int     // far ones, in the second pass
	hasShown    bool    // the greatest one
}

func (m *moments) add(x float64) {
	if m.n++; m.n == 1 {
		m.most = x
	} else if x > m.last {
		m.rises++
	}
	m.most, m.last = max(m.most, x), x
	d := x - m.mean
	m.mean += d / m.n
	m.m2 += d * (x - m.mean)
}

// isFar reports whether x, which was added, is an outlier among the others. units is how many units there are in all: a
// place that few of them have tells nothing.
func (m *moments) isFar(x float64, units int) bool {
	if m.n < leastMeasured || m.n < shareMeasured*float64(units) {
		return false
	}
	mean := (m.n*m.mean - x) / (m.n - 1)
	m2 := m.m2 - (x-m.mean)*(x-mean)
	return m2 > 0 && math.Abs(x-mean) > farOut*math.Sqrt(m2/(m.n-1))
}

// isMost reports whether x is the greatest number of a place, the first of several, where numbers measure something:
// those of identifiers and times rise.
func (m *moments) isMost(x float64, units int) bool {
	if m.hasShown || x < m.most || m.n < leastMeasured || m.n < shareMeasured*float64(units) || m.m2 == 0 ||
		m.rises > mostRises*m.n {
		return false
	}
	m.hasShown = true
	return true
}

// signature returns a hash of the kinds of words of a unit, 0 if it has no number.
func signature(unit []byte, words []word) uint64 {
	hash, hasNumber := uint64(hashStart), false
	for _, w := range words {
		kind := uint64(1)
		if w.isNum {
			kind = 2
			if !hasNumber {
				_, hasNumber = measureOf(unit[w.from:w.to])
			}
		}
		hash = (hash ^ kind) * hashPrime
	}
	if !hasNumber {
		return 0
	}
	return hash
}

// measured returns the words of a unit that are looked at.
func measured(words []word) []word { return words[:min(len(words), mostMeasured)] }

// add takes a unit in.
func (e *extremes) add(unit []byte, words []word) {
	e.units++
	words = measured(words)
	signature := signature(unit, words)
	if signature == 0 {
		return
	}
	at := e.bySignature[signature]
	if at == nil {
		if len(e.bySignature) == mostSignatures {
			return
		}
		if e.bySignature == nil {
			e.bySignature = make(map[uint64]*[mostMeasured]moments)
		}
		at = new([mostMeasured]moments)
		e.bySignature[signature] = at
	}
	for i, w := range words {
		if !w.isNum {
			continue
		}
		if x, isNumber := measureOf(unit[w.from:w.to]); isNumber {
			at[i].add(x)
		}
	}
}

// look returns how many units have had an outlier at the same place so far in the second pass, this one included; 0 if
// this one has none. isMost says that it has the greatest number of a place.
func (e *extremes) look(unit []byte, words []word) (nth int, isMost bool) {
	words = measured(words)
	at := e.bySignature[signature(unit, words)]
	if at == nil {
		return 0, false
	}
	for i, w := range words {
		if !w.isNum {
			continue
		}
		x, isNumber := measureOf(unit[w.from:w.to])
		if !isNumber {
			continue
		}
		isMost = at[i].isMost(x, e.units) || isMost
		if at[i].isFar(x, e.units) {
			if at[i].seen++; nth == 0 || at[i].seen < nth {
				nth = at[i].seen
			}
		}
	}
	return nth, isMost
}

// measureOf parses a number, with or without a unit: "8.033", "83.3%", "12ms", "1,234". It refuses codes, versions,
// dates and addresses.
func measureOf(word []byte) (x float64, ok bool) {
	if len(word) == 0 || len(word) > longestNumber || !ascii.IsDigit(word[0]) {
		return 0, false
	}
	i, places := 0, -1.0
	for ; i < len(word); i++ {
		switch c := word[i]; {
		case ascii.IsDigit(c):
			x = 10*x + float64(c-'0')
			if places >= 0 {
				places++
			}
			continue
		case c == '.' && places < 0:
			places = 0
			continue
		case c == ',' && places < 0:
			continue
		}
		break
	}
	unit := word[i:]
	if len(bytes.TrimRight(unit, "%:;)]")) != ascii.LeadingLetters(unit) || word[0] == '0' && i > 1 && places < 0 {
		return 0, false
	}
	if places > 0 {
		x /= math.Pow(10, places)
	}
	return x, true
}
