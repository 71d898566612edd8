package cmd

import (
	"errors"
	"io"
	"io/fs"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/open"
)

// budgetOptions are what budget and its subcommands share.
type budgetOptions struct {
	streams
	settings *settings.Settings
	session  string
	total    int // of a session that the command makes
	asJSON   bool
}

func budgetCommand(s streams, known *settings.Settings) *cobra.Command {
	o := &budgetOptions{streams: s, settings: known}
	c := &cobra.Command{
		Use:   "budget [flags]",
		Short: "what a session has left and what used it; allocate and spend by hand",
		Long: `budget shows what a session may write in all, what was used, what running invocations
and held grants have reserved and what is left, in tokens, and the last invocations: what their
responses would have cost, what was written, and the difference. What an expansion of a handle
writes is subtracted from what was saved. Grants that are held are listed until they end.

Its subcommands are the budget manager for scripts, and for tools that do not write through kfw:
allocate, spend, release and mode. With --json each subcommand writes one JSON object in a line.`,
		Example: `  kfw budget --session agent.kfw
  KFW_SESSION=agent.kfw kfw budget --json
  kfw budget set 200000 --session agent.kfw
  kfw budget spend 1200 --note 'the answer of the model' --session agent.kfw`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			return o.on(func(file session.Session) error {
				status, err := file.Status()
				if err != nil {
					return err
				}
				if o.asJSON {
					return o.write(func(w io.Writer) error { return writeBudgetJSON(w, status) })
				}
				return o.write(func(w io.Writer) error { return writeBudget(w, status) })
			})
		},
	}
	c.PersistentFlags().StringVar(&o.session, "session", "", "session `file` or URL")
	c.PersistentFlags().BoolVar(&o.asJSON, "json", false, "for programs")
	show := &cobra.Command{Use: "show", Aliases: []string{"list", "ls"}, Short: "the same as kfw budget",
		Args: noArguments,
		RunE: c.RunE}
	c.AddCommand(show, o.allocateCommand(), o.spendCommand(), o.releaseCommand(), o.modeCommand(),
		o.setCommand(), o.resetCommand())
	return c
}

func (o *budgetOptions) setCommand() *cobra.Command {
	const example = "kfw budget set 200000 --session agent.kfw"
	return &cobra.Command{
		Use:   "set TOKENS",
		Short: "change what the session may write in all",
		Long: `set changes what the session may write in all, and makes the session if it is not
there. With --json it writes what kfw budget --json does.`,
		Example:           "  " + example,
		Args:              oneArgument("budget set takes a number of tokens", example),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			tokens, err := settings.WholeNumber(1, mostTokens)(args[0])
			if err != nil {
				return fault.Usage("budget set: "+err.Error(), example)
			}
			return o.change(func(file session.Session) error { return file.SetTotal(tokens) })
		},
	}
}

func (o *budgetOptions) resetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reset",
		Short: "forget what was used, as when a new context window begins",
		Long: `reset makes all of the session's budget available again, except what invocations that
still run have drawn and what held grants reserve. Handles and the list of invocations stay. With
--json it writes what kfw budget --json does.`,
		Example: "  kfw budget reset --session agent.kfw",
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return o.change(session.Session.Reset) },
	}
}

// on runs do on the session.
func (o *budgetOptions) on(do func(session.Session) error) (err error) {
	if o.session == "" {
		return fault.Usage("no session", "name its file with --session or KFW_SESSION")
	}
	file, err := openSession(o.session, session.Settings{Total: o.total})
	if err != nil {
		return err
	}
	defer closing(&err, file)
	if err = do(file); errors.Is(err, fs.ErrNotExist) {
		return noSession(open.Shown(o.session))
	}
	return err
}

// change runs do on the session and, with --json, writes the state after it.
func (o *budgetOptions) change(do func(session.Session) error) error {
	return o.on(func(file session.Session) error {
		if err := do(file); err != nil || !o.asJSON {
			return err
		}
		status, err := file.Status()
		if err != nil {
			return err
		}
		return o.write(func(w io.Writer) error { return writeBudgetJSON(w, status) })
	})
}

func (o *budgetOptions) write(write func(io.Writer) error) error {
	if err := write(o.out); err != nil {
		return &pipeline.WriteError{Err: err}
	}
	return nil
}

func (o *budgetOptions) writeJSON(object any) error {
	return o.write(func(w io.Writer) error { return terminal.WriteJSON(w, object) })
}

// addTotalFlag adds the flag of those subcommands that make a session.
func (o *budgetOptions) addTotalFlag(c *cobra.Command) {
	c.Flags().Var(settings.NewParsed(&o.total, strconv.Itoa(session.DefaultTotal), settings.KindNumber,
		settings.WholeNumber(1, mostTokens)), "total",
		"tokens of a session that this run creates")
}

// oneArgument accepts exactly one argument.
func oneArgument(what, example string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fault.Usage(what, example)
		}
		return nil
	}
}

// noSession is the error for a session that is only asked for and not there.
func noSession(path string) error {
	return fault.Usage("no such session: "+path, "the first run that names it makes it: kfw stream --session "+path)
}

// modeOf returns the mode that a session suggests for the mode asked.
func modeOf(a budget.Account, asked budget.Mode) budget.Mode {
	return budget.SessionPhase(a.Left(), a.Total, asked)
}
