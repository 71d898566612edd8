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
		"stdin":  nil,
		"driver": {"--", "sh", "-c", `echo '{"a":1}'; exec cat`},
		"driver with a last word": {"--", "sh", "-c",
			`trap 'echo '"'"'{"last":1}'"'"'; exit 0' INT TERM QUIT; echo '{"a":1}'; while read line; do :; done`},
	}
	for name, driver := range sources {
		for signal, status := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143,
			syscall.SIGQUIT: 131} {
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
				rest := p.interrupted(t, signal, out, status)
				if problem := checkFrames(first+rest, 4000); problem != "" {
					t.Errorf("%s: %s%s", problem, first, rest)
				}
				lines := strings.Split(strings.TrimSpace(rest), "\n")
				final := gjson.Parse(lines[len(lines)-1])
				if final.Get("error.code").String() != "interrupted" || final.Get("error.exit").Int() != int64(status) {
					t.Errorf("final frame %s", final.Raw)
				}
				if name == "driver with a last word" && !strings.Contains(rest, `"data":{"last":1}`) {
					t.Errorf("what the driver said last is missing: %s", rest)
				}
				if p.errs.Len() > 0 {
					t.Errorf("stderr: %q", p.errs.String())
				}
				ledger := kfw(t, state, "budget", "--session", "s.kfw", "--json").run(t, 0)
				if used := gjson.Get(ledger, "used").Int(); gjson.Get(ledger, "reserved").Int() != 0 ||
					used != int64(tokens(first+rest)) {
					t.Errorf("written: %d tokens, ledger: %s", tokens(first+rest), ledger)
				}
			})
		}
	}
}

// TestInterruptedDriver interrupts kfw while its driver, which writes for ever and does not listen, and what that has
// started hold a pipe open. They end with kfw, or the pipe would stay open.
func TestInterruptedDriver(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	alive := state + "/alive"
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Fatal(err)
	}
	p := kfw(t, state, "stream", "--", "sh", "-c",
		`trap '' INT TERM; exec 3>alive; sleep 600 & while :; do echo '{"a":1}'; done`)
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
	rest := p.interrupted(t, syscall.SIGINT, out, 130)
	if problem := checkFrames(first+rest, 4000); problem != "" {
		t.Error(problem)
	}
	if n, err := io.Copy(io.Discard, held); n != 0 || err != nil { // returns when no process has it open any more
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
	p := kfw(t, state, "stream", "--", "sh", "-c",
		`trap 'echo heard' TERM; trap '' QUIT; exec 3>alive; sleep 600 & echo ready; while :; do wait; done`)
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
	if _, err := io.Copy(io.Discard, held); err != nil { // returns when no process has it open any more
		t.Fatal(err)
	}
	p.Wait() // its error is the exit status
	p.ended(t, 131)
	if p.errs.Len() > 0 {
		t.Errorf("stderr: %q", p.errs.String())
	}
}

// TestInterruptedTurn ends kfw turn by a signal, while it waits for more of a stream or for its judge. The turn that
// there is comes last, as when the stream ends too early, and its cost is on the ledger.
func TestInterruptedTurn(t *testing.T) {
	const said = `data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"content":"I write to ada@example.org"}}]}` + "\n\n" +
		`data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","function":{"name":"send","arguments":"{}"}}]}}]}` + "\n\n"
	const finished = `data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n"
	for name, c := range map[string]struct {
		stream   string
		judge    []string
		complete bool
		want     string
	}{
		"the stream": {said, nil, false, `{"e":"error","code":"incomplete"`},
		"the judge": {said + finished, []string{"--judge", "sh judge"}, true,
			`"why":"kfw was interrupted","failsafe":true`},
	} {
		for signal, status := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
			t.Run(name+", "+signal.String(), func(t *testing.T) {
				t.Parallel()
				state := t.TempDir()
				if err := syscall.Mkfifo(state+"/asked", 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(state+"/judge", []byte("read call; echo >asked; sleep 600"), 0o600); err != nil {
					t.Fatal(err)
				}
				p := kfw(t, state, append([]string{"turn", "--session", "s.kfw"}, c.judge...)...)
				in, stdout := p.pipes(t)
				if _, err := io.WriteString(in, c.stream); err != nil {
					t.Fatal(err)
				}
				out := bufio.NewReader(stdout)
				first, err := out.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				if c.judge != nil {
					if _, err := os.ReadFile(state + "/asked"); err != nil { // returns when it has been asked
						t.Fatal(err)
					}
				}
				rest := p.interrupted(t, signal, out, status)
				events := first + rest
				lines := strings.Split(strings.TrimSpace(events), "\n")
				last := gjson.Parse(lines[len(lines)-1])
				if last.Get("e").String() != "turn" || last.Get("complete").Bool() != c.complete ||
					!strings.Contains(last.Get("turn.text").String(), "I write to [REDACTED:email]") {
					t.Errorf("the last event: %s", last.Raw)
				}
				if !strings.Contains(events, c.want) || strings.Contains(events, `"e":"call_end"`) {
					t.Errorf("events: %s", events)
				}
				if p.errs.Len() > 0 {
					t.Errorf("stderr: %q", p.errs.String())
				}
				ledger := kfw(t, state, "budget", "--session", "s.kfw", "--json").run(t, 0)
				if command := gjson.Get(ledger,
					"invocations.0.command").String(); command != "turn m (usage unreported)" {
					t.Errorf("ledger: %s", ledger)
				}
			})
		}
	}
}

// tokens is what text costs by the chars counter.
func tokens(text string) (sum int) {
	for line := range strings.Lines(text) {
		sum += tokensOfText(line)
	}
	return sum
}

// tokensOfText returns what a text costs as a whole.
func tokensOfText(text string) int { return (len([]rune(text)) + 3) / 4 }
