package summarize

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// TestPairsBesideAQuote: a quote that does not end hides no value before it.
func TestPairsBesideAQuote(t *testing.T) {
	facts := factsOf(t, watched(linesOf(strings.Repeat("put a=\"x y\" \"b=2 c=3\n", 9))))
	if len(facts.Keys) != 2 || facts.Keys["a"].In != 9 || facts.Keys["c"].In != 9 {
		t.Errorf("%+v", facts.Keys)
	}
}

// TestPairsInLongLines: a pair that a long line is cut in is none, and what is counted of the others is an estimate.
func TestPairsInLongLines(t *testing.T) {
	var text strings.Builder
	for i := range 9 {
		fmt.Fprintf(&text, "%s n=%d m=1 size=12345600%d\n", strings.Repeat("x", mask.MaxLineLen-20), i, i)
	}
	facts := string(watched(linesOf(text.String())).Facts(anyLength).JSON())
	if strings.Contains(facts, `"size":{`) || !strings.Contains(facts, `"m":{"const~":1,"in~":9}`) {
		t.Error(facts)
	}
}

// TestPairsAgreeWithCounting: the facts of the pairs in lines are those that counting gives, and the lines keep their
// templates.
func TestPairsAgreeWithCounting(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 5))
	var text strings.Builder
	zones, total := map[string]int{}, 0
	for i := range 900 {
		zone, size := fmt.Sprintf("zone %q", rune('a'+random.IntN(4))), random.IntN(5000)
		zones[zone]++
		total += size
		fmt.Fprintf(&text, "worker %d: moved things zone=%q size=%d, host=node-%d.example one=1\n", i%7, zone, size,
			random.IntN(300))
		if i%3 == 0 {
			fmt.Fprintf(&text, "worker %d: only=%d\n", i%7, i)
		}
	}
	var facts struct {
		Keys map[string]struct {
			In, Distinct int
			Values       map[string]int
			Sum          int
			Const        any
		}
		Templates []struct{ N int }
	}
	decode(t, watched(linesOf(text.String())).Facts(anyLength).JSON(), &facts)
	if got := facts.Keys; !maps.Equal(got["zone"].Values, zones) || got["size"].Sum != total ||
		got["host"].Distinct < 200 || got["one"].In != 900 {
		t.Errorf("%+v, want %v and a sum of %d", got, zones, total)
	}
	if _, ok := facts.Keys["only"]; ok {
		t.Error("one pair alone is told")
	}
	lines := 0
	for _, form := range facts.Templates {
		lines += form.N
	}
	if lines != 1200 {
		t.Errorf("%d lines have a form, not all", lines)
	}
}

// TestPairsAmongNamesThatVary: pairs are shown though what other lines begin with is no key, and a rare one is shown
// with its name.
func TestPairsAmongNamesThatVary(t *testing.T) {
	var text strings.Builder
	for i := range 600 {
		fmt.Fprintf(&text, "web.server%c: Creating of it\nweb.server%c: Created at last\n", 'a'+i%20, 'a'+i%20)
		state := [...]string{"ready", "busy"}[i%2]
		if i == 400 {
			state = "lost"
		}
		fmt.Fprintf(&text, "poll of worker state=%s size=%d\n", state, i%7)
	}
	s := watched(linesOf(text.String()))
	facts := factsOf(t, s)
	if len(facts.Keys) != 2 || facts.Keys["state"].Values["lost"] != 1 {
		t.Errorf("%+v", facts.Keys)
	}
}

// stanzas makes records of lines that are a name and its value.
func stanzas(n int, each func(i int, put func(name string, value any))) string {
	var b strings.Builder
	for i := range n {
		each(i, func(name string, value any) { fmt.Fprintf(&b, "%s: %v\n", name, value) })
		b.WriteByte('\n')
	}
	return b.String()
}

// TestKeysAgreeWithCounting: the facts of a name are those that counting gives, and its lines are not shown again.
func TestKeysAgreeWithCounting(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 30 {
		values := map[string]map[string]int{"Section": {}, "Ready": {}, "Size": {}}
		lines := 0
		text := stanzas(3+random.IntN(200), func(i int, put func(string, any)) {
			for name := range values {
				if random.IntN(4) == 0 && i >= formats.LeastOfKey {
					continue
				}
				value := map[string]string{
					"Section": [...]string{"libs", "net utils", "null", "\"x\""}[random.IntN(4)],
					"Ready":   [...]string{"true", "false"}[random.IntN(2)],
					"Size":    fmt.Sprint(random.IntN(3)),
				}[name]
				values[name][strings.Trim(value, `"`)]++
				put(name, value)
				lines++
			}
		})
		facts := factsOf(t, watched(linesOf(text)))
		for name, want := range values {
			in := 0
			for _, n := range want {
				in += n
			}
			if f := facts.Keys[name]; f.In != in || len(want) > 1 && !maps.Equal(f.Values, want) {
				t.Errorf("%s: %v in %d, not %v in %d", name, f.Values, f.In, want, in)
			}
		}
		for _, template := range facts.Templates {
			if template.Line != "" {
				t.Errorf("%d x %s", template.N, template.Line)
			}
		}
	}
}

// TestKeysOfNumbers: numbers, also with a unit, have their facts.
func TestKeysOfNumbers(t *testing.T) {
	facts := factsOf(t, watched(linesOf(stanzas(40, func(i int, put func(string, any)) {
		put("Size", 100+i)
		put("Width", fmt.Sprint(20+i, " MHz"))
		put("Level", 7)
	}))))
	if size := facts.Keys["Size"]; size.Min != "100" || size.Max != "139" {
		t.Error(size)
	}
	if width := facts.Keys["Width"]; width.Min != "20" || width.Max != "59" {
		t.Error(width)
	}
	if level := facts.Keys["Level"]; level.Const != json.Number("7") || level.In != 40 {
		t.Errorf("%+v", level)
	}
}

// TestSentencesAreNoValues: where what follows a name is a sentence, lines are shown by their template, as logs are.
func TestSentencesAreNoValues(t *testing.T) {
	facts := factsOf(t, watched(linesOf(stanzas(60, func(i int, put func(string, any)) {
		put("INFO", fmt.Sprintf("request %d from the pool was served at once", i))
		put("WARN", "slow")
		if i%5 == 0 {
			put("WARN", "the pool is nearly full, and nobody comes to help")
		}
	}))))
	for _, name := range []string{"INFO", "WARN"} {
		if f, ok := facts.Keys[name]; ok {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if len(facts.Templates) != 4 {
		t.Errorf("%+v", facts.Templates)
	}
}

// TestFewLinesOfAKey: a name that comes once or twice is no field.
func TestFewLinesOfAKey(t *testing.T) {
	facts := factsOf(t, watched(linesOf("a: 1\nb: 2\nb: 3\nc: 4\n")))
	if len(facts.Keys) > 0 || facts.MoreKeys > 0 {
		t.Errorf("%+v", facts.Keys)
	}
}

// TestKeysOfOneForm: a template that lines of several names have is shown, as not all of them may be shown as fields.
func TestKeysOfOneForm(t *testing.T) {
	facts := factsOf(t, watched(linesOf("x of y\nMax width: 5\nMax width: 5\nMax width: 5\nMax depth: 5\n")))
	if width := facts.Keys["Max width"]; width.In != 3 || len(facts.Templates) != 2 || facts.Templates[0].N != 4 {
		t.Errorf("%+v", facts)
	}
}

// TestKeysBesideATable: how many lines have a name is shown though as many rows are in a table.
func TestKeysBesideATable(t *testing.T) {
	facts := factsOf(t, watched(
		linesOf("name,state,age\na,up,1\nb,up,2\nc,down,3\nd,up,4\n\nhost: x\nhost: y\nhost: x\nhost: x\n")))
	if host := facts.Keys["host"]; host.In != 4 || facts.Fields["state"].In != 0 {
		t.Errorf("%+v", facts)
	}
}

// TestManyKeys: however many names there are, a table after them has its columns.
func TestManyKeys(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "net.%s: %d\n", nameOf(i), i)
	}
	b.WriteString("\nname,state,age\na,up,1\nb,up,2\nc,down,3\nd,up,4\n")
	if facts := factsOf(t, watched(linesOf(b.String()))); facts.Rows != 4 || facts.Fields["state"].Values["up"] != 3 {
		t.Errorf("%+v", facts)
	}
}

// TestNamesThatVary: where the same is said of many names, lines have their template.
func TestNamesThatVary(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "aws_%s.a: Creating...\naws_%[1]s.a: Still creating... [10s elapsed]\naws_%[1]s.a: Creation complete after %ds\n", nameOf(i), i)
	}
	facts := factsOf(t, watched(linesOf(b.String())))
	inForms := facts.MoreLines
	for _, template := range facts.Templates {
		inForms += template.N
	}
	if inForms != facts.Lines || len(facts.Keys) > 0 || facts.MoreKeys > 0 {
		t.Errorf("%d lines have a form: %+v", inForms, facts)
	}
}

// TestFieldsHaveWholeValues: what a line says under its name is its field, to the end of the line, as facts have it.
func TestFieldsHaveWholeValues(t *testing.T) {
	for _, value := range []string{"Mar  3 12:09:48 2033 GMT", "x", "two words", "1 of 2"} {
		for _, form := range []string{"ends=%s", "ends: %s", "ends = %s", "  ends=%s"} {
			l := NewLineFields()
			for _, r := range linesOf(strings.Repeat(fmt.Sprintf(form, value)+"\n", 4)) {
				l.Add(r)
			}
			l.Settle()
			for line := range l.Read {
				if got := gjson.GetBytes(line.Fields, "ends").String(); got != value {
					t.Errorf("%s: the field is %q", fmt.Sprintf(form, value), got)
				}
			}
		}
	}
}

// TestKeysAreShownOrCounted: names for which there is no room are counted.
func TestKeysAreShownOrCounted(t *testing.T) {
	s := watched(linesOf(stanzas(30, func(i int, put func(string, any)) {
		for key := range 9 {
			put("Key of "+nameOf(key), i%(2+key))
		}
	})))
	for limit := range len(s.Facts(anyLength).JSON()) + 1 {
		facts := s.Facts(atMost(limit)).JSON()
		if facts == nil {
			continue
		}
		var decoded allFacts
		decode(t, facts, &decoded)
		if n := len(decoded.Keys) + decoded.MoreKeys; n != 9 {
			t.Fatalf("limit %d: %d names shown or counted, not 9: %s", limit, n, facts)
		}
	}
}

// TestProseIsNotRare: what is known of values that are counted no longer, as sentences came, makes nothing stand out.
func TestProseIsNotRare(t *testing.T) {
	text := strings.Repeat("carol: yes\ncarol: no\n", 60)
	for i := range 36 {
		text += fmt.Sprintf("carol: one of the seven sentences that are long %d\ncarol: restarting now\n", i%12)
	}
}

// TestResetForgetsColumns: a table after a reset is not read by the columns of one before.
func TestResetForgetsColumns(t *testing.T) {
	s := watched(linesOf("name,state,age,d,e,f\na,up,1,1,1,1\nb,up,2,1,1,1\nc,up,3,1,1,1\nd,up,4,1,1,1\n"))
	s.Reset()
	for _, r := range linesOf("k=1 l=2 m=3\n\nname,state,age,d,e,f\na,up,1,1,1,1\nb,up,2,1,1,1\nc,up,3,1,1,1\n") {
		s.Add(r)
	}
	if facts := factsOf(t, s); facts.Rows != 4 || facts.Fields["state"].Values["up"] != 3 {
		t.Errorf("%+v", facts)
	}
}

// TestKeyThatIsAColumn: what follows a name is not counted with the column or the field of that name.
func TestKeyThatIsAColumn(t *testing.T) {
	keys := "state: gone\nstate: gone\nstate: left\nlabels: x\nlabels: x\nlabels: y\n\n"
	table := "name,state,age\na,up,1\nb,up,2\nc,down,3\nd,up,4\n\n"
	records := `{"state":"up","labels":[],"n":1}` + "\n" + `{"state":"down","labels":[],"n":2}` + "\n" +
		`{"state":"up","labels":[],"n":3}` + "\n"
	for _, text := range []string{table + keys, keys + table, keys + records, records + keys} {
		facts := factsOf(t, watched(recordsOf([]byte(text))))
		if f := facts.Keys["state"]; f.In != 3 || f.Values["gone"] != 2 || f.Values["left"] != 1 {
			t.Errorf("%+v", facts.Keys)
		}
		if f := facts.Fields["state"]; f.In != 0 || f.Values["down"] != 1 || f.Values["gone"] != 0 {
			t.Errorf("%+v", facts.Fields)
		}
	}
}

// TestAttributes: attributes of XML are counted with the names of their elements, one alone, too, and lines that close
// these do not stand out.
func TestAttributes(t *testing.T) {
	text := "<x:suites>\n"
	for i := range 60 {
		text += fmt.Sprintf("<x:suite size=\"2\" time=\"%d\">\n<case name=\"a\" time=\"%d\"/><case name=\"b\" time=\"%d\"/>\n<tag of=\"%d\"/>\n</x:suite>\n", 2*i+1, i, i+1, i%2)
	}
	s := watched(linesOf(text + "</x:suites>\n"))
	keys := factsOf(t, s).Keys
	if keys["x:suite.time"].Max != "119" || keys["x:suite.time"].In != 60 || keys["case.time"].Max != "60" ||
		keys["case.time"].N != 120 || keys["tag.of"].In != 60 || len(keys) != 5 {
		t.Errorf("%+v", keys)
	}
}

// TestKeysWithoutValues: a name with nothing after its sign has that for a value, so that no other one is shown as
// that of all.
func TestKeysWithoutValues(t *testing.T) {
	s := NewWholeSummary()
	for i := range 90 {
		for j, line := range []string{"Restart=" + []string{"", "always", ""}[i%3], "Slice=", "Home=" +
			[]string{"/srv", "~/data"}[i%2]} {
			s.Add(structure.Record{Seq: 3*i + j + 1, Value: []byte(line), IsText: true})
		}
	}
	facts := string(s.Facts(anyLength).JSON())
	for _, want := range []string{`"Restart":{"values":{"":60,"always":30},"in":90}`,
		`"values":{"/srv":45,"~/data":45}`, `{"n":90,"line":"Slice="`} {
		if !strings.Contains(facts, want) {
			t.Errorf("no %s in\n%s", want, facts)
		}
	}
}

// TestPairsBesideKeys: lines that are a name and its value, and pairs of the same name in others, are not told as one.
func TestPairsBesideKeys(t *testing.T) {
	for _, isPairFirst := range []bool{false, true} {
		lines, counts := "", ""
		for i := range 40 {
			lines += fmt.Sprintf("changed: [web-%d]\n", i%4)
			counts += fmt.Sprintf("web-%d : ok=%d changed=%d\n", i, 20+i%3, i%5)
		}
		text, pairs, names := lines+counts, "changed=", "changed"
		if isPairFirst {
			text, pairs, names = counts+lines, "changed", "changed:"
		}
		keys := factsOf(t, watched(linesOf(text))).Keys
		if keys[pairs].In != 40 || keys[pairs].Sum != "80" || keys[names].In != 40 ||
			keys[names].Values["[web-1]"] != 10 || keys["ok"].In != 40 {
			t.Errorf("%+v", keys)
		}
	}
}

// TestNameInTwoColumns: a name of a record and that of a part of it are two fields, also where lines
// that are no names stand between them. Names in a tree without headings are one.
func TestNameInTwoColumns(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "- name: svc-%d\n  limits:\n    - name: cpu\n      value: %d\n    - name: mem\n      value: %d\n",
			i%20, i%7, i%5)
	}
	facts := string(watched(linesOf(b.String())).Facts(anyLength).JSON())
	for _, want := range []string{`"name":{"distinct":20,`, `"limits.name":{"values":{"cpu":60,"mem":60},"in":120}`,
		`"value":{"distinct":7,`} {
		if !strings.Contains(facts, want) {
			t.Errorf("no %s in %s", want, facts)
		}
	}
	b.Reset()
	for i := range 60 {
		fmt.Fprintf(&b, "%s->  Seq Scan on t%d\n%s  Rows Removed: %d\n", strings.Repeat(" ", i%5), i,
			strings.Repeat(" ", i%5), i%9)
	}
	facts = string(watched(linesOf(b.String())).Facts(anyLength).JSON())
	if !strings.Contains(facts, `"Rows Removed":{"min":0,"max":8,"mean":3.85,"sum":231,"distinct":9,`) {
		t.Errorf("a tree: %s", facts)
	}
}
