package excerpt

import "testing"

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
