package summarize

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

type measureFacts struct {
	Measures map[string]struct {
		N, Min, Max float64
		Mean        float64 `json:"mean~"`
	}
}

func measuresOf(t *testing.T, s *Summary) (f measureFacts) {
	t.Helper()
	if err := json.Unmarshal(s.Facts(anyLength).JSON(), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestMeasures: numbers beside the same word are counted together, whatever the template of their lines and however
// often these came before.
func TestMeasures(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	forms := []string{"sent to %s, length %d", "received from %s after a while, took %.2fms, length %d",
		"query of %s: duration: %.3f ms, %d rows"}
	var b strings.Builder
	all := map[string][]float64{}
	add := func(label string, number float64) { all[label] = append(all[label], number) }
	for range 3000 {
		peer := []string{"web", "db", "cache"}[random.IntN(3)]
		whole, broken := random.IntN(1500), math.Round(random.ExpFloat64()*1e2)/1e2
		switch form := random.IntN(3); form {
		case 0:
			fmt.Fprintf(&b, forms[form]+"\n", peer, whole)
			add("length", float64(whole))
		case 1:
			fmt.Fprintf(&b, forms[form]+"\n", peer, broken, whole)
			add("took ms", broken)
			add("length", float64(whole))
		case 2:
			fmt.Fprintf(&b, forms[form]+"\n", peer, broken, whole)
			add("duration", broken)
			add("rows", float64(whole))
		}
	}
	shown := measuresOf(t, watched(linesOf(b.String()))).Measures
	for label, numbers := range all {
		sum := 0.0
		for _, n := range numbers {
			sum += n
		}
		mean := sum / float64(len(numbers))
		m := shown[label]
		if int(m.N) != len(numbers) || m.Min != slices.Min(numbers) || m.Max != slices.Max(numbers) ||
			math.Abs(m.Mean-mean) > mean/1e5 {
			t.Errorf("%s: %+v, not %d numbers, %g to %g, %g", label, m, len(numbers), slices.Min(numbers),
				slices.Max(numbers), mean)
		}
	}
	if len(shown) != len(all) {
		t.Errorf("%+v", shown)
	}
}

// TestNoMeasures: what is the same in all lines, hardly differs or counts them is no measure, nor what is beside no
// word.
func TestNoMeasures(t *testing.T) {
	for _, line := range []string{"worker I", "at 17000I all was well", "port 443 of NAME", "(N) is done", "<a> N",
		"[NAME, N]", "of NAME N", "on Wed, N Dec N of NAME", "of NAME N - -", "NAME: took=N of=N"} {
		var b strings.Builder
		for i := range 200 {
			of := strings.NewReplacer("I", fmt.Sprint(100+i), "NAME", nameOf(i), "N", fmt.Sprint(i*i%37))
			b.WriteString(of.Replace(line) + "\n")
		}
		if shown := measuresOf(t, watched(linesOf(b.String()))).Measures; len(shown) > 0 {
			t.Errorf("%s: %+v", line, shown)
		}
	}
}

// TestMeasuresOfMostLines: where some lines have no template, what is shown is an estimate.
func TestMeasuresOfMostLines(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "took %d ms\n", i*7%90)
		fmt.Fprintf(&b, "%s\n", strings.Repeat(nameOf(i)+" ", 1+i%30))
	}
	if facts := string(watched(linesOf(b.String())).Facts(anyLength).JSON()); !strings.Contains(facts,
		`"measures":{"took":{"n~":3000,"min~":0,"max~":89,"mean~":44.`) {
		t.Error(facts)
	}
}

// TestMeasuresOfSome: so it is where some lines of a template have no number in its place.
func TestMeasuresOfSome(t *testing.T) {
	for _, other := range [][]string{{"took 5", "took none", "took 7"}, {"took 05", "took 6", "took 07"}} {
		var b strings.Builder
		for i := range 300 {
			fmt.Fprintf(&b, "query %s ended, took %d rows\n", nameOf(i%3), i*7%90)
			fmt.Fprintf(&b, "the flush of %s has ended well, %s and no more\n", nameOf(i%4), other[i%3])
		}
		if facts := string(watched(linesOf(b.String())).Facts(anyLength).JSON()); !strings.Contains(facts,
			`"took rows":{"n~":300,"min~":0,"max~":89,`) {
			t.Errorf("%s: %s", other, facts)
		}
	}
}

// TestMeasuresOfOtherSpellings: where lines of another template may have the same number in another
// way, what is shown is an estimate.
func TestMeasuresOfOtherSpellings(t *testing.T) {
	for _, test := range []struct {
		form, other string
		isPart      bool
	}{
		{"progress %d%% done", "progress 100 % done", true},
		{"[%3d%%] Building a thing", "[100%] done", false}, // the sign alone is the label of both
		{"took %d ms in all", "took 900ms in all", true},
		{"took %d ms in all", "all is well", false},
		{"read %d rows, sent 3 of them", "read 700 rows", true},
		{"read %d rows in all", "rows 700", true},
		{"took %d rows", "took none", false}, // which is no number
	} {
		var b strings.Builder
		for i := range 300 {
			fmt.Fprintf(&b, test.form+"\n", i*i%83)
		}
		b.WriteString(test.other + "\n")
		facts := string(watched(linesOf(b.String())).Facts(anyLength).JSON())
		if shown := strings.Contains(facts, `"measures"`); !shown || strings.Contains(facts, `"max~"`) != test.isPart {
			t.Errorf("%s beside %s: %s", test.form, test.other, facts)
		}
	}
}

// TestMeasuresOfKeyedLines: lines that some services print are shown as names and values, those of
// others are not; a measure counts both.
func TestMeasuresOfKeyedLines(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 41))
	for seed := range 40 {
		var b strings.Builder
		n, sum, most := 0, 0, 0
		for range 60 + random.IntN(120) {
			took := random.IntN(400)
			n, sum, most = n+1, sum+took, max(most, took)
			fmt.Fprintf(&b, "%s | job done in %d ms\n",
				[]string{"web-1 ", "web-1 ", "db-1  ", "queue-1"}[random.IntN(4)], took)
		}
		var facts struct {
			Measures map[string]struct {
				N, Max int
				Mean   float64 `json:"mean~"`
			}
		}
		decode(t, watched(linesOf(b.String())).Facts(anyLength).JSON(), &facts)
		if ms, ok := facts.Measures["ms"]; ok && (ms.N != n || ms.Max != most ||
			math.Abs(ms.Mean-float64(sum)/float64(n)) > .001) {
			t.Errorf("seed %d: %+v, not %d numbers up to %d", seed, ms, n, most)
		}
	}
}
