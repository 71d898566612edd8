package summarize

import (
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// watched returns a whole summary of records.
func watched(records []structure.Record) *Summary {
	s := NewWholeSummary()
	for _, r := range records {
		s.Add(r)
	}
	return s
}

// TestNotables: whatever a record is odd by, and wherever it is, it is shown first, with what says which one it is.
// nameOf is a word of letters alone, another one for each i.
func nameOf(i int) string {
	var b []byte
	for n := i*7919 + 26; n > 0; n /= 26 {
		b = append(b, byte('a'+n%26))
	}
	return string(b)
}
