package catalogue

import (
	"iter"
	"slices"

	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Entry is what a person wants to know of a rule. A name may have several.
type Entry struct {
	Name    string
	Group   names.Group // None: on whatever the groups are
	Anchors []string    // where one of them stands the rule looks closer, in lower case; 0 is any digit
	Source  string      // of the format
	Example string      // made up; it may have several lines
}

// List yields the rules that are on, in the order in which they are asked.
func (r *Set) List() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for i := range r.Catalogue {
			x := &r.Catalogue[i]
			if x.Form == nil || x.Name == "" || x.Group != names.None && x.Group&r.Groups == names.None {
				continue
			}
			if !yield(Entry{x.Name, x.Group, slices.Clone(x.Anchors), x.Source, x.Example}) {
				return
			}
		}
	}
}
