package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Answered is how many questions what a tool shows answers, in percent, by budget.
type Answered struct {
	Tool      string             `json:"tool"`
	Questions map[string]int     `json:"questions"` // by budget: those on outputs that do not fit
	Right     map[string]float64 `json:"right"`
	Expanded  map[string]float64 `json:"expanded,omitempty"` // with what one kfw expand adds
	Slow      []string           `json:"slow,omitempty"`     // outputs for which the tool takes longer than mostTime
}

// question is a question on an output. The tools do not get it.
type question struct {
	asks   string
	needs  []string // regular expressions that all match in what answers it
	expand []string // arguments of kfw expand that a reader would type; nil if none helps
}

// output is what a tool of Go, git or the system wrote.
type output struct {
	name      string
	command   string // that made it
	text      string
	questions []question
}

// word is a regular expression of a text that is no part of a longer word or number.
func word(text any) string { return `(^|[^\w.])` + regexp.QuoteMeta(fmt.Sprint(text)) + `($|[^\w])` }

// command returns what a program writes to both its outputs. A test or a build that fails has its status.
func command(ctx context.Context, dir string, argv ...string) (string, error) {
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "LC_ALL=C", "TZ=UTC",
		"GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := c.CombinedOutput()
	var failed *exec.ExitError
	if errors.As(err, &failed) && len(out) > 0 {
		err = nil
	}
	return string(out), err
}

// outputs makes all outputs.
func outputs(ctx context.Context, root, dir string) (all []*output, err error) {
	goroot, err := command(ctx, root, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	src := filepath.Join(strings.TrimSpace(goroot), "src")
	for _, kind := range []struct {
		name string
		dir  string
		argv []string
		ask  func(text string) ([]question, error)
		make func(dir string) error
	}{
		{"go test", "tested", []string{"go", "test", "-v", "."}, askTest, makeTests},
		{"go build", "built", []string{"go", "build", "-gcflags=-e", "."}, askBuild, makeErrors},
		{"git log", "logged", []string{"git", "log", "--stat"}, askLog, makeLog},
		{"go list", src, []string{"go", "list", "-json=ImportPath,Doc,Imports,GoFiles", "std"}, askList, nil},
		{"go doc", src, []string{"go", "doc", "-all", "net/http"}, askDoc, nil},
		{"grep", src, []string{"grep", "-rn", "TODO(", "net"}, askGrep, nil},
		{"ls", src, []string{"ls", "-lR", "--time-style=long-iso", "encoding"}, askFiles, nil},
		{"go mod graph", root, []string{"go", "mod", "graph"}, askGraph, nil},
		{"go tool dist", src, []string{"go", "tool", "dist", "list", "-json"}, askPorts, nil},
		{"orders", root, []string{"cat", "testdata/samples/orders.ndjson"}, askOrders, nil},
	} {
		if kind.make != nil {
			kind.dir = filepath.Join(dir, kind.dir)
			if err := os.MkdirAll(kind.dir, 0o700); err != nil {
				return nil, err
			}
			if err := kind.make(kind.dir); err != nil {
				return nil, fmt.Errorf("%s: %w", kind.name, err)
			}
		}
		o := &output{name: kind.name, command: strings.Join(kind.argv, " ")}
		if o.text, err = command(ctx, kind.dir, kind.argv...); err == nil {
			o.questions, err = kind.ask(o.text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind.name, err)
		}
		all = append(all, o)
	}
	return all, nil
}

func (q *question) isIn(text string) bool {
	for _, need := range q.needs {
		if !regexp.MustCompile("(?m)" + need).MatchString(text) {
			return false
		}
	}
	return true
}

// found returns the first group of a pattern in a text.
func found(text, pattern string) (string, error) {
	m := regexp.MustCompile("(?m)" + pattern).FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("no %s", pattern)
	}
	return m[1], nil
}

func write(dir, name, text string) error {
	return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
}

func makeTests(dir string) error {
	return errors.Join(write(dir, "go.mod", "module example.com/ledger\n\ngo 1.26\n"),
		write(dir, "ledger_test.go", `package ledger

import (
	"fmt"
	"testing"
)

func TestLedger(t *testing.T) {
	for i := range 400 {
		t.Run(fmt.Sprintf("account_%d", i), func(t *testing.T) {
			t.Logf("opened account %d of %s with %d", i, []string{"Oslo", "Turin", "Lagos"}[i%3], i*100)
			if i == 273 {
				t.Errorf("balance of account %d: got %d, want %d", i, 27241, 27300)
			}
		})
	}
}
`))
}

func askTest(text string) ([]question, error) {
	line, err := found(text, `(ledger_test\.go:\d+): balance`)
	return []question{
		{"which test failed", []string{`TestLedger/account_273`}, []string{"--grep", "FAIL"}},
		{"what was wrong with it", []string{`got 27241, want 27300`}, []string{"--grep", "balance of"}},
		{"where is the check", []string{regexp.QuoteMeta(line)}, []string{"--grep", "balance of"}},
		{"how many accounts passed", []string{word(strings.Count(text, "    --- PASS"))},
			[]string{"--grep", "    --- PASS", "--count"}},
	}, err
}

func makeErrors(dir string) error {
	var b strings.Builder
	b.WriteString("package main\n\nfunc main() {\n")
	for i := range 150 {
		if i == 97 {
			b.WriteString("\tvar total string = 12 * 3\n\t_ = total\n")
		}
		fmt.Fprintf(&b, "\t_ = oldPrice%d(1)\n", i)
	}
	b.WriteString("}\n")
	return errors.Join(write(dir, "go.mod", "module example.com/shop\n\ngo 1.26\n"), write(dir, "main.go", b.String()))
}

func askBuild(text string) ([]question, error) {
	place, err := found(text, `(main\.go:\d+):\d+: cannot use`)
	return []question{
		{"how many names are undefined", []string{word(strings.Count(text, "undefined:"))},
			[]string{"--grep", "undefined:", "--count"}},
		{"which error is of another kind", []string{`cannot use 12 \* 3`}, []string{"--grep", "undefined:", "-v"}},
		{"where is it", []string{regexp.QuoteMeta(place)}, []string{"--grep", "undefined:", "-v"}},
	}, err
}

func makeLog(dir string) error {
	git := func(day int, args ...string) error {
		c := exec.Command("git", args...)
		at := fmt.Sprintf("2026-03-%02dT%02d:00:00Z", 1+day/24, day%24)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
			"GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at, "GIT_AUTHOR_NAME=Build", "GIT_AUTHOR_EMAIL=build@localhost",
			"GIT_COMMITTER_NAME=Build", "GIT_COMMITTER_EMAIL=build@localhost")
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("git: %w: %s", err, out)
		}
		return nil
	}
	if err := git(0, "init", "-q"); err != nil {
		return err
	}
	for i := range 120 {
		file, subject := fmt.Sprintf("part%d.txt", i%7), fmt.Sprintf("part %d: step %d", i%7, i)
		if i == 66 {
			file, subject = "pricing.txt", "round prices to the cent"
		}
		err := errors.Join(write(dir, file, strings.Repeat(fmt.Sprintln("line of step", i), 1+i%9)),
			git(i, "add", "-A"), git(i, "commit", "-qm", subject))
		if err != nil {
			return err
		}
	}
	return nil
}

func askLog(text string) ([]question, error) {
	commit, err := found(text, `commit (\w{8})\w+\n(?:.+\n)+\n    round prices`)
	return []question{
		{"how many commits", []string{word(strings.Count(text, "\ncommit ") + 1)}, []string{"--grep", "^commit ", "--count"}},
		{"what was done to pricing.txt", []string{`round prices to the cent`}, []string{"--grep", "pricing.txt", "-B", "3"}},
		{"which commit did it", []string{commit, `pricing|round prices`}, []string{"--grep", "pricing.txt", "-B", "8"}},
		{"what was done first", []string{`part 0: step 0`}, []string{"--tail", "6"}},
	}, err
}

func askList(text string) ([]question, error) {
	return []question{
		{"how many packages", []string{word(strings.Count(text, `"ImportPath":`))}, []string{"--count"}},
		{"what is container/ring for", []string{`operations on circular lists`},
			[]string{"--where", "ImportPath=container/ring", "--fields", "Doc"}},
		{"what does encoding/csv import", []string{`bufio[^}]*unicode/utf8`},
			[]string{"--where", "ImportPath=encoding/csv", "--fields", "Imports"}},
		{"what fields does a package have", []string{`ImportPath`, `Doc`, `Imports`, `GoFiles`}, []string{"--limit", "1"}},
	}, nil
}

func askDoc(string) ([]question, error) {
	return []question{
		{"how is NewRequestWithContext called", []string{`NewRequestWithContext\(ctx context\.Context, method, url string`},
			[]string{"--grep", "func NewRequestWithContext"}},
		{"which status is 418", []string{`StatusTeapot\s+= 418`}, []string{"--grep", "418"}},
		{"what is the default of MaxHeaderBytes", []string{`DefaultMaxHeaderBytes\s+= 1 << 20`},
			[]string{"--grep", "DefaultMaxHeaderBytes"}},
		{"what does Hijacker do", []string{`take over the connection`}, []string{"--grep", "Hijack", "-C", "2"}},
	}, nil
}

func askGrep(text string) ([]question, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	one := strings.SplitN(lines[len(lines)*7/10], ":", 3)
	if len(one) != 3 {
		return nil, errors.New("no line with a number")
	}
	return []question{
		{"how many places", []string{word(len(lines))}, []string{"--count"}},
		{"what is to be done at " + one[0] + ":" + one[1], []string{regexp.QuoteMeta(strings.TrimSpace(one[2]))},
			[]string{"-F", "--grep", one[0] + ":" + one[1] + ":"}},
		{"is there something to do in lookup.go", []string{`net/lookup\w*\.go`}, []string{"--grep", "net/lookup"}},
	}, nil
}

func askFiles(text string) ([]question, error) {
	size, err := found(text, `\s(\d+) \S+ \S+ decode\.go$`)
	largest := 0
	for _, m := range regexp.MustCompile(`(?m)^-\S+\s+\d+\s+\S+\s+\S+\s+(\d+) `).FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1]) // digits
		largest = max(largest, n)
	}
	return []question{
		{"how large is a decode.go", []string{word(size)}, []string{"--grep", " decode.go"}},
		{"how large is the largest file", []string{word(largest)}, []string{"-F", "--grep", fmt.Sprint(" ", largest, " ")}},
		{"which packages are there", []string{`encoding/json`, `encoding/xml`, `encoding/gob`},
			[]string{"--grep", "^encoding/"}},
	}, err
}

func askGraph(text string) ([]question, error) {
	version, err := found(text, `^github\.com/kfw-dev/kfw golang\.org/x/text@(\S+)`)
	return []question{
		{"which version of golang.org/x/text is asked for", []string{`golang\.org/x/text@` + regexp.QuoteMeta(version)},
			[]string{"--grep", "^github.com/kfw-dev/kfw golang.org/x/text"}},
		{"how many edges", []string{word(strings.Count(text, "\n"))}, []string{"--count"}},
		{"who asks for hyperloglog", []string{`\S+ github\.com/axiomhq/hyperloglog`}, []string{"--grep", "hyperloglog"}},
	}, err
}

func askPorts(text string) ([]question, error) {
	return []question{
		{"how many ports", []string{word(strings.Count(text, `"GOOS"`))}, []string{"--count"}},
		{"how many are first class", []string{word(strings.Count(text, `"FirstClass": true`))},
			[]string{"--where", "FirstClass=true", "--count"}},
		{"which architectures has plan9", []string{`386`, `amd64`, `arm`},
			[]string{"--where", "GOOS=plan9", "--fields", "GOARCH"}},
	}, nil
}

func askOrders(text string) ([]question, error) {
	failed := regexp.MustCompile(`(?m)^\{"id":"(ord_\d+)".*"status":"failed"`).FindAllStringSubmatch(text, -1)
	var ids []string
	for _, m := range failed {
		ids = append(ids, m[1])
	}
	return []question{
		{"how many orders", []string{word(strings.Count(text, "\n"))}, []string{"--count"}},
		{"how many failed", []string{`failed[^\n]{0,20}\b` + fmt.Sprint(len(ids)) + `\b|^` + fmt.Sprint(len(ids)) + `$`},
			[]string{"--where", "status=failed", "--count"}},
		{"which ones", ids, []string{"--where", "status=failed", "--fields", "id"}},
		{"what was the highest total", []string{word("1249.0")},
			[]string{"--sort=-total", "--limit", "1", "--fields", "total"}},
	}, nil
}

// ask asks all tools all questions.
func ask(ctx context.Context, root, dir string, tools []*tool) (all []Answered, err error) {
	outs, err := outputs(ctx, root, dir)
	if err != nil {
		return nil, err
	}
	for _, t := range tools {
		if t.Name == "kfw, no question" || t.Name == "query" {
			continue // no tool is told the question
		}
		a := Answered{Tool: t.Name, Questions: make(map[string]int), Right: make(map[string]float64)}
		if t.expand != nil {
			a.Expanded = make(map[string]float64)
		}
		own, err := a.ownSizes(ctx, t, outs)
		if err != nil {
			return nil, err
		}
		for _, budget := range budgets {
			if err := a.answer(ctx, t, outs, own, budget); err != nil {
				return nil, err
			}
		}
		all = append(all, a)
	}
	return all, nil
}

// ownSizes returns what a tool without a budget shows of each output. Of one for which it takes too long, that is all.
func (a *Answered) ownSizes(ctx context.Context, t *tool, outs []*output) ([]string, error) {
	own := make([]string, len(outs))
	if !t.hasNoBudget {
		return own, nil
	}
	var mu sync.Mutex
	err := each(len(outs), func(i int) (err error) {
		o := outs[i]
		own[i], err = t.shorten(ctx, input{text: o.text, command: o.command}, 0)
		if errors.Is(err, errSlow) {
			mu.Lock()
			defer mu.Unlock()
			a.Slow, own[i], err = append(a.Slow, o.name), o.text, nil
		}
		return err
	})
	slices.Sort(a.Slow)
	return own, err
}

// answer asks one tool at one budget.
func (a *Answered) answer(ctx context.Context, t *tool, outs []*output, own []string, budget int) error {
	at := strconv.Itoa(budget)
	right, expanded := 0, 0
	for i, o := range outs {
		if length(o.text) <= charsPerToken*budget {
			continue
		}
		shown := headTail(own[i], charsPerToken*budget)
		if !t.hasNoBudget {
			var err error
			if shown, err = t.shorten(ctx, input{text: o.text, command: o.command}, budget); err != nil {
				return fmt.Errorf("%s: %w", o.name, err)
			}
		}
		for _, q := range o.questions {
			a.Questions[at]++
			switch {
			case q.isIn(shown):
				right++
				expanded++
			case t.expand != nil && q.expand != nil:
				more, err := t.expand(ctx, q.expand)
				if err != nil {
					return fmt.Errorf("%s: %s: %w", o.name, q.asks, err)
				}
				if q.isIn(more) {
					expanded++
				}
			}
		}
	}
	a.Right[at] = 100 * float64(right) / float64(a.Questions[at])
	if a.Expanded != nil {
		a.Expanded[at] = 100 * float64(expanded) / float64(a.Questions[at])
	}
	return nil
}
