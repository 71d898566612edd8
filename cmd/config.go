package cmd

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/session"
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

// setting is one line of kfw config.
type setting struct {
	key     string
	value   any
	source  string
	ignored string // where kfw.yaml says something else that does not count; empty if nowhere
}

func (o *configOptions) run(s streams, known *settings.Settings, flags *pflag.FlagSet) (err error) {
	defer closing(&err, &o.budgeting)
	if err := o.countAsSession(); err != nil {
		return err
	}
	all, err := o.settings(known, flags)
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

// settings lists the flags that kfw.yaml has keys for, and what it declares.
func (o *configOptions) settings(known *settings.Settings, flags *pflag.FlagSet) (all []setting, err error) {
	settable().VisitAll(func(f *pflag.Flag) {
		value, from := flagValue(flags.Lookup(f.Name)), known.From[f.Name]
		if slices.Contains(settings.InSession(), f.Name) && from.Kind == settings.FromSession && err == nil {
			value, err = sessionValue(from.Name, f.Name)
		}
		ignored := ""
		if list, ok := value.([]string); ok && f.Name == "allow" {
			value = allowEntries(list)
		}
		if slices.Contains(known.Ignored, settings.Key(f.Name)) {
			ignored = known.Files.Here.Values[f.Name].At
		}
		all = append(all, setting{settings.Key(f.Name), value, from.String(), ignored})
	})
	if err != nil {
		return all, err
	}
	for _, file := range []*settings.File{known.Files.Here, known.Files.User} {
		if file == nil {
			continue
		}
		for _, row := range file.Nested {
			if line, ok := row.Value.(settings.Argv); ok {
				if row.Value, err = terminal.DescribedCommand(line); err != nil {
					return nil, err
				}
			}
			s := setting{row.Key, row.Value, row.At, ""}
			if top, _, _ := strings.Cut(row.Key, "."); file == known.Files.Here && slices.Contains(ofHooks(), top) {
				s.ignored = row.At // hooks read the user's
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// ofHooks are the keys that count in the user's configuration alone.
func ofHooks() []string { return []string{"hooks", "spill", "repeats"} }

// flagValue is the value of a flag as JSON has it.
func flagValue(f *pflag.Flag) any {
	text := f.Value.String()
	switch f.Value.Type() {
	case settings.KindNumber, settings.KindSize:
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
	case settings.KindFactor:
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
	case settings.KindBool:
		return text == "true"
	case settings.KindList:
		return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	case settings.KindFields, settings.KindTexts:
		if list, ok := f.Value.(pflag.SliceValue); ok {
			return list.GetSlice()
		}
	}
	return text
}

// sessionValue is what a session says of one of the flags in settings.InSession.
func sessionValue(path, flag string) (value any, err error) {
	file := session.At(path, session.Settings{})
	defer closing(&err, file)
	s, err := file.Settings()
	switch flag {
	case "ttl":
		return s.TTL.String(), err
	case "store-max":
		return humanize.IBytes(uint64(s.StoreMax)), err
	}
	return s.Total, err
}

func writeConfigJSON(w io.Writer, all []setting, describe func(string) string) error {
	type entry struct {
		Value   any    `json:"value"`
		Source  string `json:"source"`
		Ignored string `json:"ignored,omitempty"`
	}
	byKey := make(map[string]entry)
	for _, s := range all {
		switch value := s.value.(type) {
		case string:
			s.value = describe(value)
		case []string:
			shown := []string{}
			for _, text := range value {
				shown = append(shown, describe(text))
			}
			s.value = shown
		case allowEntries:
			s.value = value.described(describe)
		}
		byKey[describe(s.key)] = entry{s.value, describe(s.source), describe(s.ignored)}
	}
	return terminal.WriteJSON(w, byKey)
}

func writeConfig(w io.Writer, all []setting, describe func(string) string) error {
	rows := [][3]string{{"key", "value", "source"}}
	for _, s := range all {
		row := [3]string{s.key, fmt.Sprint(s.value), s.source}
		switch {
		case s.ignored == s.source:
			row[2] += " (ignored)"
		case s.ignored != "":
			row[2] += " (" + s.ignored + " ignored)"
		}
		if list, ok := s.value.([]string); ok {
			row[1] = strings.Join(list, ",")
		}
		list, isAllow := s.value.(allowEntries)
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
