package redact

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/commands"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

const commandSecret = "walnut-Tree93x" // no rule finds it without the program

// line returns a command line that gives a secret as s says, as arguments.
func lineOf(s *names.Synopsis) []string {
	argv := append([]string{s.Program}, s.Commands...)
	for _, operand := range s.Operands {
		argv = append(argv, strings.NewReplacer("NAME", "DB_PASSWORD", "DRIVE", "Z", "SHARE", `srv\x`).Replace(operand))
	}
	value := s.Lead + commandSecret
	if s.IsUser {
		value = "mara" + value
	}
	switch {
	case s.IsGlued:
		return append(argv, s.Flag+value)
	case s.Flag != "":
		return append(argv, s.Flag, value)
	}
	return append(argv, value)
}

// Each synopsis holds in a script, over lines that go on, in lists of strings and of YAML, and in JSON.
func TestSynopses(t *testing.T) {
	rules := compile(t, Options{Groups: Secrets})
	for i := range names.Synopses() {
		s := &names.Synopses()[i]
		argv := lineOf(s)
		texts := []string{
			strings.Join(argv, " "),
			"$ sudo " + strings.Join(argv, " ") + " x\n",
			"root 7 0.0 /usr/bin/" + strings.Join(argv, " ") + "; true",
			`sh -c "` + strings.Join(argv, " ") + `"`,
		}
		asList, err := json.Marshal(argv)
		if err != nil {
			t.Fatal(err)
		}
		isAnchor := slices.Contains(commands.ProgramName{}.Anchors(), names.FoldDigits(strings.ToLower(s.Program)))
		if s.Flag != "" && isAnchor {
			texts = append(texts, s.Program+" -v \\\n    "+strings.Join(argv[1:], " \\\n  ")+"\n")
		}
		if isAnchor && !slices.ContainsFunc(s.Commands, func(w string) bool { return w[0] == '-' }) {
			texts = append(texts, `{"argv":`+string(asList)+"}\n", `{"a":1,"argv":["sudo",`+string(asList)[1:]+"}\n")
			if !strings.Contains(string(asList), `\`) {
				texts = append(texts, "CMD "+string(asList)+"\n",
					"run("+strings.ReplaceAll(string(asList), `"`, "'")+")")
			}
			if !slices.Contains(argv, "Z:") { // a key of YAML
				quoted := `    - "` + strings.ReplaceAll(strings.Join(argv[1:], "\"\n    - \""), `\`, `\\`) + "\"\n"
				texts = append(texts, "args:\n- "+strings.Join(argv, "\n- ")+"\nname: x\n",
					"  args:\n    - /usr/bin/"+s.Program+"\n"+quoted)
			}
		}
		for _, text := range texts {
			got := string(redacted(t, rules, Auto, []byte(text)))
			if strings.Contains(got, commandSecret) || !strings.Contains(got, lex.MarkerStart) {
				t.Errorf("%s %s: %q gives %q", s.Program, s.Flag, text, got)
			}
			if again := string(redacted(t, rules, Auto, []byte(got))); again != got {
				t.Errorf("%q gives %q and then %q", text, got, again)
			}
		}
	}
}

// Another program's flags and operands are none of these.
func TestOtherPrograms(t *testing.T) {
	rules := compile(t, Options{Groups: Secrets})
	for i := range names.Synopses() {
		s := &names.Synopses()[i]
		argv := lineOf(s)
		if slices.ContainsFunc(argv, func(a string) bool {
			return rules.set.Names.Of([]byte(strings.TrimLeft(a,
				"-/"))) != nil
		}) ||
			s.Program == names.AnyProgram || strings.Contains(s.Flag, "pass") || strings.Contains(s.Flag, "creds") ||
			strings.Contains(s.Flag, "auth") {
			continue // the name alone tells
		}
		argv[0] = "gizmo"
		if text := strings.Join(argv, " "); string(whole(rules, []byte(text))) != text {
			t.Errorf("%q gives %q", text, whole(rules, []byte(text)))
		}
	}
}

func TestCommandLines(t *testing.T) {
	rules := compile(t, Options{Groups: Secrets})
	for _, c := range []struct{ in, want string }{
		{`bcp "select a; b" queryout x -S db -P walnutTree93`,
			`bcp "select a; b" queryout x -S db -P [REDACTED:password]`},
		{`mysql x; gizmo -pwalnutTree93`, `mysql x; gizmo -pwalnutTree93`},
		{`mysql x | gizmo -pwalnutTree93`, `mysql x | gizmo -pwalnutTree93`},
		{"mysql x\ngizmo -pwalnutTree93", "mysql x\ngizmo -pwalnutTree93"},
		{"mysql x \\\n  -pwalnutTree93", "mysql x \\\n  -p[REDACTED:password]"},
		{`curl -u ada:"oak Hill77" x`, `curl -u [REDACTED:user_password] x`},
		{`curl "https://x/?a=1&b=2" -u ada:walnutTree93`, `curl "https://x/?a=1&b=2" -u [REDACTED:user_password]`},
		{"openssl rsa -passin file:walnutTree93 -passout env:PW",
			"openssl rsa -passin file:walnutTree93 -passout env:PW"},
		{"MySQL.exe -pwalnutTree93; SQLCMD.EXE -P walnutTree93",
			"MySQL.exe -pwalnutTree93; SQLCMD.EXE -P walnutTree93"},
		{`C:\bin\sqlcmd.exe -P walnutTree93`, `C:\bin\sqlcmd.exe -P [REDACTED:password]`},
		{"the net user growth rate, net use of tokens; set -x; env password for tests",
			"the net user growth rate, net use of tokens; set -x; env password for tests"},
		{"git config user.name Ada93x; git config --get user.password",
			"git config user.name Ada93x; git config --get user.password"},
		{"htpasswd -c users ada; unzip -P; 7z x -p; ssh-keygen -N ''",
			"htpasswd -c users ada; unzip -P; 7z x -p; ssh-keygen -N ''"},
		{"args:\n- mysql\n- -x\nname: -pwalnutTree93\n", "args:\n- mysql\n- -x\nname: -pwalnutTree93\n"},
		{"a:\n- docker\n- run\n- -p\n- walnutTree93\n", "a:\n- docker\n- run\n- -p\n- walnutTree93\n"},
	} {
		if got := string(redacted(t, rules, Auto, []byte(c.in))); got != c.want {
			t.Errorf("%q\ngives %q\n not %q", c.in, got, c.want)
		}
	}
}

func TestArguments(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, c := range []struct{ in, want []string }{
		{[]string{"./drv", "-u", "svc:x1"}, []string{"./drv", "-u", "[REDACTED:user_password]"}},
		{[]string{"./drv", "x", "aB3dE5fG7hJ9kL2mN4pQ"}, []string{"./drv", "x", "[REDACTED:generic_secret]"}},
		{[]string{"kubectl", "create", "--from-literal=a=b c7"}, []string{"kubectl", "create",
			"--from-literal=a=[REDACTED:password]"}},
		{[]string{"sh", "-c", "mysql -phunter2 <x \"y\"\n\tz"}, []string{"sh", "-c",
			"mysql -p[REDACTED:password] <x \"y\"\n\tz"}},
		{[]string{"kubectl", "get", "pod", "shop-7d9f8b6c5d-x2x1z", "-p", "8080:80"},
			[]string{"kubectl", "get", "pod", "shop-7d9f8b6c5d-x2x1z", "-p", "8080:80"}},
		{[]string{"git", "show", "91ef6e94541a94ed64f9547c47da478520f9bb00"},
			[]string{"git", "show", "91ef6e94541a94ed64f9547c47da478520f9bb00"}},
		{[]string{"\xff", "--password", "\xfe\xfd"}, []string{"\ufffd", "--password", "[REDACTED:password]"}},
		{nil, nil},
	} {
		if got := rules.Arguments(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%q\ngives %q\n not %q", c.in, got, c.want)
		}
	}
	off := compile(t, Options{Off: true})
	if got := off.Arguments([]string{"mysql", "-phunter2"}); !slices.Equal(got, []string{"mysql", "-phunter2"}) {
		t.Errorf("without rules: %q", got)
	}
}

// Of a command line with any arguments the same number is left, and no secret of a known flag.
func FuzzArguments(f *testing.F) {
	rules, err := Compile(Options{Groups: All})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("docker\x00login\x00-u\x00x", "y")
	f.Add("\xff\x00\"\x00{}", "[")
	f.Fuzz(func(t *testing.T, joined, last string) {
		argv := append(strings.Split(joined, "\x00"), "curl", "-u", "mara:"+commandSecret, last)
		got := rules.Arguments(argv)
		if len(got) != len(argv) {
			t.Fatalf("%q gives %q", argv, got)
		}
		if strings.Contains(strings.Join(got[:len(got)-1], "\x00"), commandSecret) {
			t.Errorf("%q gives %q", argv, got)
		}
	})
}
