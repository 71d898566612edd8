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

// Err returns why the other counter has failed.
func (c scaledCounter) Err() error { return Err(c.counter) }

// Bounds implements Counter. A line adds at most the factor, rounded up, for each of its tokens,
// since every line is rounded up by itself.
func (c scaledCounter) Bounds(bytes int) (least, most int) {
	least, most = c.counter.Bounds(bytes)
	if perToken := Scale(1, c.factor); most > Unbounded/perToken {
		most = Unbounded
	} else {
		most *= perToken
	}
	return Scale(least, c.factor), most
}

// Scale returns factor times this many tokens, rounded up.
func Scale(tokens int, factor float64) int { return int(math.Ceil(float64(tokens) * factor)) }
