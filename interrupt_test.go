//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/tidwall/gjson"
)

// TestInterrupted ends kfw by a signal after its first frame. Whatever it reads from, it says in a final frame that the
// response is not whole, and its exit status names the signal.
func TestInterrupted(t *testing.T) {
	sources := map[string][]string{
		"stdin":                   nil,
		"driver":                  {"--", "sh", "-c", `echo '{"a":1}'; exec cat`},
		"driver with a last word": {"--", "sh", "-c", `trap 'echo '"'"'{"last":1}'"'"'; exit 0' INT TERM QUIT; echo '{"a":1}'; while read line; do :; done`},
	}
	for name, driver := range sources {
		for signal, status := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGQUIT: 131} {
			t.Run(name+", "+signal.String(), func(t *testing.T) {
				t.Parallel()
				state := t.TempDir()
				p := kfw(t, state, append([]string{"stream", "--session", "s.kfw"}, driver...)...)
				in, stdout := p.pipes(t)
				if driver == nil {
					if _, err := io.WriteString(in, "{\"a\":1}\n"); err != nil {
						t.Fatal(err)
					}
				}
				out := bufio.NewReader(stdout)
				first, err := out.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				if err := p.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				rest, err := io.ReadAll(out)
				if err != nil {
					t.Fatal(err)
				}
				p.Wait() // its error is the exit status
				p.ended(t, status)
				if problem := checkFrames(first+string(rest), 4000); problem != "" {
					t.Errorf("%s: %s%s", problem, first, rest)
				}
				lines := strings.Split(strings.TrimSpace(string(rest)), "\n")
				final := gjson.Parse(lines[len(lines)-1])
				if final.Get("error.code").String() != "interrupted" || final.Get("error.exit").Int() != int64(status) {
					t.Errorf("final frame %s", final.Raw)
				}
				if name == "driver with a last word" && !strings.Contains(string(rest), `"data":{"last":1}`) {
					t.Errorf("what the driver said last is missing: %s", rest)
				}
				if p.errs.Len() > 0 {
					t.Errorf("stderr: %q", p.errs.String())
				}
				ledger := kfw(t, state, "budget", "--session", "s.kfw", "--json").run(t, 0)
				if used := gjson.Get(ledger, "used").Int(); gjson.Get(ledger, "reserved").Int() != 0 || used != int64(tokens(first+string(rest))) {
					t.Errorf("written: %d tokens, ledger: %s", tokens(first+string(rest)), ledger)
				}
			})
		}
	}
}

// TestInterruptedDriver interrupts kfw while its driver, which writes for ever and does not listen, and what that has
// started hold a pipe open. They end with kfw, or the pipe would stay open.
func TestInterruptedDriver(t *testing.T) {
	state := t.TempDir()
	alive := state + "/alive"
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Fatal(err)
	}
	p := kfw(t, state, "stream", "--", "sh", "-c", `trap '' INT TERM; exec 3>alive; sleep 600 & while :; do echo '{"a":1}'; done`)
	_, stdout := p.pipes(t)
	held, err := os.Open(alive)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	out := bufio.NewReader(stdout)
	first, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	p.Wait() // its error is the exit status
	p.ended(t, 130)
	if problem := checkFrames(first+string(rest), 4000); problem != "" {
		t.Error(problem)
	}
	if n, err := io.Copy(io.Discard, held); n != 0 || err != nil { // returns when nobody has it open any more
		t.Errorf("read %d bytes, %v", n, err)
	}
}

// TestInterruptedTwice: the second signal ends kfw at once, and with it a driver that does not listen and what that has
// started.
func TestInterruptedTwice(t *testing.T) {
	state := t.TempDir()
	alive := state + "/alive"
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Fatal(err)
	}
	p := kfw(t, state, "stream", "--", "sh", "-c", `trap 'echo heard' TERM; trap '' QUIT; exec 3>alive; sleep 600 & echo ready; while :; do wait; done`)
	_, stdout := p.pipes(t)
	held, err := os.Open(alive)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	out := bufio.NewReader(stdout)
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGQUIT} {
		if _, err := out.ReadString('\n'); err != nil { // it is ready, it has heard
			t.Fatal(err)
		}
		if err := p.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.Copy(io.Discard, held); err != nil { // returns when nobody has it open any more
		t.Fatal(err)
	}
	p.Wait() // its error is the exit status
	p.ended(t, 131)
	if p.errs.Len() > 0 {
		t.Errorf("stderr: %q", p.errs.String())
	}
}

// tokens is what text costs by the chars counter.
func tokens(text string) (sum int) {
	for line := range strings.Lines(text) {
		sum += (len([]rune(line)) + 3) / 4
	}
	return sum
}
