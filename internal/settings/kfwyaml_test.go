package settings

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/fault"
)

// TestAnnotatedYAML holds docs/kfw.yaml to what there is: it is understood, and no key of a driver or a capability is
// missing from it.
func TestAnnotatedYAML(t *testing.T) {
	file, err := Read("../../docs/kfw.yaml", testFlags())
	if err != nil {
		t.Fatal(err)
	}
	testFlags().VisitAll(func(f *pflag.Flag) {
		if _, ok := file.Values[f.Name]; !ok {
			t.Errorf("no %s", Key(f.Name))
		}
	})
	there := make(map[string]bool)
	for _, row := range file.nested {
		there[regexp.MustCompile(`^(\w+)\..*\.(\w+)$`).ReplaceAllString(row.Key, "$1.$2")] = true
	}
	for of, keys := range map[string][]string{"drivers": driverKeys(), "capabilities": capabilityKeys()} {
		for _, key := range keys {
			if !there[of+"."+key] {
				t.Errorf("no %s in %s", key, of)
			}
		}
	}
}

func TestYAMLErrors(t *testing.T) {
	for _, c := range []struct{ in, want, hint string }{
		{"budget: 1\nbugdet: 2\n", "kfw.yaml:2: unknown key", "the nearest known key is budget"},
		{"max-chunk: 2048\n", "kfw.yaml:1: unknown key", "the nearest known key is max_chunk"},
		{"budget: many\n", "kfw.yaml:1: budget: not a whole number", ""},
		{"budget: 1.5\n", "kfw.yaml:1: budget: not a whole number", ""},
		{"budget: 99999999999999999999\n", "kfw.yaml:1: budget: not a whole number", ""},
		{"budget: 9000000000000000000\n", "kfw.yaml:1: budget: 1099511627776 is the largest", ""},
		{"budget:\n", "kfw.yaml:1: budget: has no value", ""},
		{"budget: [1]\n", "kfw.yaml:1: budget: not a whole number", ""},
		{"# so\n\nmode: loud\n", "kfw.yaml:3: mode: unknown value: choose raw, table, summary or handle_only", ""},
		{"strict: 1\n", "kfw.yaml:1: strict: not true or false", ""},
		{"flush_after: 5\n", "kfw.yaml:1: flush_after: not a time such as 500ms, 2s, 1h30m or 1d", ""},
		{"flush_after: -5s\n", "kfw.yaml:1: flush_after: must be positive", ""},
		{"session: 5\n", "kfw.yaml:1: session: not text (a number needs quotes to be one)", ""},
		{"max_chunk: 12\n", "kfw.yaml:1: max_chunk: 1024 is the smallest", ""},
		{"sensitivity: [pii, some]\n",
			"kfw.yaml:1: sensitivity: unknown group: choose from pii, pci, secrets, or none alone", ""},
		{"sensitivity: []\n", "kfw.yaml:1: sensitivity: not a list of words", ""},
		{"allow_fields: [id, 5]\n", "kfw.yaml:1: allow_fields: not a list of words", ""},
		{"allow_fields: 'a\"b'\n", "kfw.yaml:1: allow_fields: not a list of words", ""},
		{"budget: 5000\nmode: raw\nbudget: 6000\n", "kfw.yaml:3:1: not valid YAML", ""},
		{"budget: &a 5\n", "kfw.yaml:1: budget: not a whole number", ""},
		{"- a\n", "kfw.yaml:1: not keys with values", ""},
		{"5: a\n", "kfw.yaml:1: a key is not text", ""},
		{"budget: 5000\n---\nmode: raw\n", "kfw.yaml: more than one document", ""},
		{"budget: [1, 2\nmode: raw\n", "kfw.yaml:2:1: not valid YAML", ""},
		{"budget: \xff\n", "kfw.yaml: not valid UTF-8", ""},
		{strings.Repeat("- ", mostYAMLTokens+1), "kfw.yaml: more than 20000 words", ""},
		{"drivers: {a: {command: ls -l}}\n", "kfw.yaml:1: command: not a list of a program and its arguments",
			"no shell splits it, and a number needs quotes: [PROGRAM, ARG, \"5\"]"},
		{"drivers:\n  a: {}\n", "kfw.yaml:2: a driver has no command", "command: [PROGRAM, ARG]"},
		{"drivers: {a: {command: [ls], steaming: true}}\n", "kfw.yaml:1: a driver: unknown key",
			"the nearest known key is streaming"},
		{"drivers: {a: {command: [ls], timeout: 0s}}\n", "kfw.yaml:1: timeout: must be positive", ""},
		{"capabilities: {a: {driver: b, operation: c}}\n", "kfw.yaml:1: driver: drivers declares no such driver", ""},
		{"drivers: {b: {command: [ls]}}\ncapabilities: {a: {driver: b}}\n",
			"kfw.yaml:2: a capability needs a driver and an operation", ""},
		{"drivers: {b: {command: [ls]}}\ncapabilities: {a: {driver: b, operation: c, budget: x}}\n",
			"kfw.yaml:2: budget: not a whole number", ""},
		{"drivers: {b: {command: [ls]}}\ncapabilities: {a: {driver: b, operation: c, allow_fields: x}}\n",
			"kfw.yaml:2: a capability: unknown key",
			"the nearest known key is allowed_fields"},
	} {
		_, err := parseYAML("kfw.yaml", []byte(c.in), testFlags())
		if err == nil {
			t.Errorf("%.60q: no error", c.in)
			continue
		}
		first, isUsage := errors.AsType[*fault.UsageError](fault.Parts(err)[0])
		if !isUsage || first.Error() != c.want || first.Hint != c.hint {
			t.Errorf("%.60q:\n got %v\nwant %s (%s)", c.in, err, c.want, c.hint)
		}
	}
}

// TestYAMLPaths: what is relative in a file is relative to where it stands.
func TestYAMLPaths(t *testing.T) {
	root, err := filepath.Abs(string(filepath.Separator))
	if err != nil {
		t.Fatal(err)
	}
	c, dir := filepath.Join(root, "c"), filepath.Join(root, "etc", "x")
	text := "session: s.kfw\ndrivers: {a: {command: [./a, ./b]}, b: {command: [b]}, c: {command: ['" + c + "']}}\n"
	for path, want := range map[string][4]string{
		"kfw.yaml":                     {"s.kfw", "./a", "b", c},
		filepath.Join(dir, "kfw.yaml"): {filepath.Join(dir, "s.kfw"), filepath.Join(dir, "a"), "b", c},
	} {
		file, err := parseYAML(path, []byte(text), testFlags())
		if err != nil {
			t.Fatal(err)
		}
		d := file.Drivers
		if got := [4]string{file.Values["session"].text, d["a"].Command[0], d["b"].Command[0],
			d["c"].Command[0]}; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if got := d["a"].Command[1]; got != "./b" {
			t.Errorf("%s: an argument became %q", path, got)
		}
	}
}

// FuzzSettings: no bytes make kfw.yaml panic, and wherever a word stands in them, no error repeats it.
func FuzzSettings(f *testing.F) {
	annotated, err := os.ReadFile("../../docs/kfw.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		string(annotated), "", "budget: 5\n", "budget: [1, {a: b}]\n", "sensitivity: \"pii,\\u0041\"\n",
		"mode: |\n  raw\n", "a: &b c\nd: *b\n<<: *b\n",
		"!!int mode: !x 5\n", "? a\n: b\n", "--- 1\n...\n--- 2\n",
		"drivers: {a: {command: [x, 'y', z], timeout: 1h}}\n", "session: 'a\n  b'\n",
		"capabilities: {a: {driver: b, budget: -1, mode: null, sensitivity: [[x]], x: y}}\n",
		"%YAML 1.2\n---\nbudget: .inf\n", "\ufeffbudget: 0x10\n", "allow_fields: 'a\"b,c'\n",
	} {
		for _, at := range []int{0, 1, len(seed) / 3, len(seed) / 2, len(seed) - 1, len(seed)} {
			f.Add([]byte(seed), max(at, 0))
		}
	}
	const word = "zqxjkvbw"
	f.Fuzz(func(t *testing.T, data []byte, at int) {
		if at < 0 || at > len(data) {
			at = len(data)
		}
		for _, data := range [][]byte{data, []byte(string(data[:at]) + word + string(data[at:]))} {
			file, err := parseYAML("kfw.yaml", data, testFlags())
			if (file == nil) == (err == nil) {
				t.Fatalf("%v and %v", file, err)
			}
			for _, err := range fault.Parts(err) {
				hint := ""
				if usage, ok := errors.AsType[*fault.UsageError](err); ok {
					hint = usage.Hint
				}
				if text := strings.ToLower(err.Error() + hint); strings.Contains(text, word[:4]) {
					t.Errorf("an error repeats what it is about: %s", text)
				}
			}
		}
	})
}
