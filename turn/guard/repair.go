package guard

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"github.com/kfw-dev/kfw/turn"
)

// How far a name may be from the one that it is repaired to. Further ones are more often another
// tool than a slip.
const (
	editsMax     = 2
	editsPerName = 3 // one edit for so many letters at most
	lettersMax   = 256
)

// Invalid answers calls of tools that were not offered, if no policy before it and not the program has. It is a
// turn.Policy.
type Invalid struct {
	Action  turn.Action // what becomes of them
	Allowed []string    // what they may be repaired to
	Rules   Rules       // whose tools are never repaired to or from
}

// Chunk resolves the call that waits.
func (i Invalid) Chunk(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
	question, waits := now.Waiting()
	if waits && question.Kind == turn.InvalidCall && !to.Answered() {
		resolve(to, i.resolution(question.Call.Name))
	}
}

func (i Invalid) resolution(name string) turn.Resolution {
	if i.Action != turn.Repair {
		return turn.Resolution{Action: i.Action}
	}
	if near, ok := Nearest(name, i.Allowed, i.Rules); ok {
		return turn.Resolution{Action: turn.Repair, Name: near}
	}
	return turn.Resolution{Action: turn.Fail}
}

func resolve(to *turn.Outlet, r turn.Resolution) {
	if err := to.Resolve(r); err != nil {
		if err = to.Resolve(turn.Resolution{Action: turn.Fail}); err != nil {
			to.End("policy", "an answer that does not fit the call: "+err.Error())
		}
	}
}

// Nearest returns the allowed name that the model probably meant. That is the only name with the
// same letters and digits, with or without a namespace before it; else the only name at the least
// distance, at most two edits and a third of the shorter name. It never repairs from or to a denied
// name.
func Nearest(name string, allowed []string, rules Rules) (near string, ok bool) {
	if len(name) > lettersMax || rules.Deny(name) {
		return "", false
	}
	name, _, _ = strings.Cut(name, "<|") // the mark of a channel, which some models write
	if i := strings.LastIndexByte(name, ':'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i] // others write the number of the call
	}
	for _, whole := range []string{name, withoutNamespace(name)} {
		same := func(other string) bool {
			return lettersOf(other) == lettersOf(whole) && !rules.Deny(other)
		}
		i := slices.IndexFunc(allowed, same)
		if i < 0 || lettersOf(whole) == "" || rules.Deny(whole) {
			continue
		}
		if slices.ContainsFunc(allowed[i+1:], func(other string) bool { return same(other) && other != allowed[i] }) {
			return "", false
		}
		return allowed[i], true
	}
	best := editsMax + 1
	for _, other := range allowed {
		if len(other) > lettersMax || rules.Deny(other) {
			continue
		}
		edits := levenshtein.ComputeDistance(name, other)
		letters := min(utf8.RuneCountInString(name), utf8.RuneCountInString(other))
		switch {
		case edits > editsMax || edits*editsPerName > letters || edits > best:
		case edits == best:
			ok = ok && near == other
		default:
			best, near, ok = edits, other, true
		}
	}
	if !ok {
		return "", false
	}
	return near, true
}

// lettersOf is the letters and digits of a name, without case.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// withoutNamespace is the last part of a name such as functions.add or mcp__server__add.
func withoutNamespace(name string) string {
	if i := strings.LastIndexAny(name, "./:"); i >= 0 {
		name = name[i+1:]
	}
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:]
	}
	return name
}

// mayRepair reports whether a name may be repaired to the one that a judge chose.
func mayRepair(from, to string, allowed []string, rules Rules) bool {
	return slices.Contains(allowed, to) && !rules.Deny(from) && !rules.Deny(to)
}
