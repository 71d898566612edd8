// Package sketch estimates what numbers and hashes are, of any number of them, in constant memory: how many different
// ones there are, the quantiles, a sample. It knows nothing of responses.
//
// Each says what it is not sure of: [Distinct.Count] whether it is exact, [Quantiles.Quantile] whether the number is
// near enough. A caller that gives a sketch room takes the bytes off a count of its own.
package sketch
