// Package budget is the arithmetic of saying less: how many tokens a line costs, what is left of an allowance, and how
// much may still be said.
//
//   - mode.go: the four modes, from [Raw] to [HandleOnly], and the strictest of several.
//   - phase.go: from the share of a budget that is left to a mode.
//   - counter.go: tokens of a line, by characters; tally.go: of a text in parts; scaled.go: times a factor.
//   - exact.go: tokens of a line, by the vocabulary of a model. pieces.go splits it, by the classes.go of its code points;
//     merge.go merges a piece, longpiece.go one of any length; cache.go remembers short ones.
//   - utf8.go: what is not valid UTF-8.
//   - account.go: the ledger of a session.
//
// The files in tables are read as they lie in the program. Package generate makes them, package pairs says how they
// are laid out, package tokenizer knows the names of models.
//
// It is pure: no files, no network, no clock, no state outside the values it returns.
package budget
