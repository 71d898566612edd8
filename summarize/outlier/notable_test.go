package outlier

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/fields"
)

// TestPutAround: what is kept of a string is one, in no more room than it has, and shows what begins at a place.
func TestPutAround(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 9))
	pieces := []string{"word", " ", `\n`, `\"`, `\\`, "é", "😀", `\ud83d\ude00`, `\u001f`, strings.Repeat("x", 60), "two words", "nine"}
	for range 20_000 {
		value := []byte{'"'}
		for range random.IntN(60) {
			value = append(value, pieces[random.IntN(len(pieces))]...)
		}
		at := len(value)
		value = append(value, "HERE"...)
		for range random.IntN(60) {
			value = append(value, pieces[random.IntN(len(pieces))]...)
		}
		value = append(value, '"')
		most := []int{fields.MaxValueLen, MaxCellLen}[random.IntN(2)]
		var r Row
		kept := r.PutAround(value, at, most).Of(r.Bytes)
		if len(kept) > most+len(`"`+jsonx.Ellipsis+jsonx.Ellipsis+`"`) || !utf8.Valid(kept) || !json.Valid(kept) || !bytes.Contains(kept, []byte("HERE")) {
			t.Fatalf("%s at %d: %s", value, at, kept)
		}
	}
	full := Row{Bytes: make([]byte, RowCap-50)}
	long := slices.Concat([]byte(`"`), bytes.Repeat([]byte("word "), 80), []byte(`"`))
	if kept := full.PutAround(long, 300, MaxCellLen); kept != (ascii.Span{}) || len(full.Bytes) != RowCap-50 {
		t.Errorf("%v is kept where there is no room", kept)
	}
}
