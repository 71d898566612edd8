package pipeline

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
)

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

// TestRestIsNamed: a frame says where the rest is when lines are all that is told before it, and what is wrong in
// those that are left to the final frame is told by that.
func TestRestIsNamed(t *testing.T) {
	out, _ := filtered(t, []byte(strings.Repeat("a line of text\n", 3000)), 600, 0, encode.JSON{}, nil)
	if shown := strings.Count(out, `"mode":"raw"`); !strings.Contains(out,
		fmt.Sprintf(`"mode":"handle_only","chunks":[%d,3000]`, shown+1)) {
		t.Error(out)
	}
	for _, mode := range []budget.Mode{budget.Raw, budget.Summary} {
		fw := new(memory).firewall(t, 300)
		fw.Budget.Mode = mode
		var got bytes.Buffer
		if err := fw.Run(strings.NewReader(strings.Repeat("a word \xff\n", 400)), &got); err != nil {
			t.Fatal(err)
		}
		told := 0
		shown := strings.Count(got.String(), `"mode":"raw"`) // each with its own warning
		_, err := fmt.Sscanf(gjson.Get(lastLine(got.String()), "warnings.0").String(), "%d invalid UTF-8", &told)
		if err != nil || told < 400-shown || told > 400 {
			t.Errorf("%v: %d told, %v, of at least %d\n%s", mode, told, err, 400-shown, got.String())
		}
	}
}

// TestDeferredHeedsSession: nothing that was deferred is shown in a mode that the session does not allow any more
// when it is.
func TestDeferredHeedsSession(t *testing.T) {
	const tokens = 1000
	data := pathLines(rand.New(rand.NewPCG(4, 9)), 400)
	stricter := 0
	for sessionLeft := 500; sessionLeft < 2000; sessionLeft += 100 {
		fw := new(memory).firewall(t, tokens)
		fw.Budget.SessionLeft, fw.Budget.SessionTotal = sessionLeft, 2000
		var out bytes.Buffer
		if err := fw.Run(strings.NewReader(data), &out); err != nil {
			t.Fatal(err)
		}
		raws, spent := 0, 0
		for line := range strings.Lines(out.String()) {
			mode, err := budget.ParseMode(gjson.Get(line, "mode").String())
			if err != nil {
				t.Fatal(err)
			}
			allowed := budget.SessionPhase(sessionLeft-spent, 2000, budget.Raw)
			if mode < allowed {
				t.Errorf("%d left of the session: %v is allowed, not\n%s", sessionLeft-spent, allowed, line)
			}
			if mode == budget.Raw {
				raws++
			}
			if allowed > budget.Raw && raws > 0 {
				stricter++
			}
			spent += (len(line) + 3) / 4
		}
	}
	if stricter == 0 {
		t.Error("in no run did the session allow less while lines were shown")
	}
}

// TestDocumentsDeferred: of documents that hold records and do not fit every chunk is told, or named, once and in
// order; and more than half of the budget is used where the first ones are set aside to the end.
func TestDocumentsDeferred(t *testing.T) {
	for _, documents := range []int{2, 5, 16} {
		var data strings.Builder
		for d := range documents {
			var items []string
			for i := range 700 {
				items = append(items, fmt.Sprintf(`{"id":%d,"name":"n%d","state":%q,"note":"note number %d"}`,
					700*d+i, i, []string{"open", "shut"}[i%2], 7*i))
			}
			fmt.Fprintf(&data, `{"page":%d,"items":[%s]}`+"\n", d, strings.Join(items, ","))
		}
		for _, tokens := range []int{2000, 10_000, 15_000, 20_000, 25_000} {
			fw := new(memory).firewall(t, tokens)
			var out bytes.Buffer
			if err := fw.Run(strings.NewReader(data.String()), &out); err != nil {
				t.Fatal(err)
			}
			next, left := int64(1), int64(tokens)
			for line := range strings.Lines(out.String()) {
				if left = gjson.Get(line, "left").Int() - int64(len(line)/4); gjson.Get(line, "is_final").Bool() {
					break
				}
				chunks := gjson.Get(line, "chunks")
				if first := chunks.Get("0").Int(); gjson.Get(line, "mode").Str != "raw" && first != next {
					t.Errorf("%d documents, %d tokens: %d comes next, not %d", documents, tokens, next, first)
				}
				if next = chunks.Get("1").Int() + 1; !chunks.Exists() {
					next++
				}
			}
			isSetAside := data.Len()/4 < 64*tokens
			if isSetAside && data.Len()/4 > 2*tokens && 2*left > int64(tokens) {
				t.Errorf("%d documents: %d tokens of %d are left", documents, left, tokens)
			}
		}
	}
}
