package manual

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups that --help and the manual page show flags in, in this order. Those without a
// group come last.
const (
	GroupBudget    = "Budget"
	GroupInput     = "What is read"
	GroupShown     = "What is shown"
	GroupRedaction = "Redaction"
	GroupCalls     = "Calls"
	GroupKept      = "What is kept"
	GroupOutput    = "Output"
	groupOther     = "Flags"
)

func groups() []string {
	return []string{GroupBudget, GroupInput, GroupShown, GroupRedaction, GroupCalls, GroupKept, GroupOutput, groupOther}
}

// inGroup is the annotation of a flag that names its group.
const inGroup = "kfw_group"

// Group puts flags of a command into a group.
func Group(c *cobra.Command, name string, flags ...string) {
	for _, flag := range flags {
		f := c.Flags().Lookup(flag)
		if f == nil {
			f = c.PersistentFlags().Lookup(flag)
		}
		if f.Annotations == nil {
			f.Annotations = make(map[string][]string)
		}
		f.Annotations[inGroup] = []string{name}
	}
}

// flagGroup is flags that are shown under one heading.
type flagGroup struct {
	Title string
	Flags *pflag.FlagSet
}

// Usages returns a line or more for each flag.
func (g flagGroup) Usages() string {
	const width = 100
	return strings.TrimRight(g.Flags.FlagUsagesWrapped(width), "\n")
}

// FlagGroups returns the flags of a command that are not hidden, its parents' included.
func FlagGroups(c *cobra.Command) (all []flagGroup) {
	byTitle := make(map[string]*pflag.FlagSet)
	add := func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		title := groupOther
		if named := f.Annotations[inGroup]; len(named) > 0 {
			title = named[0]
		}
		if byTitle[title] == nil {
			byTitle[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
		}
		byTitle[title].AddFlag(f)
	}
	c.LocalFlags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	for _, title := range groups() {
		if flags := byTitle[title]; flags != nil {
			all = append(all, flagGroup{title, flags})
		}
	}
	return all
}

// WriteUsage writes what --help shows after the text of a command. Cobra would run a template; a program with templates
// links every exported method of every type, a quarter of its size.
func WriteUsage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:")
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n  " + c.CommandPath() + " COMMAND")
	}
	if c.HasExample() {
		b.WriteString("\n\nExamples:\n" + c.Example)
	}
	var topics []*cobra.Command
	if c.HasAvailableSubCommands() {
		b.WriteString("\n\nCommands:")
	}
	for _, sub := range c.Commands() {
		switch {
		case sub.IsAvailableCommand():
			fmt.Fprintf(&b, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
		case sub.IsAdditionalHelpTopicCommand():
			topics = append(topics, sub)
		}
	}
	for _, group := range FlagGroups(c) {
		b.WriteString("\n\n" + group.Title + ":\n" + group.Usages())
	}
	for _, topic := range topics {
		fmt.Fprintf(&b, "\n\n\"%s help %s\" explains %s.", c.Root().Name(), topic.Name(), topic.Short)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\"%s COMMAND --help\" explains a command, -h in short.", c.CommandPath())
	}
	b.WriteByte('\n')
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// VisibleCommands returns c and the commands below it that are no help topics, each before its own commands.
func VisibleCommands(c *cobra.Command) []*cobra.Command {
	c.InheritedFlags() // which makes them known: the line that shows its usage depends on them
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			all = append(all, VisibleCommands(sub)...)
		}
	}
	return slices.Clip(all)
}
