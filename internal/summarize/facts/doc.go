// Package facts is what a summary says, as a tree of typed facts.
//
// In goes one fact after another, in the order in which they are shown: what kind it is, from the list Kinds, and its
// value. Out comes a Tree that the encoders of frames walk, as JSON and as text; [Tree.JSON] is its form in a frame.
// The list of kinds is also what the tables of docs/facts.md are made from.
//
// It always holds that a fact is of a kind that is registered, that a value is one JSON value or facts of its own, and
// that a tree that is used again for another response takes no new memory for as many facts.
package facts
