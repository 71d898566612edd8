// Package lazy makes what most runs of a program do not need, when it is needed first.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that compiles expression at its first call. An invalid expression panics. Compiling at
// start what a run does not use costs each run some 20 µs an expression.
func Regexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
