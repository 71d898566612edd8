package cmd

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
)

// flagError returns what is wrong with a flag on the command line: its name, and never its value.
func flagError(c *cobra.Command, err error) error {
	list := c.CommandPath() + " --help lists the flags"
	var (
		invalid *pflag.InvalidValueError
		unknown *pflag.NotExistError
		lacking *pflag.ValueRequiredError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		reason, hint := settings.WhyNot(f, invalid.Unwrap())
		return fault.Usage("--"+f.Name+": "+reason, fault.JoinHints(hint, list))
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		// What follows the dash may be the name of a flag that has two.
		name, _, _ := strings.Cut(unknown.GetSpecifiedShortnames(), "=")
		return fault.Usage("unknown flag: -"+terminal.Word(unknown.GetSpecifiedName()[:1]),
			fault.JoinHints(meantFlag(c, name), list))
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		return fault.Usage("unknown flag: --"+terminal.Word(name), fault.JoinHints(meantFlag(c, name), list))
	case errors.As(err, &lacking):
		return fault.Usage("--"+lacking.GetFlag().Name+": needs a value", list)
	case errors.As(err, &syntax):
		return fault.Usage("a flag has no name", list)
	}
	return fault.Usage("the flags can't be understood", list)
}

// meantFlag says which flag of a command an unknown one may stand for.
func meantFlag(c *cobra.Command, name string) string {
	if c.Name() == "expand" {
		if hint := insteadOf(name); hint != "" {
			return hint
		}
	}
	return fault.DidYouMean("--", name, flagNames(c))
}

// flagNames returns the names of the flags that a command has.
func flagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return names
}

// unknownCommand is the error for a word in the place of a command that is none. Where --help is
// given as well, cobra does not look.
func unknownCommand(c *cobra.Command) error {
	if c.HasSubCommands() && c.Flags().NArg() > 0 {
		return noCommand(c, c.Flags().Arg(0))
	}
	return nil
}

// noCommand is the error for a name that none of the commands of c has.
func noCommand(c *cobra.Command, name string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() || sub.Name() == "help" {
			names = append(names, sub.Name())
		}
	}
	list := c.CommandPath() + " --help lists the commands"
	const few = 8
	if len(names) <= few {
		list = "the commands are " + strings.Join(names, ", ")
	}
	return fault.Usage("unknown command: "+terminal.Word(name),
		fault.JoinHints(fault.DidYouMean(c.CommandPath()+" ", name, names), list))
}

// noArguments is cobra.NoArgs with our message.
func noArguments(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case c.HasSubCommands():
		return noCommand(c, args[0])
	}
	return fault.Usage(c.Name()+" takes no such argument", c.CommandPath()+" --help explains it")
}

// onlyInput is noArguments for a command that reads standard input: one who names a file is shown
// how it is read.
func onlyInput(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name := "FILE"
	if isInput(args[0]) {
		name = terminal.Printable(args[0])
	}
	return fault.Usage(c.Name()+" takes no arguments", "a file is read from standard input: "+c.CommandPath()+" < "+
		name)
}
