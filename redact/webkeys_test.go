package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact/internal/detect"
)

// TestWebKeys holds that the private numbers of a key in JSON are secrets (RFC 7518), wherever its type stands, and
// that its public numbers stay.
func TestWebKeys(t *testing.T) {
	long, short := strings.Repeat(detect.Made(57), 6), detect.Made(43)
	for name, c := range map[string]struct{ in, out string }{
		"RSA": {
			`{"kty":"RSA","n":"` + long + `","e":"AQAB","d":"` + long + `","p":"` + short + `","q":"` + short + `","dp":"` + short +
				`","dq":"` + short + `","qi":"` + short + `","kid":"2011-04-29"}`,
			`{"kty":"RSA","n":"` + long + `","e":"AQAB","d":"#","p":"#","q":"#","dp":"#","dq":"#","qi":"#","kid":"2011-04-29"}`,
		},
		"the type in between": {
			`{"alg":"RS256","d":"` + long + `","dp":"` + short + `","dq":"` + short + `","e":"AQAB","key_ops":["sign"],"kty":"RSA","n":"` +
				long + `","p":"` + short + `","q":"` + short + `"}`,
			`{"alg":"RS256","d":"#","dp":"#","dq":"#","e":"AQAB","key_ops":["sign"],"kty":"RSA","n":"` + long + `","p":"#","q":"#"}`,
		},
		"keys of a set": {
			`{"keys":[{"kty":"EC","crv":"P-256","x":"` + short + `","y":"` + short + `","d":"` + short + `"},{"k":"` + short +
				`","kty":"oct"},{"kty":"OKP","d":"","x":"` + short + `"}]}`,
			`{"keys":[{"kty":"EC","crv":"P-256","x":"` + short + `","y":"` + short + `","d":"#"},{"k":"#","kty":"oct"},` +
				`{"kty":"OKP","d":"","x":"` + short + `"}]}`,
		},
		"a pair after a number": {
			`{"k":"` + short + `","value":"hunter2","name":"DB_PASSWORD"}`,
			`{"k":"` + short + `","value":"[REDACTED:password]","name":"DB_PASSWORD"}`,
		},
		"other objects": {
			`[{"d":"` + short + `","k":"` + short + `","p":"` + long + `"},{"kty":"none","d":"` + short + `"},` +
				`{"key":{"kty":"EC","crv":"P-256"},"d":"` + short + `"},{"q":"what is kty","d":"M10 20 L5 7"}]`, "",
		},
	} {
		want := strings.ReplaceAll(c.out, "#", "[REDACTED:private_key]")
		if want == "" {
			want = c.in
		}
		for layout, indent := range map[string]string{"on a line": "", "over lines": "  "} {
			in, out := layOut(t, c.in, indent), layOut(t, want, indent)
			if got := redactLines(t, in); got != out {
				t.Errorf("%s, %s: got:\n%s\nwant:\n%s", name, layout, got, out)
			}
			if got := redactLines(t, out); got != out {
				t.Errorf("%s, %s, again:\n%s", name, layout, got)
			}
		}
		inString, err := json.Marshal(map[string]string{"text": "key " + c.in})
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Text string }
		if err := json.Unmarshal([]byte(redactLines(t, string(inString)+"\n")), &got); err != nil || got.Text != "key "+want {
			t.Errorf("%s, in a string: %v:\n%s", name, err, got.Text)
		}
	}
}

// layOut returns a value of JSON with its members on lines of their own, or on one if indent is empty.
func layOut(t *testing.T, value, indent string) string {
	t.Helper()
	if indent == "" {
		return value + "\n"
	}
	out, err := json.MarshalIndent(json.RawMessage(value), "", indent)
	if err != nil {
		t.Fatal(err)
	}
	return string(out) + "\n"
}
