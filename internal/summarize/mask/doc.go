// Package mask finds the variable parts of a line: numbers, times, addresses, ids, paths and what
// redaction left. A line of UTF-8 comes in; its words go out, each with its mask, which is the same
// for all values of a variable, and with its value where it has one.
//
// Nothing is kept of a line but the masks of words that come again, in a bounded table. What is
// remembered never changes a result.
package mask
