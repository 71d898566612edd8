package redact

import (
	"math/rand/v2"
	"testing"

	"github.com/kfw-dev/kfw/redact/decode"
	"github.com/kfw-dev/kfw/redact/lex"
)

// What decode.NextPacked jumps over begins no packed text.
func TestNextPackedJumpsOverNone(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{" ", "\"", ",", ":", "-", "_", "/", "é", "a", "7f", "word", "cGFzc3dvcmQ6IGh1bnRlcjI",
		"70617373776f72643a2068756e74657232"}
	for range 20000 {
		var b []byte
		for range random.IntN(20) {
			b = append(b, pieces[random.IntN(len(pieces))]...)
		}
		from := random.IntN(len(b) + 1)
		at, isHex, found := decode.NextPacked(b, from, true)
		for i := from; i < len(b) && (!found || i < at); i++ {
			if !lex.Alnum.Has(b[i]) || i > 0 && lex.Alnum.Has(b[i-1]) {
				continue
			}
			if is, _, _ := decode.BeginsPacked(b[i:], true); is &&
				decode.PackedClass.Run(b, i, decode.MinBase64) == i+decode.MinBase64 {
				t.Fatalf("%q from %d: none before %d, but at %d", b, from, at, i)
			}
		}
		if found {
			if is, hex, _ := decode.BeginsPacked(b[at:], true); !is || hex != isHex {
				t.Fatalf("%q from %d: at %d is none", b, from, at)
			}
		}
		read := from + random.IntN(len(b)-from+1)
		if early, _, known := decode.NextPacked(b[:read], from, false); known && early != at || !known && found &&
			early > at {
			t.Fatalf("%q from %d: at %d is one, but of the first %d the first may be at %d", b, from, at, read, early)
		}
	}
}
