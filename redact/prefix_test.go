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
			in := prefixed(text, prefix, "#")
			got := string(redacted(t, rules, Auto, []byte(in)))
			if strings.Contains(got, "Walnut93xyz") || strings.Contains(got, "V2FsbnV0OTN4eXo") ||
				strings.Contains(got, "57:61") {
				t.Errorf("%q shows\n%s", prefix, got)
			}
			if cut := byteByByte(rules, Lines, in); cut != got && in[0] != '{' {
				t.Errorf("%q byte by byte:\n%s\nnot\n%s", prefix, cut, got)
			}
		}
	}
}

// labels are prefixes without a known form: all lines have the same prefix, and only its numbers differ. @ stands for
// the number of the line.
var labels = []string{"   @   \u2502 ", "[pod/web-x/web] ", "Nov 28 10:12:@ web1 app[900]: ", "#12 0.4@ ", "[INFO] ",
	"09:14:@ ", "[09:14:@] ", "# ", "// ", " * ", "E       ", "remote: ", "host: ", "      + ", "| ", "~ ",
	"3f2a1bc9 (Mara Lind 2024-03-01 10:12:44 +0100 @) "}

// belowNames are structures in which a line has the name and later lines have the values.
var belowNames = []string{
	"kind: Secret\ndata:\n  hush: V2FsbnV0OTN4eXo=\n",
	"apiVersion: v1\ndata:\n  hush: V2FsbnV0OTN4eXo=\nkind: Secret\n",
	"passwords:\n  - Walnut93xyz\n  - Walnut93xyz\nport: 1\n",
	"api_key: |\n  Walnut93xyz\nmode: fast\n",
	"env:\n- name: DB_PASSWORD\n  value: Walnut93xyz\n- name: MODE\n  value: fast\n",
}

// TestLabels: secrets behind such prefixes are redacted, also byte by byte, and lines of other programs between them do
// not end the structure.
func TestLabels(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range belowNames {
		for _, label := range labels {
			all := prefixed(text, label, "@")
			boxed := strings.ReplaceAll(all, "\n", "    "+strings.TrimRight(label[strings.LastIndex(
				strings.TrimRight(label, " "), " ")+1:], " ")+"\n")
			for _, in := range []string{all, strings.ReplaceAll(all, "\n", "\nother: done\n"), boxed} {
				if strings.Contains(in, boxed) && !strings.ContainsAny(label, "|\u2502") {
					continue
				}
				got := string(redacted(t, rules, Auto, []byte(in)))
				if strings.Contains(got, "Walnut93xyz") || strings.Contains(got, "V2FsbnV0OTN4eXo") {
					t.Errorf("%q shows\n%s", label, got)
				}
				if strings.Contains(text, "fast") && !strings.Contains(got, "fast") {
					t.Errorf("%q hides too much:\n%s", label, got)
				}
				if cut := byteByByte(rules, Lines, in); cut != got {
					t.Errorf("%q byte by byte:\n%s\nnot\n%s", label, cut, got)
				}
			}
		}
	}
}

// TestOtherLabels: a line with another prefix is no value of a name above it.
func TestOtherLabels(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, in := range []string{
		"[INFO] password:\n[WARN]   Granite88moor\n",
		"Nov 28 10:12:01 web1 app[900]: kind: ConfigMap\nNov 28 10:12:01 web1 app[900]: data:\n" +
			"Nov 28 10:12:01 web1 app[900]:   hush: V2FsbnV0OTN4eXo=\n",
		"asked for the new password: [once]\nasked for   Granite88moor\n",
		"# password:\n#   the one of the admin, at least 8 characters\n# port: 1\n",
		" * @param password:\n *   The password of the user\n",
		"// apiKey:\n//   the key\n//   string\n",
		"web-1  | - name: DB_PASSWORD\ndb-1   |   value: Granite88moor\n",
	} {
		stays(t, rules, in)
	}
}

// TestOthersBetween: a line of another program may begin a structure of its own.
func TestOthersBetween(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, said := range []string{"[INFO] password:\n", "12:passwords: [\n13: a ]\n"} {
		for _, text := range []string{"id,password\n1,Walnut93xyz\n", "password:\n  Walnut93xyz\n"} {
			in := said + "done\n" + text
			if got := string(redacted(t, rules, Auto, []byte(in))); strings.Contains(got, "Walnut93xyz") {
				t.Errorf("%q gives\n%s", in, got)
			}
		}
	}
}

// TestBoxedKey holds that a private key in a box is a key.
func TestBoxedKey(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	body := strings.Repeat("MIIEow7hQ2mX9kV4ZbT5wLqN8sYdCfG0", 2)
	for _, side := range []string{"|", "\u2502"} {
		var in strings.Builder
		for _, line := range []string{"-----BEGIN RSA PRIVATE KEY-----", body, body, "-----END RSA PRIVATE KEY-----", "port"} {
			in.WriteString(side + " " + line + strings.Repeat(" ", 64-len(line)) + " " + side + "\n")
		}
		got := string(redacted(t, rules, Auto, []byte(in.String())))
		if strings.Contains(got, "7hQ2mX9kV4") || !strings.Contains(got, "port") {
			t.Errorf("%q gives\n%s", side, got)
		}
	}
}

// prefixed puts a prefix before each line, in which number stands for that of the line.
func prefixed(text, prefix, number string) string {
	var b strings.Builder
	n := 6
	for line := range strings.Lines(text) {
		n++
		b.WriteString(strings.ReplaceAll(prefix, number, string(rune('0'+n/10))+string(rune('0'+n%10))) + line)
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
