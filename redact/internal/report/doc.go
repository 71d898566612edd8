// Package report reports matches in the order of the input. Matches come in as they are found. A
// call with the rule, the place and the reason of each goes out. The value of a pair may come before
// its name: it is held until the name is known, and the matches after it wait.
package report
