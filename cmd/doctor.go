package cmd

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/proxy/agents"
	"github.com/kfw-dev/kfw/internal/terminal"
)

func doctorCommand(s streams) *cobra.Command {
	asJSON, ofProxy := false, ""
	c := &cobra.Command{
		Use:   "doctor [flags] [HOST...]",
		Short: "prove that the hooks of agent hosts take a secret out",
		Long: `doctor plants a secret. It runs each hook that the settings of a host name with an event in which a tool has said that
secret, and shows what the model would see. Only hooks that start this very program are run, without a shell; all others
are listed: the settings of a checkout can name any program. It also lists the MCP servers that do not pass kfw mcp, and
what a host does not let kfw cover.

--proxy does the same for kfw proxy: it says by what an agent is told to ask there, and asks a stand-in in the place of each
provider. The agent is not started.

The exit status is 1 if a hook lets a secret through or is not there, and if a host that is named has no hook.`,
		Example: `  kfw doctor
  kfw doctor claude-code
  kfw doctor --proxy claude`,
		Args: func(_ *cobra.Command, args []string) error {
			for _, name := range args {
				if hosts.Named(name) == nil {
					return noHost(name)
				}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if ofProxy == "" {
				return runDoctor(s, args, asJSON)
			}
			if len(args) > 0 || asJSON {
				return fault.Usage("--proxy takes an agent, and goes with nothing else", "")
			}
			return runProxyDoctor(s, ofProxy)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return hosts.Names(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "for programs: one JSON object for each host")
	c.Flags().StringVar(&ofProxy, "proxy", "", "prove kfw proxy for an `agent`: "+strings.Join(agents.Names(), ", "))
	manual.Group(c, manual.GroupOutput, "json")
	return c
}

// diagnosis is what doctor says of a host to a program.
type diagnosis struct {
	Host       string    `json:"host"`
	Verdict    string    `json:"verdict"`
	Hooks      []finding `json:"hooks"`
	Covered    []string  `json:"covered"`
	NotCovered []string  `json:"not_covered"`
}

type finding struct {
	Path    string `json:"path"`
	Command string `json:"command,omitempty"`
	Said    string `json:"said"`
}

func diagnosisOf(h hosts.Host, verdict string, findings []hosts.Finding, uncovered []string) diagnosis {
	d := diagnosis{Host: h.Name(), Verdict: verdict, Hooks: []finding{}, Covered: h.Traits().Covered,
		NotCovered: uncovered}
	for _, f := range findings {
		of := finding{Path: terminal.Sayable(f.Path), Said: terminal.Sayable(f.Said)}
		if f.Hook != nil {
			of.Command = terminal.Sayable(f.Hook.Line)
		}
		d.Hooks = append(d.Hooks, of)
	}
	return d
}

// leaky is hosts whose hooks let a planted secret through.
type leaky struct{ names []string }

func (e *leaky) Error() string {
	return "a planted secret comes through: " + strings.Join(e.names, ", ")
}

func runDoctor(s streams, names []string, asJSON bool) error {
	user, err := hostPlace(false)
	if err != nil {
		return err
	}
	project, err := hostPlace(true)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var b strings.Builder
	var all []diagnosis
	var leaks, absent, verdicts []string
	events := hosts.Log{Path: filepath.Join(user.State, hookLog)}
	for _, h := range hosts.All() {
		if len(names) > 0 && !slices.Contains(names, h.Name()) {
			continue
		}
		of, in := h.Setup(user), h.Setup(project)
		paths := append([]string{of.Path, in.Path}, in.More...)
		findings := hosts.Prove(h, slices.Compact(paths), self, startHook)
		hosts.ForgetProbe(h, user.State)
		if len(names) == 0 && len(findings) == 0 && !isHere(of, in) {
			absent = append(absent, h.Name())
			continue
		}
		files := append(of.Servers, in.Servers...)
		plugins := hosts.PluginsIn(of, in)
		uncovered := uncoveredOf(h, findings, files, len(plugins) > 0)
		leaksNow := describeHost(&b, h, of.Doubt, findings, uncovered)
		describeServers(&b, h, files)
		for _, dir := range plugins {
			fmt.Fprintf(&b, "  a plugin of kfw is in %s; %s may turn it off, and the hook counts then\n",
				terminal.Printable(terminal.Sayable(dir)), h.Name())
		}
		if n := events.NotRead(h.Name()); n > 0 {
			fmt.Fprintf(&b, "  events that could not be read: %d, see %s\n", n,
				terminal.Printable(terminal.Sayable(events.Path)))
		}
		verdict := verdictOf(findings, leaksNow)
		verdicts = append(verdicts, h.Name()+": "+verdict)
		all = append(all, diagnosisOf(h, verdict, findings, uncovered))
		if leaksNow || len(names) > 0 && !hasHook(findings) {
			leaks = append(leaks, h.Name())
		}
	}
	if len(absent) > 0 {
		fmt.Fprintf(&b, "not found here: %s; kfw doctor HOST shows what would be covered\n", strings.Join(absent, ", "))
	}
	for _, verdict := range verdicts {
		b.WriteString(verdict + "\n")
	}
	if asJSON {
		b.Reset()
		for _, d := range all {
			if err := terminal.WriteJSON(&b, d); err != nil {
				return err
			}
		}
	}
	if err := writeText(s.out, b.String()); err != nil {
		return err
	}
	if len(leaks) > 0 {
		return &leaky{leaks}
	}
	return nil
}

// verdictOf says in a few words what was proved of a host.
func verdictOf(findings []hosts.Finding, leaks bool) string {
	switch {
	case leaks:
		return "a planted secret comes through"
	case hasHook(findings):
		return "a planted secret is taken out"
	}
	return "not tested: no hook of kfw"
}

// isHere reports whether there is anything of a host: its program, or a file that it reads.
func isHere(user, project hosts.Setup) bool {
	_, err := exec.LookPath(user.Program)
	return err == nil || slices.ContainsFunc(slices.Concat(user.ServerPaths(), project.ServerPaths(),
		[]string{user.Path, project.Path}), exists)
}

func hasHook(findings []hosts.Finding) bool {
	return slices.ContainsFunc(findings, func(f hosts.Finding) bool { return f.Works })
}

// describeHost writes what was found of a host, and reports whether secrets come through.
func describeHost(b *strings.Builder, h hosts.Host, doubt string, findings []hosts.Finding,
	uncovered []string) (leaks bool) {
	fmt.Fprintf(b, "%s\n", h.Name())
	if !slices.ContainsFunc(findings, func(f hosts.Finding) bool { return f.Hook != nil && f.Hook.IsKfw }) {
		fmt.Fprintf(b, "  no hook of kfw: every result passes as it is; kfw init %s\n", h.Name())
	}
	for _, f := range findings {
		leaks = leaks || f.Leaks
		fmt.Fprintf(b, "  %s\n", terminal.Printable(terminal.Sayable(f.Path)))
		if f.Hook != nil {
			fmt.Fprintf(b, "    %s\n", terminal.Printable(terminal.Sayable(f.Hook.Line)))
		}
		fmt.Fprintf(b, "    %s\n", terminal.Printable(terminal.Sayable(f.Said)))
		if f.Shown != "" && f.Works {
			b.WriteString("    the model sees:\n")
			for line := range strings.Lines(f.Shown) {
				fmt.Fprintf(b, "      %s\n", terminal.Printable(terminal.Sayable(strings.TrimRight(line, "\n"))))
			}
		}
	}
	if doubt != "" && hasHook(findings) {
		fmt.Fprintf(b, "  %s\n", doubt)
	}
	for _, line := range h.Traits().Covered {
		fmt.Fprintf(b, "  covered: %s\n", line)
	}
	for _, line := range uncovered {
		fmt.Fprintf(b, "  not covered: %s\n", line)
	}
	return leaks
}

// uncoveredOf returns the results of a host that do not pass kfw. It leaves out those that the
// flags of kfw init cover.
func uncoveredOf(h hosts.Host, findings []hosts.Finding, files []hosts.ServerFile, hasPlugin bool) []string {
	wraps := slices.ContainsFunc(findings, func(f hosts.Finding) bool { return f.Wraps })
	passing, others := 0, 0
	for _, file := range files {
		found, _ := hosts.ServersIn(file) // describeServers says what is wrong with a file
		for _, s := range found {
			if s.IsKfw() {
				passing++
			} else {
				others++
			}
		}
	}
	isSet := map[string]bool{"--wrap": wraps, "--plugin": hasPlugin, "--mcp": passing > 0 && others == 0}
	return slices.DeleteFunc(slices.Clone(h.Traits().Uncovered), func(line string) bool {
		_, after, _ := strings.Cut(line, "(kfw init ")
		flags, covers := strings.CutSuffix(after, " covers it)")
		return covers && slices.ContainsFunc(strings.Split(flags, " or "), func(f string) bool { return isSet[f] })
	})
}

// describeServers writes which MCP servers pass kfw mcp. The results of others pass the hook, where
// the host has one for them.
func describeServers(b *strings.Builder, h hosts.Host, files []hosts.ServerFile) {
	for _, file := range files {
		found, err := hosts.ServersIn(file)
		if err != nil {
			fmt.Fprintf(b, "  %s\n", terminal.Printable(terminal.Message(err)))
			continue
		}
		var passing, dead, programs, others []string
		for _, s := range found {
			switch {
			case s.IsKfw() && filepath.IsAbs(s.Words[0]) && !exists(s.Words[0]):
				dead = append(dead, s.Name)
			case s.IsKfw():
				passing = append(passing, s.Name)
			case s.Words != nil:
				programs = append(programs, s.Name)
			default:
				others = append(others, s.Name)
			}
		}
		list := func(what string, names []string, hint string) {
			if len(names) > 0 {
				fmt.Fprintf(b, "  %s: %s, in %s%s\n", what,
					terminal.Printable(terminal.Sayable(strings.Join(names, ", "))),
					terminal.Printable(terminal.Sayable(file.Path)), hint)
			}
		}
		list("MCP servers behind kfw mcp", passing, "")
		list("MCP servers that can't start, as kfw is not where they name it", dead, "")
		list("MCP servers without kfw mcp", programs, ": kfw init "+h.Name()+" --mcp")
		list("MCP servers that are not programs", others, ": kfw mcp --url")
	}
}

// startHook starts a hook as its host does, without a shell.
func startHook(words []string, stdin []byte) ([]byte, error) {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Stdin = bytes.NewReader(stdin)
	return c.Output()
}
