package budget_test

import (
	"fmt"

	"github.com/kfw-dev/kfw/budget"
)

func Example() {
	counter, err := budget.NewCounter("o200k_base")
	if err != nil {
		fmt.Println(err)
		return
	}
	const total = 100
	left := total - counter.Count([]byte("The quick brown fox jumps over the lazy dog.\n"))
	fmt.Println(left, budget.Phase(left, total), budget.SessionPhase(15, total, budget.Raw))
	// Output: 90 raw summary
}
