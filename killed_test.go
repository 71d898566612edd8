//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tidwall/gjson"
)

// TestKilledAtEveryWrite kills kfw without warning at every call that changes a file or writes to standard output, before it
// takes effect. Whenever that is, the ledger counts no less than was written and no more than was granted; the next run takes
// back the rest; and a handle that was named can be read.
//
// strace counts the calls and sends the signal (its -e inject).
func TestKilledAtEveryWrite(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	if out, err := exec.Command(strace, "-qq", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("processes can't be traced here: %v: %s", err, out)
	}
	if raceEnabled {
		t.Skip("what is killed has no races to find, and starts slowly")
	}
	const total, asked = 5000, 600
	var response strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&response, `{"id":%d,"note":"row %d of many"}`+"\n", i, i)
	}
	in := saved(t, []byte(response.String()))
	for _, call := range []string{"write", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "unlinkat"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				state := t.TempDir()
				p := program(t, strace, state, "-f", "-qq", "-o", os.DevNull, "-e", "trace="+call,
					"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, n),
					"kfw-on-one-thread", "stream", "--session", "s.kfw", "--total", fmt.Sprint(total), "--budget", fmt.Sprint(asked))
				input, err := os.Open(in.Name())
				if err != nil {
					t.Fatal(err)
				}
				p.Stdin = input
				_ = p.Run() // killed, or not
				input.Close()
				if p.ProcessState == nil {
					t.Fatal("strace did not start")
				}
				if p.ProcessState.ExitCode() == 0 {
					t.Logf("killed at %d calls", n-1)
					return
				}
				killed := p.ProcessState.Sys().(syscall.WaitStatus)
				if !killed.Signaled() || killed.Signal() != syscall.SIGKILL {
					t.Fatalf("call %d: %v, stderr: %s", n, p.ProcessState, p.errs.String())
				}
				if problem := afterKill(t, state, p.out.String(), total, asked); problem != "" {
					t.Errorf("call %d: %s", n, problem)
				}
			}
		})
	}
}

// afterKill says what is wrong with the session of a run that was killed, and wrote this.
func afterKill(t *testing.T, state, out string, total, asked int) string {
	if _, err := os.Stat(filepath.Join(state, "s.kfw")); errors.Is(err, os.ErrNotExist) {
		if out != "" {
			return "something was written before the ledger was there"
		}
		return ""
	}
	next := kfw(t, state, "stream", "--session", "s.kfw", "--total", fmt.Sprint(total), "--budget", "200")
	next.Stdin = strings.NewReader("{}\n")
	wrote := tokens(out) + tokens(next.run(t, 0))
	ledger := gjson.Parse(kfw(t, state, "budget", "--session", "s.kfw", "--json").run(t, 0))
	used := int(ledger.Get("used").Int())
	switch {
	case used < wrote:
		return fmt.Sprintf("%d tokens were written, the ledger says %d", wrote, used)
	case used > asked+200:
		return fmt.Sprintf("%d tokens were granted, the ledger says %d", asked+200, used)
	case ledger.Get("reserved").Int() != 0:
		return "what the dead run held was not given back: " + ledger.Raw
	case int(ledger.Get("left").Int()) != total-used:
		return "the account does not add up: " + ledger.Raw
	}
	handle := ""
	for line := range strings.Lines(out) {
		if strings.HasSuffix(line, "\n") {
			handle = gjson.Get(line, "handle").String()
		}
	}
	if handle == "" {
		return ""
	}
	kept := kfw(t, state, "expand", handle, "--session", "s.kfw", "--raw").run(t, 0)
	if kept == "" || !strings.HasPrefix(kept, `{"id":0,`) {
		return fmt.Sprintf("handle %s was named and holds %d bytes", handle, len(kept))
	}
	return ""
}
