//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// TestClosedStreams starts kfw without some of its standard streams. What it opens never takes
// their numbers: the session and all other files stay what they are, whatever is written to a
// stream that is not there.
func TestClosedStreams(t *testing.T) {
	tried := 0
	for _, closed := range []string{"<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"} {
		for _, command := range []string{
			"stream --session s.kfw -- seq 5000",
			"stream --session s.kfw --stderr merge -- sh -c 'echo of-the-driver >&2; seq 5000'",
			"expand h1 --session s.kfw --budget 2000",
			"redact in.txt --report=report.txt",
			"count in.txt",
			"budget --session s.kfw",
			"handles --session s.kfw",
			"config",
			"nonsense",
		} {
			if tried++; tried%testdepth.Step() > 0 {
				continue
			}
			t.Run(command+" "+closed, func(t *testing.T) {
				t.Parallel()
				state := t.TempDir()
				if err := os.WriteFile(filepath.Join(state, "in.txt"), []byte("to ada@example.com\n"),
					0o600); err != nil {
					t.Fatal(err)
				}
				made := kfw(t, state, "stream", "--session", "s.kfw", "--budget", "300", "--", "seq", "3000")
				made.run(t, 0)
				run := program(t, "sh", state, "-c", "kfw "+command+" "+closed+"; true")
				run.run(t, 0)

				after := kfw(t, state, "handles", "--session", "s.kfw")
				if listed := after.run(t, 0); !strings.Contains(listed, "h1 ") || !strings.Contains(listed, " 3000 ") {
					t.Errorf("handles: %s", listed)
				}
				err := filepath.WalkDir(state, func(path string, entry fs.DirEntry, err error) error {
					if err != nil || !entry.Type().IsRegular() {
						return err
					}
					content, err := os.ReadFile(path)
					for _, frame := range []string{`"is_final"`, `{"seq":1,`, "tokens left\n", "kfw: ",
						"[REDACTED:email]"} {
						if strings.Contains(string(content), frame) {
							t.Errorf("%s has %s", path, frame)
						}
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
}
