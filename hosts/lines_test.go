package hosts

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact"
)

// FuzzLines: a redaction with line numbers intact has as many lines as the text, and one of which nothing is redacted
// is the text.
func FuzzLines(f *testing.F) {
	key := "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234567890abcdefghij\nMIIEpAIBAAKC\n-----END RSA PRIVATE KEY-----\n"
	for _, text := range []string{"a\n" + key + "b\n", key + key, "[REDACTED:x]\n" + key + "z",
		"{\n \"password\":\n\"hunter2 hunter2\"\n}\n", "a\r\nb", ""} {
		f.Add(text)
	}
	rules, err := redact.Compile(redact.Options{Groups: redact.All})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain, err := (&Filter{}).redacted(rules, text)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := redactedLines(rules, text)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Count(lines, "\n"), strings.Count(text, "\n"); got != want {
			t.Errorf("%d lines of %d: %q", got, want, lines)
		}
		if strings.Count(plain, "\n") == strings.Count(text, "\n") && plain != lines {
			t.Errorf("%q, want %q", lines, plain)
		}
	})
}

// TestLines: what follows a private key stands on the line where it was.
func TestLines(t *testing.T) {
	rules, err := redact.Compile(redact.Options{Groups: redact.All})
	if err != nil {
		t.Fatal(err)
	}
	key := "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234567890abcdefghij\nMIIEpAIBAAKC\n-----END RSA PRIVATE KEY-----\n"
	got, err := redactedLines(rules, "one\n"+key+"six bob@example.org\n"+key+"eleven\n")
	want := "one\n[REDACTED:private_key]\n\n\n\nsix [REDACTED:email]\n[REDACTED:private_key]\n\n\n\neleven\n"
	if err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
}
