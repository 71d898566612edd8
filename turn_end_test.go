package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTurnEnds: where the connection stays open after the end of the answer, the turn comes at once, and kfw ends after
// --drain. What the turn cost is on the ledger, also if it comes in between.
func TestTurnEnds(t *testing.T) {
	const answer = `data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]}` + "\n\n"
	const end = "data: [DONE]\n\n"
	const late = `data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":34}}` + "\n\n"
	for name, test := range map[string]struct{ stream, after, kinds, ledger string }{
		"an end":        {answer + end, "", "start text turn", "usage unreported"},
		"an end, usage": {answer + end, late, "start text turn usage", " 12         34 "},
		"silence":       {answer, "", "start text turn", "usage unreported"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session := filepath.Join(t.TempDir(), "agent.kfw")
			kfw := exec.Command("kfw", "turn", "--drain", "500ms", "--session", session)
			kfw.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
			in, err := kfw.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := kfw.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := kfw.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := in.Write([]byte(test.stream)); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			var kinds []string
			for lines := bufio.NewScanner(out); lines.Scan(); {
				_, kind, _ := strings.Cut(lines.Text(), `{"e":"`)
				kind, _, _ = strings.Cut(kind, `"`)
				kinds = append(kinds, kind)
				if kind == "turn" && strings.HasSuffix(test.stream, end) && time.Since(begin) > 400*time.Millisecond {
					t.Errorf("the turn came after %s", time.Since(begin))
				}
				if kind == "turn" && test.after != "" {
					if _, err := in.Write([]byte(test.after)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := kfw.Wait(); err != nil || strings.Join(kinds, " ") != test.kinds {
				t.Errorf("%v: %s", err, kinds)
			}
			said, err := exec.Command("kfw", "budget", "--session", session).CombinedOutput()
			if err != nil || !strings.Contains(string(said), test.ledger) {
				t.Errorf("%v: %s", err, said)
			}
		})
	}
}
