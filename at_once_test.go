//go:build unix

package main

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestAtOnce writes one chunk after another, each only when the one before has come out. A chunk that is held back
// stops the conversation, and the test.
func TestAtOnce(t *testing.T) {
	sources := []struct {
		name   string
		args   []string
		pieces []string
	}{
		{"lines", nil, []string{"one\n", "mail ada@example.com\n", "\x00\n", "\xff\xfe\n", "{\"a\":1}\n", "last\n"}},
		{"records", nil, []string{"{\"a\":1}\n", "{\"password\":\"x\"}\n", "[1]\n", "{}\n"}},
		{"records without line ends", nil, []string{`{"a":1}`, `{"b":"ada@example.com"}`, ` {"c":{"d":[]}}`}},
		{"elements", nil, []string{`[{"a":1}`, `,{"b":1}`, `,"text"`, `,[2]`}},
		{"broken", nil, []string{"{\"a\":1}\n", "{\"a\":}\n", "{\"b\":1}\n"}},
		{"a driver", []string{"--", "cat"}, []string{"{\"a\":1}\n", "{\"b\":2}\n"}},
		{"text", []string{"--format", "text", "--plan", "live"}, []string{"one\n", "two\n"}},
		{"with a session", []string{"--session", "s.kfw"}, []string{"one\n", "two\n", "three\n"}},
	}
	for _, source := range sources {
		t.Run(source.name, func(t *testing.T) {
			t.Parallel()
			p := kfw(t, t.TempDir(), append([]string{"stream", "--flush-after", "1h"}, source.args...)...)
			in, stdout := p.pipes(t)
			out := bufio.NewReader(stdout)
			for _, piece := range source.pieces {
				if _, err := io.WriteString(in, piece); err != nil {
					t.Fatal(err)
				}
				line, err := out.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(line, "is_final") {
					t.Errorf("after %q: %s", piece, line)
				}
			}
			if err := in.Close(); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(out)
			final := 1
			if source.name == "text" {
				final = 0 // all was shown
			}
			if err != nil || strings.Count(string(rest), "\n") != final {
				t.Errorf("after the end: %q, %v", rest, err)
			}
			p.Wait() // its error is the exit status
			p.ended(t, 0)
		})
	}
}

// TestNothingHeld gives kfw lines that may be YAML, or a value, and then nothing. They come out while the input
// is still open.
func TestNothingHeld(t *testing.T) {
	for _, piece := range []string{"info: listening on port 8080\n", "- one\n", "---\n", "key:\n", "# c\nk: v\n",
		"got this\n{\n  \"a\": 1,\n",
		"a: \"open\n", "key: |\n  text\n", "a: 1\nb: 2\n---\na: 3\nb: 4\n---\na: 5\n"} {
		for _, format := range []string{"text", "frames"} {
			t.Run(format+" "+piece, func(t *testing.T) {
				t.Parallel()
				p := kfw(t, t.TempDir(), "stream", "--plan", "live", "--format", format, "--flush-after", "20ms")
				in, stdout := p.pipes(t)
				out := bufio.NewReader(stdout)
				for _, next := range []string{piece, "then: a line\n"} {
					if _, err := io.WriteString(in, next); err != nil {
						t.Fatal(err)
					}
					lines := strings.Count(next, "\n")
					if format == "frames" && strings.Contains(next, "a: 5") {
						lines = 3 // documents
					}
					for range lines {
						if line, err := out.ReadString('\n'); err != nil || strings.Contains(line, "is_final") {
							t.Fatalf("after %q: %q, %v", next, line, err)
						}
					}
				}
				if err := in.Close(); err != nil {
					t.Fatal(err)
				}
				if _, err := io.ReadAll(out); err != nil {
					t.Error(err)
				}
				p.Wait() // its error is the exit status
				p.ended(t, 0)
			})
		}
	}
}

// TestFlushAfter gives kfw some chunks and then nothing. What was gathered comes out all the same, while the input is
// still open.
func TestFlushAfter(t *testing.T) {
	for _, mode := range []string{"table", "summary"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p := kfw(t, t.TempDir(), "stream", "--mode", mode, "--flush-after", "20ms")
			in, stdout := p.pipes(t)
			out := bufio.NewReader(stdout)
			said := int64(0)
			for range 3 {
				const record = "{\"level\":\"info\",\"msg\":\"all is well\"}\n"
				if _, err := io.WriteString(in, strings.Repeat(record, 40)); err != nil {
					t.Fatal(err)
				}
				// A slow machine may cut what was written at once into more than one frame.
				for last := said + 40; said < last; {
					line, err := out.ReadString('\n')
					if err != nil {
						t.Fatal(err)
					}
					frame := gjson.Parse(line)
					if frame.Get("mode").String() != mode || frame.Get("chunks.0").Int() != said+1 ||
						frame.Get("chunks.1").Int() > last {
						t.Fatalf("after chunk %d: %s", said, line)
					}
					said = frame.Get("chunks.1").Int()
				}
			}
			if err := in.Close(); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(out)
			if err != nil || !gjson.Get(string(rest), "is_final").Bool() ||
				gjson.Get(string(rest), "totals.chunks").Int() != said {
				t.Errorf("after the end: %q, %v", rest, err)
			}
			p.Wait() // its error is the exit status
			p.ended(t, 0)
		})
	}
}
