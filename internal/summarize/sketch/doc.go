// Package sketch summarizes any number of values in constant memory: the cardinality and the
// frequency of hashes, and percentiles and a sample of numbers. It knows nothing of responses.
//
// Results carry their certainty: [Distinct.Count] says whether it is exact, and
// [Quantiles.Quantile] whether it is known. Memory is the caller's: [Distinct.Add] subtracts what
// it takes from the room that it is given.
package sketch
