package cmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/session"
)

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
		Grant     string `json:"grant,omitempty"`
		Held      int    `json:"held,omitempty"`
		Until     string `json:"held_until,omitempty"`
	}
	recent := []invocation{}
	for _, i := range s.Recent {
		entry := invocation{Command: i.Command, Started: i.Started.UTC().Format(time.RFC3339),
			TokensIn: i.TokensIn, TokensOut: i.TokensOut, Saved: i.Saved}
		if held := i.Held; held.ID != "" {
			entry.Grant, entry.Held, entry.Until = held.ID, held.Tokens, held.Until.UTC().Format(time.RFC3339)
		}
		recent = append(recent, entry)
	}
	return terminal.WriteJSON(w, struct {
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
	if s.Total < session.NoTotal {
		const width = 40
		bar := int(s.Share * width)
		fmt.Fprintf(&b, "[%s%s] %d of %d tokens left\n",
			strings.Repeat("#", bar), strings.Repeat(".", width-bar), s.Left, s.Total)
	} else {
		b.WriteString("no total: each result has a budget of its own\n")
	}
	fmt.Fprintf(&b, "used %d, reserved %d, saved %d; suggested mode: %s\n", s.Used, s.Reserved, s.Saved, suggested(s))
	if s.Counting != "" {
		fmt.Fprintf(&b, "counted by %s\n", terminal.Printable(s.Counting))
	}
	const second = "2006-01-02 15:04:05"
	for i, call := range s.Recent {
		if i == 0 {
			fmt.Fprintf(&b, "\n%-19s  %9s  %9s  %9s  %s\n", "started", "in", "out", "saved", "command")
		}
		command := call.Command
		if held := call.Held; held.ID != "" {
			command += fmt.Sprintf(": %s holds %d until %s", held.ID, held.Tokens, held.Until.Local().Format(second))
		}
		fmt.Fprintf(&b, "%-19s  %9d  %9d  %9d  %s\n", call.Started.Local().Format(second),
			call.TokensIn, call.TokensOut, call.Saved, terminal.Printable(command))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
