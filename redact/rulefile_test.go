package redact

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/gitleaks"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// teamRules are rules as a team may have them, with one of each way to be found.
const teamRules = `
title = "team"

[[rules]]
id = "Acme-Token"
description = "found by what it begins with"
regex = '''\bacme_(?:live|test)_[0-9a-z]{16}\b'''
keywords = ["ACME_"]

[[rules]]
id = "acme-key"
description = "found by a name before the secret"
regex = '''(?i)[\w.-]{0,50}?(?:acme)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:)[\s'"=]{0,5}([a-z0-9]{12,20})(?:['"\s;]|\\[nr]|$)'''
entropy = 3
keywords = ["acme"]

[[rules]]
id = "ticket"
description = "found by what stands in its middle"
regex = '''[A-Z]{2,4}~tkt~[0-9]{4}'''

[[rules]]
id = "badge"
description = "found by a word that stands before it"
regex = '''\b\d{3}[a-f]\d{3}\b'''
keywords = ["badge"]

[[rules]]
id = "blob"
description = "without an end"
regex = '''blob:[A-Za-z0-9+/]{20,}'''

[[rules]]
id = "pin-pair"
description = "the second group"
regex = '''pins (\d\d)-(\d\d\d\d)'''
secretGroup = 2

[[rules]]
id = "first-bytes"
description = "without a word"
regex = '''[QXZ][0-9]Q[0-9]X'''

[[rules]]
id = "logs"
path = '''\.log$'''
`

// filesOf reads from a map.
func filesOf(files map[string]string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if text, ok := files[filepath.ToSlash(path)]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}
}

func readRules(t testing.TB, honor bool, text string) *gitleaks.RuleFile {
	t.Helper()
	f, err := gitleaks.ReadRules("team.toml", filesOf(map[string]string{"team.toml": text}), honor)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func compileTeam(t testing.TB) *Rules {
	t.Helper()
	return compile(t, Options{Groups: All, Files: []*gitleaks.RuleFile{readRules(t, false, teamRules)}})
}

func TestRuleFile(t *testing.T) {
	rules := compileTeam(t)
	for _, c := range []struct{ in, want string }{
		{"use acme_live_0a1b2c3d4e5f6g7h, please", "use [REDACTED:acme_token], please"},
		{"xacme_live_0a1b2c3d4e5f6g7h", "xacme_live_0a1b2c3d4e5f6g7h"},
		{"ACME_LIVE_0a1b2c3d4e5f6g7h", "ACME_LIVE_0a1b2c3d4e5f6g7h"},
		{"my_acme_login = 'x7k2m9q4w1z8'", "my_acme_login = '[REDACTED:acme_key]'"},
		{"acme login: aaaaaaaaaaaa", "acme login: aaaaaaaaaaaa"},
		{"see AB~tkt~1234.", "see [REDACTED:ticket]."},
		{"badges 123a456, 789b012 and 345c678", "badges [REDACTED:badge], [REDACTED:badge] and [REDACTED:badge]"},
		{"123a456 is no badge, " + strings.Repeat("far ", 300) + "789b012", "123a456 is no badge, " +
			strings.Repeat("far ", 300) + "789b012"},
		{"badge" + strings.Repeat(" ", 750) + "123a456 of 7", "badge" + strings.Repeat(" ", 750) +
			"[REDACTED:badge] of 7"},
		{"blob:" + strings.Repeat("Ab3/", 187) + " of 7", "[REDACTED:blob] of 7"},
		{"blob:" + strings.Repeat("Ab3/", 900) + ".", "[REDACTED:blob]."},
		{"pins 12-3456", "pins 12-[REDACTED:pin_pair]"},
		{"Q7Q7X Z0Q0X Q7Q77", "[REDACTED:first_bytes] [REDACTED:first_bytes] Q7Q77"},
		{"acme_key=[REDACTED:acme_key]; ask mara@example.org", "acme_key=[REDACTED:acme_key]; ask [REDACTED:email]"},
	} {
		if got := string(whole(rules, []byte(c.in))); got != c.want {
			t.Errorf("%q\ngives %q\n not %q", c.in, got, c.want)
		}
	}
	want := `{"a":"[REDACTED:acme_token]"}`
	if got := redacted(t, rules, Auto, []byte(`{"a":"acme_live_0a1b2c3d4e5\u0066\u0036g7h"}`)); string(got) != want {
		t.Errorf("escaped: %s", got)
	}
	for in, want := range map[string]string{
		`{"acme_login": "x7k2m9q4w1z8", "n": 1}`:             `{"acme_login": "[REDACTED:acme_key]", "n": 1}`,
		`{"acme_login":123456789012,"token":"x7k2m9q4w1z8"}`: `{"acme_login":"[REDACTED:acme_key]","token":"[REDACTED:token]"}`,
		`{"acme":["x7k2m9q4w1z8"],"a":"x7k2m9q4w1z8"}`:       `{"acme":["x7k2m9q4w1z8"],"a":"x7k2m9q4w1z8"}`,
		`{"badge":"123a456, mara@example.org"}`:              `{"badge":"[REDACTED:badge], [REDACTED:email]"}`,
		"{\"ac\\u006de\"\n:\n\"x7k2m9q4w1z8\"}\n":            "{\"ac\\u006de\"\n:\n\"[REDACTED:acme_key]\"}\n",
	} {
		got := string(redacted(t, rules, JSON, []byte(in)))
		if got != want {
			t.Errorf("%s\ngives %s\nnot   %s", in, got, want)
		}
		if again := string(redacted(t, rules, JSON, []byte(got))); again != got {
			t.Errorf("%s twice gives %s", in, again)
		}
	}
	off := compile(t, Options{Off: true, Files: []*gitleaks.RuleFile{readRules(t, false, teamRules)}})
	if in := "acme_live_0a1b2c3d4e5f6g7h"; string(whole(off, []byte(in))) != in {
		t.Error("without any group the rules of a file hold")
	}
}

// strayQuote finds a marker in quotes that another quote follows. Such JSON is broken, and a second redaction takes the
// rest of the line.
var strayQuote = regexp.MustCompile(`\[REDACTED:[a-z_]+\]""`)

// The rules of a file leave no prefix of what they find, however it comes.
func FuzzRuleFile(f *testing.F) {
	for _, text := range []string{
		"use acme_live_0a1b2c3d4e5f6g7h, please", "my_acme_login = 'x7k2m9q4w1z8' acme: acme acme=0123456789ab",
		"ABCD~tkt~1234 \n AB~tkt~12345", "badge 123a456 mara@example.org 789b012" + strings.Repeat(" ", 760) +
			"345c678",
		"blob:" + strings.Repeat("Ab3/", 400) + ".x", "pins 12-3456[REDACTED:email] pins 12-[REDACTED:ticket]",
		"Q7Q7X\xffZ0Q0XQ7Q77", strings.Repeat("acme ", 300) + "= x7k2m9q4w1z8", "ghp_" + strings.Repeat("a1", 20) +
			"~tkt~1234",
		"badge[REDACTED:badge]123a456", `{"acme_x":"x7k2m9q4w1z8","badge":[1],"acme token":123456789012}`,
		`{"acme_api_key":"x7k2m9q4w1z8","acme_phone":"x7k2m9q4w1z8 ` + "\n" + `{"acme"` + "\n" + `:"x7k2m9q4w1z8"}`,
		`acme\u005fkey: \"x7k2m9q4w1z8\"`, `{"acme_api_key":q4w1z8",`,
	} {
		f.Add([]byte(text), uint64(1))
	}
	rules := compileTeam(f)
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		want := whole(rules, text)
		x := rules.Text()
		for _, next := range []func() int{one, someOf(seed, false)} {
			if got := inPieces(x, text, next); !bytes.Equal(got, want) {
				t.Fatalf("in pieces (%d)\n%q\nin one piece\n%q\nof\n%q", seed, got, want, text)
			}
		}
		if got := whole(rules, want); !bytes.Equal(got, want) && !strayQuote.Match(want) {
			t.Fatalf("twice\n%q\nonce\n%q\nof\n%q", got, want, text)
		}
		for _, format := range []Format{Auto, Lines} {
			want := redacted(t, rules, format, text)
			got, err := readAll(t, NewReader(&pieces{text, someOf(seed, true), errDone}, rules, format))
			if err != errDone || !bytes.Equal(got, want) {
				t.Fatalf("in pieces (%d): %v\n%q\nin one piece\n%q\nof\n%q", seed, err, got, want, text)
			}
			if again := redacted(t, rules, format, want); !bytes.Equal(again, want) && !strayQuote.Match(want) {
				t.Fatalf("twice\n%q\nonce\n%q\nof\n%q", again, want, text)
			}
			if format == Auto && isJSON(text) && !isJSON(want) {
				t.Fatalf("was JSON\n%q\nis not\n%q", text, want)
			}
		}
	})
}

func FuzzReadRules(f *testing.F) {
	f.Add([]byte(teamRules))
	f.Add([]byte("[extend]\npath='team.toml'\n[[rules]]\nid='x'\n[rules.allowlist]\nregexes=['a']\n"))
	f.Add([]byte("rules=[{id='x',regex='(?P<a>b)(c|\\Qd'}]\n[[allowlists]]\nstopwords=['a']\ntargetRules=['x']\n"))
	f.Add([]byte("[[rules]]\nid='x'\nregex='[\\x{212a}a-f]{2,}.*?(\\d|\\bz){3}$'\nkeywords=['é']\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		read := func(string) ([]byte, error) { return data, nil }
		for _, honor := range []bool{false, true} {
			file, err := gitleaks.ReadRules("team.toml", read, honor)
			if err != nil {
				quotesNoRegex(t, data, err)
				continue
			}
			rules := compile(t, Options{Groups: All, Files: []*gitleaks.RuleFile{file}})
			in := bytes.ToLower(data[:min(len(data), 2000)])
			want := whole(rules, in)
			if got := inPieces(rules.Text(), in, someOf(uint64(len(data)), false)); !bytes.Equal(got, want) {
				t.Errorf("in pieces\n%q\nin one piece\n%q\nof\n%q by\n%q", got, want, in, data)
			}
		}
	})
}

// quotesNoRegex checks that no expression of a file stands in an error about it.
func quotesNoRegex(t *testing.T, data []byte, err error) {
	const telling = 8
	var config gitleaks.GitleaksConfig
	if toml.Unmarshal(data, &config) != nil {
		return
	}
	for _, r := range config.Rules {
		if len(r.Regex) >= telling && !strings.Contains(r.ID, r.Regex) && strings.Contains(err.Error(), r.Regex) {
			t.Errorf("%q quotes %q", err, r.Regex)
		}
	}
}

func TestReadRulesErrors(t *testing.T) {
	const rule = "[[rules]]\nid = \"good\"\nregex = '''good_[0-9]{8}'''\n\n[[rules]]\nid = \"bad\"\n"
	for _, c := range []struct{ text, want string }{
		{"title = \"a\"\n[[rules]\n", "team.toml:2:8: not valid TOML"},
		{rule + "regex = 7\n", "team.toml:7:9: a value of another type than this key has"},
		{rule + "regex = '''bad_[0-9'''\n", "team.toml:7: rule bad: regex: missing closing ]"},
		{rule + "keywords = ['x']\nregex = '''bad_[0-9]{2000}'''\n",
			"team.toml:8: rule bad: regex: a repeat of more than 1000, or of less than nothing"},
		{rule + "regex = '''bad(?=x)'''\n", "team.toml:7: rule bad: regex: invalid or unsupported Perl syntax"},
		{rule + "regex = '''.*'''\n", "team.toml:7: rule bad: regex: it holds no text to find it by"},
		{rule + "regex = '''bad_(\\d+)'''\nsecretGroup = 2\n",
			"team.toml:8: rule bad: secretGroup: the regex has 1 groups"},
		{rule, "team.toml:5: rule bad: no regex"},
		{rule + "regex = 'x'\n[[rules]]\nregex = 'bad_'\n", "team.toml:8: a rule without an id"},
		{"rules = [\n {id = 'bad', regex = '('},\n]\n", "team.toml:1: rule bad: regex: missing closing )"},
		{"[extend]\npath = 'base.toml'\n", "base.toml: file does not exist"},
		{"[extend]\npath = 'team.toml'\n", "team.toml:2: extend.path: more than 2 files deep"},
		{"[extend]\nurl = 'https://example.org/'\n", "team.toml:2: extend.url: nothing is fetched"},
	} {
		_, err := gitleaks.ReadRules("team.toml", filesOf(map[string]string{"team.toml": c.text}), false)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\ngives %v\nnot   %s", c.text, err, c.want)
		}
		if _, ok := errors.AsType[*gitleaks.RuleError](err); !ok {
			t.Errorf("%T is no *RuleError", err)
		}
	}
	list := "[[rules]]\nid = 'bad'\nregex = 'bad_[0-9]+'\n[[rules.allowlists]]\nstopwords = ['x']\n[[rules.allowlists]]\n"
	for text, want := range map[string]string{
		list + "paths = ['x']\nregexes = ['(']\n":     "team.toml:8: rule bad: regexes of an allowlist: missing closing )",
		list + "condition = 'xor'\n":                  "team.toml:7: rule bad: condition of an allowlist: choose and, or",
		"[allowlist]\n\nregexTarget = 'everything'\n": "team.toml:3: regextarget of an allowlist: choose secret, match, line",
	} {
		read := filesOf(map[string]string{"team.toml": text})
		if _, err := gitleaks.ReadRules("team.toml", read, true); err == nil || err.Error() != want {
			t.Errorf("%s\ngives %v\nnot   %s", text, err, want)
		}
		if _, err := gitleaks.ReadRules("team.toml", read, false); err != nil {
			t.Errorf("what is ignored is an error: %v", err)
		}
	}
}

func TestExtend(t *testing.T) {
	files := map[string]string{
		"d/team.toml": `
[extend]
path = "base/one.toml"
disabledRules = ["off"]
[[rules]]
id = "changed"
entropy = 2.5
[[rules]]
id = "own"
regex = 'own_[a-z]{6}'`,
		"d/base/one.toml": `
[extend]
path = "two.toml"
useDefault = true
[[rules]]
id = "off"
regex = 'off_[a-z]{6}'
[[rules]]
id = "changed"
regex = 'chg_([a-z]{6})'`,
		"d/base/two.toml": `
[[rules]]
id = "deep"
regex = 'deep_[a-z]{6}'`,
	}
	f, err := gitleaks.ReadRules("d/team.toml", filesOf(files), false)
	if err != nil {
		t.Fatal(err)
	}
	rules := compile(t, Options{Groups: All, Files: []*gitleaks.RuleFile{f}})
	in := "own_abcdef off_abcdef chg_abcdef chg_aaaaaa deep_abcdef ghp_" + strings.Repeat("a1", 18)
	want := "[REDACTED:own] off_abcdef chg_[REDACTED:changed] chg_aaaaaa [REDACTED:deep] [REDACTED:github_token]"
	if got := string(whole(rules, []byte(in))); got != want {
		t.Errorf("gives %q\nnot   %q", got, want)
	}

	// A rule of gitleaks' own config can be refined, and that adds nothing.
	refined := "[extend]\nuseDefault = true\n[[rules]]\nid = 'generic-api-key'\n[rules.allowlist]\nstopwords = ['x']\n"
	if n := len(readRules(t, true, refined).Rules); n != 0 {
		t.Errorf("%d rules", n)
	}
}

func TestAllowlists(t *testing.T) {
	const text = `
[allowlist]
stopwords = ["EXAMPLE"]
[[allowlists]]
targetRules = ["key"]
paths = ["x"]
[[allowlists]]
targetRules = ["key"]
regexTarget = "line"
regexes = ["# fake$"]
[[rules]]
id = "key"
regex = 'key_([a-z0-9]{8,20})'
[[rules.allowlists]]
regexTarget = "match"
regexes = ["^key_00"]
[[rules.allowlists]]
condition = "AND"
regexes = ["^zz"]
stopwords = ["99"]
[rules.unknown]
a = 1
`
	lines := []string{
		"key_example1x", "key_12345678 # fake", "key_00345678", "key_zz345699", // allowed
		"key_12345678", "key_zz345678", "key_1234567899", "# fake\nkey_12345678\n# fake",
	}
	for honor, allowed := range map[bool]int{false: 0, true: 4} {
		rules := compile(t, Options{Groups: All, Files: []*gitleaks.RuleFile{readRules(t, honor, text)}})
		for i, line := range lines {
			got := string(whole(rules, []byte(line)))
			if isLeft := got == line; isLeft != (i < allowed) {
				t.Errorf("honored %v: %q gives %q", honor, line, got)
			}
			if got := inPieces(rules.Text(), []byte(line), one); string(got) != string(whole(rules, []byte(line))) {
				t.Errorf("%q in pieces gives %q", line, got)
			}
		}
	}
	rules := compile(t, Options{Groups: All, Files: []*gitleaks.RuleFile{readRules(t, true, text)}})
	if got := whole(rules, []byte("mara@example.org")); string(got) != "[REDACTED:email]" {
		t.Errorf("an allowlist counts for kfw's own rules: %q", got)
	}
}

// gitleaks' own config is read whole, and what it is to find is found.
func TestGitleaksConfig(t *testing.T) {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Skip("no go command")
	}
	const version = "github.com/zricethezav/gitleaks/v8@v8.30.1"
	path := filepath.Join(strings.TrimSpace(string(out)), version, "config", "gitleaks.toml")
	if _, err := os.Stat(path); err != nil {
		t.Skip("not there: go install " + version)
	}
	for _, honor := range []bool{false, true} {
		f, err := gitleaks.ReadRules(path, os.ReadFile, honor)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Rules) != 221 {
			t.Errorf("%d rules", len(f.Rules))
		}
		rules := compile(t, Options{Groups: All, Files: []*gitleaks.RuleFile{f}})
		for _, x := range f.Rules { // all of them compile and run
			for _, anchor := range x.Anchors {
				x.Form.Find(names.Window{Text: []byte("key " + anchor + " = " + anchor), End: true,
					Around: &rules.Text().around}, 4,
					4+len(anchor))
			}
		}
		want := `adafruit_x = "[REDACTED:adafruit_api_key]"`
		if got := string(whole(rules, []byte(`adafruit_x = "k3j5h2g8f1d0s9a7q6w4e2r5t8y1u3i0"`))); got != want {
			t.Errorf("gives %s", got)
		}
	}
}

func TestMarkerName(t *testing.T) {
	for id, want := range map[string]string{
		"acme-token": "acme_token", "Acme  Token!": "acme_token", "__x__": "x", "\u0416": "rule", "": "rule",
		strings.Repeat("long-", 20): "long_long_long_long_long_long_lo",
	} {
		if got := gitleaks.MarkerName(id); got != want {
			t.Errorf("%q: %q, not %q", id, got, want)
		}
	}
	if n := len(lex.MarkerStart) + gitleaks.MaxRuleName; n >= lex.MaxMarker {
		t.Errorf("a marker of %d bytes is none", n)
	}
}

// Files that are each small enough may have too many keywords together.
func TestTooManyKeywordsTogether(t *testing.T) {
	var files []*gitleaks.RuleFile
	for _, letter := range "qz" {
		var config strings.Builder
		for i := range 1100 {
			fmt.Fprintf(&config, "[[rules]]\nid = \"r%d\"\nregex = '''x%d=(\\w{20})'''\nkeywords = [\"%c%011d\"]\n",
				i, i, letter, i*7919)
		}
		f, err := gitleaks.ReadRules("rules.toml",
			func(string) ([]byte, error) { return []byte(config.String()), nil }, false)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if _, err := Compile(Options{Groups: All, Files: files[:1]}); err != nil {
		t.Error(err)
	}
	var tooMany *gitleaks.RuleError
	if _, err := Compile(Options{Groups: All, Files: files}); !errors.As(err, &tooMany) ||
		tooMany.Reason != "too many keywords" {
		t.Errorf("of both files: %v", err)
	}
}
