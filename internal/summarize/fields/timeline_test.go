package fields

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// TestTimesOfLinesAreRight: a time is what it says, in whatever way it is written.
func TestTimesOfLinesAreRight(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 6))
	for _, form := range []string{
		"2006-01-02T15:04:05Z", "2006/01/02 15:04:05.000", "2006.01.02 15:04:05", "2006-01-02-15.04.05.000000",
		"02/Jan/2006:15:04:05 -0700",
		"02-Jan-2006 15:04:05.000", "06/01/02 15:04:05", "01-02 15:04:05.000", "02.01.2006 15:04:05",
		"Jan _2 15:04:05", "Jan 2 15:04:05", "Jan 2 15:04:05 2006", "I0102 15:04:05.000000",
		"060102 15:04:05", "060102 150405", "20060102 15:04:05.000", "20060102T150405Z", "Jan _2 15:04:05 2006 -0700",
	} {
		var last time.Time
		var lastRead value.Timestamp
		for i := range 500 {
			at := time.Date(2013+random.IntN(55), 1, 1, 0, 0, random.IntN(366*86400), 0, time.UTC)
			if !strings.Contains(form, "06") {
				at = time.Date(2032, 1, 1, 0, 0, random.IntN(366*86400), 0, time.UTC)
			}
			got, text, place := TimeOfLine([]byte("[" + at.Format(form) + "] a line with a time"))
			if place != lineclass.AtStart || string(text) != strings.TrimPrefix(at.Format(form), "I") {
				t.Fatalf("%s: the time is %q", at.Format(form), text)
			}
			if apart := got.Seconds - lastRead.Seconds; i > 0 && at.Sub(last) != time.Duration(apart)*time.Second {
				t.Fatalf("%s is %d s after %s", at.Format(form), apart, last.Format(form))
			}
			last, lastRead = at, got
		}
	}
}
