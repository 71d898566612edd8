package redact

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
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
			if !candidate.IsMade(v) {
				missed++
			}
		}
		if missed > tries/10 {
			t.Errorf("%s: %d of %d are not taken for made", name, missed, tries)
		}
	}
	words := strings.Fields(
		"request handler Certificate version utf8 sha256 RSA2048 node pool v1beta1 Key 2026 us-east-1 x509 db01 Service")
	for range tries {
		var parts []string
		for range 5 {
			parts = append(parts, words[rnd.IntN(len(words))])
		}
		for _, sep := range []string{"-", "_", "."} {
			if v := strings.Join(parts, sep); candidate.IsMade([]byte(v)) {
				t.Errorf("%s is taken for made", v)
			}
		}
	}
}

// What a name stands near is looked for where another rule has found something, but not all of it.
func TestNearAMatch(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for in, want := range map[string]string{
		`key"tskey-hQ2mX9kV47h}`:                                              `key"[REDACTED:tailscale_key]`,
		"pcsk_token_key_7hQ2mX9kV47hQ2/alue":                                  "[REDACTED:pinecone_key]",
		"glpat-token_7h42eoblniphkdq=":                                        "[REDACTED:gitlab_token]",
		`glpat-7hQ2mX9kV4SECRET_1"k8Wq2mX9kV47hQ2mX9"`:                        `[REDACTED:gitlab_token]"[REDACTED:generic_secret]"`,
		"ALGOLIAKEY=f-9a01-c7be-57951ff8":                                     "ALGOLIAKEY=[REDACTED:generic_secret]",
		"GITHUB_TOKEN=ghp_7hQ2mX9kV47hQ2mX9k":                                 "GITHUB_TOKEN=[REDACTED:github_token]",
		"name: DB_PASSWORD\nname: API_TOKEN\nvalue: hunter2x\n":               "name: DB_PASSWORD\nname: API_TOKEN\nvalue: \"[REDACTED:api_key]\"\n",
		"{\"x\":\"first\\nname: DB_PASSWORD\nvalue: hunter2\n":                "{\"x\":\"first\\nname: DB_PASSWORD\nvalue: \"[REDACTED:password]\"\n",
		"{\"stripe live key\":\"7hQ2mX9kV47hQ2mX\"}\n{\"a\":1}\n":             "{\"stripe live key\":\"[REDACTED:generic_key]\"}\n{\"a\":1}\n",
		"{\"a\":1}\n{\"name\":\"stripe key\",\"value\":\"7hQ2mX9kV47hQ2\"}\n": "{\"a\":1}\n{\"name\":\"stripe key\",\"value\":\"[REDACTED:generic_key]\"}\n",
	} {
		if got := string(redacted(t, rules, Lines, []byte(in))); got != want {
			t.Errorf("%s\ngives\n%s", in, got)
		}
	}
	long := "see glpat-" + strings.Repeat("a1B2c3D4e5", 66)[:lex.MaxLook-109] + "-private-" +
		strings.Repeat("7hQ2mX9kV4", 10) + "/Z9Y8z7W6v5U4t3S2 end"
	if got := string(inPieces(rules.Text(), []byte(long), one)); got != "see [REDACTED:gitlab_token] end" {
		t.Errorf("what is longer than the look gives %s", got)
	}
}
