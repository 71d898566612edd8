package pipeline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/summarize"
)

// summaryOf returns the summary of a response in chunks of at most so many bytes.
func summaryOf(t *testing.T, data string, maxChunk int) *summarize.Summary {
	t.Helper()
	s := summarize.NewWholeSummary()
	redacted := redact.NewReader(strings.NewReader(data), testinput.PlainRules(t), redact.Auto)
	for c, err := range split.Chunks(redacted, maxChunk, false, false) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Seq > 0 {
			s.Add(structure.Record{Seq: c.Seq, Top: c.Top, Path: c.Path, Value: c.Content(),
				IsText: c.Kind == split.Text || c.Kind == split.TextPart, GoesOn: c.GoesOn()})
		}
	}
	return s
}

// factsOf returns all facts of a response.
func factsOf(t *testing.T, data string, maxChunk int) gjson.Result {
	t.Helper()
	return gjson.ParseBytes(summaryOf(t, data, maxChunk).Facts(func(*facts.Tree) bool { return true }).JSON())
}

// TestOpenedRecordsAreRecords: some records of many being too large for a chunk does not change what is told of their
// fields, in lines and in an array.
func TestOpenedRecordsAreRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 6))
	compared := 0
	for round := range 40 {
		var records []string
		for i := range 100 + random.IntN(100) {
			body := fmt.Sprint("short", random.IntN(3))
			if random.IntN(30) == 0 || i == 0 && round%4 > 1 || i < 5 && round%8 > 5 {
				body = fmt.Sprint(i) + strings.Repeat("x", 300+random.IntN(900))
			}
			state := []string{"open", "closed"}[random.IntN(2)]
			records = append(records,
				fmt.Sprintf(`{"id":%d,"by":{"login":"u%d"},"body":%q,"state":%q}`, i, random.IntN(4), body, state))
		}
		data := strings.Join(records, "\n")
		if round%2 == 0 {
			data = "[" + strings.Join(records, ",") + "]"
		}
		of := func(maxChunk int) gjson.Result {
			out, _ := filtered(t, []byte(data), 1500, maxChunk, encode.JSON{}, nil)
			return gjson.Get(out, "sections.0.facts")
		}
		opened, whole := of(200), of(5000)
		for _, field := range []string{"id.in", "id.mean", `by\.login.in`, `by\.login.values`, "state.in",
			"state.values", "body.in", "body.distinct"} {
			if got, want := opened.Get("fields."+field).Raw, whole.Get("fields."+field).Raw; got != want &&
				(got != "" && want != "" || strings.HasSuffix(field, ".in")) {
				t.Fatalf("round %d: of %s\n%s\nis told, not\n%s", round, field, got, want)
			} else if got != "" {
				compared++
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d facts were compared", compared)
	}
}

// TestOpenedPages: of records that are opened one after another, each with one member beside a list, none is missed.
func TestOpenedPages(t *testing.T) {
	var data strings.Builder
	for page := range 6 {
		items := make([]string, 2+min(page, 1)*100)
		for i := range items {
			items[i] = fmt.Sprintf(`{"i":%d,"of":"item %d"}`, i, page)
		}
		fmt.Fprintf(&data, `{"items":[%s],"page":%d}`+"\n", strings.Join(items, ","), page)
	}
	if shown := factsOf(t, data.String(), 1000); shown.Get("around.page.distinct").Int() != 6 {
		t.Error(shown)
	}
}

// TestAroundIsOfTheRows: what a table says is around its rows is of the document that they are in, where one document
// follows another.
func TestAroundIsOfTheRows(t *testing.T) {
	tables := 0
	for _, documents := range []int{1, 4} {
		var data strings.Builder
		for page := range documents {
			fmt.Fprintf(&data, `{"page":%d,"items":[`, page)
			for i := range 60 {
				fmt.Fprintf(&data, `{"id":%d,"of":"item %d"},`, page*1000+i, i)
			}
			fmt.Fprintf(&data, `{"id":%d,"of":"the last"}],"end":%d}`+"\n", page*1000+999, page)
		}
		for tokens := 500; tokens <= 4000; tokens += 100 {
			for line := range strings.Lines(live(t, data.String(), tokens, 1024)) {
				around := gjson.Get(line, `columns.#.\@around|0`)
				if !around.Exists() {
					continue
				}
				tables++
				gjson.Get(line, "rows.#.0").ForEach(func(_, id gjson.Result) bool {
					around.ForEach(func(name, page gjson.Result) bool {
						if page.Int() != id.Int()/1000 {
							t.Errorf("of %d tokens: %s of page %d is around item %d", tokens, name, page.Int(),
								id.Int())
						}
						return true
					})
					return !t.Failed()
				})
			}
		}
	}
	if tables == 0 {
		t.Error("no table says what is around its rows")
	}
}

// TestTrees: where elements of an array have an array of the same name, all of them are records of one place, however
// deep they are and whichever came in parts.
func TestTrees(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 2))
	compared := 0
	for round := range 60 {
		nodes := map[string]int{}
		var tree func(depth int) string
		tree = func(depth int) string {
			kind := []string{"scan", "sort", "join", "hash"}[random.IntN(4)]
			nodes[kind]++
			node := fmt.Sprintf(`"kind":%q,"cost":%d,"name":"n%d","note":%q`, kind, random.IntN(90),
				random.IntN(900), strings.Repeat("x", random.IntN(300)))
			if depth > 0 {
				var kids []string
				for range random.IntN(4) {
					kids = append(kids, tree(depth-1))
				}
				node += `,"kids":[` + strings.Join(kids, ",") + "]"
			}
			return "{" + node + "}"
		}
		data := `{"version":1,"kids":[` + tree(4) + "," + tree(6) + "," + tree(3) + "]}"
		all := 0
		for _, n := range nodes {
			all += n
		}
		for _, maxChunk := range []int{300, 2000, 60000} {
			facts := factsOf(t, data, maxChunk)
			if facts.Get("at").Str != "kids[**]" || all < 40 {
				continue
			}
			compared++
			if n := facts.Get("records").Int(); n != int64(all) {
				t.Errorf("round %d, chunks of %d: %d records, not %d", round, maxChunk, n, all)
			}
			for kind, n := range nodes {
				if shown := facts.Get("fields.kind.values." + kind).Int(); shown != int64(n) {
					t.Errorf("round %d, chunks of %d: %d of kind %s, not %d", round, maxChunk, shown, kind, n)
				}
			}
		}
	}
	if compared < 50 {
		t.Errorf("only %d were compared", compared)
	}
}
