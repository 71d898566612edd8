package pipeline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// TestTail: where there is room the final frame has the last chunks as they are, none of which another frame shows,
// and none before one that can't be told as it is.
func TestTail(t *testing.T) {
	type response struct {
		name string
		line func(i int) string
		part int // number of the last line that is in no tail
	}
	long := func(i int) string {
		if i == 2700 {
			return strings.Repeat("a very long one ", 1000)
		}
		return fmt.Sprintf("line %d", i)
	}
	for _, r := range []response{
		{"lines", func(i int) string { return fmt.Sprintf("job %d took %d s in lane %c", i, i*7%90, 'a'+i%3) }, 0},
		{"records", func(i int) string { return fmt.Sprintf(`{"job":%d,"lane":"%c"}`, i, 'a'+i%3) }, 0},
		{"lines of kfw", func(i int) string { return fmt.Sprintf("kfw: chunk %d", i) }, 0},
		{"blank lines", func(i int) string { return strings.Repeat(" x", i%2) }, 0},
		{"a long line", long, 2701},
		{"an invalid one", func(i int) string { return "line \xff"[:6-min(1, (i+1)%2700)] }, 2700},
	} {
		count := 3000
		if r.name == "records" {
			count = 30_000 // a table of the first ones takes what is left of a shorter response
		}
		var lines []string
		for i := range count {
			lines = append(lines, r.line(i))
		}
		tails := 0
		for tokens := 300; tokens < 12_000; tokens += tokens / 4 {
			fw := new(memory).firewall(t, tokens)
			fw.MaxChunk = 4096
			var out bytes.Buffer
			if err := fw.Run(strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
				t.Fatal(err)
			}
			tail, shown := tailOf(out.String()), strings.Count(out.String(), `"mode":"raw"`)
			if len(tail) == 0 {
				continue
			}
			tails++
			from := count - len(tail)
			if len(tail) < 2 || from < max(shown, r.part) ||
				strings.Join(tail, "\n") != strings.Join(lines[from:], "\n") {
				t.Errorf("%s, %d tokens: %d chunks in the tail, %d raw\n%q", r.name, tokens, len(tail), shown, tail)
			}
		}
		if tails < 8 {
			t.Errorf("%s: %d tails", r.name, tails)
		}
	}
}

// tailOf returns the last chunks as they are told in the final frame.
func tailOf(out string) (tail []string) {
	for _, c := range gjson.Get(lastLine(out), "facts.tail").Array() {
		tail = append(tail, c.String())
	}
	return tail
}

// TestNoTailInSummaries: who asks for summaries gets nothing as it is.
func TestNoTailInSummaries(t *testing.T) {
	in := strings.Repeat("a line of many\n", 9000)
	for _, mode := range []string{"raw", "table", "summary", "handle_only"} {
		fw := new(memory).firewall(t, 4000)
		if err := fw.Budget.Mode.UnmarshalText([]byte(mode)); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := fw.Run(strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		if tail := tailOf(out.String()); (len(tail) > 0) != (mode == "raw") {
			t.Errorf("%s: %d chunks in the tail", mode, len(tail))
		}
	}
}

// TestTailIsNotShownTwice: what is shown as it is before the final frame is not in the tail, however short the
// response is and however slowly it comes.
func TestTailIsNotShownTwice(t *testing.T) {
	tails := 0
	for count := 60; count < 700; count += 40 {
		for tokens := 400; tokens < 2500; tokens += 300 {
			var in strings.Builder
			for i := range count {
				fmt.Fprintf(&in, "%d: %s\n", i, strings.Repeat("a b ", i*i%7))
			}
			for _, flushAfter := range []time.Duration{0, time.Nanosecond} {
				fw := new(memory).firewall(t, tokens)
				fw.FlushAfter = flushAfter
				var out bytes.Buffer
				if err := fw.Run(strings.NewReader(in.String()), &out); err != nil {
					t.Fatal(err)
				}
				tail := tailOf(out.String())
				for line := range strings.Lines(out.String()) {
					if data := gjson.Get(line, "data").Str; data != "" && slices.Contains(tail, data) {
						t.Fatalf("%d lines, %d tokens: %s is shown twice", count, tokens, line)
					}
				}
				tails += min(1, len(tail))
			}
		}
	}
	if tails < 20 {
		t.Errorf("%d tails", tails)
	}
}
