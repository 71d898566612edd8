package summarize

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
)

// TestLogfmtSaysWhatItsRecordsSay: what log/slog writes as text has the facts of what it writes as JSON.
func TestLogfmtSaysWhatItsRecordsSay(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 4))
	for range 20 {
		var text, js bytes.Buffer
		noTime := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}}
		loggers := []*slog.Logger{slog.New(slog.NewTextHandler(&text, noTime)),
			slog.New(slog.NewJSONHandler(&js, noTime))}
		for i := range 40 {
			message := fmt.Sprintf("request %d \"of\" a\\b\tand=%d", i, random.IntN(5))
			took, status, name := random.Float64(), 200+random.IntN(3), nameOf(random.IntN(9))
			for _, l := range loggers {
				attributes := []slog.Attr{slog.Float64("took", took), slog.Int("http.status", status),
					slog.String("name", name)}
				if i%3 == 0 {
					attributes = append(attributes, slog.Bool("slow", i%2 == 0), slog.String("note", ""))
				}
				l.LogAttrs(context.Background(), slog.LevelInfo, message, attributes...)
			}
		}
		var ofText, ofJSON struct{ Fields map[string]json.RawMessage }
		decode(t, watched(linesOf(text.String())).Facts(anyLength).JSON(), &ofText)
		decode(t, watched(recordsOf(js.Bytes())).Facts(anyLength).JSON(), &ofJSON)
		if len(ofText.Fields) != len(ofJSON.Fields) {
			t.Fatalf("%s\n%s", ofText.Fields, ofJSON.Fields)
		}
		for name, facts := range ofJSON.Fields {
			if !bytes.Equal(ofText.Fields[name], facts) {
				t.Errorf("%s: %s, want %s\n%s", name, ofText.Fields[name], facts, text.String()[:300])
			}
		}
	}
}

// TestLogfmtValuesAreOfOneKind: a value is a number or a text all the time, by what came first.
func TestLogfmtValuesAreOfOneKind(t *testing.T) {
	for _, first := range []string{"7", "x7"} {
		text := "a=i id=" + first + " c=x\n" + strings.Repeat("a=i id=0 c=x\n", 20) + "a=i id=- c=x\n" +
			strings.Repeat("a=i id=0 c=x\n", 20)
		id := factsOf(t, watched(linesOf(text))).Fields["id"]
		if len(id.Values) != 3 || id.Values["0"]+id.Values[`"0"`] != 40 {
			t.Errorf("%s: %+v", first, id)
		}
	}
}

// FuzzPairs: each byte of a line in logfmt is in one pair, or a blank between two.
func FuzzPairs(f *testing.F) {
	f.Add(`a=1 b=x c="y z"`)
	f.Add(`a= b="" c="\"=\\"`)
	f.Fuzz(func(t *testing.T, line string) {
		pairs, ok := formats.CutPairs(nil, []byte(line))
		if !ok {
			return
		}
		var again bytes.Buffer
		at := 0
		for _, p := range pairs {
			name := ascii.Span{From: p.Value.From - len("=") - len(p.Name), To: p.Value.From - len("=")}
			if string(p.Name) != line[name.From:name.To] {
				t.Fatalf("%q is before %q", p.Name, line[p.Value.From:])
			}
			for ; at < name.From; at++ {
				if line[at] != ' ' {
					t.Fatalf("%q is not in a pair", line[at:])
				}
			}
			if line[name.To] != '=' {
				t.Fatalf("%v in %q", p, line)
			}
			at = p.Value.To
			fmt.Fprintf(&again, "%s=%s ", p.Name, line[p.Value.From:p.Value.To])
		}
		if more, _ := formats.CutPairs(nil, again.Bytes()); len(more) != len(pairs) {
			t.Fatalf("%q has %d pairs, %q %d", line, len(pairs), again.String(), len(more))
		}
		summaryOf(linesOf(line)).Facts(anyLength).JSON()
	})
}
