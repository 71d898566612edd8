package summarize

import (
	"fmt"
	"strings"
	"testing"
)

func TestCutListing(t *testing.T) {
	for _, test := range []struct{ line, pairs string }{
		{"-rw-r--r--   1 ann  staff   2048 Jan  2 15:04 notes of mine.txt",
			"mode=-rw-r--r--|owner=ann|group=staff|size=2048#|modified=Jan  2 15:04|name=notes of mine.txt"},
		{"drwxr-xr-x@ 2 ann staff 64 Feb 19  2023 .", "mode=drwxr-xr-x@|owner=ann|group=staff|size=64#|modified=Feb 19  2023|name=."},
		{"lrwxrwxrwx. 1 root root 7 May 20  2025 bin -> usr/bin", "mode=lrwxrwxrwx.|owner=root|group=root|size=7#|modified=May 20  2025|name=bin -> usr/bin"},
		{"  377810      4 drwxr-sr-t   2 root     root   4.0K Feb 19  2023 /usr/lib",
			"mode=drwxr-sr-t|owner=root|group=root|size=4.0K|modified=Feb 19  2023|name=/usr/lib"},
		{"-rw-r--r-- 1 1000 100 5 Jan  2 15:04 x", "mode=-rw-r--r--|owner=1000|group=100|size=5#|modified=Jan  2 15:04|name=x"},
		{"-rw-r--r-- 1 ann 5 Jan  2 15:04 x", "mode=-rw-r--r--|owner=ann|size=5#|modified=Jan  2 15:04|name=x"},
		{"crw-rw-rw- 1 root tty 5, 0 Jan  2 15:04 /dev/tty", "mode=crw-rw-rw-|owner=root|group=tty|device=5, 0|modified=Jan  2 15:04|name=/dev/tty"},
		{"-rwsr-xr-T ann/staff 2048 2026-01-02 15:04 a/b", "mode=-rwsr-xr-T|owner=ann/staff|size=2048#|modified=2026-01-02 15:04|name=a/b"},
		{"-rw-r--r-- 1 ann staff 5 2026-01-02 15:04:05.000000000 +0100 x",
			"mode=-rw-r--r--|owner=ann|group=staff|size=5#|modified=2026-01-02 15:04:05.000000000 +0100|name=x"},
		{"-rw-r--r-- 1 ann staff 5 2026-01-02 15:04 +01 x", "mode=-rw-r--r--|owner=ann|group=staff|size=5#|modified=2026-01-02 15:04|name=+01 x"},
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
		if got := pairsIn(cutListing, test.line); got != test.pairs {
			t.Errorf("%s: %s", test.line, got)
		}
	}
}

// TestListing: what is told of files is what counting gives; what is around them are lines.
func TestListing(t *testing.T) {
	var text strings.Builder
	total, most := 0, 0
	for i := range 40 {
		fmt.Fprintf(&text, "/srv/app/%c:\ntotal %d\n", 'a'+i, i)
		for j := range 1 + i%7 {
			size := i * 7919 % (90 + j)
			total, most = total+size, max(most, size)
			fmt.Fprintf(&text, "-rw-r--r-- %d ann staff %6d Jan %2d 15:%02d file-%d\n", 1+j%2, size, 1+i%28, j, j)
		}
		text.WriteByte('\n')
	}
	var facts struct {
		Rows   int
		Fields map[string]struct {
			Max, Sum int
			Const    string
			Distinct int
		}
	}
	decode(t, watched(linesOf(text.String())).Facts(anyLength), &facts)
	size, owner := facts.Fields["size"], facts.Fields["owner"]
	if size.Max != most || size.Sum != total || owner.Const != "ann" || facts.Fields["name"].Distinct != 7 || facts.Rows != strings.Count(text.String(), "staff") {
		t.Errorf("%+v, want %d at most and %d in all", facts, most, total)
	}
}

// TestNamesOfFiles: the name of a file is a text, whatever it reads like.
func TestNamesOfFiles(t *testing.T) {
	var text strings.Builder
	for _, name := range []string{"2024", "true", "null", `"q"`, "1.5"} {
		fmt.Fprintf(&text, "-rw-r--r-- 1 17 staff 5 Jan  2 15:04 %s\n", name)
	}
	facts := string(watched(linesOf(text.String())).Facts(anyLength))
	if strings.Contains(facts, "types") || !strings.Contains(facts, `"name":{"distinct":5`) || !strings.Contains(facts, `"size":{"const":5}`) {
		t.Error(facts)
	}
}
