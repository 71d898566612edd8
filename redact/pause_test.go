package redact_test

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact"
)

// TestPause: a text that pauses anywhere is redacted as the whole would be, except that more may be
// taken out of it, and a pause passes the last word of a sentence on.
func TestPause(t *testing.T) {
	rules, err := redact.Compile(redact.Options{Groups: redact.All})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"ada.lovelace@example.com", "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
		"AKIA" + "IOSFODNN7REALKEY", "sk-ant-" + "api03-" + strings.Repeat("aB3", 31) + "AA", "4111 1111 1111 1111",
		"xoxb-" + "123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx"} {
		for _, before := range []string{"Write to ", "The password: ", "Well, done. ", "key=", "Bearer "} {
			text := before + secret + " today."
			r := rules.Text()
			whole := string(r.Flush(r.Append(nil, []byte(text))))
			if strings.Contains(whole, secret) {
				t.Fatalf("%q is no secret", secret)
			}
			for cut := range len(text) {
				r := rules.Text()
				out := r.Append(nil, []byte(text[:cut]))
				out = r.Pause(out)
				out = r.Flush(r.Append(out, []byte(text[cut:])))
				if strings.Contains(string(out), secret) {
					t.Errorf("paused at %d: %q", cut, out)
				}
			}
		}
	}
	for text, passes := range map[string]bool{"One moment.": true, "Let me see:": true, "Write to ada": false,
		"Write to ada.lovelace.": false, "AKIA": false} {
		r := rules.Text()
		if out := string(r.Pause(r.Append(nil, []byte(text)))); (out == text) != passes {
			t.Errorf("of %q %q has passed", text, out)
		}
	}
}
