package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Leaked counts the planted secrets that a tool let pass.
type Leaked struct {
	Tool    string   `json:"tool"`
	Planted int      `json:"planted"`
	Passed  int      `json:"passed"`
	Kinds   []string `json:"kinds,omitempty"` // of which one passed at least, with the form that it was in
	Plain   int      `json:"plain"`           // values that only look like secrets
	Changed int      `json:"changed"`         // of these
}

// seed makes the secrets of each run equal.
const seed = 62

// made are the parts of a secret that is made up.
type made struct{ *rand.Rand }

func (m made) of(letters string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(letters[m.IntN(len(letters))])
	}
	return b.String()
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	hex    = "0123456789abcdef"
	alnum  = lower + upper + digits
)

// card returns a number with a valid check digit.
func (m made) card() string {
	number := "4" + m.of(digits, 14)
	sum := 0
	for i, r := range number {
		d := int(r - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return number + fmt.Sprint((10-sum%10)%10)
}

func (m made) jwt() string {
	part := func(v any) string {
		b, _ := json.Marshal(v) // maps of strings
		return base64.RawURLEncoding.EncodeToString(b)
	}
	return part(map[string]string{"alg": "HS256", "typ": "JWT"}) + "." + part(map[string]string{"sub": m.of(digits, 8)}) +
		"." + m.of(alnum, 43)
}

// planted is a secret of a kind, and the name of the field that it is in.
type planted struct{ kind, name, value string }

// secrets returns one secret of each kind.
func (m made) secrets() []planted {
	return []planted{
		{"AWS access key", "aws_access_key_id", "AKIA" + m.of(upper+"234567", 16)},
		{"AWS secret key", "aws_secret_access_key", m.of(alnum+"/+", 40)},
		{"GitHub token", "github_token", "ghp_" + m.of(alnum, 36)},
		{"GitLab token", "gitlab_token", "glpat-" + m.of(alnum, 20)},
		{"Slack token", "slack_token", "xoxb-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + m.of(alnum, 24)},
		{"Stripe key", "stripe_key", "sk_live_" + m.of(alnum, 24)},
		{"npm token", "npm_token", "npm_" + m.of(alnum, 36)},
		{"JSON web token", "session", m.jwt()},
		{"password", "password", m.of(alnum, 14)},
		{"API key", "api_key", m.of(hex, 32)},
		{"client secret", "client_secret", m.of(alnum, 30)},
		{"card number", "card", m.card()},
		{"e-mail address", "contact", m.of(lower, 6) + "." + m.of(lower, 8) + "@mail-" + m.of(lower, 5) + ".net"},
	}
}

// form is a way in which a secret stands in an output.
type form struct {
	name  string
	write func(p planted) string
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string
	return string(b)
}

var forms = []form{
	{"environment", func(p planted) string { return "export " + strings.ToUpper(p.name) + "=" + p.value + "\n" }},
	{"JSON", func(p planted) string {
		return `{"id":7,` + quoted(p.name) + ":" + quoted(p.value) + `,"state":"open"}` + "\n"
	}},
	{"JSON in a string", func(p planted) string {
		return `{"id":7,"body":` + quoted(`{"`+p.name+`":"`+p.value+`"}`) + "}\n"
	}},
	{"YAML", func(p planted) string {
		return "service:\n  name: api\n  " + p.name + ": " + p.value + "\n  port: 80\n"
	}},
	{"log line", func(p planted) string {
		return "2026-01-02T03:04:05Z INFO request done " + p.name + "=" + p.value + " took_ms=17\n"
	}},
	{"diff", func(p planted) string {
		return "@@ -1,2 +1,2 @@\n name: api\n-" + p.name + ": old\n+" + p.name + ": " + p.value + "\n"
	}},
	{"numbered file", func(p planted) string {
		return "     1→name: api\n     2→" + p.name + ": " + p.value + "\n     3→port: 80\n"
	}},
	{"table", func(p planted) string {
		return "id,state," + p.name + "\n1,open," + p.value + "\n"
	}},
	{"name and value", func(p planted) string {
		return `{"name":` + quoted(strings.ToUpper(p.name)) + `,"value":` + quoted(p.value) + "}\n"
	}},
	{"ANSI colours", func(p planted) string { return "\x1b[32m" + p.name + "\x1b[0m: \x1b[1m" + p.value + "\x1b[0m\n" }},
}

// plain are values that only look like secrets.
func (m made) plain() []string {
	return []string{
		"commit " + m.of(hex, 40) + "\n",
		`"id": "` + m.of(hex, 8) + "-" + m.of(hex, 4) + "-4" + m.of(hex, 3) + "-a" + m.of(hex, 3) + "-" +
			m.of(hex, 12) + "\"\n",
		"sha256:" + m.of(hex, 64) + "\n",
		"func (c *Client) SetPassword(password string) error {\n",
		"\tpassword := os.Getenv(\"DB_PASSWORD\")\n",
		"  --token string   token of the source (default none)\n",
		"api_key: ${API_KEY}\n",
		"order 4" + m.of(digits, 8) + " of 2026-01-02\n",
		"took 1234567890123456 ns\n",
		"go: downloading golang.org/x/text v0.44.0\n",
		"integrity sha512-" + base64.StdEncoding.EncodeToString([]byte(m.of(alnum, 64))) + "\n",
		"secretKeyRef:\n  name: db\n  key: password\n",
	}
}

// leaks shows each tool each secret in each form, with room for all of it.
func leaks(ctx context.Context, tools []*tool) (all []Leaked, err error) {
	const room = 4000 // tokens
	for _, t := range tools {
		if t.Name == "kfw, no question" || t.Name == "head" || t.Name == "query" {
			continue // as kfw, as head and tail
		}
		m := made{rand.New(rand.NewPCG(seed, seed))}
		l := Leaked{Tool: t.Name}
		secrets := m.secrets()
		passed := make([]bool, len(secrets)*len(forms))
		err := each(len(passed), func(i int) error {
			p, f := secrets[i/len(forms)], forms[i%len(forms)]
			shown, err := t.shorten(ctx, input{text: f.write(p), command: "env"}, room)
			passed[i] = strings.Contains(shown, p.value)
			return err
		})
		if err != nil {
			return nil, err
		}
		for i, isOut := range passed {
			l.Planted++
			if isOut {
				l.Passed++
				l.Kinds = append(l.Kinds, secrets[i/len(forms)].kind+" ("+forms[i%len(forms)].name+")")
			}
		}
		if l.Passed == l.Planted {
			l.Kinds = nil // all
		}
		for _, text := range m.plain() {
			shown, err := t.shorten(ctx, input{text: text, command: "env"}, room)
			if err != nil {
				return nil, err
			}
			l.Plain++
			if strings.Contains(shown, "[REDACTED") {
				l.Changed++
			}
		}
		all = append(all, l)
	}
	return all, nil
}
