// Package outlier keeps the records and lines of a response that stand out, each with its reasons and
// with the bytes that show them. Reasons come in while a record is read; when it ends, it takes the
// place of a candidate that stands out less.
//
// The number of candidates is fixed, and so are the bytes of one.
package outlier
