package redact

import (
	"strings"
	"testing"
)

// prefixes are what programs put before the lines of a text; # is the number of the line.
var prefixes = []string{"", "     #\t", "   #→", "+", "-", "#:", "a/b.yaml:#:", "a/b.yaml-#-", "web-1  | ",
	"2026-01-02T03:04:05.123Z ",
	"build\tRun tests\t2026-01-02T03:04:05.1234567Z ", "> "}

// overLines are structures in which a line says what the lines after it have. The secret is Walnut93xyz, or that in
// base64.
var overLines = []string{
	"apiVersion: v1\nkind: Secret\ndata:\n  hush: V2FsbnV0OTN4eXo=\n",
	"kind: Secret\nstringData:\n  hush: Walnut93xyz\n",
	"apiVersion: v1\nitems:\n- apiVersion: v1\n  data:\n    hush: V2FsbnV0OTN4eXo=\n  kind: Secret\nkind: List\n",
	"db:\n  password:\n    Walnut93xyz\n",
	"password: |\n  Walnut93xyz\nport: 1\n",
	"passwords:\n  - Walnut93xyz\n  - Walnut93xyz\nport: 1\n",
	"env:\n  - name: DB_PASSWORD\n    value: Walnut93xyz\n",
	"env:\n  - name: DB_PASSWORD\n    value: \"Walnut93xyz\"\n  - name: B\n    value: c\n",
	"args:\n  - --password\n  - Walnut93xyz\n",
	"id,password\n1,Walnut93xyz\n",
	"id,password,b\n1,\"Walnut93xyz\nWalnut93xyz \"\"x\"\"\nWalnut93xyz\",y\n2,Walnut93xyz,\"z\n\nw\"\n3,Walnut93xyz,\n",
	"id\tpassword\n1\tWalnut93xyz\n",
	"| id | password |\n|----|----|\n| 1 | Walnut93xyz |\n",
	"ID    NAME   PASSWORD\n1     a      Walnut93xyz\n2     b      Walnut93xyz\n3     c      Walnut93xyz\n",
	"variable \"password\" {\n  type    = string\n  default = \"Walnut93xyz\"\n}\n",
	"privateExponent:\n    57:61:6c:6e:75:74:39:\n    33:78:79:7a\nprime1:\n    00:57:61\npublicExponent: 65537 (0x10001)\n",
	"{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"Walnut93xyz\"\n}\n",
	"<key>password</key>\n<string>Walnut93xyz</string>\n",
	"<property>\n  <name>db.password</name>\n  <value>Walnut93xyz</value>\n</property>\n",
	"<Password>\n  <Value>Walnut93xyz</Value>\n</Password>\n",
	"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: \"a@b\"\nWalnut93xyz4hQ2mX9kV47hQ2mX9kV47hQ2mX9kV4\n" +
		"---- END SSH2 ENCRYPTED PRIVATE KEY ----\n",
	"machine example.org\n  login mara\n  password Walnut93xyz\n",
}

// TestPrefixes holds that a structure over lines is read through what stands before each of them, at any cut.
func TestPrefixes(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range overLines {
		for _, prefix := range prefixes {
			in := prefixed(text, prefix)
			got := string(redacted(t, rules, Auto, []byte(in)))
			if strings.Contains(got, "Walnut93xyz") || strings.Contains(got, "V2FsbnV0OTN4eXo") ||
				strings.Contains(got, "57:61") {
				t.Errorf("%q shows\n%s", prefix, got)
			}
			x := newFilter(rules.set, rules.Text())
			x.start(Lines)
			var cut []byte
			for i := range len(in) {
				cut, _ = x.feed(cut, []byte(in[i:i+1]))
			}
			if cut = x.finish(cut); string(cut) != got && in[0] != '{' {
				t.Errorf("%q byte by byte:\n%s\nnot\n%s", prefix, cut, got)
			}
		}
	}
}

// prefixed puts a prefix before each line.
func prefixed(text, prefix string) string {
	var b strings.Builder
	n := 6
	for line := range strings.Lines(text) {
		n++
		b.WriteString(strings.ReplaceAll(prefix, "#", string(rune('0'+n/10))+string(rune('0'+n%10))) + line)
	}
	return b.String()
}

// TestWrapped holds that a token that whoever wrote the text broke at the end of a line goes with its rest on the next.
func TestWrapped(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for in, want := range map[string]string{
		"x ghp_R7hQ2mX9kV47hQ2mX\n9kV4ZbT5wLqN8sYdCfG y\n":              "x [REDACTED:github_token]\n[REDACTED:github_token] y\n",
		"x ghp_R7hQ2mX9kV47hQ2mX\r\n9kV4ZbT5wLqN8sYdCfG y\r\n":          "x [REDACTED:github_token]\r\n[REDACTED:github_token] y\r\n",
		"a: \"ghp_R7hQ2mX9kV47hQ2\\\n  mX9kV4ZbT5wLqN8sYdCfG\"\nb: 1\n": "a: \"[REDACTED:github_token]\\\n  [REDACTED:github_token]\"\nb: 1\n",
		"x ghp_R7hQ2mX9kV47hQ2mX\nand the next line\n":                  "x [REDACTED:github_token]\nand the next line\n",
		"x ghp_R7hQ2mX9kV47hQ2mX\n\n9kV4ZbT5wLqN8sYdCfG y\n":            "x [REDACTED:github_token]\n\n9kV4ZbT5wLqN8sYdCfG y\n",
		"x ghp_R7hQ2mX9kV47hQ2mX\n{\"a\":\"9kV4ZbT5wLqN8sYdCfG\"}\n":    "x [REDACTED:github_token]\n{\"a\":\"9kV4ZbT5wLqN8sYdCfG\"}\n",
	} {
		if got := string(redacted(t, rules, Auto, []byte(in))); got != want {
			t.Errorf("%q\ngives %q\n not %q", in, got, want)
		}
	}
}
