package summarize

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// TestNoNumbers: fields of versions, of codes, and of amounts whose units differ have no least,
// greatest, mean or sum. Fields of numbers that look like them have.
func TestNoNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 41))
	n := random.IntN
	for _, test := range []struct {
		name, field, unit string
		value             func(i int) string // as JSON has it
		isNumber          bool
	}{
		{"versions", "tag", "", func(i int) string { return fmt.Sprintf(`"1.%d"`, 1+i%29) }, false},
		{"versions as numbers", "appVersion", "", func(i int) string {
			return fmt.Sprintf(`1.%d`, []int{1, 2, 11,
				12}[n(4)])
		}, false},
		{"versions with a name", "schema_version", "", func(i int) string { return fmt.Sprintf(`"2.%d"`, 1+n(9)) },
			false},
		{"prices", "price", "", func(i int) string { return fmt.Sprintf(`"%d.%02d"`, n(9), n(100)) }, true},
		{"fractions", "ratio", "",
			func(i int) string { return strconv.FormatFloat(float64(n(1000))/1000, 'f', -1, 64) },
			true},
		{"fractions with a zero", "ratio", "", func(i int) string { return []string{"1.0", "0.25", "3.5"}[n(3)] },
			true},
		{"codes", "code", "", func(i int) string { return fmt.Sprintf(`"%08d"`, n(1e8)) }, false},
		{"codes of which few have a zero", "code", "", func(i int) string {
			return fmt.Sprintf(`"%06d"`, 1e5*min(i%60,
				1)+n(9e5))
		}, false},
		{"numbers of one length", "code", "", func(i int) string { return fmt.Sprintf(`"%d"`, 1e5+n(9e5)) }, true},
		{"a unit that some lack", "cpu", "",
			func(i int) string { return []string{`"250m"`, `"3"`, `"500m"`}[n(3)] }, false},
		{"a unit that few lack", "cpu", "", func(i int) string {
			return []string{`"3"`, fmt.Sprintf(`"%dm"`,
				10*n(90))}[min(1, i%40)]
		}, false},
		{"one unit", "cpu", "", func(i int) string { return fmt.Sprintf(`"%dm"`, 10*n(90)) }, true},
		{"units that convert", "took", "", func(i int) string {
			return fmt.Sprintf(`"%d%s"`, 1+n(90), []string{"ms",
				"s"}[n(2)])
		}, true},
		{"a unit beside it", "latency", "latency_unit", func(i int) string { return fmt.Sprint(n(900)) }, false},
		{"a unit in capitals beside it", "latency", "latencyUnit", func(i int) string { return fmt.Sprint(n(900)) },
			false},
		{"the unit of a value", "value", "unit", func(i int) string { return fmt.Sprint(n(900)) }, false},
		{"the unit of another", "latency", "size_unit", func(i int) string { return fmt.Sprint(n(900)) }, true},
	} {
		var b strings.Builder
		for i := range 300 {
			fmt.Fprintf(&b, `{"id":"%s-%d","%s":%s`, nameOf(i%7), i, test.field, test.value(i))
			if test.unit != "" {
				fmt.Fprintf(&b, `,"%s":"%s"`, test.unit, []string{"ms", "us"}[n(2)])
			}
			b.WriteString("}\n")
		}
		of := gjson.GetBytes(watched(recordsOf([]byte(b.String()))).Facts(anyLength).JSON(), "fields."+test.field)
		for _, fact := range []string{"min", "max", "mean", "mean~", "sum"} {
			if has := of.Get(fact).Exists() || of.Get(fact+"~").Exists(); !of.Exists() || has && !test.isNumber ||
				!has &&
					test.isNumber && (fact == "min" || fact == "max") {
				t.Errorf("%s: %s of %s", test.name, fact, of.Raw)
			}
		}
	}
}

// TestVersionsInLines: what stands beside a word in lines is no number if some are like 1.9 and others like 1.10.
func TestVersionsInLines(t *testing.T) {
	for _, test := range []struct {
		form     string
		number   func(i int) string
		isNumber bool
	}{
		{"installed version %s of NAME", func(i int) string { return fmt.Sprint("1.", 1+i%29) }, false},
		{"NAME is at %s, took 5 ms", func(i int) string { return fmt.Sprint("2.", 8+i%15) }, false},
		{"installed tool %s of NAME", func(i int) string { return fmt.Sprintf("%d.%02d", i%7, i*i%100) }, true},
		{"installed tool %s of NAME", func(i int) string { return fmt.Sprint(float64(i*i%100) / 10) }, true},
	} {
		var b strings.Builder
		for i := range 300 {
			b.WriteString(strings.ReplaceAll(fmt.Sprintf(test.form, test.number(i)), "NAME", nameOf(i%5)) + "\n")
		}
		facts := string(watched(linesOf(b.String())).Facts(anyLength).JSON())
		measures := gjson.Get(facts, "measures.installed*").Raw + gjson.Get(facts, "measures.tool").Raw +
			gjson.Get(facts,
				"measures.version").Raw
		if isRange := strings.Contains(facts, "<num 0"); (measures != "" || isRange) != test.isNumber ||
			strings.Contains(facts, "<num 1.1..") {
			t.Errorf("%s: %s", test.form, facts)
		}
	}
}

// TestDecimalCommas: between semicolons a comma is that of a fraction.
func TestDecimalCommas(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 41))
	for range 30 {
		least, greatest := 1e9, -1e9
		digits := 1 + random.IntN(4)
		b := "name;share;n\n"
		for i := range 120 {
			n := float64(random.IntN(90_000)) / 100
			text := strconv.FormatFloat(n, 'f', digits, 64)
			n, _ = strconv.ParseFloat(text, 64)
			least, greatest = min(least, n), max(greatest, n)
			b += fmt.Sprintf("%s-%d;%s;%d\n", nameOf(i%7), i, strings.ReplaceAll(text, ".", ","), i%9)
		}
		of := gjson.GetBytes(watched(linesOf(b)).Facts(anyLength).JSON(), "fields.share")
		if of.Get("min").Float() != least || of.Get("max").Float() != greatest {
			t.Errorf("%s, not %g to %g", of.Raw, least, greatest)
		}
	}
}

// TestMeanIsAmongNumbers: the mean of numbers that are near each other is shown by as many digits as tell it from them.
func TestMeanIsAmongNumbers(t *testing.T) {
	for base := 1.0; base < 1e15; base *= 10 {
		s := NewSummary()
		for i := range 997 {
			s.Add(structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, `{"at":%.3f}`, base+float64(i*i%997)/3)})
		}
		facts := gjson.ParseBytes(s.Facts(anyLength).JSON()).Get("fields.at")
		low, high, mean := facts.Get("min").Float(), facts.Get("max").Float(), facts.Get("mean~").Float()
		if want := base + 165; mean < low || mean > high || math.Abs(mean-want) > (high-low)/20 {
			t.Errorf("from %v: %s", base, facts)
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
		decode(t, watched(recordsOf([]byte(b.String()))).Facts(anyLength).JSON(), &facts)
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
		if took.Unit != "ms" || !isOneOf(took.Min, took.RoundedMin, least) ||
			!isOneOf(took.Max, took.RoundedMax, most) || !near(took.RoundedMean, sum/n) {
			t.Fatalf("%+v, want %g to %g, %g on average", took, least, most, sum/n)
		}
	}
}

// TestUnitsAreNotMixed: numbers of one unit have no facts in common with those of none, and looking at the records
// that stand out changes no fact.
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
		before := string(s.Facts(anyLength).JSON())
		if after := string(s.Facts(anyLength).JSON()); after != before {
			t.Errorf("%s: %s, then %s", name, before, after)
		}
		if hasUnit := strings.Contains(before, `"unit"`); hasUnit != (name == "nothing of no unit") || hasUnit &&
			!strings.Contains(before, `"unit":"ms"`) {
			t.Errorf("%s: %s", name, before)
		}
	}
}

// TestFieldsOfClocks: a field of times of day has its least and greatest value, as they are written; not
// where something else is among them, or a date.
func TestFieldsOfClocks(t *testing.T) {
	for _, test := range []struct{ name, other, want string }{
		{"clocks alone", "1:02:03", `"min":"0:00.25","max":"1:02:03","distinct":22,"top":{"0:01":2}`},
		{"others among them", "n/a", `"distinct":22,"top":{"0:01":2},"len":[3,7]`},
		{"values that come again", strings.Repeat(`0:02"}`+"\n"+`{"t":"`, 50) + "0:02",
			`"min":"0:00.25","max":"19:18","distinct":22,"top":{"0:02":51}`},
		{"a date among them", "2026-01-02T10:00:00Z", `"distinct":22,"top":{"0:01":2},"len":[4,20]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b strings.Builder
			for i := range 20 {
				fmt.Fprintf(&b, `{"t":"%d:%02d"}`+"\n", i*7%20, 1+i)
			}
			fmt.Fprintf(&b, `{"t":"0:01"}`+"\n"+`{"t":"0:00.25"}`+"\n"+`{"t":"%s"}`, test.other)
			want := fmt.Sprintf(`{"records":%d,`, 22+1+strings.Count(test.other, "\n")) + `"fields":{"t":{` +
				test.want + `}}}`
			if got := summaryOf(recordsOf([]byte(b.String()))).Facts(anyLength).JSON(); string(got) != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}
