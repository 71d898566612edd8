package query

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/chunktest"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/summarize"
)

// numbersOf reads all chunks that a filter shows, page by page, and returns their numbers.
func numbersOf(t *testing.T, all []chunktest.Kept, f *Filter, pageSize int) (numbers []int) {
	t.Helper()
	for f.After = 0; ; {
		onPage, last := 0, f.After
		for c, err := range Where(chunktest.Page(all, f.ReadsFrom()), f) {
			if err != nil {
				t.Fatal(err)
			}
			if c.Seq == 0 {
				continue
			}
			if onPage == pageSize {
				onPage++
				break
			}
			onPage++
			numbers = append(numbers, c.Seq)
			last = cmp.Or(c.Rank, c.Seq)
		}
		if onPage <= pageSize {
			return numbers
		}
		f.After = last
	}
}

// TestContextAgreesWithCounting: chunks around matches are those that counting gives, each once,
// whatever the page, the range and the number of matches that are skipped; and what -v shows are
// the others.
func TestContextAgreesWithCounting(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	for range 400 {
		count := 1 + random.IntN(60)
		var data strings.Builder
		matches := make([]bool, count+1)
		for i := 1; i <= count; i++ {
			matches[i] = random.IntN(6) == 0
			fmt.Fprintf(&data, "line %d %t\n", i, matches[i])
		}
		all := chunktest.Of(t, []byte(data.String()), nil, redact.Lines, 0, false)
		all = slices.DeleteFunc(all, func(c chunktest.Kept) bool { return c.Seq == 0 })
		pattern, err := ParsePattern("t.*e$", false, false)
		if err != nil {
			t.Fatal(err)
		}
		f := Filter{Patterns: []Pattern{pattern}, Before: random.IntN(5), Behind: random.IntN(5),
			First: random.IntN(count),
			Skip:  random.IntN(3), Invert: random.IntN(2) == 0}
		var want []int
		skipped := 0
		for i := max(1, f.First); i <= count; i++ {
			if matches[i] == f.Invert {
				continue
			}
			if skipped++; skipped <= f.Skip {
				continue
			}
			for near := max(1, f.First, i-f.Before); near <= min(count, i+f.Behind); near++ {
				if !slices.Contains(want, near) {
					want = append(want, near)
				}
			}
		}
		if got := numbersOf(t, all, &f, 1+random.IntN(9)); !slices.Equal(got, want) {
			t.Fatalf("%+v shows %v, counting gives %v of\n%s", f, got, want, &data)
		}
		f = Filter{Patterns: f.Patterns}
		some := numbersOf(t, all, &f, count)
		f.Invert = true
		both := append(some, numbersOf(t, all, &f, count)...)
		slices.Sort(both)
		if len(both) != count || len(slices.Compact(both)) != count {
			t.Fatalf("with and without -v there are %v of %d", both, count)
		}
	}
}

// TestSortAgreesWithSorting: an order is the one that a stable sort of all gives, up to its bound, page by page.
func TestSortAgreesWithSorting(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 9))
	for _, count := range []int{1, 40, 700, MostSorted + 500} {
		values := make([]float64, count)
		var data strings.Builder
		for i := range values {
			values[i] = float64(random.IntN(count)) / 4
			fill := strings.Repeat("x", random.IntN(900)) // more than is held at once
			switch random.IntN(3) {
			case 0:
				fmt.Fprintf(&data, `{"v":%g,"fill":%q}`+"\n", values[i], fill)
			case 1:
				fmt.Fprintf(&data, `{"v":"%g","fill":%q}`+"\n", values[i], fill)
			default:
				fmt.Fprintf(&data, `{"v":[%g,%[1]g],"fill":%q}`+"\n", values[i], fill)
			}
		}
		all := chunktest.Of(t, []byte(data.String()), nil, redact.JSON, 0, false)
		for _, order := range []string{"v", "-v"} {
			o, err := ParseOrder(order)
			if err != nil {
				t.Fatal(err)
			}
			var want []int
			for i := range values {
				want = append(want, i+1)
			}
			slices.SortStableFunc(want, func(a, b int) int {
				c := cmp.Compare(values[a-1], values[b-1])
				if o.isDescending {
					return -c
				}
				return c
			})
			if got := numbersOf(t, all, &Filter{Order: o}, 900); !slices.Equal(got, want[:min(count, MostSorted)]) {
				t.Errorf("%d records by %s: not in order", count, order)
			}
		}
	}
}

// TestSortKinds: numbers come before texts, however they are written, and what has no value comes last in each order.
func TestSortKinds(t *testing.T) {
	data := `{"v":"b"}
{"v":10}
{}
{"v":"9"}
{"v":9007199254740993}
{"v":9007199254740992}
{"v":null}
{"v":[7,1]}
{"v":true}
`
	all := chunktest.Of(t, []byte(data), nil, redact.JSON, 0, false)
	for order, want := range map[string][]int{"v": {8, 4, 2, 6, 5, 1, 9, 3, 7}, "-v": {9, 1, 5, 6, 2, 4, 8, 3, 7}} {
		o, err := ParseOrder(order)
		if err != nil {
			t.Fatal(err)
		}
		if got := numbersOf(t, all, &Filter{Order: o}, 2); !slices.Equal(got, want) {
			t.Errorf("by %s: %v, not %v", order, got, want)
		}
	}
}

// TestAmounts: numbers with a unit are sorted and compared by what they are, converted where that can be done.
func TestAmounts(t *testing.T) {
	const data = `{"mem":"900Mi","took":"1.2s","load":"9%"}
{"mem":"1.5Gi","took":"900ms","load":"75%"}
{"mem":"2Gi","took":"2m","load":"100%"}
{"mem":"none","took":"-","load":""}
`
	all := chunktest.Of(t, []byte(data), nil, redact.JSON, 0, false)
	for order, want := range map[string][]int{"-mem": {4, 3, 2, 1}, "took": {2, 1, 3, 4}, "load": {1, 2, 3, 4}} {
		o, err := ParseOrder(order)
		if err != nil {
			t.Fatal(err)
		}
		if got := numbersOf(t, all, &Filter{Order: o}, 2); !slices.Equal(got, want) {
			t.Errorf("by %s: %v, not %v", order, got, want)
		}
	}
	for condition, want := range map[string]int{
		"mem>1Gi": 3, "mem<1024Mi": 1, "mem<=1536Mi": 2, "took>1s": 2, "took<1000ms": 2, "load>50%": 2, "load>=9": 3,
		"mem=2Gi": 1, "mem=2048Mi": 0, `mem<"9"`: 2, "took>1Gi": 2, // as strings
	} {
		if got := countOf(t, []byte(data), 0, condition); got != want {
			t.Errorf("%s: %d, not %d", condition, got, want)
		}
	}
}

// TestNamesOfColumns: before the first row of a table that matches comes the line that names its columns, once, and it
// does not count as one that matches.
func TestNamesOfColumns(t *testing.T) {
	const data = "name,size,kind\nash,10,tree\nfir,20,tree\nivy,3,vine\noak,40,tree\n" +
		"city,zone,people,since\nbern,3,140000,1191\noslo,1,700000,1048\nrome,1,2800000,0753\nwien,1,2000000,1137\n"
	all := chunktest.Of(t, []byte(data), nil, redact.Auto, 0, false)
	for condition, want := range map[string][]int{
		"size>15": {1, 3, 5}, "people>1000000": {6, 9, 10}, "kind=vine": {1, 4}, "zone=1": {6, 8, 9, 10},
	} {
		for _, after := range []int{0, 1} {
			f, err := filterOf(nil, []string{condition}, nil, testinput.PlainRules(t))
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Known(chunktest.Page(all, 0)); err != nil {
				t.Fatal(err)
			}
			f.NamesColumns, f.After = true, after
			var got []int
			for c, err := range Where(chunktest.Page(all, 0), f) {
				if got = append(got, c.Seq); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v, not %v", condition, got, want)
			}
			if count, _, err := Count(chunktest.Page(all, 0), f); count != len(want)-1 || err != nil {
				t.Errorf("%s: %d match, %v", condition, count, err)
			}
		}
	}
}

// TestTimes: dates with names of months are sorted and compared by their time.
func TestTimes(t *testing.T) {
	const data = `{"at":"Sep 22  2022"}
{"at":"Nov 29 2025"}
{"at":"May 3 2026"}
{"at":"2026-01-09 10:00"}
{"at":"never"}
`
	all := chunktest.Of(t, []byte(data), nil, redact.JSON, 0, false)
	o, err := ParseOrder("-at")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := numbersOf(t, all, &Filter{Order: o}, 2), []int{5, 3, 4, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	for condition, want := range map[string]int{
		"at<2026": 2, "at>=2026": 3, "at>Jan 1 2026": 3, "at=Nov 29 2025": 1, "at=2025-11-29": 0, "at<=May 3 2026": 4,
	} {
		if got := countOf(t, []byte(data), 0, condition); got != want {
			t.Errorf("%s: %d, not %d", condition, got, want)
		}
	}
}

// TestSortSaysItsBound: where more match than are sorted, that is said, with both numbers.
func TestSortSaysItsBound(t *testing.T) {
	var records iter.Seq2[split.Chunk, error] = func(yield func(split.Chunk, error) bool) {
		for i := range MostSorted + 1 {
			if !yield(split.Chunk{Seq: i + 1, Source: []byte(`{"v":1}`)}, nil) {
				return
			}
		}
	}
	o, err := ParseOrder("v")
	if err != nil {
		t.Fatal(err)
	}
	var last split.Chunk
	for last = range Where(records, &Filter{Order: o}) {
	}
	if len(last.Warnings) != 1 || last.Warnings[0].What != "sorted: the first 4096 of 4097 that match" {
		t.Errorf("%+v", last)
	}
}

// TestRanges: the forms of a range, and what is none.
func TestRanges(t *testing.T) {
	for text, want := range map[string]Range{"3-7": {3, 7}, "3-": {First: 3}, "-7": {Last: 7}, "7": {7, 7},
		"7-7": {7, 7}, "1,3": {1, 3}, "8-9, 3-4": {3, 9}, "5-,2": {First: 2}, "5,-2": {Last: 5}} {
		if _, got, err := ParseRanges(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-", "0", "0-3", "7-3", "1-2-3", "a", "-a", "+3", "1,", ",3",
		"99999999999999999999"} {
		if _, got, err := ParseRanges(text); err == nil || got != (Range{}) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

// TestJoinedConditions: two conditions in one are an error, unless they are a quoted value.
func TestJoinedConditions(t *testing.T) {
	for text, by := range map[string]string{"status=failed AND total>100": "AND", "a=1&&b=2": "&&", "path=/x and rt > 3": "and",
		"a=1 or a=2": "or", "a~x || b~y": "||", "a=rock and roll": "", `a="x and b=1"`: "", "a~'x && b=1'": "",
		"name=brandy=1": "", "a=sand or=1": ""} {
		_, err := ParseCondition(text)
		joined, isJoined := err.(*Joined)
		if isJoined != (by != "") || isJoined && joined.By != by {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestMeant: a filter that nothing matches names the way in which one that was meant differs.
func TestMeant(t *testing.T) {
	all := chunktest.Of(t, []byte("FAIL: a\npanic (b)\n[REDACTED:x]\n{\"s\":\"Failed\"}\n"), nil, redact.Lines, 0, false)
	for _, c := range []struct {
		pattern   string
		isFixed   bool
		condition string
		want      string
	}{
		{"fail", false, "", "with -i, which ignores case"},
		{"FAIL|panic", true, "", "as a regular expression, without -F"},
		{`FAIL\|panic`, false, "", "without the backslashes: | ( ) { } + and ? are operators as they stand"},
		{"panic (b)", false, "", "as a fixed string, with -F"},
		{"[REDACTED:x]y", false, "", ""},
		{"", false, "s=failed", "if case is ignored: PATH ~ (?i)^VALUE$"},
		{"", false, "s=lost", ""},
	} {
		f := &Filter{}
		if c.condition != "" {
			condition, err := ParseCondition(c.condition)
			if err != nil {
				t.Fatal(err)
			}
			f.Conditions = []Condition{condition}
		} else {
			pattern, err := ParsePattern(c.pattern, c.isFixed, false)
			if err != nil {
				t.Fatal(err)
			}
			f.Patterns = []Pattern{pattern}
		}
		other, err := f.Meant(chunktest.Page(all, 0))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if other != nil {
			got = other.How
		}
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestFieldsOfEachLine: a name that some line has a pair of is a field of each line that has one,
// be it the only pair, in a frame of a trace or beside a level; and the level that a logger wrote
// is a field.
func TestFieldsOfEachLine(t *testing.T) {
	forms := []string{
		"2031-03-02T08:00:0%dZ INFO  [pool-1] c.e.A : begin trace=t%d\n",
		"2031-03-02T08:00:0%dZ ERROR [pool-1] c.e.A : order failed: no stock trace=t%d size=4\n",
		"\tat com.example.Store.take(Store.java:1%d) trace=t%d\n",
		"Caused by: no stock, 0%d trace=t%d\n",
		"2031-03-02T08:00:0%dZ [error] slow trace=t%d took=5ms\n",
		"ERROR: 0%d trace=t%d\n",
	}
	random := rand.New(rand.NewPCG(4, 4))
	for range 50 {
		var data strings.Builder
		traces, errors := 0, 0
		for range 5 + random.IntN(60) {
			form := random.IntN(len(forms))
			trace := random.IntN(4)
			fmt.Fprintf(&data, forms[form], random.IntN(10), trace)
			if trace == 3 {
				traces++
			}
			if form == 1 || form == 5 {
				errors++
			}
		}
		all := chunktest.Of(t, []byte(data.String()), nil, redact.Lines, 0, false)
		for condition, want := range map[string]int{"trace=t3": traces, "level=ERROR": errors} {
			f, err := filterOf(nil, []string{condition}, nil, testinput.PlainRules(t))
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Known(chunktest.Page(all, 0)); err != nil && want > 0 {
				t.Fatal(err)
			}
			if got, _, err := Count(chunktest.Page(all, 0), f); err != nil || got != want {
				t.Fatalf("%s: %d lines, not %d, %v:\n%s", condition, got, want, err, &data)
			}
		}
	}
}

// TestCountedFieldsAreFound: a value that facts count so many times is found by a condition in as many lines or more,
// pairs, names with values, columns and levels alike, whatever stands around them.
func TestCountedFieldsAreFound(t *testing.T) {
	forms := []string{
		"2031-03-02T08:0%[2]d:0%[1]dZ INFO  [pool-1] c.e.A : begin order=%[2]d trace=t%[1]d zone=z%[1]d\n",
		"2031-03-02T08:0%[2]d:0%[1]dZ ERROR [pool-1] c.e.A : no stock trace=t%[1]d\n",
		"2031-03-02T08:0%[2]d:0%[1]dZ WARN c.e.A : slow took=%[2]d\n",
		"trace: t%[1]d\n",
		"zone: z%[2]d\n",
		"\tat com.example.Store.take(Store.java:1%[2]d)\n",
		"ERROR: zone=z%[2]d is full\n",
		"level=warn msg=\"not served\" ms=%[2]d trace=t%[1]d\n",
		"job %[2]d of 9 is done, exit=%[1]d\n",
		"[error] %[1]d of %[2]d failed\n",
		"\n",
	}
	random := rand.New(rand.NewPCG(6, 2))
	found := 0
	for range testdepth.Cases(200) {
		some := random.Perm(len(forms))[:1+random.IntN(len(forms))]
		var data strings.Builder
		for range 20 + random.IntN(200) {
			fmt.Fprintf(&data, forms[some[random.IntN(len(some))]], random.IntN(4), random.IntN(4))
		}
		all := chunktest.Of(t, []byte(data.String()), nil, redact.Lines, 0, false)
		all = slices.DeleteFunc(all, func(c chunktest.Kept) bool { return c.Seq == 0 })
		summary := summarize.NewWholeSummary()
		for _, c := range all {
			summary.Add(structure.Record{Seq: c.Seq, Value: []byte(c.Source), IsText: true})
		}
		shown := gjson.ParseBytes(summary.Facts(func(*facts.Tree) bool { return true }).JSON())
		check := func(name, value string, count int64) {
			// a sign at the end of a name tells pairs from names with values
			condition := fmt.Sprintf("%s=%s", strings.TrimRight(name, "=:"), value)
			f, err := filterOf(nil, []string{condition}, nil, testinput.PlainRules(t))
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Known(chunktest.Page(all, 0)); err != nil {
				t.Fatalf("%s is counted %d times, and %v in\n%s", condition, count, err, &data)
			}
			if n, _, err := Count(chunktest.Page(all, 0), f); err != nil || int64(n) < count {
				t.Fatalf("%s is counted %d times, and found in %d lines, %v:\n%s", condition, count, n, err, &data)
			}
			found++
		}
		for _, group := range []string{"keys", "fields"} {
			shown.Get(group).ForEach(func(name, field gjson.Result) bool {
				field.Get("values").ForEach(func(value, count gjson.Result) bool {
					check(name.Str, value.Str, count.Int())
					return true
				})
				return true
			})
		}
		shown.Get("levels").ForEach(func(level, count gjson.Result) bool {
			check("level", level.Str, count.Int())
			return true
		})
	}
	if found < 50 {
		t.Errorf("only %d values were counted", found)
	}
}
