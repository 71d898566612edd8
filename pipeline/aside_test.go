package pipeline

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
)

// pathLines returns so many lines of which there is not much to tell.
func pathLines(random *rand.Rand, count int) string {
	var text strings.Builder
	for i := range count {
		fmt.Fprintf(&text, "./%s/%s_%d.go\n", []string{"cmd", "pipeline", "redact"}[i*3/count], strings.Repeat("x", random.IntN(12)), i)
	}
	return text.String()
}

// TestNothingIsLeftOver: what the summary of a response does not take is spent on lines as they are, or on a table of records.
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
				for _, encoding := range []encode.Encoding{encode.AppendFrame, encode.AppendText} {
					out, spent := filtered(t, []byte(data), tokens, 0, encoding, nil)
					isCut := strings.Contains(out, "kfw expand") || leavesOut(out)
					if left := tokens - spent; isCut && left > 30+tokens/20 {
						t.Errorf("%d times %d tokens: %d are left over:\n%s", int(times), tokens, left, out)
					}
				}
			}
		}
	}
}

// TestBeginningAndEnd: of a response that all but fits, the beginning and the end are shown as they are, and it is said what is not.
func TestBeginningAndEnd(t *testing.T) {
	const tokens = 2000
	data := pathLines(rand.New(rand.NewPCG(2, 9)), 450)
	out, _ := filtered(t, []byte(data), tokens, 0, encode.AppendText, nil)
	if whole, _ := filtered(t, []byte(data), 3*tokens, 0, encode.AppendText, nil); strings.Contains(whole, "not shown") {
		t.Fatal(whole)
	}
	first, rest, hasGap := strings.Cut(out, "kfw: chunks ")
	var from, to int
	if _, err := fmt.Sscanf(rest, "%d to %d are not shown\n", &from, &to); !hasGap || err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.SplitAfter(data, "\n")
	if first != strings.Join(lines[:from-1], "") || !strings.Contains(rest, "\n"+strings.Join(lines[to:], "")+"kfw: summary of all 450 chunks\n") {
		t.Error(out)
	}
	if shown := 450 - (to - from + 1); shown < 225 {
		t.Errorf("%d lines of 450 are shown", shown)
	}
}

// TestRestIsNamed: a frame says where the rest is when lines are all that is told before it, and what is wrong in those that are left to
// the final frame is told by that.
func TestRestIsNamed(t *testing.T) {
	out, _ := filtered(t, []byte(strings.Repeat("a line of text\n", 3000)), 600, 0, encode.AppendFrame, nil)
	if shown := strings.Count(out, `"mode":"raw"`); !strings.Contains(out, fmt.Sprintf(`"mode":"handle_only","chunks":[%d,3000]`, shown+1)) {
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

// TestAsideWaits: what is set aside is written while the input is silent, and of a response that is too long before it ends.
func TestAsideWaits(t *testing.T) {
	for _, count := range []int{300, 1000, 60_000} {
		fw := new(memory).firewall(t, 2000)
		switch fw.FlushAfter = 200 * time.Millisecond; count { // longer than a machine at work may pause
		case 1000:
			fw.FlushAfter = time.Second // more than it takes to read them
		case 60_000:
			fw.FlushAfter = time.Hour
		}
		in, feed := io.Pipe()
		frames, out := io.Pipe()
		go func() { out.CloseWithError(fw.Run(ReadAhead(in, time.Millisecond), out)) }()
		go io.WriteString(feed, pathLines(rand.New(rand.NewPCG(3, 9)), count))
		var got bytes.Buffer
		for buf := make([]byte, 4096); !strings.Contains(got.String(), `"mode":"table"`); { // the input stays open
			n, err := frames.Read(buf)
			if got.Write(buf[:n]); err != nil {
				t.Fatal(err)
			}
		}
		go func() {
			io.WriteString(feed, "the last line\n")
			feed.Close()
		}()
		rest, err := io.ReadAll(frames)
		got.Write(rest)
		var modes []string
		next := int64(1)
		for line := range strings.Lines(got.String()) {
			if chunks := gjson.Get(line, "chunks"); gjson.Get(line, "mode").String() == "raw" {
				next++
			} else if first := chunks.Get("0").Int(); first != next && !gjson.Get(line, "is_final").Bool() {
				t.Errorf("%d lines: %d comes next, not\n%s", count, next, line)
			} else {
				next = chunks.Get("1").Int() + 1
			}
			if mode := gjson.Get(line, "mode").String(); !gjson.Get(line, "is_final").Bool() && !slices.Contains(modes, mode) {
				modes = append(modes, mode)
			}
		}
		want := "[raw table summary handle_only]"
		if count < 1000 {
			want = "[raw table]" // and what came last is told by the final frame
		}
		if err != nil || fmt.Sprint(modes) != want || !strings.Contains(got.String(), `"is_final":true`) {
			t.Errorf("%d lines: %v, %v", count, modes, err)
		}
	}
}

// TestAsideHeedsSession: nothing of what was set aside is told in a mode that the session does not allow any more when it is.
func TestAsideHeedsSession(t *testing.T) {
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
		raws := 0
		for line := range strings.Lines(out.String()) {
			mode, err := budget.ParseMode(gjson.Get(line, "mode").String())
			if err != nil {
				t.Fatal(err)
			}
			spent := tokens - int(gjson.Get(line, "left").Int())
			allowed := budget.SessionPhase(sessionLeft-spent, 2000, budget.Raw)
			if mode < allowed && !gjson.Get(line, "is_final").Bool() {
				t.Errorf("%d left of the session: %v is allowed, not\n%s", sessionLeft-spent, allowed, line)
			}
			if mode == budget.Raw {
				raws++
			}
			if allowed > budget.Raw && raws > 0 {
				stricter++
			}
		}
	}
	if stricter == 0 {
		t.Error("in no run did the session allow less while lines were shown")
	}
}

// TestDocumentsAside: of documents that hold records and do not fit every chunk is told, or named, once and in order; and more than half
// of the budget is used where the first ones are set aside to the end.
func TestDocumentsAside(t *testing.T) {
	for _, documents := range []int{2, 5, 16} {
		var data strings.Builder
		for d := range documents {
			var items []string
			for i := range 700 {
				items = append(items, fmt.Sprintf(`{"id":%d,"name":"n%d","state":%q,"note":"note number %d"}`, 700*d+i, i, []string{"open", "shut"}[i%2], 7*i))
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
