package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Brief returns what -h shows of a command: how it is used, examples, and a line for each flag. It fits a screen.
func Brief(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n\nExamples:\n%s\n\nFlags:\n", c.Short, c.UseLine(), c.Example)
	for _, group := range FlagGroups(c) {
		group.Flags.VisitAll(func(f *pflag.Flag) {
			short := "    "
			if f.Shorthand != "" {
				short = "-" + f.Shorthand + ", "
			}
			value, usage := pflag.UnquoteUsage(f)
			fmt.Fprintf(&b, "  %s%-26s%s\n", short, "--"+f.Name+" "+value, firstClause(usage))
		})
	}
	fmt.Fprintf(&b, "\n%s --help says more.\n", c.CommandPath())
	return b.String()
}

// firstClause returns what a usage begins with, up to 64 bytes of whole words.
func firstClause(usage string) string {
	const most = 64
	usage, _, _ = strings.Cut(usage, "; ")
	if len(usage) > most {
		usage = usage[:strings.LastIndexByte(usage[:most], ' ')] + " ..."
	}
	return usage
}
