package summarize

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
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
		f := new(field)
		want := strings.Fields(c.want)
		for i, text := range strings.Fields(c.texts) {
			number, _, ok := f.numeral([]byte(text))
			if ok && f.unit == nil {
				f.learnUnit([]byte(text))
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
		number, _, ok := new(field).numeral([]byte(text))
		if ok && !json.Valid(number) || ok && strings.Contains(text, ",") && !groups.MatchString(text) {
			t.Fatalf("%q is %q", text, number)
		}
	}
}

// TestQuantities: numbers with units are compared in the unit of the first.
func TestQuantities(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 7))
	for range 30 {
		var b strings.Builder
		least, most, sum := math.Inf(1), math.Inf(-1), 0.0
		const n = 200
		for i := range n {
			ms := math.Round(math.Exp(10*random.Float64())*100) / 100
			text := fmt.Sprintf("%gms", ms)
			switch random.IntN(4) {
			case 0:
				text = fmt.Sprintf("%.7gs", ms/1000)
			case 1:
				text = fmt.Sprintf("%.9gµs", ms*1000)
			}
			if i == 0 {
				text = fmt.Sprintf("%gms", ms)
			}
			if strings.ContainsAny(text, "e+") {
				text = fmt.Sprintf("%gms", ms)
			}
			least, most, sum = min(least, ms), max(most, ms), sum+ms
			fmt.Fprintf(&b, `{"took":%q}`+"\n", text)
		}
		var facts struct {
			Fields map[string]struct {
				Unit        string
				Min, Max    json.Number
				RoundedMin  json.Number `json:"min~"`
				RoundedMax  json.Number `json:"max~"`
				RoundedMean json.Number `json:"mean~"`
			}
		}
		decode(t, watched(recordsOf([]byte(b.String()))).Facts(anyLength), &facts)
		took := facts.Fields["took"]
		near := func(n json.Number, want float64) bool {
			f, err := n.Float64()
			return err == nil && math.Abs(f-want) <= want*1e-4
		}
		isOneOf := func(exact, rounded json.Number, want float64) bool {
			if exact != "" {
				return rounded == "" && exact.String() == fmt.Sprint(want)
			}
			return near(rounded, want)
		}
		if took.Unit != "ms" || !isOneOf(took.Min, took.RoundedMin, least) || !isOneOf(took.Max, took.RoundedMax, most) || !near(took.RoundedMean, sum/n) {
			t.Fatalf("%+v, want %g to %g, %g on average", took, least, most, sum/n)
		}
	}
}

// TestUnitsAreNotMixed: numbers of one unit have no facts in common with those of none, and looking at the records that stand out
// changes no fact.
func TestUnitsAreNotMixed(t *testing.T) {
	for name, values := range map[string][]string{
		"a unit, then none":   {`"2h"`, "30", "31", "32", "33", "34", "35", "36", "37", "38", "39", "40"},
		"prose, then numbers": {`"x"`, `"y"`, `"5 apples"`, "1", "2", "3", "4", "5", "6", "7"},
		"nothing of no unit":  {`"0"`, `"0"`, `"5ms"`, `"7ms"`, `"0"`, `"9ms"`},
	} {
		var b strings.Builder
		for i := range 200 {
			value := values[min(i, len(values)-1)]
			if value[0] != '"' {
				value = fmt.Sprint(i)
			}
			fmt.Fprintf(&b, `{"m":%s}`+"\n", value)
		}
		s := watched(recordsOf([]byte(b.String())))
		before := string(s.Facts(anyLength))
		s.Notables()
		if after := string(s.Facts(anyLength)); after != before {
			t.Errorf("%s: %s, then %s", name, before, after)
		}
		if hasUnit := strings.Contains(before, `"unit"`); hasUnit != (name == "nothing of no unit") || hasUnit && !strings.Contains(before, `"unit":"ms"`) {
			t.Errorf("%s: %s", name, before)
		}
	}
}
