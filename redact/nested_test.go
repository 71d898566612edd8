package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/internal/testdepth"
)

func asString(s string) string {
	b, _ := json.Marshal(s) // of a string it never fails
	return string(b)
}

// asStrings puts a value in a string in a string, so many times, each the value of a field.
func asStrings(value string, times int) string {
	for range times {
		value = `{"body":` + asString(value) + `}`
	}
	return value
}

// outOfStrings is what asStrings was given.
func outOfStrings(t *testing.T, value []byte, times int) []byte {
	t.Helper()
	for range times {
		var x struct{ Body string }
		if err := json.Unmarshal(value, &x); err != nil {
			t.Errorf("%v: %s", err, value)
			return nil
		}
		value = []byte(x.Body)
	}
	return value
}

// A value in a string is redacted as one that is in none, and is JSON after that.
func TestNested(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	numbered := compile(t, Options{Groups: All, Numbered: true})
	long := strings.Repeat("7", 300)
	for in, want := range map[string]string{
		`{"pin":` + long + `,"n":[1]}`:                                  `{"pin":"[REDACTED:pin]","n":[1]}`,
		`{"pin":{"a":"` + long + `"},"n":1}`:                            `{"pin":{"a":"[REDACTED:pin]"},"n":1}`,
		`{"pin":"` + long + `","n":1}`:                                  `{"pin":"[REDACTED:pin]","n":1}`,
		`{"n":1,"pin":` + long:                                          `{"n":1,"pin":"[REDACTED:pin]"`,
		`{"n":1,"pin":[` + long:                                         `{"n":1,"pin":["[REDACTED:pin]"`,
		`{"ssn":78051120,"n":[1,2]}`:                                    `{"ssn":"[REDACTED:ssn]","n":[1,2]}`,
		`{"password":{"old":"x","n":[1]},"n":1}`:                        `{"password":{"old":"[REDACTED:password]","n":["[REDACTED:password]"]},"n":1}`,
		`{"password":["x","y"],"n":1}`:                                  `{"password":["[REDACTED:password]","[REDACTED:password]"],"n":1}`,
		`{"password":"x y\"z","n":"x"}`:                                 `{"password":"[REDACTED:password]","n":"x"}`,
		`{"password":"","cvv":null,"n":"x"}`:                            `{"password":"","cvv":null,"n":"x"}`,
		`[{"name":"DB_PASSWORD","value":"x"}]`:                          `[{"name":"DB_PASSWORD","value":"[REDACTED:password]"}]`,
		`["login","--password","hunter22","-v"]`:                        `["login","--password","[REDACTED:password]","-v"]`,
		"\n [ {\"cvv\" : 123},\n{\"cvv\": 4} ]":                         "\n [ {\"cvv\" : \"[REDACTED:cvv]\"},\n{\"cvv\": \"[REDACTED:cvv]\"} ]",
		`{"password":"[REDACTED:password]"}`:                            `{"password":"[REDACTED:password]"}`,
		`{"card":4012888888881881,"a\/b":"\u00e9"}`:                     `{"card":"[REDACTED:card_number]","a\/b":"\u00e9"}`,
		"done\n{\"cvv\":123}\n  {\"cvv\":4}\ncvv: no":                   "done\n{\"cvv\":\"[REDACTED:cvv]\"}\n  {\"cvv\":\"[REDACTED:cvv]\"}\ncvv: no",
		"It is:\n{\n \"cvv\": 123,\n \"a\": {\"cvv\": [4]}\n}\ncvv: no": "It is:\n{\n \"cvv\": \"[REDACTED:cvv]\",\n \"a\": {\"cvv\": [\"[REDACTED:cvv]\"]}\n}\ncvv: no",
	} {
		for times := 1; times <= maxNested; times++ {
			out := redacted(t, rules, JSON, []byte(asStrings(in, times)))
			if got := string(outOfStrings(t, out, times)); got != want {
				t.Errorf("in %d strings %s\ngives\n%s\nnot\n%s", times, in, got, want)
			}
			withNumbers := redacted(t, numbered, JSON, []byte(asStrings(in, times)))
			if without := withoutNumbers(withNumbers); !bytes.Equal(without, out) ||
				strings.Contains(want, lex.MarkerStart) && bytes.Equal(without, withNumbers) &&
					!strings.Contains(in, lex.MarkerStart) {
				t.Errorf("in %d strings %s\ngives with numbers\n%s\nand without\n%s", times, in, withNumbers, out)
			}
		}
	}
}

// An object in a line of text, or of a string, is read as JSON as well: what is no string, pairs and arguments.
// Whether a string is a secret, and what is broken, is for the rules for texts, which know code.
func TestNestedInLines(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for in, want := range map[string]string{
		`data: {"ssn":78051120,"n":1} done`:                `data: {"ssn":"[REDACTED:ssn]","n":1} done`,
		`10:00 got {"a":{"cvv":4}} and {"pin":[1,2]}`:      `10:00 got {"a":{"cvv":"[REDACTED:cvv]"}} and {"pin":["[REDACTED:pin]","[REDACTED:pin]"]}`,
		`env [{"name":"DB_PASSWORD","value":"x"},{"b":1}]`: `env [{"name":"DB_PASSWORD","value":"[REDACTED:password]"},{"b":1}]`,
		`got {"a":"{\"cvv\":123}"}, mara@example.org`:      `got {"a":"{\"cvv\":\"[REDACTED:cvv]\"}"}, [REDACTED:email]`,
		`got {"password":[REDACTED:password]}`:             `got {"password":[REDACTED:password]}`,
		`got {"cvv":123,"mail":"mara@example.org`:          `got {"cvv":[REDACTED:cvv],"mail":"[REDACTED:email]`,
		`got {"cvv":123,x "password":"hunter22"}`:          `got {"cvv":[REDACTED:cvv],x "password":"[REDACTED:password]"}`,
		`const a = {"password": "is too short", "b": 1}`:   `const a = {"password": "is too short", "b": 1}`,
		`f({"token": token, "args": [1, 2]}, "x")`:         `f({"token": token, "args": [1, 2]}, "x")`,
		`a {"token": null, "pin": "", "n": {"x": 1}} b {`:  `a {"token": null, "pin": "", "n": {"x": 1}} b {`,
	} {
		if got := string(redacted(t, rules, Lines, []byte(in))); got != want {
			t.Errorf("%s\ngives\n%s\nnot\n%s", in, got, want)
		}
		inJSON := `{"body":` + asString("so\n"+in) + `}`
		if got := string(outOfStrings(t, redacted(t, rules, JSON, []byte(inJSON)), 1)); got != "so\n"+want {
			t.Errorf("in a string %s\ngives\n%s\nnot\n%s", in, got, want)
		}
	}
}

// What is broken in a string, or begins as a value and is none, is for the rules for texts, to which nothing is lost
// by that.
func TestNestedBroken(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for in, want := range map[string]string{
		`{"password": hunter22, "m":"b@c.dev"}`:                 `{"password": [REDACTED:password], "m":"[REDACTED:email]"}`,
		`{"password"=>"hunter22", "m"=>"b@c.dev"}`:              `{"password"=>"[REDACTED:password]", "m"=>"[REDACTED:email]"}`,
		"{\"password\":\"a\" hunter22\n} b@c.dev":               "{\"password\":\"a\" hunter22\n} [REDACTED:email]",
		"{\"password\":{\"a\":$1,\n\"b\":1}, c@d.dev":           "{\"password\":{\"a\":$1,\n\"b\":1}, [REDACTED:email]",
		`{"password":"hunter22`:                                 `{"password":"[REDACTED:password]`,
		"{{ if .password }}\npassword: hunter22\n{{ end }}":     "{{ if .password }}\npassword: [REDACTED:password]\n{{ end }}",
		"{# x #}\nenv:\n- name: DB_PASSWORD\n  value: hunter22": "{# x #}\nenv:\n- name: DB_PASSWORD\n  value: [REDACTED:password]",
		"[INFO] password: hunter22\nb@c.dev {\"cvv\":1}":        "[INFO] password: [REDACTED:password]\n[REDACTED:email] {\"cvv\":\"[REDACTED:cvv]\"}",
	} {
		for times := 1; times < maxNested; times++ {
			out := redacted(t, rules, JSON, []byte(asStrings(in, times)))
			if got := string(outOfStrings(t, out, times)); got != want {
				t.Errorf("in %d strings %s\ngives\n%s\nnot\n%s", times, in, got, want)
			}
			if again := redacted(t, rules, JSON, out); !bytes.Equal(again, out) {
				t.Errorf("twice\n%s\nonce\n%s", again, out)
			}
		}
	}
}

// A value that is longer than what is held is redacted as it comes, and so is a long one within it.
func TestNestedLong(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	pad := strings.Repeat("words of no use, ", 2*maxHeld/17)
	for in, want := range map[string]string{
		`{"cvv":123,"pad":"` + pad + `","pin":[4],"n":1}`: `{"cvv":"[REDACTED:cvv]","pad":"` +
			pad + `","pin":["[REDACTED:pin]"],"n":1}`,
		`{"n":1,"pin":{"a":["` + pad + `",{"b":"` + pad +
			`"}]},"cvv":123}`: `{"n":1,"pin":{"a":["[REDACTED:pin]",{"b":"[REDACTED:pin]"}]},"cvv":"[REDACTED:cvv]"}`,
		`{"n":1,"pin":"` + pad + "\u200b" + pad +
			`","cvv":123}`: `{"n":1,"pin":"[REDACTED:pin]","cvv":"[REDACTED:cvv]"}`,
		`{"pad":"` + pad + `","pin":[REDACTED:pin],"m":"b@c.dev"}`: `{"pad":"` + pad +
			`","pin":[REDACTED:pin],"m":"[REDACTED:email]"}`,
		`{"pad":"` + pad + `","pin":{"a":"` + pad + `" x` + "\n" + `m: b@c.dev`: `{"pad":"` + pad +
			`","pin":{"a":"[REDACTED:pin]" x` + "\n" + `m: [REDACTED:email]`,
	} {
		for times := 1; times < maxNested; times++ {
			whole := []byte(asStrings(in, times))
			out := redacted(t, rules, JSON, whole)
			if got := string(outOfStrings(t, out, times)); got != want {
				t.Errorf("in %d strings %.60s\ngives\n%s\nnot\n%s", times, in, strings.ReplaceAll(got, pad, "..."),
					strings.ReplaceAll(want, pad, "..."))
			}
			for seed := range uint64(3) {
				cut, err := readAll(t, NewReader(&pieces{whole, someOf(seed, false), io.EOF}, rules, JSON))
				if err != io.EOF || !bytes.Equal(cut, out) {
					t.Errorf("in %d strings %.60s\nin pieces (%d)\n%s\nin one\n%s", times, in, seed,
						bytes.ReplaceAll(cut, []byte(pad), []byte("...")),
						bytes.ReplaceAll(out, []byte(pad), []byte("...")))
				}
			}
			cut, err := readAll(t, NewReader(&pieces{whole, one, io.EOF}, rules, JSON))
			if err != io.EOF || !bytes.Equal(cut, out) {
				t.Errorf("in %d strings %.60s: byte by byte another", times, in)
			}
		}
	}
}

// Code is no JSON, though it may begin as that does.
func TestNestedIsNoCode(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, in := range []string{
		`h := http.Header{"Set-Cookie": {cs}}`,
		`h := http.Header{"Authorization": []string{"Bearer " + tok}}`,
		`f(map[string]any{"password": []byte(pw), "n": 1})`,
		`const s = new Schema({"password": {type: String, required: true}})`,
		`d = {"password": [x for x in y], "pin": {'old': old}}`,
		`x: {"password": {{ .Values.password }}}`,
		`x {"token": [tokenA, tokenB]}, {"password": [...args]}, {"password": [var.x]}`,
		`x {"pin": 3 + 4}, {"pin": 1.5e3 * x}, {"password": {`,
	} {
		for _, whole := range []string{in, `{"body":` + asString(in) + `}`, `{"body":` + asString("so\n"+in) + `}`} {
			if got := string(redacted(t, rules, Auto, []byte("a line\n"+whole+"\n"))); got != "a line\n"+whole+"\n" {
				t.Errorf("%s\ngives\n%s", whole, got)
			}
		}
	}
}

// What a string holds that nothing is hidden in stays as it is written, however that is.
func TestNestedStaysAsItIsWritten(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, in := range []string{
		`{"body":"{\u0022a\u0022:\"\/\u003c\\u00e9\",\"password\":\"\",\"n\":1}"}`,
		`{"body":"{\"level\":\"info\",\"tokens\":12,\"msg\":\"password reset\"}\n"}`,
		`{"body":"{{ .Values.password }}"}`,
		`{"Action":["secretsmanager:GetSecretValue","secretsmanager:DescribeSecret","secretsmanager:Put*"]}`,
		`{"body":"{\"Action\":[\"secretsmanager:GetSecretValue\",\"secretsmanager:DescribeSecret\"]}"}`,
		`{"body":"[INFO] no password was asked for"}`,
		`{"body":"[ +604800000"}`,
		`{"body":"{ 2 030112 345"}`,
	} {
		if got := string(redacted(t, rules, JSON, []byte(in))); got != in {
			t.Errorf("%s\ngives\n%s", in, got)
		}
	}
}

// TestNestedCollections: what reads like a collection of YAML and is JSON in strings stays JSON.
func TestNestedCollections(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, value := range []string{
		`{"cache api_key":{"x=key":-2.5,"y.key":78051120}}`,
		`{"db password":{"key":-2.5,"list":[1e3,{"n":17}]}}`,
		`{"the pin":{"a":{"y-session":604800000,"z":"text"}}}`,
	} {
		for times := 1; times <= maxNested; times++ {
			out := redacted(t, rules, JSON, []byte(asStrings(value, times)))
			var got any
			if !isInStrings(out, times, &got) {
				t.Errorf("in %d strings\n%s\ngives\n%s", times, value, out)
			}
		}
	}
}

// Whatever is hidden in a value is hidden in a string that holds it. The string holds JSON after that, if no match
// goes past the end of what it is in, as a private key does that does not end.
func TestNestedHidesAsMuch(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	m := madeUp{rand.New(rand.NewPCG(7, 11))}
	hidden, broken := 0, 0
	for range testdepth.Cases(5_000) {
		value := m.valueOf(3)
		plain := redacted(t, rules, JSON, []byte(value))
		times := 1 + m.IntN(maxNested)
		nested := redacted(t, rules, JSON, []byte(asStrings(value, times)))
		var a, b any
		if err := json.Unmarshal(plain, &a); err != nil {
			t.Fatalf("%s: %v", plain, err)
		}
		if !isInStrings(nested, times, &b) {
			if !strings.Contains(value, "-----BEGIN") {
				broken++
			}
			continue
		}
		if shown := shownOnly(a, b); shown != "" {
			t.Fatalf("in %d strings\n%s\ngives\n%s\nwhich shows %q that is hidden in\n%s", times, value, nested,
				shown, plain)
		}
		if bytes.Contains(plain, []byte(lex.MarkerStart)) {
			hidden++
		}
	}
	if hidden < testdepth.Cases(1_000) || broken > testdepth.Cases(400) {
		t.Errorf("something was hidden in %d, and %d without a private key are no JSON", hidden, broken)
	}
}

// isInStrings takes a value out of so many strings, and says whether all of them hold JSON.
func isInStrings(in []byte, times int, value *any) bool {
	for range times {
		var x struct{ Body string }
		if json.Unmarshal(in, &x) != nil {
			return false
		}
		in = []byte(x.Body)
	}
	return json.Unmarshal(in, value) == nil
}

// shownOnly returns a leaf of b that is another in a, and not hidden in b.
func shownOnly(a, b any) string {
	switch b := b.(type) {
	case string:
		if strings.Contains(b, lex.MarkerStart) || strings.Trim(b, "\u200b") == "" { // which is not seen
			return ""
		}
	case map[string]any:
		if a, ok := a.(map[string]any); ok {
			for name, x := range b {
				if y, ok := a[name]; ok {
					if shown := shownOnly(y, x); shown != "" {
						return shown
					}
				}
			}
			return ""
		}
	case []any:
		if a, ok := a.([]any); ok && len(a) == len(b) {
			for i := range b {
				if shown := shownOnly(a[i], b[i]); shown != "" {
					return shown
				}
			}
			return ""
		}
	}
	if fmt.Sprint(a) != fmt.Sprint(b) {
		return fmt.Sprint(b)
	}
	return ""
}

// valueOf is a value of JSON with others in it, so deep.
func (m madeUp) valueOf(depth int) string {
	var b strings.Builder
	switch kind := m.IntN(7); {
	case depth > 0 && (kind < 3 || depth == 3):
		b.WriteByte('{')
		for i := range m.IntN(5) {
			if i > 0 {
				b.WriteString(m.of(",", ", ", ",\n"))
			}
			b.WriteString(asString(m.name()) + m.of(":", ": ") + m.valueOf(depth-1))
		}
		b.WriteByte('}')
	case depth > 0 && kind == 3:
		b.WriteByte('[')
		for i := range m.IntN(4) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(m.valueOf(depth - 1))
		}
		b.WriteByte(']')
	case kind == 4:
		return m.of("1", "-2.5", "true", "null", "78051120", "4012888888881881", "+1e3"[1:], "12345678901234567890")
	case kind == 5:
		return asString(m.value())
	default:
		return asString(m.text())
	}
	return b.String()
}
