package guard

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/wire"
)

// Rules are what is denied without asking. They are a turn.Policy: calls that a rule forbids are
// blocked.
type Rules []Rule

// Rule denies a tool, or those of its calls of which an argument has a match.
type Rule struct {
	name    string         // as Normal has it
	path    string         // of an argument; empty: all calls of that name
	pattern *regexp.Regexp // of its value
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
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return Rule{}, errPattern
	}
	return Rule{name: Normal(name), path: path, pattern: compiled, simple: !strings.ContainsAny(path, `#@*?|{}[]()!=<>%\~"`)}, nil
}

// Deny reports whether all calls of a name are denied.
func (rules Rules) Deny(name string) bool {
	normal := Normal(name)
	return slices.ContainsFunc(rules, func(r Rule) bool { return r.pattern == nil && r.name == normal })
}

// Forbid reports whether a call is denied. The question is an AwaitVerdict.
func (rules Rules) Forbid(question *turn.Event) bool {
	names := []string{Normal(question.Name), Normal(question.RepairedFrom)}
	return slices.ContainsFunc(rules, func(r Rule) bool {
		return slices.Contains(names, r.name) && (r.pattern == nil || r.matches(question))
	})
}

// matches reports whether an argument has a match, or can't be read.
func (r Rule) matches(question *turn.Event) bool {
	arguments := question.Arguments
	switch {
	case question.Custom && r.path == customInput:
		return r.finds(arguments)
	case !wire.Valid(arguments):
		return true
	}
	values, opaque := valuesAt(arguments, r.path)
	if !r.simple {
		var read bool
		values, read = queried(arguments, r.path)
		opaque = !read
	}
	return opaque || slices.ContainsFunc(values, r.finds)
}

func (r Rule) finds(value string) bool {
	return slices.ContainsFunc(forms(value), r.pattern.MatchString)
}

// Chunk blocks the call that waits, if a rule forbids it.
func (rules Rules) Chunk(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
	question, waits := now.Waiting()
	if waits && question.Kind == turn.AwaitVerdict && rules.Forbid(&question) {
		decide(to, forbidden())
	}
}

// Others allows the complete calls that no policy before it has answered. It is a turn.Policy:
// calls that were judged are let through after all text.
type Others struct{}

// Chunk allows the call that waits.
func (Others) Chunk(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
	if question, waits := now.Waiting(); waits && question.Kind == turn.AwaitVerdict {
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

// queried returns the values that a path of gjson with queries leads to: in the arguments as they
// are, and in what else a tool may read of them, with small letters in names, too. It reports
// whether all of it is objects.
func queried(arguments, path string) (values []string, read bool) {
	objects, read := objectsOf(gjson.Parse(arguments), 0)
	for _, object := range objects {
		for _, of := range []struct{ json, path string }{{object, path}, {lastMembers(object), path},
			{smallNames(object), smallPath(path)}, {lastMembers(smallNames(object)), smallPath(path)}} {
			found := reading{}
			if value := gjson.Get(of.json, of.path); value.Exists() {
				found.add(value, 0, 0)
			}
			values = append(values, found.values...)
		}
	}
	return values, read
}
