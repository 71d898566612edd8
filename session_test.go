//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestPipeOnOneSession has one kfw read what another writes, both on one session. Neither waits for the other's lock,
// and the ledger has exactly what both wrote.
func TestPipeOnOneSession(t *testing.T) {
	var response strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&response, `{"id":%d,"note":"row %d of many"}`+"\n", i, i)
	}
	state := t.TempDir()
	first := kfw(t, state, "stream", "--session", "s.kfw", "--budget", "3000")
	second := kfw(t, state, "stream", "--session", "s.kfw", "--budget", "2000")
	between, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var passed strings.Builder
	first.Stdin, first.Stdout = strings.NewReader(response.String()), io.MultiWriter(to, &passed)
	second.Stdin = between
	for _, p := range []*process{first, second} {
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
	}
	first.Wait() // its error is the exit status
	first.ended(t, 0)
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	second.Wait()
	second.ended(t, 0)
	if err := between.Close(); err != nil {
		t.Fatal(err)
	}
	if problem := checkFrames(passed.String(), 3000); problem != "" {
		t.Errorf("first: %s", problem)
	}
	if problem := checkFrames(second.out.String(), 2000); problem != "" {
		t.Errorf("second: %s", problem)
	}
	written := int64(tokens(passed.String()) + tokens(second.out.String()))
	ledger := gjson.Parse(kfw(t, state, "budget", "--session", "s.kfw", "--json").run(t, 0))
	if ledger.Get("used").Int() != written || ledger.Get("reserved").Int() != 0 ||
		ledger.Get("left").Int() != ledger.Get("total").Int()-written {
		t.Errorf("written: %d tokens, ledger: %s", written, ledger.Raw)
	}
}

// TestDiskFull lets the session file grow to a limit and no further. Whatever fails, and whenever: either nothing was
// written, or the final frame tells it and claims no handle, and the ledger is not short of what was written.
func TestDiskFull(t *testing.T) {
	var response strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&response, `{"id":%d,"note":"row %d of many"}`+"\n", i, i)
	}
	for _, blocks := range []int{0, 20, 60, 90, 100, 110, 120, 140, 160, 200, 260, 400} { // of 512 bytes
		t.Run(fmt.Sprint(blocks), func(t *testing.T) {
			t.Parallel()
			state := t.TempDir()
			p := program(t, "sh", state, "-c",
				fmt.Sprintf("ulimit -f %d && exec kfw stream --session s.kfw --budget 600", blocks))
			p.Stdin = strings.NewReader(response.String())
			out := p.run(t, 123)
			if !strings.Contains(p.errs.String(), "kfw: s.kfw: ") || strings.Contains(p.errs.String(), "row ") {
				t.Errorf("stderr: %q", p.errs.String())
			}
			if out == "" {
				return
			}
			if problem := checkFrames(out, 600); problem != "" {
				t.Error(problem)
			}
			lines := strings.Split(strings.TrimSpace(out), "\n")
			final := gjson.Parse(lines[len(lines)-1])
			if final.Get("error.code").String() != "session_unusable" || final.Get("error.exit").Int() != 123 ||
				final.Get("handle").Exists() {
				t.Errorf("last frame: %s", final.Raw)
			}
			ledger := kfw(t, state, "budget", "--session", "s.kfw", "--json").run(t, 0)
			if used := gjson.Get(ledger, "used").Int(); used < int64(tokens(out)) {
				t.Errorf("written: %d tokens, ledger: %s", tokens(out), ledger)
			}
		})
	}
}
