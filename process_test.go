//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// process is kfw as whoever starts it sees it, with a store of its own. TestMain has put kfw on the path.
type process struct {
	*exec.Cmd
	out, errs bytes.Buffer
}

// kfw prepares a run; the same state (a directory) is the same store.
func kfw(t *testing.T, state string, args ...string) *process {
	t.Helper()
	return program(t, "kfw", state, args...)
}

func program(t *testing.T, name, state string, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	p := &process{Cmd: exec.CommandContext(ctx, name, args...)}
	p.Cancel = func() error { return p.Process.Signal(syscall.SIGQUIT) } // what hangs says on stderr where
	p.WaitDelay = 5 * time.Second
	p.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + state, "XDG_STATE_HOME=" + state, raceVariable + "=" +
		raceOptions}
	p.Dir = state
	p.Stdout, p.Stderr = &p.out, &p.errs
	return p
}

// run runs it to its end and checks the exit status.
func (p *process) run(t *testing.T, status int) string {
	t.Helper()
	if err := p.Run(); p.ProcessState == nil {
		t.Fatal(err)
	}
	p.ended(t, status)
	return p.out.String()
}

func (p *process) ended(t *testing.T, status int) {
	t.Helper()
	if got := p.ProcessState.ExitCode(); got != status {
		t.Errorf("%s: %v, want exit status %d; stderr: %q", strings.Join(p.Args, " "), p.ProcessState, status,
			p.errs.String())
	}
}

// pipes starts it between two pipes, so that a test can wait for what it writes before it goes on.
func (p *process) pipes(t *testing.T) (in io.WriteCloser, out io.Reader) {
	t.Helper()
	p.Stdout = nil
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return in, stdout
}

// interrupted sends it a signal, and returns what it writes after that, to its end.
func (p *process) interrupted(t *testing.T, by syscall.Signal, out io.Reader, status int) string {
	t.Helper()
	if err := p.Process.Signal(by); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	p.Wait() // its error is the exit status
	p.ended(t, status)
	return string(rest)
}

// accountOf returns what the session s.kfw says: used, reserved and left.
func accountOf(t *testing.T, state string) string {
	t.Helper()
	ledger := gjson.Parse(kfw(t, state, "budget", "--session", "s.kfw", "--json").run(t, 0))
	return fmt.Sprint(ledger.Get("used").Int(), ledger.Get("reserved").Int(), ledger.Get("left").Int())
}

// saved is a file of a test.
func saved(t *testing.T, content []byte) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}
