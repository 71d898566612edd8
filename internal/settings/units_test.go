package settings

import (
	"math"
	"testing"
	"time"
)

// FuzzDuration: every time that Go writes is read as itself, and what is read is never negative.
func FuzzDuration(f *testing.F) {
	for _, seed := range []string{"0s", "1.5h", "1h30m", "1d", "2w3d4h", "999999999w", "1", "w", "1.d", "-1h", "1µs",
		"..1s", "1e3s"} {
		f.Add(seed, int64(len(seed))*1_234_567_891)
	}
	f.Add("", int64(math.MaxInt64-1))
	f.Fuzz(func(t *testing.T, text string, n int64) {
		if want := time.Duration(n &^ math.MinInt64); want != math.MaxInt64 {
			if got, err := AnyDuration(want.String()); err != nil || got != want {
				t.Errorf("%v is read as %v: %v", want, got, err)
			}
		}
		got, err := AnyDuration(text)
		if err == nil && (got < 0 || got == math.MaxInt64) {
			t.Errorf("%q is read as %v", text, got)
		}
		if want, goErr := time.ParseDuration(text); goErr == nil && want >= 0 && want < 1<<53 {
			if off := got - want; text[0] != '+' && text[0] != '-' && (err != nil || off < -1000 || off > 1000) {
				t.Errorf("%q is read as %v, by Go as %v: %v", text, got, want, err)
			}
		}
	})
}

func TestDuration(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"500ms": 500 * time.Millisecond, "2s": 2 * time.Second, "10m": 10 * time.Minute, "1h30m": 90 * time.Minute,
		"1d": day, "2w": 14 * day, "1w1d1h": 8*day + time.Hour, "1.5d": 36 * time.Hour, "0": 0, "0d": 0,
	} {
		if got, err := AnyDuration(text); err != nil || got != want {
			t.Errorf("%q is read as %v: %v", text, got, err)
		}
	}
	for _, text := range []string{"", "5", "1y", "d", "1d2", "1 d", "1D", "+1d", "-1d", "--1d", "200000w"} {
		if got, err := AnyDuration(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestSize(t *testing.T) {
	parse := Size[int64](1, math.MaxInt64)
	for text, want := range map[string]int64{
		"65536": 65536, "64k": 64000, "64K": 64000, "64KB": 64000, "64kb": 64000, "64KiB": 65536, "64 KiB": 65536,
		"1.5M": 1_500_000, "1.5GiB": 3 << 29, "9223372036854775807": math.MaxInt64,
	} {
		if got, err := parse(text); err != nil || got != want {
			t.Errorf("%q is read as %v: %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"": NotOfKind(KindSize), "k": NotOfKind(KindSize), "64x": NotOfKind(KindSize), "-1": NotOfKind(KindSize),
		"0": "must be positive", "9223372036854775808": "9223372036854775807 is the largest",
		"99999999999999999999999": "9223372036854775807 is the largest",
		"9999999999TB":            "9223372036854775807 is the largest",
	} {
		if got, err := parse(text); err == nil || err.Error() != want {
			t.Errorf("%q is read as %v: %v, want %s", text, got, err, want)
		}
	}
}

func TestWholeNumber(t *testing.T) {
	for text, want := range map[string]int{
		"4000": 4000, "4k": 4000, "1.5K": 1500, "2M": 2000000, "0": 0, "-1k": -1000, "0.0001k": -1, "k": -1, "4kk": -1,
		"1e3k": -1,
		"4 k":  -1, "": -1, "9999999999999k": 1 << 40, "4m": -1,
	} {
		n, err := WholeNumber(-1000, 1<<39)(text)
		if wrong := want == -1 || want > 1<<39; wrong != (err != nil) || !wrong && n != want {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
}
