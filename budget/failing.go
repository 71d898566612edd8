package budget

import "math"

// Failed is what a counter counts for every line once it has failed: more than any budget, so that
// nothing fits, and so little that sums of it do not overflow.
const Failed = 1 << 40

// Unbounded is the most tokens that Counter.Bounds returns for a counter of which nothing is known.
// It is more than any budget.
const Unbounded = math.MaxInt

// Err returns why a Counter or a Tally has failed, and nil if it has not or cannot. One that can
// fail has a method Err() error. What it counts after a failure has no meaning: nothing that was
// counted by it may be written any more.
func Err(counter any) error {
	if failing, ok := counter.(interface{ Err() error }); ok {
		return failing.Err()
	}
	return nil
}
