// Package guard decides what becomes of the calls of a turn: rules that deny, a judge that is
// asked, and what a call of a tool that was not offered is repaired to. Each is a turn.Policy. What
// comes in are questions of a turn.Assembler, what goes out are its answers; the package does no
// I/O.
//
//	confusables.go  letters that are drawn like Latin ones
//	names.go        when a reader takes two names for the same
//	rules.go        Rules: tools and arguments that are denied
//	arguments.go    all values that a path of a rule may lead to
//	wrapped.go      calls in the arguments of another one
//	repair.go       Invalid: what becomes of a call that was not offered, and the nearest name
//	queries.go      what a path of gjson leads to
//	judge.go        Judge: the questions and answers of a judge
//
// What always holds: a rule sees a call in every way that a tool could read it, and whatever can't
// be read is denied; a denied name is never repaired to or from; what a judge did not clearly allow
// is not let through.
package guard
