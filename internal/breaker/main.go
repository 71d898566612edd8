// Breaker says which broken lines the tests notice. It breaks one line at a time: a comparison, a condition, a sum, an
// omitted statement. It runs the tests of the package, then those of the packages that import it, and in the end, for
// what they did not notice, those at the top, each until the first fails. It lists who noticed which break.
//
//	go run ./internal/breaker -n 60 -seed 7
//	go run ./internal/breaker -n 60 -seed 7 -skip 20
//	go run ./internal/breaker -n 10 ./redact/... ./internal/lex
//
// Without packages it breaks lines of those that others can import, and of what these import. The files stay as they
// are: a broken one is an overlay of the build. A break that does not build is drawn again.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	w := watch{scratch, patience, string(bytes.TrimSpace(root)), importers}
	if out, err := exec.Command("go", "test", "-timeout", patience, w.root+"/...").CombinedOutput(); err != nil {
		return fmt.Errorf("a test fails without a broken line: %s", failedTest(out))
	}
	draw := rand.New(rand.NewPCG(seed, seed))
	draw.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })

	tried := 0
	var left []brokenLine // that no test of the package or its importers notices
	for _, b := range all {
		if tried == wanted {
			break
		}
		builds, err := w.builds(b)
		switch {
		case err != nil:
			return err
		case !builds:
			continue
		case skip > 0:
			skip--
			continue
		}
		by, test, err := w.nearby(b)
		if err != nil {
			return err
		}
		if tried++; by == nothing {
			by, left = forTheRoot, append(left, b)
		}
		fmt.Printf("%-8s %s  %s\n", by, b, test)
	}
	survived := 0
	for _, b := range left {
		by, test, err := w.atTop(b)
		if err != nil {
			return err
		}
		if by == nothing {
			survived++
		}
		fmt.Printf("%-8s %s  %s\n", by, b, test)
	}
	fmt.Printf("%d of %d noticed, seed %d, of %d lines that can be broken\n", tried-survived, tried, seed, len(all))
	return nil
}

// filesOf returns the files of packages that are built, not those of their tests. Without packages it returns those of
// the packages that others can import, and of what these import: all but what only tests import.
func filesOf(packages []string) ([]string, error) {
	arguments := []string{"list", "-f", `{{with .Module}}{{if .Main}}{{if ne $.Name "main"}}` +
		`{{range $.GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}{{end}}`}
	if len(packages) == 0 {
		module, err := exec.Command("go", "list", "-m").Output()
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		out, err := exec.Command("go", "list", string(bytes.TrimSpace(module))+"/...").Output()
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		for pkg := range strings.FieldsSeq(string(out)) {
			if !strings.Contains(pkg, "/internal/") {
				packages = append(packages, pkg)
			}
		}
		arguments = append(arguments, "-deps")
	}
	out, err := exec.Command("go", append(arguments, packages...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	return strings.Fields(string(out)), nil
}

// notice is what noticed a broken line.
type notice string

const (
	thePackage notice = "package"
	anImporter notice = "importer"
	theRoot    notice = "root"
	forTheRoot notice = "(left)"
	nothing    notice = "NOTHING"
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

// watch runs tests of the module with a broken line in it.
type watch struct {
	scratch, patience, root string
	importers               map[string][]string // by the directory of a package
}

// builds reports whether the package of a broken line builds.
func (w *watch) builds(b brokenLine) (bool, error) {
	_, builds, err := w.run(b, filepath.Dir(b.file), "vet", ".")
	return builds, err
}

// nearby runs the tests of the line's package and, if they pass, those of its importers below the top. It returns the
// first test that failed, too: slow if they took longer than patience.
func (w *watch) nearby(b brokenLine) (by notice, test string, err error) {
	pkg := filepath.Dir(b.file)
	test, passes, err := w.test(b, pkg, ".")
	if err != nil || !passes {
		return thePackage, test, err
	}
	others := slices.DeleteFunc(slices.Clone(w.importers[pkg]), func(other string) bool { return other == w.root })
	if len(others) > 0 {
		test, passes, err = w.test(b, pkg, others...)
		if err != nil || !passes {
			return anImporter, test, err
		}
	}
	return nothing, "", nil
}

// atTop runs the tests at the top of the module.
func (w *watch) atTop(b brokenLine) (by notice, test string, err error) {
	test, passes, err := w.test(b, w.root, ".")
	if err != nil || !passes {
		return theRoot, test, err
	}
	return nothing, "", nil
}

func (w *watch) test(b brokenLine, directory string, packages ...string) (test string, passes bool, err error) {
	return w.run(b, directory, append([]string{"test", "-failfast", "-timeout", w.patience}, packages...)...)
}

// run runs go. By the environment, as tests build kfw, too, it builds with the broken line.
func (w *watch) run(b brokenLine, directory string, arguments ...string) (test string, passes bool, err error) {
	broken := filepath.Join(w.scratch, "broken.go")
	if err := os.WriteFile(broken, b.text, 0o600); err != nil {
		return "", false, err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{b.file: broken}})
	if err != nil {
		return "", false, err
	}
	replacement := filepath.Join(w.scratch, "overlay.json")
	if err := os.WriteFile(replacement, overlay, 0o600); err != nil {
		return "", false, err
	}
	command := exec.Command("go", arguments...)
	command.Dir = directory
	command.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+replacement))
	out, err := command.CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		return "", false, err
	}
	return failedTest(out), err == nil, nil
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
