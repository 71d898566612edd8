package summarize

import (
	"fmt"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// TestColoursTellNothing: lines in colours are summed up as those without.
func TestColoursTellNothing(t *testing.T) {
	plain, coloured := NewWholeSummary(), NewWholeSummary()
	for i := range 900 {
		took := 20 + i*37%90
		if i == 613 {
			took = 184_220
		}
		plain.Add(structure.Record{Seq: i + 1, IsText: true,
			Value: fmt.Appendf(nil, "2026-03-01 10:00:%02d INFO test %d took %d ms", i%60, i, took)})
		coloured.Add(structure.Record{Seq: i + 1, IsText: true,
			Value: fmt.Appendf(nil, "\x1b[2m2026-03-01 10:00:%02d\x1b[0m \x1b[32mINFO\x1b[0m test %d took \x1b[90m%d ms\x1b[39m", i%60, i, took)})
	}
	want, got := plain.Facts(anyLength).JSON(), coloured.Facts(anyLength).JSON()
	if string(want) != string(got) || !gjson.GetBytes(got, "from").Exists() {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
