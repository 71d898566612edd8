package summarize

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCutKey(t *testing.T) {
	for _, test := range []struct{ line, name, value string }{
		{"Section: libs", "Section", "libs"},
		{"cpu MHz\t\t: 2400.010", "cpu MHz", "2400.010"},
		{"net.core.somaxconn = 128", "net.core.somaxconn", "128"},
		{"    * STA channel width: 20 MHz ", "STA channel width", "20 MHz"},
		{"  - image: web:1.2", "image", "web:1.2"},
		{"Größe (kB):\t12", "Größe (kB)", "12"},
		{"a: b: c", "a", "b: c"},
		{line: "2026-01-02 10:00:00 up: yes"},
		{line: "10:00 up: yes"},
		{line: "main.go:12: undefined: x"},
		{line: "Labels:"},
		{line: "Labels: "},
		{line: "a=1 b=2"},
		{line: "https://example.com/ x"},
		{line: "one two three four five: x"},
		{line: "x\ty: z"},
		{line: "[x]: y"},
		{line: "\"x\": y"},
		{line: strings.Repeat("x", longestKey+1) + ": y"},
		{line: "- - x: y"},
		{line: ""},
		{line: "a"},
		{line: "a :"},
	} {
		name, value, ok := cutKey([]byte(test.line))
		if ok != (test.name != "") || ok && (string(name) != test.name || string(value) != test.value) {
			t.Errorf("%q: %q, %q, %t", test.line, name, value, ok)
		}
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

// TestKeysAgreeWithCounting: what is told of a name is what counting gives, and its lines are not told once more.
func TestKeysAgreeWithCounting(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 30 {
		values := map[string]map[string]int{"Section": {}, "Ready": {}, "Size": {}}
		lines := 0
		text := stanzas(3+random.IntN(200), func(i int, put func(string, any)) {
			for name := range values {
				if random.IntN(4) == 0 && i >= leastOfKey {
					continue
				}
				value := map[string]string{
					"Section": [...]string{"libs", "net utils", "null", "\"x\""}[random.IntN(4)],
					"Ready":   [...]string{"true", "false"}[random.IntN(2)],
					"Size":    fmt.Sprint(random.IntN(3)),
				}[name]
				values[name][value]++
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
			if f := facts.Fields[name]; f.In != in || len(want) > 1 && !maps.Equal(f.Values, want) {
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
	if size := facts.Fields["Size"]; size.Min != "100" || size.Max != "139" {
		t.Error(size)
	}
	if width := facts.Fields["Width"]; width.Min != "20" || width.Max != "59" {
		t.Error(width)
	}
	if level := facts.Fields["Level"]; level.Const != json.Number("7") || level.In != 40 {
		t.Errorf("%+v", level)
	}
}

// TestSentencesAreNoValues: where what follows a name is a sentence, lines are told by their form, as logs are.
func TestSentencesAreNoValues(t *testing.T) {
	facts := factsOf(t, watched(linesOf(stanzas(60, func(i int, put func(string, any)) {
		put("INFO", fmt.Sprintf("request %d from the pool was served at once", i))
		put("WARN", "slow")
		if i%5 == 0 {
			put("WARN", "the pool is nearly full, and nobody comes to help")
		}
	}))))
	for _, name := range []string{"INFO", "WARN"} {
		if f, ok := facts.Fields[name]; ok {
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
	if len(facts.Fields) > 0 || facts.MoreFields > 0 {
		t.Errorf("%+v", facts.Fields)
	}
}

// TestOddKeys: a value that is rare under its name is told, as the line that it is, and one new name each time is not.
func TestOddKeys(t *testing.T) {
	notables, _ := watched(linesOf(stanzas(80, func(i int, put func(string, any)) {
		put("Name", fmt.Sprintf("web-%05x", i*7919%(1<<20)))
		put("Kind", nameOf(min(i, 25)))
		put("Took", map[bool]string{true: "2h", false: fmt.Sprint(5+i%20, "ms")}[i == 70])
		put("Status", map[bool]string{true: "Evicted", false: "Running"}[i == 41])
		put("Restart Count", map[bool]int{true: 4711, false: i % 3}[i == 60])
		put("Note", map[bool]string{true: "17", false: "none"}[i%3 == 0])
	}))).Notables()
	told := map[string]string{}
	for _, n := range notables {
		told[string(n.Data)] = n.Why
	}
	want := map[string]string{"Status: Evicted": "rare value", "Restart Count: 4711": "number far out", "Took: 2h": "number far out"}
	if !maps.Equal(told, want) {
		t.Errorf("%v, not %v", told, want)
	}
}

// TestKeysOfOneForm: a form that lines of several names have is told, as not all of them may be told as fields.
func TestKeysOfOneForm(t *testing.T) {
	facts := factsOf(t, watched(linesOf("x of y\nMax width: 5\nMax width: 5\nMax width: 5\nMax depth: 5\n")))
	if width := facts.Fields["Max width"]; width.In != 3 || len(facts.Templates) != 2 || facts.Templates[0].N != 4 {
		t.Errorf("%+v", facts)
	}
}

// TestKeysBesideATable: how many lines have a name is told though as many rows are in a table.
func TestKeysBesideATable(t *testing.T) {
	facts := factsOf(t, watched(linesOf("name,state,age\na,up,1\nb,up,2\nc,down,3\nd,up,4\n\nhost: x\nhost: y\nhost: x\nhost: x\n")))
	if host := facts.Fields["host"]; host.In != 4 || facts.Fields["state"].In != 0 {
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

// TestNamesThatVary: where the same is said of many names, lines have their form.
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
	if inForms != facts.Lines || len(facts.Fields) > 0 || facts.MoreFields > 0 {
		t.Errorf("%d lines have a form: %+v", inForms, facts)
	}
}

// TestKeyThatIsAColumn: a name that a table has as well is a field of the table, and the lines that begin with it have their form.
func TestKeyThatIsAColumn(t *testing.T) {
	table := "name,state,age\na,up,1\nb,up,2\nc,down,3\nd,up,4\n\n"
	keys := "state: up\nstate: down\nstate: up\nstate: up\n\n"
	for _, text := range []string{table + keys, keys + table} {
		facts := factsOf(t, watched(linesOf(text)))
		told := facts.MoreLines
		for _, template := range facts.Templates {
			told += template.N
		}
		if told != 6 || facts.Fields["state"].Values["up"] == 0 {
			t.Errorf("%d lines have a form: %+v", told, facts)
		}
	}
}
