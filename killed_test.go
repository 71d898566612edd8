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

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// TestKilledAtEveryWrite kills kfw without warning at every call that changes a file or writes to standard output,
// before it takes effect. Whenever that is, the ledger counts no less than was written and no more than was granted;
// the next run takes back the rest; and a handle that was named can be read.
//
// strace counts the calls and sends the signal (its -e inject).
func TestKilledAtEveryWrite(t *testing.T) {
	strace := tracer(t)
	const total, asked = 5000, 600
	var response strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&response, `{"id":%d,"note":"row %d of many"}`+"\n", i, i)
	}
	in := saved(t, []byte(response.String()))
	killedAtEvery(t, func(t *testing.T, call string, n int) (ended bool) {
		state := t.TempDir()
		p := killedAt(t, strace, state, call, n,
			"stream", "--session", "s.kfw", "--total", fmt.Sprint(total), "--budget", fmt.Sprint(asked))
		input, err := os.Open(in.Name())
		if err != nil {
			t.Fatal(err)
		}
		defer input.Close()
		p.Stdin = input
		if p.ends(t) {
			return true
		}
		if problem := afterKill(t, state, p.out.String(), total, asked); problem != "" {
			t.Errorf("call %d: %s", n, problem)
		}
		return false
	})
}

// TestBudgetKilledAtEveryWrite does the same to each subcommand of kfw budget that changes the
// ledger. The ledger then says what it said before the command, or what it says after the whole
// command; after it, if anything was written.
func TestBudgetKilledAtEveryWrite(t *testing.T) {
	t.Parallel()
	strace := tracer(t)
	const before = "100 300 600" // used, reserved and left
	for args, after := range map[string]string{
		"allocate 200":                     "100 500 400",
		"spend 200":                        "300 300 400",
		"spend 200 --grant g1 --note kept": "300 0 700",
		"release g1":                       "100 0 900",
		"reset":                            "0 300 700",
		"set 900":                          "100 300 500",
	} {
		t.Run(args, func(t *testing.T) {
			prepared := t.TempDir()
			kfw(t, prepared, "budget", "allocate", "300", "--session", "s.kfw", "--total", "1000").run(t, 0)
			kfw(t, prepared, "budget", "spend", "100", "--session", "s.kfw").run(t, 0)
			killedAtEvery(t, func(t *testing.T, call string, n int) (ended bool) {
				state := t.TempDir()
				if err := os.CopyFS(state, os.DirFS(prepared)); err != nil {
					t.Fatal(err)
				}
				p := killedAt(t, strace, state, call, n,
					append([]string{"budget", "--session", "s.kfw"}, strings.Fields(args)...)...)
				ended = p.ends(t)
				got := accountOf(t, state)
				if got != after && (ended || p.out.Len() > 0 || got != before) {
					t.Errorf("call %d: it wrote %q, the ledger says %s; before the command %s, after it %s",
						n, p.out.String(), got, before, after)
				}
				return ended
			})
		})
	}
}

// tracer returns the path of strace, and skips the test where it can't be used.
func tracer(t *testing.T) string {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	if out, err := exec.Command(strace, "-qq", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("processes can't be traced here: %v: %s", err, out)
	}
	if testdepth.Race {
		t.Skip("what is killed has no races to find, and starts slowly")
	}
	return strace
}

// killedAtEvery runs do for the first call of each kind that changes a file or writes, then for the
// second one, and so on until the run ends by itself.
func killedAtEvery(t *testing.T, do func(t *testing.T, call string, n int) (ended bool)) {
	for _, call := range []string{"write", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "unlinkat"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			n := 1
			for !do(t, call, n) {
				n += testdepth.Step()
			}
			t.Logf("the run makes less than %d calls", n)
		})
	}
}

// traced is a kfw that is killed at one of its system calls, unless it ends before it.
type traced struct {
	*process
	n int
}

func killedAt(t *testing.T, strace, state, call string, n int, args ...string) traced {
	t.Helper()
	return traced{program(t, strace, state, append([]string{"-f", "-qq", "-o", os.DevNull, "-e", "trace=" + call,
		"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, n), "kfw-on-one-thread"}, args...)...), n}
}

// ends runs it and reports whether it came to its end.
func (p traced) ends(t *testing.T) bool {
	t.Helper()
	_ = p.Run() // killed, or not
	if p.ProcessState == nil {
		t.Fatal("strace did not start")
	}
	if p.ProcessState.ExitCode() == 0 {
		return true
	}
	killed := p.ProcessState.Sys().(syscall.WaitStatus)
	if !killed.Signaled() || killed.Signal() != syscall.SIGKILL {
		t.Fatalf("call %d: %v, stderr: %s", p.n, p.ProcessState, p.errs.String())
	}
	return false
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
