// Package value reads what a text says as a number, a quantity, or a point in time. Texts and JSON
// literals come in; numbers, times and what was kept of many of them go out.
//
// A map:
//
//   - number.go: numbers of JSON as exact decimals; their exact sum, range and order
//   - quantity.go: numbers with a unit, a currency or commas between thousands
//   - spelling.go: digits that are no number: versions, codes, amounts whose unit stands elsewhere
//   - timestamp.go: texts that are nothing but a time, and how far times are apart
//   - texttime.go: times at the start of a text
//
// What is read is either exact or reported as rounded, and a text that may be read in two ways is
// read in neither. Nothing returned is longer than what came in, and nothing here knows of fields,
// lines or responses.
package value
