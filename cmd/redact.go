package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/findings"
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
	inPlace  bool
	binary   bool
	explain  bool
	report   string // a file, standardError, or empty for none
	format   findings.Format
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
		Long: `redact copies each FILE, or standard input, to standard output. What a rule matches becomes [REDACTED:rule]; all
other bytes are the same. A file that can't be read is named, the others are copied, and the exit status is 125.

--check copies nothing: the exit status is 1 if there is something to redact. It looks at every regular file below a
directory, except through links and in .git, and passes over binary files, unless --binary is given. --in-place looks at
the same files, and replaces each that has a match, whole or not at all; there is no copy of the old ones.

--report tells where the matches are, never what they are: FILE:LINE:COLUMN: RULE for each of the first 1000, and a
count for each rule. --report sarif is SARIF 2.1.0 for a CI, --json an object a line; both are for --check and
--in-place, and name the first 25000. (A file that is called sarif is ./sarif.)

--explain is --report with the reason: FILE:LINE:COLUMN: RULE@PATH: HOW: NAME, as value of a key, in a column. --allow
RULE@PATH lets pass what the rule finds in this field of every record, --allow RULE what it finds anywhere. In PATH, * is
any name; arrays do not count.

--placeholder numbered gives equal secrets equal numbers within a run, the first 4096 of them: [REDACTED:email:2]. See
docs/redaction.md.`,
		Example: `  kfw redact < app.log
  kfw redact --report=found.txt --placeholder numbered logs/*.log > clean.log
  kfw redact --check --report --sensitivity secrets config/
  kfw redact --check --report sarif . > kfw.sarif
  kfw redact --in-place --sensitivity secrets logs/
  pg_dump shop | kfw redact --sensitivity pii,pci > shop.sql
  kfw redact --list
  git diff --cached --name-only -z --diff-filter=d | xargs -0 -r kfw redact --check --report --sensitivity secrets --`,
		RunE: func(_ *cobra.Command, files []string) error { return o.run(s, files) },
	}
	o.redaction.addFlags(c)
	o.addReaderFlags(c)
	flags := c.Flags()
	settings.AddChoice(c, &o.input, "input", "auto, json, yaml or text", inputFormats()...)
	flags.BoolVar(&o.check, "check", false, "copy nothing: exit status 1 if there is something to redact")
	flags.BoolVarP(&o.inPlace, "in-place", "i", false, "replace each file by what is redacted; copy nothing")
	flags.BoolVar(&o.binary, "binary", false, "with --check and --in-place: binary files as well")
	flags.StringVar(&o.report, "report", "",
		"where and how many the matches are, on stderr or to this `file`; sarif: for CI, on stdout")
	flags.Lookup("report").NoOptDefVal = standardError
	flags.BoolVar(&o.explain, "explain", false,
		"a report that says why there is each match: which name, which position")
	settings.AddChoice(c, &o.progress, "progress",
		"on stderr: auto (on a terminal that does not show the output, when it takes long), always or never",
		progressChoices()...)
	flags.BoolVar(&o.list, "list", false, "list the rules that are on, and read nothing")
	flags.BoolVar(&o.asJSON, "json", false, "with --list, --check and --in-place: an object a line, for programs")
	manual.Group(c, manual.GroupInput, "input", "binary")
	manual.Group(c, manual.GroupOutput, "check", "in-place", "report", "explain", "progress", "list", "json")
	return c
}

func (o *redactOptions) run(s streams, files []string) error {
	files = o.chooseReport(files)
	if err := o.possible(files); err != nil {
		return err
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
	return o.copy(s, rules, files)
}

// chooseReport settles the format of the report and where it goes, and returns the files to read: --report takes no
// separate argument, so that of --report sarif is among them.
func (o *redactOptions) chooseReport(files []string) []string {
	if i := slices.Index(files, "sarif"); i >= 0 && o.report == standardError {
		files, o.format = slices.Delete(files, i, i+1), findings.SARIF
	}
	switch {
	case o.list:
	case o.asJSON:
		o.format = findings.JSON
	case strings.HasSuffix(o.report, ".sarif"):
		o.format = findings.SARIF
	}
	if o.report == "" && (o.explain || o.format != findings.Text) {
		o.report = standardError
	}
	return files
}

// possible says what does not go together.
func (o *redactOptions) possible(files []string) error {
	copies := !o.check && !o.inPlace
	switch {
	case o.list && (len(files) > 0 || !copies || o.report != ""):
		return fault.Usage("--list reads nothing: files, --check, --in-place, --report and --explain do not go with it", "")
	case o.check && o.inPlace:
		return fault.Usage("--check changes nothing: --in-place does not go with it", "")
	case copies && o.asJSON && !o.list:
		return fault.Usage("--json is for --list, --check and --in-place", "")
	case copies && o.format == findings.SARIF && o.report == standardError:
		return fault.Usage("the copy is on standard output, so SARIF can't be", "--report=found.sarif, or --check")
	case copies && o.binary:
		return fault.Usage("--binary is for --check and --in-place", "")
	case o.inPlace && (len(files) == 0 || slices.Contains(files, process.StandardInput)):
		return fault.Usage("--in-place is for files", "kfw redact --in-place FILE")
	case !copies && o.settings.Given("allow-fields"):
		return fault.Usage(o.settings.Name("allow-fields")+": --check and --in-place keep all there is", "")
	case !copies:
		o.allowFields = nil
		return nil
	}
	for _, name := range files {
		if process.IsDirectory(name) {
			return fault.Usage(terminal.Word(name)+": is a directory",
				"what is in it is looked at with --check: kfw redact --check "+terminal.Printable(name))
		}
	}
	return nil
}

// copy redacts one file after another, and says at the end what was wrong with them.
func (o *redactOptions) copy(s streams, rules *redact.Rules, files []string) error {
	in := &process.Inputs{Stdin: s.in, Meter: terminal.NewMeter(s.err, o.progressOf(s))}
	run := &redactRun{redactOptions: o, streams: s, in: in, reader: redact.NewReader(nil, rules, o.input),
		found: &findings.Findings{Format: o.format, Reasons: o.explain}}
	in.Measure(files)
	if out, ok := s.out.(*process.Output); ok && !o.check && !o.inPlace {
		in.Out = out.Regular()
	}
	if o.report != "" {
		run.reader.Explain(run.found.Add)
	}
	if o.inPlace { // no file of ours is left behind
		stopped := process.CatchInterruption()
		defer stopped.Close()
		in.Stop = stopped.Came
		run.stopped = stopped
	}
	err := run.all(files)
	in.Meter.Clear()
	found := run.found
	found.Count(run.reader.Counts())
	if o.report != "" {
		err = errors.Join(err, o.write(s, found, rules))
	}
	switch {
	case o.check && len(found.Counts) > 0:
		err = errors.Join(err, &matched{found.Sum(), o.report != ""})
	case o.inPlace && found.Changed > 0:
		fmt.Fprintf(s.err, "kfw: %d of %s changed: %s\n", found.Changed, terminal.Counted(found.Files, "file"), found.Sum())
	}
	return err
}

// write writes the report: to a file, or to standard output if a program reads it, or to standard error.
func (o *redactOptions) write(s streams, found *findings.Findings, rules *redact.Rules) error {
	write := func(to io.Writer) error { return found.Write(to, rules) }
	switch {
	case o.report != standardError:
		if err := process.Replace(o.report, write); err != nil {
			return fmt.Errorf("%s: %w", o.report, fault.WithoutPath(err))
		}
		return nil
	case o.format != findings.Text:
		if err := write(s.out); err != nil {
			return &pipeline.WriteError{Err: err}
		}
		return nil
	}
	return write(s.err)
}

// redactRun is one run over files.
type redactRun struct {
	*redactOptions
	streams
	in      *process.Inputs
	reader  *redact.Reader
	found   *findings.Findings
	stopped *process.Interruption
}

// all redacts files, one after another. What can't be read is an error, and the others are redacted.
func (r *redactRun) all(files []string) error {
	var errs []error
	for name, err := range process.Walked(files) {
		if err == nil {
			err = r.one(name)
		}
		var unwritten *pipeline.WriteError
		switch {
		case errors.Is(err, process.ErrStopped):
			return errors.Join(append(errs, &process.Interrupted{Signal: r.stopped.Signal})...)
		case errors.As(err, &unwritten):
			return errors.Join(append([]error{err}, errs...)...)
		case errors.Is(err, fs.ErrNotExist) && r.report == standardError:
			err = fault.WithHint(err, "a report is written to a file that is given so: --report="+terminal.Printable(name))
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// one redacts the file of this name.
func (r *redactRun) one(name string) error {
	if err := r.in.Open(name); err != nil {
		return err
	}
	defer r.in.Close()
	if (r.check || r.inPlace) && !r.binary && r.in.IsBinary() {
		r.in.Meter.Clear()
		fmt.Fprintf(r.err, "kfw: %s: is binary: not looked at; --binary looks\n", terminal.Sayable(name))
		return nil
	}
	r.found.File = name
	r.found.Files++
	to := io.Writer(r.out)
	switch {
	case r.check:
		to = io.Discard
	case r.inPlace:
		changed, err := process.Rewrite(name, r.in, r.redact)
		if changed {
			r.found.Changed++
		}
		if err != nil && r.in.Err == nil && !errors.Is(err, process.ErrStopped) {
			err = fmt.Errorf("%s: %w", name, fault.WithoutPath(err))
		}
		return err
	}
	err := r.redact(to, r.in)
	if err != nil && r.in.Err == nil {
		return &pipeline.WriteError{Err: err}
	}
	return err
}

func (r *redactRun) redact(to io.Writer, from io.Reader) error {
	r.reader.Reset(from, r.input)
	_, err := io.Copy(to, r.reader)
	return err
}

// matched is what --check has found.
type matched struct {
	sum    string
	listed bool // where
}

func (e *matched) Error() string { return "to be redacted: " + e.sum }

// progressOf is --progress; auto shows nothing where the output is shown.
func (o *redactOptions) progressOf(s streams) string {
	if o.progress == "auto" && !o.check && !o.inPlace && s.showsOutput() {
		return "never"
	}
	return o.progress
}
