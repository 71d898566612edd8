package summarize

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
)

// logRecords makes records as a service logs them.
func logRecords(n int) []structure.Record {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	records := make([]structure.Record, n)
	for i := range records {
		records[i] = structure.Record{Seq: i + 1, Value: fmt.Appendf(nil,
			`{"ts":"2026-03-%02dT%02d:%02d:%02d.%03dZ","level":%q,"service":%q,"msg":"%s took %s","request_id":"%016x-%016x","trace_id":"%016x%016x","duration_ms":%.3f,"status":%s,"http":{"method":%q,"bytes":%d,"tags":[%q,%q]},"user":null}`,
			1+i/86400%28, i/3600%24, i/60%60, i%60, random.IntN(1000),
			pick("info", "info", "warn", "debug"), pick("billing", "search", "ingest", "web"),
			pick("query", "lookup", "flush", "write of a page", "compaction of a level"),
			pick("long", "a moment", "no time at all"),
			random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64(), random.Float64()*900,
			pick("200", "200", "204", "404"), pick("GET", "POST"), random.IntN(1e6), pick("a", "b", "c"),
			pick("x", "y"))}
	}
	return records
}

// logLines makes lines as a system logs them.
func logLines(n int) []structure.Record {
	random := rand.New(rand.NewPCG(3, 4))
	records := make([]structure.Record, n)
	for i := range records {
		var line []byte
		switch random.IntN(4) {
		case 0:
			line = fmt.Appendf(nil, "Mar %2d %02d:%02d:%02d node%d sshd[%d]: session opened for user u%d by (uid=0)", 1+i%28, i/3600%24, i/60%60, i%60, i%9, 1000+random.IntN(9000), random.IntN(50))
		case 1:
			line = fmt.Appendf(nil, "10.0.%d.%d - - [03/Mar/2026:10:00:00 +0000] \"GET /static/%x/app.js HTTP/1.1\" 200 %d", random.IntN(256), random.IntN(256), random.Uint32(), random.IntN(1e5))
		case 2:
			line = fmt.Appendf(nil, "2026-03-01 10:%02d:%02d INFO worker-%d finished batch %08x in %dms", i/60%60,
				i%60, random.IntN(8), random.Uint32(), random.IntN(5000))
		default:
			line = []byte("compaction of level done, nothing left to move " + strings.Repeat("x", random.IntN(3)))
		}
		records[i] = structure.Record{Seq: i + 1, Value: line, IsText: true}
	}
	return records
}

// rowLines are the lines of a table: a header and rows under it.
func rowLines(n int) []structure.Record {
	random := rand.New(rand.NewPCG(5, 6))
	records := make([]structure.Record, n)
	for i := range records {
		line := []byte("USER       PID %CPU    RSS STAT COMMAND")
		if i > 0 {
			line = fmt.Appendf(nil, "u%-7d %5d %4.1f %6d %-4s worker --shard %d", random.IntN(5), 100+i,
				9*random.Float64(),
				random.IntN(900000), []string{"S", "R", "Ssl"}[random.IntN(3)], random.IntN(50))
		}
		records[i] = structure.Record{Seq: i + 1, Value: line, IsText: true}
	}
	return records
}

func totalBytes(records []structure.Record) (n int64) {
	for _, r := range records {
		n += int64(len(r.Value)) + 1
	}
	return n
}

func BenchmarkAdd(b *testing.B) {
	for _, bench := range []struct {
		name    string
		records []structure.Record
	}{
		{"records", logRecords(20_000)},
		{"lines", logLines(20_000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s := NewSummary()
			for _, r := range bench.records {
				s.Add(r)
			}
			b.SetBytes(totalBytes(bench.records))
			b.ReportAllocs()
			for b.Loop() {
				for _, r := range bench.records {
					s.Add(r)
				}
			}
		})
	}
}

func BenchmarkFacts(b *testing.B) {
	s := NewSummary()
	for _, r := range logRecords(5000) {
		s.Add(r)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Facts(atMost(999)).JSON()
	}
}

func BenchmarkTabulate(b *testing.B) {
	records := logRecords(1000)
	b.SetBytes(totalBytes(records))
	b.ReportAllocs()
	for b.Loop() {
		new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(records), len(records), 1<<30,
			func(t tabulate.Table) bool { return len(t.Columns)+len(t.Rows) < 8000 }, isShorter)
	}
}

// tracesAndHunks are lines of both.
func tracesAndHunks(n int) []structure.Record {
	random := rand.New(rand.NewPCG(7, 8))
	var text strings.Builder
	for i := range n / 8 {
		fmt.Fprintf(&text, "job %d failed: no answer\n\tat a.b.Job.run(Job.java:%d)\n\tat a.b.Main.main(Main.java:7)\n",
			i, random.IntN(9))
		fmt.Fprintf(&text, "--- a/src/jobs/%d.go\n@@ -1,2 +%d,2 @@\n-\tretry(%d)\n+\tretry(now)\n \treturn nil\n",
			random.IntN(9), random.IntN(9), random.IntN(9))
	}
	return linesOf(text.String())
}

// boxedRows are rows with names of columns, each cell an object.
func boxedRows(n int) []structure.Record {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"f":[{"v":"%d"},{"v":"node-%d"},{"v":null}]}`, i, i%40)
	}
	return chunks("fields", `[{"name":"id"},{"name":"host"},{"name":"note"}]`, "rows", rows)
}

// accessLines are lines of an access log, with fields that have no name.
func accessLines(n int) []structure.Record {
	random := rand.New(rand.NewPCG(4, 1))
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "10.0.%d.7 - - [02/Jan/2006:15:%02d:%02d -0700] \"GET /items/%d HTTP/1.1\" %d %d \"-\" \"curl/8.5.0\" %d rt=0.%03d\n",
			random.IntN(250), i/60%60, i%60, random.IntN(900), 200+random.IntN(5), random.IntN(90000),
			random.IntN(9), random.IntN(999))
	}
	return linesOf(text.String())
}

func TestAddAllocatesNothingOnceWarm(t *testing.T) {
	for name, records := range map[string][]structure.Record{
		"records": logRecords(4000), "lines": logLines(4000), "rows": rowLines(4000), "blocks": tracesAndHunks(4000),
		"access log": accessLines(4000), "boxed rows": boxedRows(4000),
		"names and values": linesOf(stanzas(800, func(i int, put func(string, any)) {
			put("Section", [...]string{"libs", "net utils", "admin"}[i*7%3])
			put("Size", i*7919%90000)
			put("Version", fmt.Sprintf("1.%d-%d", i*31%17, i*7%5))
			put("Summary", "this is a sentence that is longer than a value")
		})),
	} {
		for kind, s := range map[string]*Summary{"": NewSummary(), "watchful, ": NewWholeSummary()} {
			for _, r := range records {
				r.Value = bytes.Clone(r.Value)
				s.Add(r)
			}
			const adds = 8 // at once: what is less than one allocation a run is not told
			i := 0
			if n := testing.AllocsPerRun(2000/adds, func() {
				for range adds {
					s.Add(records[1+i%(len(records)-1)])
					i++
				}
			}); n != 0 {
				t.Errorf("%s%s: %v allocations for %d times Add, want 0", kind, name, n, adds)
			}
		}
	}
}

// BenchmarkErrorLines adds lines half of which have an error word.
func BenchmarkErrorLines(b *testing.B) {
	var lines [][]byte
	size := 0
	for i := range 4000 {
		level := [...]string{"INFO", "INFO", "INFO", "ERROR"}[i*7%4]
		what := [...]string{"upload failed: timeout", "done", fmt.Sprintf("queue %d", i*31%90)}[i*13%3]
		line := fmt.Appendf(nil, "2026-03-01 10:%02d:%02d %s worker %d took %d ms for %s", i/60%60, i%60, level, i%9,
			i*37%1000, what)
		lines = append(lines, line)
		size += len(line)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		s := NewWholeSummary()
		for i, line := range lines {
			s.Add(structure.Record{Seq: i + 1, Value: line, IsText: true})
		}
	}
}
