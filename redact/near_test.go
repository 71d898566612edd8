package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Words of chance are taken for made, whatever their alphabet; words of a language
// with numbers among them are not, however they are put together.
func TestIsMade(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	const tries = 2000
	for name, alphabet := range map[string]string{
		"base 62": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
		"base 36": "0123456789abcdefghijklmnopqrstuvwxyz",
		"base 32": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	} {
		missed := 0
		for range tries {
			v := make([]byte, 32)
			for i := range v {
				v[i] = alphabet[rnd.IntN(len(alphabet))]
			}
			if !isMade(v) {
				missed++
			}
		}
		if missed > tries/10 {
			t.Errorf("%s: %d of %d are not taken for made", name, missed, tries)
		}
	}
	words := strings.Fields("request handler Certificate version utf8 sha256 RSA2048 node pool v1beta1 Key 2026 us-east-1 x509 db01 Service")
	for range tries {
		var parts []string
		for range 5 {
			parts = append(parts, words[rnd.IntN(len(words))])
		}
		for _, sep := range []string{"-", "_", "."} {
			if v := strings.Join(parts, sep); isMade([]byte(v)) {
				t.Errorf("%s is taken for made", v)
			}
		}
	}
}
