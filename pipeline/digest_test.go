package pipeline

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/chunktest"
	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/redact"
)

// How the lines of a page begin.
var (
	headOfPage = regexp.MustCompile(
		`^kfw: (\d+) (line|record)s?, [0-9.]+ k?B(?:; [^;]+)*; any of it: kfw expand h1( --lines \d+-\d+, or --grep WORD -C 3` +
			`| --where NAME=VALUE)?$`)
	unitOfPage = regexp.MustCompile(`(?s)^(\d+): (.*)$`)
	ownNumber  = regexp.MustCompile(`^( *\d+(→|\t)|[^ \t]+[:-]\d+[:-])`)
	gapOfPage  = regexp.MustCompile(`^… (\d+) (line|record)s?(: .*)?$`)
)

// pageIn holds a page to its grammar: what came and the command first, then kfw's warnings; after
// these only facts, gaps and numbered units in order, which add up to the response. units are the
// chunks of that.
func pageIn(t *testing.T, page string, units []chunktest.Kept) {
	t.Helper()
	if !utf8.ValidString(page) || strings.ContainsAny(page, "\v\f\r\u0085\u2028\u2029") {
		t.Fatalf("invalid, or a line break that is not LF: %q", page)
	}
	lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
	head := headOfPage.FindStringSubmatch(lines[0])
	if head == nil || head[1] != strconv.Itoa(len(units)) {
		t.Fatalf("of %d units: %s", len(units), page)
	}
	areRecords := head[2] == "record"
	accounted, last, isOwn := 0, 0, true
	for _, line := range lines[1:] {
		if isOwn = isOwn && strings.HasPrefix(line, encode.OwnPrefix); isOwn || strings.HasPrefix(line, "= ") {
			continue
		}
		if gap := gapOfPage.FindStringSubmatch(line); gap != nil {
			n, err := strconv.Atoi(gap[1])
			if accounted += n; err != nil || n < 1 || gap[2] != head[2] {
				t.Fatalf("%q in\n%s", line, page)
			}
			if !areRecords {
				last += n
			}
			continue
		}
		unit := unitOfPage.FindStringSubmatch(line)
		if unit == nil && ownNumber.MatchString(line) {
			unit = []string{line, strconv.Itoa(last + 1), line}
		}
		if unit == nil {
			t.Fatalf("%q is no line of a page:\n%s", line, page)
		}
		n, err := strconv.Atoi(unit[1])
		isNext := n == last+1 || areRecords && n > last
		if err != nil || !isNext && n != last || n > len(units) {
			t.Fatalf("%q does not follow unit %d of %d:\n%s", line, last, len(units), page)
		}
		if isNext {
			accounted++
		}
		last = n
		checkUnit(t, unit[2], units[n-1].Chunk())
	}
	if accounted != len(units) {
		t.Fatalf("%d units are shown or counted of %d:\n%s", accounted, len(units), page)
	}
}

// checkUnit holds what a page shows of a plain line to that line: it is cut at an ellipsis only.
func checkUnit(t *testing.T, shown string, c Chunk) {
	t.Helper()
	content := string(c.Content())
	isPlain := func(r rune) bool { return r >= ' ' && r < 0x7f || r == '\t' }
	if strings.HasPrefix(content, "{") || strings.ContainsFunc(content, func(r rune) bool { return !isPlain(r) }) ||
		len(c.Path) > 0 {
		return
	}
	shown, _, _ = strings.Cut(shown, "  ‹")
	for part := range strings.SplitSeq(shown, "…") {
		if !strings.Contains(content, part) {
			t.Fatalf("%q is not of %q", part, content)
		}
	}
	if !strings.Contains(shown, "…") && shown != content {
		t.Fatalf("%q stands for %q", shown, content)
	}
}

// TestPagesAreTrue: whatever the response, the budget and the counter, a page costs no more than
// the budget, the ledger has what it costs, it keeps to its grammar, and the same response gives
// the same page in whatever pieces it comes.
func TestPagesAreTrue(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(kindsOfResponses)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			exact, err := budget.NewCounter("o200k_base")
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(21, 4))
			for n := range testdepth.Cases(12) {
				data := []byte(kindsOfResponses[kind](random, 5+random.IntN(400)))
				units := chunktest.Of(t, data, nil, redact.Auto, 0, false)
				units = slices.DeleteFunc(units, func(c chunktest.Kept) bool { return c.Seq == 0 })
				m := new(memory)
				fw := m.firewall(t, 0)
				counters := []budget.Counter{fw.Counter, exact, budget.Scaled(fw.Counter, 1.3), budget.Scaled(exact, 1.2)}
				fw.Counter, fw.Encoding = counters[n%len(counters)], encode.Text{}
				fw.Budget.Tokens = max(fw.Least(), 60+random.IntN(1941))
				out := &tally{cost: fw.Cost}
				sizes := []byte{byte(random.IntN(256)), byte(1 + random.IntN(40))}
				if err := fw.Run(&testinput.Pieces{Data: data, Sizes: sizes}, out); err != nil {
					t.Fatal(err)
				}
				if cost := fw.Cost(out.Bytes()); cost > fw.Budget.Tokens || cost != m.spent || cost != out.spent {
					t.Fatalf("%d tokens written, by writes %d, %d on the ledger, %d in the budget", cost, out.spent, m.spent,
						fw.Budget.Tokens)
				}
				var again bytes.Buffer
				if err := fw.Run(bytes.NewReader(data), &again); err != nil || again.String() != out.String() {
					t.Fatalf("%v: again\n%s\nnot\n%s", err, &again, out)
				}
				if m.named > 0 && !strings.HasPrefix(out.String(), "kfw: no text (") {
					pageIn(t, out.String(), units)
				}
			}
		})
	}
}

// TestPagesUseTheirRoom: a page of a response of many short lines uses nine tenths of its budget at least.
func TestPagesUseTheirRoom(t *testing.T) {
	exact, err := budget.NewCounter("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(22, 4))
	for _, kind := range []string{"log", "columns", "equal lines", "stack traces", "kfw's own", "records"} {
		data := []byte(kindsOfResponses[kind](random, 1500))
		for tokens := 400; tokens <= 2000; tokens += 200 {
			m := new(memory)
			fw := m.firewall(t, tokens)
			fw.Encoding = encode.Text{}
			for _, counter := range []budget.Counter{fw.Counter, exact} {
				fw.Counter = counter
				var out bytes.Buffer
				if err := fw.Run(bytes.NewReader(data), &out); err != nil {
					t.Fatal(err)
				}
				if spent := fw.Cost(out.Bytes()); 10*spent < 9*tokens || m.named == 0 {
					t.Errorf("%s: %d tokens of %d\n%s", kind, spent, tokens, &out)
				}
			}
		}
	}
}

// TestPageIsOneWrite: nothing of a response is written before it has ended, and a page is written at once.
func TestPageIsOneWrite(t *testing.T) {
	fw := new(memory).firewall(t, 300)
	fw.Encoding = encode.Text{}
	in := &writesBefore{rest: strings.Repeat("kfw: exit status 0\n", 500)}
	if err := fw.Run(in, in); err != nil || in.writes != 1 || in.early {
		t.Errorf("%v: %d writes, before the end of the response: %v", err, in.writes, in.early)
	}
}

// writesBefore is a response and where it goes.
type writesBefore struct {
	rest   string
	writes int
	early  bool
}

func (w *writesBefore) Read(p []byte) (int, error) {
	n, err := strings.NewReader(w.rest).Read(p)
	w.rest = w.rest[n:]
	return n, err
}

func (w *writesBefore) Write(p []byte) (int, error) {
	w.writes++
	w.early = w.early || len(w.rest) > 0
	return len(p), nil
}

// pathLines returns so many lines of which there is not much to tell.
func pathLines(random *rand.Rand, count int) string {
	var text strings.Builder
	for i := range count {
		fmt.Fprintf(&text, "./%s/%s_%d.go\n", []string{"cmd", "pipeline", "redact"}[i*3/count],
			strings.Repeat("x", random.IntN(12)), i)
	}
	return text.String()
}

// TestNothingIsLeftOver: what the summary of a response does not take is spent on lines as they are, or on a table of
// records. A page of text has a tenth of its room left at most.
func TestNothingIsLeftOver(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for _, tokens := range []int{400, 1000, 4000} {
		for _, times := range []float64{1.05, 1.5, 3, 10, 40} {
			lines := pathLines(random, int(times*float64(tokens)*4/25))
			var records strings.Builder
			for i := range int(times * float64(tokens) * 4 / 30) {
				fmt.Fprintf(&records, `{"id":%d,"state":%q}`+"\n", 100+i, []string{"open", "shut"}[random.IntN(2)])
			}
			for _, data := range []string{lines, records.String()} {
				for _, encoding := range []encode.Encoding{encode.JSON{}, encode.Text{}} {
					out, spent := filtered(t, []byte(data), tokens, 0, encoding, nil)
					isCut := strings.Contains(out, "kfw expand") || leavesOut(out)
					most := 30 + tokens/20
					if encoding.IsVerbatim() {
						most = tokens / 10
					}
					if left := tokens - spent; isCut && left > most {
						t.Errorf("%d times %d tokens: %d are left over:\n%s", int(times), tokens, left, out)
					}
				}
			}
		}
	}
}

// TestWarningsOfAll: the final frame of a page says how many characters of the response were not valid, in any mode.
func TestWarningsOfAll(t *testing.T) {
	for mode := budget.Raw; mode <= budget.HandleOnly; mode++ {
		fw := new(memory).firewall(t, 300)
		fw.Budget.Mode = mode
		var out bytes.Buffer
		if err := fw.Run(strings.NewReader(strings.Repeat("a line of some words with one \xff\n", 400)),
			&out); err != nil {
			t.Fatal(err)
		}
		if warning := gjson.Get(lastLine(out.String()), "warnings.0").Str; !strings.HasPrefix(warning, "400 invalid UTF-8") {
			t.Errorf("%v: %s", mode, &out)
		}
	}
}

// TestTableAskedFor: where the caller asks for a table, records are one: all of them if that fits, else those that say
// most and a page of all. Lines are a page.
func TestTableAskedFor(t *testing.T) {
	var records strings.Builder
	for i := range 400 {
		fmt.Fprintf(&records, `{"id":%d,"state":%q,"kind":"job"}`+"\n", i, []string{"open", "shut"}[i*i%3%2])
	}
	text := pathLines(rand.New(rand.NewPCG(3, 9)), 400)
	for _, tokens := range []int{400, 3000} {
		for _, encoding := range []encode.Encoding{encode.JSON{}, encode.Text{}} {
			for _, data := range []string{records.String(), text} {
				m := new(memory)
				fw := m.firewall(t, tokens)
				fw.Budget.Mode, fw.Encoding = budget.Table, encoding
				out := &tally{cost: fw.Cost}
				if err := fw.Run(strings.NewReader(data), out); err != nil {
					t.Fatal(err)
				}
				isTable := strings.Contains(out.String(), `"rows":[[0,`) ||
					strings.HasPrefix(out.String(), "kfw: table of chunks 1 to 400\n")
				isPage := strings.Contains(out.String(), `"sections":[`) ||
					strings.Contains(out.String(), "any of it: kfw expand h1")
				isWhole := tokens == 3000
				if isTable != (data != text) || isPage != !(isTable && isWhole) || out.spent > tokens ||
					m.named > 0 != isPage {
					t.Errorf("%d tokens: %d, table: %v, page: %v\n%s", tokens, out.spent, isTable, isPage, out)
				}
			}
		}
	}
}

// TestCountsOfWhatBeganLikeSource: what is counted of lines is of all lines, though many of them read like source for a
// while.
func TestCountsOfWhatBeganLikeSource(t *testing.T) {
	t.Parallel()
	var response strings.Builder
	times := 0
	for i := range 4000 {
		if i < 900 || i > 1400 && i < 2000 {
			name := string([]rune{'a' + rune(i%26), 'a' + rune(i/26%26), 'a' + rune(i/676)})
			response.WriteString("\t" + name + " := sow(" + strings.Repeat("in, ", i%7) + name + "Bed);\n")
		} else {
			fmt.Fprintf(&response, "watered bed %d of the garden in %d ms\n", i, i*7%613)
		}
		if i%9 == 0 {
			times++
			response.WriteString("the gardener sleeps now\n")
		}
	}
	m := new(memory)
	fw := m.firewall(t, 300)
	fw.Encoding = encode.Text{}
	var page bytes.Buffer
	if err := fw.Run(strings.NewReader(response.String()), &page); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("= %d x the gardener sleeps now", times); !strings.Contains(page.String(), want) {
		t.Errorf("no %q in\n%s", want, page.String())
	}
}

// TestUnits: what a page calls the chunks of a response.
func TestUnits(t *testing.T) {
	t.Parallel()
	list := "[" + strings.TrimSuffix(strings.Repeat(`{"name":"sage"}, `, 60), ", ") + "]\n"
	for name, c := range map[string]struct{ response, says string }{
		"a list on one line, then text": {list + strings.Repeat("beets==1.2\n", 60), "chunks"},
		"text, then a list on one line": {strings.Repeat("beets==1.2\n", 60) + list, "chunks"},
		"values, each on its line":      {strings.Repeat("beets==1.2\n"+`{"name":"sage"}`+"\n", 60), "lines"},
		"values":                        {strings.Repeat(`{"name":"sage"} `, 120), "records"},
	} {
		m := new(memory)
		fw := m.firewall(t, 60)
		fw.Encoding = encode.Text{}
		var page bytes.Buffer
		if err := fw.Run(strings.NewReader(c.response), &page); err != nil {
			t.Fatal(name, err)
		}
		if want := "kfw: 120 " + c.says + ","; !strings.HasPrefix(page.String(), want) {
			t.Errorf("%s: no %q in\n%s", name, want, page.String())
		}
	}
}

// TestNoNumbersWhereTextsGoOn: a column in which some cells begin with a number and go on has no greatest number.
func TestNoNumbersWhereTextsGoOn(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString("PLOT      BED    WATERED         AGE\n")
	for i := range 60 {
		watered := strconv.Itoa(i % 5)
		if i%30 == 0 { // the first row among them
			watered = strconv.Itoa(5+i) + " (3m ago)"
		}
		fmt.Fprintf(&table, "plot-%-5d1/1    %-16s%dd\n", i, watered, i)
	}
	m := new(memory)
	fw := m.firewall(t, 300)
	fw.Encoding = encode.Text{}
	var page bytes.Buffer
	if err := fw.Run(strings.NewReader(table.String()), &page); err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(?m)^= WATERED: .*\b(max|sum)\b`).FindString(page.String()); found != "" {
		t.Errorf("%q in\n%s", found, page.String())
	}
}

// TestRowsGoOn: rows of a separator alone go on behind lines with more fields, and all of them are counted.
func TestRowsGoOn(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	rows := 0
	for i := range 600 {
		if i%90 > 80 {
			fmt.Fprintf(&lines, "R100\tbeds/old%d.txt\tbeds/new%d.txt\n", i, i)
			continue
		}
		rows++
		fmt.Fprintf(&lines, "%c\tbeds/bed%d.txt\n", "MAM"[i/90%3], i)
	}
	m := new(memory)
	fw := m.firewall(t, 300)
	fw.Encoding = encode.Text{}
	var page bytes.Buffer
	if err := fw.Run(strings.NewReader(lines.String()), &page); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("\n= rows: %d\n", rows); !strings.Contains(page.String(), want) {
		t.Errorf("no %q in\n%s", want, page.String())
	}
}

// TestQuestionReachesIntoADocument: of a response that is one record the object is shown that has the word of a
// question.
func TestQuestionReachesIntoADocument(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 8))
	word := func() string {
		b := make([]byte, 5+random.IntN(4))
		for i := range b {
			b[i] = byte('a' + random.IntN(26))
		}
		return string(b)
	}
	for range 5 {
		var asked string
		var beds []string
		wanted := random.IntN(300)
		for i := range 300 {
			name := word()
			beds = append(beds, fmt.Sprintf(`{"code":"%c%c","plant":%q,"rows":%d}`, 'A'+i/26, 'A'+i%26, name, 3+i%9))
			if i == wanted {
				asked = name
			}
		}
		m := new(memory)
		fw := m.firewall(t, 400)
		fw.Encoding = encode.Text{}
		fw.Question = func() *question.Question { return question.Parse([]byte("how many rows of plant " + asked)) }
		var page bytes.Buffer
		if err := fw.Run(strings.NewReader(`{"garden":{"beds":[`+strings.Join(beds, ",")+`]}}`), &page); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("garden.beds[%d]: plant=%s ", wanted, asked); !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, page.String())
		}
	}
}

// TestColumnsWithoutNames: a page lists no columns that have no names, whatever room it has.
func TestColumnsWithoutNames(t *testing.T) {
	words := strings.Fields("lorem dolor sit amet elit sed")
	for tokens := 250; tokens <= 400; tokens += 10 {
		random := rand.New(rand.NewPCG(2, 2))
		text := ""
		for range 200 {
			text += "job\tjob"
			for range 4 {
				text += "\t"
				for range 1 + random.IntN(9) {
					text += words[random.IntN(len(words))] + " "
				}
			}
			text += "\n"
		}
		fw := new(memory).firewall(t, tokens)
		fw.Encoding = encode.Text{}
		var page bytes.Buffer
		if err := fw.Run(strings.NewReader(text), &page); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page.String(), "= rows: 200") || strings.Contains(page.String(), "= other_fields:") {
			t.Errorf("%d tokens:\n%s", tokens, page.String())
		}
	}
}
