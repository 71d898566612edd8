// Package cmd is the commands: one file for each, flags in, exit status out. It is the only place that knows all the
// others.
//
//   - kfw.go: the tree of commands
//   - stream.go: the main job; invoke.go: the same for a capability that kfw.yaml declares; params.go: what its
//     driver is asked
//   - redact.go: the redactor alone; rulelist.go: what it looks for
//   - turn.go: a model's streamed answer; guard.go: what becomes of its calls
//   - hook.go, init.go, instructions.go, doctor.go: kfw in an agent host
//   - mcp.go: kfw in front of an MCP server; proxy.go: in front of a model's API, doctor_proxy.go: the proof of it
//   - session.go: sessions on a server
//   - gain.go: what was saved; gain_transcripts.go: what would have been
//   - expand.go, handles.go, count.go, budget.go, config.go, trust.go, version.go: the other commands
//   - budget_allocate.go: grants, and what is spent by hand; budget_show.go: the ledger as text and JSON
//   - budgeting.go: flags and set-up that stream and expand share
//   - filtering.go: what expand is asked to choose
//   - counting.go: what counts tokens, an encoding, a file or a program
//   - flags.go: the flags that several commands have, and what they say of redaction
//   - help.go, man.go: the help and manual page; unknown.go: names of commands and flags that there are none of
//   - exit.go: every error to its exit status, its code in the final frame, and its message
package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
)

// guardArgument makes this program the guard of the drivers of another one. It is not a
// command and is not in the help: only the driver package starts it.
const guardArgument = "__guard"

// streams are those of the process.
type streams struct {
	in  *os.File
	out io.Writer
	err *os.File
}

// terminal returns the terminal on standard output; nil if standard output is not a terminal.
func (s *streams) terminal() *os.File {
	if out, ok := s.out.(*process.Output); ok {
		return out.Terminal()
	}
	return nil
}

// showsOutput reports whether standard output is a terminal.
func (s *streams) showsOutput() bool { return s.terminal() != nil }

// page returns what a page of text is written to.
func (s *streams) page(isText bool) io.Writer {
	if console := s.terminal(); isText && console != nil {
		return terminal.NewScreen(s.out, console)
	}
	return s.out
}

// notify writes a warning of a response that has no place on stdout.
func (s *streams) notify(w pipeline.Warning) {
	fmt.Fprintf(s.err, "kfw: %s\n", terminal.Sayable(w.String()))
}

// Main runs kfw with the arguments and the streams of the process and returns its exit status.
//
// Descriptors 0 to 2 are open when it begins: the Go runtime opens the null device in the place of a
// standard stream that is closed. So no file that kfw opens takes the number of one. What is written
// to such a stream is lost without an error: it looks the same as a null device that the caller has
// put there.
func Main() int {
	if len(os.Args) == 2 && os.Args[1] == guardArgument {
		driver.Guard(os.Stdin)
		return 0
	}
	if err := process.ReserveFiles(); err != nil {
		return report(os.Stderr, err)
	}
	if self, err := os.Executable(); err == nil { // else drivers are not guarded
		driver.GuardBy(self, []string{os.Args[0], guardArgument})
	}
	// A reader that is gone is to be an error of the write, so that what has to be put in order still is. Notify,
	// unlike Ignore, leaves the signal as it is for a driver.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	process.CollectLess()
	out := &process.Output{To: os.Stdout}
	s := streams{os.Stdin, out, os.Stderr}
	c, err := root(s, os.Args[1:]).ExecuteC()
	if err == nil {
		err = errors.Join(unknownCommand(c), out.Err) // of a help page
	}
	return report(s.err, err)
}

// root returns the tree of commands. Commands that run for each call of a tool come without the others, because to make
// the flags of all takes a millisecond.
func root(s streams, arguments []string) *cobra.Command {
	known := settings.New(settable)
	root := &cobra.Command{
		Use:   "kfw",
		Short: "a context firewall for agent tool output",
		Long: `kfw stands between a tool and a language model. It reads the tool's response as it arrives, takes secrets and personal
data out, writes as much as fits a token budget, and keeps the rest behind a handle that kfw expand pages through.`,
		Example: `  gh api --paginate /repos/OWNER/NAME/issues | kfw stream --budget 4000
  kfw stream --session agent.kfw -- kubectl get pods -A -o json
  kfw expand h1 --grep 'FAIL|panic:' -C 3
  kfw init claude-code --dry-run
  kfw redact < app.log
  kfw count --tokenizer gpt-5 prompt.md`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          func(c *cobra.Command, _ []string) error { return unknownCommand(c) },
		RunE: func(c *cobra.Command, _ []string) error {
			return c.Help()
		},
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			err := known.Resolve(c.Flags())
			if err == nil {
				known.Warn(s.err)
			}
			return err
		},
	}
	root.PersistentFlags().Bool(settings.NoConfigFlag, false, "read no kfw.yaml")
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagError)
	called := ""
	if len(arguments) > 0 {
		called = arguments[0]
	}
	switch called {
	case "stream":
		root.AddCommand(streamCommand(s, known))
	case "redact":
		root.AddCommand(redactCommand(s, known))
	case "hook":
		root.AddCommand(hookCommand(s))
	default:
		root.AddCommand(streamCommand(s, known), invokeCommand(s, known), expandCommand(s, known),
			redactCommand(s, known), countCommand(s, known), turnCommand(s, known), handlesCommand(s, known),
			budgetCommand(s, known), configCommand(s, known), trustCommand(s),
			initCommand(s), instructionsCommand(s), doctorCommand(s), gainCommand(s), hookCommand(s), mcpCommand(s),
			proxyCommand(s, known), sessionCommand(s), manCommand(s), versionCommand(s), exitTopic())
	}
	root.SetUsageFunc(manual.WriteUsage)
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err) // cobra has none
	}
	completion.Args, completion.RunE = noArguments, func(c *cobra.Command, _ []string) error { return c.Help() }
	completion.Short = "write the completion script of a shell"
	for _, shell := range completion.Commands() {
		shell.Args = noArguments
		shell.Short = "write the completion script of " + shell.Name()
		shell.Long = strings.ReplaceAll(shell.Long, "#### ", "")
	}
	root.SetHelpCommand(helpCommand(root))
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if unknownCommand(c) != nil {
			return // Main tells it
		}
		var page bytes.Buffer
		c.SetOut(&page)
		help(c, args)
		const screen = 45 // lines
		if slices.Contains(args, "-h") && bytes.Count(page.Bytes(), []byte("\n")) > screen {
			page.Reset()
			page.WriteString(manual.Brief(c))
		}
		_, _ = s.out.Write(page.Bytes()) // Main asks the output what became of it
	})
	return root
}
