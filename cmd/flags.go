package cmd

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/redact"
)

// The kinds of flags, as --help shows them and pflag calls them.
const (
	kindText     = "string"
	kindNumber   = "int"
	kindFactor   = "float"
	kindBool     = "bool"
	kindDuration = "duration"
	kindSize     = "bytes"
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
		wrong := &impossible{reason: err.Error()}
		if known, ok := errors.AsType[*hinted](err); ok {
			wrong.hint = known.hint
		}
		return wrong
	}
	*p.to, p.text = value, text
	return nil
}

// impossible is why a text is no value of a flag, and what to do about it. It does not repeat the
// text.
type impossible struct{ reason, hint string }

func (e *impossible) Error() string { return e.reason }

// whyNot returns why a flag did not take a value, and a hint. Errors of pflag quote the value.
func whyNot(f *pflag.Flag, err error) (reason, hint string) {
	if known, ok := errors.AsType[*impossible](err); ok {
		return known.reason, known.hint
	}
	return notOfKind(f.Value.Type()), ""
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
		return "not a time such as 500ms, 2s, 1h30m or 1d"
	case kindSize:
		return "not a number of bytes such as 65536, 64k, 500MB or 1.5GiB"
	case kindList, kindFields, kindTexts:
		return "not a list of words"
	}
	return "not text (a number needs quotes to be one)"
}

// list is a list of words that is never empty: nothing at all would mean that all is kept, or that
// nothing more is redacted.
type list struct{ words }

type words interface {
	pflag.Value
	pflag.SliceValue
}

// addList adds a flag that takes a list of words, separated by commas. Without the flag the list is
// empty.
func addList(c *cobra.Command, to *[]string, flag, usage string) {
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

// complete offers choices for a flag in shell completion.
func complete(c *cobra.Command, flag string, choices []string) {
	if err := c.RegisterFlagCompletionFunc(flag,
		cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)); err != nil {
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

func inputFormats() []option[redact.Format] {
	return []option[redact.Format]{{"auto", redact.Auto}, {"json", redact.JSON}, {"text", redact.Lines}}
}

// plans are the choices of --plan; nil is the plan of the format.
func plans() []option[*fit.Plan] {
	options := []option[*fit.Plan]{{"auto", nil}}
	for _, p := range fit.Plans() {
		options = append(options, option[*fit.Plan]{p.Name, &p})
	}
	return options
}

func outputFormats() []option[bool] { return []option[bool]{{"frames", false}, {"text", true}} }

func placeholders() []option[bool] { return []option[bool]{{"name", false}, {"numbered", true}} }

func hiddenChoices() []option[bool] { return []option[bool]{{"show", false}, {"keep", true}} }

func stderrModes() []option[driver.StderrMode] {
	return []option[driver.StderrMode]{{"pass", driver.Pass}, {"merge", driver.Merge}, {"tail", driver.Tail}}
}

func modes() (options []option[budget.Mode]) {
	for m := budget.Raw; m <= budget.HandleOnly; m++ {
		options = append(options, option[budget.Mode]{m.String(), m})
	}
	return options
}

func progressChoices() []option[string] { return named("auto", "always", "never") }

// redaction is what the flags say of what is taken out and what is kept.
type redaction struct {
	groups          redact.Group
	allowFields     []string
	redactFields    []string
	keepFields      []string
	allow           []string
	ruleFiles       []string
	honorAllowlists bool
	numbered        bool
}

func (r *redaction) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.Var(newParsed(&r.groups, redact.All.String(), kindList, redact.ParseGroups), "sensitivity",
		"what is redacted; none must be said explicitly")
	flags.StringSliceVar(&r.keepFields, "keep-fields", nil,
		"do not redact the values of these `names` for their name; what is secret in them still is")
	flags.StringSliceVar(&r.allow, "allow", nil,
		"`entries` RULE or RULE@PATH, as kfw redact --explain shows them: what the rule finds, there or anywhere, stays")
	group(c, groupRedaction, "sensitivity", "keep-fields", "allow")
	complete(c, "sensitivity", []string{"pii", "pci", "secrets", "none"})
}

// addReaderFlags is for what reads a response. One that is kept has been through it already; it is redacted again, so
// what was allowed to stay then is asked for again, by the flags of addFlags.
func (r *redaction) addReaderFlags(c *cobra.Command) {
	flags := c.Flags()
	addList(c, &r.allowFields, "allow-fields", "keep only these fields of each record: a,b.c")
	addList(c, &r.redactFields, "redact-fields", "redact the values of these `names` too, wherever they stand")
	addList(c, &r.ruleFiles, "rules", "a `file` of more rules: a gitleaks config (TOML)")
	flags.BoolVar(&r.honorAllowlists, "honor-allowlists", false,
		"let the allowlists of --rules keep what its rules find")
	addChoice(c, &r.numbered, "placeholder",
		"name ([REDACTED:email]) or numbered ([REDACTED:email:2]: equal numbers for what is equal)", placeholders()...)
	group(c, groupRedaction, "allow-fields", "redact-fields", "rules", "honor-allowlists", "placeholder")
}

// rules compiles what is to be redacted.
func (r *redaction) rules(known *settings) (*redact.Rules, error) {
	options := redact.Options{
		Groups: r.groups, Off: r.groups == redact.None, AllowFields: r.allowFields, RedactFields: r.redactFields,
		KeepFields: r.keepFields,
		Allow:      r.allow, Numbered: r.numbered,
	}
	for _, path := range r.ruleFiles {
		file, err := readRules(path, r.honorAllowlists)
		if err != nil {
			return nil, err
		}
		options.Files = append(options.Files, file)
	}
	if reflect.DeepEqual(options, redact.Options{Groups: r.groups, Off: options.Off}) {
		return rulesOf(r.groups)
	}
	compiled, err := redact.Compile(options)
	if tooMany, ok := errors.AsType[*redact.RuleError](err); ok {
		return nil, usage(tooMany.Error(), tooMany.Hint)
	}
	if wrong, ok := errors.AsType[*redact.AllowError](err); ok {
		return nil, usage(known.name("allow")+": "+wrong.Error(), wrong.Hint)
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

// rulesOf compiles the rules of groups and no others, once: a run may need them for its response, for what a driver
// says and for what is kept of its command line.
func rulesOf(groups redact.Group) (*redact.Rules, error) {
	compile := sync.OnceValues(func() (*redact.Rules, error) {
		return redact.Compile(redact.Options{Groups: groups, Off: groups == redact.None})
	})
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
