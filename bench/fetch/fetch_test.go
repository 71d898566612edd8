package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// made is a session of Claude Code: a file is read, and edited.
func made(t *testing.T) string {
	t.Helper()
	body := "     1→package shop\n     2→\n     3→func oldTotal() int { return 41 }\n"
	for range 200 {
		body += "     9→// filler that is not used next\n"
	}
	lines := []any{
		line("user", "", "please look at /home/annalena/shop, annalena@shop.io"),
		line("assistant", "m1", []any{use("t1", "Read", map[string]string{"file_path": "/home/annalena/shop/a.go"})}),
		line("user", "", []any{result("t1", body)}),
		line("assistant", "m2", []any{use("t2", "Bash", map[string]string{"command": "grep -rn oldTotal"})}),
		line("user", "", []any{result("t2", "a.go:3: newTotal")}),
		line("assistant", "m3", []any{use("t3", "Edit", map[string]string{"old_string": "func oldTotal() int { return 41 }",
			"new_string": "func newTotal() int { return 42 }"})}),
	}
	var b strings.Builder
	for _, one := range lines {
		text, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(string(text) + "\n")
	}
	return b.String() + "broken\n"
}

func line(role, id string, content any) any {
	return map[string]any{"sessionId": "s1", "message": map[string]any{"id": id, "role": role, "content": content}}
}

func use(id, name string, input any) any {
	return map[string]any{"type": "tool_use", "id": id, "name": name, "input": input}
}

func result(id, text string) any {
	return map[string]any{"type": "tool_result", "tool_use_id": id, "content": text}
}

// TestFetch: a repository gives the cases of its sessions, without the people who wrote them.
func TestFetch(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "o-r", "00", "full.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(made(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) string {
		c := exec.Command("git", args...)
		c.Dir = filepath.Join(dir, "o-r")
		c.Env = append(os.Environ(), "GIT_AUTHOR_NAME=Annalena Q", "GIT_AUTHOR_EMAIL=annalena@shop.io",
			"GIT_COMMITTER_NAME=Annalena Q", "GIT_COMMITTER_EMAIL=annalena@shop.io", "GIT_CONFIG_GLOBAL=/dev/null")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	command("init", "-q")
	command("add", "-A")
	command("commit", "-qm", "sessions")
	s := source{name: "o/r", commits: []string{command("rev-parse", "HEAD")}, isOf: isTranscript, parse: claudeCode,
		authors: true}
	at, err := s.repository(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	sessions, who, err := s.read(at)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	var all set
	all.add(sessions[0], who)
	all.sample()
	if len(all.cases) != 1 || len(all.edits) != 1 {
		t.Fatalf("%d cases, %d edits", len(all.cases), len(all.edits))
	}
	c := all.cases[0]
	if c.Group != "Read" || !slices.Equal(c.Next.Atoms, []string{"oldTotal"}) ||
		!slices.Equal(c.Next.Lines, []string{"func oldTotal() int { return 41 }"}) {
		t.Errorf("%s needs %q", c.Group, c.Next)
	}
	if !strings.HasSuffix(c.About, `[this call] Read {"file_path":"/home/dev/shop/a.go"}`) {
		t.Errorf("about %q", c.About)
	}
	if e := all.edits[0]; !strings.HasPrefix(e.Read, "     1→package shop") || strings.Count(e.Read, "\n") != 7 {
		t.Errorf("read %q", e.Read)
	}
	text, err := json.Marshal(all.cases)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ToLower(string(text)), "annalena") {
		t.Errorf("a name is in %s", text)
	}
}

// TestUnreachable: where nothing can be fetched, the error says what else there is; nor is another commit taken.
func TestUnreachable(t *testing.T) {
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "url."+t.TempDir()+"/.insteadOf")
	t.Setenv("GIT_CONFIG_VALUE_0", "https://github.com/")
	if _, err := sources[0].repository("", t.TempDir()); err == nil || !strings.Contains(err.Error(), "--repositories") {
		t.Errorf("fetched: %v", err)
	}
	_, err := sources[0].repository(t.TempDir(), "")
	if err == nil || !strings.Contains(err.Error(), sources[0].commits[0]) {
		t.Errorf("a clone that is not there: %v", err)
	}
}

// TestPrinted: what Python has printed is read: calls, and results in their frame.
func TestPrinted(t *testing.T) {
	raw, err := json.Marshal(`[{'id': 'c1', 'function': {'arguments': '{"q": "it\'s\\n"}', 'name': 'route'}},` +
		` {'id': 'c2', 'function': {'arguments': "{}", 'name': 'run'}}]`)
	if err != nil {
		t.Fatal(err)
	}
	calls := printedCalls(raw)
	if len(calls) != 2 || calls[0].Function.Arguments != `{"q": "it's\n"}` || calls[1].ID != "c2" ||
		calls[1].Function.Name != "run" {
		t.Errorf("%+v", calls)
	}
	for in, want := range map[string]string{
		`meta=None content=[TextContent(type='text', text="a: 'b'\n\xe9", annotations=None)] isError=False`:      "a: 'b'\né",
		`meta=None content=[TextContent(type='text', text='{"content":[{"type":"text","text":"in"}]}', x=None)]`: "in",
		"plain": "plain",
	} {
		if got := unframed(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// TestReplace: what names people is replaced, the same everywhere; examples stay.
func TestReplace(t *testing.T) {
	who := newPeople()
	who.authors("Berthold Quark\n12+bquark@users.noreply.github.com\n")
	for in, want := range map[string]string{
		"by Berthold, bquark and Bertholdina":    "by person1, person3 and Bertholdina",
		"/Users/bquark/x -Users-bquark-x":        "/home/dev/x -Users-dev-x",
		"a@example.com git@github.com":           "a@example.com git@github.com",
		"q@shop.io, q@shop.io":                   "mail1@mail-of-people.net, mail1@mail-of-people.net",
		"ghp_" + strings.Repeat("Ab1", 12) + ".": "ghp_" + strings.Repeat(hashed("key 0"), 4)[:36] + ".",
	} {
		if got := who.replace(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
