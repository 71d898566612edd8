package excerpt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/internal/testdepth"
)

// chars measures a text as four characters a token.
func chars(text []byte) float64 { return float64(utf8.RuneCount(text)) / 4 }

// linesOf returns lines as units.
func unitsOf(lines []string) (units []Unit) {
	for i, line := range lines {
		units = append(units, Unit{N: i + 1, Text: []byte(line)})
	}
	return units
}

// chosen returns an excerpt that has seen all units twice, and was shown the facts of each section.
func chosen(about string, tokens int, units []Unit, facts Facts) *Excerpt {
	var e *Excerpt
	e = New(question.Parse([]byte(about)), tokens, nil, func() { e.Tell(facts) })
	for _, u := range units {
		e.Watch(u)
	}
	e.Tell(facts)
	for _, u := range units {
		e.Choose(u)
	}
	return e
}

// roomOf returns a room for a page of text.
func roomOf(tokens float64, noun string) Room {
	return Room{Tokens: tokens, Measure: chars, Layout: Text{}, Noun: noun}
}

// pageOf returns the page of lines.
func pageOf(about string, tokens int, lines []string) string {
	page := chosen(about, tokens, unitsOf(lines), nil).Compose(roomOf(float64(tokens), "line"))
	return string(page.Append(nil, Text{}))
}

var (
	aGap     = regexp.MustCompile(`^… (\d+) (?:line|record)s?(?: as shown in (h\d+)|: .+)?$`)
	aLength  = regexp.MustCompile(`  ‹~?(\d+)(?: lines)?›$`)
	aNumber  = regexp.MustCompile(`^(\d+): (.*)$`)
	aSection = regexp.MustCompile(`^= (?:.+ / .+, )?\d+ to \d+(?:: fact 1)?$|^= fact [12]$`)
)

// reader reads a page, and holds it to the units that it is of.
type reader struct {
	units []Unit
	last  int    // the unit that was shown last
	done  int    // units that are shown or left out
	at    int    // bytes of the last unit that are shown or passed over
	label string // of the section, which is said once

	before map[int]string // the name of the page that has shown a unit, whole
	shown  map[int]bool   // by this page
}

// read returns what is wrong in a page; empty if nothing is.
func (r *reader) read(page string) string {
	areRecords := len(r.units) > 0 && r.units[0].IsRecord
	for line := range strings.Lines(page) {
		line, isWhole := strings.CutSuffix(line, "\n")
		if !isWhole {
			return fmt.Sprintf("%q has no end", line)
		}
		if gap := aGap.FindStringSubmatch(line); gap != nil {
			n, _ := strconv.Atoi(gap[1])
			for range n {
				if r.done++; gap[2] != "" && r.before[r.done] != gap[2] {
					return fmt.Sprintf("unit %d was not shown in %s", r.done, gap[2])
				}
			}
			continue
		}
		if aSection.MatchString(line) {
			if !strings.HasPrefix(line, "= fact") {
				r.label, _, _ = strings.Cut(strings.TrimPrefix(line, "= "), ", ")
			}
			continue
		}
		n, text := r.done+1, line
		if numbered := aNumber.FindStringSubmatch(line); numbered != nil {
			n, _ = strconv.Atoi(numbered[1])
			text = numbered[2]
		} else if ownNumberLen([]byte(line)) == 0 {
			return fmt.Sprintf("%q has no number", line)
		}
		switch {
		case n == r.last:
		case n > len(r.units) || n <= r.last || n != r.done+1 && !areRecords:
			return fmt.Sprintf("unit %d after %d, with %d shown or left out", n, r.last, r.done)
		default:
			r.last, r.at = n, 0
			r.done++
		}
		if length := aLength.FindStringSubmatch(text); length != nil {
			if lines, _ := strconv.Atoi(length[1]); n+lines-1 > len(r.units) {
				return fmt.Sprintf("%q has more than all %d units", line, len(r.units))
			}
			text = strings.TrimSuffix(text, length[0])
		}
		if !r.isPiece(text) && !(areRecords && isRendered(text, r.units[n-1].Text)) {
			return fmt.Sprintf("%q is no piece of unit %d: %q", text, n, r.units[n-1].Text)
		}
	}
	if r.done != len(r.units) {
		return fmt.Sprintf("%d units are shown or left out, of %d", r.done, len(r.units))
	}
	return ""
}

// isPiece reports whether a text is the next piece of the last unit, with an ellipsis where it is cut.
func (r *reader) isPiece(text string) bool {
	unit := string(appendShown(nil, r.units[r.last-1]))
	if prefix, label := labelLen([]byte(unit)); prefix > 0 && strings.ReplaceAll(unit[:label], "\t", " / ") == r.label {
		unit = unit[prefix:]
	}
	if r.at == 0 && text == unit {
		r.at = len(unit)
		if r.shown != nil {
			r.shown[r.last] = true
		}
		return true
	}
	text, isLater := strings.CutPrefix(text, ellipsis)
	text, goes := strings.CutSuffix(text, ellipsis)
	least := r.at
	if isLater {
		least = max(1, least)
	}
	from := len(unit) - len(text)
	if goes && least <= len(unit) {
		from = strings.Index(unit[least:], text) + least
	}
	if from < least || !strings.HasPrefix(unit[from:], text) || !isLater && from > 0 {
		return false
	}
	r.at = from + len(text)
	return goes == (r.at < len(unit))
}

// sentences returns a text of so many parts, no two of which are the same.
func sentences(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "sentence %d of the gardener, ", i)
	}
	return b.String()
}

// randomUnits returns units of some kinds of lines, or of records.
func randomUnits(r *rand.Rand) (units []Unit) {
	label := func() string { return "" }
	switch r.IntN(4) {
	case 0: // all lines have one
		at := 0
		label = func() string {
			at++
			return fmt.Sprintf("build\tstep %d\t2026-03-02T08:00:02.2037081Z ", at/40)
		}
	case 1: // some have
		label = func() string {
			return []string{"", "build\tstep\t2026-03-02T08:00:02.2037081Z "}[r.IntN(2)]
		}
	}
	bringNumbers, areRecords := r.IntN(4) == 0, r.IntN(5) == 0
	kinds := 1 + r.IntN(10)
	for i := range 1 + r.IntN(400) {
		if areRecords {
			units = append(units, Unit{N: i + 1, IsRecord: true,
				Text: fmt.Appendf(nil, `{"id":%d,"text":"%s"}`, i, sentences(r.IntN(40)))})
			continue
		}
		line := ""
		if i == 0 && r.IntN(2) == 0 || r.IntN(50) == 0 {
			units = append(units, Unit{N: i + 1, Text: []byte([]string{"$ kfw --help", "==> beds.log <==",
				"PLOT  BED  STATE",
				"##[group]Water"}[r.IntN(4)])})
			continue
		}
		switch r.IntN(kinds) {
		case 0:
			line = fmt.Sprintf("loaded part %d of the orchard", i)
		case 1:
			line = fmt.Sprintf("  case %d: ok in %d ms", i, r.IntN(900))
		case 2:
			line = fmt.Sprintf("error: bed %d is not watered", r.IntN(9))
		case 3:
			line = sentences(r.IntN(60))
		case 4:
			line = strings.Repeat(" ", r.IntN(5)) + []string{"", "}", "---", "# Heading", "func sow(bed int) {"}[r.IntN(5)]
		case 5:
			line = fmt.Sprintf("\x1b[31mred %d\x1b[0m\rover it %d", i, i)
		case 6:
			line = []string{"… 3 lines", "= fact", "kfw: x", "12: y", "ä\u2028ö\vü"}[r.IntN(5)]
		case 7:
			line = strings.Repeat("ü", r.IntN(700))
		default:
			line = fmt.Sprintf("%x grows %x", r.Uint64(), r.Uint64())
		}
		line = label() + line
		if bringNumbers {
			line = fmt.Sprintf("%6d\t%s", i+700, line)
		}
		units = append(units, Unit{N: i + 1, Text: []byte(line)})
	}
	return units
}

// isRendered reports whether a line tells fields of a record: all of its values are in that, the last one maybe cut.
func isRendered(line string, record []byte) bool {
	for field := range strings.SplitSeq(strings.TrimSuffix(line, ellipsis), " ") {
		name, value, ok := strings.Cut(field, "=")
		if !ok {
			name, value = "", field
		}
		if !bytes.Contains(record, []byte(strings.Trim(value, `"`))) || !bytes.Contains(record, []byte(name)) {
			return false
		}
	}
	return true
}

// TestPage: a page of any lines costs no more than its room. All of it is units or gaps: units are
// shown whole, or cut at an ellipsis, in order, each once, and with those left out they are all.
// It is the same each time.
func TestPage(t *testing.T) {
	for seed := range uint64(testdepth.Cases(2000)) {
		r := rand.New(rand.NewPCG(seed, 7))
		units := randomUnits(r)
		tokens := 20 + r.IntN(1500)
		about := []string{"", "which bed does the gardener water", "part 17"}[r.IntN(3)]
		noun := "line"
		if units[0].IsRecord {
			noun = "record"
		}
		room := roomOf(float64(tokens), noun)
		room.Facts = float64(r.IntN(20))
		facts := Facts{[]byte("= fact 1\n= fact 2\n"), []byte("= fact 1\n")}[r.IntN(2):]
		e := chosen(about, tokens, units, facts)
		composed := e.Compose(room)
		page, from, to := composed.Append(nil, Text{}), composed.From, composed.To
		if cost := chars(page); cost > room.Tokens {
			t.Errorf("seed %d: %v tokens, of %d", seed, cost, tokens)
		}
		if wrong := (&reader{units: units}).read(string(page)); wrong != "" {
			t.Errorf("seed %d: %s\n%s", seed, wrong, page)
		}
		if from > to || to > len(units) || (from == 0) != (to == 0) {
			t.Errorf("seed %d: %d to %d are left out, of %d", seed, from, to, len(units))
		}
		if again := e.Compose(room).Append(nil, Text{}); !bytes.Equal(again, page) {
			t.Errorf("seed %d: a second time\n%s\nand first\n%s", seed, again, page)
		}
		if again := chosen(about, tokens, units, facts).Compose(room).Append(nil, Text{}); !bytes.Equal(again, page) {
			t.Errorf("seed %d: another time\n%s\nand first\n%s", seed, again, page)
		}
	}
}

// many returns n lines, with others in the place of some.
func many(n int, usual func(i int) string, others map[int]string) (lines []string) {
	for i := 1; i <= n; i++ {
		if line, isOther := others[i]; isOther {
			lines = append(lines, line)
		} else {
			lines = append(lines, usual(i))
		}
	}
	return lines
}

func passed(i int) string { return fmt.Sprintf("test_bed_%d passed in 0.%02d s", i, i%100) }

func TestChosen(t *testing.T) {
	for _, c := range []struct {
		name, about string
		tokens      int
		lines       []string
		want        []string
	}{
		{"failures of one template are all shown", "", 150,
			many(600, passed, map[int]string{
				150: "FAILED test_bed_150: water 3 is not 4", 151: passed(151),
				300: "FAILED test_bed_300: water 5 is not 4",
				450: "FAILED test_bed_450: water 7 is not 4"}),
			[]string{"150: FAILED test_bed_150: water 3 is not 4", "300: FAILED", "450: FAILED"}},
		{"a value that one row has", "", 150,
			many(400, func(i int) string { return fmt.Sprintf("bed-%d   1/1   Growing   %d", i, i%7) },
				map[int]string{222: "bed-222   1/1   Flooded   3"}),
			[]string{"222: bed-222   1/1   Flooded   3"}},
		{"a value that few rows have", "", 300,
			many(400, func(i int) string { return fmt.Sprintf("bed-%d   1/1   Growing   %d", i, i%7) },
				map[int]string{222: "bed-222   1/1   Flooded   3", 333: "bed-333   1/1   Flooded   4"}),
			[]string{"222: bed-222   1/1   Flooded   3", "333: bed-333   1/1   Flooded   4"}},
		{"the one of many that a failure belongs to", "", 150,
			many(400, func(i int) string {
				if i%20 == 0 {
					return fmt.Sprintf("suite %d", i)
				}
				return fmt.Sprintf("  case %d is fine", i)
			}, map[int]string{217: "  error: case 217 has no light"}),
			[]string{"200: suite 200\n", "217:   error: case 217 has no light"}},
		{"a range of a source, from its beginning", "", 250,
			many(70, func(i int) string {
				if i > 40 {
					return fmt.Sprintf("func sow%c(bed int) {", 'a'+i%26)
				}
				return fmt.Sprintf("\tsow(%d, bed%c)", i, 'a'+i%26)
			}, nil),
			[]string{"29: \tsow(29, bedd)\n30: \tsow(30, bede)\n"}},
		{"what a failure belongs to", "", 150,
			many(400, func(i int) string { return fmt.Sprintf("  case %d is fine", i) },
				map[int]string{200: "suite of the greenhouse", 217: "  error: case 217 has no light"}),
			[]string{"200: suite of the greenhouse", "217:   error: case 217 has no light"}},
		{"what has an identifier of a failure", "", 200,
			many(900, func(i int) string {
				return fmt.Sprintf("10:%02d:%02d %s INFO %s of order or%05x", i/60, i%60,
					[]string{"garden", "shed", "gate"}[i%3],
					[]string{"sowed", "watered", "picked"}[i%3], i/3*7919%90001)
			}, map[int]string{602: fmt.Sprintf("10:10:02 shed ERROR no water for order or%05x", 601/3*7919%90001)}),
			[]string{"600: 10:10:00 garden INFO sowed of order or", "602: 10:10:02 shed ERROR"}},
		{"a number that is far from the others", "", 200,
			many(400, func(i int) string { return fmt.Sprintf("sowed bed %d in %d ms", i, 90+i*13%10) },
				map[int]string{217: "sowed bed 217 in 4012 ms"}),
			[]string{"217: sowed bed 217 in 4012 ms\n"}},
		{"the greatest number", "", 200,
			many(400, func(i int) string { return fmt.Sprintf("bed-%d   %d   wet", i*37%401, i*7919%9973) }, nil),
			[]string{": bed-55   9948   wet\n"}},
		{"the words of the question", "where is the walnut wardrobe", 150,
			many(400, func(i int) string { return fmt.Sprintf("moved chair %d to room %d", i, i%9) },
				map[int]string{123: "moved wardrobe of walnut to room 4"}),
			[]string{"123: moved wardrobe of walnut to room 4"}},
		{"what fills a gap", "", 150,
			many(300, func(i int) string { return fmt.Sprintf("loaded part %d", i) }, nil),
			[]string{" lines: loaded part <num>\n"}},
		{"the beginning and the end", "", 100,
			many(300, func(i int) string { return fmt.Sprintf("loaded part %d", i) }, nil),
			[]string{"1: loaded part 1\n", "300: loaded part 300\n"}},
		{"lines that bring their number", "", 150,
			many(300, func(i int) string { return fmt.Sprintf("%6d→\tplot %d", i+10, i) },
				map[int]string{150: "   160→func sow(bed int) {"}),
			[]string{"    11→\tplot 1\n", "\n   160→func sow(bed int) {\n"}},
		{"sections", "", 150,
			many(300, func(i int) string {
				return fmt.Sprintf("garden\twater\t2026-03-02T08:00:%02dZ bed %d is wet", i%60, i)
			}, nil),
			[]string{"= garden / water, 1 to 300\n", "1: bed 1 is wet\n"}},
	} {
		page := pageOf(c.about, c.tokens, c.lines)
		for _, want := range c.want {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, page)
			}
		}
	}
}

// TestHeadings: a page of a document has all its headings, if they fit.
func TestHeadings(t *testing.T) {
	var lines, want []string
	for i := range 12 {
		heading := fmt.Sprintf("## Of the %s bed", []string{"first", "second", "last"}[i%3]+strings.Repeat(" old", i/3))
		want = append(want, fmt.Sprintf("%d: %s\n", len(lines)+1, heading))
		lines = append(lines, heading, "")
		for j := range 10 {
			lines = append(lines, fmt.Sprintf("%s grow beside %s there, and nobody has sown any of them in year %d.",
				[]string{"Roses", "Tulips", "Herbs", "Ferns", "Weeds"}[(i+j)%5], strings.Repeat("very ", i)+"old trees", j))
		}
	}
	page := pageOf("", 400, lines)
	for _, heading := range want {
		if !strings.Contains(page, heading) {
			t.Errorf("no %q in\n%s", heading, page)
		}
	}
}

// TestVerdicts: lines that say how a test ended are all counted, by their word, however many templates there are.
func TestVerdicts(t *testing.T) {
	e := New(nil, 500, nil, nil)
	want := map[Count]bool{{Text: "--- PASS", N: 3*maxTemplates - 40}: true, {Text: "--- FAIL", N: 40}: true,
		{Text: "--- SKIP", N: 7, IsIndented: true}: true}
	lines := make([]string, 0, 3*maxTemplates+7)
	for i := range 3 * maxTemplates {
		verdict := "PASS"
		if i%150 == 0 && i/150 < 40 {
			verdict = "FAIL"
		}
		name := string([]rune{rune('g' + i%19), rune('g' + i/19%19), rune('g' + i/361%19), rune('g' + i/6859)})
		lines = append(lines, "--- "+verdict+": Test"+name+" (0.01s)")
	}
	for range 7 {
		lines = append(lines, "    --- SKIP: part (0.00s)")
	}
	for _, u := range unitsOf(lines) {
		e.Watch(u)
	}
	got := e.Verdicts()
	for _, c := range got {
		if !want[c] {
			t.Errorf("%+v of %+v", c, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%+v", got)
	}
	e = New(nil, 500, nil, nil)
	for range 20 * unitsOfVerdict / leastVerdicts {
		lines = append(lines[:0], "the beds were watered", "watering the beds failed: failed", "no bed is wet")
		for len(lines) < unitsOfVerdict+1 {
			lines = append(lines, "a bed "+strconv.Itoa(len(lines)))
		}
		for _, u := range unitsOf(lines) {
			e.Watch(u)
		}
	}
	if got := e.Verdicts(); got != nil {
		t.Errorf("a word that few lines end with: %+v", got)
	}
}

// TestAlike: of sentences that differ in a word the page shows a few, and then others that answer the question.
func TestAlike(t *testing.T) {
	var lines []string
	for i := range 120 {
		word := string([]rune{rune('g' + i%19), rune('g' + i/19)})
		lines = append(lines, "Raise an error if this bed of "+word+" can not be stored as it is",
			"other words "+strings.Repeat(word, 9))
	}
	lines[151] = "where an error is raised, is written elsewhere"
	page := pageOf("error raise", 120, lines)
	if !strings.Contains(page, lines[151]) || strings.Count(page, "Raise an error") > 6 {
		t.Errorf("too much alike:\n%s", page)
	}
}

// TestShareOfTheQuestion: what the question alone makes worth showing leaves room for what failed.
func TestShareOfTheQuestion(t *testing.T) {
	const tokens = 600
	names := []string{"rose", "tulip", "herb", "fern", "weed", "moss", "reed", "sage", "mint", "dill"}
	lines := many(2000, passed, nil)
	for i, name := range names {
		for j, other := range names {
			lines[20*(10*i+j)] = fmt.Sprintf("walnut wardrobe, brass lamp and oak mirror of the %s are beside %s", name, other)
		}
		for _, other := range names[:4] {
			lines[200*i+7+len(other)] = fmt.Sprintf("error: the %s is dry, and so is the %s behind it", name, other)
		}
	}
	asked, failed := 0.0, 0.0
	page := pageOf("where are the walnut wardrobe, the brass lamp and the oak mirror", tokens, lines)
	for line := range strings.Lines(page) {
		switch {
		case strings.Contains(line, "walnut"):
			asked += chars([]byte(line))
		case strings.Contains(line, "error:"):
			failed += chars([]byte(line))
		}
	}
	if asked < 0.4*tokens || asked > mostAsked*tokens {
		t.Errorf("%v tokens for the question, want most of what it may have: %v", asked, mostAsked*tokens)
	}
	if failed < 0.15*tokens {
		t.Errorf("%v tokens for what failed", failed)
	}
}

// usual returns the lines of a log.
func usual(n int) []Unit {
	return unitsOf(many(n, func(i int) string {
		return fmt.Sprintf("2026-03-02T08:00:%02dZ INFO bank answered 200 for transfer tr_%d after %d ms", i%60, i, i%400)
	}, nil))
}

// TestChooseDoesNotAllocate: a line like others costs no memory.
func TestChooseDoesNotAllocate(t *testing.T) {
	units := usual(5000)
	for _, about := range []string{"", "transfer to the bank"} {
		e := New(question.Parse([]byte(about)), 500, nil, nil)
		for _, u := range units {
			e.Watch(u)
		}
		for _, u := range units[:3000] {
			e.Choose(u)
		}
		next := 3000
		if n := testing.AllocsPerRun(1000, func() { e.Choose(units[next]); next++ }); n > 0 {
			t.Errorf("about %q: %v allocations for a line", about, n)
		}
	}
}

func BenchmarkWatch(b *testing.B) {
	units := usual(5000)
	e := New(nil, 1000, nil, nil)
	b.SetBytes(int64(len(units[0].Text)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		u := units[i%len(units)]
		u.N = i + 1
		e.Watch(u)
	}
}

func BenchmarkChoose(b *testing.B) {
	units := usual(5000)
	e := New(question.Parse([]byte("transfer to the bank")), 1000, nil, nil)
	for _, u := range units {
		e.Watch(u)
	}
	b.SetBytes(int64(len(units[0].Text)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		e.Choose(units[i%len(units)])
	}
}

func FuzzPage(f *testing.F) {
	f.Add([]byte("error: a\n  b\n\n# c\r\x1b[1md\nx:1:y"), []byte("what is b"), uint16(60))
	f.Add([]byte("a\tb\t2026-03-02T08:00:02Z x\na\tb\t2026-03-02T08:00:02Z error: y"), []byte(nil), uint16(40))
	f.Fuzz(func(t *testing.T, text, about []byte, tokens uint16) {
		if bytes.Contains(text, []byte(ellipsis)) || !utf8.Valid(text) {
			return
		}
		units := unitsOf(strings.Split(string(text), "\n"))
		least := 40.0 // for two gaps
		room := roomOf(max(least, float64(tokens)), "line")
		page := chosen(string(about), int(room.Tokens), units, nil).Compose(room).Append(nil, Text{})
		if cost := chars(page); cost > room.Tokens {
			t.Errorf("%v tokens, of %v", cost, room.Tokens)
		}
		if wrong := (&reader{units: units}).read(string(page)); wrong != "" {
			t.Errorf("%s\n%s", wrong, page)
		}
	})
}
