// Package testdepth says how many of the cases that a long test could try it tries: a fifth, so that "go test ./..."
// ends within two minutes on two processors; all of them if KFW_TESTS is "all", as it is for one step of CI; a twentieth
// under the race detector, which is ten times slower, and asks what runs beside what rather than what comes out.
package testdepth

import (
	"os"
	"sync"
)

// All reports whether a test tries all its cases. It is asked for only while a test runs: go test takes a variable that
// was read earlier for one that no result depends on, and shows results it has kept.
var All = sync.OnceValue(func() bool { return os.Getenv("KFW_TESTS") == "all" })

// Cases returns how many of n random cases a test tries, at least one.
func Cases(n int) int {
	if All() {
		return n
	}
	return max(1, n/share)
}

// Some returns the cases of a list that a test tries: the first of every share.
func Some[T any](all []T) []T {
	if All() {
		return all
	}
	var some []T
	for i := 0; i < len(all); i += share {
		some = append(some, all[i])
	}
	return some
}

// Step returns how far a test goes on from one case to the next.
func Step() int {
	if All() {
		return 1
	}
	return share
}
