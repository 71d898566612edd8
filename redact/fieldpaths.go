package redact

import (
	"slices"

	"github.com/kfw-dev/kfw/redact/internal/fieldpath"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/report"
)

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
		f.paths.current = fieldpath.New()
		for i := range f.paths.held {
			f.paths.held[i] = fieldpath.New()
		}
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
	f.paths.current = nil
	f.text.name.member, f.text.matches.Lets = nil, outer.Lets
}

// fieldPaths are the paths of the fields that a filter is in.
type fieldPaths struct {
	allowed [][]fieldpath.Pattern             // where each rule is allowed to leave its matches, by rule
	current *fieldpath.Path                   // of the current key or value; nil if no rule depends on a path
	held    [report.MaxValues]*fieldpath.Path // of the values that are held
}
