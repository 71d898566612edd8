package hosts

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// probeSession is the ID of the session that a probe runs in.
const probeSession = "kfw-doctor"

// plantedSecrets returns a line of a tool's output with two secrets, and the secrets. They are put
// together here: no scanner is to take this file for a leak.
func plantedSecrets() (text string, secrets []string) {
	secrets = []string{"maria.keller" + "@" + "northwind-logistics.com", "AK" + "IA" + "Q3EGRTX7" + "M2VLKD5P"}
	return "deploy started\ncontact " + secrets[0] + "\naws_access_key_id = " + secrets[1] + "\ndeploy finished\n",
		secrets
}

// PlantedRequest returns a request in which a tool has said a planted secret, in the forms of all providers at once,
// and the secrets.
func PlantedRequest() (body []byte, secrets []string) {
	text, secrets := plantedSecrets()
	said := string(jsonx.AppendString(nil, text))
	return []byte(`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":` + said +
		`}]},` +
		`{"role":"tool","tool_call_id":"t","content":` + said + `}],` +
		`"input":[{"type":"function_call_output","call_id":"t","output":` + said + `}],` +
		`"contents":[{"role":"user","parts":[{"functionResponse":{"name":"run","response":{"output":` + said +
		`}}}]}]}`), secrets
}

// Finding is what doctor knows of one hook, or of a file that has none.
type Finding struct {
	Path  string // of the settings
	Hook  *Hook  // nil if the finding is about the file
	Said  string // a sentence without its period
	Shown string // what the model would see of the planted output, if the hook was run
	Leaks bool   // secrets come through
	Works bool   // they do not
	Wraps bool   // the file has the hook of init --wrap
}

// Run starts a program with arguments and standard input and returns its standard output. It uses no shell.
type Run func(words []string, stdin []byte) ([]byte, error)

// Prove looks at the settings files of a host, those that are not there left out. self is the path of this program:
// hooks that start it are run with a planted secret, all others are only listed.
func Prove(h Host, paths []string, self string, run Run) (all []Finding) {
	text, secrets := plantedSecrets()
	event := h.Probe(text)
	isDisabledBy := ""
	for _, path := range paths {
		source, err := readSettings(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var hooks []Hook
		var isDisabled bool
		if err == nil && len(bytes.TrimSpace(source)) > 0 {
			hooks, isDisabled, err = h.Hooks(source)
		}
		if err != nil {
			said := "can't be read as settings"
			if unparsable, ok := errors.AsType[*Unparsable](err); ok {
				said += ": " + unparsable.Reason
			}
			all = append(all, Finding{Path: path, Said: said})
			continue
		}
		if isDisabled {
			isDisabledBy = path
		}
		wraps := slices.ContainsFunc(hooks, func(h Hook) bool { return h.IsKfw && slices.Contains(h.Words, "--wrap") })
		for _, hook := range hooks {
			if !hook.IsAfter {
				continue
			}
			f := Finding{Path: path, Hook: &hook, Wraps: wraps}
			proved(&f, h, event, secrets, self, run)
			all = append(all, f)
		}
	}
	others := slices.ContainsFunc(all, func(f Finding) bool { return f.Hook != nil && !f.Hook.IsKfw })
	for i := range all {
		f := &all[i]
		switch {
		case f.Works && isDisabledBy != "":
			f.Works, f.Leaks, f.Said = false, true, "all hooks are turned off in "+isDisabledBy
		case f.Works && others:
			f.Said += ", but there is another hook: of two that rewrite a result the last one wins"
		}
	}
	return all
}

// proved runs one hook, if it starts this very program, and notes what came of it.
func proved(f *Finding, h Host, event []byte, secrets []string, self string, run Run) {
	words := f.Hook.Words
	if !isHook(words) {
		f.Said = "not run: another program"
		return
	}
	program, err := exec.LookPath(words[0])
	switch {
	case err != nil:
		f.Leaks, f.Said = true, "the program is not there: every result passes as it is"
		return
	case !isSame(program, self):
		f.Said = "not run: another kfw than this one"
		return
	}
	answer, err := run(append([]string{program}, words[1:]...), event)
	if err != nil {
		f.Leaks, f.Said = true, "fails"
		return
	}
	f.Shown = h.Shown(event, answer)
	f.Leaks = slices.ContainsFunc(secrets, func(s string) bool { return strings.Contains(f.Shown, s) })
	f.Works = !f.Leaks
	f.Said = "takes a planted secret out"
	if f.Leaks {
		f.Said = "lets a planted secret through"
	}
}

func isSame(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// ForgetProbe removes what a probe has left in a state directory.
func ForgetProbe(h Host, state string) {
	path := sessionPath(state, h.Name(), &Event{Session: probeSession})
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(path + suffix) // there is none where the hook keeps its state elsewhere
	}
	_ = os.Remove(filepath.Dir(path)) // if nothing else is in it
}
