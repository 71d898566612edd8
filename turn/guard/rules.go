package guard

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/text/unicode/norm"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn"
)

// Rules are what is denied without asking. They are a turn.Policy: calls that a rule forbids are
// blocked.
type Rules []Rule

// Rule denies a tool, or those of its calls of which an argument has a match.
type Rule struct {
	name    string         // as Normal has it
	path    string         // of an argument; empty: all calls of that name
	pattern *regexp.Regexp // of its value
	anyCase *regexp.Regexp // the same without letter case
	simple  bool           // the path is of names alone
}

// Errors of rules that can't be read.
var (
	errNoName    = errors.New("no name of a tool")
	errNoPattern = errors.New("a rule for an argument has the form NAME:PATH=~REGEXP")
	errPattern   = errors.New("not a regular expression")
)

// ParseRule reads a rule: NAME, or NAME:PATH=~REGEXP. The path is one of gjson.
func ParseRule(text string) (Rule, error) {
	name, rest, isPattern := strings.Cut(text, ":")
	if Normal(name) == "" {
		return Rule{}, errNoName
	}
	if !isPattern {
		return Rule{name: Normal(name)}, nil
	}
	path, pattern, ok := strings.Cut(rest, "=~")
	if !ok || path == "" {
		return Rule{}, errNoPattern
	}
	pattern = norm.NFC.String(pattern)
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return Rule{}, errPattern
	}
	anyCase, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		return Rule{}, errPattern
	}
	simple := !strings.ContainsAny(path, `#@*?|{}[]()!=<>%\~"`)
	return Rule{name: Normal(name), path: path, pattern: compiled, anyCase: anyCase, simple: simple}, nil
}

// Deny reports whether all calls of a name are denied.
func (rules Rules) Deny(name string) bool {
	normal := Normal(name)
	return slices.ContainsFunc(rules, func(r Rule) bool { return r.pattern == nil && r.name == normal })
}

// Forbid reports whether a complete call is denied, or one in its arguments.
func (rules Rules) Forbid(c *turn.Call) bool {
	return len(rules) > 0 && rules.forbid(c, 0)
}

func (rules Rules) forbid(c *turn.Call, depth int) bool {
	names := []string{Normal(c.Name), Normal(c.RepairedFrom)}
	return slices.ContainsFunc(rules, func(r Rule) bool {
		return slices.Contains(names, r.name) && (r.pattern == nil || r.matches(c))
	}) || rules.forbidWrapped(c, depth)
}

// matches reports whether an argument has a match, or can't be read.
func (r Rule) matches(c *turn.Call) bool {
	arguments := c.Arguments
	var found reading
	switch {
	case c.Custom && r.path == customInput:
		found.add(gjson.Parse(string(jsonx.AppendString(nil, arguments))), 0, 0)
	case !wire.Valid(arguments):
		return true
	case r.simple:
		found = valuesAt(arguments, r.path)
	default:
		found = queried(arguments, r.path)
	}
	return found.opaque || slices.ContainsFunc(found.values, r.finds)
}

func (r Rule) finds(value string) bool {
	return slices.ContainsFunc(meanings(value), func(form string) bool {
		return r.pattern.MatchString(form) || r.anyCase.MatchString(form)
	})
}

// Chunk blocks the call that waits, if a rule forbids it.
func (rules Rules) Chunk(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
	question, waits := now.Waiting()
	if waits && question.Kind == turn.AwaitVerdict && rules.Forbid(&question.Call) {
		decide(to, forbidden())
	}
}

// Others allows the complete calls that no policy before it has answered. It is a turn.Policy:
// calls that were judged are let through after all text.
type Others struct{}

// Chunk allows the call that waits.
func (Others) Chunk(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
	if question, waits := now.Waiting(); waits && question.Kind == turn.AwaitVerdict && !to.Answered() {
		decide(to, turn.Verdict{Action: turn.Allow})
	}
}

func forbidden() turn.Verdict { return turn.Verdict{Action: turn.Block, Why: "a rule forbids it"} }

// decide answers the call that waits.
func decide(to *turn.Outlet, v turn.Verdict) {
	if err := to.Decide(v); err != nil {
		to.End("policy", "an answer that does not fit the call: "+err.Error())
	}
}
