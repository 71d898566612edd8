package formats

import (
	"bytes"
	"strings"
	"testing"
)

// checkPairs checks what a line was cut into: its names and values, nothing if it is of another kind.
func checkPairs(t *testing.T, line, want string, pairs []Pair, ok bool) {
	t.Helper()
	got := ""
	for _, p := range pairs {
		got += string(p.Name) + ":" + string(p.Value.Of([]byte(line))) + " "
	}
	if ok != (want != "") || ok && got != want {
		t.Errorf("%s: %v\n%q\n%q", line, ok, got, want)
	}
}

func TestCutAccess(t *testing.T) {
	const time, told = "[02/Jan/2006:15:04:05 -0700]", "time:02/Jan/2006:15:04:05 -0700 "
	for line, want := range map[string]string{
		`::1 - - ` + time + ` "GET / HTTP/1.1" 200 12`: `host:::1 ` + told +
			`method:GET path:/ protocol:HTTP/1.1 status:200 bytes:12 `,
		`example.org:80 10.0.0.7 x ann ` + time +
			` "GET /a b HTTP/1.0" 304 -`: `vhost:example.org:80 host:10.0.0.7 ident:x user:ann ` + told +
			`method:GET path:/a b protocol:HTTP/1.0 status:304 `,
		`h - - ` + time + ` "-" 408 0 "-" "-"`: `host:h ` + told +
			`status:408 bytes:0 `,
		`h - - ` + time + ` "\x16\x03" 400 0 "" "a \"b\" c"`: `host:h ` + told +
			`request:"\x16\x03" status:400 bytes:0 agent:"a \"b\" c" `,
		`h - - ` + time + ` "GET / HTTP/2.0" 200 1 "r" "a" rt=0.1 "x" 7 up="0.2" k=`: `host:h ` + told +
			`method:GET path:/ protocol:HTTP/2.0 status:200 bytes:1 referer:"r" agent:"a" rt:0.1 $4:"x" $5:7 up:"0.2" `,
		`h - - ` + time + ` "GET / HTTP/2.0" 200 1 0.004`: `host:h ` + told +
			`method:GET path:/ protocol:HTTP/2.0 status:200 bytes:1 $1:0.004 `,
		`h - - ` + time + ` "GET / HTTP/2.0" 200 1 host=x status=502 user=y user=z`: `host:h ` + told +
			`method:GET path:/ protocol:HTTP/2.0 status:200 bytes:1 $1:x $2:502 user:y $4:z `,
		`h - - ` + time + ` "GET /" 200 1`: `host:h ` + told +
			`request:"GET /" status:200 bytes:1 `,
		`h - - ` + time + ` "GET a b" 200 1`: `host:h ` + told +
			`request:"GET a b" status:200 bytes:1 `,
		`h - - ` + time + ` "GET HTTP/1.0" 200 1`: `host:h ` + told +
			`request:"GET HTTP/1.0" status:200 bytes:1 `,
		`h "- -" x ` + time + ` "GET / HTTP/1.1" 200 12`:                                   "",
		`h - ` + time + ` "GET / HTTP/1.1" 200 12`:                                         "",
		`h - - - - ` + time + ` "GET / HTTP/1.1" 200 12`:                                   "",
		`h  - ` + time + ` "GET / HTTP/1.1" 200 12`:                                        "",
		`h - - [2006-01-02T15:04:05Z] "GET / HTTP/1.1" 200 12`:                             "",
		`h - - [02/Jan/2006:15:04:05 -0700 "GET / HTTP/1.1" 200 12`:                        "",
		`h - - ` + time + `"GET / HTTP/1.1" 200 12`:                                        "",
		`h - - ` + time + ` GET 200 12`:                                                    "",
		`h - - ` + time + ` "GET / HTTP/1.1 200 12`:                                        "",
		`h - - ` + time + ` "GET / HTTP/1.1" 2000 12`:                                      "",
		`h - - ` + time + ` "GET / HTTP/1.1" 2x0 12`:                                       "",
		`h - - ` + time + ` "GET / HTTP/1.1" 200`:                                          "",
		`h - - ` + time + ` "GET / HTTP/1.1" 200 12  x`:                                    "",
		`h - - ` + time + ` "GET / HTTP/1.1" 200 12 "x`:                                    "",
		`h - - ` + time + ` "GET / HTTP/1.1" 200 12` + strings.Repeat(" 7", maxPairs):      "",
		strings.Repeat("h", farthestTime) + ` - - ` + time + ` "GET / HTTP/1.1" 200 12 12`: "",
		"": "",
	} {
		pairs, ok := CutAccess(nil, []byte(line))
		checkPairs(t, line, want, pairs, ok)
	}
}

// FuzzAccess: what is cut from a line stands in it, one value after another.
func FuzzAccess(f *testing.F) {
	f.Add(`10.0.0.7 - ann [02/Jan/2006:15:04:05 -0700] "GET /items?id=7 HTTP/1.1" 200 512 "https://example.org/" "curl/8.5.0" rt=0.012`)
	f.Add(`h - - [02/Jan/2006:15:04:05 -0700] "\"" 400 0 "" "" 7 "`)
	f.Fuzz(func(t *testing.T, line string) {
		pairs, ok := CutAccess(nil, []byte(line))
		if !ok {
			return
		}
		at := 0
		for _, p := range pairs {
			if p.Value.From < at || p.Value.To <= p.Value.From || len(p.Name) == 0 {
				t.Fatalf("%v of %q at %d in %q", p.Value, p.Name, at, line)
			}
			at = p.Value.To
		}
		if rest := bytes.TrimLeft([]byte(line[at:]), ` -"=`); len(rest) > 0 && bytes.IndexByte(rest, '=') < 0 {
			t.Fatalf("%q is left of %q", rest, line)
		}
	})
}
