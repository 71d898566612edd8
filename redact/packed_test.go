package redact

import (
	"math/rand/v2"
	"testing"
)

// What nextPacked jumps over begins no packed text.
func TestNextPackedJumpsOverNone(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{" ", "\"", ",", ":", "-", "_", "/", "é", "a", "7f", "word", "cGFzc3dvcmQ6IGh1bnRlcjI", "70617373776f72643a2068756e74657232"}
	for range 20000 {
		var b []byte
		for range random.IntN(20) {
			b = append(b, pieces[random.IntN(len(pieces))]...)
		}
		from := random.IntN(len(b) + 1)
		at, isHex, found := nextPacked(b, from, true)
		for i := from; i < len(b) && (!found || i < at); i++ {
			if !alnum.has(b[i]) || i > 0 && alnum.has(b[i-1]) {
				continue
			}
			if is, _, _ := beginsPacked(b[i:], true); is && packedClass.run(b, i, minBase64) == i+minBase64 {
				t.Fatalf("%q from %d: none before %d, but at %d", b, from, at, i)
			}
		}
		if found {
			if is, hex, _ := beginsPacked(b[at:], true); !is || hex != isHex {
				t.Fatalf("%q from %d: at %d is none", b, from, at)
			}
		}
		read := from + random.IntN(len(b)-from+1)
		if early, _, known := nextPacked(b[:read], from, false); known && early != at || !known && found && early > at {
			t.Fatalf("%q from %d: at %d is one, but of the first %d the first may be at %d", b, from, at, read, early)
		}
	}
}
