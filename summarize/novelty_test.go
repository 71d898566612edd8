package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

func TestNovelty(t *testing.T) {
	usual := func(i int) string {
		return fmt.Sprintf(`{"id":"%x","level":%q,"n":%d,"o":{"on":true}}`, i*7919, []string{"info", "warn"}[i%2], 100+i%10)
	}
	for _, test := range []struct{ name, record, want string }{
		{"nothing", usual(7), ""},
		{"value", `{"id":"z","level":"quiesced","n":100,"o":{"on":true}}`, "new value level=quiesced"},
		{"literal", `{"id":"z","level":"info","n":100,"o":{"on":false}}`, "new value o.on=false"},
		{"number", `{"id":"z","level":"info","n":5000000,"o":{"on":true}}`, "new value n=5000000"},
		{"field", `{"id":"z","level":"info","n":100,"o":{"on":true,"retries":1}}`, "field o.retries first seen"},
		{"type", `{"id":7,"level":"info","n":100,"o":{"on":true}}`, "field id first has type number"},
		{"error", `{"id":"request failed","level":"info","n":100,"o":{"on":true}}`, "error: failed in id"},
		{"long value", `{"id":"z","level":"` + strings.Repeat("x", 100) + `","n":100,"o":{"on":true}}`, "new value level=" + strings.Repeat("x", 40) + "…"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := NewSummary()
			for i := range 150 {
				if why, _ := s.Add(structure.Record{Seq: i + 1, Value: []byte(usual(i))}); why != "" {
					t.Fatalf("record %d: %q", i, why)
				}
			}
			if why, _ := s.Add(structure.Record{Seq: 151, Value: []byte(test.record)}); why != test.want {
				t.Errorf("got %q, want %q", why, test.want)
			}
		})
	}
}

func TestNumberFarOut(t *testing.T) {
	s := NewSummary()
	add := func(i int, n float64) string {
		why, _ := s.Add(structure.Record{Seq: i, Value: fmt.Appendf(nil, `{"ms":%.3f}`, n)})
		return why
	}
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 500 {
		if why := add(i, 10+random.Float64()); why != "" {
			t.Fatalf("%d: %q", i, why)
		}
	}
	for _, far := range []float64{1000, -20, 990} {
		if why, want := add(501, far), fmt.Sprintf("number ms far out: %.3f", far); why != want {
			t.Errorf("got %q, want %q", why, want)
		}
	}
	if why := add(502, 11.5); why != "" {
		t.Errorf("a number near the others: %q", why)
	}
}

func TestNewLine(t *testing.T) {
	s := NewSummary()
	for i := range 50 {
		if why, _ := s.Add(structure.Record{Seq: i, Value: fmt.Appendf(nil, "task %d of %x is done", i, i*77), IsText: true}); why != "" {
			t.Fatalf("line %d: %q", i, why)
		}
	}
	if why, _ := s.Add(structure.Record{Seq: 51, Value: []byte("disk quota reached, pausing"), IsText: true}); why != "new kind of line" {
		t.Errorf("got %q", why)
	}
}

func TestErrorsDoNotDrown(t *testing.T) {
	s := NewSummary()
	stoodOut := 0
	const n = 5000
	for i := range n {
		if why, _ := s.Add(structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, "request %d failed", i), IsText: true}); why != "" {
			stoodOut++
		}
	}
	if stoodOut > surprise.FirstErrors {
		t.Errorf("%d of %d lines full of errors stand out, want at most %d", stoodOut, n, surprise.FirstErrors)
	}
	if why, _ := s.Add(structure.Record{Seq: n, Value: []byte("leader gave up its lease early"), IsText: true}); why == "" {
		t.Error("the line that differs does not stand out")
	}
}

// TestOrdinaryDataIsNotNovel bounds how often data that is different in each
// record stands out.
func TestOrdinaryDataIsNotNovel(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	s := NewSummary()
	stoodOut := 0
	const n = 20_000
	for i := range n {
		value := fmt.Appendf(nil, `{"id":"%016x","at":"2026-01-%02dT%02d:%02d:%02dZ","name":"n%d","heavy":%.3f,"level":"l%d","exp":%.4f,"word":"w%d"}`,
			random.Uint64(), 1+i/86400%28, i/3600%24, i/60%60, i%60, random.IntN(5000), 1/(random.Float64()+1e-6), random.IntN(12),
			random.ExpFloat64(), int(random.ExpFloat64()*20))
		if why, _ := s.Add(structure.Record{Seq: i + 1, Value: value}); why != "" {
			stoodOut++
		}
	}
	if stoodOut > n/500 {
		t.Errorf("%d of %d records stand out", stoodOut, n)
	}
}

// TestNoveltyIsOfTheLineAtHand: what is held until it is known to be a table is told of none of its lines.
func TestNoveltyIsOfTheLineAtHand(t *testing.T) {
	s := NewSummary()
	for _, r := range linesOf("NAME  STATE   AGE\na     failed  3\nb     up      4\nc     up      5\nd     failed  6") {
		why, _ := s.Add(r)
		if isFailed := r.Seq == 5; (why != "") != isFailed {
			t.Errorf("line %d: %q", r.Seq, why)
		}
	}
}
