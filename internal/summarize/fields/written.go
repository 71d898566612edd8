package fields

import "github.com/kfw-dev/kfw/internal/summarize/value"

// Written is how the numbers of a field are written: as numerals in text, with units, with commas.
type Written struct {
	Numerals  int         // strings that are written as a number is, as long as nearly all of them are
	Unit      *value.Unit // of these; nil before the first that tells
	converted []byte      // the current numeral, when it had another unit
	plain     []byte      // the same without commas between thousands
	Literals  value.Spelling
	HasCommas bool // of fractions: it is a column between semicolons
	isProse   bool // the strings are no numerals
	hasMore   bool // some begin with a number and go on: "65 (3m ago)"
}
