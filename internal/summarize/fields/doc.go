// Package fields counts the values of one field of the records of a response: types, cardinality and
// frequency, numbers, times, texts by template, folders, sequences and measures. Values come in, one at a
// time; what is known of all of them goes out, with whether it is exact.
//
// A field takes a bounded number of bytes, which it draws from the room of all fields.
package fields
