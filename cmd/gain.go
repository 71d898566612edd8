package cmd

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/gain"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/session"
)

type gainOptions struct {
	session     string
	days        int
	asJSON      bool
	html        string
	transcripts string // a directory
}

func gainCommand(s streams) *cobra.Command {
	var o gainOptions
	c := &cobra.Command{
		Use:   "gain [flags]",
		Short: "show what was saved: by command, host and day",
		Long: `gain adds up the results on the ledgers of hooks and kfw mcp: the tokens of each result, and the tokens that the
model got. Expansions and notes count against the saving, so a row may be negative. A ledger keeps its last thousand
results. Runs without a session are not counted, and neither is what a host cut before kfw saw it.

--transcripts estimates the saving in sessions that Claude Code and Codex recorded: tokens, secrets that reached the
model, and edits that redaction would have broken. It reads files and writes nothing. The estimate leaves out what a hook
knows of the question and of earlier results.`,
		Example: `  kfw gain
  kfw gain --days 7 --html gain.html
  kfw gain --session agent.kfw --json
  kfw gain --transcripts ~/.claude/projects`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return o.run(s) },
	}
	flags := c.Flags()
	flags.StringVar(&o.session, "session", "", "only what this session knows: a `file` or URL")
	flags.IntVar(&o.days, "days", 0, "only the last `N` days, today among them (by itself all)")
	flags.BoolVar(&o.asJSON, "json", false, "for programs: one JSON object")
	flags.StringVar(&o.html, "html", "", "write a page with charts to a `file`, which loads nothing")
	flags.StringVar(&o.transcripts, "transcripts", "", "look at the recorded sessions in a `directory` instead")
	manual.Group(c, manual.GroupInput, "session", "days", "transcripts")
	manual.Group(c, manual.GroupOutput, "json", "html")
	return c
}

func (o *gainOptions) run(s streams) error {
	if o.transcripts != "" {
		return o.replay(s)
	}
	if o.days < 0 {
		return fault.Usage("--days: a number of days is not below zero", "")
	}
	calls, err := o.calls()
	if err != nil {
		return err
	}
	sums := gain.Of(calls, time.Local)
	if o.html != "" {
		if err := process.Replace(o.html, sums.Page); err != nil {
			return err
		}
		if !o.asJSON {
			return writeText(s.out, sums.Sentence()+"\n")
		}
	}
	var b strings.Builder
	if o.asJSON {
		err = sums.JSON(&b)
	} else {
		err = sums.Text(&b, terminal.Printable)
	}
	if err != nil {
		return err
	}
	return writeText(s.out, b.String())
}

// calls returns the results that the sessions have on their ledgers.
func (o *gainOptions) calls() (all []gain.Call, err error) {
	paths := []string{o.session}
	if o.session == "" {
		paths = settings.Sessions()
	}
	since := time.Time{}
	if o.days > 0 {
		now := time.Now()
		since = time.Date(now.Year(), now.Month(), now.Day()-o.days+1, 0, 0, 0, 0, now.Location())
	}
	for _, path := range paths {
		file, err := openSession(path, session.Settings{})
		if err != nil {
			return nil, err
		}
		history, err := file.History()
		err = errors.Join(err, file.Close())
		switch {
		case errors.Is(err, fs.ErrNotExist) && o.session == "": // it has gone, or was never made
			continue
		case err != nil:
			return nil, err
		}
		for _, i := range history {
			if !i.Started.Before(since) {
				all = append(all, gain.Call{Host: hostOf(path), Command: i.Command, Started: i.Started,
					Read:  i.TokensIn,
					Given: i.TokensOut, Saved: i.Saved})
			}
		}
	}
	return all, nil
}

// hostOf returns the host of a session, which is the beginning of its file name.
func hostOf(path string) string {
	name := filepath.Base(path)
	for _, host := range append(hosts.Names(), "mcp") {
		if strings.HasPrefix(name, host+"-") && filepath.Base(filepath.Dir(path)) == "sessions" {
			return host
		}
	}
	return gain.Shell
}
