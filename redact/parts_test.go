package redact

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

const hiddenValue, hiddenPacked = "hunter2abcDEF99x", "aHVudGVyMmFiY0RFRjk5eA=="

// beginnings are parts of a text that end with a line and leave nothing open: values of JSON, and
// what looks like some.
var beginnings = []string{
	"{}\n", "[]\n", "{\"ok\":1}\n", "[1]\n", "[1, 2]\r\n", "null\n", "\"x\"\n", "12\n", "{{ x }}\n", "{ x: 1 }\n",
	"[a, b]\n", "[\"a\", b]\n", "[info] up\n", "[2026-03-01 10:00:00,123] up\n", "[ 0.014938] up\n", "[section]\n",
	"[1/300] up\n", "[1] up\n", "{\"a\":1} up\n", "{}{}\n", "[1] [2]\n", "# x\n", "---\ntitle: x\n---\n",
	"{\n  \"a\": 1\n}\n", "[\n  1,\n  2\n]\n", "[1,\n2]\n", "[\"a\",\n\"b\"]\n", "{\"a\":1}\n{\"a\":2}\n",
	"{\"a\":[{\"b\":1}\n,{\"b\":2}\n]}\n", "{\n  // x\n  \"a\": NaN,\n  \"b\": {\n  \"c\": 1}\n}\n", "  {}\n", "\t[]\n",
	"\ufeff{}\n", "{\"id\":1,\"password\":\"" + hiddenValue + "\"}\n", "[\"--password\", \"" + hiddenValue + "\"]\n",
	"{\"password\":{\n\"old\":\"" + hiddenValue + "\"}}\n", "[[\"id\",\"password\"],\n[\"1\",\"" + hiddenValue + "\"]]\n",
	"{\"password\":\n\"" + hiddenValue + "\"}\n", "[" + strings.Repeat("1234, ", 60) + "1]\n", "[\"up\"] = 1\n",
}

// positions are texts whose values are found by where they stand.
var positions = []string{
	"id,password\n1," + hiddenValue + "\n",
	"\"id\",\"password\"\n\"1\",\"" + hiddenValue + "\"\n",
	"id\tpassword\n1\t" + hiddenValue + "\n",
	"| id | password |\n|----|----|\n| 1 | " + hiddenValue + " |\n",
	"ID    NAME   PASSWORD\n1     a      " + hiddenValue + "\n2     b      " + hiddenValue + "\n3     c      " +
		hiddenValue + "\n",
	"machine a.example login b\n  password " + hiddenValue + "\n",
	"password:\n  " + hiddenValue + "\n",
	"password: |\n  " + hiddenValue + "\n",
	"password: |\n  {\"a\":\"" + hiddenValue + "\"}\n  " + hiddenValue + "\n",
	"password: [\n  a, " + hiddenValue + "]\n",
	"name: password\nvalue: " + hiddenValue + "\n",
	"args:\n- --password\n- " + hiddenValue + "\n",
	"kind: Secret\ndata:\n  foo: " + hiddenPacked + "\n",
	"apiVersion: v1\ndata:\n  foo: " + hiddenPacked + "\nkind: Secret\n",
	"INSERT INTO users (id, password) VALUES\n(1, '" + hiddenValue + "');\n",
	"variable \"password\" {\n  default = \"" + hiddenValue + "\"\n}\n",
}

// A text is what each of its parts is: what comes before a part changes nothing.
func TestParts(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, format := range []Format{Auto, Lines, JSON} {
		alone := map[string]string{}
		for _, part := range append(beginnings, positions...) {
			alone[part] = string(redacted(t, rules, format, []byte(part)))
		}
		for _, first := range beginnings {
			for _, next := range positions {
				for _, in := range []string{first + next, first + first + next} {
					want := strings.NewReplacer(first, alone[first], next, alone[next]).Replace(in)
					got := string(redacted(t, rules, format, []byte(in)))
					if got != want {
						t.Fatalf("format %d\n%s\nis\n%s\nand not\n%s", format, in, got, want)
					}
					if strings.Contains(got, hiddenValue) || strings.Contains(got, hiddenPacked) {
						t.Fatalf("format %d\n%s\nshows the value\n%s", format, in, got)
					}
					if got, _ := readAll(t, NewReader(&pieces{[]byte(in), one, io.EOF}, rules, format)); string(got) != want {
						t.Fatalf("format %d, byte by byte\n%s\nis\n%s\nand not\n%s", format, in, got, want)
					}
				}
			}
		}
	}
}

// A value of JSON that is cut off, or broken, ends where text begins.
func TestPartsAfterBroken(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, first := range []string{
		"{\"a\":\n", "{\"a\":[\n", "{\n", "{\"a\":\"b\n", "{\"a\":[1}\n", "{\"a\":1},\n", "{\"kind\":\"Secret\",\n",
		"{\"args\":[\"--password\",\n", "{\"items\":[{\"apiVersion\":\"v1\",\n", "[[\"id\",\"password\"],\n", "\"a\":\n",
		"{\"name\":\"password\"\n", "{\"value\":\"x1\"\n", "{\n  \"a\": NaN,\n", "{\n  \"a\": [\n    \"b\",\n",
	} {
		for _, next := range positions {
			for _, format := range []Format{Auto, Lines, JSON} {
				in := []byte("up\n" + first + next)
				for _, in := range [][]byte{in, in[3:]} {
					if got := redacted(t, rules, format, in); bytes.Contains(got, []byte(hiddenValue)) ||
						bytes.Contains(got, []byte(hiddenPacked)) {
						t.Errorf("format %d\n%s\nshows the value\n%s", format, in, got)
					}
				}
			}
		}
	}
}
