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

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/chunktest"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/redact"
)

// partHint is what a page says of a chunk that does not fit.
var partHint = regexp.MustCompile(
	`chunk (\d+) does not fit: --budget (\d+) shows it whole(?:, --at ('(?:[^']|'\\'')+'|[^ "]+) its (\d+) elements)?`)

// TestPagesOfLargeChunks: pages of whatever budget go on to the end and name every chunk; of one
// that does not fit they name a budget that shows it whole, and a place that has as many elements
// as they say.
func TestPagesOfLargeChunks(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 8))
	responses := map[string]string{
		"document":         kindsOfResponses["document"](random, 90),
		"records":          kindsOfResponses["records"](random, 12),
		"log":              kindsOfResponses["log"](random, 12),
		"long strings":     kindsOfResponses["long strings"](random, 40),
		"deep":             kindsOfResponses["deep"](random, 80),
		"bytes":            kindsOfResponses["bytes"](random, 40),
		"kfw's own":        kindsOfResponses["kfw's own"](random, 12),
		"tree of maps":     shapesWithNames["tree of maps"](random, 300),
		"opened document":  shapesWithNames["opened document"](random, 130),
		"payload":          shapesWithNames["payload"](random, 60),
		"columns and rows": shapesWithNames["columns and rows"](random, 60),
		"odd names":        `{"a.b c":{"it's [1]":[` + strings.Repeat(`{"x":"y"},`, 90) + `{}]},"other":1}`,
	}
	tried := 0
	for _, counter := range []string{"chars", "o200k_base"} {
		for _, encoding := range []encode.Encoding{encode.JSON{}, encode.Text{}} {
			for _, kind := range slices.Sorted(maps.Keys(responses)) {
				if tried++; tried%testdepth.Step() > 0 {
					continue
				}
				data := responses[kind]
				t.Run(fmt.Sprintf("%s %T %s", counter, encoding, kind), func(t *testing.T) {
					t.Parallel()
					all := chunktest.Of(t, []byte(data), nil, redact.Auto, 0, false)
					all = slices.DeleteFunc(all, func(c chunktest.Kept) bool { return c.Seq == 0 })
					p := pages{t: t, all: all, encoding: encoding}
					var err error
					if p.counter, err = budget.NewCounter(counter); err != nil {
						t.Fatal(err)
					}
					least := p.least()
					budgets := []int{least, least + 13, least + 90, 2 * least, 5 * least}
					if len(all) > 100 {
						budgets = []int{4 * least, 9 * least}
					}
					for _, filtered := range []bool{false, true} {
						p.filtered = filtered
						for _, tokens := range budgets {
							p.follow(tokens)
						}
					}
				})
			}
		}
	}
}

// pages reads kept chunks page by page.
type pages struct {
	t        *testing.T
	all      []chunktest.Kept
	encoding encode.Encoding
	counter  budget.Counter
	filtered bool
}

func (p *pages) firewall(tokens int) *Firewall {
	fw := new(memory).firewall(p.t, tokens)
	fw.Encoding, fw.Counter, fw.Filtered = p.encoding, p.counter, p.filtered
	return fw
}

func (p *pages) least() int {
	p.filtered = true
	return p.firewall(0).LeastPage()
}

func (p *pages) page(offset, limit, tokens int) (out string, next int) {
	p.t.Helper()
	fw := p.firewall(tokens)
	fw.Limit = limit
	var b bytes.Buffer
	if err := fw.Page(chunktest.Page(p.all, offset), nil, &b); err != nil {
		p.t.Fatalf("%d tokens from %d on: %v", tokens, offset, err)
	}
	if spent := fw.Cost(b.Bytes()); spent > tokens {
		p.t.Fatalf("%d tokens of %d", spent, tokens)
	}
	out = b.String()
	if _, isText := p.encoding.(encode.Text); isText {
		if more := regexp.MustCompile(`(?m)^kfw: more: kfw expand h1 --offset (\d+)`).FindStringSubmatch(
			out); more != nil {
			next, _ = strconv.Atoi(more[1])
		}
		return out, next
	}
	for line := range strings.Lines(out) {
		next = max(next, int(gjson.Get(line, "next_offset").Int()))
	}
	return out, next
}

// follow reads all pages of a budget.
func (p *pages) follow(tokens int) {
	p.t.Helper()
	for offset := 0; ; {
		out, next := p.page(offset, 0, tokens)
		for _, hint := range partHint.FindAllStringSubmatch(unescapedIn(out), -1) {
			p.check(hint)
		}
		if next == 0 {
			if last := len(p.all); offset < last && !p.names(out, last) {
				p.t.Fatalf("%d tokens: the last page, from %d on, does not show chunk %d:\n%s", tokens, offset,
					last, out)
			}
			return
		}
		if next <= offset || next > len(p.all) {
			p.t.Fatalf("%d tokens: the page after %d begins after %d of %d", tokens, offset, next, len(p.all))
		}
		offset = next
	}
}

// names reports whether a page shows a chunk, or says that it does not.
func (p *pages) names(out string, seq int) bool {
	c := p.all[seq-1].Chunk()
	return strings.Contains(out, fmt.Sprintf("chunk %d", seq)) ||
		strings.Contains(out, fmt.Sprintf(`"chunks":[%d,%d]`, seq, seq)) || p.isWhole(out, c)
}

// isWhole reports whether a page shows all of a chunk.
func (p *pages) isWhole(out string, c Chunk) bool {
	want := string(c.Content())
	if _, isText := p.encoding.(encode.Text); isText {
		if !p.filtered {
			want, _ = verbatim(string(c.Source))
		}
		return strings.Contains(out, want) || !strings.Contains(out, "does not fit") &&
			!strings.Contains(out, "not shown")
	}
	for line := range strings.Lines(out) {
		if data := gjson.Get(line, "data"); data.Exists() && gjson.Get(line, "mode").Str == "raw" {
			return true
		}
	}
	return false
}

func verbatim(source string) (string, bool) {
	out, ends := encode.AppendVerbatim(nil, []byte(source), true)
	return string(out), ends
}

// check holds a hint to what it says.
func (p *pages) check(hint []string) {
	p.t.Helper()
	seq, _ := strconv.Atoi(hint[1])
	tokens, _ := strconv.Atoi(hint[2])
	out, _ := p.page(seq-1, 0, tokens)
	if strings.Contains(out, fmt.Sprintf("chunk %d does not fit", seq)) || !p.isWhole(out, p.all[seq-1].Chunk()) {
		p.t.Fatalf("%s: it does not\n%.600s", hint[0], out)
	}
	if hint[3] == "" {
		return
	}
	path := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(hint[3], "'"), "'"), `'\''`, "'")
	place, err := query.ParsePlace(path, testinput.PlainRules(p.t))
	if err != nil {
		p.t.Fatalf("%s: %v", hint[0], err)
	}
	count := 0
	for c := range query.Elements(chunktest.Page(p.all, 0), place) {
		if c.Seq > 0 {
			count++
		}
	}
	if fmt.Sprint(count) != hint[4] {
		p.t.Fatalf("%s: there are %d", hint[0], count)
	}
}

// unescapedIn returns what strings of frames have as they were before they were written as JSON.
func unescapedIn(out string) string {
	if !strings.HasPrefix(out, "{\"seq\"") {
		return out
	}
	var all []string
	for line := range strings.Lines(out) {
		for _, w := range gjson.Get(line, "warnings").Array() {
			all = append(all, w.Str)
		}
	}
	return strings.Join(all, "\n")
}

// TestPagesAsTextMissNothing: whatever the budget, pages as text joined have every chunk once, whole or in part.
func TestPagesAsTextMissNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 38))
	said := regexp.MustCompile(`(?m)^kfw: (?:end|page): (\d+) chunks?,`)
	next := regexp.MustCompile(`(?m)^kfw: more: kfw expand h1.* --offset (\d+)$`)
	for range 40 {
		var data strings.Builder
		for range 1 + random.IntN(12) {
			data.WriteString(strings.Repeat(string(rune('a'+random.IntN(26))), random.IntN(900)) + "\n")
		}
		all := chunktest.Of(t, []byte(data.String()), nil, redact.Auto, 0, false)
		fw := new(memory).firewall(t, 0)
		fw.Encoding, fw.Limit = encode.Text{}, random.IntN(3)
		fw.Budget.Tokens = fw.LeastPage() + random.IntN(300)
		shown, offset := 0, 0
		for shown < len(all) {
			var out bytes.Buffer
			if err := fw.Page(chunktest.Page(all, offset), nil, &out); err != nil {
				t.Fatal(err)
			}
			if spent := fw.Cost(out.Bytes()); spent > fw.Budget.Tokens {
				t.Fatalf("%d tokens of %d", spent, fw.Budget.Tokens)
			}
			more := next.FindStringSubmatch(out.String())
			if more == nil {
				break
			}
			n, err := strconv.Atoi(said.FindStringSubmatch(out.String())[1])
			if shown += n; err != nil || more[1] != strconv.Itoa(shown) {
				t.Fatalf("%d tokens, after chunk %d: %d chunks, and the next page begins after %s\n%s",
					fw.Budget.Tokens, offset, n, more[1], &out)
			}
			offset = shown
		}
	}
}
