package cmd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/asked"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
)

type invokeOptions struct {
	streamOptions
	params string
}

func invokeCommand(s streams, known *settings.Settings) *cobra.Command {
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
from what is kept; --honor-allowlists is for kfw.yaml alone. Less redaction is for kfw.yaml to say.
` + aboutHelp + ` The name and the
parameters of the call count as well.`,
		Example: `  kfw invoke list_orders
  kfw invoke list_orders --params '{"status":"open"}' --budget 1000
  jq '{ids: [.[].id]}' picked.json | kfw invoke list_orders --params -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fault.Usage("invoke takes one capability", "kfw.yaml declares them: kfw config shows which")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return o.run(s, c.Flags(), args[0]) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			files, err := settings.Find(settable)
			if err != nil {
				return nil, cobra.ShellCompDirectiveError // kfw config tells what is wrong with it
			}
			return files.CapabilityNames(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	o.addFlags(c, known)
	o.about.addFlags(c)
	flags := c.Flags()
	flags.StringVar(&o.params, "params", "{}", "`JSON`, @FILE, or - for standard input")
	o.addTimeout(c, "how long the driver may take (0s: what kfw.yaml says, if it does)")
	manual.Group(c, manual.GroupInput, "params")
	return c
}

func (o *invokeOptions) run(s streams, flags *pflag.FlagSet, name string) (err error) {
	defer closing(&err, &o.budgeting)
	files := &o.settings.Files
	names := files.CapabilityNames()
	if len(names) == 0 {
		return fault.Usage("no capabilities", "kfw.yaml declares them: see kfw invoke --help")
	}
	wanted, file, isTrusted := files.Capability(name)
	if wanted == nil {
		return fault.Usage("unknown capability: "+terminal.Word(name), "did you mean "+
			strings.Join(fault.Nearest(name, names, 3), ", ")+"?")
	}
	given, err := params(o.params, s.in)
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
	from, err := terminal.Described("invoke " + name)
	if err != nil {
		return err
	}
	use := ""
	if o.params == process.StandardInput {
		use = "the parameters"
	}
	call := func(all *asked.Asked) { all.Call(name, given) }
	if f.Question, err = o.about.question(f.Rules, s.in, use, call); err != nil {
		return err
	}
	driver := file.Drivers[wanted.Driver]
	f.OneAnswer = !driver.Streaming
	source, err := o.source(s, driver.Command)
	if err != nil {
		return err
	}
	source.Options.Timeout = cmp.Or(o.timeout, wanted.Timeout, driver.Timeout)
	source.Request = func(granted pipeline.Budget) ([]byte, error) {
		r := request{Operation: wanted.Operation, Params: given, Constraints: newConstraints(granted, o.redaction)}
		return r.line()
	}
	return o.filter(s, f, source, from)
}

// apply sets the flags to the values of the capability, except those that the caller gave. The caller can only redact
// more, and keep fewer fields, than kfw.yaml says, or than the defaults if it says nothing. A capability of a file that
// is not trusted only tightens, as the rest of that file does.
func (o *invokeOptions) apply(wanted *settings.Capability, isTrusted bool, flags *pflag.FlagSet) error {
	asked := o.redaction
	err := o.settings.Declare(wanted, isTrusted, flags, []string{"sensitivity", "allow-fields", "redact-fields",
		"keep-fields", "allow", "rules", "honor-allowlists"})
	if err != nil {
		return err
	}
	if o.settings.Given("sensitivity") {
		o.redaction.groups |= asked.groups
	}
	o.redaction.redactFields = settings.Union(o.redaction.redactFields, asked.redactFields)
	o.redaction.ruleFiles = settings.Union(o.redaction.ruleFiles, asked.ruleFiles)
	if o.settings.Given("keep-fields") {
		o.redaction.keepFields = slices.DeleteFunc(o.redaction.keepFields, func(name string) bool {
			return !slices.Contains(asked.keepFields, name)
		})
	}
	if o.settings.Given("allow") {
		o.redaction.allow = slices.DeleteFunc(o.redaction.allow, func(entry string) bool {
			return !slices.Contains(asked.allow, entry)
		})
	}
	if o.settings.Given("honor-allowlists") {
		o.redaction.honorAllowlists = o.redaction.honorAllowlists && asked.honorAllowlists
	}
	if declared := o.redaction.allowFields; o.settings.Given("allow-fields") && len(asked.allowFields) > 0 {
		o.redaction.allowFields = asked.allowFields
		if len(declared) > 0 {
			o.redaction.allowFields = settings.CommonFields(asked.allowFields, declared)
		}
		if len(o.redaction.allowFields) == 0 { // which would keep all
			return fault.Usage(o.settings.Name("allow-fields")+": the capability allows none of these fields", "")
		}
	}
	return nil
}
