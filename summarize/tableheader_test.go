package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// TestFirstRowIsNoHeader generates tables of texts, with a header and without: a first row is counted
// as one, soon or late, and gives no column its name; a header is none.
func TestFirstRowIsNoHeader(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 41))
	names := strings.Fields("grove river stone lake hill wood field shore cliff brook")
	columns := [][]string{
		strings.Fields("ready pending done"),
		strings.Fields("eu us ap"),
		strings.Fields("alpha bravo charlie delta echo"),
		strings.Fields("nginx redis postgres kafka"),
		names,
	}
	header := strings.Fields("name status region owner image shape")
	late := 0
	for seed := range 200 {
		separator := []string{",", "\t", ";", "|", ""}[seed%5]
		hasHeader := seed%3 == 0
		order := random.Perm(len(columns))[:3+random.IntN(2)]
		hasID := random.IntN(3) > 0
		line := func(cells []string) string {
			if separator == "|" && hasHeader { // as tables with a header have bars
				return strings.Join(cells, " | ")
			}
			if separator != "" {
				return strings.Join(cells, separator)
			}
			text := ""
			for _, cell := range cells {
				text += fmt.Sprintf("%-16s", cell)
			}
			return strings.TrimRight(text, " ")
		}
		var lines []string
		if hasHeader {
			lines = append(lines, line(header[:len(order)+1]))
		}
		rows := 20 + random.IntN(300)
		counts := make([]map[string]int, len(order))
		for i := range rows {
			cells := []string{names[random.IntN(len(names))] + "-" + names[random.IntN(len(names))]}
			if hasID {
				cells[0] += fmt.Sprint("-", i)
			}
			for at, column := range order {
				value := columns[column][random.IntN(len(columns[column]))]
				cells = append(cells, value)
				if i == 0 {
					counts[at] = map[string]int{}
				}
				counts[at][value]++
			}
			lines = append(lines, line(cells))
		}
		facts := string(watched(linesOf(strings.Join(lines, "\n") + "\n")).Facts(anyLength).JSON())
		if got := gjson.Get(facts, "rows"); got.Exists() && int(got.Int()) != rows || hasHeader && !got.Exists() {
			t.Errorf("seed %d: %s rows, not %d of\n%s", seed, got.Raw, rows, strings.Join(lines[:5], "\n"))
			t.Log(facts)
			continue
		}
		for at := range order {
			name := header[at+1]
			if !hasHeader {
				name = fmt.Sprint("$", at+2)
			}
			of := gjson.Get(facts, "fields."+name+".values")
			if !hasHeader && of.Exists() {
				late++
			}
			of.ForEach(func(value, count gjson.Result) bool {
				if int(count.Int()) != counts[at][value.String()] {
					t.Errorf("seed %d: %s of %s %s, not %d", seed, count, name, value, counts[at][value.String()])
				}
				return true
			})
		}
	}
	if late < 100 {
		t.Errorf("only %d columns of tables without a header", late)
	}
}

// TestHeaderNamedAsValue: a column of names may have the name of one column in it; that makes no row of the header.
func TestHeaderNamedAsValue(t *testing.T) {
	var b strings.Builder
	b.WriteString("table,name,kind\n")
	for i := range 60 {
		for _, name := range []string{"key", "name", "made"} {
			fmt.Fprintf(&b, "t%s,%s,text\n", nameOf(i), name)
		}
	}
	facts := string(watched(linesOf(b.String())).Facts(anyLength).JSON())
	if gjson.Get(facts, "rows").Int() != 180 || !gjson.Get(facts, "fields.name").Exists() {
		t.Error(facts)
	}
}

// TestFieldsOfFirstRow: a reader of lines has the cells of all rows by the numbers of their columns,
// those before it was known that the first line is a row included.
func TestFieldsOfFirstRow(t *testing.T) {
	text := "grove-a,ready,eu,alpha\nriver-b,done,us,bravo\nlake-c,idle,ap,delta\nhill-d,gone,cn,echo\nwood-e,lost,sa,kilo\n" +
		"cliff-f,ready,eu,alpha\nbrook-g,done,eu,bravo\n"
	l := NewLineFields()
	for _, r := range linesOf(text) {
		l.Add(r)
	}
	l.Settle()
	at := 0
	lines := strings.Split(text, "\n")
	for line := range l.Read {
		if want := strings.Split(lines[at], ",")[1]; gjson.GetBytes(line.Fields, "\\$2").String() != want {
			t.Errorf("line %d: %s, not %s", at+1, line.Fields, want)
		}
		at++
	}
	if at != 7 {
		t.Errorf("%d lines", at)
	}
}

// TestTablesInARow generates tables of different kinds, one behind the other without a blank line: the rows of each
// count under its own header.
func TestTablesInARow(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 3))
	kinds := []struct {
		header []string
		row    func(n int) string
		column string
	}{
		{[]string{"id   city    load", "---  ------  ----"},
			func(n int) string { return fmt.Sprintf("%-3d  town%-2d  %-4d", n, n%7, n%90) }, "load"},
		{[]string{"shop   sold", "-----  ----"}, func(n int) string { return fmt.Sprintf("shop%d  %-4d", n%9, n) }, "sold"},
		{[]string{" part | stock ", "------+-------"}, func(n int) string { return fmt.Sprintf(" p%-4d| %d", n, n%50) },
			"stock"},
		{[]string{"host,disk,used,free,node"}, func(n int) string { return fmt.Sprintf("h%d,sda,%d,%d,n%d", n, n, n*3, n%4) },
			"used"},
		{nil, func(n int) string {
			return fmt.Sprintf("-rw-r--r--  1 root root %8d Nov 28  2030 f%d.go", n, n)
		}, "size"},
	}
	for range testdepth.Cases(200) {
		var b strings.Builder
		want := make(map[string]int)
		order := random.Perm(len(kinds) - 1)[:1+random.IntN(len(kinds)-1)]
		if random.IntN(2) == 0 { // records without a header: a table behind them is not looked for
			order = append(order, len(kinds)-1)
		}
		for _, at := range order {
			kind, rows := &kinds[at], 5+random.IntN(40)
			for _, line := range kind.header {
				b.WriteString(line + "\n")
			}
			for n := range rows {
				b.WriteString(kind.row(n+1) + "\n")
			}
			want[kind.column] = rows
		}
		facts := factsOf(t, watched(linesOf(b.String())))
		rows := 0
		for column, n := range want {
			rows += n
			if got, is := facts.Fields[column]; !is || len(want) > 1 && got.In != n {
				t.Fatalf("%s: in %d rows, not %d:\n%s", column, got.In, n, b.String())
			}
		}
		if facts.Rows != rows {
			t.Fatalf("%d rows, not %d:\n%s", facts.Rows, rows, b.String())
		}
	}
}

// TestLinesUnderTextAreNoRows: lines of a log that go on after a few indented ones are no table under these.
func TestLinesUnderTextAreNoRows(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 42))
	times := []string{"2026-03-01T10:%02d:%02dZ", "2026-03-01 10:%02d:%02d", "10:%02d:%02d", "2026/03/01 10:%02d:%02d",
		"[2026-03-01 10:%02d:%02d]"}
	words := strings.Fields("N write of block took Nms done worker-N id=N ok")
	first := []string{"note: WARN x", "detail: ERROR state kept", "note: WARN", "cause: disk full", "note WARN x"}
	second := []string{"origin: disk", "origin: disk sda", "hint: retry later", "origin disk", "from: a b c"}
	for seed := range 300 {
		message := ""
		for range 1 + random.IntN(7) {
			message += " " + words[random.IntN(len(words))]
		}
		indent := strings.Repeat(" ", 1+random.IntN(4))
		at, failed := times[random.IntN(len(times))], random.IntN(8)
		under := []string{indent + first[random.IntN(len(first))], indent + second[random.IntN(len(second))]}
		var lines []string
		for i := range 160 {
			isError := i == failed || random.IntN(40) == 0
			level := "INFO"
			if isError {
				level = "ERROR"
			}
			text := message
			for strings.Contains(text, "N") {
				text = strings.Replace(text, "N", fmt.Sprint(random.IntN(999)), 1)
			}
			lines = append(lines, fmt.Sprintf(at, i/60, i%60)+" "+level+text)
			if isError {
				lines = append(lines, under...)
			}
		}
		facts := string(watched(linesOf(strings.Join(lines, "\n") + "\n")).Facts(anyLength).JSON())
		if rows := gjson.Get(facts, "rows"); rows.Exists() && rows.Int() != 160 {
			t.Errorf("seed %d: %s rows in\n%s", seed, rows.Raw, strings.Join(lines[:14], "\n"))
		}
	}
}

// TestDoubtfulHeader: where nothing tells the header of a table of texts from its rows, what is counted is an estimate.
func TestDoubtfulHeader(t *testing.T) {
	for _, separator := range []string{",", ";", "\t"} {
		var b strings.Builder
		for i := range 120 {
			fmt.Fprintln(&b, strings.Join([]string{nameOf(i) + nameOf(i+300), nameOf(2*i+1) + "x" + nameOf(i),
				"y" + nameOf(3*i+2) + nameOf(i)}, separator))
		}
		for _, test := range []struct{ header, want string }{
			{"", `"rows~":119,`},
			{strings.Join([]string{"name", "city", "country"}, separator) + "\n", `"rows":120,`},
			{strings.Join([]string{"HOSTNAMES", "OWNERSHIP", "BUILDINGS"}, separator) + "\n", `"rows":120,`},
		} {
			facts := string(watched(linesOf(test.header + b.String())).Facts(anyLength).JSON())
			if !strings.Contains(facts, test.want) {
				t.Errorf("%q, header %q: no %s in %s", separator, test.header, test.want, facts)
			}
		}
	}
}

// TestHunksAreNoTables: lines of a hunk whose beginning is not known are no rows, however deep they are indented;
// signs in the first column of a table are.
func TestHunksAreNoTables(t *testing.T) {
	for line, isTable := range map[string]bool{
		"+\treturn name%d, nil\n": false, "-\t\treturn name%d\n": false, " \t\tfor n := range %d {\n": false,
		"+\t\t\treturn name(%d)\n": false, "-\t-\timages/%d.png\n": true, "+\t%d\tdone\n": true,
	} {
		var b strings.Builder
		for i := range 30 {
			fmt.Fprintf(&b, line, 3*i+1)
		}
		facts := string(summaryOf(linesOf(b.String())).Facts(anyLength).JSON())
		if strings.Contains(facts, `"rows`) != isTable {
			t.Errorf("%q: %s", line, facts)
		}
	}
}
