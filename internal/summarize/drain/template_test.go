package drain

import (
	"regexp"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

func TestMask(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"GET /x/17 HTTP/1.1", "GET <path> HTTP/<num>"},
		{"took 12ms, 3.5GB, -7 and 99%", "took <num>ms, <num>GB, -<num> and <num>%"},
		{"2026-01-02T03:04:05.678Z up", "<time> up"},
		{"2026-01-02 03:04:05,678 [main]", "<time> <time> [main]"},
		{"on 2026/01/02 at 03:04:05+01:00", "on <time> at <time>"},
		{"id=6f1e2d3c-0a1b-4c5d-8e9f-001122334455;", "id=<id>;"},
		{"id=6f1e2d3c-0a1b-4c5d-8e9f-001122334455z", "id=<hex>-<id>-<id>-<id>-<num>z"},
		{"from 192.168.0.1:8080 to 10.0.0.2", "from <ip>:<num> to <ip>"},
		{"version 1.2.3.4.5", "version <num>"},
		{"10.0.0.2 - - [02/Jan/2006:15:04:05 -0700] 02/Jon/2006:15:04:05",
			"<ip> - - [<time> -<num>] <num>/Jon/<num>:<time>"},
		{"MAC=00:1b:21:3c:9d:f8:08:00 9c-b6-d0-aa-bb-cc aa:bb:cc:dd:ee:ff, 00:11:22:33:44:55",
			"MAC=<mac> <mac> <mac>, <mac>"},
		{"00:1b:21:3c:9d 26-11-22-10-00-59 00:1b:21:3c:9d:f8x 00:1b:21:3c:9d-f8",
			"<num>:<num>b:<num>:<num>c:<num>d <num>-<num>-<num>-<num>-<num>-<num> <num>:<num>b:<num>:<num>c:<num>d:<id> <num>:<num>b:<num>:<num>c:<num>d-f<num>"},
		{"from fe80::5054:ff:fe12:3456%eth0 to [2001:db8::1]:443, 1:2:3:4:5:6:7:8",
			"from <ip>%eth<num> to [<ip>]:<num>, <ip>"},
		{"addr=aa:bb:cc:dd:ee:ff, aa:bb:cc:dd:ee:ffx", "addr=<mac>, aa:bb:cc:dd:ee:ffx"},
		{"64:ff9b::192.0.2.33 [42/Jan/2026:10:00:00]", "<ip>.<num> [<time>]"},
		{"ab::cd,7", "ab::cd,<num>"},
		{"std::vector a::b 10::ff::1x dead::beef 10:20:30", "std::vector a::b <num>::ff::<num>x dead::beef <time>"},
		{"commit 9fceb02d and 0xFF", "commit <hex> and <hex>"},
		{"0000000000116300 T a\t1000000000116300 b 000000000011630a c 000000000116300 d",
			"<hex> T a <num> b <hex> c <num> d"},
		{"worker12 of v2 utf8 k8s", "worker<num> of v<num> utf<num> <id>"},
		{"Mar  7 09:05:59 host up since Mar 12 10:00:00", "<time> host up since <time>"},
		{"Mar 27 13:06:56x and Mai 27 13:06:56", "Mar <num> <num>:<num>:<num>x and Mai <num> <time>"},
		{"Mar 27-13:06:56", "Mar <num>-<time>"},
		{"Nov 9 12:01:01 n655 up", "<time> n<num> up"},
		{"[Sun Dec 04 04:47:47 2005] [error] a", "[<time>] [error] a"},
		{"[Wed Oct 11 14:32:52.123456 2023] [Mar  7 09:05:59] a", "[<time>] [<time>] a"},
		{"Sun Dec  4 04:47:47 2005 a", "<time> a"},
		{"The Dec 14 04:47:47 2005 [Sun Dec 04] [Sun Dec 04 04:47:47 2005]: [Sun Dec 04 04:47:47 2005",
			"The <time> <num> [Sun Dec <num>] [Sun <time> <num>]: [Sun <time> <num>"},
		{"  blanks\tand   tabs ", "blanks and tabs"},
		{"", ""},
		{"no variables here", "no variables here"},
		{"2026-01-02x 12:34:56x", "<num>-<num>-<num>x <num>:<num>:<num>x"},
	} {
		m := mask.NewLine()
		m.Set([]byte(test.line))
		var words []string
		for i := range m.Words {
			words = append(words, string(m.Word(i)))
		}
		if got := strings.Join(words, " "); got != test.want {
			t.Errorf("%q is %q, want %q", test.line, got, test.want)
		}
	}
}

// UUIDs are found where the digits and dashes of one are, and nowhere else.
func TestStartsWithUUID(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)
	for at := range mask.UUIDLen + 1 {
		for c := range 128 {
			text := []byte("6f1e2d3c-0a1b-4C5D-8e9f-001122334455 more")
			text[at] = byte(c)
			if got, want := mask.StartsWithUUID(text), form.Match(text); got != want {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		}
		if mask.StartsWithUUID([]byte("6f1e2d3c-0a1b-4C5D-8e9f-001122334455")[:at]) != (at == mask.UUIDLen) {
			t.Errorf("%d bytes of one are taken for it, or all are not", at)
		}
	}
}

func TestPathsOfFiles(t *testing.T) {
	for word, want := range map[string]struct {
		isPath bool
		ending string
	}{
		"/etc/hosts": {true, ""}, "/etc": {false, ""}, "a/b/c/d": {true, ""}, "a/b/c": {false, ""},
		"cmd/turn.go":       {true, ".go"},
		"cmd/turn.go:12:7:": {true, ".go"}, "src/main.ts(12,7):": {true, ".ts"}, "cmd/turn.go:x": {false, ""},
		"./run":      {true, ""},
		"../up/here": {true, ""}, "turn.go": {false, ".go"}, "and/or": {false, ""}, "and/or.": {false, ""},
		"1/2.5":                       {false, ""},
		"https://example.test/a.html": {false, ".html"}, "a/.hidden": {false, ""},
		"x/y.superlongending": {false, ""}, "12/Jan/2026": {false, ""},
		"a/b.c_d": {false, ""}, "/a/b.tar.gz": {true, ".gz"}, "/a/b:12": {true, ""}, "-x/y.c": {false, ".c"},
		"km/h.Then": {false, ""}, "a/B.JPG": {true, ".JPG"}, ":12": {false, ""}, "a/:12": {false, ""},
	} {
		got := mask.IsPath([]byte(word))
		ending := string(mask.FileEnding(mask.WithoutPosition([]byte(word))))
		if got != want.isPath || ending != want.ending {
			t.Errorf("%s: %v, %q; want %+v", word, got, ending, want)
		}
	}
}

// TestAddressesHaveNoNumber: the digits of a MAC or an IPv6 address are no number that could be far out, nor is what
// follows one.
func TestAddressesHaveNoNumber(t *testing.T) {
	m := mask.NewLine()
	for _, word := range []string{"aa:bb:cc:dd:ee:ff", "aa:bb:cc:dd:ee:12", "fe80::1", "[abcd::7]",
		"aa:bb:cc:dd:ee:ffx"} {
		m.Set([]byte("link " + word + " 12345678 up"))
		if w := &m.Words[1]; !w.Number.IsNone() || w.HasCount() {
			t.Errorf("%s has the number %v", word, w.Value)
		}
	}
}
