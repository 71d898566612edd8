package budget

// Measure returns what a part of a text adds to the tokens of the whole: a fraction where the counter rounds a whole text
// once, as chars does, else what the part alone counts. The sum for the lines of a text is what the whole counts, or
// a little more.
func Measure(counter Counter, part []byte) float64 {
	switch c := counter.(type) {
	case charCounter:
		return float64(codePoints(part)) / 4
	case scaledCounter:
		return c.factor * Measure(c.counter, part)
	}
	return float64(counter.Count(part))
}
