package formats

import (
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
		pairs, ok := CutCall(nil, []byte(line))
		checkPairs(t, line, want, pairs, ok)
	}
}

func FuzzCall(f *testing.F) {
	for _, line := range []string{"ab() = <1>", "ab( = <1>",
		"[pid 7] 15:04:05.1 <... read resumed>\"\", 1) = -1 EIO (x) <0.1>", "1 1.5 ab(x <unfinished ...>"} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		pairs, ok := CutCall(nil, line)
		for _, p := range pairs {
			if ok && p.Value.From >= p.Value.To {
				t.Errorf("%q: %s has no value", line, p.Name)
			}
		}
	})
}
