package redact

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
)

func TestNumbered(t *testing.T) {
	numbered := compile(t, Options{Groups: All, Numbered: true})
	for _, c := range []struct{ name, in, want string }{
		{"equal secrets", "a@b.cc x@y.zz a@b.cc", "[REDACTED:email:1] [REDACTED:email:2] [REDACTED:email:1]"},
		{"each rule counts for itself", "pin=4711 a@b.cc pin=4712",
			"pin=[REDACTED:pin:1] [REDACTED:email:1] pin=[REDACTED:pin:2]"},
		{"however it is written", `["mara@example.org","mara\u0040example.org","{\"e\":\"mara\\u0040example.org\"}"]`,
			`["[REDACTED:email:1]","[REDACTED:email:1]","{\"e\":\"[REDACTED:email:1]\"}"]`},
		{"a string, a text and a number",
			`{"password":"abc1","b":"password=abc1","pin":4711,"c":{"pin":"4711"},"d":[4012888888881881,"4012888888881881"]}`,
			`{"password":"[REDACTED:password:1]","b":"password=[REDACTED:password:1]","pin":"[REDACTED:pin:1]","c":{"pin":"[REDACTED:pin:1]"},"d":["[REDACTED:card_number:1]","[REDACTED:card_number:1]"]}`},
		{"escapes in it", `[{"password":"a&/é\"\n"},{"password":"\u0061\u0026\/\u00e9\u0022\u000A"},{"password":"a&/é\\\"\n"}] {"password":"\u00`,
			`[{"password":"[REDACTED:password:1]"},{"password":"[REDACTED:password:1]"},{"password":"[REDACTED:password:2]"}] {"password":"[REDACTED:password:3]`},
		{"containers", `{"secret":{"a":[1]},"x":{"secret":{"a":[2]}},"y":{"secret":{"a":[1]}}}`,
			`{"secret":{"a":["[REDACTED:secret:1]"]},"x":{"secret":{"a":["[REDACTED:secret:2]"]}},"y":{"secret":{"a":["[REDACTED:secret:1]"]}}}`},
		{"long numbers", `{"pin":` + strings.Repeat("1", 100) + `,"x":{"pin":` + strings.Repeat("1", 101) + `}}`,
			`{"pin":"[REDACTED:pin:1]","x":{"pin":"[REDACTED:pin:2]"}}`},
		{"what cannot be told has none", "{\"password\": =hunter2}\n", "{\"password\": \"[REDACTED:password]\"\n"},
		{"without quotes", "{\"password\": hunter2}\n", "{\"password\": \"[REDACTED:password:1]\"}\n"},
		{"the end of the input ends it", `{"password":"abc`, `{"password":"[REDACTED:password:1]`},
		{"or a container", `{"secret":[1,`, `{"secret":["[REDACTED:secret:1]",`},
		{"long ones", "ghp_" + strings.Repeat("a1", 5000) + " ghp_" + strings.Repeat("a1", 5001) + " ghp_" +
			strings.Repeat("a1", 5000),
			"[REDACTED:github_token:1] [REDACTED:github_token:2] [REDACTED:github_token:1]"},
		{"keys", strings.Repeat("-----BEGIN PRIVATE KEY-----\nMIIabcdefghij0123456789\n-----END PRIVATE KEY-----\n",
			2), strings.Repeat("[REDACTED:private_key:1]\n", 2)},
		{"matches side by side", "4012888888881881mara@example.org", "[REDACTED:email:1]"},
		{"a marker is left alone",
			`{"password":"[REDACTED:password:3]","pwd":"[REDACTED:email]"} pin=[REDACTED:pin:4096]`,
			`{"password":"[REDACTED:password:3]","pwd":"[REDACTED:email]"} pin=[REDACTED:pin:4096]`},
		{"a false one hides nothing",
			`{"password":"[REDACTED:pin:1]x","pwd":"[REDACTED:pin:04711]","passwd":"[REDACTED:pin:4097]"}`,
			`{"password":"[REDACTED:password:1]","pwd":"[REDACTED:password:2]","passwd":"[REDACTED:password:3]"}`},
		{"nor does a long one", `{"password":"[REDACTED:pin:1` + strings.Repeat("0", 60) + `]"}`,
			`{"password":"[REDACTED:password:1]"}`},
	} {
		if got := string(redacted(t, numbered, Auto, []byte(c.in))); got != c.want {
			t.Errorf("%s:\n%s\ngives\n%s\nnot\n%s", c.name, c.in, got, c.want)
		}
	}
	if got := string(numbered.Value(nil, []byte("a@b.cc"), Lines)); got != "[REDACTED:email]" {
		t.Errorf("a value of no run gives %s", got)
	}
}

// Only so many secrets have a number; the others have none, and those that have one keep it.
func TestNumbersEnd(t *testing.T) {
	var in bytes.Buffer
	for i := range lex.MaxNumbered + 10 {
		fmt.Fprintf(&in, "u%d@example.org\n", i)
	}
	in.WriteString("u0@example.org\n")
	out := string(redacted(t, compile(t, Options{Groups: All, Numbered: true}), Lines, in.Bytes()))
	if n := strings.Count(out, "[REDACTED:email]\n"); n != 10 {
		t.Errorf("%d without a number", n)
	}
	if !strings.Contains(out, fmt.Sprintf("[REDACTED:email:%d]\n[REDACTED:email]\n", lex.MaxNumbered)) ||
		!strings.HasSuffix(out, "[REDACTED:email:1]\n") {
		t.Errorf("ends with %q", out[len(out)-60:])
	}
}

// Inputs of one Reader have one numbering, their counts add up, and each has lines of its own.
func TestReset(t *testing.T) {
	for _, fields := range [][]string{nil, {"e"}} {
		x := NewReader(strings.NewReader("[{\"e\":\"a@b.cc\"}]\n["),
			compile(t, Options{Groups: All, Numbered: true, AllowFields: fields}), Auto)
		var lines []int64
		x.Observe(func(_ string, at Place) { lines = append(lines, at.Line) })
		var out []byte
		for _, next := range []string{"", "{\"e\":\"\xef\xbb", "\xef\xbb\xbf\n{\"e\":\"x@y.zz a@b.cc\"}"} {
			part, err := readAll(t, x)
			if err != io.EOF {
				t.Fatal(err)
			}
			out = append(append(out, part...), '|')
			x.Reset(strings.NewReader(next), Auto)
		}
		part, _ := readAll(t, x)
		const want = "[{\"e\":\"[REDACTED:email:1]\"}]\n[||{\"e\":\"\xef\xbb|\xef\xbb\xbf\n{\"e\":\"[REDACTED:email:2] [REDACTED:email:1]\"}"
		if got := string(append(out, part...)); got != want {
			t.Errorf("%q\nnot\n%q", got, want)
		}
		for rule, n := range x.Counts() {
			if rule != "email" || n != 3 {
				t.Error(rule, n)
			}
		}
		if fields == nil && fmt.Sprint(lines) != "[1 2 2]" {
			t.Error(lines)
		}
	}
}

// Numbers cost nothing where there is no match, and no memory for a secret that is known.
func TestNumberedAllocates(t *testing.T) {
	x := compile(t, Options{Groups: All, Numbered: true}).Text()
	out := make([]byte, 0, 1<<10)
	for _, in := range []string{"an ordinary line of 12 words, with a password policy",
		"a@b.cc password=k3k3k3k3k3 4012888888881881"} {
		text := []byte(in)
		if n := testing.AllocsPerRun(100, func() { out = x.Flush(x.Append(out[:0], text)) }); n != 0 {
			t.Error(n, "allocations for", in)
		}
	}
}
