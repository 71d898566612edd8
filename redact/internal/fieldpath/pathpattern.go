package fieldpath

import (
	"fmt"

	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Pattern is the names of a path, outermost first.
type Pattern []nameOf

// nameOf is a name in the path of a field.
type nameOf struct {
	name  string
	isAny bool // it stands for every name
}

// Parse reads the path of a field: names with dots between. A * stands for any name, and a
// backslash takes its meaning from what follows. If the path is none, reason says why.
func Parse(path string) (pattern Pattern, reason string) {
	var name []byte
	isAny, isEscaped, size := false, false, 0 // size is that of the name as it is written
	end := func() {
		switch {
		case size == 0:
			reason = "an empty name in its path"
		case len(name) > names.MaxName:
			reason = fmt.Sprintf("a name of more than %d bytes in its path", names.MaxName)
		case isAny && size > 1:
			reason = "a * in its path stands for a whole name"
		}
		pattern = append(pattern, nameOf{string(name), isAny})
		name, isAny, size = name[:0], false, 0
	}
	for _, c := range []byte(path) {
		switch {
		case isEscaped:
			name, isEscaped = append(name, c), false
		case c == '\\':
			isEscaped = true
		case c == '.':
			if end(); reason != "" {
				return nil, reason
			}
			continue
		case c == AnyName:
			isAny = true
		default:
			name = append(name, c)
		}
		size++
	}
	if end(); isEscaped && reason == "" {
		reason = "a backslash at its end"
	}
	if len(pattern) > maxDepth {
		reason = fmt.Sprintf("more than %d names in its path", maxDepth)
	}
	return pattern, reason
}
