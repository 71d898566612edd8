package cmd

import (
	"errors"
	"reflect"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/safefile"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/redact"
)

func inputFormats() []settings.Option[redact.Format] {
	return []settings.Option[redact.Format]{{Name: "auto", Value: redact.Auto}, {Name: "json", Value: redact.JSON},
		{Name: "yaml", Value: redact.YAML}, {Name: "text", Value: redact.Lines}}
}

// plans are the choices of --plan; nil is the plan of the format.
func plans() []settings.Option[*fit.Plan] {
	options := []settings.Option[*fit.Plan]{{Name: "auto", Value: nil}}
	for _, p := range fit.Plans() {
		options = append(options, settings.Option[*fit.Plan]{Name: p.String(), Value: &p})
	}
	return options
}

func outputFormats() []settings.Option[bool] {
	return []settings.Option[bool]{{Name: encode.FormatFrames, Value: false},
		{Name: encode.FormatText, Value: true}}
}

func placeholders() []settings.Option[bool] {
	return []settings.Option[bool]{{Name: "name", Value: false}, {Name: "numbered", Value: true}}
}

func hiddenChoices() []settings.Option[bool] {
	return []settings.Option[bool]{{Name: "show", Value: false}, {Name: "keep", Value: true}}
}

func stderrModes() []settings.Option[driver.StderrMode] {
	return []settings.Option[driver.StderrMode]{{Name: "pass", Value: driver.Pass},
		{Name: "merge", Value: driver.Merge}, {Name: "tail", Value: driver.Tail}}
}

func modes() (options []settings.Option[budget.Mode]) {
	for m := budget.Raw; m <= budget.HandleOnly; m++ {
		options = append(options, settings.Option[budget.Mode]{Name: m.String(), Value: m})
	}
	return options
}

func progressChoices() []settings.Option[string] { return settings.Named("auto", "always", "never") }

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
	flags.Var(settings.NewParsed(&r.groups, redact.All.String(), settings.KindList, redact.ParseGroups), "sensitivity",
		"what is redacted; none must be said explicitly")
	flags.StringSliceVar(&r.keepFields, "keep-fields", nil,
		"do not redact the values of these `names` for their name; what is secret in them still is")
	flags.StringSliceVar(&r.allow, "allow", nil,
		"`entries` RULE or RULE@PATH, as kfw redact --explain shows them: what the rule finds, there or anywhere, stays")
	manual.Group(c, manual.GroupRedaction, "sensitivity", "keep-fields", "allow")
	settings.Complete(c, "sensitivity", []string{"pii", "pci", "secrets", "none"})
}

// addReaderFlags is for what reads a response. One that is kept has been through it already; it is redacted again, so
// what was allowed to stay then is asked for again, by the flags of addFlags.
func (r *redaction) addReaderFlags(c *cobra.Command) {
	flags := c.Flags()
	settings.AddList(c, &r.allowFields, "allow-fields", "keep only these fields of each record: a,b.c")
	settings.AddList(c, &r.redactFields, "redact-fields", "redact the values of these `names` too, wherever they stand")
	settings.AddList(c, &r.ruleFiles, "rules", "a `file` of more rules: a gitleaks config (TOML)")
	flags.BoolVar(&r.honorAllowlists, "honor-allowlists", false,
		"let the allowlists of --rules keep what its rules find")
	settings.AddChoice(c, &r.numbered, "placeholder",
		"name ([REDACTED:email]) or numbered ([REDACTED:email:2]: equal numbers for what is equal)", placeholders()...)
	manual.Group(c, manual.GroupRedaction, "allow-fields", "redact-fields", "rules", "honor-allowlists", "placeholder")
}

// rules compiles what is to be redacted.
func (r *redaction) rules(known *settings.Settings) (*redact.Rules, error) {
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
		return terminal.RulesOf(r.groups)
	}
	compiled, err := redact.Compile(options)
	if tooMany, ok := errors.AsType[*redact.RuleError](err); ok {
		return nil, fault.Usage(tooMany.Error(), tooMany.Hint)
	}
	if wrong, ok := errors.AsType[*redact.AllowError](err); ok {
		return nil, fault.Usage(known.Name("allow")+": "+wrong.Error(), wrong.Hint)
	}
	if err != nil {
		flag := "allow-fields"
		if field, ok := errors.AsType[*redact.FieldError](err); ok {
			flag = "redact-fields"
			if field.Kept {
				flag = "keep-fields"
			}
		}
		return nil, fault.Usage(known.Name(flag)+": "+err.Error(), "")
	}
	return compiled, nil
}

// readRules reads a gitleaks config and what it extends.
func readRules(path string, honorAllowlists bool) (*redact.RuleFile, error) {
	read := func(path string) ([]byte, error) { return safefile.Read(path, settings.RulesLimit) }
	file, err := redact.ReadRules(path, read, honorAllowlists)
	var errs []error
	for _, err := range fault.Parts(err) {
		hint := ""
		if wrong, ok := errors.AsType[*redact.RuleError](err); ok {
			hint = wrong.Hint
		}
		errs = append(errs, fault.Usage(err.Error(), hint))
	}
	return file, errors.Join(errs...)
}
