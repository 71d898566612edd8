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
		{[]string{"sku,label,cost,unit"}, func(n int) string { return fmt.Sprintf("%d,thing %d,%d.5,EUR", n, n%9, n) },
			"cost"},
		{[]string{"day,shop,count,back,kept"}, func(n int) string {
			return fmt.Sprintf("2031-03-%02d,s%d,%d,%d,%d", 1+n%28, n%5, n, n%3, n%7)
		}, "count"},
		{[]string{"key,group,high,low"}, func(n int) string { return fmt.Sprintf("%d,g%d,%d,%d.5", n, n%4, n*2, n) },
			"high"},
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

// TestHeaderAmongRows: a row of words where the others have numbers is the header of another table only if the rows
// after it say so.
func TestHeaderAmongRows(t *testing.T) {
	facts := factsOf(t, watched(linesOf("shop,price,kind\n"+rowsOf(10, "s%d,%d.25,new")+rowsOf(10, "s%d,late,new"))))
	if facts.Rows != 20 || len(facts.Fields) != 3 {
		t.Errorf("words in one column: %d rows, %v", facts.Rows, facts.Fields)
	}
	for _, test := range []struct {
		name, second string // the lines behind rows of id,name,price,currency
		rows         int    // of both
		columns      string // all names
	}{
		{"other kinds", "day,shop,units,back\n" + rowsOf(9, "2031-01-%02d,s%d,%d,%d"), 19,
			"id name price currency day shop units back"},
		{"the same kinds", "sku,label,cost,unit\n" + rowsOf(9, "%d,t%d,%d.5,EUR"), 19,
			"id name price currency sku label cost unit"},
		{"one row without numbers", "all,of,them,gone\n", 11, "id name price currency"},
		{"rows without numbers", "all,of,them,gone\n" + strings.Repeat("none,of,these,here\n", 4), 15,
			"id name price currency"},
		{"words only", "code,label,state,unit\n" + rowsOf(9, "x%d,t%d,sold,USD"), 19,
			"id name price currency code label state unit"},
		{"no value", "n/a,item,n/a,EUR\n" + rowsOf(9, "%d,t%d,%d.5,EUR"), 20, "id name price currency"},
	} {
		text := "id,name,price,currency\n" + rowsOf(10, "%d,item %d,%d.25,EUR") + test.second
		facts := factsOf(t, watched(linesOf(text)))
		if facts.Rows != test.rows || len(facts.Fields) != len(strings.Fields(test.columns)) {
			t.Errorf("%s: %d rows, %v", test.name, facts.Rows, facts.Fields)
		}
		for _, column := range strings.Fields(test.columns) {
			if _, is := facts.Fields[column]; !is {
				t.Errorf("%s: no column %s", test.name, column)
			}
		}
	}
}

// rowsOf returns so many lines of that form with the number of the line for each verb in it.
func rowsOf(n int, form string) string {
	var b strings.Builder
	for i := range n {
		line := form
		for strings.Contains(line, "%") {
			from := strings.IndexByte(line, '%')
			to := from + strings.IndexByte(line[from:], 'd') + 1
			line = line[:from] + fmt.Sprintf(line[from:to], i+1) + line[to:]
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// TestTablesWithoutHeadersInARow: two tables without headers and with as many columns are two, each with columns of its
// own, if several columns have other kinds for good.
func TestTablesWithoutHeadersInARow(t *testing.T) {
	first := rowsOf(20, "7f%d-8f r%d-p 000%d fe:0%d %d /lib/x%d")
	second := rowsOf(15, "none%d /mnt/d%d ext%d rw,sync 0 %d")
	tabs, others := rowsOf(12, "a%d\t%d\tx\t%d"), rowsOf(12, "%d\tx%d\ty\t%d")
	for _, test := range []struct {
		name, text string
		rows       int
		in         map[string]int // rows of some columns
	}{
		{"two tables", first + second, 35, map[string]int{"$1": 20, "$3": 20, "$1#2": 15, "$3#2": 15, "$6#2": 15}},
		{"a blank line between", first + "\n" + second, 35, map[string]int{"$1": 20, "$1#2": 15}},
		{"one row of other kinds", first + rowsOf(1, "none /mnt ext4 rw,sync 0 %d") + first, 41, map[string]int{"$1": 41}},
		{"a blank line within", first + "\n" + first, 40, map[string]int{"$1": 40}},
		{"one column changes", rowsOf(12, "a%d x%d 0 %d") + rowsOf(12, "%d x%d 0 %d"), 24, map[string]int{"$1": 24}},
		{"tabs", tabs + others, 24, map[string]int{"$1": 12, "$1#2": 12}},
		{"three", tabs + others + tabs, 36, map[string]int{"$1": 12, "$1#2": 12, "$1#3": 12}},
	} {
		facts := factsOf(t, watched(linesOf(test.text)))
		if facts.Rows != test.rows {
			t.Errorf("%s: %d rows", test.name, facts.Rows)
		}
		for column, n := range test.in {
			got, is := facts.Fields[column]
			if in := got.In; !is || in != n && (in != 0 || n != test.rows) {
				t.Errorf("%s: %s in %d rows, not %d", test.name, column, got.In, n)
			}
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
