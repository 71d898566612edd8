package cmd

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/redact"
)

type countOptions struct {
	counting
	settings *settings.Settings
	budget   int // tokens; 0 for no bound
	asJSON   bool
}

func countCommand(s streams, known *settings.Settings) *cobra.Command {
	o := countOptions{settings: known}
	c := &cobra.Command{
		Use:   "count [flags] [FILE...]",
		Short: "count tokens, of files or of standard input",
		Long: `count writes how many tokens each file is, as wc does with lines, and the total of several; - is standard input. With
--budget the exit status says whether the total is within it. The text is counted as it is: nothing is redacted, and
invalid UTF-8 counts as U+FFFD.`,
		Example: `  kfw count --tokenizer o200k_base prompt.md notes/*.md
  git diff | kfw count --tokenizer gpt-5 --budget 8000 || echo too long
  kfw count --tokenizer o200k_base --token-factor 1.2 < page.html`,
		RunE: func(_ *cobra.Command, files []string) error { return o.run(s, files) },
	}
	o.addFlags(c)
	c.Flags().Var(settings.NewParsed(&o.budget, "0", settings.KindNumber, settings.WholeNumber(0, mostTokens)),
		"budget",
		"exit with status 1 if the total is more than so many tokens (0 is no bound)")
	c.Flags().BoolVar(&o.asJSON, "json", false, "for programs: one JSON object a line")
	manual.Group(c, manual.GroupBudget, "budget")
	manual.Group(c, manual.GroupOutput, "json")
	return c
}

// overBudget is a count that is more than --budget.
type overBudget struct{ tokens, budget int }

func (e *overBudget) Error() string {
	return fmt.Sprintf("over budget: %s of at most %d", terminal.Counted(e.tokens, "token"), e.budget)
}

func (o *countOptions) run(s streams, files []string) (err error) {
	if len(files) == 0 {
		if term.IsTerminal(int(s.in.Fd())) {
			return fault.Usage("nothing to read: standard input is a terminal", "kfw count FILE, or kfw count < FILE")
		}
		files = []string{process.StandardInput}
	}
	stderrRules, err := terminal.RulesOf(redact.All)
	if err != nil {
		return err
	}
	if err := o.open(s.err, stderrRules, o.settings.Name("tokenizer")); err != nil {
		return err
	}
	defer closing(&err, &o.counting)
	in := &process.Inputs{Stdin: s.in, Meter: terminal.NewMeter(s.err, "never")}
	total, unread := 0, []error(nil)
	for _, name := range files {
		tokens, err := o.count(in, name)
		if failed := budget.Err(o.opened.Counter()); failed != nil {
			return errors.Join(append(unread, failed)...)
		}
		if err != nil {
			unread = append(unread, err)
			continue
		}
		total += tokens
		if err := o.write(s.out, tokens, name, len(files) == 1 && name == process.StandardInput); err != nil {
			return err
		}
	}
	if len(files) > 1 && !o.asJSON {
		if err := o.write(s.out, total, "total", false); err != nil {
			return err
		}
	}
	if len(unread) > 0 {
		return errors.Join(unread...)
	}
	// What kfw.yaml says is the budget of a run, not of a file.
	if o.budget > 0 && o.settings.Given("budget") && total > o.budget {
		return &overBudget{total, o.budget}
	}
	return nil
}

// count returns the tokens of a file. Every file gets a counter of its own: one that was seen before does not matter.
func (o *countOptions) count(in *process.Inputs, name string) (tokens int, err error) {
	if err := in.Open(name); err != nil {
		return 0, err
	}
	defer in.Close()
	tally, err := o.opened.Tally()
	if err != nil {
		return 0, err
	}
	if _, err := io.Copy(tally, in); err != nil {
		return 0, err
	}
	return budget.Scale(tally.Tokens(), o.factor), nil
}

func (o *countOptions) write(to io.Writer, tokens int, name string, alone bool) error {
	if o.asJSON {
		counted := struct {
			File       string `json:"file"`
			Tokens     int    `json:"tokens"`
			IsEstimate bool   `json:"estimate,omitempty"`
		}{terminal.Sayable(name), tokens, o.isEstimate()}
		if err := terminal.WriteJSON(to, counted); err != nil {
			return &pipeline.WriteError{Err: err}
		}
		return nil
	}
	line := strconv.Itoa(tokens)
	if !alone {
		line = fmt.Sprintf("%8d %s", tokens, terminal.Printable(terminal.Sayable(name)))
	}
	if o.isEstimate() {
		line += " (estimate)"
	}
	if _, err := io.WriteString(to, line+"\n"); err != nil {
		return &pipeline.WriteError{Err: err}
	}
	return nil
}
