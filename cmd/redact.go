package cmd

import (
	"errors"
	"io"
	"io/fs"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/redact"
)

type redactOptions struct {
	redaction
	settings *settings.Settings
	input    redact.Format
	check    bool
	explain  bool
	report   string // a file, standardError, or empty for none
	progress string
	list     bool
	asJSON   bool
}

// standardError is what --report is without a file.
const standardError = "-"

func redactCommand(s streams, known *settings.Settings) *cobra.Command {
	o := redactOptions{settings: known}
	c := &cobra.Command{
		Use:   "redact [flags] [FILE...]",
		Short: "take secrets and personal data out, and change nothing else",
		Long: `redact copies each FILE, or standard input if there is none or FILE is -, to standard output. What a rule matches
becomes [REDACTED:rule]; all other bytes are the same. It has no budget, no frames and no session. A file that can't be
read is told, the others are copied, and the exit status is 125.

--check copies nothing: the exit status is 1 if there is something to redact, 0 if not, and 125 if that is not known, as
something could not be read. Of a FILE that is a directory it looks at every regular file in it and below, in the order of
their names; it follows no links there, and leaves out directories that are called .git. As a pre-commit hook:

  git diff --cached --name-only -z --diff-filter=d | xargs -0 -r kfw redact --check --report --sensitivity secrets --

--report tells where the matches are, never what they are: a line FILE:LINE:COLUMN: RULE for each of the first 1000, in
lines and bytes from 1, and then a line COUNT RULE for each rule. With --allow-fields, which moves everything, it has
the counts only. Its file is replaced when all is done; a link is followed, and what is no plain file, or is open as
/dev/fd/3 is, is written to.

--explain is --report with the reason after the rule: FILE:LINE:COLUMN: RULE@PATH: HOW: NAME. PATH has the names of the
field that the match is in, if it is in a record of JSON; a name that holds a match is *. HOW says where the match stands:
by its form, after a name, value of a key, below a name, in a column, on a command line. NAME has the words of the name
that makes it sensitive, as the rule has them. It never says what the match is.

--allow RULE@PATH lets pass what the rule finds in this field of every record, --allow RULE what it finds anywhere. In
PATH, * is any name; arrays do not count. Other rules still hold there.

--placeholder numbered gives equal secrets equal numbers, for each rule: [REDACTED:email:2] is the second address of this
run. Numbers follow from the order of the input and nothing else, and begin anew with every run. Only the first 4096
secrets have one; nor has the value of a sensitive key on a broken line, as it can't be told what it is. A marker that
stands in the input stays as it is, with its number.`,
		Example: `  kfw redact < app.log
  kfw redact --report=found.txt --placeholder numbered logs/*.log > clean.log
  kfw redact --check --report --sensitivity secrets config/
  pg_dump shop | kfw redact --sensitivity pii,pci > shop.sql
  kfw redact --list`,
		RunE: func(_ *cobra.Command, files []string) error { return o.run(s, files) },
	}
	o.redaction.addFlags(c)
	o.addReaderFlags(c)
	flags := c.Flags()
	settings.AddChoice(c, &o.input, "input", "auto, json, yaml or text", inputFormats()...)
	flags.BoolVar(&o.check, "check", false, "copy nothing: exit status 1 if there is something to redact")
	flags.StringVar(&o.report, "report", "", "where and how many the matches are, on stderr or to this `file`")
	flags.Lookup("report").NoOptDefVal = standardError
	flags.BoolVar(&o.explain, "explain", false,
		"a report that says why there is each match: which name, which position")
	settings.AddChoice(c, &o.progress, "progress",
		"on stderr: auto (on a terminal that does not show the output, when it takes long), always or never",
		progressChoices()...)
	flags.BoolVar(&o.list, "list", false, "list the rules that are on, and read nothing")
	flags.BoolVar(&o.asJSON, "json", false, "with --list: an object a line, for programs")
	manual.Group(c, manual.GroupInput, "input")
	manual.Group(c, manual.GroupOutput, "check", "report", "explain", "progress", "list", "json")
	return c
}

func (o *redactOptions) run(s streams, files []string) error {
	if err := o.possible(len(files)); err != nil {
		return err
	}
	if o.explain && o.report == "" {
		o.report = standardError
	}
	rules, err := o.rules(o.settings)
	if err != nil {
		return err
	}
	switch {
	case o.list:
		return listRules(s.out, rules, o.asJSON)
	case len(files) == 0 && term.IsTerminal(int(s.in.Fd())):
		return fault.Usage("nothing to read: standard input is a terminal", "kfw redact FILE")
	case len(files) == 0:
		files = []string{process.StandardInput}
	}
	for _, name := range files {
		if !o.check && process.IsDirectory(name) {
			return fault.Usage(terminal.Word(name)+": is a directory",
				"what is in it is looked at with --check: kfw redact --check "+terminal.Printable(name))
		}
	}
	return o.copy(s, rules, files)
}

// possible says what does not go together.
func (o *redactOptions) possible(files int) error {
	switch {
	case o.list && (files > 0 || o.check || o.report != "" || o.explain):
		return fault.Usage("--list reads nothing: files, --check, --report and --explain do not go with it", "")
	case o.asJSON && !o.list:
		return fault.Usage("--json is for --list", "")
	case o.check && o.settings.Given("allow-fields"):
		return fault.Usage(o.settings.Name("allow-fields")+": --check looks at all there is", "")
	case o.check:
		o.allowFields = nil
	}
	return nil
}

// copy redacts one file after another, and says at the end what was wrong with them.
func (o *redactOptions) copy(s streams, rules *redact.Rules, files []string) error {
	to := s.out
	if o.check {
		to = io.Discard
	}
	in := &process.Inputs{Stdin: s.in, Meter: terminal.NewMeter(s.err, o.progressOf(s))}
	in.Measure(files) // the size of a directory is unknown before it is read
	if out, ok := to.(*process.Output); ok {
		in.Out = out.Regular()
	}
	clean := redact.NewReader(nil, rules, o.input)
	found := &findings{reasons: o.explain}
	if o.report != "" {
		clean.Explain(found.add)
	}
	var errs []error
	for name, err := range process.Walked(files) {
		if err == nil {
			err = in.Open(name)
		}
		if errors.Is(err, fs.ErrNotExist) && o.report == standardError {
			err = fault.WithHint(err, "a report is written to a file that is given so: --report="+
				terminal.Printable(name))
		}
		if err == nil {
			found.file = name
			clean.Reset(in, o.input)
			_, err = io.Copy(to, clean)
			in.Close()
			if err != nil && in.Err == nil {
				in.Meter.Clear()
				return errors.Join(append([]error{&pipeline.WriteError{Err: err}}, errs...)...)
			}
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	in.Meter.Clear()
	found.count(clean.Counts())
	if o.report != "" {
		errs = append(errs, found.report(s.err, o.report))
	}
	if o.check && len(found.counts) > 0 {
		errs = append(errs, &matched{found.counts, o.report != ""})
	}
	return errors.Join(errs...)
}

// progressOf is --progress; auto shows nothing where the output is shown.
func (o *redactOptions) progressOf(s streams) string {
	if out, ok := s.out.(*process.Output); ok && o.progress == "auto" && !o.check && out.IsTerminal() {
		return "never"
	}
	return o.progress
}
