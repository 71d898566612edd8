package formats

import (
	"flag"
	"testing"

	"github.com/kfw-dev/kfw/internal/nearmiss"
)

var update = flag.Bool("update", false, "rewrite the golden file")

func yes(is bool) string { return map[bool]string{true: "yes"}[is] }

// readings are what a line is read as.
var readings = []nearmiss.Reading{
	{Name: "access", Of: func(line string) string { return pairsIn(CutAccess, line) }},
	{Name: "listing", Of: func(line string) string { return pairsIn(CutListing, line) }},
	{Name: "pairs", Of: func(line string) string { return pairsIn(CutPairs, line) }},
	{Name: "key", Of: func(line string) string {
		if name, value, ok := CutKey([]byte(line)); ok {
			return string(name) + "=" + string(value)
		}
		return ""
	}},
	{Name: "markup", Of: func(line string) string { return string(MarkupName([]byte(line))) }},
	{Name: "number", Of: func(line string) string { return yes(IsPlainNumber([]byte(line))) }},
	{Name: "JSON number", Of: func(line string) string { return yes(IsJSONNumber([]byte(line))) }},
}

// lines are as servers, ls, loggers, exporters, benchmarks and strace print them.
var lines = []string{
	`10.0.0.7 - ann [02/Jan/2006:15:04:05 -0700] "GET /a/b?c=d HTTP/1.1" 200 1234 "http://x/" "curl/8.0"`,
	`example.org:80 ::1 - - [02/Jan/2006:15:04:05 -0700] "GET / HTTP/1.0" 304 -`,
	`h - - [02/Jan/2006:15:04:05 -0700] "GET / HTTP/2.0" 200 1 "r" "a" rt=0.1 up="0.2"`,
	"-rw-r--r-- 1 ann staff 5120 Jan  2 15:04 notes.txt", "drwxr-xr-x  2 ann staff  64 2026-01-02 15:04 a",
	"crw-rw-rw- 1 root tty 5, 0 Jan  2 15:04 /dev/tty", "-rwsr-xr-T ann/staff 2048 2026-01-02 15:04 a/b",
	`level=info msg="two words" took=1.5ms n=7 ok=true`, `time=2026-03-01T10:00:00Z a.b=c path=/x/y err="say \"no\""`,
	`http_requests_total{method="post",code="200"} 1027 1395066363000`, "go_goroutines 12", "up{} NaN",
	"BenchmarkFit-8   \t 120\t  9876543 ns/op\t 12.5 MB/s\t 3 B/op\t 1 allocs/op", "BenchmarkX 1 2 ns/op",
	`openat(AT_FDCWD, "/etc/hosts", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000011>`,
	`[pid  4847] 15:04:05.000321 read(3, "abc", 3) = 3`, `<... futex resumed>) = 0`, `malloc(24) = 0x55d0c0a0`,
	"name: value", "Content-Type: text/html", "  key = value", "a.b.c=1", "- item: x", "ok: [web-1]", "changed=4", "key:",
	"a b: c", "<suite name=\"a\">", "<x:case/>", "12", "-1.5", "1e9", "007", "1.", ".5", "1,000",
}

// TestNearMisses compares what lines, and those that differ from them by one byte, are read as with testdata. -update
// writes that anew: look at each line that is new.
func TestNearMisses(t *testing.T) {
	nearmiss.Compare(t, "testdata/nearmisses.txt", nearmiss.Readings(lines, readings), *update)
}
