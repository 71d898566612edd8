package redact

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/redact/detect"
	"github.com/kfw-dev/kfw/redact/fieldpath"
	"github.com/kfw-dev/kfw/redact/match"
	"github.com/kfw-dev/kfw/redact/names"
)

// AllowError reports an invalid entry of Allow.
type AllowError struct {
	Index  int // in the list
	Reason string
	Hint   string
}

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

// lets reports whether a match of the rule is allowed at the current path.
func (f *filter) lets(rule int) bool {
	return !f.state.isInLine() && f.paths.areAllowed(rule, f.paths.current)
}

// isInLine reports whether the filter is in a line of text, or in what a broken line of JSON ends with.
func (s lexState) isInLine() bool { return s == inText || s == swallowLine }

// areAllowed reports whether a match of the rule is allowed at the path.
func (p *fieldPaths) areAllowed(rule int, at *fieldpath.Path) bool {
	return p.allowed != nil && slices.ContainsFunc(p.allowed[rule], at.Is)
}

// followPath makes the filter follow the path of the current field.
func (f *filter) followPath() {
	if f.paths.current == nil {
		f.paths.current, f.paths.held = fieldpath.New(), fieldpath.New()
		f.text.name.member = make([]byte, 0, names.MaxName)
	}
}

// pathHere returns the path of a match where the filter stands.
func (f *filter) pathHere() string {
	if f.paths.current == nil || f.state.isInLine() {
		return ""
	}
	return f.paths.current.String()
}

// inherits makes f a filter of what stands in the text that outer are matches of, which is at one path as a whole.
func (f *filter) inherits(outer *match.Set) {
	f.paths.current, f.paths.held = nil, nil
	f.text.name.member, f.text.matches.Lets = nil, outer.Lets
}

// fieldPaths are the paths of the fields that a filter is in.
type fieldPaths struct {
	allowed [][]fieldpath.Pattern // where each rule is allowed to leave its matches, by rule
	current *fieldpath.Path       // of the current key or value; nil if no rule depends on a path
	held    *fieldpath.Path       // of the value that is held
}
