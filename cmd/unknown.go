package cmd

import (
	"errors"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
		reason, hint := whyNot(f, invalid.Unwrap())
		return usage("--"+f.Name+": "+reason, join(hint, list))
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		// What follows the dash may be the name of a flag that has two.
		name, _, _ := strings.Cut(unknown.GetSpecifiedShortnames(), "=")
		return usage("unknown flag: -"+word(unknown.GetSpecifiedName()[:1]),
			join(didYouMean("--", name, flagNames(c)), list))
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		return usage("unknown flag: --"+word(name), join(didYouMean("--", name, flagNames(c)), list))
	case errors.As(err, &lacking):
		return usage("--"+lacking.GetFlag().Name+": needs a value", list)
	case errors.As(err, &syntax):
		return usage("a flag has no name", list)
	}
	return usage("the flags can't be understood", list)
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
	return usage("unknown command: "+word(name),
		join(didYouMean(c.CommandPath()+" ", name, names), c.CommandPath()+" --help lists the commands"))
}

// noArguments is cobra.NoArgs with our message.
func noArguments(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case c.HasSubCommands():
		return noCommand(c, args[0])
	}
	return usage(c.Name()+" takes no such argument", c.CommandPath()+" --help explains it")
}

// onlyInput is noArguments for a command that reads standard input: one who names a file is shown
// how it is read.
func onlyInput(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name := "FILE"
	if isInput(args[0]) {
		name = printable(args[0])
	}
	return usage(c.Name()+" takes no arguments", "a file is read from standard input: "+c.CommandPath()+" < "+name)
}

// word is a name that was typed, as a message shows it: redacted, without control characters, and
// not too long.
func word(name string) string {
	const longest = 60 // characters
	if name == "" {
		return `""`
	}
	shown := []rune(sayable(name))
	if len(shown) > longest {
		return string(shown[:longest]) + "..."
	}
	return string(shown)
}

// didYouMean returns the question whether a name was meant, with what stands before it, or nothing
// if none is close.
func didYouMean(before, name string, names []string) string {
	if meant := closest(name, names); meant != "" {
		return "did you mean " + before + meant + "?"
	}
	return ""
}

// closest returns the name that a word is most likely a slip for: the nearest of those that begin
// with it, or else the nearest of all, if at most half of the letters of a short word differ, or a
// third of those of a long name.
func closest(word string, names []string) string {
	var begun []string
	for _, name := range names {
		if word != "" && strings.HasPrefix(name, word) {
			begun = append(begun, name)
		}
	}
	if best := nearest(word, begun, 1); len(best) > 0 {
		return best[0]
	}
	const short = 2 // differences
	best := nearest(word, names, 1)
	if len(best) == 0 || levenshtein.ComputeDistance(cut(word), best[0]) > max(min(short, len(word)/2),
		len(best[0])/3) {
		return ""
	}
	return best[0]
}

// counted returns a number of things: 1 chunk, 2 chunks.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// join returns two parts of a hint, or the one that there is.
func join(a, b string) string {
	switch {
	case a == "":
		return b
	case strings.HasSuffix(a, "?"):
		return a + " " + b
	}
	return a + "; " + b
}
