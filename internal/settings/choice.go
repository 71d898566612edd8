package settings

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/internal/fault"
)

// Option is a value that has a name on the command line.
type Option[T any] struct {
	Name  string
	Value T
}

// choice is the value of a flag that is one of a few names.
type choice[T any] struct {
	to      *T
	name    string
	options []Option[T]
}

// AddChoice adds a flag that sets to to the value of one of the options. The first one is the default. Shell completion
// offers all of them.
func AddChoice[T any](c *cobra.Command, to *T, flag, usage string, options ...Option[T]) {
	value := &choice[T]{to: to, name: options[0].Name, options: options}
	*to = options[0].Value
	c.Flags().Var(value, flag, usage)
	Complete(c, flag, value.Names())
}

// Named returns options whose values are their names.
func Named[T ~string](names ...T) (options []Option[T]) {
	for _, name := range names {
		options = append(options, Option[T]{string(name), name})
	}
	return options
}

// Names returns what the flag can be set to.
func (v *choice[T]) Names() (names []string) {
	for _, o := range v.options {
		names = append(names, o.Name)
	}
	return names
}

// String returns the name that is set.
func (v *choice[T]) String() string { return v.name }

// Type returns the kind of value that --help shows.
func (v *choice[T]) Type() string { return KindText }

// Set implements pflag.Value. Its error is an *impossible: it lists the names and does not repeat the text.
func (v *choice[T]) Set(text string) error {
	for _, o := range v.options {
		if o.Name == text {
			*v.to, v.name = o.Value, text
			return nil
		}
	}
	names := v.Names()
	return &impossible{"unknown value: choose " + alternatives(names), fault.DidYouMean("", text, names)}
}

// alternatives joins names as a sentence does: a, b or c.
func alternatives(names []string) string {
	last := len(names) - 1
	if last <= 0 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
