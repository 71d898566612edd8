// Package surprise is the scale on which reasons to stand out are compared. Counts and numbers come
// in, as many as came and how many of them were of a sort; a score goes out, or whether one more of
// the sort is rare.
//
// A score grows with the logarithm of how seldom its reason comes, so that scores of different
// reasons can be compared and added. What comes as often as anything else has the score 0. Nothing
// here keeps state.
package surprise
