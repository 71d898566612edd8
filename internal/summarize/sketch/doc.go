// Package sketch summarizes any number of values in constant memory: the cardinality and the
// frequency of hashes. It knows nothing of responses.
//
// [Distinct.Count] says whether it is exact. Memory is the caller's: [Distinct.Add] subtracts what
// it takes from the room that it is given.
package sketch
