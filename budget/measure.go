package budget

// Measure returns the share of a part in the tokens of a whole text. It is a fraction where the
// counter rounds the whole text once, as chars does; otherwise the count of the part alone. The
// sum over the lines of a text is the count of the text, or a little more.
func Measure(counter Counter, part []byte) float64 {
	switch c := counter.(type) {
	case charCounter:
		return float64(codePoints(part)) / 4
	case scaledCounter:
		return c.factor * Measure(c.counter, part)
	}
	return float64(counter.Count(part))
}
