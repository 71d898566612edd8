package hosts

import (
	"fmt"
	"strings"
	"testing"
)

// patched applies what appendChanges has written to the older text. It fails where a removed line
// is not there.
func patched(t testing.TB, older, changes string) string {
	t.Helper()
	lines := strings.SplitAfter(older, "\n")
	lines = lines[:len(lines)-1] // what follows the last line feed: nothing
	var out strings.Builder
	at := 0 // lines of older that have been passed over
	for line := range strings.Lines(changes) {
		switch line[0] {
		case '@':
			var first int
			var rest string
			if _, err := fmt.Sscanf(line, "@@ -%d%s", &first, &rest); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if !strings.HasPrefix(rest, ",0") {
				first--
			}
			if first < at || first > len(lines) {
				t.Fatalf("%q: %d of %d lines have been passed over", line, at, len(lines))
			}
			out.WriteString(strings.Join(lines[at:first], ""))
			at = first
		case '-':
			if at >= len(lines) || lines[at] != line[1:] {
				t.Fatalf("line %d is not %q", at+1, line)
			}
			at++
		case '+':
			out.WriteString(line[1:])
		default:
			t.Fatalf("%q", line)
		}
	}
	out.WriteString(strings.Join(lines[at:], ""))
	return out.String()
}

// FuzzChanges: the changes make the newer text of the older one, and their numbers of lines are
// right in both.
func FuzzChanges(f *testing.F) {
	f.Add("", "")
	f.Add("a\nb\nc\n", "a\nx\nc\n")
	f.Add("a\n\n\nb\n", "\n\n")
	f.Add("", "a\n")
	f.Add("@@ -1 +1 @@\n-a\n+b\n \n", "-a\n+b\n \n@@ -1 +1 @@\n")
	f.Add("a\r\nb\\ No newline at end of file\n", "a\nb")
	f.Add(strings.Repeat("same\n", 20)+"x\n"+strings.Repeat("same\n", 20), strings.Repeat("same\n", 39))
	f.Fuzz(func(t *testing.T, older, newer string) {
		older, newer = withFeed(older), withFeed(newer)
		all := changes(older, newer)
		if got := patched(t, older, string(appendChanges(nil, all))); got != newer {
			t.Fatalf("%q, want %q", got, newer)
		}
		lines := strings.SplitAfter(newer, "\n")
		for _, c := range all {
			if got := lines[c.newLine-1:][:len(c.new)]; strings.Join(got, "") != strings.Join(c.new, "") {
				t.Fatalf("line %d is %q, not %q", c.newLine, got, c.new)
			}
		}
	})
}
