// Package candidate judges a candidate value by its characters alone: whether it was made by a machine, as a key is,
// or is a placeholder, a reference, an expression of a program or prose. What comes in is the value without quotes.
// No function keeps it or looks at what stands around it.
package candidate
