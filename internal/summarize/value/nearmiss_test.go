package value

import (
	"flag"
	"fmt"
	"testing"

	"github.com/kfw-dev/kfw/internal/nearmiss"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// either returns what was read, if anything was.
func either(ok bool, read ...any) string {
	if !ok {
		return ""
	}
	return fmt.Sprint(read...)
}

// line returns a line that begins with a text.
func line(text string) []byte { return []byte(text + " and what else the line says") }

// readings are what a text is read as.
var readings = []nearmiss.Reading{
	{Name: "timestamp", Of: func(s string) string { t, ok := ParseTimestamp([]byte(s)); return either(ok, t) }},
	{Name: "clock", Of: func(s string) string { t, layout, ok := ParseClock([]byte(s)); return either(ok, t, layout) }},
	{Name: "digits", Of: func(s string) string {
		t, its := TimeOfDigits(line(s))
		return either(its != nil, t, len(its))
	}},
	{Name: "names", Of: func(s string) string {
		t, its := TimeOfNames(line(s))
		return either(its != nil, t, len(its))
	}},
	{Name: "syslog", Of: func(s string) string { t, n := SyslogTime(line(s)); return either(n > 0, t, n) }},
	{Name: "month", Of: func(s string) string { n, ok := MonthOf(line(s)); return either(ok, n) }},
	{Name: "starts", Of: func(s string) string { return either(StartsWithClock(line(s)), "yes") }},
	{Name: "named month", Of: func(s string) string { return either(IsNamedMonthTime(line(s)), "yes") }},
	{Name: "quantity", Of: func(s string) string {
		var buffer []byte
		q, ok := ParseQuantity([]byte(s), &buffer)
		return either(ok, string(q.Number), q.Value, string(q.Name), q.IsKnown)
	}},
	{Name: "decimal comma", Of: func(s string) string {
		var buffer []byte
		number, ok := ParseDecimalComma([]byte(s), &buffer)
		return either(ok, string(number))
	}},
}

// texts are times, amounts and numbers as programs write them.
var texts = []string{
	"2026-03-01T10:00:59Z", "2026-03-01T10:00:59.250+01:00", "2026-03-01 10:00:59,123", "2026/03/01 10:00:59",
	"2026-03-01", "2026.03.01 10:00:59", "2026-03-01-10.00.59.123456", "20260301 10:00:59", "20260301T100059Z",
	"260301 10:00:59", "26/03/01 10:00:59", "03-01 10:00:59.123", "01.03.2026 10:00:59",
	"0301 10:00:59.123456", "10:00:59.250", "10:00:59", "9:30", "10:00 PM", "3:04:05 am", "12:00 am",
	"[10:00:59]", "10:00:59.250 log", "Mar  1 10:00:59", "Mar 11 10:00:59 host", "Sun Mar  1 10:00:59 2026",
	"Sun Mar  1 10:00:59.123 2026", "Sun, 01 Mar 2026 10:00:59 GMT", "Mar 1, 2026 10:00:59 AM",
	"01/Mar/2026:10:00:59 +0100", "02/Jan/2006:15:04:06.25 -0700", "1 Mar 2026 10:00",
	"Sunday, 01-Mar-26 10:00:59 UTC", "March 1, 2026", "31 February 2026", "2026-02-30T10:00:00Z",
	"2024-02-29T23:59:60Z", "24:00:00", "1:02:03:04", "00:00", "3/1/2026 10:00:59 PM", "3/1/2026, 10:00:59",
	"1700000000", "1700000000.123", "12.5ms", "3 s", "1.5h", "1h30m", "2m3.5s", "12 kB", "1.5 MiB", "3GiB",
	"100%", "12,5 %", "-7 C", "5k", "1,234", "1.234,56", "12,34", "0,5", "+3.0e8", "1e-3s", "10:00Z",
}

// TestNearMisses compares what texts, and those that differ from them by one byte, are read as with testdata. -update
// writes that anew: look at each line that is new.
func TestNearMisses(t *testing.T) {
	nearmiss.Compare(t, "testdata/nearmisses.txt", nearmiss.Readings(texts, readings), *update)
}
