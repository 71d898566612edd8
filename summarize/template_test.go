package summarize

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/drain"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// Few numbers in lines are counted as they are, many are a range, whatever else is in the lines. TestFewWords: where
// lines of a template have few different words in a place, it is shown how many have each; whether they are recognized
// or not.
func TestFewWords(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 20 {
		few := []string{"open:", "shut:", "lost:", "half-open:", "x:", "back:", "new:", "old:"}[:2+r.IntN(7)]
		late := r.IntN(400) // after which the last one comes
		counts, levels := map[string]int{}, map[string]int{}
		s := NewWholeSummary()
		const n = 2000
		for i := range n {
			word := few[r.IntN(len(few))]
			if i < late && word == few[len(few)-1] {
				word = few[0]
			}
			level := []string{"debug", "info", "warn"}[min(2, r.IntN(3*(1+i/max(1, late))))]
			counts[strings.TrimSuffix(word, ":")]++
			levels[level]++
			line := fmt.Sprintf("now level=%s the door is %s by %s at gate %d", level, word, nameOf(r.IntN(400)),
				r.IntN(1000))
			s.Add(structure.Record{Seq: i + 1, Value: []byte(line), IsText: true})
		}
		facts := factsOf(t, s)
		if len(facts.Templates) != 1 || facts.Templates[0].N != n {
			t.Fatalf("%+v", facts.Templates)
		}
		reported := facts.Templates[0].Line
		parts := regexp.MustCompile(
			`^now level=<(.*)> the door is <(.*)>: by <\*> at gate <num \d+..9\d\d>$`).FindStringSubmatch(reported)
		if parts == nil {
			t.Fatalf("told as %q", reported)
		}
		for i, want := range []map[string]int{levels, counts} {
			got := map[string]int{}
			for _, one := range strings.Split(parts[1+i], ", ") {
				word, n, _ := strings.Cut(one, ": ")
				got[word], _ = strconv.Atoi(n)
			}
			if !maps.Equal(got, want) {
				t.Fatalf("told as %q, want %v", reported, want)
			}
		}
	}
}

// TestBranches: a tree is shown by what hangs on it, wherever that is.
func TestBranches(t *testing.T) {
	for _, branches := range [][]string{
		{"├── ", "│   ├── ", "│   │   └── ", "└── ", "    └─┬ "},
		{"|-- ", "|   |-- ", "|   |   `-- ", "`-- ", "    `-- "},
	} {
		text := "root\n"
		for i := range 60 {
			text += fmt.Sprintf("%s%s lib-%d\n", branches[i%5], []string{"optional", "own"}[i%3/2], i)
		}
		text += "│ \n| a\n"
		facts := factsOf(t, watched(linesOf(text)))
		if all := facts.Templates; len(all) != 5 || all[0].N != 40 || all[0].Line != "optional lib-<num 0..58>" ||
			all[1].N != 20 || all[4].Line != "| a" {
			t.Errorf("%+v", facts.Templates)
		}
	}
}

// TestMarksOfFewWords: what all of a few words begin or end with stands around their counts.
func TestMarksOfFewWords(t *testing.T) {
	for _, test := range []struct{ line, reported string }{
		{"CALL keep VALUES (%d, 'x', '%s');", "CALL keep VALUES (<num 0..39>, 'x', '<new: 20, old: 20>');"},
		{"<li>the %d and <b>%s</b></li>", "<li>the <num 0..39> and <b><new: 20, old: 20></b></li>"},
		{`%d "%s", in all of it`, `<num 0..39> "<new: 20, old: 20>", in all of it`},
		{"%d a/%s, in all of it", "<num 0..39> <a/new: 20, a/old: 20>, in all of it"},
		{"%d /a/%s, in all of it", "<num 0..39> <path> in all of it"},
	} {
		s := NewWholeSummary()
		for i := range 40 {
			line := fmt.Sprintf(test.line, i, []string{"new", "old"}[i%2])
			s.Add(structure.Record{Seq: i + 1, Value: []byte(line), IsText: true})
		}
		if facts := factsOf(t, s); len(facts.Templates) != 1 || facts.Templates[0].Line != test.reported {
			t.Errorf("%q: %+v", test.line, facts.Templates)
		}
	}
}

func TestFewNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 9))
	for range 200 {
		different := 1 + random.IntN(drain.MostFew+2)
		all := random.Perm(600)[:different]
		others := 1 + random.IntN(50)
		counts, low, high := map[int]int{}, math.MaxInt, 0
		s := NewWholeSummary()
		for i := range 400 {
			n := all[min(random.IntN(different), random.IntN(different))]
			counts[n]++
			low, high = min(low, n), max(high, n)
			line := fmt.Sprintf("GET /%c/%d took %d ms: %d.5 of %s", 'a'+random.IntN(3), random.IntN(others),
				random.IntN(1e6), n, "all that was asked for")
			s.Add(structure.Record{Seq: i + 1, Value: []byte(line), IsText: true})
		}
		facts := string(s.Facts(anyLength).JSON())
		reported := regexp.MustCompile(
			`"line":"[^"]*ms: (\S+|<num [^>]*>) of all that was asked for`).FindStringSubmatch(facts)
		if reported == nil {
			t.Fatalf("no such form in %s", facts)
		}
		switch {
		case len(counts) == 1:
			if want := fmt.Sprintf("%d.5", low); reported[1] != want {
				t.Errorf("%s, want %s", reported[1], want)
			}
		case len(counts) > drain.MostFew:
			if want := fmt.Sprintf("<num %d.5..%d.5>", low, high); reported[1] != want {
				t.Errorf("%s, want %s", reported[1], want)
			}
		default:
			got, before := map[int]int{}, math.MaxInt
			for _, one := range regexp.MustCompile(`(\d+)\.5: (\d+)`).FindAllStringSubmatch(reported[1], -1) {
				n, _ := strconv.Atoi(one[1])
				got[n], _ = strconv.Atoi(one[2])
				if got[n] > before {
					t.Errorf("the most frequent is not first: %s", reported[1])
				}
				before = got[n]
			}
			if !maps.Equal(got, counts) {
				t.Errorf("%s, want %v", reported[1], counts)
			}
		}
	}
}

// A line template whose number of lines, or where they are, is shown is shown itself, and all others are counted,
// whatever the room.
func TestFormsAreToldOrCounted(t *testing.T) {
	const forms = 30
	s := NewWholeSummary()
	for i := range 20 * forms {
		k := i % forms
		name := strings.Repeat(string(rune('a'+k%26)), 2+k)
		line := fmt.Sprintf("%s got %d of %s", name, []int{200, 404}[i/forms%2], strings.Repeat(name+" ", 1+k/4))
		s.Add(structure.Record{Seq: i + 1, Value: []byte(line), IsText: true})
	}
	for room := 200; room < 9000; room += 50 {
		facts := s.Facts(atMost(room)).JSON()
		if facts == nil {
			continue
		}
		var reported struct {
			Templates []struct{ Line string }
			More      int `json:"more_templates"`
		}
		decode(t, facts, &reported)
		if len(reported.Templates)+reported.More != forms {
			t.Errorf("%d bytes: %d are told and %d are more", room, len(reported.Templates), reported.More)
		}
	}
}

func TestTemplates(t *testing.T) {
	for _, test := range []struct {
		name, input string
		want        []string
	}{
		{"numbers", "job 1 done\njob 22 done\njob 3 done", []string{"3 job <num 1..22> done"}},
		{"a number that all have", "port 80 up\nport 80 up", []string{"2 port 80 up"}},
		{"numbers that are not whole, or not written as such", "at 07 took 1.5 s\nat 08 took 2 s",
			[]string{"2 at <num> took <num 1.5..2> s"}},
		{"a number that all have, with a fraction", "load 1.50 up\nload 1.50 up", []string{"2 load 1.50 up"}},
		{"a number that is written in two ways", "took 1.50 s\ntook 1.5 s", []string{"2 took <num> s"}},
		{"few numbers", "got 200\ngot 404\ngot 200\ngot 200\ngot 404\ngot 200", []string{"6 got <num 200: 4, 404: 2>"}},
		{"few numbers, but hardly any twice", "got 200\ngot 404\ngot 200\ngot 200\ngot 404",
			[]string{"5 got <num 200..404>"}},
		{"a number in a word", "worker-3 took 12ms\nworker-1 took 7ms",
			[]string{"2 worker-<num 1..3> took <num 7..12>ms"}},
		{"a single line", "took 1.5 s at 07:30:00,  id=9f8e7d6c5b\tof /a/b/c",
			[]string{"1 took 1.5 s at 07:30:00, id=9f8e7d6c5b of /a/b/c"}},
		{"a path that all have", "read /etc/app/conf ok\nread /etc/app/conf ok", []string{"2 read /etc/app/conf ok"}},
		{"paths", "read /etc/app/a ok\nread /etc/app/b ok\nread /etc/app/a ok", []string{"3 read <path> ok"}},
		{"not in all lines", "worker-3 up\nworker-x up", []string{"1 worker-3 up", "1 worker-x up"}},
		{"words that differ", "user ann logged in\nuser bob logged in", []string{"2 user <*> logged in"}},
		{"names stay", "login user=ann ok\nlogin user=bob ok\nlogin host=x ok", []string{"3 login <*> ok"}},
		{"a shared name stays", "login user=ann ok\nlogin user=bob ok\nlogin user=cid ok",
			[]string{"3 login user=<*> ok"}},
		{"paths", "open /a/b ok\nopen /c ok", []string{"2 open <path> ok"}},
		{"paths and others", "open /a/b ok\nopen /c ok\nopen x ok", []string{"3 open <*> ok"}},
		{"other forms stay apart", "alpha beta gamma\nalpha delta epsilon\nalpha beta gamma",
			[]string{"2 alpha beta gamma", "1 alpha delta epsilon"}},
		{"length tells", "stop\nstop now\nstop", []string{"2 stop", "1 stop now"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			facts := factsOf(t, summaryOf(recordsOf([]byte(test.input))))
			var got []string
			for _, template := range facts.Templates {
				got = append(got, fmt.Sprintf("%d %s", template.N, template.Line))
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestTemplatesCountEachLineOnce(t *testing.T) {
	s := NewSummary()
	const n = 3000
	for i := range n {
		line := strings.Repeat(string(rune('a'+i%26)), 1+i/26%300) + " " + strings.Repeat("word ", i%50)
		s.Add(structure.Record{Seq: i + 1, Value: []byte(line), IsText: true})
	}
	facts := factsOf(t, s)
	total := facts.MoreLines
	for _, template := range facts.Templates {
		total += template.N
		if template.First > max(template.First, template.Last) || len(template.Line) > drain.MaxTemplateLen+
			mask.MaxWords+10 {
			t.Errorf("template %+v", template)
		}
	}
	if total != n || len(facts.Templates) > drain.MaxTemplates {
		t.Errorf("%d lines in %d templates, want %d", total, len(facts.Templates), n)
	}
}

// variables are the names of the variable parts of a template, with the bounds of a number if they are shown.
var variables = regexp.MustCompile(`<num (\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)>|<(num|hex|time|ip|mac|id|path|\*)>`)

// patternOf returns a pattern of the lines that are of a template, which captures the numbers whose bounds are shown,
// and these.
func patternOf(form string) (pattern *regexp.Regexp, bounds [][2]float64) {
	kinds := map[string]string{
		"num": `[0-9]+(?:\.[0-9]+)*`, "hex": `[0-9A-Za-z]+`, "time": `[0-9A-Za-z:.,/+_-]+`, "ip": `[0-9A-Fa-f.:]+`,
		"mac": `[0-9A-Fa-f:-]+`,
		"id":  `[0-9A-Za-z-]+`, "path": `[^ ]+`, "*": `[^ ]*`,
	}
	text, from := "^", 0
	for _, at := range variables.FindAllStringSubmatchIndex(form, -1) {
		text += regexp.QuoteMeta(form[from:at[0]])
		from = at[1]
		if at[2] < 0 {
			text += kinds[form[at[6]:at[7]]]
			continue
		}
		least, _ := strconv.ParseFloat(form[at[2]:at[3]], 64)
		greatest, _ := strconv.ParseFloat(form[at[4]:at[5]], 64)
		bounds = append(bounds, [2]float64{least, greatest})
		text += `([0-9]+(?:\.[0-9]+)?)`
	}
	return regexp.MustCompile(text + regexp.QuoteMeta(form[from:]) + "$"), bounds
}

// countedWords are words in one place of a template, and how many lines have each.
var countedWords = regexp.MustCompile(`<([^ <]*: \d+(?:, [^ <]*: \d+)*)>`)

// withoutWords returns a template with a variable in the place of words that are counted, and how many lines have any
// of them, for each place.
func withoutWords(reported string) (form string, lines []int) {
	form = countedWords.ReplaceAllStringFunc(reported, func(words string) string {
		sum := 0
		for _, word := range strings.Split(strings.Trim(words, "<>"), ", ") {
			n, _ := strconv.Atoi(word[strings.LastIndexByte(word, ' ')+1:])
			sum += n
		}
		lines = append(lines, sum)
		return "<*>"
	})
	return form, lines
}

// withoutCounts returns a template with ranges in the place of counts, and the counts by that place among all ranges.
func withoutCounts(reported string) (form string, counts []map[float64]int) {
	form = regexp.MustCompile(`<num [^>]*>`).ReplaceAllStringFunc(reported, func(variable string) string {
		var of map[float64]int
		var numbers []float64
		for _, one := range regexp.MustCompile(`([^ ,]+): (\d+)`).FindAllStringSubmatch(variable, -1) {
			n, _ := strconv.ParseFloat(one[1], 64)
			if of == nil {
				of = map[float64]int{}
			}
			of[n], _ = strconv.Atoi(one[2])
			numbers = append(numbers, n)
		}
		if counts = append(counts, of); of == nil {
			return variable
		}
		written := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
		return "<num " + written(slices.Min(numbers)) + ".." + written(slices.Max(numbers)) + ">"
	})
	return form, counts
}

// FuzzTemplatesAgreeWithLines: each line is as its template says, and the counts, the first and the last line and the
// bounds of numbers are those of its lines.
func FuzzTemplatesAgreeWithLines(f *testing.F) {
	for seed := range uint64(6) {
		f.Add(seed, "at 7 x\nat 08 x\nat 9.5 x\nat 10 x\nat -4 x\nat 1234567890123456 x")
	}
	f.Add(uint64(9), "a=1 b\na= b\na=x b\nMar  7 09:05:59 b\nMar 17 09:05:59 b\n/a/b/7 c\n/a/b/8 c\n7 c")
	f.Add(uint64(9), "Mar  7 09:05:59 b\n/a/`/85:59 b")
	f.Add(uint64(9), "[Sun Dec 04 04:47:47 2005] a 1\n[Mon Jan  5 14:47:47 2006] a 2\n[Mon Jan  5 14:47:47.250 2006] a 3\nNov 9 12:01:01 a 4")
	f.Add(uint64(9), "a 00:1b:21:3c:9d:f8 b\na aa:bb:cc:dd:ee:ff b\na fe80::1%eth0 b\na 2001:db8::1 b\n[02/Jan/2006:15:04:05 -0700] c\n[12/Feb/2006:15:04:05 -0700] c")
	f.Add(uint64(9), "[Mon Jan  5 14:47:47 2\n[Mon Jan 5 3\n[Mon x 5")
	f.Add(uint64(53), "at 0 x\nat 0 x\nat 0 x\nat 0 x\nat 0 x\nat 0 A")
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		r := rand.New(rand.NewPCG(seed, 3))
		lines := strings.Split(strings.NewReplacer("<", "(", "…", ".", "\r",
			"").Replace(strings.ToValidUTF8(text, "")), "\n")
		for range 60 {
			form := []string{
				"job %d of shard-%d done", "took %dms for /srv/%d/x", "[%d] port=%d is open", "%d%% of %d",
				"user u%d: %d.5 left",
				"id %06d has %x", "10.0.0.%d said %d",
			}[r.IntN(7)]
			if r.IntN(3) == 0 {
				form = nameOf(r.IntN(500)) + ":"
			}
			lines = append(lines, strings.Split(fmt.Sprintf(form, r.IntN(30), r.IntN(2)*r.IntN(100_000)),
				"%!(EXTRA")[0])
		}
		forms := drain.Templates{Most: drain.MaxTemplates}
		m := mask.NewLine()
		members := map[int][]int{}
		var apart []string // the lines with one blank between words, and none in them
		for i, line := range lines {
			m.Set([]byte(line))
			form, _ := forms.Add(&m, i+1)
			members[form] = append(members[form], i)
			var words []string
			for _, w := range m.Words {
				words = append(words, strings.ReplaceAll(line[w.From:w.To], " ", "_"))
			}
			apart = append(apart, strings.Join(words, " "))
		}
		for from, into := range forms.Fold(&m) {
			members[into] = append(members[into], members[from]...)
			slices.Sort(members[into])
			delete(members, from)
		}
		for i, of := range members {
			if i < 0 {
				continue // there was no room for a template
			}
			form := &forms.All[i]
			if form.Count != len(of) || form.First != of[0]+1 || form.Last != of[len(of)-1]+1 {
				t.Fatalf("%d lines from %d to %d, want %v", form.Count, form.First, form.Last, of)
			}
			reported := ""
			decode(t, form.AppendLine(nil, true), &reported)
			if strings.Contains(reported, jsonx.Ellipsis) {
				continue
			}
			if of := strings.Join(strings.Fields(lines[of[0]]), " "); len(form.Only) > 0 {
				if strings.Join(strings.Fields(reported), " ") != of {
					t.Fatalf("%q is told as %q", of, reported)
				}
				continue
			}
			reported, few := withoutCounts(reported)
			reported, inWords := withoutWords(reported)
			for _, n := range inWords {
				if n != form.Count {
					t.Fatalf("%d lines have one of few words in %s, want %d", n,
						form.AppendLine(nil, true), form.Count)
				}
			}
			pattern, bounds := patternOf(reported)
			found := make([][2]float64, len(bounds))
			counts := make([]map[float64]int, len(bounds))
			for j, line := range of {
				numbers := pattern.FindStringSubmatch(apart[line])
				if numbers == nil {
					t.Fatalf("%q is not of the form %q", lines[line], reported)
				}
				for k := range bounds {
					n, err := strconv.ParseFloat(numbers[1+k], 64)
					if err != nil {
						t.Fatal(err)
					}
					if j == 0 {
						found[k], counts[k] = [2]float64{n, n}, map[float64]int{}
					}
					counts[k][n]++
					found[k] = [2]float64{min(found[k][0], n), max(found[k][1], n)}
				}
			}
			for k, want := range few {
				if want != nil && !maps.Equal(counts[k], want) {
					t.Fatalf("%q are counted as %v", reported, want)
				}
			}
			if !slices.Equal(found, bounds) {
				t.Fatalf("numbers of %q are %v", reported, found)
			}
		}
	})
}

// TestLinesThatBeginWithMany: lines that each begin with another word have a template in common, once there are many of
// them; those that begin with a few do not.
func TestLinesThatBeginWithMany(t *testing.T) {
	for names, want := range map[int]struct{ forms, most int }{
		drain.ManyTemplates: {forms: drain.ManyTemplates, most: 10},
		600:                 {forms: drain.ManyTemplates, most: 6000 - 10*drain.ManyTemplates + 10},
	} {
		var text strings.Builder
		for i := range 10 * names {
			name := string([]byte{'a' + byte(i%names%26), 'a' + byte(i%names/26)})
			fmt.Fprintf(&text, "%s.thing is done in %d ms\n", name, i*7%900)
		}
		var facts struct {
			Templates []struct {
				N    int
				Line string
			}
		}
		decode(t, summaryOf(linesOf(text.String())).Facts(anyLength).JSON(), &facts)
		lines := 0
		for _, form := range facts.Templates {
			lines += form.N
		}
		if first := facts.Templates[0]; len(facts.Templates) != want.forms || first.N != want.most ||
			lines != 10*names {
			t.Errorf("%d names: %d forms of %d lines, the first %d x %s", names, len(facts.Templates), lines,
				first.N, first.Line)
		}
	}
}

// TestFormsWithoutNames: a template in which no word is known is shown after one with fewer lines that has some.
func TestFormsWithoutNames(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "%d %s = %s {\n", i, nameOf(i+300), nameOf(i+600))
		if i%3 == 0 {
			fmt.Fprintf(&text, "%d served %s {\n", i, nameOf(i+1200))
		}
	}
	s := watched(linesOf(text.String()))
	for most := 100; ; most++ {
		var facts struct{ Templates []struct{ Line string } }
		decode(t, s.Facts(atMost(most)).JSON(), &facts)
		if len(facts.Templates) == 0 {
			continue
		}
		if line := facts.Templates[0].Line; !strings.Contains(line, "served") {
			t.Errorf("the first form is %q", line)
		}
		break
	}
}

// TestLateForms: templates that come when there is no room for another take the place of those of single lines, and
// their counts are marked, as some of their lines have been counted among others; no line is counted twice.
func TestLateForms(t *testing.T) {
	for _, odd := range []int{drain.MaxTemplates - 8, drain.MaxTemplates + 100} {
		var text strings.Builder
		for i := range odd {
			fmt.Fprintf(&text, "%s%s %s\n", nameOf(i), strings.Repeat(" word", i%9), nameOf(i*i))
		}
		const n = 3000
		for i := range n {
			fmt.Fprintf(&text, "request %d served in %d ms\ncache miss for key %s\n", i, i%90, nameOf(i))
		}
		isLate := odd > drain.MaxTemplates
		for _, s := range []*Summary{watched(linesOf(text.String())), summaryOf(linesOf(text.String()))} {
			facts := s.Facts(anyLength).JSON()
			counted := int(gjson.GetBytes(facts, "more_lines").Int())
			late := 0
			gjson.GetBytes(facts, "templates").ForEach(func(_, of gjson.Result) bool {
				exact, estimate := int(of.Get("n").Int()), int(of.Get("n~").Int())
				counted += exact + estimate
				if most := max(exact, estimate); most > n || most > 1 &&
					(most < n-2*drain.LeastOfLate || (estimate > 0) != isLate || !isLate && exact < n) {
					t.Errorf("after %d others: %s", odd, of.Raw)
				}
				if max(exact, estimate) > 1 {
					late++
				}
				return true
			})
			if counted != odd+2*n || late != 2 {
				t.Errorf("after %d others %d lines are counted of %d, and %d forms are told", odd, counted, odd+2*n,
					late)
			}
		}
	}
}

// TestIDsOfRuns: runs of hexadecimal digits with hyphens between them are one id, whichever of them are letters; a
// date, a version and what is called something are none.
func TestIDsOfRuns(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "[%08x-%04xb] Completed %d in %dms\n", random.Uint32(), random.IntN(1<<12), 200+i%2*22,
			random.IntN(300))
	}
	if facts := factsOf(t, watched(linesOf(b.String()))); len(facts.Templates) != 1 ||
		!strings.HasPrefix(facts.Templates[0].Line, "[<id>] Completed <num 200: 100, 222: 100> in ") {
		t.Errorf("%+v", facts.Templates)
	}
	m := mask.NewLine()
	for word, masked := range map[string]string{
		"2026-0301": "<num>-<num>", "web-1": "web-<num>", "dead-beef": "dead-beef", "cafe-12": "cafe-<num>",
		"v1a2b-c3d4e5f6": "<id>-<hex>",
		"1234-5678-9012": "<num>-<num>-<num>", "a1b2c3d4-ef01": "<id>", "x=a1b2c3d4-ef01,": "x=<id>,",
		"pod-7d9f8b6c5-ed0f4": "pod-<id>",
	} {
		if m.Set([]byte(word)); string(m.Word(0)) != masked {
			t.Errorf("%s is masked to %s, not %s", word, m.Word(0), masked)
		}
	}
}

// TestLongTemplateIsItsBeginning: of a line that is too long to be shown, the words up to some
// place are shown, none after one that is left out; a whole line has no mark.
func TestLongTemplateIsItsBeginning(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 41))
	for range 200 {
		var words []string
		for i := range 10 + random.IntN(30) {
			words = append(words, fmt.Sprintf("%s=%d", strings.Repeat(string(rune('a'+i%26)), 1+random.IntN(9)),
				random.IntN(1000)))
		}
		line := "merge of segment " + strings.Join(words, " ")
		var facts struct{ Templates []struct{ Line string } }
		decode(t, watched(linesOf(line+"\nanother line\n")).Facts(anyLength).JSON(), &facts)
		for _, of := range facts.Templates {
			shown, isCut := strings.CutSuffix(of.Line, " …")
			isBeginning := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(shown), "<num>",
				`[0-9]+`) + "( |$)").MatchString(line)
			if shown != "another line" && (!isBeginning || isCut == (shown == line)) {
				t.Fatalf("%q is not the beginning of %q", of.Line, line)
			}
		}
	}
}
