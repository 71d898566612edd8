//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
)

// TestEarlyStop: the moment that the name of a call is known that was not asked for, its producer is told to stop. When
// kfw says so, not one byte more can be written to it.
func TestEarlyStop(t *testing.T) {
	p := kfw(t, t.TempDir(), "turn", "--tools", "add")
	in, stdout := p.pipes(t)
	out := bufio.NewReader(stdout)
	send := func(delta string) {
		t.Helper()
		if _, err := io.WriteString(in, `data: {"id":"c","model":"m","choices":[{"index":0,"delta":`+delta+`}]}`+
			"\n\n"); err != nil {
			t.Fatal(err)
		}
	}
	send(`{"content":"One moment. "}`)
	if line, err := out.ReadString('\n'); err != nil || !strings.Contains(line, `"e":"start"`) {
		t.Fatal(line, err)
	}
	send(`{"tool_calls":[{"index":0,"id":"call_a","function":{"name":"remove","arguments":""}}]}`)
	for shown := false; !shown; {
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		shown = strings.Contains(line, `"e":"invalid"`)
	}
	written, err := io.WriteString(in, "data: the producer goes on\n\n")
	if written > 0 || !errors.Is(err, syscall.EPIPE) {
		t.Errorf("%d bytes could be written after the call was refused: %v", written, err)
	}
	rest, err := io.ReadAll(out)
	if err != nil || !strings.Contains(string(rest), `{"e":"turn","complete":false`) {
		t.Errorf("no turn: %s, %v", rest, err)
	}
	p.Wait() // its error is the exit status
	p.ended(t, 124)
}

// TestTextAtOnce: ordinary prose is held back for at most a word.
func TestTextAtOnce(t *testing.T) {
	p := kfw(t, t.TempDir(), "turn", "--format", "text")
	in, stdout := p.pipes(t)
	seen := make([]byte, 0, 1<<10)
	said := ""
	for _, delta := range []string{"The harbour", " opens", " at", " seven", " in", " the", " morning", " and",
		" closes", " late."} {
		said += delta
		if _, err := io.WriteString(in, `data: {"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"`+
			delta+`"}}]}`+"\n\n"); err != nil {
			t.Fatal(err)
		}
		for held := said[:strings.LastIndex(said, " ")]; len(seen) < len(held); {
			n, err := stdout.Read(seen[len(seen):cap(seen)])
			if err != nil {
				t.Fatal(err)
			}
			seen = seen[:len(seen)+n]
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(stdout)
	if err != nil || string(seen)+string(rest) != said+"\n" { // it was cut off: what kfw says has a line of its own
		t.Errorf("%q and %q, %v", seen, rest, err)
	}
	p.Wait() // its error is the exit status
	p.ended(t, 124)
}
