package pipeline

import (
	"testing"

	"github.com/kfw-dev/kfw/redact"
)

func TestInStrings(t *testing.T) {
	rules, err := redact.Compile(redact.Options{Groups: redact.All})
	if err != nil {
		t.Fatal(err)
	}
	x := newInStrings(rules)
	for value, want := range map[string]string{
		`{"a":"{\"ssn\":78051120}","b":[1,"[{\"ssn\":78051121}]\n"],"c":"{}"}`: `{"a":"{\"ssn\":\"[REDACTED:ssn]\"}","b":[1,"[{\"ssn\":\"[REDACTED:ssn]\"}]\n"],"c":"{}"}`,
		`"{\"ssn\":78051120}"`:                `"{\"ssn\":\"[REDACTED:ssn]\"}"`,
		`{"{\"ssn\":78051120}":1}`:            `{"{\"ssn\":\"[REDACTED:ssn]\"}":1}`,
		`{"a":"\"{\\\"ssn\\\":78051120}"}`:    "",
		`{"a":"{\"ssn\":78051120"}`:           "",
		`{"a":{"b":[{}]},"c":"\u007b\u007d"}`: "",
		`{"a":"{\"b\":1}","c":"[2]"}`:         "",
		`[]`:                                  "", `"`: "", `"{`: "",
	} {
		if want == "" {
			want = value
		}
		if got := string(x.redact([]byte(value))); got != want {
			t.Errorf("%s: %s", value, got)
		}
	}
}
