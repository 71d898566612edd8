//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/tokenizer"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

// hookOf returns the hook of Claude Code for a command of the shell that has printed stdout.
func hookOf(t *testing.T, state, command, stdout string) *process {
	t.Helper()
	event, err := json.Marshal(map[string]any{"hook_event_name": "PostToolUse", "session_id": "one",
		"tool_name": "Bash", "tool_input": map[string]any{"command": command},
		"tool_response": map[string]any{"stdout": stdout, "stderr": ""}})
	if err != nil {
		t.Fatal(err)
	}
	p := kfw(t, state, "hook", "--host", "claude-code", "--config", filepath.Join(state, "none"), "--state", state)
	p.Stdin = strings.NewReader(string(event))
	return p
}

// tokensOfHook returns what a text costs by the counter that hooks have by default.
func tokensOfHook(t *testing.T, text string) int {
	t.Helper()
	counter, err := tokenizer.NewCounter("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	return counter.Count([]byte(text))
}

// TestWrappedCommandRuns: the command that a hook gives a host in the place of the model's runs as it stands: what it
// says goes through kfw, on the session of the event, and it ends with the status of the model's command.
func TestWrappedCommandRuns(t *testing.T) {
	state := t.TempDir()
	p := kfw(t, state, "hook", "--host", "cline", "--config", filepath.Join(state, "none"), "--state", state, "--wrap")
	p.Stdin = strings.NewReader(`{"host":"cline","hook_event_name":"beforeTool","session_id":"one",` +
		`"tool_name":"run_commands","tool_input":{"commands":["echo ada@example.org; seq 5000 >&2; exit 3"]}}`)
	command := gjson.Get(p.run(t, 0), "input.commands.0").String()
	said := program(t, "sh", state, "-c", command).run(t, 3)
	if !strings.HasPrefix(said, "kfw: 5001 lines") || !strings.Contains(said, "\n1: [REDACTED:email]\n2: 1\n") ||
		!strings.Contains(said, " expand h1 ") {
		t.Errorf("%q says %.1000q", command, said)
	}
	file := file.At(filepath.Join(state, "sessions", "cline-one.kfw"), session.Settings{})
	defer file.Close()
	if status, err := file.Status(); err != nil || status.Used != tokensOfHook(t, said) {
		t.Errorf("%d tokens used, want %d, %v", status.Used, tokensOfHook(t, said), err)
	}
}

// TestHooksAtOnce: twenty hooks on one session: none fails, each has a handle of its own, and the ledger is exact. On
// a busy machine some have to wait for the others for more than 2 s: these say so in the log, and shorten nothing.
func TestHooksAtOnce(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	const hooks = 20
	answers := make([]string, hooks)
	var all sync.WaitGroup
	for i := range hooks {
		var long strings.Builder
		for line := range 1500 {
			fmt.Fprintf(&long, "line %d of hook %d\n", line, i)
		}
		p := hookOf(t, state, fmt.Sprint("show ", i), long.String())
		all.Go(func() {
			if err := p.Run(); err != nil {
				t.Error(err)
			}
			answers[i] = p.out.String()
		})
	}
	all.Wait()
	log, err := os.ReadFile(filepath.Join(state, "hook.log"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	late := 0
	for line := range strings.Lines(string(log)) {
		if !strings.Contains(line, "not shortened: ") || !strings.Contains(line, "locked by another process for 2s") {
			t.Error(line)
		}
		late++
	}
	if late == hooks {
		t.Fatal("no hook had its turn")
	}
	used, unanswered, handles := 0, 0, make(map[string]bool)
	for i, answer := range answers {
		if answer == "" {
			unanswered++
			continue
		}
		text := gjson.Get(answer, "hookSpecificOutput.updatedToolOutput.stdout").String()
		_, command, found := strings.Cut(text, " expand ")
		if !found || !strings.Contains(text, fmt.Sprintf("of hook %d\n", i)) {
			t.Fatalf("hook %d: %.300q", i, text)
		}
		handles[strings.Fields(command)[0]] = true
		used += tokensOfHook(t, text)
	}
	file := file.At(filepath.Join(state, "sessions", "claude-code-one.kfw"), session.Settings{})
	defer file.Close()
	status, err := file.Status()
	isExact := status.Used == used || late > 0 && status.Used > used // what a late one has charged was not seen
	if err != nil || !isExact || status.Reserved != 0 || len(handles) != hooks-late || unanswered != late {
		t.Errorf("used %d of %d, reserved %d, %d handles, %d unanswered, %d late, %v",
			status.Used, used, status.Reserved, len(handles), unanswered, late, err)
	}
}

// TestRepeatsAtOnce: twenty hooks on one session, with four results: none fails, the ledger is exact, and what refers
// to a result refers to an equal one. Those that have waited for more than 2 s say so in the log, and show the
// result.
func TestRepeatsAtOnce(t *testing.T) {
	state := t.TempDir()
	const hooks, results = 20, 4
	said := func(i int) string {
		return strings.Repeat(fmt.Sprintf("a line of result %d\n", i%results), 60)
	}
	answers := make([]string, hooks)
	var all sync.WaitGroup
	for i := range hooks {
		event, err := json.Marshal(map[string]any{"hook_event_name": "PostToolUse", "session_id": "one",
			"tool_name":     "Bash",
			"tool_response": map[string]any{"stdout": said(i), "stderr": ""}})
		if err != nil {
			t.Fatal(err)
		}
		p := kfw(t, state, "hook", "--host", "claude-code", "--config", filepath.Join(state, "none"), "--state", state)
		p.Stdin = strings.NewReader(string(event))
		all.Go(func() {
			if err := p.Run(); err != nil {
				t.Error(err)
			}
			answers[i] = p.out.String()
		})
	}
	all.Wait()
	file := file.At(filepath.Join(state, "sessions", "claude-code-one.kfw"), session.Settings{})
	defer file.Close()
	used := 0
	for i, answer := range answers {
		text := said(i)
		if answer != "" {
			text = gjson.Get(answer, "hookSpecificOutput.updatedToolOutput.stdout").String()
			id := regexp.MustCompile(`\bh\d+\b`).FindString(text)
			stored, err := file.Handle(id)
			if err != nil || !strings.HasPrefix(text, "kfw: same as ") {
				t.Fatalf("hook %d: %.300q: %v", i, text, err)
			}
			var b strings.Builder
			if _, err := stored.WriteTo(&b); err != nil || b.String() != said(i) {
				t.Errorf("hook %d: %s has %.100q, %v", i, id, b.String(), err)
			}
		}
		used += tokensOfHook(t, text)
	}
	status, err := file.Status()
	log, _ := os.ReadFile(filepath.Join(state, "hook.log")) // there is none if all had their turn
	for line := range strings.Lines(string(log)) {
		if !strings.Contains(line, "locked by another process for 2s") {
			t.Error(line)
		}
	}
	if isLate := len(log) > 0; err != nil || status.Used != used && (!isLate || status.Used > used) ||
		status.Reserved != 0 {
		t.Errorf("used %d of %d, reserved %d, %v", status.Used, used, status.Reserved, err)
	}
}

// TestAgainAtOnce: hooks on one session at once, with results that were shown in part before and others with the same
// lines, each to a question of its own: what one says to be shown in a handle, that one's answer shows, and the ledger
// is exact.
func TestAgainAtOnce(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	const waves, hooks = 3, 8
	var plants strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&plants, "%6d\tplant %d grows in bed %d of the orchard\n", i+1, i, i*i%977)
	}
	lines := strings.Split(plants.String(), "\n")
	said := func(i int) []string { return lines[i%4*100 : 600+i%4*100] } // do not fit
	answers := make([]string, waves*hooks)
	for wave := range waves {
		var all sync.WaitGroup
		for i := wave * hooks; i < (wave+1)*hooks; i++ {
			p := hookOf(t, state, fmt.Sprint("show plant ", 100+i*17), strings.Join(said(i), "\n")+"\n")
			all.Go(func() {
				if err := p.Run(); err != nil {
					t.Error(err)
				}
				answers[i] = gjson.Get(p.out.String(), "hookSpecificOutput.updatedToolOutput.stdout").String()
			})
		}
		all.Wait()
	}
	log, _ := os.ReadFile(filepath.Join(state, "hook.log")) // there is none if all had their turn
	for line := range strings.Lines(string(log)) {
		if !strings.Contains(line, "locked by another process for 2s") {
			t.Error(line)
		}
	}
	handle := regexp.MustCompile(` expand (h\d+) `)
	gap := regexp.MustCompile(`^… (\d+) lines?(?: as shown in (h\d+)|: .*)?$`)
	shows := map[string]string{}
	for i, answer := range answers {
		if m := handle.FindStringSubmatch(answer); m != nil && !strings.HasPrefix(answer, "kfw: same as ") {
			shows[m[1]] = answer
		} else if answer == "" {
			t.Logf("hook %d was late", i)
		}
	}
	used, shown := 0, 0
	for i, answer := range answers {
		used += tokensOfHook(t, answer)
		done, of := 0, said(i)
		for line := range strings.Lines(answer) {
			m := gap.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			switch {
			case m != nil:
				n, _ := strconv.Atoi(m[1])
				for range n {
					done++
					if m[2] == "" {
						continue
					}
					if shown++; !strings.Contains(shows[m[2]], "\n"+of[done-1]+"\n") {
						t.Fatalf("hook %d: line %d is not in %s:\n%s\n\n%s", i, done, m[2], answer, shows[m[2]])
					}
				}
			case !strings.HasPrefix(line, "kfw: ") && !strings.HasPrefix(line, "= "):
				done++
			}
		}
		if done != len(of) && answer != "" && !strings.HasPrefix(answer, "kfw: same as ") {
			t.Errorf("hook %d: %d of %d lines:\n%s", i, done, len(of), answer)
		}
	}
	db := file.At(filepath.Join(state, "sessions", "claude-code-one.kfw"), session.Settings{})
	defer db.Close()
	status, err := db.Status()
	if err != nil || len(log) == 0 && status.Used != used || status.Reserved != 0 {
		t.Errorf("used %d of %d, reserved %d, %v", status.Used, used, status.Reserved, err)
	}
	if shown < 100 && len(log) == 0 {
		t.Errorf("%d lines are said to be shown before", shown)
	}
}
