// Breaker says which broken lines the tests notice. It breaks one line at a time: a comparison, a condition, a sum, an
// omitted statement. It runs the tests of the package, then those of the packages that import it, then those at
// the top, each until the first fails, and lists who noticed each break: look at the ones that no test notices.
//
//	go run ./internal/breaker -n 60 -seed 7
//	go run ./internal/breaker -n 60 -seed 7 -skip 20
//	go run ./internal/breaker -n 10 ./redact/... ./internal/lex
//
// The files stay as they are: a broken one is an overlay of the build. A break that does not build is drawn again.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	wanted := flag.Int("n", 10, "how many lines to break")
	seed := flag.Uint64("seed", 1, "of the draw")
	skip := flag.Int("skip", 0, "how many of the draw were tried before, in another run")
	patience := flag.String("timeout", "10m", "of a run of tests; what takes longer is noticed, and listed as slow")
	flag.Parse()
	if err := run(*wanted, *skip, *seed, *patience, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "breaker:", err)
		os.Exit(1)
	}
}

func run(wanted, skip int, seed uint64, patience string, packages []string) error {
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	importers, err := importersOf()
	if err != nil {
		return err
	}
	files, err := filesOf(packages)
	if err != nil {
		return err
	}
	var all []brokenLine
	for _, file := range files {
		broken, err := breaks(file)
		if err != nil {
			return err
		}
		all = append(all, broken...)
	}
	scratch, err := os.MkdirTemp("", "breaker")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	draw := rand.New(rand.NewPCG(seed, seed))
	draw.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })

	tried, survived := 0, 0
	for _, b := range all {
		if tried == wanted {
			break
		}
		by, test, err := b.noticedBy(importers, scratch, patience, skip > 0)
		if err != nil {
			return err
		}
		switch {
		case by == doesNotBuild:
			continue
		case skip > 0:
			skip--
			continue
		case by == nothing:
			survived++
		}
		tried++
		fmt.Printf("%-12s %s  %s\n", by, b, test)
	}
	fmt.Printf("%d of %d noticed, seed %d, of %d lines that can be broken\n", tried-survived, tried, seed, len(all))
	return nil
}

// filesOf returns the files of packages that are built, not those of their tests.
func filesOf(packages []string) (files []string, err error) {
	const list = `{{if ne .Name "main"}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}`
	out, err := exec.Command("go", append([]string{"list", "-f", list}, packages...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	return strings.Fields(string(out)), nil
}

// notice is what noticed a broken line.
type notice string

const (
	doesNotBuild notice = "no build"
	thePackage   notice = "package"
	anImporter   notice = "importer"
	theRoot      notice = "root"
	nothing      notice = "NOTHING"
)

// importersOf returns, by the directory of a package, those of the packages that import it.
func importersOf() (map[string][]string, error) {
	out, err := exec.Command("go", "list", "-f", `{{.Dir}} {{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	directories := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) > 1 {
			directories[words[1]] = words[0]
		}
	}
	importers := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		for _, imported := range strings.Fields(line)[2:] {
			if d := directories[imported]; d != "" {
				importers[d] = append(importers[d], strings.Fields(line)[0])
			}
		}
	}
	return importers, nil
}

// slow is said in place of the test that failed.
const slow = "(slow)"

// noticedBy runs the tests of the line's package and, as long as they pass, those of its importers and of the root. It
// returns the first test that failed, too: empty if none did, slow if they took longer than patience.
func (b brokenLine) noticedBy(importers map[string][]string, scratch, patience string, buildsOnly bool) (
	by notice, test string, err error) {
	broken := filepath.Join(scratch, "broken.go")
	if err := os.WriteFile(broken, b.text, 0o600); err != nil {
		return "", "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{b.file: broken}})
	if err != nil {
		return "", "", err
	}
	replacement := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(replacement, overlay, 0o600); err != nil {
		return "", "", err
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", "", err
	}
	pkg := filepath.Dir(b.file)
	passes := func(directory string, arguments ...string) bool {
		command := exec.Command("go", arguments...)
		command.Dir = directory
		// By the environment, since tests build kfw, too.
		command.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+replacement))
		out, err := command.CombinedOutput()
		test = failedTest(out)
		return err == nil
	}
	tests := []string{"test", "-failfast", "-timeout", patience}
	switch {
	case !passes(pkg, "vet", "."):
		return doesNotBuild, "", nil
	case buildsOnly:
		return "", "", nil
	case !passes(pkg, append(tests, ".")...):
		return thePackage, test, nil
	case len(importers[pkg]) > 0 && !passes(pkg, append(tests, importers[pkg]...)...):
		return anImporter, test, nil
	case !passes(string(bytes.TrimSpace(root)), append(tests, ".")...):
		return theRoot, test, nil
	}
	return nothing, "", nil
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// failedTest returns the name of the first test that failed in the output of go test.
func failedTest(out []byte) string {
	if bytes.Contains(out, []byte("panic: test timed out after")) {
		return slow
	}
	if m := failed.FindSubmatch(out); m != nil {
		return string(m[1])
	}
	return ""
}
