// Package nearmiss changes texts by one byte, for tests that count what is still recognized. A count that differs from
// the one in a golden file shows a rule that asks for less or for more than before.
package nearmiss

import (
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"
)

// Way is a way to change a text at a byte, or at its end.
type Way struct {
	Name   string
	Change func(text string, at int) string
}

// Ways are all ways.
var Ways = []Way{
	{"cut", func(s string, at int) string { return s[:at] }},
	{"without", func(s string, at int) string { return s[:at] + after(s, at) }},
	{"x", func(s string, at int) string { return s[:at] + "x" + after(s, at) }},
	{"+A", func(s string, at int) string { return s[:at] + "A" + s[at:] }},
	{"+7", func(s string, at int) string { return s[:at] + "7" + s[at:] }},
	{"+quote", func(s string, at int) string { return s[:at] + `"` + s[at:] }},
	{"+escape", func(s string, at int) string { return s[:at] + "\x1b[-" + s[at:] }},
}

// after returns what follows the byte at a place, nothing after the end.
func after(text string, at int) string { return text[min(at+1, len(text)):] }

// Count returns how many of the texts that a way makes of one are recognized.
func (w Way) Count(text string, isRecognized func(text string) bool) (n int) {
	for at := range len(text) + 1 {
		if isRecognized(w.Change(text, at)) {
			n++
		}
	}
	return n
}

// Reading is something that a text can be read as; Of returns what is read, empty for nothing.
type Reading struct {
	Name string
	Of   func(text string) string
}

// Readings returns a line for each text: what it is read as, how many texts that differ from it by one byte are read in
// the same way, how many as anything, and a checksum of all that is read. A reading that finds nothing in all of them
// is left out.
func Readings(texts []string, readings []Reading) string {
	var b strings.Builder
	for _, text := range texts {
		fmt.Fprintf(&b, "%q:", text)
		for _, reading := range readings {
			own, same, some := reading.Of(text), 0, 0
			all := crc32.NewIEEE()
			for _, way := range Ways {
				some += way.Count(text, func(text string) bool {
					got := reading.Of(text)
					fmt.Fprintln(all, got)
					if got == own {
						same++
					}
					return got != ""
				})
			}
			if own != "" || some > 0 {
				fmt.Fprintf(&b, " %s %q %d/%d %08x;", reading.Name, own, same, some, all.Sum32())
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Compare fails a test at the first line of got that is not in the golden file at path; update writes got there.
func Compare(t *testing.T, path, got string, update bool) {
	t.Helper()
	if update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(text), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("%s\nis in %s\n%s", line, path, strings.Join(want[min(i, len(want)):min(i+1, len(want))], ""))
		}
	}
	if n := strings.Count(got, "\n"); n < len(want)-1 {
		t.Fatalf("%d lines, %s has %d", n, path, len(want)-1)
	}
}
