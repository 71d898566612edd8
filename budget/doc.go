// Package budget is the arithmetic of saying less: how many tokens a line costs, what is left of an allowance, and how
// much may still be said.
//
//   - mode.go: the four modes, from [Raw] to [HandleOnly], and the strictest of several.
//   - phase.go: from the share of a budget that is left to a mode.
//   - counter.go: tokens of a line, by characters.
//   - bpe.go: tokens of a line, by the vocabulary of a model.
//   - account.go: the ledger of a session.
//
// It is pure: no files, no network, no clock, no state outside the values it returns.
package budget
