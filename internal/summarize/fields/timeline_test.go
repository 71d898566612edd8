package fields

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// TestTimesOfLinesAfterOthers: which time a line has does not depend on the lines before it.
func TestTimesOfLinesAfterOthers(t *testing.T) {
	forms := []string{
		"2006-01-02T15:04:05Z", "2006-01-02 15:04:05,000", "2006/01/02 15:04:05", "Jan _2 15:04:05",
		"02/Jan/2006:15:04:05 -0700",
		"02/Jan/2006:15:04:05", "02 Jan 2006 15:04:05.000", "15:04:05", "Jan 2 2006", "2006-01-02", "2006-01-02T15:04",
		"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02 15:04:05.00", "2006-01-02 15:04:05.0000000 -0700",
		"Jan _2 15:04:05 2006",
		"Jan 2 15:04:05", "Jan 2 15:04:05.000 2006", "02-Jan-2006 15:04:05.000", "2006.01.02 15:04:05.000",
		"2006-01-02-15.04.05.000000", "06/01/02 15:04:05", "01-02 15:04:05.000", "02.01.2006 15:04:05",
		"060102 15:04:05", "060102 150405", "20060102 15:04:05.000", "20060102T150405Z", "I0102 15:04:05.000000",
	}
	zones := []*time.Location{time.UTC, time.FixedZone("", 3600), time.FixedZone("", -3600)}
	random := rand.New(rand.NewPCG(9, 4))
	var l Timeline
	for range 100_000 {
		form := forms[random.IntN(len(forms))]
		at := time.Date(2031, 3, 9+random.IntN(2), 10, random.IntN(2), random.IntN(60), random.IntN(1e9),
			zones[random.IntN(len(zones))])
		text := [...]string{"", "a ", "[", "x y 7 "}[random.IntN(4)] + at.Format(form) +
			[...]string{"", " b", "]", "9", ":61", ".123456 b", " +0150"}[random.IntN(7)] +
			[...]string{"", " and so on, and on"}[random.IntN(2)]
		if at := random.IntN(2 * len(text)); at < len(text) {
			text = text[:at] + [...]string{";", "6", "x", "", " "}[random.IntN(5)] + text[at+1:]
		}
		got, where, place := l.TimeOfLine([]byte(text))
		want, whereWant, placeWant := new(Timeline).TimeOfLine([]byte(text))
		if place != placeWant || string(where) != string(whereWant) || got != want {
			t.Fatalf("%q after %q: %v %q, not %v %q", text, l.lastText, got, where, want, whereWant)
		}
		if place == lineclass.AtStart || place == lineclass.AfterText {
			l.Last, l.lastText = got, append(l.lastText[:0], where...)
		}
	}
}

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
			got, text, place := new(Timeline).TimeOfLine([]byte("[" + at.Format(form) + "] a line with a time"))
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
