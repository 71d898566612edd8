//go:build unix

package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/redact"
)

// TestAbout: the question is the file, then the text, then the call, the newest last; a file is read from its end, a
// pipe is read like a file.
func TestAbout(t *testing.T) {
	rules, err := terminal.RulesOf(redact.All)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	filler := strings.Repeat("filler line\n", question.MaxText/12+1)
	pipe := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		go func() { _ = os.WriteFile(path, []byte(text), 0o600) }() // the test says what is read
		return path
	}
	stdin, err := os.Open(file("stdin", "alpha"))
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	const line = "alpha beta gamma gammagamma1234 redacted"
	for _, c := range []struct {
		name string
		a    about
		argv []string
		want string
	}{
		{"none", about{}, nil, ""},
		{"text", about{text: "[1] alpha\n[2] beta"}, nil, "alpha:0.8 beta:1"},
		{"a driver", about{}, []string{"grep", "-r", "alpha"}, "alpha:1"},
		{"all", about{text: "[x] beta", file: file("f", "alpha\n")}, []string{"grep", "gamma"},
			"alpha:0.64 beta:0.8 gamma:1"},
		{"a long file", about{file: file("long", "alpha\n"+filler+"beta")}, nil, "beta:1"},
		{"a pipe", about{file: pipe("pipe", "alpha\n"+filler+filler+"beta")}, nil, "beta:1"},
		{"an empty pipe", about{file: pipe("empty", "")}, nil, ""},
		{"standard input", about{file: "-"}, nil, "alpha:1"},
		{"a secret", about{text: "alpha password: beta"}, []string{"login", "--token", "gammagamma1234"}, "alpha:0.8"},
	} {
		last := command(c.argv)
		if c.argv == nil {
			last = nil
		}
		ask, err := c.a.question(rules, stdin, "", last)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if isNone := ask == nil; isNone != (c.name == "none") {
			t.Errorf("%s: no question: %v", c.name, isNone)
			continue
		}
		var got []string
		if ask != nil {
			q := ask()
			for _, p := range q.Find(nil, []byte(line)) {
				got = append(got, fmt.Sprintf("%s:%.3g", line[p.Start:p.End], q.Weight(p.Word)))
			}
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%s: %q, want %q", c.name, all, c.want)
		}
	}
}

// TestReadEnd: of a pipe no more is held than is taken of it.
func TestReadEnd(t *testing.T) {
	for _, size := range []int{0, 1, question.MaxText, question.MaxText + 1, 3*question.MaxText + 5} {
		out, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Repeat("x", max(0, size-1)) + strings.Repeat("y", min(1, size))
		go func() {
			_, _ = in.WriteString(text) // the test says what is read
			in.Close()
		}()
		end, err := readEnd(out)
		if err != nil || string(end) != text[max(0, size-question.MaxText):] || cap(end) > question.MaxText {
			t.Errorf("%d bytes: %d of them, room for %d, %v", size, len(end), cap(end), err)
		}
		out.Close()
	}
}
