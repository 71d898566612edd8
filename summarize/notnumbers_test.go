package summarize

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
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
		{"versions with a name", "schema_version", "", func(i int) string { return fmt.Sprintf(`"2.%d"`, 1+n(9)) }, false},
		{"prices", "price", "", func(i int) string { return fmt.Sprintf(`"%d.%02d"`, n(9), n(100)) }, true},
		{"fractions", "ratio", "", func(i int) string { return strconv.FormatFloat(float64(n(1000))/1000, 'f', -1, 64) },
			true},
		{"fractions with a zero", "ratio", "", func(i int) string { return []string{"1.0", "0.25", "3.5"}[n(3)] }, true},
		{"codes", "code", "", func(i int) string { return fmt.Sprintf(`"%08d"`, n(1e8)) }, false},
		{"codes of which few have a zero", "code", "", func(i int) string {
			return fmt.Sprintf(`"%06d"`, 1e5*min(i%60,
				1)+n(9e5))
		}, false},
		{"numbers of one length", "code", "", func(i int) string { return fmt.Sprintf(`"%d"`, 1e5+n(9e5)) }, true},
		{"a unit that some lack", "cpu", "", func(i int) string { return []string{`"250m"`, `"3"`, `"500m"`}[n(3)] }, false},
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
		{"a unit in capitals beside it", "latency", "latencyUnit", func(i int) string { return fmt.Sprint(n(900)) }, false},
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
		of := gjson.GetBytes(watched(recordsOf([]byte(b.String()))).Facts(anyLength), "fields."+test.field)
		for _, fact := range []string{"min", "max", "mean", "mean~", "sum"} {
			if has := of.Get(fact).Exists() || of.Get(fact+"~").Exists(); !of.Exists() || has && !test.isNumber || !has &&
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
		facts := string(watched(linesOf(b.String())).Facts(anyLength))
		measures := gjson.Get(facts, "measures.installed*").Raw + gjson.Get(facts, "measures.tool").Raw + gjson.Get(facts,
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
		of := gjson.GetBytes(watched(linesOf(b)).Facts(anyLength), "fields.share")
		if of.Get("min").Float() != least || of.Get("max").Float() != greatest {
			t.Errorf("%s, not %g to %g", of.Raw, least, greatest)
		}
	}
}
