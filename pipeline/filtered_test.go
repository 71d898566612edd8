package pipeline

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/chunktest"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/redact"
)

// FuzzWhere: whatever the response and the filter, pages of any budget joined are what matches, in order, each once.
func FuzzWhere(f *testing.F) {
	filters := [][3]string{
		{"", "a=1", ""}, {"a,Items.#.n", "", ""}, {"", "", "é"}, {`a\.b.c d`, "a!=null", ""}, {"@this", "@this>1", ""},
		{"Items.#(n>0)#.tags", "Items.#.n~^1$", "a"}, {"#.#", "0.0>=", "\\"}, {"*", `?="x"`, "1"},
		{"a|b|#", "..#=1", ""},
		{`#(a!="b")`, `#[a>"\]"].c<1`, ""}, {"@path,a.{b,c}", "a.**>1", ""}, {"*.*,Items[**].n", "@key!=null", ""},
		{"@value", "level='info'", ""},
	}
	for i, seed := range testinput.Seeds {
		filter := filters[i%len(filters)]
		f.Add([]byte(seed), filter[0], filter[1], filter[2], uint16(i*7), uint8(i%4))
	}
	f.Fuzz(func(t *testing.T, data []byte, field, condition, text string, tokens uint16, limit uint8) {
		if len(data) > 1<<12 || len(field)+len(condition) > 1<<8 {
			return
		}
		var all []chunktest.Kept
		for _, c := range chunktest.Of(t, data, nil, redact.Auto, 1<<10, false) {
			if c.Seq > 0 {
				all = append(all, c)
			}
		}
		var fields, conditions []string
		if field != "" {
			fields = []string{field}
		}
		if condition != "" {
			conditions = []string{condition}
		}
		filter, err := filterOf(fields, conditions, []string{text}, testinput.PlainRules(t))
		if err != nil {
			return
		}
		filter.Before, filter.Behind = int(tokens%4), int(tokens%3)
		filter.Known(chunktest.Page(all, 0)) // an unknown path is no reason to panic later
		var want, got []int
		for c := range query.Where(chunktest.Page(all, 0), filter) {
			if c.Seq == 0 {
				continue
			}
			if want = append(want, c.Seq); field != "" && !gjson.ValidBytes(c.Source) {
				t.Fatalf("chunk %d became %q", c.Seq, c.Source)
			}
		}
		for offset, pages := 0, 0; pages == 0 || offset > 0; pages++ {
			fw := new(memory).firewall(t, 0)
			fw.Filtered, fw.Limit, fw.MaxChunk = true, int(limit), 1<<10
			fw.Budget.Tokens = fw.LeastPage() + int(tokens)*(pages+1)%1000
			var out bytes.Buffer
			filter.After = offset
			if err := fw.Page(query.Where(chunktest.Page(all, filter.ReadsFrom()), filter), nil, &out); err != nil {
				t.Fatal(err)
			}
			if spent := fw.Cost(out.Bytes()); spent > fw.Budget.Tokens {
				t.Fatalf("%d tokens of %d", spent, fw.Budget.Tokens)
			}
			shown := 0
			next := 0
			for line := range strings.Lines(out.String()) {
				frame := gjson.Parse(line)
				if next = int(frame.Get("next_offset").Int()); frame.Get("is_final").Bool() {
					break
				}
				shown++
				got = append(got, int(frame.Get("chunks.0").Int()))
			}
			if limit > 0 && shown > int(limit) {
				t.Fatalf("%d chunks, the limit is %d", shown, limit)
			}
			if next != 0 && (next <= offset || shown == 0) {
				t.Fatalf("from %d on: the next page starts at %d after %d chunks", offset, next, shown)
			}
			offset = next
		}
		if !slices.Equal(got, want) {
			t.Fatalf("pages have %v, what matches is %v", got, want)
		}
	})
}

// TestFilteredWithinBudget: in every mode, and as text too, a filtered page keeps to its budget, has its final frame,
// and says that there is more.
func TestFilteredWithinBudget(t *testing.T) {
	const two = `{"n":12,"even":true,"note":"kfw: of some length"}` + "\n" + `{"even":false}` + "\n"
	all := chunktest.Of(t, []byte(strings.Repeat(two, 60)), nil, redact.Auto, 0, false)
	for _, mode := range []budget.Mode{budget.Raw, budget.Table, budget.Summary, budget.HandleOnly} {
		for name, encoding := range map[string]encode.Encoding{"frames": encode.JSON{}, "text": encode.Text{}} {
			for more := 0; more < 150; more += testdepth.Step() {
				m := new(memory)
				fw := m.firewall(t, 0)
				fw.Filtered, fw.Limit, fw.Encoding, fw.MaxChunk = true, 1+more%50, encoding, 1<<10
				fw.Budget.Tokens, fw.Budget.Mode = fw.LeastPage()+7*more, mode
				filter, err := filterOf([]string{"n,note"}, []string{"even=true"}, nil, testinput.PlainRules(t))
				if err != nil {
					t.Fatal(err)
				}
				out := &tally{cost: fw.Cost}
				chunks := query.Where(chunktest.Page(all, 0), filter)
				if mode == budget.Raw {
					err = fw.Page(chunks, nil, out)
				} else {
					err = fw.Write(out, fw.Fit(chunks, redact.NewReader(strings.NewReader(""), fw.Rules, redact.Auto)))
				}
				end := regexp.MustCompile(`"handle":"h1",.*"next_offset":\d+,.*"is_final":true\}\n$`)
				if name == "text" {
					end = regexp.MustCompile(
						`(?m)^kfw: page: .*\nkfw: more: kfw expand h1 --offset \d+ and the same filters\n\z`)
					if mode > budget.Raw && !strings.HasPrefix(out.String(), "kfw: table of ") {
						end = regexp.MustCompile(
							`\Akfw: \d+ records?, \d+ B; more: kfw expand h1 --offset \d+ and the same filters\n`)
					}
				}
				if err != nil || out.spent > fw.Budget.Tokens || out.spent != m.spent || !end.Match(out.Bytes()) {
					t.Fatalf("%v, %s, limit %d, %d of %d tokens: %v\n%s", mode, name, fw.Limit, out.spent,
						fw.Budget.Tokens, err, out)
				}
			}
		}
	}
}
