package settings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Row is a setting as kfw config shows it.
type Row struct {
	Key     string // as kfw.yaml calls it; of what a file declares with what it belongs to: drivers.shop.timeout
	Value   any    // text, a list of texts, an Argv, a number, true or false
	Source  string // where the value comes from
	Ignored string // where kfw.yaml says something else that does not count; empty if nowhere
}

// Argv is a command line: what is redacted of an argument depends on those before it.
type Argv []string

// Rows lists the flags that kfw.yaml has keys for, with the values that flags have, and what the files declare.
// sessionValue returns the value of a flag that the session at a path holds.
func (k *Settings) Rows(flags *pflag.FlagSet, sessionValue func(path, flag string) (any, error)) ([]Row, error) {
	var all []Row
	var err error
	k.settable().VisitAll(func(f *pflag.Flag) {
		value, from := flagValue(flags.Lookup(f.Name)), k.From[f.Name]
		if slices.Contains(inSession(), f.Name) && from.Kind == FromSession && err == nil {
			value, err = sessionValue(from.Name, f.Name)
		}
		ignored := ""
		if slices.Contains(k.ignored, Key(f.Name)) {
			ignored = k.Files.here.Values[f.Name].at
		}
		all = append(all, Row{Key(f.Name), value, from.String(), ignored})
	})
	if err != nil {
		return nil, err
	}
	for _, file := range []*File{k.Files.here, k.Files.user} {
		if file == nil {
			continue
		}
		for _, row := range file.nested {
			if top, _, _ := strings.Cut(row.Key, "."); file == k.Files.here && slices.Contains(ofHooks(), top) {
				row.Ignored = row.Source // hooks read the user's
			}
			all = append(all, row)
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
	case KindNumber, KindSize:
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
	case KindFactor:
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
	case kindBool:
		return text == "true"
	case KindList:
		return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	case kindFields, kindTexts:
		if list, ok := f.Value.(pflag.SliceValue); ok {
			return list.GetSlice()
		}
	}
	return text
}
