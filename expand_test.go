//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestExpandWhileWritten pages through a handle whose response has not ended: everything up to when it was named is
// there.
func TestExpandWhileWritten(t *testing.T) {
	state := t.TempDir()
	p := kfw(t, state, "stream", "--budget", "600", "--session", "s.kfw")
	in, stdout := p.pipes(t)
	out := bufio.NewReader(stdout)
	handle := ""
	var frames strings.Builder
	written := 0
	for handle == "" {
		for range 100 {
			if _, err := fmt.Fprintf(in, `{"n":%d,"even":%t}`+"\n", written, written%2 == 0); err != nil {
				t.Fatal(err)
			}
			written++
		}
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		frames.WriteString(line)
		handle = gjson.Get(line, "handle").String()
	}
	shown := func(args ...string) (count int, final gjson.Result) {
		args = append([]string{"expand", handle, "--session", "s.kfw", "--budget", "90000", "--total", "100000"},
			args...)
		for line := range strings.Lines(kfw(t, state, args...).run(t, 0)) {
			if final = gjson.Parse(line); final.Get("is_final").Bool() {
				return count, final
			}
			count++
		}
		return count, final
	}
	soFar, final := shown()
	isSaid := strings.Contains(final.Get("warnings.0").String(), "still being kept")
	if soFar == 0 || soFar > written || !isSaid || final.Get("next_offset").Exists() {
		t.Errorf("%d of %d chunks, and the final frame %s", soFar, written, final.Raw)
	}
	if even, _ := shown("--where", "even=true"); even != (soFar+1)/2 {
		t.Errorf("%d of %d chunks are even", even, soFar)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(&frames, out); err != nil {
		t.Fatal(err)
	}
	p.Wait() // its error is the exit status
	p.ended(t, 0)
	_, final = shown("--mode", "summary")
	if final.Get("totals.chunks").Int() != int64(written) || final.Get("warnings").Exists() {
		t.Errorf("%d chunks in the end, and the final frame %s", written, final.Raw)
	}
}

// TestExpandOfTheDead: a response whose run was killed is told from one that is still being kept.
func TestExpandOfTheDead(t *testing.T) {
	state := t.TempDir()
	p := kfw(t, state, "stream", "--mode", "handle_only", "--session", "s.kfw")
	in, stdout := p.pipes(t)
	if _, err := io.WriteString(in, "{}\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	check := func(from, complete, warning string) {
		t.Helper()
		listed := kfw(t, state, "handles", "--session", "s.kfw").run(t, 0)
		forPrograms := kfw(t, state, "handles", "--session", "s.kfw", "--json").run(t, 0)
		page := kfw(t, state, "expand", "h1", "--session", "s.kfw").run(t, 0)
		if !strings.HasSuffix(listed, "  "+from+"\n") || !strings.HasSuffix(forPrograms, complete+"}\n") ||
			!strings.Contains(page, warning) {
			t.Errorf("%s%s%s", listed, forPrograms, page)
		}
	}
	check("stdin (being kept)", `"complete":false`, `"the response is still being kept: this is what there is"`)
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.Wait() // its error is the signal
	check("stdin (its run died)", `"complete":false,"died":true`,
		`"the run of the response died: this is what there is"`)
}
