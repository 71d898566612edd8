package summarize

import (
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// readsFields takes in a line that names the fields of the lines after it: as a directive of the W3C's extended log
// file format (WD-logfile-960323) does, which IIS and CloudFront write, and one of the logs of Zeek. It returns false
// if it is another.
func (s *lineReader) readsFields(r structure.Record) bool {
	t := &s.table
	if len(r.Value) > mask.MaxLineLen || !t.Candidate.ReadFields(r.Value, &t.Row) {
		return false
	}
	if t.Rows > 0 && t.Candidate.IsSame(&t.Columns) {
		t.IsRunning, t.Missed = true, 0
	} else {
		s.openTable()
	}
	s.addHeader(r)
	return true
}
