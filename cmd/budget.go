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
	c := &cobra.Command{
		Use:   "budget [flags]",
		Short: "what a session has left, and what used it",
		Example: `  kfw budget --session agent.kfw
  KFW_SESSION=agent.kfw kfw budget --json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) (err error) {
			if path == "" {
				return usage("no session", "name its file with --session or KFW_SESSION")
			}
			file := session.At(path, session.Settings{})
			defer closing(&err, file)
			status, err := file.Status()
			if errors.Is(err, fs.ErrNotExist) {
				return usage("no such session: "+path, "a session is made by the first run that names it: kfw stream --session "+path)
			}
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
		},
	}
	c.Flags().StringVar(&path, "session", "", "session `file`")
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	return c
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
		Suggested   budget.Mode  `json:"suggested_mode"`
		Invocations []invocation `json:"invocations"`
	}{s.Total, s.Used, s.Reserved, s.Left, s.Share, suggested(s), recent})
}

func writeBudget(w io.Writer, s session.Status) error {
	var b strings.Builder
	const width = 40
	bar := int(s.Share * width)
	fmt.Fprintf(&b, "[%s%s] %d of %d tokens left\n", strings.Repeat("#", bar), strings.Repeat(".", width-bar), s.Left, s.Total)
	fmt.Fprintf(&b, "used %d, reserved %d; suggested mode: %s\n", s.Used, s.Reserved, suggested(s))
	for i, call := range s.Recent {
		if i == 0 {
			fmt.Fprintf(&b, "\n%-19s  %9s  %9s  %9s  %s\n", "started", "in", "out", "saved", "command")
		}
		fmt.Fprintf(&b, "%-19s  %9d  %9d  %9d  %s\n", call.Started.Local().Format("2006-01-02 15:04:05"), call.TokensIn, call.TokensOut, call.Saved, call.Command)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
