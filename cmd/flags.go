package cmd

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/redact"
)

// The kinds of flags, as --help shows them and pflag calls them.
const (
	kindText     = "string"
	kindNumber   = "int"
	kindFactor   = "float"
	kindBool     = "bool"
	kindDuration = "duration"
	kindList     = "list"        // of words
	kindFields   = "stringSlice" // pflag's own
	kindTexts    = "stringArray" // the same, not split at commas
)

// parsed is the value of a flag that is understood when it is set, so that what can't be is told with where it stands.
type parsed[T any] struct {
	to    *T
	text  string
	kind  string
	parse func(string) (T, error)
}

// newParsed sets to to what text means.
func newParsed[T any](to *T, text, kind string, parse func(string) (T, error)) *parsed[T] {
	p := &parsed[T]{to: to, kind: kind, parse: parse}
	if err := p.Set(text); err != nil {
		panic(err) // a default that is none
	}
	return p
}

func (p *parsed[T]) String() string { return p.text }
func (p *parsed[T]) Type() string   { return p.kind }

// Set implements pflag.Value. Its error is an *impossible, which does not repeat the text.
func (p *parsed[T]) Set(text string) error {
	value, err := p.parse(text)
	if err != nil {
		impossible := &impossible{reason: err.Error()}
		if known, ok := errors.AsType[*hinted](err); ok {
			impossible.hint = known.hint
		}
		return impossible
	}
	*p.to, p.text = value, text
	return nil
}

// impossible is why a text is no value of a flag.
type impossible struct{ reason, hint string }

func (e *impossible) Error() string { return e.reason }

// reason is why a flag did not take a value. Errors of pflag quote the value.
func reason(f *pflag.Flag, err error) string {
	if known, ok := errors.AsType[*impossible](err); ok {
		return known.reason
	}
	return notOfKind(f.Value.Type())
}

// advice is what to do about it, or otherwise if the value has nothing to say.
func advice(err error, otherwise string) string {
	if known, ok := errors.AsType[*impossible](err); ok && known.hint != "" {
		return known.hint
	}
	return otherwise
}

func notOfKind(kind string) string {
	switch kind {
	case kindNumber:
		return "not a whole number"
	case kindFactor:
		return "not a number such as 1.15"
	case kindBool:
		return "not true or false"
	case kindDuration:
		return "not a time such as 500ms or 2s"
	case kindList, kindFields, kindTexts:
		return "not a list of words"
	}
	return "not text (a number needs quotes to be one)"
}

// flagError tells what is wrong with a flag on the command line without repeating its value.
func flagError(c *cobra.Command, err error) error {
	what, hint := err.Error(), c.CommandPath()+" --help lists the flags"
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := invalid.GetFlag()
		hint = advice(invalid.Unwrap(), hint)
		what = "--" + f.Name + ": " + reason(f, invalid.Unwrap())
	}
	return usage(what, hint)
}

// complete offers choices for a flag in shell completion.
func complete(c *cobra.Command, flag string, choices []string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag does not exist
	}
}

// number returns a parser of the whole numbers between least and most.
func number(least, most int) func(string) (int, error) {
	return func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange): // of one that is too long, n is the nearest that there is
			return 0, errors.New(notOfKind(kindNumber))
		case n < least:
			return 0, fmt.Errorf("%d is the smallest", least)
		case n > most:
			return 0, fmt.Errorf("%d is the largest", most)
		}
		return n, nil
	}
}

func positiveDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, errors.New(notOfKind(kindDuration))
	case d <= 0:
		return 0, errors.New("must be positive")
	}
	return d, nil
}

// positiveSize reads a number of bytes, with a unit or without.
func positiveSize(text string) (int64, error) {
	n, err := humanize.ParseBytes(text)
	switch {
	case err != nil:
		return 0, errors.New("not a number of bytes such as 500MB or 1GiB")
	case n == 0:
		return 0, errors.New("must be positive")
	case n > math.MaxInt64:
		return 0, errors.New("too large")
	}
	return int64(n), nil
}

func anyDuration(text string) (time.Duration, error) {
	if text == "0s" {
		return 0, nil
	}
	return positiveDuration(text)
}

func textFormat(name string) (isText bool, err error) {
	switch name {
	case "frames", "text":
		return name == "text", nil
	}
	return false, errors.New("unknown format: choose frames or text")
}

func inputFormat(name string) (redact.Format, error) {
	switch name {
	case "auto":
		return redact.Auto, nil
	case "json":
		return redact.JSON, nil
	case "text":
		return redact.Lines, nil
	}
	return 0, errors.New("unknown format: choose auto, json or text")
}

func placeholder(name string) (numbered bool, err error) {
	switch name {
	case "name", "numbered":
		return name == "numbered", nil
	}
	return false, errors.New("unknown placeholder: choose name or numbered")
}

func stderrMode(name string) (driver.StderrMode, error) {
	switch name {
	case "pass":
		return driver.Pass, nil
	case "merge":
		return driver.Merge, nil
	case "tail":
		return driver.Tail, nil
	}
	return 0, errors.New("unknown choice: choose pass, merge or tail")
}

func progressChoice(name string) (string, error) {
	switch name {
	case "auto", "always", "never":
		return name, nil
	}
	return "", errors.New("unknown choice: choose auto, always or never")
}

// redaction is what the flags say of what is taken out and what is kept.
type redaction struct {
	groups          redact.Group
	allowFields     []string
	redactFields    []string
	keepFields      []string
	ruleFiles       []string
	honorAllowlists bool
	numbered        bool
}

func (r *redaction) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.Var(newParsed(&r.groups, redact.All.String(), kindList, redact.ParseGroups), "sensitivity",
		"what is redacted; none must be said explicitly")
	complete(c, "sensitivity", []string{"pii", "pci", "secrets", "none"})
}

// addReaderFlags is for what reads a response. One that is kept has been through it already.
func (r *redaction) addReaderFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringSliceVar(&r.allowFields, "allow-fields", nil, "keep only these fields of each record: a,b.c")
	flags.StringSliceVar(&r.redactFields, "redact-fields", nil, "redact the values of these `names` too, wherever they stand")
	flags.StringSliceVar(&r.keepFields, "keep-fields", nil,
		"do not redact the values of these `names` for their name; what is secret in them still is")
	flags.StringSliceVar(&r.ruleFiles, "rules", nil, "a `file` of more rules: a gitleaks config (TOML)")
	flags.BoolVar(&r.honorAllowlists, "honor-allowlists", false, "let the allowlists of --rules keep what its rules find")
	flags.Var(newParsed(&r.numbered, "name", kindText, placeholder), "placeholder",
		"name ([REDACTED:email]) or numbered ([REDACTED:email:2]: equal numbers for what is equal)")
	complete(c, "placeholder", []string{"name", "numbered"})
}

// rules compiles what is to be redacted.
func (r *redaction) rules(known *settings) (*redact.Rules, error) {
	options := redact.Options{
		Groups: r.groups, AllowFields: r.allowFields, RedactFields: r.redactFields, KeepFields: r.keepFields,
		Numbered: r.numbered,
	}
	for _, path := range r.ruleFiles {
		file, err := readRules(path, r.honorAllowlists)
		if err != nil {
			return nil, err
		}
		options.Files = append(options.Files, file)
	}
	if reflect.DeepEqual(options, redact.Options{Groups: r.groups}) {
		return rulesOf(r.groups)
	}
	compiled, err := redact.Compile(options)
	if tooMany, ok := errors.AsType[*redact.RuleError](err); ok {
		return nil, usage(tooMany.Error(), tooMany.Hint)
	}
	if err != nil {
		flag := "allow-fields"
		if field, ok := errors.AsType[*redact.FieldError](err); ok {
			flag = "redact-fields"
			if field.Kept {
				flag = "keep-fields"
			}
		}
		return nil, usage(known.name(flag)+": "+err.Error(), "")
	}
	return compiled, nil
}

// plainRules are the rules of groups and no others, by the groups.
var plainRules sync.Map

// rulesOf compiles the rules of groups and no others, once: a run may need them for its response, for what a driver says
// and for what is kept of its command line.
func rulesOf(groups redact.Group) (*redact.Rules, error) {
	compile := sync.OnceValues(func() (*redact.Rules, error) { return redact.Compile(redact.Options{Groups: groups}) })
	first, _ := plainRules.LoadOrStore(groups, compile)
	return first.(func() (*redact.Rules, error))()
}

// readRules reads a gitleaks config and what it extends.
func readRules(path string, honorAllowlists bool) (*redact.RuleFile, error) {
	const most = 1 << 20 // bytes of a file
	read := func(path string) ([]byte, error) { return readAtMost(path, most) }
	file, err := redact.ReadRules(path, read, honorAllowlists)
	var errs []error
	for _, err := range parts(err) {
		hint := ""
		if wrong, ok := errors.AsType[*redact.RuleError](err); ok {
			hint = wrong.Hint
		}
		errs = append(errs, usage(err.Error(), hint))
	}
	return file, errors.Join(errs...)
}

// modes are the choices of --mode.
func modes() (names []string) {
	for m := budget.Raw; m <= budget.HandleOnly; m++ {
		names = append(names, m.String())
	}
	return names
}
