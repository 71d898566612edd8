// Package worth says how much a fact tells, so that the facts that tell most come first where there is
// room for few. It holds the scale and the levels of detail, and no state.
package worth
