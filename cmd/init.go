package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/redact"
)

type initOptions struct {
	project     bool
	dryRun      bool
	uninstall   bool
	allowExpand bool
	wrap        bool
	plugin      bool
	mcp         bool
	instructs   bool
}

func initCommand(s streams) *cobra.Command {
	var o initOptions
	c := &cobra.Command{
		Use:   "init [flags] [HOST...]",
		Short: "put kfw in front of the tools of an agent host",
		Long: `init adds kfw hook to the settings of agent hosts, so that every tool result passes kfw. It edits the file in place:
all else in it stays byte for byte. Without a host it lists the hosts and their state. What passes kfw and what does not
is listed by kfw doctor.

With --mcp it also makes the host start kfw mcp in place of each MCP server that is a program. Servers that are reached
by HTTP stay as they are: kfw mcp --url has no sign-in. --uninstall takes all of it out again.

Hosts: ` + strings.Join(hosts.Names(), ", ") + `.`,
		Example: `  kfw init
  kfw init claude-code --dry-run
  kfw init claude-code codex
  kfw init claude-code --plugin
  kfw init codex --mcp --instructions
  kfw init claude-code --uninstall`,
		Args: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				if hosts.Named(name) == nil {
					return noHost(name)
				}
			}
			if len(args) == 0 && (o.dryRun || o.uninstall || o.allowExpand || o.wrap || o.plugin || o.mcp ||
				o.instructs) {
				return fault.Usage("no host is named", "kfw init HOST...: "+strings.Join(hosts.Names(), ", "))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return o.run(s, args) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return hosts.Names(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	flags := c.Flags()
	flags.BoolVar(&o.project, "project", false,
		"the settings of the project in the working directory, in place of the user's")
	flags.BoolVar(&o.dryRun, "dry-run", false, "write nothing: show what would change")
	flags.BoolVar(&o.uninstall, "uninstall", false, "take kfw out of the settings again")
	flags.BoolVar(&o.allowExpand, "allow-expand", false, "let the model run kfw expand without asking the user")
	flags.BoolVar(&o.wrap, "wrap", false,
		"cover failing commands of claude-code: a line after each command makes it end well, "+
			"and says its status; the host asks for that line as well where it has no rule for echo")
	flags.BoolVar(&o.plugin, "plugin", false,
		"cover failing commands and failing MCP calls of claude-code as well, by a plugin beside the hook; "+
			"it withholds a result if kfw can't run")
	flags.BoolVar(&o.mcp, "mcp", false, "put kfw mcp in front of the host's MCP servers as well")
	flags.BoolVar(&o.instructs, "instructions", false,
		"tell the model what a page and kfw expand are, in the file that the host gives it (CLAUDE.md, AGENTS.md)")
	for _, flag := range []string{"instructions", "mcp", "plugin", "wrap", "project", "dry-run", "uninstall", "allow-expand"} {
		settings.MarkAlone(flags, flag)
	}
	return c
}

// noHost is the error for a name that no host has.
func noHost(name string) error {
	return fault.Usage("no such host: "+terminal.Word(name), fault.JoinHints(fault.DidYouMean("", name, hosts.Names()),
		"the hosts are "+strings.Join(hosts.Names(), ", ")))
}

// placeVariables are those by which kfw and the hosts find their files.
var placeVariables = []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"}

// hostPlace is where settings are and what init writes there.
func hostPlace(project bool) (hosts.Place, error) {
	for _, name := range placeVariables {
		if dir := os.Getenv(name); dir != "" && !filepath.IsAbs(dir) {
			return hosts.Place{}, fault.Usage("$"+name+" is not an absolute path", "")
		}
	}
	home, err := settings.Home()
	if err != nil {
		return hosts.Place{}, fault.WithHint(fmt.Errorf("no place for settings: %w", err), "set HOME")
	}
	store, err := settings.DefaultStore()
	if err != nil {
		return hosts.Place{}, err
	}
	p := hosts.Place{Home: home, Getenv: os.Getenv, Kfw: calledPath(), State: settings.ForShells(filepath.Dir(store)),
		Config: settings.ForShells(filepath.Join(settings.ConfigDir(), "kfw", settings.FileName))}
	if project {
		p.Kfw = "kfw"
		if p.Project, err = os.Getwd(); err != nil {
			return hosts.Place{}, err
		}
	}
	return p, nil
}

// calledPath is the absolute path of this program by the name that it was called by, links included: one in a directory
// of PATH outlives the version that it leads to. A shell reads it as it stands.
func calledPath() string {
	self, err := os.Executable()
	if err != nil {
		return "kfw"
	}
	if called, err := exec.LookPath(os.Args[0]); err == nil {
		if called, err = filepath.Abs(called); err == nil && settings.SameFile(called, self) {
			return settings.ForShells(called)
		}
	}
	return settings.ForShells(self)
}

func (o *initOptions) run(s streams, names []string) error {
	p, err := hostPlace(o.project)
	if err != nil {
		return err
	}
	p.Wrap, p.Plugin, p.MCP, p.Instructs = o.wrap, o.plugin, o.mcp, o.instructs
	if len(names) > 0 && !o.uninstall && !o.dryRun && isBuiltToRunOnce(p.Kfw) {
		return fault.Usage("this kfw was built by go run, which removes it", "go install . first, and run that")
	}
	if len(names) == 0 {
		return listHosts(s.out, p)
	}
	var changes []hosts.Changes
	for _, name := range names { // all or none
		c, err := o.change(hosts.Named(name), p)
		if unparsable, ok := errors.AsType[*hosts.Unparsable](err); ok {
			err = fault.WithHint(unparsable, "nothing was written: repair the file first")
		}
		if unsupported, ok := errors.AsType[*hosts.Unsupported](err); ok {
			err = fault.Usage(unsupported.Error(), "kfw init "+name+" without it; kfw doctor "+name+" says what is covered")
		}
		if err != nil {
			return err
		}
		changes = append(changes, c)
	}
	for i, c := range changes {
		if err := o.apply(s.out, hosts.Named(names[i]), p, c); err != nil {
			return err
		}
	}
	return nil
}

// isBuiltToRunOnce reports whether a program is in a directory that the go command makes for go run and go test.
func isBuiltToRunOnce(path string) bool {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if name := filepath.Base(dir); strings.HasPrefix(name, "go-build") &&
			strings.Trim(name[len("go-build"):], "0123456789") == "" {
			return true
		}
	}
	return false
}

func (o *initOptions) change(h hosts.Host, p hosts.Place) (hosts.Changes, error) {
	if o.uninstall {
		return hosts.Uninstall(h, p, p.State)
	}
	return hosts.Install(h, p, p.State, o.allowExpand)
}

// apply writes the changes of a host, or shows them, and says so.
func (o *initOptions) apply(out io.Writer, h hosts.Host, p hosts.Place, changes hosts.Changes) error {
	all := changes.All()
	if o.uninstall {
		slices.Reverse(all)
	}
	for _, c := range all {
		write := c.Write
		if o.dryRun {
			write = func() error { return writeDiff(out, c) }
		}
		err := write()
		if failed, ok := errors.AsType[*hosts.NotWritten](err); ok {
			err = fault.Unwritten(failed.Path, failed.Err)
		}
		if err != nil {
			return err
		}
	}
	if o.dryRun {
		return nil
	}
	isSame := changes.Hook.IsEmpty()
	said := "installed in "
	switch {
	case o.uninstall && isSame:
		said = "not installed in "
	case o.uninstall:
		said = "removed from "
	case isSame:
		said = "installed already in "
	}
	lines := []string{said + terminal.Printable(terminal.Sayable(changes.Hook.Path))}
	if c := changes.Instructions; c != nil {
		said := "the model is told of kfw in "
		if o.uninstall {
			said = "the model is told of kfw no more in "
		}
		lines = append(lines, said+terminal.Printable(terminal.Sayable(c.Path)))
	}
	if dir := changes.PluginDir(); dir != "" {
		said := "the plugin is in "
		if o.uninstall {
			said = "the plugin is removed from "
		}
		lines = append(lines, said+terminal.Printable(terminal.Sayable(dir)))
	}
	if o.mcp || o.uninstall {
		lines = append(lines, o.describeServers(h, p, changes)...)
	}
	if after := h.Setup(p).AfterAdd; after != "" && !o.uninstall {
		lines = append(lines, after)
	}
	text := ""
	for _, line := range lines {
		text += h.Name() + ": " + line + "\n"
	}
	return writeText(out, text)
}

// describeServers says what becomes of the MCP servers in each file.
func (o *initOptions) describeServers(h hosts.Host, p hosts.Place, changes hosts.Changes) (lines []string) {
	isNone := true
	for _, file := range changes.Servers {
		var started, others []string
		for _, s := range file.Servers {
			isNone = false
			switch {
			case s.Words == nil:
				others = append(others, s.Name)
			case !o.uninstall || s.IsKfw():
				started = append(started, s.Name)
			}
		}
		list := func(what string, names []string) {
			if len(names) > 0 {
				lines = append(lines, what+terminal.Printable(terminal.Sayable(strings.Join(names, ", ")))+", in "+
					terminal.Printable(terminal.Sayable(file.Path)))
			}
		}
		if o.uninstall {
			list("kfw mcp is taken from in front of ", started)
			continue
		}
		list("kfw mcp is in front of ", started)
		list("not a program, and stays as it is: ", others)
	}
	if isNone && o.mcp {
		lines = append(lines, "no MCP server found in "+
			terminal.Printable(terminal.Sayable(strings.Join(h.Setup(p).ServerPaths(), ", "))))
	}
	return lines
}

// writeDiff shows a change. A settings file may hold secrets, near what changes as well.
func writeDiff(out io.Writer, c *hosts.Change) error {
	rules, err := terminal.RulesOf(redact.All)
	if err != nil {
		return err
	}
	text := diff.Diff(c.Path, c.Old, c.Path+" (after)", c.New)
	shown, err := io.ReadAll(redact.NewReader(strings.NewReader(string(text)), rules, redact.Lines))
	if err != nil {
		return err
	}
	return writeText(out, terminal.VisibleLines(string(shown)))
}

func writeText(out io.Writer, text string) error {
	if _, err := io.WriteString(out, text); err != nil {
		return &pipeline.WriteError{Err: err}
	}
	return nil
}

// listHosts says which hosts there are, and whether kfw is in their settings.
func listHosts(out io.Writer, p hosts.Place) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-12s  %-24s  %s\n", "host", "program", "hook of kfw")
	for _, h := range hosts.All() {
		setup := h.Setup(p)
		fmt.Fprintf(&b, "%-12s  %-24s  %s\n", h.Name(), hostVersion(setup.Program), hostState(h, p))
	}
	return writeText(out, b.String())
}

// hostVersion asks a host's program for its version.
func hostVersion(program string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		return "not in PATH"
	}
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	said, err := exec.CommandContext(ctx, path, "--version").Output()
	line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
	if err != nil || line == "" {
		return "found"
	}
	return terminal.Printable(terminal.Sayable(line))
}

func hostState(h hosts.Host, p hosts.Place) string {
	hooks, isDisabled, err := hosts.State(h, p)
	if err != nil {
		return terminal.Printable(terminal.Message(err))
	}
	for _, hook := range hooks {
		switch {
		case !hook.IsKfw:
			continue
		case isDisabled:
			return "installed, but all hooks are turned off"
		case len(hook.Words) > 0 && filepath.IsAbs(hook.Words[0]) && !exists(hook.Words[0]):
			return "installed, but " + terminal.Printable(terminal.Sayable(hook.Words[0])) + " is not there"
		}
		return "installed"
	}
	return "none: kfw init " + h.Name()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
