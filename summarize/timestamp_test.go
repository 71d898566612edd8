package summarize

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func FuzzTimestamp(f *testing.F) {
	for _, seed := range []string{
		"2026-01-02T03:04:05Z", "0000-03-01T00:00:00+23:59", "2024-02-29t23:59:59.123456789-00:30", "2026-01-02 03:04:05",
		"2026-01-02", "2026-01-02T03:04", "1900-02-28T00:00:00Z", "2026-01-02 03:04:05,123 +0100", "9999-12-31T23:59:60Z",
	} {
		f.Add(seed)
	}
	strict := regexp.MustCompile(`^.{10}T\d\d:.{5}[.Z+-]`) // time.Parse takes an hour of one digit
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseTimestamp([]byte(text))
		want, err := time.Parse(time.RFC3339Nano, text)
		if err != nil || !strict.MatchString(text) || len(text) > maxTimestampLen {
			return
		}
		if !ok {
			t.Fatalf("%q is not taken for a time", text)
		}
		epoch := days(1970, 1, 1) * 86400
		if got.seconds-epoch != want.Unix() || int(got.nanos) != want.Nanosecond() || !got.zoned {
			t.Errorf("%q is %d s and %d ns, want %d and %d", text, got.seconds-epoch, got.nanos, want.Unix(), want.Nanosecond())
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
		"2026-13-02":                    false,
		"2026-01-02T":                   false,
		"2026-01-02T03:04:05+1":         false,
		"2026-01-0203:04":               false,
		"12345-678-90":                  false,
		"":                              false,
	} {
		if _, got := parseTimestamp([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestTimeRangeComparesAcrossZones(t *testing.T) {
	if east, _ := parseTimestamp([]byte("02/Jan/2006:15:04:05 +0130")); east.seconds != days(2006, 1, 2)*86400+(13*60+34)*60+5 || !east.zoned {
		t.Errorf("%+v", east)
	}
	if west, _ := parseTimestamp([]byte("02/Jan/2006:15:04:05 -0700")); west.seconds != days(2006, 1, 2)*86400+(22*60+4)*60+5 || !west.zoned {
		t.Errorf("%+v", west)
	}
	if _, ok := parseTimestamp([]byte("02 Jan 2006 15:04:05." + strings.Repeat("1", maxTimestampLen))); ok {
		t.Error("a time may have any length")
	}
	var r timeRange
	for _, text := range []string{"2026-01-02T10:00:00Z", "2026-01-02T10:30:00+01:00", "2026-01-02T09:00:00-02:00"} {
		parsed, ok := parseTimestamp([]byte(text))
		if !ok {
			t.Fatalf("%q is not taken for a time", text)
		}
		r.add(parsed, []byte(text))
	}
	if string(r.fromText) != "2026-01-02T10:30:00+01:00" || string(r.toText) != "2026-01-02T09:00:00-02:00" || r.mixed {
		t.Errorf("from %s to %s, mixed %v", r.fromText, r.toText, r.mixed)
	}
}
