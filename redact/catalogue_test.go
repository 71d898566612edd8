package redact

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/prefilter"
)

// Every rule finds its own example, alone and within a sentence, and says so.
func TestExamples(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, x := range catalogue.Rules(names.NewNames()) {
		if x.Form == nil || x.Example == "" {
			continue
		}
		for _, text := range []string{x.Example, "seen: " + x.Example + ", since", "\t" + x.Example + "\n"} {
			if got := string(whole(rules, []byte(text))); !strings.Contains(got, lex.MarkerStart+x.Name+"]") {
				t.Errorf("%s: %q gives %q", x.Name, text, got)
			}
		}
	}
}

// No rule finds anything in what an entry says is no match, alone and within a sentence.
func TestRefused(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, x := range catalogue.Rules(names.NewNames()) {
		for _, text := range []string{x.Refused, "seen: " + x.Refused + ", since", "\t" + x.Refused + "\n"} {
			if got := string(whole(rules, []byte(text))); x.Refused != "" && got != text {
				t.Errorf("%s: %q gives %q", x.Name, text, got)
			}
		}
	}
}

// Without its group a rule is not there.
func TestGroups(t *testing.T) {
	for _, x := range catalogue.Rules(names.NewNames()) {
		if x.Form == nil || x.Group == None {
			continue
		}
		rules := compile(t, Options{Groups: All &^ x.Group})
		if got := whole(rules, []byte(x.Example)); bytes.Contains(got, x.Marker) && len(x.Marker) > 0 ||
			strings.Contains(string(got), lex.MarkerStart+x.Name+"]") {
			t.Errorf("%s: found without its group: %q", x.Name, got)
		}
	}
	none := compile(t, Options{Off: true})
	for _, s := range documents {
		if got := redacted(t, none, Auto, []byte(s)); string(got) != s {
			t.Errorf("no group: %q gives %q", s, got)
		}
	}
}

// What is listed is what is on.
func TestList(t *testing.T) {
	all := compile(t, Options{Groups: All})
	listed := make(map[Group]int)
	for x := range all.List() {
		listed[x.Group]++
		if got := whole(all, []byte(x.Example)); !bytes.Contains(got, []byte(lex.MarkerStart+x.Name+"]")) {
			t.Errorf("%s is listed: its example gives %q", x.Name, got)
		}
	}
	for group, want := range listed {
		n := 0
		for x := range compile(t, Options{Groups: group, Off: group == None}).List() {
			n++
			if x.Group != group {
				t.Errorf("%s is listed, and off", x.Name)
			}
		}
		if n != want {
			t.Errorf("%d rules for %s are listed, not %d", n, group, want)
		}
	}
}

func TestParseGroups(t *testing.T) {
	for s, want := range map[string]Group{
		"pii,pci,secrets": All, "none": None, " pii": PII, "secrets, pci": Secrets | PCI,
	} {
		if g, err := ParseGroups(s); err != nil || g != want {
			t.Errorf("%q: %v, %v", s, g, err)
		}
	}
	for _, s := range []string{"", "all", "pii,none", "PII,"} {
		if _, err := ParseGroups(s); err == nil || !strings.Contains(err.Error(), "pii, pci, secrets") {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestUnchanged(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, s := range unchanged {
		if got := whole(rules, []byte(s)); string(got) != s {
			t.Errorf("%q\ngives %q", s, got)
		}
	}
}

func TestText(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, c := range []struct{ name, in, want string }{
		{"a token that was cut", `{"log":"use ghp_7hQ2mX9k"}`, `{"log":"use [REDACTED:github_token]"}`},
		{"a token that goes on in dots", "ghp_7hQ2mX9k... and ghp_7hQ2mX9k only",
			"[REDACTED:github_token]... and ghp_7hQ2mX9k only"},
		{"a token between letters", "xAKIAQ7ZNOTAREALKEY0Qy xghp_7hQ2mX9kV47hQ2mX9kV47hQ2mX9kV4",
			"x[REDACTED:aws_access_key_id]y x[REDACTED:github_token]"},
		{"keys glued to each other", "AKIAQ7ZNOTAREALKEY00AKIAQ7ZNOTAREALKEY01",
			"[REDACTED:aws_access_key_id][REDACTED:aws_access_key_id]"},
		{"a telephone after a key", "AKIAQ7ZNOTAREALKEY00 (030) 9018 2055, v4 (030) 9018 2055",
			"[REDACTED:aws_access_key_id] [REDACTED:phone], v4 (030) 9018 2055"},
		{"numbers as emphasis", "_4012888888881881_ _219-09-9991_", "_[REDACTED:card_number]_ _[REDACTED:us_ssn]_"},
		{"an account glued to letters", "xAE070331234567890123456y", "x[REDACTED:iban]y"},
		{"a number after a word", "my card 3599888888881881, lost", "my card [REDACTED:card_number], lost"},
		{"other separators", `A_SECRET ?= "n7ab4c9d2e8f" b.password .= 'x1y2' c_token => n7ab4c9d2e8f`,
			`A_SECRET ?= "[REDACTED:secret]" b.password .= '[REDACTED:password]' c_token => [REDACTED:token]`},
		{"a type between", `var zenToken string = "n7ab4c9d2e8f", password: str = "x y"`,
			`var zenToken string = "[REDACTED:token]", password: str = "[REDACTED:password]"`},
		{"an attribute beside", `<add key="MailPassword" value="hunter two" />`,
			`<add key="MailPassword" value="[REDACTED:password]" />`},
		{"a password in quotes after a blank", `password "tr0ub4dor"; the password is 'centipede'.`,
			`password "[REDACTED:password]"; the password is '[REDACTED:password]'.`},
		{"a password of many signs", `db_password := m{{x}o)p${e]nob(dy[>-_$#one`,
			`db_password := [REDACTED:password]`},
		{"a .netrc", "machine example.org login mara password tr0ub4dor",
			"machine example.org login mara password [REDACTED:password]"},
		{"a connection string", "Server=db;Uid=app;Pwd=hunter;", "Server=db;Uid=app;Pwd=[REDACTED:password];"},
		{"a user of curl", "curl -u 'mara:tr0ub4dor' example.org; docker run -u 1000:1000 x",
			"curl -u '[REDACTED:user_password]' example.org; docker run -u 1000:1000 x"},
		{"a token glued to a word", "xglpat-7hQ2mX9kV47hQ2mX9kV4", "x[REDACTED:gitlab_token]"},
		{"a webhook", "http://hooks.slack.com/services/T0A1/B0A1/7hQ2mX9kV4", "[REDACTED:slack_webhook]"},
		{"a name glued to its value", "zenSECRETKEY-n7AB4c9d2E8f1a6B3", "zenSECRETKEY-[REDACTED:generic_secret]"},
		{"values beside each other", "zen token - 'n7ab4c9d2e8f1a6b3' | 'q2ab4c9d2e8f1a6b3'",
			"zen token - '[REDACTED:generic_secret]' | '[REDACTED:generic_secret]'"},
		{"an element with more than the value", "<secret>{zen 4f9a01c7be4f9a01c7be}</secret>",
			"<secret>{zen [REDACTED:generic_secret]}</secret>"},
		{"an identifier that a secret is", "zen_key=4f9a01c7-be4f-9a01-c7be-4f9a01c7be4f",
			"zen_key=[REDACTED:generic_secret]"},
		{"the key of a service", "heroku: 4f9a01c7-be4f-9a01-c7be-4f9a01c7be4f", "heroku: [REDACTED:service_key]"},
		{"union of two spans", "password=mara@example.org;", "password=[REDACTED:password];"},
		{"the rule of the earlier start", "x mara@example.org", "x [REDACTED:email]"},
		{"a marker is left alone", "password=[REDACTED:password], [REDACTED:email]",
			"password=[REDACTED:password], [REDACTED:email]"},
		{"a false marker hides nothing", "password=[REDACTED:hunter2] x", "password=[[REDACTED:password]] x"},
		{"nor does one beside it", "[REDACTED:email]4012888888881881", "[REDACTED:email][REDACTED:card_number]"},
		{"a key as a prefix", "DB_PASSWORD_PROD: hunter2", "DB_PASSWORD_PROD: [REDACTED:password]"},
		{"camel case", "myDbPassword = \"hunter two\"", "myDbPassword = \"[REDACTED:password]\""},
		{"glued words", "dbpassword=hunter2", "dbpassword=[REDACTED:password]"},
		{"JSON in a text", `{"password":"hunter2","a":1}`, `{"password":"[REDACTED:password]","a":1}`},
		{"JSON in JSON", `{\"password\":\"hunter2\",\"a\":1}`, `{\"password\":\"[REDACTED:password]\",\"a\":1}`},
		{"a flag", "run --db-password hunter2 --verbose", "run --db-password [REDACTED:password] --verbose"},
		{"XML", "<password>hunter2</password>", "<password>[REDACTED:password]</password>"},
		{"a call", `set("api_key", "a1b2c3d4")`, `set("api_key", "[REDACTED:api_key]")`},
		{"a URL", "postgres://app:p@ss@db:5432/x", "postgres://app:[REDACTED:url_password]@db:5432/x"},
		{"a marker as the user of a URL", "https://[REDACTED:url_password]@db https://$[REDACTED:email]@db",
			"https://[REDACTED:url_password]@db https://$[REDACTED:email]@db"},
		{"a query", "?api_key=a1b2c3d4&page=2", "?api_key=[REDACTED:api_key]&page=2"},
		{"a growing address", "a@example.com.internal-corp.example.net!", "[REDACTED:email]!"},
		{"an address with a number behind it", "mara@example.org.2 pkg@1.2.3", "[REDACTED:email].2 pkg@1.2.3"},
		{"numbers after an escape", `\n219-09-9991 \t4012888888881881`, `\n[REDACTED:us_ssn] \t[REDACTED:card_number]`},
		{"letters outside ASCII", "josé@exämple.de", "[REDACTED:email]"},
		{"a text without spaces", "请联系foo@bar.com。", "请联系[REDACTED:email]。"},
		{"groups of a card", "4111 1111 1111 1111, 4111-1111-1111-1111",
			"[REDACTED:card_number], [REDACTED:card_number]"},
		{"a wrong check digit", "4111 1111 1111 1112", "4111 1111 1111 1112"},
		{"a key block without an end", "-----BEGIN RSA PRIVATE KEY-----\nMIIabcdefghij0123456789",
			"[REDACTED:private_key]"},
		{"a key block given up", "-----BEGIN RSA PRIVATE KEY-----\n" + "MII\n" + strings.Repeat("x\n", 20),
			"[REDACTED:private_key]\n" + strings.Repeat("x\n", 13)},
		{"another block's end", "-----BEGIN PRIVATE KEY-----\nMII\n-----END NOTHING-----\nMII\n-----END PRIVATE KEY-----x", "[REDACTED:private_key]x"},
		{"a long token", "ghp_" + strings.Repeat("a1", 5000) + "!", "[REDACTED:github_token]!"},
		{"a long value", "password=" + strings.Repeat("k3", 5000) + " x", "password=[REDACTED:password] x"},
		{"an escaped line end", `line\nghp_0123456789abcdef0123456789abcdef0123\n`, `line\n[REDACTED:github_token]\n`},
	} {
		if got := string(whole(rules, []byte(c.in))); got != c.want {
			t.Errorf("%s: %q\ngives %q\n not %q", c.name, c.in, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	n := compile(t, Options{Groups: All}).set.Names
	sensitive := strings.Fields(`password PASSWORD user_password dbPassword db.password passwordHash new-password apiKey API_KEY
		x-api-key XApiKey AWS_SECRET_ACCESS_KEY client_secret access_token accessToken githubToken private_key ssn userSSN cvv
		CVV2 card_number cardNumber iban pin authorization dbpasswd`)
	for _, s := range sensitive {
		if n.Of([]byte(s)) == nil {
			t.Errorf("%s is not sensitive", s)
		}
	}
	for _, s := range strings.Fields(`password_policy token_count max_tokens secretName token_url access_key_id key pinned
		shipping spin tokenizer passenger compass keyboard monkey cache_key publicKey password_reset_url has_password author`) {
		if p := n.Of([]byte(s)); p != nil {
			t.Errorf("%s is sensitive as %s", s, p.Words)
		}
	}
	if n.Of([]byte(strings.Repeat("x_", 5000)+"password")) == nil {
		t.Error("the end of a long name does not count")
	}
}

func TestAutomaton(t *testing.T) {
	a := prefilter.NewAutomaton([]prefilter.AnchorOf{{Anchor: "he", Rule: 0}, {Anchor: "she", Rule: 1},
		{Anchor: "hers", Rule: 2}, {Anchor: "00-0", Rule: 3}})
	var got []prefilter.Ending
	text := []byte("uSHErs 12-34-5")
	for s, at := prefilter.State(0), 0; at < len(text); {
		var n int
		n, s = a.Scan(s, text[at:])
		at += n
		if s < a.Hit {
			break
		}
		for _, e := range a.Endings(s) {
			got = append(got, prefilter.Ending{Rule: e.Rule, Length: at})
		}
	}
	if want := []prefilter.Ending{{Rule: 0, Length: 4}, {Rule: 1, Length: 4}, {Rule: 2, Length: 6},
		{Rule: 3, Length: 11}, {Rule: 3, Length: 14}}; !slices.Equal(got, want) {
		t.Errorf("found %v, not %v", got, want)
	}
}

// A match beside another is found all the same: redacting again finds no more.
func TestPairs(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	var examples []string
	for _, r := range catalogue.Rules(names.NewNames()) {
		examples = append(examples, r.Example)
	}
	between := []string{", ", "\n", "; ", `", "`, " ", "\t"}
	for i, first := range examples {
		for j := i % testdepth.Step(); j < len(examples); j += testdepth.Step() {
			second := examples[j]
			text := first + between[(i+j)%len(between)] + second
			once := whole(rules, []byte(text))
			if twice := whole(rules, once); !bytes.Equal(once, twice) && !besideMarker.Match(once) {
				t.Errorf("%q\ngives %q\nand again %q", text, once, twice)
			}
		}
	}
}
