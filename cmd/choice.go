package cmd

import (
	"strings"

	"github.com/spf13/cobra"
)

// option is a value that has a name on the command line.
type option[T any] struct {
	name  string
	value T
}

// choice is the value of a flag that is one of a few names.
type choice[T any] struct {
	to      *T
	name    string
	options []option[T]
}

// addChoice adds a flag that sets to to the value of one of the options. The first one is the
// default. Shell completion offers all of them.
func addChoice[T any](c *cobra.Command, to *T, flag, usage string, options ...option[T]) {
	value := &choice[T]{to: to, name: options[0].name, options: options}
	*to = options[0].value
	c.Flags().Var(value, flag, usage)
	complete(c, flag, value.names())
}

// named returns options whose values are their names.
func named[T ~string](names ...T) (options []option[T]) {
	for _, name := range names {
		options = append(options, option[T]{string(name), name})
	}
	return options
}

func (v *choice[T]) names() []string { return optionNames(v.options) }

func optionNames[T any](options []option[T]) (names []string) {
	for _, o := range options {
		names = append(names, o.name)
	}
	return names
}

// String returns the name that is set.
func (v *choice[T]) String() string { return v.name }

// Type returns the kind of value that --help shows.
func (v *choice[T]) Type() string { return kindText }

// Set implements pflag.Value. Its error is an *impossible: it lists the names and does not repeat
// the text.
func (v *choice[T]) Set(text string) error {
	for _, o := range v.options {
		if o.name == text {
			*v.to, v.name = o.value, text
			return nil
		}
	}
	names := v.names()
	return &impossible{"unknown value: choose " + alternatives(names), didYouMean("", text, names)}
}

// alternatives joins names as a sentence does: a, b or c.
func alternatives(names []string) string {
	last := len(names) - 1
	if last <= 0 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
