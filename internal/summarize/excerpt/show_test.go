package excerpt

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlaceLen: the path and the number of a hit, and what looks like them and is none.
func TestPlaceLen(t *testing.T) {
	for line, place := range map[string]string{
		"a.go:12:x": "a.go:12:", "./a/b.go-7-x": "./a/b.go-7-", "Makefile:3:all": "Makefile:3:",
		`C:\a.txt:4:x`: `C:\a.txt:4:`, "a/b=c.go:12:x": "a/b=c.go:12:", "2026/a.log:10:x": "2026/a.log:10:",
		"time=2026-11-28T10:15:05Z level=info": "", "addr=10.0.0.1:80:x": "", "T10:00:05Z": "", "at10:05:59 x": "",
		"10:15:05 x": "", "a b:12:x": "", "a.go:x": "",
	} {
		if got := line[:placeLen([]byte(line))]; got != place {
			t.Errorf("%q: %q, not %q", line, got, place)
		}
	}
}

// TestNumbersOfLines: lines bring their number only if each is one more than the last: a size or a count is none.
func TestNumbersOfLines(t *testing.T) {
	for _, c := range []struct {
		name string
		want bool
		line func(i int) string
	}{
		{"cat -n", true, func(i int) string { return fmt.Sprintf("%6d\ta line %d of a file", i, i*i) }},
		{"a part", true, func(i int) string { return fmt.Sprintf("%d\ta line %d of a file", i+411, i*i) }},
		{"a read", true, func(i int) string { return fmt.Sprintf("%5d→a line %d of a file", i, i*i) }},
		{"with gaps", true, func(i int) string { return fmt.Sprintf("%6d\ta line %d of a file", i+i/4*9, i*i) }},
		{"sizes", false, func(i int) string { return fmt.Sprintf("%d\t/var/lib/n%d", i*7919%500, i) }},
		{"sorted sizes", false, func(i int) string { return fmt.Sprintf("%d\t/var/lib/n%d", i*i, i) }},
		{"the same sizes", false, func(i int) string { return fmt.Sprintf("4\t/var/lib/n%d", i) }},
		{"without", false, func(i int) string { return fmt.Sprintf("a line %d of a file", i) }},
	} {
		var lines []string
		for i := range 60 {
			lines = append(lines, c.line(i+1))
		}
		page := pageOf("", 150, lines)
		if own := strings.HasPrefix(page, lines[0]+"\n"); own != c.want {
			t.Errorf("%s: a number of their own: %v, not %v:\n%s", c.name, own, c.want, page)
		}
	}
}

// TestKeysOfRecords: a record that its parent has a name for is shown with it, the element of an array is not.
func TestKeysOfRecords(t *testing.T) {
	long := `{"size":%d,"note":"` + strings.Repeat("as all others are ", 20) + `"}`
	for path, want := range map[string]string{
		"packages.lib/a%d": "lib/a7: size=", `files.a%d\.go`: "a7.go: size=", "items.%d": "size=", "": "size=",
	} {
		var units []Unit
		for i := range 40 {
			size := i
			if i == 7 {
				size = 1e6
			}
			u := Unit{N: i + 1, Text: fmt.Appendf(nil, long, size), IsRecord: true}
			if path != "" {
				u.Path = fmt.Appendf(nil, path, i)
			}
			units = append(units, u)
		}
		page := chosen("", 80, units, nil).Compose(roomOf(80, "record"))
		if text := string(page.Append(nil, Text{})); !strings.Contains(text, "8: "+want) {
			t.Errorf("%q: %q is missing:\n%s", path, "8: "+want, text)
		}
	}
}
