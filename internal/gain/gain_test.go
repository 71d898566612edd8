package gain

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dustin/go-humanize"
)

// someCalls returns calls of any size, some with names that a page must not take for its own.
func someCalls(random *rand.Rand) (all []Call) {
	commands := []string{"go test ./...", "/usr/bin/grep -rn x", "A=1 B=2 make all", "Bash ls", `mcp__a__b {"q":1}`, "",
		"<script>document.title='x'</script>", `"><img src=x onerror=alert(1)>`, "a\x1b[31mb", "{{.Sentence}}"}
	for range random.IntN(60) {
		read, given := random.IntN(5000), random.IntN(3000)
		all = append(all, Call{Host: []string{Shell, "claude-code", "mcp"}[random.IntN(3)],
			Command: commands[random.IntN(len(commands))],
			Started: time.Date(2026, 3, 1+random.IntN(9), random.IntN(24), 0, 0, 0, time.UTC), Read: read, Given: given,
			Saved: read - given})
	}
	return all
}

// TestSumsAgree: each way to add up gives the same in all.
func TestSumsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		calls := someCalls(random)
		sums := Of(calls, time.UTC)
		var b strings.Builder
		if err := sums.JSON(&b); err != nil {
			t.Fatal(err)
		}
		var said struct {
			Sum
			ByCommand []Sum `json:"by_command"`
			ByHost    []Sum `json:"by_host"`
			ByDay     []Sum `json:"by_day"`
		}
		if err := json.Unmarshal([]byte(b.String()), &said); err != nil {
			t.Fatal(err)
		}
		if said.Calls != len(calls) || said.Saved != said.Read-said.Given {
			t.Errorf("%d calls: %+v", len(calls), said.Sum)
		}
		for _, rows := range [][]Sum{said.ByCommand, said.ByHost, said.ByDay} {
			var all Sum
			for _, r := range rows {
				all.Calls, all.Read, all.Given, all.Saved = all.Calls+r.Calls, all.Read+r.Read, all.Given+r.Given,
					all.Saved+r.Saved
			}
			if all != said.Sum {
				t.Errorf("%+v, not %+v", all, said.Sum)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ host, command, want string }{
		{Shell, "/usr/bin/go test ./...", "go"}, {Shell, "A=1 ./run.sh x", "run.sh"}, {Shell, "", "(no name)"},
		{"claude-code", "Bash FOO=1 go vet", "Bash go"}, {"claude-code", "Read", "Read"},
		{"mcp", `search {"q":"x"}`, "search"},
		{Shell, "--version", "--version"},
	} {
		if got := nameOf(&Call{Host: c.host, Command: c.command}); got != c.want {
			t.Errorf("%s: %q is %q, not %q", c.host, c.command, got, c.want)
		}
	}
}

// TestPage: a page loads nothing, runs nothing, and has each name as a text.
func TestPage(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		page := pageOf(t, someCalls(random))
		if regexp.MustCompile(`(?i)<script|<img|<link|\son\w+=|\ssrc=|\shref=|url\(|@import`).MatchString(page) {
			t.Fatalf("a page may do something: %s", page)
		}
	}
}

func pageOf(t *testing.T, calls []Call) string {
	t.Helper()
	var b strings.Builder
	if err := Of(calls, time.UTC).Page(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPageInABrowser: what a browser shows of a page is what the JSON says.
func TestPageInABrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium")
	}
	calls := someCalls(rand.New(rand.NewPCG(5, 6)))
	path := filepath.Join(t.TempDir(), "gain.html")
	if err := os.WriteFile(path, []byte(pageOf(t, calls)), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0",
		"--dump-dom", "file://"+path)
	var said strings.Builder
	c.Stderr = &said
	dom, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	if strings.Contains(said.String(), "CONSOLE") {
		t.Errorf("the console says %s", said.String())
	}
	sums := Of(calls, time.UTC)
	for _, rows := range [][]Sum{sums.ByCommand, sums.ByHost, sums.ByDay} {
		for _, r := range rows {
			row := regexp.MustCompile(`<tr><td>` + regexp.QuoteMeta(strings.NewReplacer(`&#34;`, `"`, `&#39;`,
				`'`).Replace(html.EscapeString(r.Name))) + `</td><td>` + fmt.Sprint(r.Calls) + `</td>.*<td>` +
				humanize.Comma(int64(r.Saved)) + `</td>`)
			if !row.Match(dom) {
				t.Errorf("no row of %q with %d calls, %d saved in %s", r.Name, r.Calls, r.Saved, dom)
			}
		}
	}
}
