package settings

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/fault"
)

// The kinds of flags, as --help shows them and pflag calls them.
const (
	KindText     = "string"
	KindNumber   = "int"
	KindFactor   = "float"
	kindBool     = "bool"
	KindDuration = "duration"
	KindSize     = "bytes"
	KindList     = "list"        // of words
	kindFields   = "stringSlice" // pflag's own
	kindTexts    = "stringArray" // the same, not split at commas
)

// Parsed is the value of a flag that a parser understands when it is set, so that an error names where it stands.
type Parsed[T any] struct {
	To    *T
	Kind  string
	Parse func(string) (T, error) // its error does not repeat the text
	text  string                  // that was set; empty for none
}

// NewParsed returns the value of a flag that sets to. The default is what text means; it panics if that is nothing.
func NewParsed[T any](to *T, text, kind string, parse func(string) (T, error)) *Parsed[T] {
	p := &Parsed[T]{To: to, Kind: kind, Parse: parse}
	if err := p.Set(text); err != nil {
		panic(err) // the default is no value
	}
	return p
}

// String implements pflag.Value: the text that was set last.
func (p *Parsed[T]) String() string { return p.text }

// Type implements pflag.Value: Kind.
func (p *Parsed[T]) Type() string { return p.Kind }

// Set implements pflag.Value. Its error is an *impossible, which does not repeat the text.
func (p *Parsed[T]) Set(text string) error {
	value, err := p.Parse(text)
	if err != nil {
		wrong := &impossible{reason: err.Error()}
		if known, ok := errors.AsType[*fault.Hinted](err); ok {
			wrong.hint = known.Hint
		}
		return wrong
	}
	*p.To, p.text = value, text
	return nil
}

// impossible is why a text is no value of a flag, and what to do about it. It does not repeat the text.
type impossible struct{ reason, hint string }

func (e *impossible) Error() string { return e.reason }

// WhyNot returns why a flag did not take a value, and a hint. Errors of pflag quote the value.
func WhyNot(f *pflag.Flag, err error) (reason, hint string) {
	if known, ok := errors.AsType[*impossible](err); ok {
		return known.reason, known.hint
	}
	return NotOfKind(f.Value.Type()), ""
}

// NotOfKind returns why a text is no value of a kind of flags.
func NotOfKind(kind string) string {
	switch kind {
	case KindNumber:
		return "not a whole number"
	case KindFactor:
		return "not a number such as 1.15"
	case kindBool:
		return "not true or false"
	case KindDuration:
		return "not a time such as 500ms, 2s, 1h30m or 1d"
	case KindSize:
		return "not a number of bytes such as 65536, 64k, 500MB or 1.5GiB"
	case KindList, kindFields, kindTexts:
		return "not a list of words"
	}
	return "not text (a number needs quotes to be one)"
}

// list is a list of words that is never empty: an empty one would mean that all is kept, or that nothing more is
// redacted.
type list struct{ words }

type words interface {
	pflag.Value
	pflag.SliceValue
}

// AddList adds a flag that takes a list of words, separated by commas. Without the flag the list is empty.
func AddList(c *cobra.Command, to *[]string, flag, usage string) {
	c.Flags().StringSliceVar(to, flag, nil, usage)
	f := c.Flags().Lookup(flag)
	f.Value, f.DefValue = list{f.Value.(words)}, ""
}

// Set implements pflag.Value. Its error is an *impossible if there is no word.
func (l list) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		return &impossible{"the list is empty", "leave it out, or give it a word"}
	}
	return l.words.Set(text)
}

// Complete offers choices for a flag in shell completion.
func Complete(c *cobra.Command, flag string, choices []string) {
	if err := c.RegisterFlagCompletionFunc(flag,
		cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag does not exist
	}
}
