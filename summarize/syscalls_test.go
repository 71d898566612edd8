package summarize

import (
	"fmt"
	"strings"
	"testing"
)

func TestCutCall(t *testing.T) {
	for line, want := range map[string]string{
		`openat(AT_FDCWD, "/a b", O_RDONLY) = 3`:                                     `call:openat args:AT_FDCWD, "/a b", O_RDONLY result:3 `,
		`[pid  47] 15:04:05.000321 close(3)      = 0 <0.000011>`:                     `pid:47 time:15:04:05.000321 call:close args:3 result:0 seconds:0.000011 `,
		`47    15:04:05 getpid()                 = 47`:                               `pid:47 time:15:04:05 call:getpid result:47 `,
		`     0.000123 access("/x", R_OK) = -1 ENOENT (No such file or directory)`:   `after:0.000123 call:access args:"/x", R_OK result:-1 error:ENOENT `,
		`1700000000.5 mmap(NULL, 8192) = 0x7f0e820f1000 <0.000011>`:                  `time:1700000000.5 call:mmap args:NULL, 8192 seconds:0.000011 `,
		`read(3,  <unfinished ...>`:                                                  `call:read args:3 `,
		`getpid( <unfinished ...>`:                                                   `call:getpid `,
		`<... read resumed>"a) = 9", 4096) = 6 <0.04>`:                               `resumed:read args:"a) = 9", 4096 result:6 seconds:0.04 `,
		`<... exit_group resumed>) = ?`:                                              `resumed:exit_group `,
		`exit_group(0)                           = ?`:                                `call:exit_group args:0 `,
		`poll([{fd=3, events=POLLIN}], 1, 0) = 1 ([{fd=3, revents=POLLIN}])`:         `call:poll args:[{fd=3, events=POLLIN}], 1, 0 result:1 `,
		`select(4, [3], NULL, NULL, NULL) = 0 (Timeout)`:                             `call:select args:4, [3], NULL, NULL, NULL result:0 `,
		`openat(AT_FDCWD, "/x", O_RDONLY) = 3</x y>`:                                 `call:openat args:AT_FDCWD, "/x", O_RDONLY result:3 `,
		`malloc(24)                              = 0x55d0c5d6a2a0`:                   `call:malloc args:24 `,
		`wait4(-1, 0x7ffe, 0, NULL) = ? ERESTARTSYS (To be restarted if SA_RESTART)`: `call:wait4 args:-1, 0x7ffe, 0, NULL error:ERESTARTSYS `,
		`ab() = <1>`:                            "",
		`ab( = <1>`:                             "",
		`f(x) = 2`:                              "",
		`Max(3) = 4`:                            "",
		`y = max(3) = 4`:                        "",
		`max(3) = four`:                         "",
		`max(3) == 4`:                           "",
		`max(3)= 4`:                             "",
		`max(3) = 4;`:                           "",
		`max(3) = 4 + 5`:                        "",
		`max(3) = 4 apples`:                     "",
		`max(3) = 4 (x`:                         "",
		`max[3] = 4`:                            "",
		`max(3) = -`:                            "",
		`2max(3) = 4`:                           "",
		`<... read>"a", 1) = 6`:                 "",
		`<... read`:                             "",
		`15:04:05 max`:                          "",
		`15:04:05 +++ exited with 0 +++`:        "",
		`[pid 47`:                               "",
		`[pid 4x] close(3) = 0`:                 "",
		strings.Repeat("n", 41) + `(3)     = 0`: "",
		``:                                      "",
		`)`:                                     "",
	} {
		pairs, ok := cutCall(nil, []byte(line))
		checkPairs(t, line, want, pairs, ok)
	}
}

// TestCalls: a trace of system calls has the facts of its fields, each call once, and the one that took longest stands out.
func TestCalls(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		switch {
		case i == 130:
			text.WriteString("[pid 7] 15:04:05.000130 fsync(5) = 0 <2.500000>\n")
		case i%10 == 3:
			fmt.Fprintf(&text, "[pid 7] 15:04:05.000%03d stat(\"/etc/%d\", 0x7ffe) = -1 ENOENT (No such file or directory) <0.0000%02d>\n", i, i, i%7+10)
		case i%10 == 5:
			fmt.Fprintf(&text, "[pid 7] 15:04:05.000%03d read(3,  <unfinished ...>\n[pid 8] 15:04:05.000%03[1]d <... read resumed>\"\", 4096) = 0 <0.0000%[2]d>\n", i, i%7+10)
		default:
			fmt.Fprintf(&text, "[pid 7] 15:04:05.000%03d close(%d) = 0 <0.0000%02d>\n", i, i%5, i%7+10)
		}
	}
	s := watched(linesOf(text.String()))
	facts := string(s.Facts(anyLength))
	for _, want := range []string{
		`"call":{"distinct":4,"values":{"close":159,"stat":20,"read":20,"fsync":1},"in":200}`, `"error":{"values":{"ENOENT":20}}`,
		`"resumed":{"values":{"read":20}}`, `"min":0.000010,"max":2.500000`, `"pid":{"values":{"7":200,"8":20}`,
	} {
		if !strings.Contains(facts, want) {
			t.Errorf("no %s in\n%s", want, facts)
		}
	}
	if notables, _ := s.Notables(); len(notables) == 0 || notables[0].Why != "far out: seconds" || !strings.Contains(string(notables[0].Data), "fsync") {
		t.Errorf("%+v", notables)
	}
}

// TestResultsInOctal: a result that is written as umask's is no number of JSON.
func TestResultsInOctal(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "umask(0%d)                             = 0%d <0.0000%d>\n", 22+i%2, 22+i%2, 10+i%7)
	}
	if facts := factsOf(t, watched(linesOf(b.String()))); facts.Fields["result"].Values[`"022"`] != 30 || facts.Fields["seconds"].Max == "" {
		t.Errorf("%+v", facts)
	}
}

func FuzzCall(f *testing.F) {
	for _, line := range []string{"ab() = <1>", "ab( = <1>", "[pid 7] 15:04:05.1 <... read resumed>\"\", 1) = -1 EIO (x) <0.1>", "1 1.5 ab(x <unfinished ...>"} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		pairs, ok := cutCall(nil, line)
		for _, p := range pairs {
			if ok && p.value.From >= p.value.To {
				t.Errorf("%q: %s has no value", line, p.name)
			}
		}
	})
}
