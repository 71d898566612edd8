package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/fieldpath"
)

// AllowError reports an invalid entry of Allow.
type AllowError struct {
	Index  int // in the list
	Reason string
	Hint   string
}

// Error implements error. It quotes nothing of the entry.
func (e *AllowError) Error() string { return fmt.Sprintf("entry %d: %s", e.Index+1, e.Reason) }

// allowed are the matches that the caller allows.
type allowed struct {
	rules map[string]bool                // everywhere
	paths map[string][]fieldpath.Pattern // by the name of the rule
}

// newAllowed reads entries RULE and RULE@PATH.
func newAllowed(entries []string) (a allowed, err error) {
	if len(entries) == 0 {
		return a, nil
	}
	a.rules, a.paths = make(map[string]bool), make(map[string][]fieldpath.Pattern)
	for i, entry := range entries {
		rule, path, hasPath := strings.Cut(entry, "@")
		switch {
		case strings.ContainsRune(rule, fieldpath.AnyName):
			return a, &AllowError{i, "a rule is named as a whole: * stands for a name in a path", allowHint}
		case rule == "":
			return a, &AllowError{i, "it names no rule", allowHint}
		case !hasPath:
			a.rules[rule] = true
			continue
		}
		pattern, reason := fieldpath.Parse(path)
		if reason != "" {
			return a, &AllowError{i, reason, allowHint}
		}
		a.paths[rule] = append(a.paths[rule], pattern)
	}
	return a, nil
}

const allowHint = "an entry is RULE or RULE@PATH, as kfw redact --explain shows them"

// check reports the first entry that names no rule of the catalogue.
func (a *allowed) check(entries []string, catalogue []detect.Rule) error {
	for i, entry := range entries {
		name, _, _ := strings.Cut(entry, "@")
		isRule := func(x detect.Rule) bool { return x.Name == name && x.Form != nil }
		if name != chosenField && !slices.ContainsFunc(catalogue, isRule) {
			return &AllowError{i, "there is no such rule", "kfw redact --list shows the rules"}
		}
	}
	return nil
}

// patterns returns, by rule of the catalogue, the paths at which its matches are allowed; nil if
// there are no such paths.
func (a *allowed) patterns(catalogue []detect.Rule) [][]fieldpath.Pattern {
	if len(a.paths) == 0 {
		return nil
	}
	all := make([][]fieldpath.Pattern, len(catalogue))
	for i := range catalogue {
		all[i] = a.paths[catalogue[i].Name]
	}
	return all
}
