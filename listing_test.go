//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/kfw-dev/kfw/internal/hidden"
	"github.com/kfw-dev/kfw/internal/testdepth"
)

// unseen are texts that a terminal would obey, or people would not see: an escape sequence, a
// return, a change of direction, what has no width, ends of lines that only some know, tags, and
// variation selectors in a row.
var unseen = map[string]string{
	"escape": "\x1b]0;owned\a\x1b[2J", "return": "\rkfw: all is well", "backspace": "\b\b", "delete": "\x7f",
	"C1":       "\u009b2J",
	"override": "\u202e", "isolate": "\u2066", "zero width": "\u200b", "joiner": "\u2060", "mark": "\ufeff",
	"line separator": "\u2028", "paragraph separator": "\u2029", "next line": "\u0085", "form feed": "\f",
	"vertical tab": "\v",
	"tags":         "\U000e0041\U000e0042", "selectors": "\ufe01\ufe02", "supplement": "\U000e0101",
	"no UTF-8": "\x9b\xff",
}

// TestListings: no name, command, model or path in what kfw lists or reports has a character that
// is obeyed or not seen, as text and as JSON. What kfw passes of a response is another matter.
//
// A walk starts a hundred programs, so one has names with all of these characters; a walk for each
// character is for those who try all cases.
func TestListings(t *testing.T) {
	names := slices.Sorted(maps.Keys(unseen))
	together := ""
	for _, name := range names {
		together += unseen[name] + "-"
	}
	t.Run("together", func(t *testing.T) {
		t.Parallel()
		newListing(t, "a"+together+"z").walk(t)
	})
	if !testdepth.All() {
		return
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newListing(t, "a"+unseen[name]+"z").walk(t)
		})
	}
}

// listing is a user whose names all have an unseen character in them.
type listing struct{ dir, bad, repo string }

func newListing(t *testing.T, bad string) *listing {
	t.Helper()
	l := &listing{dir: t.TempDir(), bad: bad}
	l.repo = filepath.Join(l.dir, bad)
	text, err := json.Marshal(strings.ToValidUTF8(bad, "?")) // YAML and TOML know the escapes of JSON
	if err != nil {
		t.Fatal(err)
	}
	n := strings.ReplaceAll(string(text), "\x7f", `\u007f`) // which TOML wants
	for path, content := range map[string]string{
		"kfw.yaml": fmt.Sprintf("session: %s\ntokenizer: chars\ndrivers:\n  d: {command: [echo, %s]}\ncapabilities:\n"+
			"  c: {driver: d, operation: %s}\n", n, n, n),
		"rules.toml":  fmt.Sprintf("[[rules]]\nid = %s\ndescription = %s\nregex = \"opaque[0-9]+\"\n", n, n),
		"broken.yaml": fmt.Sprintf("%s: 1\n", n),
		".mcp.json":   fmt.Sprintf(`{"mcpServers":{%s:{"command":"true","args":[%s]}}}`, n, n),
		"in":          "opaque1\n",
		bad + ".txt":  "mail ada@example.com\n",
		"answer": fmt.Sprintf(`{"model":%s,"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"t1",`+
			`"type":"function","function":{"name":%s,"arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,`+
			`"completion_tokens":2}}`, n, n),
		"event": fmt.Sprintf(`{"hook_event_name":%s,"session_id":%s,"tool_name":%s}`, n, n, n),
	} {
		path = filepath.Join(l.repo, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// run runs kfw in the repository with a file of it as its input, and checks its exit status, unless
// that is -1, and what it writes.
func (l *listing) run(t *testing.T, status int, in string, args ...string) {
	t.Helper()
	p := kfw(t, l.dir, args...)
	p.Dir = l.repo
	if in != "" {
		file, err := os.Open(filepath.Join(l.repo, in))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		p.Stdin = file
	}
	if err := p.Run(); p.ProcessState == nil {
		t.Fatal(err)
	}
	if got := p.ProcessState.ExitCode(); status >= 0 && got != status {
		t.Errorf("kfw %q: exit status %d, want %d; stderr: %q", args, got, status, p.errs.String())
	}
	for _, said := range []string{p.out.String(), p.errs.String()} {
		if what := unseenIn(said); what != "" {
			t.Errorf("kfw %q writes %s: %q", args, what, said)
		}
	}
}

// unseenIn names the first character of a text that is neither printed nor a line feed or a tab; ""
// if there is none.
func unseenIn(text string) string {
	for _, r := range text {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return fmt.Sprintf("U+%04X", r)
		}
	}
	if _, n := hidden.Show(nil, []byte(text), false, false); n > 0 {
		return "hidden characters"
	}
	return ""
}

func (l *listing) walk(t *testing.T) {
	// What is listed later: a session, a handle, a directory that is trusted.
	long := strings.Repeat("a line that does not fit\n", 2000)
	if err := os.WriteFile(filepath.Join(l.repo, "long"), []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	session := l.bad + ".kfw"
	l.run(t, 0, "", "stream", "--budget", "600", "--mode", "summary", "--session", session, "--", "seq", "-f", "%g",
		"1000")
	l.run(t, 0, "", "stream", "--budget", "600", "--session", session, "--", "sh", "-c", "cat long", l.bad)
	l.run(t, 0, "", "stream", "--budget", "600", "--format", "text", "--session", session, "--", "sh", "-c",
		"cat long", l.bad)
	l.run(t, 0, "", "budget", "spend", "10", "--note", l.bad, "--session", session)
	l.run(t, 0, "", "trust")
	for _, as := range [][]string{nil, {"--json"}} {
		l.run(t, 0, "", append([]string{"budget", "--session", session}, as...)...)
		l.run(t, 0, "", append([]string{"handles", "--session", session}, as...)...)
		l.run(t, 0, "", append([]string{"config"}, as...)...)
		l.run(t, 0, "", append([]string{"trust", "--list"}, as...)...)
		l.run(t, 0, "", append([]string{"redact", "--list", "--rules", "rules.toml"}, as...)...)
	}
	l.run(t, 0, "in", "redact", "--rules", "rules.toml", "--report", "--explain")
	l.run(t, 1, "", "redact", "--check", "--report", l.bad+".txt")
	l.run(t, 0, "", "init", "--project", "--mcp", "--dry-run", "claude-code")
	l.run(t, 0, "", "init", "--project", "--mcp", "claude-code")
	l.run(t, -1, "", "doctor", "claude-code")
	l.run(t, 0, "", "init", "--project", "--uninstall", "claude-code")
	l.run(t, 0, "", "trust", "--revoke")
	l.run(t, 0, "", "trust", "--revoke", l.bad)
	l.run(t, 0, "", "config") // which names what is ignored
	l.run(t, 0, "answer", "turn", "--format", "text", "--session", session)
	l.run(t, 124, "answer", "turn", "--format", "text", "--tools", "none")
	l.run(t, 0, "", "budget", "--session", session)
	l.run(t, 0, "event", "hook", "--host", "claude-code", "--state", l.dir, "--config",
		filepath.Join(l.repo, "broken.yaml"))
	log, err := os.ReadFile(filepath.Join(l.dir, "hook.log"))
	if what := unseenIn(string(log)); what != "" || err != nil || len(log) == 0 {
		t.Errorf("the log of hooks has %s, %v: %q", what, err, log)
	}

	// Names that nothing has.
	for _, args := range [][]string{
		{l.bad}, {"--" + l.bad}, {"stream", "--" + l.bad}, {"stream", "--mode", l.bad},
		{"stream", "--tokenizer", l.bad},
		{"stream", "--allow-fields", l.bad, "--plan", l.bad}, {"stream", "--rules", l.bad},
		{"stream", "--budget", l.bad},
		{"stream", "--", l.bad}, {"stream", "--session", l.bad + "/s.kfw", "--", "true"},
		{"stream", "--session", "long", "--", "true"},
		{"invoke", l.bad}, {"invoke", "c", "--params", l.bad}, {"expand", l.bad}, {"expand", "h1", "--session", l.bad},
		{"expand", "h1", "--session", session, "--at", l.bad}, {"expand", "h1", "--session", session, "--where", l.bad},
		{"handles", "--session", l.bad + ".none"}, {"handles", "rm", l.bad, "--session", session},
		{"budget", "--session", l.bad + ".none"}, {"budget", "release", l.bad, "--session", session},
		{"budget", "spend", "1", "--grant", l.bad, "--session", session}, {"budget", l.bad}, {"count", l.bad + ".none"},
		{"redact", l.bad + ".none"}, {"redact", "--rules", "kfw.yaml"}, {"trust", l.bad + ".none"},
		{"trust", l.bad, l.bad},
		{"config", "--session", l.bad + "/s.kfw"}, {"turn", "--tools", "@" + l.bad}, {"turn", "--format", l.bad},
		{"init", l.bad}, {"doctor", l.bad}, {"mcp", "--", l.bad}, {"mcp", "--config", "broken.yaml", "--", "true"},
		{"help", l.bad},
		{"hook", "--host", l.bad}, {"hook", "--" + l.bad}, {"completion", l.bad}, {"version", l.bad}, {"man", l.bad},
	} {
		l.run(t, -1, "in", args...)
	}
	l.run(t, 0, "", "redact", "--progress", "always", l.bad+".txt")
	l.run(t, 0, "", "stream", "--progress", "always", "--budget", "600", "--", "sh", "-c", "cat long", l.bad)
}
