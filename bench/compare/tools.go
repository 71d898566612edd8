package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// The versions of the tools that are installed.
const (
	contextCompress = "2026.7.0"
	tokenJuice      = "0.8.5"
	snipVersion     = "0.24.1"
)

// input is the output of a tool, and what is known of the call.
type input struct {
	text    string
	about   string // what the agent said last; empty if that is not known
	command string // of a shell; empty for other tools
}

// tool is who is measured.
type tool struct {
	Tool
	hasNoBudget bool
	// sees reports whether the tool does anything with such an output.
	sees func(input) bool
	// shorten returns what the tool shows. One without a budget shows what it likes.
	shorten func(ctx context.Context, in input, tokens int) (string, error)
	// redact returns a text without secrets; nil for a tool that does not redact.
	redact func(ctx context.Context, text string) (string, error)
	// expand returns what the tool shows of what it left out of the last text; nil if it can't.
	expand func(ctx context.Context, args []string) (string, error)
	// argv is the program as it stands in a pipe; nil for what is part of this program.
	argv []string
}

// program is a program with a home of its own.
type program struct {
	argv []string
	home string
	env  []string // more of the environment
}

// mostTime is how long a program may take for one text.
const mostTime = time.Minute

// errSlow is a program that takes longer.
var errSlow = errors.New("it takes too long")

// run returns what the program writes.
func (p *program) run(ctx context.Context, stdin string, args ...string) (string, error) {
	ctx, stop := context.WithTimeoutCause(ctx, mostTime, errSlow)
	defer stop()
	argv := append(append([]string{}, p.argv...), args...)
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Env = append(os.Environ(), "HOME="+p.home, "XDG_STATE_HOME="+p.home, "XDG_CONFIG_HOME="+p.home,
		"XDG_CACHE_HOME="+p.home, "XDG_DATA_HOME="+p.home)
	c.Env = append(c.Env, p.env...)
	c.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		err = cmp.Or(context.Cause(ctx), err)
		return "", fmt.Errorf("%s %s: %w: %.500s", filepath.Base(argv[0]), strings.Join(args, " "), err, stderr.Bytes())
	}
	return strings.ToValidUTF8(string(out), "\uFFFD"), nil
}

func always(input) bool     { return true }
func inShell(in input) bool { return in.command != "" }

// install builds kfw, and installs the other tools. The first one is kfw.
func install(ctx context.Context, root, dir string, s setup) ([]*tool, error) {
	kfw := filepath.Join(dir, "kfw")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", kfw, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("kfw does not build: %w: %s", err, out)
	}
	version, err := exec.CommandContext(ctx, "git", "-C", root, "log", "-1", "--format=%h", "--abbrev=12", "--", "*.go",
		":!bench", ":!*_test.go").Output()
	if err != nil {
		return nil, fmt.Errorf("the version of kfw is not known: %w", err)
	}
	commit := strings.TrimSpace(string(version))
	all := []*tool{
		kfwTool("kfw", commit, kfw, dir, true), kfwTool("kfw, no question", commit, kfw, dir, false),
		{Tool: Tool{Name: "head and tail"}, sees: always,
			shorten: func(_ context.Context, in input, tokens int) (string, error) {
				return headTail(in.text, charsPerToken*tokens), nil
			}},
		{Tool: Tool{Name: "head"}, sees: always,
			shorten: func(_ context.Context, in input, tokens int) (string, error) {
				return clipped(in.text, charsPerToken*tokens), nil
			}},
		{Tool: Tool{Name: "query"}, sees: always,
			shorten: func(_ context.Context, in input, tokens int) (string, error) {
				return queried(in.text, in.about, charsPerToken*tokens), nil
			}},
	}
	type installer func(context.Context, string, setup) (*tool, error)
	for _, peer := range []installer{newContextCompress, newTokenJuice, newSnip} {
		t, err := peer(ctx, dir, s)
		if err != nil {
			fmt.Fprintln(os.Stderr, "compare: left out:", err)
			continue
		}
		all = append(all, t)
	}
	return all, nil
}

// kfwTool is kfw stream, with the question that a hook takes from the transcript, or without.
func kfwTool(name, version, path, dir string, asks bool) *tool {
	p := &program{argv: []string{path}, home: filepath.Join(dir, "home of "+name)}
	args := []string{"stream", "--no-config", "--format", "text", "--tokenizer", "chars", "--budget"}
	return &tool{Tool: Tool{Name: name, Version: version}, sees: always, argv: append(append(p.argv, args...), "4000"),
		shorten: func(ctx context.Context, in input, tokens int) (string, error) {
			all := append(append([]string{}, args...), strconv.Itoa(tokens))
			if asks && in.about != "" {
				about, err := os.CreateTemp(dir, "about")
				if err != nil {
					return "", err
				}
				defer os.Remove(about.Name())
				_, err = about.WriteString(in.about)
				if err = errors.Join(err, about.Close()); err != nil {
					return "", err
				}
				all = append(all, "--about-file", about.Name())
			}
			return p.run(ctx, in.text, all...)
		},
		redact: func(ctx context.Context, text string) (string, error) {
			return p.run(ctx, text, "redact", "--no-config")
		},
		expand: func(ctx context.Context, args []string) (string, error) {
			return p.run(ctx, "", append([]string{"expand", "--no-config", "--format", "text", "--budget", "1000"}, args...)...)
		},
	}
}

// newPackage installs a package of npm, and returns its program.
func newPackage(ctx context.Context, s setup, name, version, script string) (*program, error) {
	path := filepath.Join(s.cache, name+"-"+version)
	script = filepath.Join(path, "node_modules", name, script)
	if _, err := os.Stat(script); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
		c := exec.CommandContext(ctx, "npm", "install", "--prefix", path, "--no-audit", "--no-fund", "--ignore-scripts",
			name+"@"+version)
		if out, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: npm: %w: %.300s", name, err, out)
		}
	}
	if _, err := os.Stat(script); err != nil {
		return nil, err
	}
	return &program{argv: []string{"node", script}}, nil
}

func newContextCompress(ctx context.Context, dir string, s setup) (*tool, error) {
	const name = "context-compress"
	p, err := newPackage(ctx, s, name, contextCompress, "dist/cli/lite.js")
	if err != nil {
		return nil, err
	}
	p.home = filepath.Join(dir, name)
	return &tool{Tool: Tool{Name: name, Version: contextCompress}, sees: always, hasNoBudget: true,
		argv: append(p.argv, "filter"),
		shorten: func(ctx context.Context, in input, _ int) (string, error) {
			args := []string{"filter"}
			if in.command != "" {
				args = append(args, "--cmd", in.command)
			}
			return p.run(ctx, in.text, args...)
		}}, nil
}

func newTokenJuice(ctx context.Context, dir string, s setup) (*tool, error) {
	const name = "tokenjuice"
	p, err := newPackage(ctx, s, name, tokenJuice, "dist/cli/main.js")
	if err != nil {
		return nil, err
	}
	p.home = filepath.Join(dir, name)
	return &tool{Tool: Tool{Name: name, Version: tokenJuice}, sees: inShell, hasNoBudget: true,
		argv: append(p.argv, "reduce"),
		shorten: func(ctx context.Context, in input, _ int) (string, error) {
			if !inShell(in) {
				return in.text, nil
			}
			event, err := json.Marshal(map[string]string{"toolName": "exec", "command": in.command, "stdout": in.text})
			if err != nil {
				return "", err
			}
			out, err := p.run(ctx, string(event), "reduce-json")
			if err != nil {
				return "", err
			}
			var reduced struct {
				InlineText string `json:"inlineText"`
			}
			return reduced.InlineText, json.Unmarshal([]byte(out), &reduced)
		}}, nil
}

// newSnip runs a command in snip, where a program with the name of the command writes the recorded output.
func newSnip(ctx context.Context, dir string, s setup) (*tool, error) {
	path := s.snip
	if path == "" {
		path = filepath.Join(s.cache, "snip")
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			c := exec.CommandContext(ctx, "go", "install", "github.com/edouard-claude/snip/cmd/snip@v"+snipVersion)
			c.Env, c.Dir = append(os.Environ(), "GOBIN="+s.cache), dir
			if out, err := c.CombinedOutput(); err != nil {
				return nil, fmt.Errorf("snip: go install: %w: %.300s", err, out)
			}
		}
	}
	p := &program{argv: []string{path}, home: filepath.Join(dir, "snip")}
	return &tool{Tool: Tool{Name: "snip", Version: snipVersion}, hasNoBudget: true,
		argv: append(p.argv, "run", "--", "cat"),
		sees: func(in input) bool { return len(firstCommand(in.command)) > 0 },
		shorten: func(ctx context.Context, in input, _ int) (string, error) {
			argv := firstCommand(in.command)
			if len(argv) == 0 {
				return in.text, nil
			}
			bin, err := os.MkdirTemp(dir, "bin")
			if err != nil {
				return "", err
			}
			defer os.RemoveAll(bin)
			recorded := filepath.Join(bin, "recorded")
			err = os.WriteFile(recorded, []byte(in.text), 0o600)
			stand := filepath.Join(bin, argv[0])
			script := "#!/bin/sh\nexec /bin/cat '" + recorded + "'\n"
			if err = errors.Join(err, os.WriteFile(stand, []byte(script), 0o700)); err != nil {
				return "", err
			}
			one := *p
			one.env = []string{"PATH=" + bin} // nothing else can be started
			return one.run(ctx, "", append([]string{"run", "--"}, argv...)...)
		}}, nil
}

var programName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

// firstCommand returns the words of the first command of a line that is not cd; nil if it is not a plain one.
func firstCommand(line string) []string {
	for part := range strings.SplitSeq(line, "&&") {
		part, _, _ = strings.Cut(part, "|")
		part, _, _ = strings.Cut(part, ">")
		argv := strings.Fields(strings.TrimSuffix(strings.TrimSpace(part), " 2"))
		switch {
		case len(argv) > 0 && argv[0] == "cd":
			continue
		case len(argv) == 0 || !programName.MatchString(argv[0]) || strings.ContainsAny(part, "`$;\"'\n"):
			return nil
		}
		return argv
	}
	return nil
}

func contains(read, old string) bool { return strings.Contains(unnumbered(read), old) }

// machine says what the measures were taken on.
func machine() string {
	return fmt.Sprintf("%s/%s, %d CPUs, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}
