package value

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"
)

func FuzzTimestamp(f *testing.F) {
	for _, seed := range []string{
		"2026-01-02T03:04:05Z", "0000-03-01T00:00:00+23:59", "2024-02-29t23:59:59.123456789-00:30",
		"2026-01-02 03:04:05",
		"2026-01-02", "2026-01-02T03:04", "1900-02-28T00:00:00Z", "2026-01-02 03:04:05,123 +0100",
		"9999-12-31T23:59:60Z",
	} {
		f.Add(seed)
	}
	strict := regexp.MustCompile(`^.{10}T\d\d:.{5}[.Z+-]`) // time.Parse takes an hour of one digit
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := ParseTimestamp([]byte(text))
		want, err := time.Parse(time.RFC3339Nano, text)
		if err != nil || !strict.MatchString(text) || len(text) > maxTimestampLen {
			return
		}
		if !ok {
			t.Fatalf("%q is not taken for a time", text)
		}
		epoch := daysOf(1970, 1, 1) * 86400
		if got.Seconds-epoch != want.Unix() || int(got.Nanos) != want.Nanosecond() || !got.zoned {
			t.Errorf("%q is %d s and %d ns, want %d and %d", text, got.Seconds-epoch, got.Nanos, want.Unix(),
				want.Nanosecond())
		}
	})
}

func TestTimestamp(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-01-02T03:04:05Z":          true,
		"2026-01-02 03:04:05,123 +0100": true,
		"2026-01-02":                    true,
		"02/Jan/2006:15:04:05 -0700":    true,
		"02 Jan 2006 15:04:05.123":      true,
		"02/Jan/2006:15:04:05x":         false,
		"02/Jon/2006:15:04:05":          false,
		"00/Jan/2006:15:04:05":          false,
		"02 Jan/2006:15:04:05":          false,
		"2026-01-02 03:04":              true,
		"2026/01/02":                    true,
		"2026/01/02 03:04:05Z":          true,
		"31.12.2026":                    true,
		"31.12.2026 03:04:05":           true,
		"12.31.2026":                    false,
		"31.12.26":                      false,
		"31.12.2026.5":                  false,
		"31.12-2026":                    false,
		"2026-01/02":                    false,
		"2026-13-02":                    false,
		"2026-01-02T":                   false,
		"2026-01-02T03:04:05+1":         false,
		"2026-01-0203:04":               false,
		"12345-678-90":                  false,
		"":                              false,
	} {
		if _, got := ParseTimestamp([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestOrderOfDates: dates are in their order, whichever part of them is first.
func TestOrderOfDates(t *testing.T) {
	var last Timestamp
	for _, text := range []string{"30.12.1999", "1999-12-31", "2000/01/01", "02.01.2000 10:00:00",
		"2000/01/02 10:00:01", "03.02.2000"} {
		at, ok := ParseTimestamp([]byte(text))
		if !ok || !last.Before(at) {
			t.Errorf("%s: %v, after %v", text, at, last)
		}
		last = at
	}
}

// TestSortable: times that are written in different ways sort as texts, and what is no time is left alone.
func TestSortable(t *testing.T) {
	now := time.Date(2031, 3, 2, 12, 0, 0, 0, time.UTC)
	last := ""
	for _, text := range []string{"Aug  7  2029", "7 Aug 2029 10:00", "Mar 4 07:10", "Dec 31 23:59", "Jan 1 00:00:00",
		"Feb 28 08:00", "Mar 2 14:00", "Sun, 2 Mar 2031 14:00:01 +0000", "2031/03/02 14:00:02", "02.03.2031 14:00:02.5",
		"Mar 3 11:00"} { // which is tomorrow: clocks differ
		got, ok := Sortable([]byte(text), now)
		if !ok || got <= last {
			t.Errorf("%s: %q, %v, after %q", text, got, ok, last)
		}
		last = got
	}
	for _, text := range []string{"2031-03-02T14:00:00Z", "2031-03-02", "May flower", "10:00:00", "17", "", "Mar 2031", "Feb 29 2031"} {
		if got, ok := Sortable([]byte(text), now); ok {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestTimeRangeComparesAcrossZones(t *testing.T) {
	if east, _ := ParseTimestamp([]byte("02/Jan/2006:15:04:05 +0130")); east.Seconds != daysOf(2006, 1,
		2)*86400+(13*60+34)*60+5 || !east.zoned {
		t.Errorf("%+v", east)
	}
	if west, _ := ParseTimestamp([]byte("02/Jan/2006:15:04:05 -0700")); west.Seconds != daysOf(2006, 1,
		2)*86400+(22*60+4)*60+5 || !west.zoned {
		t.Errorf("%+v", west)
	}
	if _, ok := ParseTimestamp([]byte("02 Jan 2006 15:04:05." + strings.Repeat("1", maxTimestampLen))); ok {
		t.Error("a time may have any length")
	}
	var r TimeRange
	for _, text := range []string{"2026-01-02T10:00:00Z", "2026-01-02T10:30:00+01:00", "2026-01-02T09:00:00-02:00"} {
		parsed, ok := ParseTimestamp([]byte(text))
		if !ok {
			t.Fatalf("%q is not taken for a time", text)
		}
		r.Add(parsed, []byte(text))
	}
	if string(r.FromText) != "2026-01-02T10:30:00+01:00" || string(r.ToText) != "2026-01-02T09:00:00-02:00" || r.Mixed {
		t.Errorf("from %s to %s, mixed %v", r.FromText, r.ToText, r.Mixed)
	}
}

// A time with the name of its month is the same in each of the ways in which tools write it.
func TestTimesWithTheNameOfTheirMonth(t *testing.T) {
	layouts := []string{
		time.ANSIC, time.UnixDate, time.RFC1123, time.RFC1123Z, "Mon Jan 2 15:04:05 2006 -0700",
		"Mon, 2 Jan 2006 15:04:05 -0700",
		"Monday, 2 January 2006 15:04:05 -0700", "January 2, 2006 15:04", "Jan _2 15:04:05.000 2006 GMT",
		"2 Jan 2006 15:04:05",
		"Jan 2, 2006", "02 Jan 2006", "2 January 2006", "Jan 02 2006", "Mon Jan _2 15:04:05 UTC 2006",
	}
	epoch := daysOf(1970, 1, 1) * 86400
	source := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		zone := time.UTC
		layout := layouts[source.IntN(len(layouts))]
		if strings.Contains(layout, "-0700") {
			zone = time.FixedZone("", 60*(source.IntN(24*60)-12*60))
		}
		text := time.Unix(source.Int64N(4e9), int64(source.IntN(1000))*1e6).In(zone).Format(layout)
		want, err := time.Parse(layout, text)
		if err != nil {
			t.Fatal(err)
		}
		isZoned := strings.ContainsAny(layout, "-") || strings.Contains(layout, "MST") ||
			strings.Contains(layout, "UTC") || strings.Contains(layout, "GMT")
		got, ok := ParseTimestamp([]byte(text))
		if !ok || got.Seconds-epoch != want.Unix() || int(got.Nanos) != want.Nanosecond() || got.zoned != isZoned {
			t.Fatalf("%q is %v %d s and %d ns, zoned: %v; want %d and %d, %v", text, ok, got.Seconds-epoch,
				got.Nanos, got.zoned,
				want.Unix(), want.Nanosecond(), isZoned)
		}
	}
	for _, text := range []string{
		"Mon Jan 2 15:04:05", "Jan 2 06", "2 Jan", "Jan 2006", "Mon Jan 2 2006 3 4", "Mon Jan 2 15:04:05 CET 2006",
		"Janitor 2 2006", "Jan 32 2006",
		"Jan 0 2006", "Jan 2 2006 25:00:00", "Jan 2 2006 12:60", "Jan Feb 2 2006", "Jan 2 3 2006",
		"2006 Jan 2 2006", "Mon 2 2006", "May 4, 2006 -0700",
		"Jan 2 2006 12:00 12:01", "Jan 2 2006 12:00 UTC UTC", "Jan 2 2006 12:00 +070", "Jan 2 2006 rest",
		"Mon Mon Jan 2 2006", "Jan 2 2006, ",
		"March 4 2006 12:00:00.", "31 Apr 2026", "Feb 29 2026", "Feb 30 2024 10:00", "Jan  2 12:61:00 2006",
		"May 1 20066",
	} {
		if got, ok := ParseTimestamp([]byte(text)); ok {
			t.Errorf("%q is taken for a time: %v", text, got)
		}
	}
}

// TestClocks: what clocks show is in its order, be it a time of day or how long something took.
func TestClocks(t *testing.T) {
	for _, ascending := range [][]string{
		{"00:00:00", "00:00:00.5", "00:59:59", "01:00:00,250", "23:59:59", "24:00:00", "100:00:00"},
		{"0:00", "0:00.01", "0:06.10", "9:59", "59:59", "1:00:00", "23:59:59", "1-00:00:00", "1-00:00:01",
			"10-02:03:04"},
	} {
		var last Timestamp
		for i, text := range ascending {
			at, _, ok := ParseClock([]byte(text))
			if !ok || i > 0 && !last.Before(at) {
				t.Errorf("%s: %v %v, after %v", text, at, ok, last)
			}
			last = at
		}
	}
	elapsed := func(at time.Time) string { // as ps has it
		days, hours := at.YearDay()-1, at.Hour()
		switch {
		case days > 0:
			return fmt.Sprintf("%d-%s", days, at.Format("15:04:05"))
		case hours > 0:
			return fmt.Sprintf("%d:%s", hours, at.Format("04:05"))
		}
		return fmt.Sprintf("%d:%s", at.Minute(), at.Format("05.00"))
	}
	source := rand.New(rand.NewPCG(5, 6))
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for range 2000 {
		one, other := day.Add(time.Duration(source.Int64N(86400e9))), day.Add(time.Duration(source.Int64N(86400e9)))
		later := other.AddDate(0, 0, 1+source.IntN(20))
		for _, pair := range [][2]string{
			{one.Format("15:04:05.000"), other.Format("15:04:05.000")},
			{one.Format("15:04"), other.Format("15:04")},
			{elapsed(one), elapsed(other)},
		} {
			a, _, isA := ParseClock([]byte(pair[0]))
			b, _, isB := ParseClock([]byte(pair[1]))
			if !isA || !isB || pair[0] != pair[1] && a.Before(b) == b.Before(a) || a.Before(b) && !one.Before(other) {
				t.Fatalf("%s: %v %v, %s: %v %v", pair[0], a, isA, pair[1], b, isB)
			}
		}
		early, _, isEarly := ParseClock([]byte(elapsed(one)))
		late, _, isLate := ParseClock([]byte(elapsed(later)))
		if !isEarly || !isLate || !early.Before(late) {
			t.Fatalf("%s is not before %s", elapsed(one), elapsed(later))
		}
	}
	for _, text := range []string{
		"", ":", "1", "12:", ":12", "1:2", "1:60", "1:023", "10:20:30:40", "-1:00", "1-02:03", "-02:03:04",
		"1-2-03:04:05", "x:00", "1:0x",
		"00:1b:44:11:3a:b7", "1:00 XM", "1:00 AMX", "1:00.", "1:00.x", "1234567:00", "1:00 ", "1-01:00:00 PM",
		"10:00:00Z",
		"10:00:00." + strings.Repeat("1", maxTimestampLen),
	} {
		if at, _, ok := ParseClock([]byte(text)); ok {
			t.Errorf("%q is taken for what a clock shows: %v", text, at)
		}
	}
}
