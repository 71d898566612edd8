//go:build unix

package main

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/cmd"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/testdata/drivers/inventory"
)

var update = flag.Bool("update", false, "rewrite the golden output in the scripts, and the tables of facts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kfw": main, "kfw-peak": peak, "kfw-on-one-thread": onOneThread,
		"inventory": inventory.Main, "counter": counter, "tokenizer-file": tokenizerFile,
		"with-provider": withProvider, "ask": ask,
	})
}

// onOneThread is kfw whose writes are all calls of one thread, so that they can be counted.
func onOneThread() {
	runtime.LockOSThread()
	os.Exit(cmd.Main())
}

// TestScripts runs what a user would type: see testdata/scripts.
func TestScripts(t *testing.T) {
	samples, err := filepath.Abs("testdata/samples")
	if err != nil {
		t.Fatal(err)
	}
	drivers, err := filepath.Abs("testdata/drivers")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/scripts",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv("SAMPLES", samples)
			e.Setenv("DRIVERS", drivers)
			e.Setenv(raceVariable, raceOptions)
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "race":
				return testdepth.Race, nil
			case "namespaces":
				return canMount(), nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status,
			"frames": frames,
			"count":  count,
			"mode":   mode,
			"repeat": repeat,
		},
	})
}

// canMount reports whether a file system can be mounted in a namespace of its own, as the user that
// runs the tests.
var canMount = sync.OnceValue(func() bool {
	return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", os.TempDir()).Run() == nil
})

// status runs a command and checks its exact exit status: status 3 kfw stream -- sh -c 'exit 3'. A first argument after
// the status that begins with < is the file on its standard input.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N [<FILE] COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var stdin *os.File
	if args = args[1:]; strings.HasPrefix(args[0], "<") {
		stdin, err = os.Open(ts.MkAbs(args[0][1:]))
		ts.Check(err)
		defer stdin.Close()
		args = args[1:]
	}
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	command := exec.Command(path, args[1:]...)
	command.Dir = ts.MkAbs(".")
	command.Env = environment(ts)
	if stdin != nil {
		command.Stdin = stdin
	}
	var out, errs strings.Builder
	command.Stdout, command.Stderr = &out, &errs
	runErr := command.Run()
	ts.Check(os.WriteFile(ts.MkAbs("out"), []byte(out.String()), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("err"), []byte(errs.String()), 0o600))
	ts.Logf("[stdout]\n%s[stderr]\n%s", out.String(), errs.String())
	if command.ProcessState == nil {
		ts.Check(runErr)
	}
	if got := command.ProcessState.ExitCode(); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// A program that looks for races waits a second before it ends, for the goroutines that still run. A test that starts
// hundreds of them has no use for that.
const raceVariable, raceOptions = "GORACE", "atexit_sleep_ms=20"

func environment(ts *testscript.TestScript) (env []string) {
	for _, name := range []string{"PATH", "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "SAMPLES", "WORK", "TMPDIR",
		"KFW_SESSION",
		"KFW_ALLOW_FIELDS", "KFW_BUDGET", "KFW_FORMAT", "KFW_MODE", "KFW_RULES", "KFW_SENSITIVITY", "KFW_TOKENIZER",
		"KFW_TOTAL",
		"KFW_CONFIG", "KFW_HOST", "KFW_KEEP_FIELDS", "KFW_OFF", "KFW_STATE", raceVariable} {
		if value := ts.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// frames checks the promises that every output of frames keeps: frames BUDGET FILE.
func frames(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: frames BUDGET FILE")
	}
	budget, err := strconv.Atoi(args[0])
	ts.Check(err)
	if problem := checkFrames(ts.ReadFile(args[1]), budget); problem != "" {
		ts.Fatalf("%s", problem)
	}
}

// checkFrames tells which promise an output of frames breaks: whole lines of JSON, numbered, one final frame, never
// over budget as the chars counter counts, and what is left said right.
func checkFrames(out string, budget int) string {
	lines := strings.SplitAfter(out, "\n")
	if lines[len(lines)-1] != "" || len(lines) < 2 {
		return "the output does not end with a line feed"
	}
	lines = lines[:len(lines)-1]
	spent, mode := 0, ""
	for i, line := range lines {
		at := "frame " + strconv.Itoa(i+1) + ": "
		frame := gjson.Parse(line)
		switch {
		case !gjson.Valid(line):
			return at + "not JSON"
		case frame.Get("seq").Int() != int64(i+1):
			return at + "seq " + frame.Get("seq").Raw
		case frame.Get("left").Exists() && frame.Get("left").Int() != int64(budget-spent):
			return at + "left " + frame.Get("left").Raw + ", not " + strconv.Itoa(budget-spent)
		case !frame.Get("left").Exists() && (frame.Get("is_final").Bool() || frame.Get("mode").String() != mode):
			return at + "left is missing"
		case frame.Get("is_final").Bool() != (i == len(lines)-1):
			return at + "is_final " + frame.Get("is_final").Raw
		}
		spent += (len([]rune(line)) + 3) / 4
		mode = frame.Get("mode").String()
	}
	if spent > budget {
		return "over budget: " + strconv.Itoa(spent)
	}
	return ""
}

// count checks how often an expression matches: count N EXPRESSION FILE.
func count(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: count N EXPRESSION FILE")
	}
	found := len(regexp.MustCompile("(?m)"+args[1]).FindAllString(ts.ReadFile(args[2]), -1))
	if want, err := strconv.Atoi(args[0]); err != nil || found != want {
		ts.Fatalf("%d matches, want %s", found, args[0])
	}
}

// mode checks the permissions of a file: mode 0600 FILE.
func mode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode OCTAL FILE")
	}
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := "0" + strconv.FormatUint(uint64(info.Mode().Perm()), 8); got != args[0] {
		ts.Fatalf("mode %s, want %s", got, args[0])
	}
}

// repeat writes a text many times: repeat N TEXT FILE. %d in the text is the number of the repetition.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat N TEXT FILE")
	}
	times, err := strconv.Atoi(args[0])
	ts.Check(err)
	text := strings.ReplaceAll(args[1], `\n`, "\n")
	var b strings.Builder
	for i := range times {
		b.WriteString(strings.ReplaceAll(text, "%d", strconv.Itoa(i)))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(b.String()), 0o600))
}

// importTable reads testdata/imports.txt: what each package may import of kfw, and whether it may use os and net.
func importTable(t *testing.T) (allowed map[string][]string, pure map[string]bool) {
	t.Helper()
	table, err := os.ReadFile("testdata/imports.txt")
	if err != nil {
		t.Fatal(err)
	}
	allowed, pure = make(map[string][]string), make(map[string]bool)
	last := ""
	for line := range strings.Lines(string(table)) {
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, " "):
			allowed[last] = append(allowed[last], strings.Fields(line)...)
		default:
			name, imports, isRow := strings.Cut(line, ":")
			if !isRow {
				t.Fatalf("no package: %q", line)
			}
			last = strings.TrimSuffix(name, "*")
			allowed[last], pure[last] = strings.Fields(imports), last != name
		}
	}
	return allowed, pure
}

// TestImports holds the packages to the table of who may know whom.
func TestImports(t *testing.T) {
	const module = "github.com/kfw-dev/kfw/"
	allowed, pure := importTable(t)
	architecture, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range allowed {
		if !standsIn(string(architecture), pkg) {
			t.Errorf("%s has no row in docs/architecture.md, nor have packages that it is one of", pkg)
		}
		if files, err := filepath.Glob(pkg + "/*.go"); err != nil || len(files) == 0 {
			t.Errorf("%s is in the table and has no files", pkg)
		}
	}
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != "." {
			return filepath.SkipDir
		}
		if path == "bench" { // a module of its own
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		may, known := allowed[pkg]
		if !known {
			t.Errorf("%s: a package that is not in the table", pkg)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if ours, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(may, ours) {
				t.Errorf("%s imports %s", path, ours)
			}
			isAddress := imported == "net/netip" // which has addresses, and no network
			if pure[pkg] && !isAddress &&
				(imported == "os" || imported == "net" || strings.HasPrefix(imported, "os/") ||
					strings.HasPrefix(imported, "net/")) {
				t.Errorf("%s imports %s", path, imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// standsIn reports whether a table has a row for a package, or for those in a directory that it is in.
func standsIn(document, pkg string) bool {
	if pkg == "." || strings.HasPrefix(pkg, "testdata/") || regexp.MustCompile("(?m)^\\| .*`"+regexp.QuoteMeta(pkg)+"`.* \\|").MatchString(document) {
		return true
	}
	for ; pkg != "."; pkg = path.Dir(pkg) {
		if strings.Contains(document, "\n| `"+pkg+"/...`") {
			return true
		}
	}
	return false
}
