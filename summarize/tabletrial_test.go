package summarize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// drawings are ways in which tools print a table. The cells of the first column, and all of the first rows, are not
// empty.
var drawings = map[string]func(cells [][]string) string{
	"to the left": func(cells [][]string) string {
		return aligned(cells, func(cell string, width int) string {
			return cell + strings.Repeat(" ", width+2-utf8.RuneCountInString(cell))
		})
	},
	"to the right": func(cells [][]string) string {
		return aligned(cells, func(cell string, width int) string {
			return strings.Repeat(" ", width+2-utf8.RuneCountInString(cell)) + cell
		})
	},
	"tabs": func(cells [][]string) string { return joined(cells, "\t") },
	"commas": func(cells [][]string) string {
		quoted := make([][]string, len(cells))
		for i := range cells {
			for _, cell := range cells[i] {
				if strings.ContainsAny(cell, `,"`) {
					cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
				}
				quoted[i] = append(quoted[i], cell)
			}
		}
		return joined(quoted, ",")
	},
	"bars": func(cells [][]string) string {
		var text strings.Builder
		for i, row := range cells {
			text.WriteString("| " + strings.Join(row, " | ") + " |\n")
			if i == 0 {
				text.WriteString("|---|---|\n")
			}
		}
		return text.String()
	},
	"boxes": func(cells [][]string) string {
		return boxed(cells, "┌───┬───┐\n", "│", "├───┼───┤\n", "│", "└───┴───┘\n")
	},
	"heavy boxes": func(cells [][]string) string {
		return boxed(cells, "┏━━━┳━━━┓\n", "┃", "┡━━━╇━━━┩\n", "│", "└───┴───┘\n")
	},
	"double boxes": func(cells [][]string) string {
		return boxed(cells, "╔═══╦═══╗\n", "║", "╠═══╬═══╣\n", "║", "╚═══╩═══╝\n")
	},
}

// boxed draws a table with the lines of Unicode, around the cells of the header and around the others.
func boxed(cells [][]string, top, header, rule, row, bottom string) string {
	text := top
	for i, of := range cells {
		bar := row
		if i == 0 {
			bar = header
		}
		text += strings.TrimSpace(bar+" "+strings.Join(of, " "+bar+" ")+" "+bar) + "\n"
		if i == 0 {
			text += rule
		}
	}
	return text + bottom
}

func aligned(cells [][]string, pad func(string, int) string) string {
	widths := make([]int, len(cells[0]))
	for _, row := range cells {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range cells {
		line := ""
		for i, cell := range row {
			line += pad(cell, widths[i])
		}
		text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return text.String()
}

func joined(cells [][]string, separator string) string {
	var text strings.Builder
	for _, row := range cells {
		text.WriteString(strings.Join(row, separator) + "\n")
	}
	return text.String()
}

// linesOf are the lines of a text as records, whatever they hold.
func linesOf(text string) []structure.Record {
	var records []structure.Record
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		records = append(records, structure.Record{Seq: len(records) + 1, Value: []byte(line), IsText: true})
	}
	return records
}

// TestTimesOfTwoWords: a date and a time of day are one cell under one heading, and two under two.
func TestTimesOfTwoWords(t *testing.T) {
	for _, test := range []struct{ header, date, clock, cell string }{
		{"   r    b   free  id                 UTC", "2031-05-02", " 10:00:%02d",
			`{"from":"2031-05-02 10:00:00","to":"2031-05-02 10:00:29"`},
		{"   r    b   free  id                time", "2031/05/02", " 10:00:%02d",
			`{"from":"2031/05/02 10:00:00","to":"2031/05/02 10:00:29"`},
		{"   r    b   free  id                  at", "02/05/2031", " 10:00:%02d", `{"distinct":30,"len":[19,19]}`},
		{"   r    b   free  id       DATE     TIME", "2031-05-02", " 10:00:%02d", `{"min":"10:00:00","max":"10:00:29"`},
		{"   r    b   free  id       DATE      TIME", "2031-05-02", "  10:00:%02d",
			`{"min":"10:00:00","max":"10:00:29"`},
		{"   r    b   free  id       DATE     NODE", "2031-05-02", " north-%02d", `{"distinct":30,"len":[8,8]}`},
	} {
		text := test.header + "\n"
		for i := range 30 {
			text += fmt.Sprintf("%4d %4d %6d %3d %s"+test.clock+"\n", i%4, i%2, 2304+i, i, test.date, i)
		}
		var facts struct {
			Rows   int
			Fields map[string]json.RawMessage
		}
		decode(t, summaryOf(linesOf(text)).Facts(anyLength).JSON(), &facts)
		columns := strings.Fields(test.header)
		last := string(facts.Fields[columns[len(columns)-1]])
		if facts.Rows != 30 || len(facts.Fields) != len(columns) || !strings.HasPrefix(last, test.cell) {
			t.Errorf("%s: %d rows, %s", test.header, facts.Rows, facts.Fields)
		}
	}
}

// TestRepeatedHeadings: columns of numbers may have one heading for two, each with facts of its own; words that come
// again are no header.
func TestRepeatedHeadings(t *testing.T) {
	text := "   ncalls  percall  total  percall  name\n"
	for i := range 40 {
		text += fmt.Sprintf("%9d  %7.3f  %5d  %7.3f  step%d\n", i+1, float64(i)/8, 3*i, float64(i)/2, i%3)
	}
	var facts struct {
		Rows   int
		Fields map[string]struct{ Min, Max float64 }
	}
	decode(t, summaryOf(linesOf(text)).Facts(anyLength).JSON(), &facts)
	first, second := facts.Fields["percall"], facts.Fields["percall#2"]
	if facts.Rows != 40 || first.Max != 4.875 || second.Max != 19.5 || len(facts.Fields) != 5 {
		t.Errorf("%+v", facts)
	}
	for _, text := range []string{
		"the cat  the dog  12\nold cat  old dog  13\nfat cat  fat dog  14\nbig cat  big dog  15\n",
		"cpu cpu mem mem host\n0 0 0 0 a\n1 2 3 4 b\n2 4 6 8 c\n3 6 9 12 d\n",
		"doc    test   doc    main\nsrc    docs   test   lib\nbin    main   lib    src\netc    test   doc    man\n",
	} {
		if facts := summaryOf(linesOf(text)).Facts(anyLength).JSON(); bytes.Contains(facts, []byte(`"rows"`)) {
			t.Errorf("%s is read as a table: %s", text, facts)
		}
	}
}

// FuzzDrawnTables: a table says the same however it is drawn, and what it says of each column is what was in it.
func FuzzDrawnTables(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(3+seed), uint8(4+10*seed))
	}
	f.Add(uint64(209), uint8(25), uint8(189)) // a row whose cells are all pairs
	f.Fuzz(func(t *testing.T, seed uint64, width, height uint8) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 3 + int(width)%8
		some := []string{"up", "0.5", "12", "-3", "größer", "a,b", "1/1", "x=\"y\"", "007", "[z]", "no", "7%"}
		cells := [][]string{{}}
		for i := range n {
			cells[0] = append(cells[0], fmt.Sprintf("%s_%c", []string{"NAME", "size", "St", "Größe"}[r.IntN(4)], 'a'+i))
		}
		want := make([]map[string]int, n)
		for row := range 3 + int(height) {
			cells = append(cells, nil)
			for i := range n {
				cell := some[r.IntN(len(some))]
				if i > 1 && row > 3 && r.IntN(4) == 0 {
					cell = ""
				}
				cells[row+1] = append(cells[row+1], cell)
				if want[i] == nil {
					want[i] = map[string]int{}
				}
				if cell != "" {
					want[i][cell]++
				}
			}
		}
		first, firstName := "", ""
		for name, draw := range drawings {
			text := draw(cells)
			s := summaryOf(linesOf(text))
			var facts struct {
				Rows      int
				RowsAbout int `json:"rows~"` // where the header may be a row itself
				Fields    json.RawMessage
			}
			decode(t, s.Facts(anyLength).JSON(), &facts)
			if rows := facts.Rows + facts.RowsAbout; rows != len(cells)-1 {
				t.Fatalf("%s: %d rows, want %d:\n%s", name, rows, len(cells)-1, text)
			}
			said := string(facts.Fields)
			if facts.RowsAbout > 0 {
				said = strings.ReplaceAll(said, `~":`, `":`)
			}
			if first == "" {
				first, firstName = said, name
			}
			if said != first {
				t.Fatalf("%s:\n%s\n%s:\n%s\n%s", firstName, first, name, said, text)
			}
			for i := range n {
				place := s.places.Paths.Member(structure.RootNode, []byte(cells[0][i]))
				got := map[string]int{}
				for _, e := range s.places.Fields[place].Seen.Counts.Entries {
					cell := string(e.Text)
					if e.Text[0] == '"' && json.Unmarshal(e.Text, &cell) != nil {
						t.Fatalf("not JSON: %s", e.Text)
					}
					got[cell] = e.Count
				}
				if fmt.Sprint(got) != fmt.Sprint(want[i]) {
					t.Fatalf("%s: column %s has %v, want %v:\n%s", name, cells[0][i], got, want[i], text)
				}
			}
		}
	})
}

// FuzzLinesAreCountedOnce: a line is a row, is drawn around rows, belongs to a block, or has a template.
func FuzzLinesAreCountedOnce(f *testing.F) {
	f.Add("NAME  AGE  UP\na     1    x\nb     2    y\nc     3    z\n\nd     4    w\n---------\nno row\ne     5    v")
	f.Add("one two three\nNAME  AGE  UP\na     1    x\nb     2    y\nc     3    z\nNAME  AGE  UP\nd     4    v")
	f.Add("a,b,c\n1,2,3\n1,2,3\n1,2\n\"1,2,3\n1,2,3\n1,2,3\n1,2,3")
	f.Add("failed\n\tat a.b(C:1)\n\t... 2 more\n@@ -1 +1,2 @@\n-a\n+b\n+c\n+d\ngoroutine 1 [x]:\n\n  File \"f\", line 1\n    x")
	f.Add("x\ty\n----\n\n1\t2\n1\t\n\t\n")
	f.Add("a: x\n  b c : 1\n\na: y\n  b c : 2\nNAME  b c  UP\na     1    x\nb     2    y\nc     3    z\n\na: x\n  b c : 3\na=1 b=2 c=3\na: null")
	f.Add("a:\nb:\nc:\nd:\ne:\n/f:\ng:\nh:\ni:\n x y\n/j:\nk2:\na|b|c\nd|e|f|g\nF,a,b\nF,c,d")
	f.Add("a|b|c\nd|e|f\ng|h|i\nj|k|l\nm|n|o\np|q|r\ns|t|u|v\nw|x\n")
	f.Add("a\t\tb\nc\td\ne\t\tf\ng\t\t\th\ni\tj\nk\tl\nm\tn\no p\n")
	f.Fuzz(func(t *testing.T, text string) {
		records := recordsOf([]byte(text))
		s := summaryOf(records)
		facts := factsOf(t, s)
		b := s.text.Blocks
		shown := facts.MoreLines + s.lines.table.Rows + b.Frames
		for _, template := range facts.Templates {
			shown += template.N
		}
		for i := range s.text.Templates.All {
			if of := &s.text.Templates.All[i]; s.lines.isShownByKey(of) {
				shown += of.Count
				if in := facts.Keys[string(s.places.Paths.Path(of.Key))].In; in < of.Count {
					t.Fatalf("%q is told in %d lines, but %d have that form", s.places.Paths.Path(of.Key), in, of.Count)
				}
			}
		}
		if drawn := facts.Lines - shown; drawn < 0 || s.lines.table.Rows == 0 && drawn > 0 {
			t.Fatalf("%d lines, %d of them rows, %d told", facts.Lines, s.lines.table.Rows, shown)
		}
		if facts.Lines+facts.Records != len(records) {
			t.Fatalf("%d lines and %d records, want %d", facts.Lines, facts.Records, len(records))
		}
	})
}

// TestTooManyCells: lines with more cells than a table may have columns are lines.
func TestTooManyCells(t *testing.T) {
	for cells, rows := range map[int]int{formats.MaxTextColumns: 5, formats.MaxTextColumns + 1: 0,
		3 * formats.MaxTextColumns: 0} {
		line := strings.Repeat("1,", cells-1) + "1\n"
		s := summaryOf(linesOf(strings.Repeat(line, 5)))
		s.Facts(anyLength).JSON()
		if s.lines.table.Rows != rows {
			t.Errorf("%d cells: %d rows, want %d", cells, s.lines.table.Rows, rows)
		}
	}
}

func TestTextTables(t *testing.T) {
	for _, test := range []struct {
		name, input string
		rows        int
		want        []string // columns
	}{
		{
			"a header after a title", "Open connections (all)\nProto In-Q Local Address      State\n" +
				"tcp      0 10.1.1.1:22        LISTEN\ntcp     12 10.1.1.1:8080      WAIT\nudp      0 10.1.1.1:53",
			3, []string{"Proto", "In-Q", "Local Address", "State"},
		},
		{
			"names one blank apart",
			"USER   PID %CPU COMMAND\nann      1  0.0 init\nbob  12345  9.5 sh -c run it\ncid    777 10.0 sleep 9",
			3, []string{"USER", "PID", "%CPU", "COMMAND"},
		},
		{
			"a long cell moves the rest",
			"USER   PID  VSZ CMD\nann      1 2000 init\nbob      2 2000 sh\ncid      3 2000 sh\nann 987654 1234567 vi",
			4, []string{"USER", "PID", "VSZ", "CMD"},
		},
		{
			"a state that is called as its column is",
			"  PID S  %CPU COMMAND\n    1 S   0.0 init\n    2 S   1.5 sh\n   31 S   0.0 vi\n   32 R  97.5 cc",
			4, []string{"PID", "S", "%CPU", "COMMAND"},
		},
		{
			"a title between tables that are alike",
			"USER  PID %CPU COMMAND\nann     1  0.0 init\nbob 12345  9.5 sh\ncid   777 10.0 sleep\n\ntools at 10:17:01 up\n\n" +
				"USER  PID %CPU COMMAND\nann     1  0.0 init\nbob 12345  8.5 sh",
			5, []string{"USER", "PID", "%CPU", "COMMAND"},
		},
		{
			"a cell that is too long in all rows",
			"   ID    KIND NAME USER  LIMIT NODES WHERE\n    7     gpu  one  ann 1-00:00    2 (why)\n    8     gpu  two  ann 2-00:00    1 n14\n" +
				"    9 gpu-big   ab  bob 0-12:00    1 n15\n   10     cpu    c  bob  12:00     1 n16",
			4, []string{"ID", "KIND", "NAME", "USER", "LIMIT", "NODES", "WHERE"},
		},
		{
			"one blank between all names and cells",
			"ver id addr port to end\n2 eni-7 10.1.1.1 22 10.1.1.2 up\n2 eni-7 10.1.1.1 5432 10.1.1.2 up\n2 eni-7 10.1.1.1 22 10.1.1.2 up\n" +
				"2 eni-0123456789abcdef0123456789 255.255.255.255 65535 255.255.255.255 down",
			4, []string{"ver", "id", "addr", "port", "to", "end"},
		},
		{
			"marks", "  UNIT    LOAD  SUB\n  a.path  ok    up\n* b.path  ok    down\n● c.path  bad   up",
			3, []string{"UNIT", "LOAD", "SUB"},
		},
		{
			"a rule under two names", "Package  Version\n-------- -------\nabc      1.0\nde       v2\nfgh      main",
			3, []string{"Package", "Version"},
		},
		{
			"redacted cells are longer",
			"NAME      LOAD   SUB\nabc       ok     up\ndef       ok     up\nghi       ok     up\n[REDACTED:email]  ok     up",
			4, []string{"NAME", "LOAD", "SUB"},
		},
		{
			"tables one after another",
			"NAME  UP  AT\na     1   x\nb     2   y\nc     3   z\n\nNAME  SIZE  KIND\nd     1     x\ne     2     y\nf     3     z",
			6, []string{"NAME", "UP", "AT", "SIZE", "KIND"},
		},
		{
			"a colon after the first name", "   Num:  Size Kind\n     0:     0 x\n     1:    12 y\n     2:   144 z",
			3, []string{"Num:", "Size", "Kind"},
		},
		{
			"the header of the last table again, and one row",
			"NAME  UP  AT\na     1   x\nb     2   y\nc     3   z\n\ntitle\n\nNAME  UP  AT\nd     1   x",
			4, []string{"NAME", "UP", "AT"},
		},
		{
			"no header, but bars", "a1|2031-01-02|12.5|x\na2|2031-01-02|7.5|\na3|2031-01-03|1.5|x\na4|2031-01-03|9|y",
			4, []string{"$1", "$2", "$3", "$4"},
		},
		{
			"no header, but commas", "ann,12,red,1.5\nbob,13,blue,2.5\n\"cid, x\",14,red,3.5\ndan,15,red,4.5",
			4, []string{"$1", "$2", "$3", "$4"},
		},
		{"bars, and no number in all lines", "a|b|c|d\ne|f|g|h\ni|j|k|l\nm|n|o|p", 0, nil},
		{"bars, no number, and more lines", "a|b|c|d\ne|f|g|h\ni|j|k|l\nm|n|o|p\nq|r|s|t\nu|v||x\ny|z||a | b", 7,
			[]string{"$1", "$2", "$3", "$4"}},
		{"tabs, and no number", "a\ton\nb\ton\nc\toff\nd\ton\ne\tx y\nf\ton", 6, []string{"$1", "$2"}},
		{"what may be a header, bars and numbers",
			"self: {us} | all | what\nself: 7 | 9 | a\nself: 8 | 9 | b\nself: 9 | 9 | c\nself: 5 | 12 | d\nself: 5 | 9 | e\nself: 4 | 9 | f", 0, nil},
		{
			"units in brackets", "load time: own [us] | all [us] | part\nload time:       7 |     12 | a\nload time:     120 |    132 |  b\n" +
				"load time:      75 |     75 | c\n", 3, []string{`load time: own \[us]`, `all \[us]`, "part"},
		},
		{
			"runs of dashes, in the middle", strings.Repeat("child gone\n", 14) + "% time     took  per/call     calls    failed name\n" +
				"------ -------- --------- --------- --------- ------------\n 84.03   0.1118     1398        80        40 wait\n" +
				"  2.59   0.0034         1      1815           open\n100.00   0.0034         1        15         1 read\n" +
				"  0.00   0.0000         1       815           close\n", 4, []string{"% time", "took", "per/call", "calls", "failed", "name"},
		},
		{
			"a heading in the middle", strings.Repeat("all is said\n", 14) + "What is  done here\n------------------\nIt has   done this\n" +
				"So that  none goes\nAnd then none came\nAs when  some went\n", 0, nil,
		},
		{"states in brackets", "a/now 1:1.3 amd64 [here,by hand]\nb/now 2.7-1 amd64 [here,by itself]\n" +
			"c/now 3-1 amd64 [here,by itself]\nd/now 4-7 amd64 [here,by hand]\ne/now 0.1 amd64 [here,by hand]\n", 0, nil},
		{"levels in brackets", "[INFO] start of it\n[WARN] slow  as it\n[INFO] again so it\n[INFO] alone on it\n[WARN] still is it", 0, nil},
		{"tabs in some lines", "a\ton\nb\ton\nc\toff\nd\ton\ne\tx y\nf on", 0, nil},
		{"bars, not as many in each line", "a|1|c|d\ne|2|g|h\ni|3|k\nm|4|o|p", 0, nil},
		{"no numbers under two names", "First   Second\none     two\nthree   four\nfive    six", 0, nil},
		{"a sentence", "It is said that\nno table is in\na text that is\nwritten so as this", 0, nil},
		{"what all lines have is no header", "INFO  start  web\nINFO  stop   web\nINFO  start  db\nINFO  stop   db",
			0, nil},
		{"rows that begin with a letter alone",
			"F,nameb,townl\nF,namec,townm\nF,named,townn\nF,namee,towno\nF,namef,townp", 5, []string{"$1", "$2", "$3"}},
		{
			"moved rows without a value",
			"NAME  CPU  MEM\nab      1    2\nbc      3    4\ncd      5    6\nlong-name-a N/A N/A\nlong-name-b <none> nil",
			5, []string{"NAME", "CPU", "MEM"},
		},
		{
			"what commands do", "   add       Add file contents to the index\n   apply     Use a patch on files of the index\n   blame     Say who wrote the lines of a file\n" +
				"   clone     Get and set up what is in another\n   commit    Record changes to the index too", 0, nil,
		},
		{
			"what options do", " -cert infile   A file to use\n -ckey inside   B code is bad\n -cpwd intact   C word in set\n -call insane   D line at end", 0, nil,
		},
		{
			"names of several words",
			"Proto Recv-Q Local Address   Foreign Address State\ntcp        0 10.0.0.1:22     10.0.0.9:5100   UP\ntcp        0 10.0.0.1:80     10.0.0.9:5101   UP\n" +
				"udp        7 10.0.0.1:53     10.0.0.8:53     UP", 3,
			[]string{"Proto", "Recv-Q", "Local Address", "Foreign Address", "State"},
		},
		{"a list in a diff", "+    - -c\n     - --args\n     - --\n-    - 1\n-    - 2\n+    - 0", 0, nil},
		{"key: value", "name:    ann\nsize:    12\ncolor:   red\nweight:  3", 0, nil},
		{"no header, and four rows alone", "ann  12  red\nbob  13  blue\ncid  14  red\ndan  15  red", 0, nil},
		{"no header", "ann  12  red\nbob  13  blue\ncid  14  red\ndan  15  red\neve  1.5  red\nfay  0  red", 6,
			[]string{"$1", "$2", "$3"}},
		{"no header, and other words in a row",
			"ann  12  red\nbob  13  blue\ncid  14  red\ndan  15\neve  1.5  red\nfay  0  red", 0, nil},
		{"no header, and a word in all rows",
			"ann  is  12\nbob  is  13\ncid  is  14\ndan  is  15\neve  is  15\nfay  is  16", 0, nil},
		{"lines among amounts", "0 ok a\n1 ok b\n0 no c\n1 ok d\n0 ok e\n1 ok f\ndisk full now\ngoroutine 1 [running]:\n1 ok g", 7, []string{"$1", "$2", "$3"}},
		{"times and paths", "10:13 GET /api/x 200\n10:13 GET /api/y 200\n10:14 PUT /api/x 200\n10:14 GET /api/z 200\n10:15 GET /a/x 204\n10:15 GET /x 200", 6, []string{"$1", "$2", "$3", "$4"}},
		{"days and times", "2031/05/02 11:37 up\n2031/05/02 11:38 up\n2031/05/02 11:39 up\n2031/05/02 12:37 up\n2031/05/02 13:37 up\n2031/05/02 13:38 up", 0, nil},
		{"an amount, a tab and a path",
			"1.5K\ta/b.go\n12K\ta/c.go\n4.0K\ta/b c.go\n100M\ta/d.go\n0\tb/e.go\n117M\t.", 6, []string{"$1", "$2"}},
		{"a path and a count", "a/b.go:9\na/c.go:12\na/d.go:0\nb/e.go:2\nb/f.go:2\nb/g.go:21", 6, []string{"$1", "$2"}},
		{
			"passwd(5)", "ann:x:0:0:Ann B:/home/ann:/bin/sh\nbob:x:1:0::/home/bob:/bin/sh\ncid:x:2:0:C D,,:/:/bin/no\ndan:x:3:0::/:/bin/no",
			4, []string{"$1", "$2", "$3", "$4", "$5", "$6", "$7"},
		},
		{"three cells between bars",
			"a1|2031-01-02|x y\na2|2031-01-02|\na3|2031-01-03|z\na4|2031-01-03|y\na5|2031-01-03|y\na6|2031-01-03|x",
			6, []string{"$1", "$2", "$3"}},
		{"lines with numbers", "     1\ta 1\n     2\tb 2\n     3\tc 3\n     4\td 4\n     5\te 5\n     6\tf 6\n", 0,
			nil},
		{"places in files", "a/b.go:9:x\na/c.go:12:y\na/d.go:1:z\nb/e.go:2:x\nb/f.go:2:y\nb/g.go:21:z", 0, nil},
		{"names and numbers", "a: 1\nb: 2\nc: 4\nd: 4\ne: 5\nf: 7", 0, nil},
		{"a list", "apples, pears, plums\nbread, butter, jam\nsalt, pepper, oil\nred, green, blue", 0, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := summaryOf(linesOf(test.input))
			facts := factsOf(t, s)
			if s.lines.table.Rows != test.rows {
				t.Errorf("%d rows, want %d", s.lines.table.Rows, test.rows)
			}
			for _, name := range test.want {
				if _, ok := facts.Fields[name]; !ok {
					t.Errorf("no column %q", name)
				}
			}
			if len(facts.Fields) != len(test.want) {
				t.Errorf("%d columns, want %d", len(facts.Fields), len(test.want))
			}
		})
	}
}

// TestWideFirstRows: rows that are sorted by size begin with the widest, whose cells stand to the right of their columns:
// these join no names and hide no column.
func TestWideFirstRows(t *testing.T) {
	header := "OWNER      ID %CPU   SIZE   RES DEV      ST SINCE  USED COMMAND\n"
	wide := "root    %d 68.1 9094956 %d ?      SN 02:4%d  0:36 /srv/run/job%d -n %d -x y\n"
	narrow := "root    %d  0.0 %6d %5d ?        S  03:1%d  0:00 job%d\n"
	for wideRows := range 9 {
		var b strings.Builder
		b.WriteString(header)
		for n := range wideRows {
			fmt.Fprintf(&b, wide, 98765-n, 123456-n, n, n, n)
		}
		for n := range 20 {
			fmt.Fprintf(&b, narrow, 12345+n, 90000-n, 23456-n, n%6, n)
		}
		facts := summaryOf(linesOf(b.String())).Facts(anyLength).JSON()
		least, most := gjson.GetBytes(facts, "fields.RES.min").Int(), gjson.GetBytes(facts, "fields.RES.max").Int()
		if gjson.GetBytes(facts, "rows").Int() != int64(wideRows+20) || least != 23437 ||
			wideRows > 0 && most != 123456 || !gjson.GetBytes(facts, "fields.COMMAND").Exists() {
			t.Errorf("%d wide rows: %s", wideRows, facts)
		}
	}
}

// A table that is wider, longer and with more templates of lines than there is room for takes no more memory for it.
func TestWideTablesAreBounded(t *testing.T) {
	var text bytes.Buffer
	for i := range 2 * formats.MaxTextColumns {
		fmt.Fprintf(&text, "column%c%c,", 'a'+i/26, 'a'+i%26)
	}
	text.WriteString("end\n")
	for range 10 {
		text.WriteString(strings.Repeat("1,", 2*formats.MaxTextColumns) + "1\n")
	}
	s := summaryOf(linesOf(text.String()))
	s.lines.settle()
	if s.lines.table.Rows != 0 || cap(s.lines.table.Columns.All) > 4*formats.MaxTextColumns {
		t.Errorf("%d rows, room for %d columns", s.lines.table.Rows, cap(s.lines.table.Columns.All))
	}
}

// TestTableSaysWhatItsRecordsSay: the facts of the columns of a table are those of records with the same values,
// however the table is drawn.
func TestTableSaysWhatItsRecordsSay(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 8))
		cells := [][]string{{"NAME", "COUNT", "PRICE", "STATE", "SINCE"}}
		var records []structure.Record
		for i := range 4 + r.IntN(900) {
			row := []string{
				fmt.Sprintf("unit-%d", r.IntN(600)), fmt.Sprint(r.IntN(2000) - 1000),
				fmt.Sprintf("%.2f", r.ExpFloat64()*900),
				[]string{"up", "down", "half up"}[r.IntN(3)],
				fmt.Sprintf("2031-05-%02dT10:%02d:00Z", 1+r.IntN(28), r.IntN(60)),
			}
			record := fmt.Sprintf(`"NAME":%q`, row[0])
			for j, name := range cells[0][1:] {
				switch {
				case j > 0 && i > 2 && r.IntN(9) == 0: // a row has two cells at least
					row[1+j] = ""
				case j < 2:
					record += fmt.Sprintf(`,%q:%s`, name, row[1+j])
				default:
					record += fmt.Sprintf(`,%q:%q`, name, row[1+j])
				}
			}
			cells = append(cells, row)
			records = append(records, structure.Record{Seq: i + 1, Value: []byte("{" + record + "}")})
		}
		var want, got struct{ Fields json.RawMessage }
		decode(t, summaryOf(records).Facts(anyLength).JSON(), &want)
		for name, draw := range drawings {
			decode(t, summaryOf(linesOf(draw(cells))).Facts(anyLength).JSON(), &got)
			if string(got.Fields) != string(want.Fields) {
				t.Fatalf("seed %d, %s:\n%s\nwant\n%s", seed, name, got.Fields, want.Fields)
			}
		}
	}
}

// TestHeadersAreCounted: rows and headers are all lines of a table; a header whose cells come again
// in their columns is a row.
func TestHeadersAreCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, first := range []string{"north,up,x", "site,state,name"} {
		text := first + "\nsouth,up,x\nwest,up,y\nwest,down,x\n"
		for range 300 {
			text += []string{"north", "south", "west"}[r.IntN(3)] + "," + []string{"up", "down"}[r.IntN(2)] + "," +
				[]string{"x", "y"}[r.IntN(2)] + "\n"
		}
		again := strings.Count(text, first+"\n")
		if first == "north,up,x" { // whose cells come again: it is a row
			again = 0
		}
		var facts struct{ Rows, Headers int }
		decode(t, watched(linesOf(text)).Facts(anyLength).JSON(), &facts)
		if facts.Rows+again != 304 || facts.Headers != again && again > 1 || facts.Headers > 0 && again == 1 {
			t.Errorf("%s: %+v, %d headers", first, facts, again)
		}
	}
}

// TestTimesOfHeaders: a line of a log that begins with a time of day is no header, whatever few words its messages
// have; what sar prints, with a time in its header, is a table.
func TestTimesOfHeaders(t *testing.T) {
	var facts struct{ Rows, Headers int }
	r := rand.New(rand.NewPCG(5, 5))
	for _, messages := range [][]string{
		{"cache cleared", "handled request %d", "slow query %d"},
		{"INFO Handled request %d", "WARN Slow query %d", "DEBUG Cache cleared", "ERROR Connection lost to db%d"},
		{" INFO  disk  ok", " INFO  disk  full", " WARN  fan  slow", " INFO  fan  slow"},
		{"Compiling a.c", "Fetching dep x", "Linking target", "Cleaning up", "Building module"},
	} {
		for range 20 {
			var text strings.Builder
			for i := range 100 {
				message := messages[r.IntN(len(messages))]
				if strings.Contains(message, "%") {
					message = fmt.Sprintf(message, i)
				}
				fmt.Fprintf(&text, "09:%02d:%02d %s\n%s", i/60, i%60, message,
					[]string{"", "", "\n"}[r.IntN(3)])
			}
			facts.Rows = 0
			if decode(t, watched(linesOf(text.String())).Facts(anyLength).JSON(), &facts); facts.Rows > 50 {
				t.Errorf("%d rows in\n%s", facts.Rows, text.String())
			}
		}
	}
}

// TestTreesAreNoTables: what tree draws before a name is no line between cells.
func TestTreesAreNoTables(t *testing.T) {
	text := ".\n"
	for i := range 20 {
		text += fmt.Sprintf("├── folder%d\n│   ├── one%d.go\n│   │   └── deep %d\n│   └── two.go\n│\n", i, i, i)
	}
	var facts struct{ Lines, Rows int }
	if decode(t, watched(linesOf(text)).Facts(anyLength).JSON(), &facts); facts.Rows > 0 || facts.Lines != 101 {
		t.Errorf("%+v", facts)
	}
}

// TestNumbersWithMore: where some cells begin with a number and say more, no other number is the greatest of the
// column.
func TestNumbersWithMore(t *testing.T) {
	for _, more := range []string{"56 (2m ago)", "none"} {
		text := "NAME    RESTARTS        AGE\n"
		for i := range 60 {
			text += fmt.Sprintf("web-%02d  %-14s  5d\n", i, []string{"0", "0", "2", more}[i%4])
		}
		var facts struct {
			Fields map[string]struct{ Max *float64 }
		}
		decode(t, watched(linesOf(text)).Facts(anyLength).JSON(), &facts)
		if reported := facts.Fields["RESTARTS"].Max != nil; reported != (more == "none") {
			t.Errorf("%s: a maximum is told: %t", more, reported)
		}
	}
}

// TestResetForgetsFirstRows: after a table without a header the next response is shown as it would be without it.
func TestResetForgetsFirstRows(t *testing.T) {
	rows := linesOf("ann 12 red\nbob 13 blue\ncid 14 red\ndan 15 red\neve 1.5 red\nfay 0 red\ngus 7 blue")
	next := linesOf(strings.Repeat("level=info state=up took=7\nthe cat sat on a mat\n", 40))
	used, fresh := watched(rows), watched(next)
	if used.lines.settle(); used.lines.table.Rows != 7 {
		t.Fatalf("%d rows", used.lines.table.Rows)
	}
	used.Reset()
	for _, r := range next {
		used.Add(r)
	}
	for most := 60; most < 600; most += 10 {
		fits := atMost(most)
		if got, want := used.Facts(fits).JSON(), fresh.Facts(fits).JSON(); !bytes.Equal(got, want) {
			t.Fatalf("%s, not %s", got, want)
		}
	}
}

// TestRowsMovedByLongNumbers: names one blank apart are columns of their own where each row has a word for each,
// though a number that is too long moves all after it, as where vmstat prints a lot of memory.
func TestRowsMovedByLongNumbers(t *testing.T) {
	text := "procs -----memory----- ---cpu---\n r  b   free   buff  cs us sy id            UTC\n"
	for i := range 60 {
		text += fmt.Sprintf(" %d  0 23546092 %6d %3d %2d %2d %2d 2026-01-02 10:00:%02d\n", i%5, 19000+i, 500+i,
			10+i%30, i%9, 50-i%9, i)
	}
	facts := factsOf(t, watched(linesOf(text)))
	if facts.Rows != 60 || facts.Fields["us"].Max != "39" || facts.Fields["cs"].Min != "500" ||
		facts.Fields["UTC"].To != "2026-01-02 10:00:59" {
		t.Errorf("%d rows, %+v", facts.Rows, facts.Fields)
	}
}

// TestEscapedBars: a bar after a backslash parts no cells of a table in Markdown.
func TestEscapedBars(t *testing.T) {
	text := "| name | what | size |\n|---|---|---|\n"
	for i := range 60 {
		text += fmt.Sprintf("| n%d | a %s b | %d |\n", i, [...]string{"and", `\|`, `\| c \|`}[i%3], i)
	}
	facts := factsOf(t, watched(linesOf(text)))
	if facts.Rows != 60 || facts.Fields["size"].Max != "59" || facts.Fields["what"].Distinct != 3 &&
		len(facts.Fields["what"].Values) != 3 {
		t.Errorf("%d rows, %+v", facts.Rows, facts.Fields)
	}
}

// TestNamelessRowsThatEndInText: the words past the last column of a table without a header are of its cell, if the
// others have amounts.
func TestNamelessRowsThatEndInText(t *testing.T) {
	s := NewWholeSummary()
	for i := range 200 {
		name := fmt.Sprintf("pkg%d.Func%d", i%7, i)
		if i%9 == 8 {
			name = fmt.Sprintf("pkg.Of[struct { a%d int; b string }]", i)
		}
		s.Add(structure.Record{Seq: i + 1,
			Value:  fmt.Appendf(nil, "  %06x %10d %c %s", 0x4d0000+i*256, 90+i*7919%5000, "TTTDr"[i%5], name),
			IsText: true})
	}
	facts := string(s.Facts(anyLength).JSON())
	for _, want := range []string{`"rows":200`, `"$3":{"distinct":3,"values":{"T":120,"D":40,"r":40}}`} {
		if !strings.Contains(facts, want) {
			t.Errorf("no %s in\n%s", want, facts)
		}
	}
}

// TestLinesThatReadLikeRows: one line of many that reads like the row of a table, or like a record, makes none.
func TestLinesThatReadLikeRows(t *testing.T) {
	for rows, isTable := range map[int]bool{1: false, 2: false, 3: true} {
		var records []structure.Record
		for i := range 90 {
			line := fmt.Sprintf("\"worker-%d\" waiting on a monitor that another one has", i)
			if i%20 == 5 && i/20 < rows {
				line = fmt.Sprintf("list=%d, length=85, elements=%d, of=x", i, i)
			}
			records = append(records, structure.Record{Seq: i + 1, Value: []byte(line), IsText: true})
		}
		facts := string(watched(records).Facts(anyLength).JSON())
		if strings.Contains(facts, `"rows":`) != isTable || strings.Contains(facts, `"length":`) != isTable {
			t.Errorf("%d rows: %s", rows, facts)
		}
	}
}

// TestNamelessRowsThatEndInFew: where the last column has one of few words, a line with more of them is no row.
func TestNamelessRowsThatEndInFew(t *testing.T) {
	var records []structure.Record
	for i := range 200 {
		line := fmt.Sprintf("%d %d %s", 3+i*7919%990, i*31%97, []string{"alpha", "beta"}[i%2])
		if i == 120 {
			line = "17 99 problems found: no room in module x"
		}
		records = append(records, structure.Record{Seq: i + 1, Value: []byte(line), IsText: true})
	}
	if facts := string(watched(records).Facts(anyLength).JSON()); !strings.Contains(facts, `"rows":199,`) {
		t.Error(facts)
	}
}

// TestRulesBetweenRows: rows between which lines are drawn are all rows, and one that has a dash in each cell is one.
func TestRulesBetweenRows(t *testing.T) {
	text := "name    size  total\n-------------------\n"
	for i := range 12 {
		text += fmt.Sprintf("n%02d       %d      %d\n-------------------\n", i, i%10, i%10)
	}
	facts := factsOf(t, watched(linesOf(text+"-         -      -\nn99       4      4\n")))
	if facts.Rows != 14 || facts.Fields["name"].Distinct != 14 {
		t.Errorf("%+v", facts)
	}
	text = "+------+-----+\n| kind | n   |\n+------+-----+\n"
	for i := range 12 {
		text += fmt.Sprintf("| %-5s| %-4d|\n+------+-----+\n", []string{"used", "free", "open", "total"}[i%4], i)
	}
	if kinds := factsOf(t, watched(linesOf(text))).Fields["kind"].Values; kinds["total"] != 3 {
		t.Errorf("%+v", kinds)
	}
}

// TestTimesOfRows: where a time stands before each header it is no row, and a gap between two of them stands out.
func TestTimesOfRows(t *testing.T) {
	text := "host up 3 days\n\n"
	for i := range 60 {
		if i == 50 {
			continue // as if the tool had slept
		}
		at := time.Date(2026, 3, 9, 11, 58, 10*i, 0, time.UTC)
		text += at.Format("01/02/2006 03:04:05 PM") + "\nDevice            r/s     w/s  aqu-sz\n"
		for _, disk := range []string{"sda", "sdb", "nvme0n1"} {
			text += fmt.Sprintf("%-12s %8d %7d %7.2f\n", disk, i*7%50, i*11%90, float64(i%9)/10)
		}
		text += "\n"
	}
	s := watched(linesOf(text))
	if facts := factsOf(t, s); facts.Rows != 3*59 || facts.Fields["Device"].Distinct != 3 &&
		len(facts.Fields["Device"].Values) != 3 {
		t.Errorf("%s", s.Facts(anyLength).JSON())
	}
	rows := "host up\n\nat            r/s     w/s\n"
	for i := range 20 {
		rows += fmt.Sprintf("12:00:%02d %8d %7d\n", i, i*7%50, i*11%90)
	}
	if facts := string(watched(linesOf(rows)).Facts(anyLength).JSON()); !strings.Contains(facts, `"rows":20,`) {
		t.Errorf("rows that begin with a time: %s", facts)
	}
}

// TestExponents: a number with an exponent is one among those without, but not what may be an id.
func TestExponents(t *testing.T) {
	text := "id,cost,size\n"
	for i := range 30 {
		cost := fmt.Sprint(float64(i) / 2)
		if i%10 == 3 {
			cost = fmt.Sprintf("%de-06", i)
		}
		text += fmt.Sprintf("%de%02d,%s,%d\n", i, i, cost, i)
	}
	s := watched(linesOf(text))
	fields := factsOf(t, s).Fields
	if cost := fields["cost"]; cost.Max != "14.5" || bytes.Contains(s.Facts(anyLength).JSON(), []byte(`"types"`)) ||
		fields["id"].Mean != "" || fields["id"].Distinct != 30 {
		t.Errorf("%+v", fields)
	}
}

// TestNumberedNames: some columns may be called a letter and a number; where all are, they are values.
func TestNumberedNames(t *testing.T) {
	for header, want := range map[string]int{"#chrom\tpos\tqual\tS1": 30, "host,p50,p95,mean,count": 30,
		"a1,b2,c3,d4": 0} {
		separator := ","
		if strings.Contains(header, "\t") {
			separator = "\t"
		}
		text := "##format=1\n##made by hand\n" + header + "\n"
		for i := range 30 {
			cells := []string{fmt.Sprint("n", i%3), fmt.Sprint(i), fmt.Sprint(i * 7 % 40), fmt.Sprint(i % 4),
				fmt.Sprint(i * i)}
			text += strings.Join(cells[:len(strings.Split(header, separator))], separator) + "\n"
		}
		if facts := factsOf(t, watched(linesOf(text))); facts.Rows != want {
			t.Errorf("%q: %d rows, not %d", header, facts.Rows, want)
		}
	}
}

// TestTextsAfterRows: a text after a table is no row, wherever its words are.
func TestTextsAfterRows(t *testing.T) {
	for _, after := range []string{
		"uid=0(root) gid=0(root)", "see also pods elsewhere", "in the shed all others are dry",
		"all the beds are wet",
	} {
		for _, header := range []string{"Filesystem       1K-blocks     Used Available", "NAME    READY   STATUS",
			"BED        STATE   DAYS"} {
			rows := 30
			text := header + "\n"
			names := strings.Fields(header)
			for i := range rows {
				line := ""
				for _, name := range names {
					at := strings.Index(header, name)
					line += strings.Repeat(" ", max(0, at-len(line))) + fmt.Sprintf("x%d", i)
				}
				text += line + "\n"
			}
			if facts := factsOf(t, watched(linesOf(text+after+"\n"))); facts.Rows != rows {
				t.Errorf("%d rows of %d under %q before %q", facts.Rows, rows, header, after)
			}
		}
	}
}
