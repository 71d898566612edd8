package summarize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// TestWideElements: the elements of an array keep the names of all their members, as records at the top do, so that a
// new one stands out.
func TestWideElements(t *testing.T) {
	var b strings.Builder
	for i := range 80 {
		fmt.Fprintf(&b, `,{"id":"i-%05d","launched":"2026-02-0%dT10:00:00Z"`, i*7919%99991, 1+i%2)
		for j := range 45 {
			fmt.Fprintf(&b, `,"f%d":%d`, j, (i+j)%4)
		}
		if i == 50 {
			b.WriteString(`,"borrowed":"cb-77"`)
		}
		b.WriteByte('}')
	}
	s := watched([]structure.Record{{Seq: 1, Top: 1, Value: []byte(`{"items":[` + b.String()[1:] + `]}`)}})
	if facts := string(s.Facts(anyLength).JSON()); !strings.Contains(facts, `"f44":`) || strings.Contains(facts, `"*"`) {
		t.Error(facts)
	}
}
