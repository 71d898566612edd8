package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/session"
)

// TestHooksAtOnce: twenty hooks on one session: none fails, each has a handle of its own, and the ledger is exact. On
// a busy machine some have to wait for the others for more than 2 s: these say so in the log, and shorten nothing.
func TestHooksAtOnce(t *testing.T) {
	state := t.TempDir()
	const hooks = 20
	answers := make([]string, hooks)
	var all sync.WaitGroup
	for i := range hooks {
		var long strings.Builder
		for line := range 1500 {
			fmt.Fprintf(&long, "line %d of hook %d\n", line, i)
		}
		event, err := json.Marshal(map[string]any{"hook_event_name": "PostToolUse", "session_id": "one",
			"tool_name":     "Bash",
			"tool_response": map[string]any{"stdout": long.String(), "stderr": ""}})
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
		used += tokensOfText(text)
	}
	file := session.At(filepath.Join(state, "sessions", "claude-code-one.kfw"), session.Settings{})
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
	file := session.At(filepath.Join(state, "sessions", "claude-code-one.kfw"), session.Settings{})
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
		used += tokensOfText(text)
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
