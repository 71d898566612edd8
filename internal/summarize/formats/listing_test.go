package formats

import (
	"fmt"
	"strings"
	"testing"
)

func TestCutListing(t *testing.T) {
	for _, test := range []struct{ line, pairs string }{
		{"-rw-r--r--   1 ann  staff   2048 Jan  2 15:04 notes of mine.txt",
			"mode=-rw-r--r--|owner=ann|group=staff|size=2048#|modified=Jan  2 15:04|name=notes of mine.txt"},
		{"drwxr-xr-x@ 2 ann staff 64 Feb 19  2023 .",
			"mode=drwxr-xr-x@|owner=ann|group=staff|size=64#|modified=Feb 19  2023|name=."},
		{"lrwxrwxrwx. 1 root root 7 May 20  2025 bin -> usr/bin",
			"mode=lrwxrwxrwx.|owner=root|group=root|size=7#|modified=May 20  2025|name=bin -> usr/bin"},
		{"  377810      4 drwxr-sr-t   2 root     root   4.0K Feb 19  2023 /usr/lib",
			"mode=drwxr-sr-t|owner=root|group=root|size=4.0K|modified=Feb 19  2023|name=/usr/lib"},
		{"-rw-r--r-- 1 1000 100 5 Jan  2 15:04 x",
			"mode=-rw-r--r--|owner=1000|group=100|size=5#|modified=Jan  2 15:04|name=x"},
		{"-rw-r--r-- 1 ann 5 Jan  2 15:04 x", "mode=-rw-r--r--|owner=ann|size=5#|modified=Jan  2 15:04|name=x"},
		{"crw-rw-rw- 1 root tty 5, 0 Jan  2 15:04 /dev/tty",
			"mode=crw-rw-rw-|owner=root|group=tty|device=5, 0|modified=Jan  2 15:04|name=/dev/tty"},
		{"-rwsr-xr-T ann/staff 2048 2026-01-02 15:04 a/b",
			"mode=-rwsr-xr-T|owner=ann/staff|size=2048#|modified=2026-01-02 15:04|name=a/b"},
		{"-rw-r--r-- 1 ann staff 5 2026-01-02 15:04:05.000000000 +0100 x",
			"mode=-rw-r--r--|owner=ann|group=staff|size=5#|modified=2026-01-02 15:04:05.000000000 +0100|name=x"},
		{"-rw-r--r-- 1 ann staff 5 2026-01-02 15:04 +01 x",
			"mode=-rw-r--r--|owner=ann|group=staff|size=5#|modified=2026-01-02 15:04|name=+01 x"},
		{line: "-rw-r--r-- 1 ann staff 5 Jan  2 15:04"},
		{line: "-rw-r--r-- 1 ann staff 5 Jan  2 15h04 x"},
		{line: "-rw-r--r-- 1 ann staff 5 Jan second 15:04 x"},
		{line: "-rw-r--r-- 1 ann staff 5 Jän  2 15:04 x"},
		{line: "-rw-r--r-- 1 ann staff 5 Foo  2 15:04 x"},
		{line: "-rw-r--r-- 1 ann staff 5 2026-01-02 noon x"},
		{line: "-rw-r--r-- 1 ann staff five Jan  2 15:04 x"},
		{line: "crw-rw-rw- 1 root tty 5, zero Jan  2 15:04 x"},
		{line: "-rw-r--r- 1 ann staff 5 Jan  2 15:04 x"},
		{line: "-rw-r--rwr 1 ann staff 5 Jan  2 15:04 x"},
		{line: "-rw-r--r--* 1 ann staff 5 Jan  2 15:04 x"},
		{line: "-rw-r--x-- 1 ann staff 5 Jan  2 15:04 x"},
		{line: "xrw-r--r-- 1 ann staff 5 Jan  2 15:04 x"},
		{line: "-rw-r--r--"},
		{line: "1 2 3 -rw-r--r-- 1 ann staff 5 Jan  2 15:04 x"},
		{line: "total 12"},
		{line: ""},
	} {
		if got := pairsIn(CutListing, test.line); got != test.pairs {
			t.Errorf("%s: %s", test.line, got)
		}
	}
}

// pairsIn are those that a line is cut into, a number with a mark; none if it is not cut.
func pairsIn(cut func(dst []Pair, line []byte) ([]Pair, bool), line string) string {
	pairs, ok := cut(nil, []byte(line))
	if !ok {
		return ""
	}
	var all []string
	for _, p := range pairs {
		mark := ""
		if p.As == AsNumber {
			mark = "#"
		}
		all = append(all, fmt.Sprintf("%s=%s%s", p.Name, p.Value.Of([]byte(line)), mark))
	}
	return strings.Join(all, "|")
}
