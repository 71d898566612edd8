package selection

import (
	"fmt"
	"strings"
)

// Fields is the fields of a record that are kept: a tree of their names.
type Fields struct {
	fields map[string]*Fields // nil: all that is below
}

const (
	maxPath     = 32  // names in a path
	maxFieldRaw = 512 // bytes of a key as it is written, quotes included; a longer one is not asked for
)

// Parse returns the tree of dotted paths, or nil if there are none. No error quotes a path.
func Parse(paths []string) (*Fields, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	root := &Fields{fields: make(map[string]*Fields)}
	for i, path := range paths {
		names := strings.Split(path, ".")
		if len(names) > maxPath {
			return nil, fmt.Errorf("field %d: more than %d names", i+1, maxPath)
		}
		at := root
		for j, name := range names {
			if name == "" {
				return nil, fmt.Errorf("field %d: an empty name", i+1)
			}
			if len(name) > maxFieldRaw/6 {
				return nil, fmt.Errorf("field %d: a name of more than %d bytes", i+1, maxFieldRaw/6)
			}
			if at.fields == nil { // a shorter path keeps it already
				break
			}
			next, ok := at.fields[name]
			if !ok {
				next = &Fields{fields: make(map[string]*Fields)}
				at.fields[name] = next
			}
			if j == len(names)-1 {
				next.fields = nil
			}
			at = next
		}
	}
	return root, nil
}
