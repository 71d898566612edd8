package cmd

import (
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/pipeline"
)

// manDate is the date of the manual page, unless SOURCE_DATE_EPOCH says another: two builds of a
// revision are the same.
const manDate = "2026-01-01"

const environmentText = `KFW_SESSION names the session file. Every other flag can be given as KFW_ and its name in
capitals, with _ for -: KFW_BUDGET, KFW_MAX_CHUNK. A flag on the command line comes before its variable.`

const filesText = `kfw.yaml, in the working directory or else in $XDG_CONFIG_HOME/kfw (~/.config/kfw), holds
settings, drivers and capabilities; kfw config shows them.

$XDG_STATE_HOME/kfw/default.kfw (~/.local/state/kfw/default.kfw) holds the handles of runs without a
session.`

func manCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "write the manual page",
		Long: `man writes a page of roff: what --help says of all commands, the exit status, and which files and
variables count. Its date is that of kfw's source, or that of SOURCE_DATE_EPOCH.`,
		Example: "  kfw man | man -l -\n  kfw man > /usr/local/share/man/man1/kfw.1",
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			date, err := dateOfPage()
			if err != nil {
				return err
			}
			if _, err := io.WriteString(s.out, manPage(c.Root(), date, exitStatuses())); err != nil {
				return &pipeline.WriteError{Err: err}
			}
			return nil
		},
	}
}

// dateOfPage follows https://reproducible-builds.org/specs/source-date-epoch/.
func dateOfPage() (string, error) {
	epoch, ok := os.LookupEnv("SOURCE_DATE_EPOCH")
	if !ok {
		return manDate, nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return "", fault.Usage("SOURCE_DATE_EPOCH: "+settings.NotOfKind(settings.KindNumber), "the seconds since 1970")
	}
	return time.Unix(seconds, 0).UTC().Format(time.DateOnly), nil
}

// manPage returns the page of a tree of commands, with a date and what the exit statuses mean.
func manPage(root *cobra.Command, date string, statuses []exitStatus) string {
	var p roff
	p.macro("TH", strings.ToUpper(root.Name()), "1", date, root.Name()+" "+root.Version, "User Commands")
	p.macro("SH", "NAME")
	p.line(root.Name() + " - " + root.Short)
	p.macro("SH", "SYNOPSIS")
	commands := visibleCommands(root)
	for _, c := range commands[1:] {
		p.macro("B", c.UseLine())
		p.macro("br")
	}
	p.macro("SH", "DESCRIPTION")
	p.text(root.Long)
	p.macro("SH", "EXAMPLES")
	p.text(root.Example)
	p.macro("SH", "COMMANDS")
	for _, c := range commands[1:] {
		p.command(c)
	}
	p.macro("SH", "EXIT STATUS")
	for _, s := range statuses {
		p.tagged(s.status, s.meaning)
	}
	p.macro("SH", "ENVIRONMENT")
	p.text(environmentText)
	p.macro("SH", "FILES")
	p.text(filesText)
	return p.String()
}

func (p *roff) command(c *cobra.Command) {
	p.macro("SS", c.UseLine())
	p.text(c.Short)
	p.text(c.Long)
	for _, group := range flagGroups(c) {
		p.macro("PP")
		p.macro("I", group.Title)
		group.Flags.VisitAll(func(f *pflag.Flag) {
			kind, text := pflag.UnquoteUsage(f)
			name := "--" + f.Name
			if f.Shorthand != "" {
				name = "-" + f.Shorthand + ", " + name
			}
			if f.DefValue != "" && f.DefValue != "[]" && f.DefValue != "false" {
				text += " (default " + f.DefValue + ")"
			}
			p.tagged(strings.TrimSpace(name+" "+kind), text)
		})
	}
	if c.Example != "" {
		p.macro("PP")
		p.macro("I", "Examples")
		p.text(c.Example)
	}
}
