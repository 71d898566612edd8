package commands

import "github.com/kfw-dev/kfw/redact/internal/names"

// Argv is a command line whose arguments are the items of a list of YAML.
type Argv struct {
	Line
	Indent int // of the items, in characters
}

// ReadLine goes on after a line, which begins after so many characters.
func (a *Argv) ReadLine(line []byte, indent int) {
	y := names.ReadYAML(line, indent)
	switch {
	case len(y.Value) == 0 && len(y.Key) == 0:
	case !y.IsItem || len(y.Key) > 0 || a.IsOpen() && y.Indent != a.Indent:
		a.End()
	default:
		a.Indent = y.Indent
		a.Add(names.Unquoted(y.Value))
	}
}
