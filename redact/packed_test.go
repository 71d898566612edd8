package redact

import (
	b64 "encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/decode"
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

// A key in base64 or in digits of hexadecimal goes with all of its lines, however they are wrapped, and nothing after it.
func TestPackedLines(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	key := []byte("-----BEGIN PRIVATE KEY-----\n" + strings.Repeat(b64.StdEncoding.EncodeToString(
		[]byte("\x01\xfeh4\x99q!\x80mP\xa0w"))+"MIIEvgIBADANBgkqhkiG9w0BAQEFAAS4hQ2mX9kV4Q7a\n", 30) + "-----END PRIVATE KEY-----\n")
	wrap := func(s string, n int) (all []string) {
		for ; len(s) > n; s = s[n:] {
			all = append(all, s[:n])
		}
		return append(all, s)
	}
	asJSON := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, packed := range []string{b64.StdEncoding.EncodeToString(key), hex.EncodeToString(key)} {
		for _, n := range []int{60, 64, 76} {
			lines := wrap(packed, n)
			for _, text := range []string{
				strings.Join(lines, "\n") + "\n",
				strings.Join(lines, "\r\n") + "\r\n",
				"key: |\n  " + strings.Join(lines, "\n  ") + "\n",
				"    12\t" + strings.Join(lines, "\n    13\t") + "\n",
				"x = (\"" + strings.Join(lines, "\"\n     \"") + "\")\n",
				asJSON(strings.Join(lines, "\n")) + "\n",
				asJSON(lines) + "\n",
				asJSON(map[string]any{"a": strings.Join(lines, "\n"), "b": 1}) + "\n",
			} {
				in := "first line\n" + text + "and the next, which stays\n"
				got := string(redacted(t, rules, Auto, []byte(in)))
				for _, line := range lines {
					if strings.Contains(got, line[:min(len(line), 12)]) {
						t.Fatalf("%s\nshows\n%s", in, got)
					}
				}
				if !strings.HasPrefix(got, "first line\n") || !strings.HasSuffix(got, "\nand the next, which stays\n") {
					t.Errorf("%s\ngives\n%s", in, got)
				}
				if cut := byteByByte(rules, Auto, in); cut != got {
					t.Fatalf("byte by byte\n%s\nnot\n%s", cut, got)
				}
			}
		}
	}
}

// TestPackedBinary: what is compressed or encrypted is not looked into in base64: what looks like a secret there is chance,
// and the rest of it would go with that.
func TestPackedBinary(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	const size, mostMarked = 100_000, 200 // what looks like a token as it is written goes alone
	for seed := range uint64(24) {
		random := rand.New(rand.NewPCG(seed, 9))
		bytes := []byte("PK\x03\x04")
		for range size {
			bytes = append(bytes, byte(random.Uint32()))
		}
		text := `{"blob":"` + b64.StdEncoding.EncodeToString(bytes) + "\"}\n"
		if got := redacted(t, rules, Auto, []byte(text)); len(got) < len(text)-mostMarked {
			t.Errorf("seed %d: %d bytes of %d", seed, len(got), len(text))
		}
	}
}
