package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/open"
)

type configOptions struct {
	streamOptions
	asJSON bool
}

func configCommand(s streams, known *settings.Settings) *cobra.Command {
	var o configOptions
	c := &cobra.Command{
		Use:   "config [flags]",
		Short: "what every setting is, and where it comes from",
		Long: `config shows the value that each setting has here and now, and where it comes from: a flag, a variable of
the environment, the session file, a line of kfw.yaml, or the default. Of these the first one counts that has a value.

kfw.yaml is read in the working directory and in $XDG_CONFIG_HOME/kfw (~/.config/kfw). The first one comes first, but what
it loosens counts only if it is trusted: see kfw trust --help. What does not count is shown as ignored. Its keys are the
names of the flags below with _ for -, and drivers and capabilities: see kfw invoke --help. A session in it that is
relative is relative to the directory of the file. What belongs to a session that is there (total, ttl, store_max) is the session's, unless a
flag or the environment says otherwise.`,
		Example: `  kfw config
  KFW_BUDGET=2000 kfw config --json | jq .budget.value`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return o.run(s, known, c.Flags()) },
	}
	o.addFlags(c, known)
	(&turnOptions{}).addPolicyFlags(c)
	c.Flags().BoolVar(&o.asJSON, "json", false, "for programs")
	manual.Group(c, manual.GroupOutput, "json")
	return c
}

// settable returns the flags that kfw.yaml may give a value, with their defaults.
func settable() *pflag.FlagSet {
	c := &cobra.Command{}
	(&streamOptions{}).addFlags(c, nil)
	(&turnOptions{}).addPolicyFlags(c)
	return c.Flags()
}

func (o *configOptions) run(s streams, known *settings.Settings, flags *pflag.FlagSet) (err error) {
	defer closing(&err, &o.budgeting)
	if err := o.countAsSession(); err != nil {
		return err
	}
	if err := o.askServer(); err != nil {
		return err
	}
	all, err := o.rows(known, flags)
	if err != nil {
		return err
	}
	describe, err := terminal.Describer()
	if err != nil {
		return err
	}
	write := writeConfig
	if o.asJSON {
		write = writeConfigJSON
	}
	if err := write(s.out, all, describe); err != nil {
		return &pipeline.WriteError{Err: err}
	}
	return nil
}

// rows lists the settings. Command lines are redacted, the entries of allow are of the type that is redacted in parts.
func (o *configOptions) rows(known *settings.Settings, flags *pflag.FlagSet) ([]settings.Row, error) {
	all, err := known.Rows(flags, o.sessionValue)
	if err != nil {
		return nil, err
	}
	for i, row := range all {
		switch value := row.Value.(type) {
		case settings.Argv:
			if all[i].Value, err = terminal.DescribedCommand(value); err != nil {
				return nil, err
			}
		case []string:
			if row.Key == "allow" {
				all[i].Value = allowEntries(value)
			}
		case string:
			if row.Key == "session" {
				all[i].Value = open.Shown(value)
			}
		}
	}
	return all, nil
}

// askServer lets a session on a server say what it says of itself, if it is there.
func (o *configOptions) askServer() error {
	if !session.IsURL(o.session) {
		return nil
	}
	file, err := o.file()
	if err != nil {
		return err
	}
	if _, err := file.Settings(); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, flag := range []string{"total", "ttl", "store-max"} {
		if !o.settings.Given(flag) {
			o.settings.From[flag] = settings.Origin{Kind: settings.FromSession, Name: file.Path()}
		}
	}
	return nil
}

// sessionValue returns the value of a flag that the session keeps: total, ttl or store-max.
func (o *configOptions) sessionValue(_, flag string) (value any, err error) {
	file, err := o.file()
	if err != nil {
		return nil, err
	}
	s, err := file.Settings()
	switch flag {
	case "ttl":
		return s.TTL.String(), err
	case "store-max":
		return humanize.IBytes(uint64(s.StoreMax)), err
	}
	return s.Total, err
}

func writeConfigJSON(w io.Writer, all []settings.Row, describe func(string) string) error {
	type entry struct {
		Value   any    `json:"value"`
		Source  string `json:"source"`
		Ignored string `json:"ignored,omitempty"`
	}
	byKey := make(map[string]entry)
	for _, s := range all {
		switch value := s.Value.(type) {
		case string:
			s.Value = describe(value)
		case []string:
			shown := []string{}
			for _, text := range value {
				shown = append(shown, describe(text))
			}
			s.Value = shown
		case allowEntries:
			s.Value = value.described(describe)
		}
		byKey[describe(s.Key)] = entry{s.Value, describe(s.Source), describe(s.Ignored)}
	}
	return terminal.WriteJSON(w, byKey)
}

func writeConfig(w io.Writer, all []settings.Row, describe func(string) string) error {
	rows := [][3]string{{"key", "value", "source"}}
	for _, s := range all {
		row := [3]string{s.Key, fmt.Sprint(s.Value), s.Source}
		switch {
		case s.Ignored == s.Source:
			row[2] += " (ignored)"
		case s.Ignored != "":
			row[2] += " (" + s.Ignored + " ignored)"
		}
		if list, ok := s.Value.([]string); ok {
			row[1] = strings.Join(list, ",")
		}
		list, isAllow := s.Value.(allowEntries)
		for i := range row {
			if i == 1 && isAllow {
				row[i] = terminal.Printable(strings.Join(list.described(describe), ","))
				continue
			}
			row[i] = terminal.Printable(describe(row[i]))
		}
		rows = append(rows, row)
	}
	var width [2]int
	for _, row := range rows {
		for i := range width {
			width[i] = min(max(width[i], len(row[i])), 40)
		}
	}
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "%-*s  %-*s  %s\n", width[0], row[0], width[1], row[1], row[2])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// allowEntries are those of --allow. RULE@PATH looks like an address, so both parts are described alone.
type allowEntries []string

func (a allowEntries) described(describe func(string) string) []string {
	shown := []string{}
	for _, entry := range a {
		rule, path, hasPath := strings.Cut(entry, "@")
		if entry = describe(rule); hasPath {
			entry += "@" + describe(path)
		}
		shown = append(shown, entry)
	}
	return shown
}
