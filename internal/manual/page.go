// Package manual lays out what the commands say of themselves: the help page and the manual page.
//
// In goes a tree of commands whose flags are in groups. Out come the parts of a help page, and a page of roff that
// has the texts and flags of every command. It reads nothing else: one tree and one date give one page.
package manual

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ExitStatus is an exit status, or several, and what it means.
type ExitStatus struct{ Status, Meaning string }

const environmentText = `KFW_SESSION names the session file. Every other flag can be given as KFW_ and its name in
capitals, with _ for -: KFW_BUDGET, KFW_MAX_CHUNK. A flag on the command line comes before its variable.`

const filesText = `kfw.yaml, in the working directory or else in $XDG_CONFIG_HOME/kfw (~/.config/kfw), holds
settings, drivers and capabilities; kfw config shows them.

$XDG_STATE_HOME/kfw/default.kfw (~/.local/state/kfw/default.kfw) holds the handles of runs without a
session.`

// Page returns the page of a tree of commands, with a date and what the exit statuses mean.
func Page(root *cobra.Command, date string, statuses []ExitStatus) string {
	var p roff
	p.macro("TH", strings.ToUpper(root.Name()), "1", date, root.Name()+" "+root.Version, "User Commands")
	p.macro("SH", "NAME")
	p.line(root.Name() + " - " + root.Short)
	p.macro("SH", "SYNOPSIS")
	commands := VisibleCommands(root)
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
		p.tagged(s.Status, s.Meaning)
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
	for _, group := range FlagGroups(c) {
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
