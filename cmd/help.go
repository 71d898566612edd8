package cmd

import (
	"strings"

	"github.com/spf13/cobra"
)

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
		lines = append(lines, "  "+s.Status+strings.Repeat(" ", 13-len(s.Status))+s.Meaning)
	}
	c := &cobra.Command{Use: "exit", Short: "the exit status", Long: strings.Join(lines, "\n")}
	c.SetHelpFunc(func(c *cobra.Command, _ []string) { c.Println(c.Long) })
	return c
}
