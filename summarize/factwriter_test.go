package summarize

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// TestWritingTellsNothing: facts are the same however a record is written.
func TestWritingTellsNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 7))
	var records []structure.Record
	for i := range 300 {
		records = append(records, structure.Record{Seq: i + 1, Value: anyRecord(random, i)})
	}
	want := watched(records).Facts(anyLength).JSON()
	for _, space := range []string{" ", "\t", "\n  "} {
		for i, r := range records {
			var b bytes.Buffer
			for at, c := range r.Value {
				if i%3 > 0 && c == '"' && (r.Value[at-1] == ',' || r.Value[at-1] == '{') || i%2 > 0 && c == ':' &&
					r.Value[at-1] == '"' {
					b.WriteString(space)
				}
				b.WriteByte(c)
			}
			if i%4 == 0 {
				r.Value = bytes.ReplaceAll(b.Bytes(), []byte(`"paid"`), []byte(`"p\u0061id"`))
			} else {
				r.Value = b.Bytes()
			}
			records[i] = r
		}
		if got := watched(records).Facts(anyLength).JSON(); !bytes.Equal(got, want) {
			t.Errorf("with %q:\n%s\nnot\n%s", space, got, want)
		}
	}
}
