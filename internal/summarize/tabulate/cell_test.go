package tabulate

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// TestCutSentencesBegin: of a sentence, or of a text that may have been cut before, the beginning is shown.
func TestCutSentencesBegin(t *testing.T) {
	for _, text := range []string{"one two " + strings.Repeat("three ", 30), strings.Repeat("a", longestShown+1),
		`a\\b` + strings.Repeat("c", 90)} {
		cut := 0
		if cell := AppendCell(nil, []byte(`"`+text+`"`), 60, &cut); !strings.HasSuffix(string(cell), jsonx.Ellipsis+
			`"`) {
			t.Errorf("%s", cell)
		}
	}
}
