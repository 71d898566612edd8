package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/session"
)

func budgetCommand(s streams) *cobra.Command {
	var (
		path   string
		asJSON bool
	)
	// on runs do on the session.
	on := func(do func(*session.File) error) (err error) {
		if path == "" {
			return usage("no session", "name its file with --session or KFW_SESSION")
		}
		file := session.At(path, session.Settings{})
		defer closing(&err, file)
		if err = do(file); errors.Is(err, fs.ErrNotExist) {
			return noSession(path)
		}
		return err
	}
	c := &cobra.Command{
		Use:   "budget [flags]",
		Short: "what a session has left, and what used it",
		Long: `budget shows what a session may write in all, what was used, what running invocations have reserved and what is left, in
tokens, and the last invocations: what their responses would have cost, what was written, and the difference. What an
expansion of a handle writes is subtracted from what was saved.`,
		Example: `  kfw budget --session agent.kfw
  KFW_SESSION=agent.kfw kfw budget --json
  kfw budget set 200000 --session agent.kfw
  kfw budget reset --session agent.kfw`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			return on(func(file *session.File) error {
				status, err := file.Status()
				if err != nil {
					return err
				}
				write := writeBudget
				if asJSON {
					write = writeBudgetJSON
				}
				if err := write(s.out, status); err != nil {
					return &pipeline.WriteError{Err: err}
				}
				return nil
			})
		},
	}
	c.PersistentFlags().StringVar(&path, "session", "", "session `file`")
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.AddCommand(&cobra.Command{
		Use:     "set TOKENS",
		Short:   "change what the session may write in all; it is made if it is not there",
		Example: "  kfw budget set 200000 --session agent.kfw",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("budget set takes a number of tokens", "kfw budget set 200000 --session agent.kfw")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			tokens, err := number(1, mostTokens)(args[0])
			if err != nil {
				return usage("budget set: "+err.Error(), "kfw budget set 200000 --session agent.kfw")
			}
			return on(func(file *session.File) error { return file.SetTotal(tokens) })
		},
	}, &cobra.Command{
		Use:   "reset",
		Short: "forget what was used, as when a new context window begins",
		Long: `reset makes all of the session's budget available again, but for what invocations that still run have drawn. Handles and
the list of invocations stay.`,
		Example: "  kfw budget reset --session agent.kfw",
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return on((*session.File).Reset) },
	})
	return c
}

// noSession is the error for a session that is only asked for and not there.
func noSession(path string) error {
	return usage("no such session: "+path, "the first run that names it makes it: kfw stream --session "+path)
}

func suggested(s session.Status) budget.Mode {
	return budget.SessionPhase(s.Left, s.Total, budget.Raw)
}

func writeBudgetJSON(w io.Writer, s session.Status) error {
	type invocation struct {
		Command   string `json:"command"`
		Started   string `json:"started"`
		TokensIn  int    `json:"tokens_in"`
		TokensOut int    `json:"tokens_out"`
		Saved     int    `json:"saved"`
	}
	recent := []invocation{}
	for _, i := range s.Recent {
		recent = append(recent, invocation{i.Command, i.Started.UTC().Format("2006-01-02T15:04:05Z07:00"), i.TokensIn, i.TokensOut, i.Saved})
	}
	return json.NewEncoder(w).Encode(struct {
		Total       int          `json:"total"`
		Used        int          `json:"used"`
		Reserved    int          `json:"reserved"`
		Left        int          `json:"left"`
		Share       float64      `json:"share_left"`
		Saved       int          `json:"saved"`
		Suggested   budget.Mode  `json:"suggested_mode"`
		Counting    string       `json:"counted_by,omitempty"`
		Invocations []invocation `json:"invocations"`
	}{s.Total, s.Used, s.Reserved, s.Left, s.Share, s.Saved, suggested(s), s.Counting, recent})
}

func writeBudget(w io.Writer, s session.Status) error {
	var b strings.Builder
	const width = 40
	bar := int(s.Share * width)
	fmt.Fprintf(&b, "[%s%s] %d of %d tokens left\n", strings.Repeat("#", bar), strings.Repeat(".", width-bar), s.Left, s.Total)
	fmt.Fprintf(&b, "used %d, reserved %d, saved %d; suggested mode: %s\n", s.Used, s.Reserved, s.Saved, suggested(s))
	if s.Counting != "" {
		fmt.Fprintf(&b, "counted by %s\n", s.Counting)
	}
	for i, call := range s.Recent {
		if i == 0 {
			fmt.Fprintf(&b, "\n%-19s  %9s  %9s  %9s  %s\n", "started", "in", "out", "saved", "command")
		}
		fmt.Fprintf(&b, "%-19s  %9d  %9d  %9d  %s\n", call.Started.Local().Format("2006-01-02 15:04:05"), call.TokensIn, call.TokensOut, call.Saved, call.Command)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
