// Package hosts runs the real agent programs with kfw's hooks. Each one has a home directory of its
// own, and a stand-in for its provider that listens on loopback and asks for tool calls. No account
// is needed. The programs come from npm:
//
//	go test -count=1 -v ./hosts
package hosts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// host is an agent program and what differs between it and others.
type host struct {
	name     string   // as kfw init knows it
	flags    []string // of kfw init
	program  program
	protocol protocol
	settings string            // the file that kfw init edits, in the home directory
	files    map[string]string // of the home directory, by path; PROVIDER stands for its address
	env      []string          // with PROVIDER as well
	args     []string
	shell    func(command string) *call
	read     func(path string) *call // of a file, with line numbers
	// volatile matches what differs between two results of the same command.
	volatile *regexp.Regexp
	// status matches what the model is shown of a command that ends with status 3.
	status *regexp.Regexp
	// failing are the flags of kfw init with which failing commands are covered.
	failing []string
	// uncovered says why a long output is no case of this host; empty if it is one.
	uncovered string
	// spills names the directory in which the host keeps long outputs.
	spills string
}

func hosts() []host {
	claude := func(tool, member string) func(string) *call {
		return func(value string) *call { return &call{tool: tool, input: map[string]string{member: value}} }
	}
	codex := func(command string) *call {
		return &call{tool: "exec_command", input: map[string]string{"cmd": command}}
	}
	all := []host{
		{
			name: "claude-code",
			program: program{
				spec:      "@anthropic-ai/claude-code-linux-x64@2.1.332",
				integrity: "sha512-f4JWhzwYutJIHScC7/dYOPX6s28tt7ZADhsOi8zwOHq5fFPEuUeChh2NMfinSg0GrUckYxaeebC4h0DqiKzLcw==",
				path:      "package/claude",
			},
			protocol: messages{},
			settings: ".claude/settings.json",
			files: map[string]string{
				".claude.json": `{"hasCompletedOnboarding": true}`,
				".claude/settings.json": `{
   "permissions" : {"allow": [ "Read" ]},

   "cleanupPeriodDays": 20 }`,
			},
			env: []string{"ANTHROPIC_BASE_URL=PROVIDER", "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
				"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "ENABLE_TOOL_SEARCH=false", "IS_SANDBOX=1"},
			args:     []string{"--print", "--dangerously-skip-permissions", "go on"},
			shell:    claude("Bash", "command"),
			read:     claude("Read", "file_path"),
			volatile: regexp.MustCompile(`$^`), // nothing
			status:   regexp.MustCompile(`\[exit 3\]\n?$`),
			failing:  []string{"--wrap"},
			spills:   "tool-results",
		},
		{
			name: "codex",
			program: program{
				spec:      "@openai/codex@0.169.0-linux-x64",
				integrity: "sha512-o05NyAOCDygSPRo1yinzxvkRSdmsZyBD9E7mbpmjRanSfM8lypqWtQgEo4XfNkwhuCR2aFu8mlGOsQGFXVbVww==",
				path:      "package/vendor/x86_64-unknown-linux-musl/bin/codex",
			},
			protocol: responses{},
			settings: ".codex/hooks.json",
			files: map[string]string{
				".codex/hooks.json": `{
   "hooks" : {"Stop": [{"hooks": [ {"type": "command", "command": "true"} ]}]}}`,
				".codex/config.toml": `model = "m"
model_provider = "standin"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.standin]
name = "stand-in"
base_url = "PROVIDER/v1"
wire_api = "responses"
supports_websockets = false
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
`,
			},
			args:      []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "go on"},
			shell:     codex,
			read:      func(path string) *call { return codex("cat -n " + path) },
			volatile:  regexp.MustCompile(`Chunk ID: \w+|Wall time: [\d.]+ seconds|Original token count: \d+`),
			status:    regexp.MustCompile(`(?m)^kfw: exit status (3|not reported by the host)$`),
			uncovered: "codex cuts the middle of a long output before the hook",
		},
	}
	withPlugin := all[0]
	withPlugin.flags, withPlugin.failing = []string{"--plugin"}, nil
	withPlugin.status = regexp.MustCompile(`^<tool_use_error>Exit code 3\n`)
	return append(all, withPlugin)
}

// The lengths of the files that the hosts read, in lines.
const (
	longLines = 5000
	noteLines = 60
)

// budget is the default budget of a result, in tokens. A token of the default counter is at most 4
// characters.
const budget = 4000

// secrets returns what must not reach the provider. It puts them together, so that no scanner takes
// this file for a leak.
func secrets() []string {
	return []string{"ilse.brandt" + "@" + "harbour-freight-lines.com", "AK" + "IA" + "W5QNZR3T" + "P7XKLM2D"}
}

// matters is the line of the long output that a summary must show.
const matters = "FATAL worker 7 lost its database"

// workFiles returns the files that the tools read, by name.
func workFiles() map[string]string {
	s := secrets()
	secret := "contact " + s[0] + "\naws_access_key_id = " + s[1] + "\n"
	var long, notes strings.Builder
	for i := range longLines {
		switch i {
		case longLines / 2:
			fmt.Fprintln(&long, matters)
		case longLines * 3 / 4:
			long.WriteString(secret)
		default:
			fmt.Fprintf(&long, "10:%02d:%02d INFO worker %d served request %05d in %d ms\n", i/60%60, i%60, i%10, i, i*37%997)
		}
	}
	for i := range noteLines {
		fmt.Fprintf(&notes, "note %d on %s\n", i+1, []string{"the harbour", "the mail of " + s[0], "the key " + s[1]}[i%3])
	}
	return map[string]string{
		"report.txt": "deploy started\n" + secret + "deploy finished\n",
		"failing.sh": "cat report.txt\necho build failed >&2\nexit 3\n",
		"status.txt": "3 services, 3 healthy\n  caf\u00e9\tup 14 days\n",
		"long.log":   long.String(),
		"notes.txt":  notes.String(),
	}
}

// TestHosts runs each host without a hook, then with kfw's.
func TestHosts(t *testing.T) {
	kfw := filepath.Join(t.TempDir(), "kfw")
	build := exec.Command("go", "build", "-o", kfw, ".")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, h := range hosts() {
		t.Run(strings.Join(append([]string{h.name}, h.flags...), " "), func(t *testing.T) {
			program := h.program.fetch(t) // one after the other: two hosts may have the same program
			t.Parallel()
			h.test(t, program, kfw)
		})
	}
}

func (h host) test(t *testing.T, program, kfw string) {
	bare, hooked := newMachine(t, h, kfw), newMachine(t, h, kfw)
	shell := func(name, command string) step { return step{name, func(string) *call { return h.shell(command) }} }
	steps := func(m *machine) []step {
		return []step{
			shell("shell", "cat report.txt"),
			shell("clean", "cat status.txt"),
			{"read", func(string) *call { return h.read(filepath.Join(m.work, "notes.txt")) }},
		}
	}
	failing := shell("failing", "sh failing.sh")

	bare.converse(program, append(steps(bare), failing))
	t.Run("no hook", func(t *testing.T) {
		for _, name := range []string{"shell", "read", "failing"} {
			for _, s := range secrets() {
				if result := bare.result(t, name); !strings.Contains(result, s) {
					t.Errorf("%s: a secret is not in the result even without a hook:\n%s", name, result)
				}
			}
		}
	})

	hooked.init(t)
	wanted := steps(hooked)
	if h.failing == nil {
		wanted = append(wanted, failing)
	}
	if h.uncovered == "" {
		wanted = append(wanted, shell("long", "cat long.log"), step{"expand", func(before string) *call {
			if command := expandCommand(before, kfw); command != "" {
				return h.shell(command)
			}
			return nil
		}})
	}
	hooked.converse(program, wanted)
	wrapped := hooked
	if h.failing != nil {
		wrapped = newMachine(t, h, kfw)
		wrapped.init(t, h.failing...)
		wrapped.converse(program, []step{failing, shell("clean", "cat status.txt")})
	}

	t.Run("shell", func(t *testing.T) {
		hasWords(t, hooked.result(t, "shell"), "deploy started", "[REDACTED:", "deploy finished")
	})
	t.Run("failing", func(t *testing.T) {
		result := wrapped.result(t, "failing")
		hasWords(t, result, "deploy started", "[REDACTED:", "deploy finished", "build failed")
		if !h.status.MatchString(result) {
			t.Errorf("the result does not say the exit status:\n%s", result)
		}
	})
	t.Run("clean", func(t *testing.T) {
		want := bare.result(t, "clean")
		hasWords(t, want, strings.TrimSpace(workFiles()["status.txt"]))
		for _, m := range []*machine{hooked, wrapped} {
			if got := m.result(t, "clean"); h.volatile.ReplaceAllString(got, "") != h.volatile.ReplaceAllString(want, "") {
				t.Errorf("the result is\n%q, without a hook\n%q", got, want)
			}
		}
	})
	t.Run("read", func(t *testing.T) { checkRead(t, hooked.result(t, "read")) })
	t.Run("long", func(t *testing.T) {
		if h.uncovered != "" {
			t.Skip("a known limit: " + h.uncovered)
		}
		summary := hooked.result(t, "long")
		checkSummary(t, summary, kfw)
		checkExpanded(t, summary, hooked.result(t, "expand"))
		hooked.checkSpills(t)
	})
	t.Run("requests", func(t *testing.T) {
		hooked.checkRequests(t)
		wrapped.checkRequests(t)
	})
	t.Run("uninstall", func(t *testing.T) {
		for _, m := range []*machine{hooked, wrapped} {
			m.uninstall(t)
			if got := m.file(t, h.settings); got != h.files[h.settings] {
				t.Errorf("after uninstall the settings are\n%s, before\n%s", got, h.files[h.settings])
			}
			if _, err := os.Lstat(filepath.Join(m.home, ".claude", "skills")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("after uninstall the directory of plugins is still there: %v", err)
			}
		}
	})
	t.Run("uninstall without settings", func(t *testing.T) {
		m := newMachine(t, h, kfw)
		if err := os.RemoveAll(m.home); err != nil {
			t.Fatal(err)
		}
		m.init(t)
		if m.file(t, h.settings) == "" {
			t.Error("kfw init writes no settings")
		}
		m.uninstall(t)
		if _, err := os.Lstat(filepath.Dir(filepath.Join(m.home, h.settings))); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("after uninstall the directory of the settings is still there: %v", err)
		}
	})
}

// machine is the home directory of one user, a working directory, and what a provider has seen of
// it.
type machine struct {
	host             host
	kfw              string
	base             string
	home, work, temp string
	url              string
	provider         *standIn
	said             string // by the host
	err              error
}

func newMachine(t *testing.T, h host, kfw string) *machine {
	t.Helper()
	base := t.TempDir()
	m := &machine{host: h, kfw: kfw, base: base,
		provider: &standIn{protocol: h.protocol, results: make(map[string]string)},
		home:     filepath.Join(base, "home"), work: filepath.Join(base, "work"), temp: filepath.Join(base, "tmp")}
	server := httptest.NewServer(m.provider)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	m.url = server.URL
	if err := os.Mkdir(m.temp, 0o700); err != nil {
		t.Fatal(err)
	}
	for dir, files := range map[string]map[string]string{m.home: h.files, m.work: workFiles()} {
		for name, text := range files {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "PROVIDER", m.url)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return m
}

// run runs a program as the user of the machine, with nothing of this process's environment except
// PATH. The stand-in is also the HTTPS proxy, which answers 404: a program that asks for another
// address than the stand-in's gets no connection, if it honors the proxy.
func (m *machine) run(program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), mostRun)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	command.Dir = m.work
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.home, "TMPDIR=" + m.temp, "LANG=C.UTF-8", "TERM=dumb",
		"HTTPS_PROXY=" + m.url, "https_proxy=" + m.url, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1"}
	for _, e := range m.host.env {
		command.Env = append(command.Env, strings.ReplaceAll(e, "PROVIDER", m.url))
	}
	return output(command, m.base)
}

// init runs kfw init.
func (m *machine) init(t *testing.T, flags ...string) {
	t.Helper()
	if out, err := m.run(m.kfw, slices.Concat([]string{"init", m.host.name}, m.host.flags, flags)...); err != nil {
		t.Fatalf("kfw init: %v: %s", err, out)
	}
}

func (m *machine) uninstall(t *testing.T) {
	t.Helper()
	m.init(t, "--uninstall")
}

// converse runs the host until the provider has asked for all steps.
func (m *machine) converse(program string, steps []step) {
	m.provider.steps = steps
	m.said, m.err = m.run(program, m.host.args...)
}

// result returns what the model was shown of a step.
func (m *machine) result(t *testing.T, name string) string {
	t.Helper()
	m.provider.mu.Lock()
	defer m.provider.mu.Unlock()
	result, found := m.provider.results[name]
	if !found || m.err != nil || m.provider.err != nil {
		t.Fatalf("%s: result %t, %d requests, provider: %v, %s: %v\n%s", name, found, len(m.provider.bodies), m.provider.err,
			m.host.name, m.err, m.said)
	}
	return result
}

// file returns the text of a file of the home directory, "" if there is none.
func (m *machine) file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(m.home, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

// checkRequests: no request of the host holds a secret, whatever it is for.
func (m *machine) checkRequests(t *testing.T) {
	t.Helper()
	m.provider.mu.Lock()
	defer m.provider.mu.Unlock()
	if len(m.provider.bodies) == 0 {
		t.Error("the provider got no request")
	}
	for i, body := range m.provider.bodies {
		for _, s := range secrets() {
			if strings.Contains(body, s) {
				t.Errorf("request %d of %d holds %s", i+1, len(m.provider.bodies), s)
			}
		}
	}
}

// checkSpills: the files in which the host keeps long outputs are redacted.
func (m *machine) checkSpills(t *testing.T) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(m.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Base(filepath.Dir(path)) != m.host.spills {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		for _, s := range secrets() {
			if bytes.Contains(text, []byte(s)) {
				t.Errorf("%s holds %s", path, s)
			}
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files of long outputs, %v", files, err)
	}
}

func hasWords(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing:\n%s", w, text)
		}
	}
}

var numberedNote = regexp.MustCompile(`(?m)^ *(\d+)\W+note (\d+) on `)

// checkRead: each line is there, under its own number, and the secrets are not.
func checkRead(t *testing.T, result string) {
	t.Helper()
	lines := numberedNote.FindAllStringSubmatch(result, -1)
	if len(lines) != noteLines {
		t.Fatalf("%d lines of %d:\n%s", len(lines), noteLines, result)
	}
	for i, line := range lines {
		if want := strconv.Itoa(i + 1); line[1] != want || line[2] != want {
			t.Errorf("line %d is %q", i+1, line[0])
		}
	}
	hasWords(t, result, "[REDACTED:")
}

var servedRequest = regexp.MustCompile(`request \d{5}`)

// checkSummary: a long output is within the budget, and has the line that matters and a command
// that reads on.
func checkSummary(t *testing.T, summary, kfw string) {
	t.Helper()
	if n := utf8.RuneCountInString(summary); n > 4*budget {
		t.Errorf("%d characters are over a budget of %d tokens", n, budget)
	}
	hasWords(t, summary, matters)
	if expandCommand(summary, kfw) == "" {
		t.Errorf("no command reads on:\n%s", summary)
	}
}

// checkExpanded: the command that reads on shows lines that are not in the summary.
func checkExpanded(t *testing.T, summary, expanded string) {
	t.Helper()
	for _, line := range servedRequest.FindAllString(expanded, -1) {
		if !strings.Contains(summary, line) {
			return
		}
	}
	t.Errorf("kfw expand shows nothing new:\n%s", expanded)
}

// expandCommand returns the command in a summary that reads on, or "".
func expandCommand(summary, kfw string) string {
	_, rest, found := strings.Cut(summary, kfw+" expand ")
	if !found {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "\n")
	rest, _, _ = strings.Cut(rest, ", or ") // another way to read on
	return kfw + " expand " + rest
}
