package guard

import (
	"slices"
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

// Nearest returns the name that another one was meant to be: at most two edits from it and a third
// of the shorter one, the only one as near, and never to or from a name that is denied.
func Nearest(name string, allowed []string, rules Rules) (near string, ok bool) {
	if len(name) > lettersMax || rules.Deny(name) {
		return "", false
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

// mayRepair reports whether a name may be repaired to the one that a judge chose.
func mayRepair(from, to string, allowed []string, rules Rules) bool {
	return slices.Contains(allowed, to) && !rules.Deny(from) && !rules.Deny(to)
}
