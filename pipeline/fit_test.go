package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
)

// memory is a handle and a ledger that remember what they were given.
type memory struct {
	kept  []byte
	named int // how much was kept when it was named last
	spent int
	full  error // the handle can't be named
}

func (m *memory) Keep(lead, source, _ []byte, _ uint8) error {
	m.kept = append(append(m.kept, lead...), source...)
	return nil
}

func (m *memory) Tail(b []byte) error { m.kept = append(m.kept, b...); return nil }

func (m *memory) Name() (string, error) { m.named = len(m.kept); return "h1", m.full }

func (m *memory) Spend(tokens int) error { m.spent += tokens; return nil }

func (m *memory) Last(tokens int) error { return m.Spend(tokens) }

// tally is an output that counts what is written, each write by itself, as the ledger learns of it.
type tally struct {
	bytes.Buffer
	cost  func([]byte) int
	spent int
}

func (w *tally) Write(b []byte) (int, error) {
	w.spent += w.cost(b)
	return w.Buffer.Write(b)
}

func (m *memory) firewall(t testing.TB, tokens int) *Firewall {
	fw := m.firewallWithoutRules(t, tokens)
	fw.Rules = testinput.PlainRules(t)
	return fw
}

// firewallWithoutRules is one that reads what has been redacted.
func (m *memory) firewallWithoutRules(t testing.TB, tokens int) *Firewall {
	counter, err := budget.NewCounter("chars")
	if err != nil {
		t.Fatal(err)
	}
	return &Firewall{
		Options: fit.Options{
			Plan:   fit.Digest,
			Budget: fit.Budget{Tokens: tokens}, Counter: counter, Encoding: encode.JSON{}, FlushAfter: time.Hour,
			Explain: func(err error) encode.Failure {
				return encode.Failure{Code: "failed", Message: err.Error(),
					Exit: 125}
			},
		},
		Handle: m, Ledger: m,
	}
}

// FuzzFit: whatever comes in, the promises hold: never over budget, numbered frames, one final one, nothing silent.
func FuzzFit(f *testing.F) {
	for i, seed := range testinput.Seeds {
		f.Add([]byte(seed), uint16(i*13), uint8(i%8), []byte{byte(i)})
		f.Add([]byte(seed), uint16(i*13), uint8(16+i%8), []byte{byte(i)})
	}
	f.Add([]byte(strings.Repeat("{\"id\":1,\"status\":\"ok\",\"list\":[1,2]}\n", 200)), uint16(300), uint8(0),
		[]byte{200})
	f.Add([]byte(strings.Repeat("{\"id\":1,\"status\":\"ok\",\"list\":[1,2]}\n", 2000)), uint16(300), uint8(0),
		[]byte{200})
	f.Add([]byte(strings.Repeat("a line of a log that goes on\n", 200)), uint16(500), uint8(4), []byte{200})
	f.Add([]byte(testinput.Surrogates()), uint16(60_000), uint8(0), []byte{200})
	f.Add([]byte(strings.Repeat("{\"id\":1,\"status\":\"ok\",\"list\":[1,2]}\n", 200)), uint16(500), uint8(8),
		[]byte{200})
	f.Add([]byte(strings.Repeat("a line of a log that goes on\n", 200)), uint16(900), uint8(12), []byte{200})
	const line = "a line of a log that goes on\n"
	odd := strings.Repeat(line, 44) + "a line of a log thaon\na lion\n" + strings.Repeat(line, 15) +
		"a line of a log that goes t goes ne of a log that goes on\n"
	f.Add([]byte(odd+strings.Repeat(line, 32)+"a "), uint16(500), uint8(4), []byte{200})
	exact, err := budget.NewCounter("o200k_base")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, tokens uint16, options uint8, sizes []byte) {
		outputs := make([]string, 0, 2)
		for _, cut := range [][]byte{nil, sizes} {
			m := new(memory)
			fw := m.firewall(t, int(tokens))
			fw.Budget.Mode = budget.Mode(options % 4)
			fw.MaxChunk = 256
			if options&4 != 0 {
				fw.Encoding = encode.Text{}
			}
			if options&16 != 0 {
				fw.Plan = fit.Live
			}
			if options&8 != 0 {
				fw.Counter, fw.Estimate = budget.Scaled(exact, 1.2), true
			}
			fw.Budget.Tokens += fw.Least()
			out := &tally{cost: fw.Cost}
			if err := fw.Run(&testinput.Pieces{Data: data, Sizes: cut}, out); err != nil {
				t.Fatal(err)
			}
			if out.spent > fw.Budget.Tokens || out.spent != m.spent {
				t.Fatalf("%d tokens written, %d on the ledger, %d in the budget", out.spent, m.spent, fw.Budget.Tokens)
			}
			if !bytes.Equal(m.kept, data) {
				t.Fatal("the handle does not hold the response")
			}
			if options&12 == 0 { // it counts by characters
				if problem := brokenPromise(out.String(), data, fw.Budget.Tokens); problem != "" {
					t.Fatalf("%s\n%s", problem, out.String())
				}
			}
			if m.named > 0 && m.named != len(m.kept) {
				t.Fatal("the final frame names a handle that does not hold all of the response")
			}
			outputs = append(outputs, out.String())
		}
		if outputs[0] != outputs[1] {
			t.Fatalf("cut:\n%s\nwhole:\n%s", outputs[1], outputs[0])
		}
	})
}

// countingCounter counts what it is asked.
type countingCounter struct {
	budget.Counter
	asked map[string]int
}

func (c *countingCounter) Count(line []byte) int {
	c.asked[string(line)]++
	return c.Counter.Count(line)
}

// A frame is counted once, when it is written; before that, its length tells as long as it can.
func TestFitCountsOnce(t *testing.T) {
	exact, err := budget.NewCounter("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		tokens, chunks int
		others         bool // there are counts of what is not written
	}{{20_000, 20, false}, {4000, 2000, true}} {
		m := new(memory)
		fw := m.firewall(t, test.tokens)
		asked := map[string]int{}
		fw.Counter = &countingCounter{exact, asked}
		var in, out bytes.Buffer
		for i := range test.chunks {
			fmt.Fprintf(&in, "{\"id\":%d,\"status\":\"ok\",\"list\":[1,2]}\n", i)
		}
		if err := fw.Run(&in, &out); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			if n := asked[string(line)]; n != 1 {
				t.Errorf("%d chunks: a frame was counted %d times: %s", test.chunks, n, line)
			}
			delete(asked, string(line))
		}
		// Least counts one of its own, and the final frame is measured before the others.
		if others := len(asked) > 3; others != test.others {
			t.Errorf("%d chunks: %d counts of what was not written", test.chunks, len(asked))
		}
	}
}

// brokenPromise says what is wrong with an output of frames.
func brokenPromise(out string, data []byte, tokens int) string {
	lines := strings.SplitAfter(out, "\n")
	lines = lines[:len(lines)-1]
	spent, covered, before := 0, 0, ""
	for i, line := range lines {
		f := gjson.Parse(line)
		shown := f.Get("mode").String()
		final := f.Get("is_final").Bool()
		switch {
		case !json.Valid([]byte(line)):
			return fmt.Sprintf("frame %d is not JSON", i+1)
		case int(f.Get("seq").Int()) != i+1:
			return fmt.Sprintf("frame %d is numbered %s", i+1, f.Get("seq").Raw)
		case (final || shown != before || f.Get("left").Exists()) && int(f.Get("left").Int()) != tokens-spent:
			return fmt.Sprintf("frame %d says left %s, is %d", i+1, f.Get("left").Raw, tokens-spent)
		case final != (i == len(lines)-1):
			return fmt.Sprintf("frame %d of %d: final %v", i+1, len(lines), final)
		case !final && shown != "raw" && !f.Get("chunks").Exists():
			return fmt.Sprintf("frame %d names no chunks", i+1)
		case f.Get("omitted").Exists() && !f.Get("handle").Exists():
			return fmt.Sprintf("frame %d leaves something out and names no handle", i+1)
		case !final && (shown == "summary" || shown == "handle_only") && !f.Get("handle").Exists():
			return fmt.Sprintf("frame %d names no handle", i+1)
		}
		if !final {
			first, last := covered+1, covered+1
			if shown != "raw" {
				first, last = int(f.Get("chunks.0").Int()), int(f.Get("chunks.1").Int())
			}
			if first != covered+1 || last < first {
				return fmt.Sprintf("frame %d speaks for %d to %d after %d", i+1, first, last, covered)
			}
			covered = last
		} else if chunks := int(f.Get("totals.chunks").Int()); covered != chunks &&
			(!f.Get("handle").Exists() || int(f.Get("chunks.1").Int()) != chunks) {
			return fmt.Sprintf("%d of %d chunks were shown, and the final frame does not say so", covered, chunks)
		}
		if final && int(f.Get("totals.bytes").Int()) != len(data) {
			return "wrong totals"
		}
		before = shown
		spent += (len([]rune(line)) + 3) / 4
	}
	return ""
}

// TestWhole: a response that fits is sent whole, whatever phases it goes through.
func TestWhole(t *testing.T) {
	for rows := 1; rows < 120; rows++ {
		var in strings.Builder
		for i := range rows {
			fmt.Fprintf(&in, "{\"id\":%d,\"status\":\"ok\"}\n", i)
		}
		m := new(memory)
		fw := m.firewall(t, 1<<20)
		var out bytes.Buffer
		if err := fw.Run(strings.NewReader(in.String()), &out); err != nil {
			t.Fatal(err)
		}
		// Now with just enough, and room for what the smallest final frame might have needed.
		last := bytes.LastIndexByte(bytes.TrimSpace(out.Bytes()), '\n') + 1
		need := fw.Cost(out.Bytes()[:last]) + fw.Least()
		fw = m.firewall(t, need)
		out.Reset()
		if err := fw.Run(strings.NewReader(in.String()), &out); err != nil {
			t.Fatal(err)
		}
		if shown := strings.Count(out.String(), `"mode":"raw","data"`); shown != rows {
			t.Errorf("%d of %d rows raw on %d tokens", shown, rows, need)
		}
		if m.named != 0 {
			t.Errorf("%d rows fit, and have a handle", rows)
		}
	}
}

// TestEscalation: a long response goes through all modes, in order.
func TestEscalation(t *testing.T) {
	for name, line := range map[string]func(i int) string{
		"records": func(int) string { return `{"id":17,"status":"ok","note":"nothing to see"}` },
		"lines": func(i int) string {
			return fmt.Sprintf("10:%02d:%02d INFO worker-%d: took %d jobs of lane %c from host%d.example.org",
				i/60%60, i%60, i%7, i*37%90, 'a'+i*i%17, i*i%211)
		},
		"lines of many forms": func(i int) string {
			return fmt.Sprintf("%s the %d of %s",
				[...]string{"begin", "end", "no more", "error: lost", "again", "what of"}[i*i%6], i,
				strings.Repeat("it ", i*7%13))
		},
	} {
		for _, tokens := range []int{2000, 4000, 20000} {
			var in strings.Builder
			for i := 0; in.Len() < 230*tokens; i++ {
				in.WriteString(line(i) + "\n")
			}
			out := live(t, in.String(), tokens, 0)
			strictest, seen := budget.Raw, map[budget.Mode]bool{}
			for line := range strings.Lines(out) {
				f := gjson.Parse(line)
				if f.Get("is_final").Bool() {
					continue
				}
				mode, err := budget.ParseMode(f.Get("mode").String())
				if err != nil || mode < strictest {
					t.Errorf("%s, %d tokens: %v after %v", name, tokens, mode, strictest)
				}
				strictest, seen[mode] = mode, true
			}
			if len(seen) != 4 {
				t.Errorf("%s, %d tokens: modes %v", name, tokens, seen)
			}
		}
	}
}

// TestWindowIsSummedUp: a window that is shown by a summary is summed up from its first chunk to its last, in order.
func TestWindowIsSummedUp(t *testing.T) {
	const tokens = 6000
	for _, note := range []int{1, 2000, 60_000} {
		var in strings.Builder
		for i := 0; in.Len() < 60*tokens; i++ {
			fmt.Fprintf(&in, "%s lot %d: %s\n", [...]string{"an even", "one odd"}[i%2], i, strings.Repeat("y", note))
		}
		out := live(t, in.String(), tokens, 0)
		summaries := 0
		for line := range strings.Lines(out) {
			f := gjson.Parse(line)
			if f.Get("is_final").Bool() || f.Get("mode").String() != "summary" {
				continue
			}
			summaries++
			first, last, lines := f.Get("chunks.0").Int(), f.Get("chunks.1").Int(), int64(0)
			for _, form := range f.Get("facts.templates").Array() {
				lines += form.Get("n").Int()
				if from := form.Get("first").Int(); from-first > 1 || from < first {
					t.Errorf("%d bytes each: from %d on, not %d: %s", note, from, first, form)
				}
				if to := form.Get("last"); to.Exists() && (last-to.Int() > 1 || to.Int() > last) {
					t.Errorf("%d bytes each: to %d, not %d: %s", note, to.Int(), last, form)
				}
			}
			if lines != last-first+1 {
				t.Errorf("%d bytes each: %d lines from %d to %d: %s", note, lines, first, last, line)
			}
		}
		if summaries == 0 {
			t.Errorf("%d bytes each: no window is told by a summary\n%s", note, out)
		}
	}
}

// TestFinalTellsFailure: the response's failure is shown in the final frame, and returned.
func TestFinalTellsFailure(t *testing.T) {
	failed := errors.New("it broke")
	var out bytes.Buffer
	err := new(memory).firewall(t, 4000).Run(&testinput.Pieces{Data: []byte("{\"a\":1}\n"), Err: failed}, &out)
	if !errors.Is(err, failed) ||
		!strings.Contains(out.String(), `"error":{"code":"failed","message":"it broke","exit":125}`) {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestHandleFails: when what is left out can't be kept, nothing claims that it was, and the final
// frame says why. A page has what there is room for.
func TestHandleFails(t *testing.T) {
	for _, encoding := range []encode.Encoding{encode.JSON{}, encode.Text{}} {
		m := &memory{full: errors.New("disk full")}
		fw := m.firewall(t, 400)
		fw.Encoding = encoding
		out := &tally{cost: fw.Cost}
		err := fw.Run(strings.NewReader(strings.Repeat("a line of text\n", 500)), out)
		says := `"message":"disk full"`
		if encoding.IsVerbatim() {
			says = "kfw: 500 lines, 7.5 kB; not whole: failed (exit 125): disk full\n"
		}
		if !errors.Is(err, m.full) || strings.Contains(out.String(), `"handle":`) ||
			strings.Contains(out.String(), "h1") || !strings.Contains(out.String(), says) || out.spent != m.spent {
			t.Errorf("%v\n%s", err, out.String())
		}
		if encoding.IsVerbatim() && (out.spent < 360 || out.spent > 400) {
			t.Errorf("the page costs %d tokens", out.spent)
		}
	}
}

// TestLedgerFirst: a frame that the ledger refuses is not written.
func TestLedgerFirst(t *testing.T) {
	for _, encoding := range []encode.Encoding{encode.JSON{}, encode.Text{}} {
		for _, data := range []string{"{}", strings.Repeat("a line of text\n", 500)} {
			fw := new(memory).firewall(t, 400)
			fw.Ledger, fw.Encoding = refusing{}, encoding
			var out bytes.Buffer
			if err := fw.Run(strings.NewReader(data), &out); err == nil || out.Len() > 0 {
				t.Errorf("%v, %d bytes", err, out.Len())
			}
		}
	}
}

type refusing struct{}

func (refusing) Spend(int) error { return errors.New("no") }
func (refusing) Last(int) error  { return errors.New("no") }

// TestLedgerFails: the final frame, for which tokens were set aside, takes the place of a frame that the ledger
// refuses.
func TestLedgerFails(t *testing.T) {
	for _, encoding := range []encode.Encoding{encode.JSON{}, encode.Text{}} {
		m := new(memory)
		fw := m.firewall(t, 400)
		fw.Ledger, fw.Encoding, fw.Plan = &fullAfter{memory: m, frames: 2}, encoding, fit.Live
		out := &tally{cost: fw.Cost}
		err := fw.Run(strings.NewReader("{}\n{}\n{}\n"), out)
		if err == nil || out.spent != m.spent || strings.Count(out.String(), "disk full") != 1 {
			t.Errorf("%v, %d tokens on the ledger\n%s", err, m.spent, out.String())
		}
	}
}

type fullAfter struct {
	*memory
	frames int
}

func (f *fullAfter) Spend(tokens int) error {
	if f.frames--; f.frames < 0 {
		return errors.New("disk full")
	}
	return f.memory.Spend(tokens)
}

// TestFlushAfter: what is gathered is written while the input is silent.
func TestFlushAfter(t *testing.T) {
	fw := new(memory).firewall(t, 400)
	fw.Plan, fw.Budget.Mode = fit.Live, budget.Table
	fw.FlushAfter = 10 * time.Millisecond
	in, feed := io.Pipe()
	frames, out := io.Pipe()
	go func() {
		out.CloseWithError(fw.Run(ReadAhead(in, time.Millisecond), out))
	}()
	if _, err := io.WriteString(feed, "{\"a\":1}\n{\"a\":2}\n"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4096)
	n, err := frames.Read(buf) // the input stays open
	if err != nil || !strings.Contains(string(buf[:n]), `"chunks":[1,2]`) {
		t.Errorf("%q, %v", buf[:n], err)
	}
	feed.Close()
	if rest, err := io.ReadAll(frames); err != nil || !strings.Contains(string(rest), `"is_final":true`) {
		t.Errorf("%q, %v", rest, err)
	}
}

// TestWarnedOnce: a chunk that stands out is looked at twice and warned of once.
func TestWarnedOnce(t *testing.T) {
	for mode := range budget.HandleOnly + 1 {
		fw := new(memory).firewall(t, 4000)
		fw.Budget.Mode = mode
		var out bytes.Buffer
		if err := fw.Run(strings.NewReader(strings.Repeat("all is well\n", 200)+"error: \xff\n"), &out); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "U+FFFD"); n != 1 || strings.Contains(out.String(), "2 invalid") {
			t.Errorf("%v: warned %d times\n%s", mode, n, out.String())
		}
	}
}

// TestSummaryOfSome: a summary of some chunks of a handle does not claim to be of all.
func TestSummaryOfSome(t *testing.T) {
	var reported facts.Tree
	reported.Count(facts.Records, 20)
	got := string(encode.Text{}.Append(nil,
		&encode.Frame{Final: true, First: 41, Last: 60, Facts: &reported,
			Totals: &encode.Totals{Chunks: 20, SessionLeft: -1}}))
	if !strings.HasPrefix(got, "kfw: summary of all 20 chunks\n") {
		t.Error(got)
	}
}

// TestWarningsNeedNoEscapes: a warning stands in a frame as it is.
func TestWarningsNeedNoEscapes(t *testing.T) {
	for _, in := range testinput.Seeds {
		for c, err := range split.Chunks(redact.NewReader(strings.NewReader(in), testinput.PlainRules(t),
			redact.JSON), 64, false, false) {
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range c.Warnings {
				if text := w.Append(nil); string(jsonx.AppendCanonicalString(nil, text)) != `"`+string(text)+`"` {
					t.Errorf("%s", text)
				}
			}
		}
	}
}

func BenchmarkRun(b *testing.B) {
	record := `{"id":123456,"name":"user-17","status":"ok","amount":17.25,"tags":["a","b"],"note":"nothing to see in this row"}` + "\n"
	data := strings.Repeat(record, 20_000)
	rules, err := redact.Compile(redact.Options{Groups: redact.All})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		fw := new(memory).firewallWithoutRules(b, 4000)
		fw.Rules = rules
		if err := fw.Run(strings.NewReader(data), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// What it costs to find out what to say, besides reading and redacting: each pair is to be read side by side.
func BenchmarkSummarize(b *testing.B) {
	rules, err := redact.Compile(redact.Options{Groups: redact.All})
	if err != nil {
		b.Fatal(err)
	}
	for _, kind := range []struct {
		name string
		line func(i int) string
	}{
		{"records", func(i int) string {
			return fmt.Sprintf(`{"ts":"2026-04-01T%02d:%02d:%02d.%03dZ","level":"info","service":"orders","msg":"request %d handled in %d ms, cache key miss","request_id":"%08x-4f9a-41c7-be4f-%012x","status":200}`,
				i/3600%24, i/60%60, i%60, i%1000, i, i%700, i*2654435761%(1<<32), i*40503%(1<<40))
		}},
		{"people", func(i int) string {
			return fmt.Sprintf(`{"id":%d,"name":"user-%d","email":"user%d@example.org","status":"ok","amount":%d.25,"tags":["a","b"],"address":{"city":"c%d","phone":"+44 20 7946 %04d"}}`,
				i, i%300, i, i%1000, i%40, i%10000)
		}},
		{"lines", func(i int) string {
			return fmt.Sprintf("2026-04-01 %02d:%02d:%02d INFO worker-%d finished batch %08x of %d in %dms",
				i/3600%24, i/60%60, i%60, i%8, i*2654435761%(1<<32), i%90, i%5000)
		}},
	} {
		var data []byte
		for i := 0; len(data) < 4<<20; i++ {
			data = append(append(data, kind.line(i)...), '\n')
		}
		b.Run(kind.name+"/read", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				for _, err := range split.Chunks(redact.NewReader(bytes.NewReader(data), rules, redact.Auto), 0,
					false, false) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(kind.name+"/summarized", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				redacted := redact.NewReader(bytes.NewReader(data), rules, redact.Auto)
				fw := new(memory).firewallWithoutRules(b, 4000)
				for _, err := range fw.Fit(split.Chunks(redacted, 0, false, false), redacted) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// TestLinesInParts: a line that comes in parts is one line of a template; an error that a later part names is shown.
func TestLinesInParts(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	for round := range 40 {
		const max, lines = 200, 300
		var b strings.Builder
		atError := 100 + random.IntN(100)
		for i := range lines {
			fmt.Fprintf(&b, "line %d of it", i)
			parts := random.IntN(4)
			if i == atError {
				parts = 3
			}
			for n := range parts * max / 10 {
				if i == atError && n == max/10+max/20 {
					b.WriteString(" FATAL no room")
				}
				b.WriteString(" word same")
			}
			b.WriteByte('\n')
		}
		fw := new(memory).firewallWithoutRules(t, []int{300, 1000, 4000}[round%3])
		fw.MaxChunk = max
		redacted := redact.NewReader(strings.NewReader(b.String()), testinput.PlainRules(t), redact.Auto)
		for frame, err := range fw.Fit(split.Chunks(redacted, max, false, false), redacted) {
			if err != nil {
				t.Fatal(err)
			}
			counted := 0
			for _, n := range gjson.GetBytes(frame.Text, "sections.0.facts.templates.#.n").Array() {
				counted += int(n.Int())
			}
			isShown := strings.Contains(gjson.GetBytes(frame.Text, "sections.0.lines").Raw, "FATAL")
			if counted > lines || !isShown && fw.Budget.Tokens >= 1000 {
				t.Errorf("%d lines; of line %d: %s", counted, atError, frame.Text)
			}
		}
	}
}
