package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups that --help and the manual page show flags in, in this order. Those without a group
// come last.
const (
	groupBudget    = "Budget"
	groupInput     = "What is read"
	groupShown     = "What is shown"
	groupRedaction = "Redaction"
	groupCalls     = "Calls"
	groupKept      = "What is kept"
	groupOutput    = "Output"
	groupOther     = "Flags"
)

func groups() []string {
	return []string{groupBudget, groupInput, groupShown, groupRedaction, groupCalls, groupKept, groupOutput, groupOther}
}

// inGroup is the annotation of a flag that names its group.
const inGroup = "kfw_group"

// group puts flags of a command into a group.
func group(c *cobra.Command, name string, flags ...string) {
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

// flagGroups returns the flags of a command that are not hidden, its parents' included.
func flagGroups(c *cobra.Command) (all []flagGroup) {
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

// helpTopics returns the commands that are only a text.
func helpTopics(c *cobra.Command) (topics []*cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.IsAdditionalHelpTopicCommand() {
			topics = append(topics, sub)
		}
	}
	return topics
}

const usageTemplate = `Usage:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{range flagGroups .}}

{{.Title}}:
{{.Usages}}{{end}}{{range helpTopics .}}

"{{.Root.Name}} help {{.Name}}" explains {{.Short}}.{{end}}{{if .HasAvailableSubCommands}}
"{{.CommandPath}} COMMAND --help" explains a command.{{end}}
`

// helpTopicTemplate is for a command that is only a text.
const helpTopicTemplate = "{{.Long}}\n"

func init() {
	cobra.AddTemplateFunc("flagGroups", flagGroups)
	cobra.AddTemplateFunc("helpTopics", helpTopics)
}

func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "explain a command",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			switch {
			case err != nil:
				return noCommand(root, strings.Join(args, " "))
			case len(rest) > 0 && c.HasSubCommands():
				return noCommand(c, rest[0])
			case len(rest) > 0:
				return noCommand(root, strings.Join(args, " "))
			}
			return c.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, sub := range c.Commands() {
				if sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// exitTopic is what kfw help exit shows.
func exitTopic() *cobra.Command {
	lines := []string{"Exit status:"}
	for _, s := range exitStatuses() {
		lines = append(lines, "  "+s.status+strings.Repeat(" ", 13-len(s.status))+s.meaning)
	}
	c := &cobra.Command{Use: "exit", Short: "the exit status", Long: strings.Join(lines, "\n")}
	c.SetHelpTemplate(helpTopicTemplate)
	return c
}

// visibleCommands returns the commands below c that are no help topics, c first, those of a command
// after it.
func visibleCommands(c *cobra.Command) []*cobra.Command {
	c.InheritedFlags() // which makes them known: the line that shows its usage depends on them
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			all = append(all, visibleCommands(sub)...)
		}
	}
	return slices.Clip(all)
}
