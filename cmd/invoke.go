package cmd

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/pipeline"
)

type invokeOptions struct {
	streamOptions
	params  string
	timeout time.Duration
}

func invokeCommand(s streams, known *settings) *cobra.Command {
	var o invokeOptions
	c := &cobra.Command{
		Use:   "invoke [flags] CAPABILITY",
		Short: "ask a driver for a capability that kfw.yaml declares, and filter what it answers",
		Long: `invoke starts the driver of a capability, gives it one line of JSON on its standard input, and filters what it
answers as kfw stream does. kfw.yaml, in the working directory or in $XDG_CONFIG_HOME/kfw, declares both:

  drivers:
    shop: {command: [./shop-driver, --json], streaming: true, timeout: 30s}
  capabilities:
    list_orders: {driver: shop, operation: orders, allowed_fields: [id, status], budget: 2000}

No shell is involved. A program with a slash in its name is relative to the directory of kfw.yaml, one without is looked
for in PATH. The request is {"operation":..,"params":..,"constraints":{"budget":..,"mode":..,"allowed_fields":[..],
"sensitivity":[..]}}. What a driver that declares streaming writes is read chunk by chunk; any other has one answer,
which is one chunk unless it is larger than --max-chunk.

A flag, and then KFW_*, comes before what the capability says, and that before the rest of kfw.yaml. But --sensitivity,
--rules and --redact-fields can only add to what is redacted, and --allow-fields, --keep-fields and --allow only take
from what is kept; --honor-allowlists is for kfw.yaml alone. Less redaction is for kfw.yaml to say.`,
		Example: `  kfw invoke list_orders
  kfw invoke list_orders --params '{"status":"open"}' --budget 1000
  jq '{ids: [.[].id]}' picked.json | kfw invoke list_orders --params -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("invoke takes one capability", "kfw.yaml declares them: kfw config shows which")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return o.run(s, c.Flags(), args[0]) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			files, err := findYAML()
			if err != nil {
				return nil, cobra.ShellCompDirectiveError // kfw config tells what is wrong with it
			}
			return files.capabilityNames(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	o.addFlags(c, known)
	flags := c.Flags()
	flags.StringVar(&o.params, "params", "{}", "`JSON`, @FILE, or - for standard input")
	flags.Var(newParsed(&o.timeout, "0s", kindDuration, anyDuration), "timeout",
		"how long the driver may take (0s: what kfw.yaml says, if it does)")
	group(c, groupInput, "params", "timeout")
	return c
}

func (o *invokeOptions) run(s streams, flags *pflag.FlagSet, name string) (err error) {
	defer closing(&err, &o.budgeting)
	files := &o.settings.files
	names := files.capabilityNames()
	if len(names) == 0 {
		return usage("no capabilities", "kfw.yaml declares them: see kfw invoke --help")
	}
	wanted, file, isTrusted := files.capability(name)
	if wanted == nil {
		return usage("unknown capability: "+word(name), "did you mean "+strings.Join(nearest(name, names, 3), ", ")+"?")
	}
	asked, err := params(o.params, s.in)
	if err != nil {
		return err
	}
	if err := o.apply(wanted, isTrusted, flags); err != nil {
		return err
	}
	f, err := o.firewall(s)
	if err != nil {
		return err
	}
	from, err := described("invoke " + name)
	if err != nil {
		return err
	}
	driver := file.drivers[wanted.driver]
	f.OneAnswer = !driver.streaming
	source, err := o.source(s, driver.command)
	if err != nil {
		return err
	}
	source.options.Timeout = cmp.Or(o.timeout, wanted.timeout, driver.timeout)
	source.request = func(granted pipeline.Budget) ([]byte, error) {
		r := request{Operation: wanted.operation, Params: asked, Constraints: newConstraints(granted, o.redaction)}
		return r.line()
	}
	return o.filter(s, f, source, from)
}

// apply gives the flags what the capability says, where the caller has not said otherwise. Of what is redacted and
// which fields are kept, the caller can only make more and fewer of what kfw.yaml says, or the defaults if it does
// not. A capability of a file that is not trusted only tightens, as the rest of that file does.
func (o *invokeOptions) apply(wanted *capability, isTrusted bool, flags *pflag.FlagSet) error {
	asked := o.redaction
	flagsOfRedaction := []string{"sensitivity", "allow-fields", "redact-fields", "keep-fields", "allow", "rules",
		"honor-allowlists"}
	for _, flag := range flagsOfRedaction {
		v := o.settings.files.value(flag)
		if own, ok := wanted.values[flag]; ok && isTrusted {
			v = own
		}
		if v.at == "" {
			v = yamlValue{text: settable().Lookup(flag).DefValue}
		}
		if err := setTo(flags.Lookup(flag), v); err != nil {
			return err
		}
	}
	given := o.settings.from
	if here := o.settings.files.here; here != nil && !o.settings.files.isTrusted {
		o.settings.from = make(map[string]origin) // the caller can't loosen what it tightens
		for _, flag := range flagsOfRedaction {
			if _, err := o.settings.tighten(flags, flag, here.values[flag]); err != nil {
				return err
			}
		}
		o.settings.from = given
	}
	for flag, v := range wanted.values {
		if isTrusted {
			if err := o.settings.take(flags, flag, v); err != nil {
				return err
			}
			continue
		}
		if _, err := o.settings.tighten(flags, flag, v); err != nil {
			return err
		}
	}
	if o.settings.given("sensitivity") {
		o.redaction.groups |= asked.groups
	}
	o.redaction.redactFields = union(o.redaction.redactFields, asked.redactFields)
	o.redaction.ruleFiles = union(o.redaction.ruleFiles, asked.ruleFiles)
	if o.settings.given("keep-fields") {
		o.redaction.keepFields = slices.DeleteFunc(o.redaction.keepFields, func(name string) bool {
			return !slices.Contains(asked.keepFields, name)
		})
	}
	if o.settings.given("allow") {
		o.redaction.allow = slices.DeleteFunc(o.redaction.allow, func(entry string) bool {
			return !slices.Contains(asked.allow, entry)
		})
	}
	if o.settings.given("honor-allowlists") {
		o.redaction.honorAllowlists = o.redaction.honorAllowlists && asked.honorAllowlists
	}
	if declared := o.redaction.allowFields; o.settings.given("allow-fields") && len(asked.allowFields) > 0 {
		o.redaction.allowFields = asked.allowFields
		if len(declared) > 0 {
			o.redaction.allowFields = commonFields(asked.allowFields, declared)
		}
		if len(o.redaction.allowFields) == 0 { // which would keep all
			return usage(o.settings.name("allow-fields")+": the capability allows none of these fields", "")
		}
	}
	return nil
}

// union returns what is in a or in b, once.
func union(a, b []string) []string {
	both := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(both, x) {
			both = append(both, x)
		}
	}
	return both
}

// commonFields returns the paths that are in both lists, or below a path of the other.
func commonFields(a, b []string) (common []string) {
	for _, pair := range [][2][]string{{a, b}, {b, a}} {
		for _, path := range pair[0] {
			for _, above := range pair[1] {
				if (path == above || strings.HasPrefix(path, above+".")) && !slices.Contains(common, path) {
					common = append(common, path)
				}
			}
		}
	}
	return common
}
