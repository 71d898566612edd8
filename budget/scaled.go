package budget

import "math"

// Scaled returns a counter of factor times what another one counts, rounded up for every line: for a model whose own
// tokenizer is not public. A factor of 1 is the counter itself.
func Scaled(counter Counter, factor float64) Counter {
	if factor == 1 {
		return counter
	}
	return scaledCounter{counter, factor}
}

type scaledCounter struct {
	counter Counter
	factor  float64
}

func (c scaledCounter) Count(line []byte) int { return Scale(c.counter.Count(line), c.factor) }

// Bounds implements Counter. Rounding up, for every line, makes at most the factor rounded up of a token.
func (c scaledCounter) Bounds(bytes int) (least, most int) {
	least, most = c.counter.Bounds(bytes)
	return Scale(least, c.factor), most * Scale(1, c.factor)
}

// Scale returns factor times this many tokens, rounded up.
func Scale(tokens int, factor float64) int { return int(math.Ceil(float64(tokens) * factor)) }
