package hosts

import (
	"path"
	"slices"
	"strings"
)

// Treatment is what is done with the results of a tool.
type Treatment uint8

const (
	ByTool Treatment = iota // Redact for reads, Full for all others
	Full                    // redacted, and shortened to the budget
	Redact                  // redacted: the same lines with the same numbers, whatever their size
	Off                     // passed as they are
)

// Treatments returns the names of the treatments that a user can choose, in their order.
func Treatments() []string { return []string{"full", "redact", "off"} }

// ParseTreatment returns the treatment with this name.
func ParseTreatment(name string) (Treatment, bool) {
	i := slices.Index(Treatments(), name)
	return Treatment(i + 1), i >= 0
}

// DefaultFloor is the size up to which no result is shortened, in tokens: below it a summary and the line that
// names the handle save too little for the detail they cost.
const DefaultFloor = 1000

// Policy is what is done with the results of the tools that a pattern names.
type Policy struct {
	Pattern   string // a name, or a glob with * and ?
	Treatment Treatment
	Budget    int // tokens; 0 for that of the filter
	Floor     int // tokens; less than 0 for the default
}

// ValidPattern reports whether a pattern can match anything.
func ValidPattern(pattern string) bool {
	_, err := path.Match(pattern, "")
	return err == nil && pattern != ""
}

// Policies are those of the user's configuration, in its order.
type Policies []Policy

// For returns the policy of a tool: the one of its name, else the first whose pattern matches, else the default.
// isRead says that its results are files, or feed an edit.
func (p Policies) For(tool string, isRead bool) Policy {
	found := Policy{Floor: -1}
	i := slices.IndexFunc(p, func(x Policy) bool { return x.Pattern == tool })
	if i < 0 {
		i = slices.IndexFunc(p, func(x Policy) bool {
			matched, err := path.Match(x.Pattern, strings.ReplaceAll(tool, "/", "_")) // * is for any part of a name
			return err == nil && matched
		})
	}
	if i >= 0 {
		found = p[i]
	}
	switch {
	case found.Treatment != ByTool:
	case isRead:
		found.Treatment = Redact
	default:
		found.Treatment = Full
	}
	if found.Floor < 0 {
		found.Floor = DefaultFloor
	}
	return found
}
