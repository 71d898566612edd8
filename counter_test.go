//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// counter is a program that counts for --tokenizer, in the way that its first argument names.
func counter() {
	in := bufio.NewReader(os.Stdin)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var text string
		if err := json.Unmarshal(line, &text); err != nil {
			fmt.Println("not a string of JSON")
			return
		}
		chars := (len([]rune(text)) + 3) / 4
		switch os.Args[1] {
		case "dies":
			if n == 9 {
				os.Exit(7)
			}
		case "lies":
			if n == 9 {
				fmt.Println("several")
				continue
			}
		case "talks":
			fmt.Fprintln(os.Stderr, "counting for jane.doe@example.com")
		case "odd":
			chars = len(text) * 31 % 40
		}
		fmt.Println(chars)
	}
}

// tokenizerFile writes a tokenizer file: the 256 bytes and three merges.
func tokenizerFile() {
	vocabulary := make(map[string]int)
	for b, n := 0, 0; b < 256; b++ {
		r := rune(b)
		if b < '!' || '~' < b && b < 0xA1 || b == 0xAD {
			r = rune(256 + n)
			n++
		}
		vocabulary[string(r)] = b
	}
	for i, token := range []string{"ll", "he", "hell"} {
		vocabulary[token] = 256 + i
	}
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"normalizer":    map[string]any{"type": "NFC"},
		"pre_tokenizer": map[string]any{"type": "ByteLevel", "add_prefix_space": false},
		"model":         map[string]any{"type": "BPE", "vocab": vocabulary, "merges": []string{"l l", "h e", "he ll"}},
	})
}

// Nothing of a program that counts is left when kfw ends: by the end of its input, by a failure, by
// a signal before and after the first frame, by a second one. The program does not listen, and
// holds a pipe open.
func TestCounterEnds(t *testing.T) {
	const hangs = "trap '' INT TERM HUP\nexec 3>alive\nsleep 600 &\nwhile read line; do echo 1; done\nwhile :; do wait; done\n"
	const silent = "trap '' INT TERM HUP\nexec 3>alive\nsleep 600 &\nwhile :; do wait; done\n"
	const fails = "exec 3>alive\nsleep 600 &\nread line\necho nothing\nwhile :; do wait; done\n"
	for name, test := range map[string]struct {
		program string
		args    []string
		signals int
		status  int
	}{
		"stream":             {hangs, []string{"stream"}, 0, 0},
		"count":              {hangs, []string{"count"}, 0, 0},
		"stream fails":       {fails, []string{"stream"}, 0, 125},
		"count fails":        {fails, []string{"count"}, 0, 125},
		"stream, a signal":   {silent, []string{"stream"}, 1, 143},
		"count, a signal":    {silent, []string{"count"}, 1, 143},
		"stream, in between": {hangs, []string{"stream", "--", "sh", "-c", "echo begun; exec cat"}, 1, 143},
		"stream, twice": {hangs,
			[]string{"stream", "--", "sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done"}, 2, 143},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := t.TempDir()
			alive := state + "/alive"
			if err := syscall.Mkfifo(alive, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(state+"/program", []byte(test.program), 0o600); err != nil {
				t.Fatal(err)
			}
			p := kfw(t, state, append([]string{test.args[0], "--tokenizer", "cmd:sh program"}, test.args[1:]...)...)
			in, stdout := p.pipes(t)
			out := bufio.NewReader(stdout)
			held, err := os.Open(alive) // returns when the program has begun
			if err != nil {
				t.Fatal(err)
			}
			defer held.Close()
			if test.signals == 0 {
				in.Close()
			}
			if len(test.args) > 1 { // the driver has begun
				if _, err := out.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			for range test.signals {
				if err := p.Process.Signal(syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
				time.Sleep(100 * time.Millisecond) // two that come at once are one
			}
			rest, _ := io.ReadAll(out)
			_ = p.Wait()
			if name == "stream, in between" && !strings.Contains(string(rest), `"code":"interrupted"`) {
				t.Errorf("no final frame says that the response was interrupted: %s", rest)
			}
			p.ended(t, test.status)
			if n, err := io.Copy(io.Discard, held); n != 0 || err != nil { // no process has it open
				t.Errorf("read %d bytes, %v", n, err)
			}
		})
	}
}

// Whatever a program says that its lines cost, by that they are within the budget.
func TestNeverOverBudgetOfProgram(t *testing.T) {
	odd := func(line string) int { return len(line) * 31 % 40 }
	for name, response := range responses() {
		for _, format := range []string{"frames", "text"} {
			t.Run(name+", "+format, func(t *testing.T) {
				t.Parallel()
				p := kfw(t, t.TempDir(), "stream", "--tokenizer", "cmd:counter odd", "--format", format, "--budget",
					"300")
				p.Stdin = saved(t, []byte(response))
				_ = p.Run() // a final frame may cost more than is left
				if status := p.ProcessState.ExitCode(); status != 0 &&
					!strings.Contains(p.errs.String(), "no room for the final frame") {
					t.Errorf("exit status %d: %s", status, p.errs.String())
				}
				spent := 0
				if format == "text" {
					spent = odd(p.out.String())
				} else {
					for line := range strings.Lines(p.out.String()) {
						spent += odd(line)
					}
				}
				if spent > 300 {
					t.Errorf("%d tokens", spent)
				}
			})
		}
	}
}
