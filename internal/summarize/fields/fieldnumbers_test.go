package fields

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

func TestNumeral(t *testing.T) {
	for _, c := range []struct {
		texts string // of a field, in the order they come
		want  string // the number of each, - for none
	}{
		{"1 2.5 -3 0 x 12x", "1 2.5 -3 0 - -"},
		{"12% 0% 0 7 99.5%", "12 0 0 - 99.5"},
		{"900ms 1.2s 450µs 2m 1m2.5s 5 3KB 1h-2m", "900 1200 0.45 120000 62500 - - -"},
		{"4.0K 1.5M 512 1G 2KiB 1kB 12B", "4.0 1536 - 1048576 2 0.9765625 0.01171875"},
		{"0 15Mi 1Gi", "0 15 1024"},
		{"1h30m 45m -1h2m -2m", "5400 2700 - -120"},
		{"4dpi 5dpi 6lpi 7s", "4 5 - -"},
		{"3abc 5abc 7def", "3 5 -"},
		{"1,234 12 -1,234,567.25 1,23 1,2345 12,34,567 1234,567 ,123 1, 0,123", "1234 12 -1234567.25 - - - - - - -"},
		{"1,024ms 2s 1.5s", "1024 2000 1500"},
		{"$5 $1,234.50 -$2 0 $-2 5 €5 $ $x", "5 1234.50 -2 0 -2 - - - -"},
		{"€5.00 €1,000", "5.00 1000"},
		{"£3 3", "3 -"},
		{"10.0.0.1 2026-01-02 12:30 1.2.3 007 1e5x9 3/4 7 -", "- - - - - - - 7 -"},
	} {
		f := new(Field)
		want := strings.Fields(c.want)
		for i, text := range strings.Fields(c.texts) {
			number, _, ok := f.Written.numeral([]byte(text))
			if ok && f.Written.Unit == nil {
				f.Written.learnUnit([]byte(text))
			}
			if got := string(number); ok != (want[i] != "-") || ok && got != want[i] {
				t.Errorf("%s: %q is %q, want %q", c.texts, text, got, want[i])
			}
		}
	}
}

// TestNumeralsAreJSON: what is taken for a number is one of JSON, and commas in it stand between thousands.
func TestNumeralsAreJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	parts := []string{"0", "1", "7", "12", "123", "000", ",", ",123", ".", ".5", "-", "$", "€", " ", "ms", "K", "e5"}
	groups := regexp.MustCompile(`^-?[$€]?-?[1-9]\d{0,2}(,\d{3})+(\D|$)`)
	for range 200_000 {
		text := ""
		for range 1 + random.IntN(5) {
			text += parts[random.IntN(len(parts))]
		}
		number, _, ok := new(Field).Written.numeral([]byte(text))
		if ok && !json.Valid(number) || ok && strings.Contains(text, ",") && !groups.MatchString(text) {
			t.Fatalf("%q is %q", text, number)
		}
	}
}

// TestClocksOfTwoLayouts: 9:30 and 10:15:00 can't be compared, unless other values show that 9:30 is minutes and seconds.
func TestClocksOfTwoLayouts(t *testing.T) {
	for _, test := range []struct{ values, least, most string }{
		{"08:30,09:45,17:00", "08:30", "17:00"},
		{"08:30:00,09:45:00,17:00:00", "08:30:00", "17:00:00"},
		{"08:30,09:45:00,17:00", "", ""},
		{"08:30,09:45:00,24:00", "", ""}, // the end of a day
		{"08:30,01:45:00,44:15", "08:30", "01:45:00"},
		{"0:30.5,01:45:00,17:00", "0:30.5", "01:45:00"},
		{"08:30,1-01:45:00,14:15", "08:30", "1-01:45:00"},
	} {
		var f Field
		for _, value := range strings.Split(test.values, ",") {
			f.AddString(&Scalar{Value: strconv.AppendQuote(nil, value), Kind: jsonx.String})
		}
		if f.HasTimes() != (test.least != "") || f.HasTimes() &&
			(string(f.Times.FromText) != test.least || string(f.Times.ToText) != test.most) {
			t.Errorf("%s: %v, from %s to %s", test.values, f.HasTimes(), f.Times.FromText, f.Times.ToText)
		}
	}
}
