// Package selection keeps the chosen fields of records and drops all others. What comes in are
// dotted paths and a stream of JSON, or of lines of text with JSON in them, cut anywhere; what goes
// out is the same JSON with these fields only. What is no record is withheld, and so is what
// follows on the line of a value that turns out to be broken. No error quotes a path.
package selection
