// Package cmd is the process: the commands and their flags, the streams, the signals and the exit status. It is the only
// place that knows all the others.
//
//   - kfw.go: the tree of commands, and settings from the environment
//   - stream.go: the main job; source.go: where a response comes from; progress.go: how far it is
//   - expand.go, redact.go, budget.go, man.go: the other commands
//   - budgeting.go: flags and set-up that stream and expand share
//   - exit.go: every error to its exit status, its code in the final frame, and its message
package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// streams are those of the process.
type streams struct {
	in  *os.File
	out io.Writer
	err *os.File
}

// Main runs kfw with the arguments and the streams of the process and returns its exit status.
func Main() int {
	// A reader that is gone is to be an error of the write, so that what has to be put in order still is. Notify, unlike
	// Ignore, leaves the signal as it is for a driver.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	// Garbage is rare here, and memory is a promise.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
	s := streams{os.Stdin, os.Stdout, os.Stderr}
	return report(s.err, root(s).Execute())
}

func root(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "kfw",
		Short: "a context firewall for agent tool output",
		Long: `kfw stands between a tool and a language model. It reads the tool's response as it arrives, takes secrets and personal
data out, writes as much as fits a token budget, and keeps the rest behind a handle that kfw expand pages through.`,
		Example: `  gh api --paginate /repos/OWNER/NAME/issues | kfw stream --budget 4000
  kfw stream --session agent.kfw -- kubectl get pods -A -o json
  kfw expand h1 --offset 40 --limit 20
  kfw redact < app.log`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("unknown command", "kfw --help lists the commands")
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			return c.Help()
		},
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return fromEnvironment(c.Flags()) },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetVersionTemplate("kfw {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(err.Error(), c.CommandPath()+" --help lists the flags")
	})
	root.AddCommand(streamCommand(s), expandCommand(s), redactCommand(s), budgetCommand(s), manCommand(s))
	root.SetHelpTemplate(root.HelpTemplate() + exitStatusHelp)
	return root
}

// version is what the build was stamped with: a tag, or the revision it was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// fromEnvironment sets the flags that were not given from KFW_* variables: KFW_MAX_CHUNK is --max-chunk.
func fromEnvironment(flags *pflag.FlagSet) error {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "KFW_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, ok := os.LookupEnv(name)
		if !ok || f.Changed || f.Name == "help" {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			errs = append(errs, usage(fmt.Sprintf("%s: not a value for --%s (%s)", name, f.Name, f.Value.Type()), ""))
		}
	})
	return errors.Join(errs...)
}
