// Package report tells of matches and of what is hidden in the order of the input. What comes in
// are matches as they are found, and the value of a pair that comes before its name; what goes out
// are calls with the rule, the place and the reason of each. What is found after a value that is
// held waits until that is decided.
package report
