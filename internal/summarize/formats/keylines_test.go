package formats

import (
	"strings"
	"testing"
)

func TestCutKey(t *testing.T) {
	for _, test := range []struct{ line, name, value string }{
		{"Section: libs", "Section", "libs"},
		{"cpu MHz\t\t: 2400.010", "cpu MHz", "2400.010"},
		{"net.core.somaxconn = 128", "net.core.somaxconn", "128"},
		{"    * STA channel width: 20 MHz ", "STA channel width", "20 MHz"},
		{"  - image: web:1.2", "image", "web:1.2"},
		{"< Content-Length: 80", "< Content-Length", "80"},
		{"> Host: example.org:80", "> Host", "example.org:80"},
		{"Größe (kB):\t12", "Größe (kB)", "12"},
		{"a: b: c", "a", "b: c"},
		{"ActiveState=active", "ActiveState", "active"},
		{`  PRETTY_NAME="Some Linux 12" `, "PRETTY_NAME", "Some Linux 12"},
		{"a=b=c", "a", "b=c"},
		{"GOARCH='amd64'", "GOARCH", "amd64"},
		{"LENGTH : '466'", "LENGTH", "466"},
		{`name: "x y"`, "name", "x y"},
		{`a: ''`, "a", "''"},
		{`a: "x'`, "a", `"x'`},
		{"ticket_id     | 88100", "ticket_id", "88100"},
		{line: "ticket_id     |"},
		{line: "ticket_id     | "},
		{line: "a | b | c"},
		{line: " cmd/turn.go | 12 +++---"},
		{line: " README.md   |  3 ++-"},
		{"change | 3 + 4", "change", "3 + 4"},
		{line: "a|b"},
		{line: "a| b"},
		{line: "| a"},
		{line: "a==b"},
		{line: "a=>b"},
		{line: "a=~/b/"},
		{line: "default=None,"},
		{line: "metavar=None):"},
		{line: "parts=["},
		{`CMD="a" "b"`, "CMD", `"a" "b"`},
		{"a=", "a", ""},
		{"  a.b=", "a.b", ""},
		{line: "a b="},
		{line: "a =="},
		{"HOME=~/data", "HOME", "~/data"},
		{line: "a=~x"},
		{`a=""`, "a", `""`},
		{line: "a(b)=c"},
		{line: strings.Repeat("x", LongestKey+1) + "=y"},
		{line: "2026-01-02 10:00:00 up: yes"},
		{line: "10:00 up: yes"},
		{line: "main.go:12: undefined: x"},
		{line: "Labels:"},
		{line: "Labels: "},
		{"a=1 b", "a", "1 b"},
		{line: "https://example.com/ x"},
		{line: "one two three four five: x"},
		{line: "x\ty: z"},
		{line: "[x]: y"},
		{line: "\"x\": y"},
		{line: strings.Repeat("x", LongestKey+1) + ": y"},
		{line: "- - x: y"},
		{line: ""},
		{line: "a"},
		{line: "a :"},
	} {
		name, value, ok := CutKey([]byte(test.line))
		if ok != (test.name != "") || ok && (string(name) != test.name || string(value) != test.value) {
			t.Errorf("%q: %q, %q, %t", test.line, name, value, ok)
		}
	}
}

func TestPairsOfLine(t *testing.T) {
	for _, test := range []struct{ line, pairs string }{
		{`kernel: [UFW BLOCK] IN=eth0 OUT= SRC=10.0.0.1 DF PROTO=TCP`, `IN=eth0|SRC=10.0.0.1|PROTO=TCP`},
		{`"Syncing pod" pod="a/b c" err="said \"no\"" took=1.5s`, `pod=a/b c|err=said "no"|took=1.5s`},
		{`job ctx={a x=1 y=2} labels=[app=web tier=db] call=foo(a b=2) n=0`, `n=0`},
		{`UPDATE t SET a=1, b='x y' WHERE id=1;`, `a=1|id=1`},
		{`he said "a=1 b=2 c=3`, `b=2|c=3`},
		{`a=>b c=~/d/ e==f`, ``},
		{`<a id=menu0>text</a> <b x=1 y=<z>`, `x=1|y=<z>`},
		{`to=<x@y>, relay=mx[10.0.0.1]:25, status=sent (250 ok)`, `to=<x@y>|relay=mx[10.0.0.1]:25|status=sent`},
		{`a=1; b=[x] c=f(y); (d=2)`, `a=1|b=[x]|c=f(y)`},
		{`f({st_mode=S_IFREG, st_size=3}, g(a=1, b=2)) = 0`, ``},
		{`say "a=1 b=2" c=3`, `c=3`},
		{`say "a=1 b="2 c="`, ``},
		{`--color=auto -Dx=1 9a=1 =x y= z`, ``},
		{`a==1 b=~x c="" d==`, ``},
		{`x) a=1 b='2' c='3 d=4'`, `a=1|b=2|d=4'`},
		{`in=~/a out=~/b`, `in=~/a|out=~/b`},
		{`http://h/?q=1&r=2`, ``},
		{`a=1`, `a=1`},
		{`a=`, ``},
		{`a="`, ``},
		{``, ``},
		{strings.Repeat("x", LongestKey+1) + `=1`, ``},
	} {
		var got []string
		for pairs := (Pairs{line: []byte(test.line)}); ; {
			name, value, ok := pairs.Next()
			if !ok {
				break
			}
			got = append(got, string(name)+"="+string(value))
		}
		if strings.Join(got, "|") != test.pairs {
			t.Errorf("%s: %q", test.line, got)
		}
	}
}

// TestSignsBeforeKeys: a name and its value are the same whatever sign of a list or of a plan is before them.
func TestSignsBeforeKeys(t *testing.T) {
	for _, sign := range []string{"", "  ", "- ", "* ", "  + ", "\t~ "} {
		for line, value := range map[string]string{`water = 3`: "3", `water: often`: "often", `water="x y"`: "x y"} {
			if name, got, ok := CutKey([]byte(sign + line)); !ok || string(name) != "water" || string(got) != value {
				t.Errorf("%q: %q, %q, %t", sign+line, name, got, ok)
			}
		}
	}
}
