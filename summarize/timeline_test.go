package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// TestTimesOfLines: the earliest and the latest time in lines is shown, with its fraction and zone.
func TestTimesOfLines(t *testing.T) {
	var facts struct{ From, To string }
	decode(t, watched(linesOf(
		"no time\n2031-05-02 10:00:01 a\nat x\n2031-05-02 09:59:59 b\n2031-05-03 10:00:00 c\nat y\n")).Facts(anyLength).JSON(), &facts)
	if facts.From != "2031-05-02 09:59:59" || facts.To != "2031-05-03 10:00:00" {
		t.Errorf("from %q to %q", facts.From, facts.To)
	}
	for _, form := range []string{
		"2006-01-02T15:04:05.000Z", "2006-01-02 15:04:05,000", "2006/01/02 15:04:05",
		"2006-01-02T15:04:05.000000-07:00", "Jan _2 15:04:05",
		"02/Jan/2006:15:04:05 -0700", "02 Jan 2006 15:04:05.000",
		"Jan _2 15:04:05 2006", "Jan _2 15:04:05.000000 2006", "Jan _2 15:04:05 2006 -0700",
		"Jan 2 15:04:05", "Jan 2 15:04:05 2006 -0700", "02-Jan-2006 15:04:05.000", "2006.01.02 15:04:05.000000",
		"2006-01-02-15.04.05.000000", "2006-01-02 15.04.05",
		"06/01/02 15:04:05", "01-02 15:04:05.000", "02.01.2006 15:04:05", "060102 15:04:05", "060102 150405",
		"20060102 15:04:05.000", "20060102T150405Z",
	} {
		at := time.Date(2031, 5, 2, 10, 0, 59, 250e6, time.UTC)
		from, to := at.Format(form), at.Add(time.Second).Format(form)
		for _, lines := range []string{"a FROM b\na TO b\n", "a [FROM] b\n[TO] b\n", "FROM b\nname=a-1 TO b\n"} {
			facts.From, facts.To = "", ""
			text := strings.NewReplacer("FROM", from, "TO", to).Replace(lines)
			decode(t, watched(linesOf(text)).Facts(anyLength).JSON(), &facts)
			if facts.From != from || facts.To != to {
				t.Errorf("%q: from %q to %q, not from %s to %s", text, facts.From, facts.To, from, to)
			}
		}
	}
	for line, want := range map[string]string{ // what follows is no zone, and no fraction
		"2031-05-02 10:00:59 -10000 bytes":  "2031-05-02 10:00:59",
		"2031-05-02T10:00:59+1234567 a":     "2031-05-02T10:00:59",
		"2031-05-02T10:00:59zone":           "2031-05-02T10:00:59",
		"02/Jan/2031:10:00:59 +0100x":       "02/Jan/2031:10:00:59",
		"2031-05-02 10:00:59.5 -0100 bytes": "2031-05-02 10:00:59.5 -0100",
		"2031-05-02 at 2031-05-02 10:00:59": "2031-05-02 10:00:59",
		"Mar  2 10:00:59 1234 requests":     "Mar  2 10:00:59",
		"Mar  2 10:00:59.25 pump a":         "Mar  2 10:00:59",
		"Mar  2 10:00:59 2031x pump a":      "Mar  2 10:00:59",
		"Mar  2 10:00:59 2031 -0100x":       "Mar  2 10:00:59 2031",
		"[Mar  2 10:00:59.25 2031] pump a":  "Mar  2 10:00:59.25 2031",

		"I0502 10:00:59.250000 7 a.go:12] x": "0502 10:00:59.250000",
		// it may be how long something takes
		"[2 of them] 10:00:59 left at 2031-05-02 10:00:58":    "2031-05-02 10:00:58",
		"1779500000.25 at 2031-05-02 10:00:59":                "2031-05-02 10:00:59", // an amount
		"5779500000.256 at 2031-05-02 10:00:59":               "2031-05-02 10:00:59",
		"1779500000.256x at 2031-05-02 10:00:59":              "2031-05-02 10:00:59",
		"api.log.1.2031-05-01_09:00:00 2031-05-02 10:00:59 a": "2031-05-02 10:00:59", // not what is in a name
		"7 05/06/31 10:00:59 at 2031-05-02 10:00:59":          "2031-05-02 10:00:59", // it may be of May or of June
		"131313 10:00:59 at 2031-05-02 10:00:59":              "2031-05-02 10:00:59",
		"0502 10:00:59 at 2031-05-02 10:00:59":                "2031-05-02 10:00:59",
		"13-02 10:00:59 at 2031-05-02 10:00:59":               "2031-05-02 10:00:59",
	} {
		decode(t, watched(linesOf(line+"\n"+line+"\n")).Facts(anyLength).JSON(), &facts)
		if facts.From != want {
			t.Errorf("%q is of %q, not %q", line, facts.From, want)
		}
	}
	facts.From, facts.To = "", ""
	decode(t, watched(linesOf("no time\n2031-05-02 10:00:01 a\nat x\n")).Facts(anyLength).JSON(), &facts)
	if facts.From != "" || facts.To != "" {
		t.Errorf("from %q to %q of one", facts.From, facts.To)
	}
}

// TestFromAndTo: the earliest and the latest of the times in lines are shown, wherever they are and
// whatever jumps; where they have no year the first and the last one, as the year may end in between. Times that say
// less than others do not count. Where there are such, or times without a year go back, that is said.
func TestFromAndTo(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	zones := []*time.Location{time.UTC, time.FixedZone("", 2*3600), time.FixedZone("", -5*3600-1800)}
	for _, form := range []string{
		"2006-01-02 15:04:05", "2006-01-02T15:04:05.000Z07:00", "2006-01-02 15:04:05,000 -0700",
		"02/Jan/2006:15:04:05 -0700",
		"Jan _2 15:04:05 2006 -0700", "Jan _2 15:04:05 2006", "02 Jan 2006 15:04:05.000", time.Stamp,
	} {
		isZoned := strings.Contains(form, "07")
		for range testdepth.Cases(300) {
			var text strings.Builder
			var from, to, before time.Time
			mark := ""
			at := time.Date(2031, 12, 31, 23, 50, 0, 0, time.UTC)
			lines := 2 + random.IntN(60)
			for i := range lines {
				switch random.IntN(20) {
				case 0:
					at = at.Add(time.Duration(random.IntN(1e6)-5e5) * time.Hour / 100)
				case 1:
					at = at.Add(-time.Duration(random.IntN(60e3)) * time.Millisecond)
				default:
					at = at.Add(time.Duration(random.IntN(20e3)) * time.Millisecond)
				}
				if !strings.Contains(form, ".000") && !strings.Contains(form, ",000") {
					at = at.Truncate(time.Second)
				}
				at = at.Truncate(time.Millisecond)
				if isZoned {
					at = at.In(zones[random.IntN(len(zones))])
				}
				if i == 0 || at.Before(from) && form != time.Stamp {
					from = at
				}
				if i == 0 || !at.Before(to) || form == time.Stamp {
					to = at
				}
				fmt.Fprintf(&text, "%s served page %d\n", at.Format(form), random.IntN(100))
				if form == time.Stamp {
					shown, err := time.Parse(time.Stamp, at.Format(form))
					if err != nil {
						t.Fatal(err)
					}
					if i > 0 && shown.Before(before) && before.Sub(shown) < 300*24*time.Hour {
						mark = "~"
					}
					before = shown
				}
				if form != time.Stamp && random.IntN(9) == 0 {
					mark = "~"
					fmt.Fprintf(&text, "%s booted\n", at.AddDate(random.IntN(9)-4, 0, 0).Format(time.Stamp))
				}
				if isZoned && random.IntN(9) == 0 {
					mark = "~"
					fmt.Fprintf(&text, "%s booted\n", at.AddDate(random.IntN(9)-4, 0, 0).Format(time.DateTime))
				}
			}
			var facts map[string]any
			decode(t, watched(linesOf(text.String())).Facts(anyLength).JSON(), &facts)
			if facts["from"+mark] != from.Format(form) || facts["to"+mark] != to.Format(form) {
				t.Fatalf("%+v, not %s to %s, in\n%s", facts, from.Format(form), to.Format(form), text.String())
			}
		}
	}
}

// TestFromOfTables: the first rows of a table, which wait until it is known to be one, count with the others.
func TestFromOfTables(t *testing.T) {
	for _, row := range []string{"%s,%d", "%s;%d", "%s\t%d", "| %s | %d |"} {
		var b strings.Builder
		b.WriteString(strings.NewReplacer("%s", "at", "%d", "count").Replace(row) + "\n")
		at := time.Date(2031, 3, 1, 0, 0, 0, 0, time.UTC)
		for i := range 30 {
			fmt.Fprintf(&b, row+"\n", at.Add(time.Duration(i)*time.Minute).Format(time.RFC3339), i*7%100)
		}
		var facts map[string]any
		decode(t, watched(linesOf(b.String())).Facts(anyLength).JSON(), &facts)
		if fmt.Sprint(facts["rows"]) != "30" || facts["from"] != "2031-03-01T00:00:00Z" || facts["to"] != "2031-03-01T00:29:00Z" {
			t.Errorf("%q: %v rows, from %v to %v", row, facts["rows"], facts["from"], facts["to"])
		}
	}
}

// TestTimesAreOfTheirLines generates logs whose lines have times of their own, other times in their
// messages, or both: what is said of the lines without a mark is their own.
func TestTimesAreOfTheirLines(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 2))
	long := "[service=checkout-api region=eu-central-1 zone=b pod=checkout-%04d] TIME served in %d ms"
	for seed, shape := range []struct {
		lines []string // TIME is the time of the line, OTHER another one
		share int      // the first form has all lines but one in so many
		shown bool     // from and to, perhaps as estimates
	}{
		{[]string{"TIME request %d handled by worker %d", long}, 2, true},
		{[]string{"TIME request %d handled by worker %d"}, 2, true},
		{[]string{long}, 2, true},
		{[]string{"TIME request %d done in %d ms", "TIME certificate %d of worker %d expires OTHER"}, 3, true},
		{[]string{"TIME request %d done in %d ms", "license %d of host-%d valid until OTHER"}, 9, true},
		{[]string{"TIME request %d done in %d ms", "license %d-%d: OTHER"}, 100, true},
		{[]string{"TIME request %d done in %d ms", "expires OTHER %d %d"}, 100, true},
		{[]string{"TIME request %d done in %d ms", "the next run %d of the job %d is planned at OTHER"}, 2, true},
		{[]string{"TIME request %d done in %d ms",
			"the service that runs %d jobs on %d nodes said at TIME that it runs"},
			2, true},
		{[]string{"request %d handled by worker %d, token expires OTHER"}, 2, false},
		{[]string{"token expires OTHER for %d %d"}, 2, false},
		{[]string{"request %d handled by worker %d", "token %d of %d expires OTHER"}, 4, false},
		{[]string{"web | TIME request %d done in %d ms"}, 2, true},
		{[]string{"web | TIME request %d done in %d ms", "web | the certificate %d of host %d expires OTHER"}, 3, true},
		{[]string{"INFO [main %d] TIME request done in %d ms", "WARN [main %d] certificate %d expires OTHER"}, 4, true},
		{[]string{"10.0.%d.7 - frank [TIME] sent %d bytes"}, 4, true},
	} {
		for _, form := range []string{"2006-01-02T15:04:05Z", "2006-01-02 15:04:05", "Jan _2 15:04:05"} {
			var b strings.Builder
			var from, to string
			at := time.Date(2026, 3, 1, 1, 0, 0, 0, time.UTC)
			for i := range 400 {
				at = at.Add(time.Duration(1+random.IntN(9)) * time.Second)
				line := shape.lines[0]
				if len(shape.lines) > 1 && random.IntN(shape.share) == 0 {
					line = shape.lines[1]
				}
				other := time.Date(2027+random.IntN(9), 5, 1+random.IntN(28), 12, 0, random.IntN(60), 0, time.UTC)
				line = fmt.Sprintf(line, random.IntN(9000), random.IntN(90))
				if strings.Contains(line, "TIME") {
					if to = at.Format(form); from == "" {
						from = to
					}
				}
				line = strings.ReplaceAll(line, "TIME", at.Format(form))
				line = strings.ReplaceAll(line, "OTHER", other.Format([]string{"2006-01-02 15:04:05", form}[i%2]))
				b.WriteString(line + "\n")
			}
			var facts map[string]any
			decode(t, watched(linesOf(b.String())).Facts(anyLength).JSON(), &facts)
			gotFrom, isFrom := facts["from"]
			gotTo := facts["to"]
			_, isEstimate := facts["from~"]
			if isFrom && (gotFrom != from || gotTo != to) || (isFrom || isEstimate) != shape.shown {
				t.Errorf("%d %q, %s: from %v to %v (an estimate: %v), not from %q to %q", seed, shape.lines, form,
					gotFrom,
					gotTo, isEstimate, from, to)
			}
		}
	}
}

// TestTimesBesideLongLines: if a line is longer than a template may be, its last words are empty.
func TestTimesBesideLongLines(t *testing.T) {
	var b strings.Builder
	for i := range 10 {
		fmt.Fprintf(&b, "10:00:%02d tide is high\n", i)
		fmt.Fprintf(&b, "%s\n", strings.Repeat("harbourmastersofficebuilding ", 10+5*i))
	}
	var facts struct{ Lines int }
	decode(t, watched(linesOf(b.String())).Facts(anyLength).JSON(), &facts)
	if facts.Lines != 20 {
		t.Errorf("%d lines", facts.Lines)
	}
}
