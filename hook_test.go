package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/session"
)

// TestHooksAtOnce: twenty hooks on one session: none fails, each has a handle of its own, and the ledger is exact. A hook
// waits 2 s for the others, which is not enough for so many that look for races.
func TestHooksAtOnce(t *testing.T) {
	state := t.TempDir()
	hooks := 20
	if raceEnabled {
		hooks = 4
	}
	answers := make([]string, hooks)
	var all sync.WaitGroup
	for i := range hooks {
		var long strings.Builder
		for line := range 1500 {
			fmt.Fprintf(&long, "line %d of hook %d\n", line, i)
		}
		event, err := json.Marshal(map[string]any{"hook_event_name": "PostToolUse", "session_id": "one", "tool_name": "Bash",
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
	used, handles := 0, make(map[string]bool)
	for i, answer := range answers {
		text := gjson.Get(answer, "hookSpecificOutput.updatedToolOutput.stdout").String()
		_, command, found := strings.Cut(text, " expand ")
		if !found || !strings.Contains(text, fmt.Sprintf("of hook %d\n", i)) {
			t.Fatalf("hook %d: %.300q", i, text)
		}
		handles[strings.Fields(command)[0]] = true
		for line := range strings.Lines(text) {
			used += (len(line) + 3) / 4
		}
	}
	file := session.At(filepath.Join(state, "sessions", "claude-code-one.kfw"), session.Settings{})
	defer file.Close()
	status, err := file.Status()
	if err != nil || status.Used != used || status.Reserved != 0 || len(handles) != hooks {
		t.Errorf("used %d of %d, reserved %d, %d handles, %v", status.Used, used, status.Reserved, len(handles), err)
	}
}
