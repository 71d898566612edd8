package commands

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// isProgram says whether name is that of a program that takes a password as one of its arguments.
func isProgram(name []byte) bool {
	return names.Commands().Programs[string(name)] || string(name) == "sqlplus"
}

// ProgramName is the form of the name of a program that takes a password as one of its arguments.
// It finds nothing: what matters is where the name stands.
type ProgramName struct{}

// Find implements names.Form: it finds nothing.
func (ProgramName) Find(names.Window, int, int) names.Finding { return names.Finding{} }

// Excludes implements detect.Excluder: it is all of a string, or the line goes on, or it is an item
// of YAML.
func (ProgramName) Excludes(b []byte, at, to int) bool {
	if to >= len(b) || b[to] == '"' {
		return false
	}
	return !names.IsContinued(b) && !isItem(b[:at])
}

// isItem reports whether before, on a line of YAML, begins an item of a list and has nothing of it
// but a path and a quote.
func isItem(before []byte) bool {
	before = before[:(lex.NameOfKey|lex.Slash).RunBack(before, len(before), structure.MaxArgument)]
	before = bytes.TrimRight(before, `"'`)
	return bytes.HasSuffix(before, []byte("- "))
}

// Anchors returns the names of programs that lists of arguments may have.
func (ProgramName) Anchors() []string {
	all := []string{"sqlplus"}
	for name, isInLists := range names.Commands().Programs {
		if isInLists {
			all = append(all, names.FoldDigits(strings.ToLower(name)))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// IsArgumentOf says whether the string line[start:end] is of an array, and names such a program.
func IsArgumentOf(line []byte, start, end int) bool {
	before := bytes.TrimRight(line[:start-1], " \t\r\n")
	isElement := len(before) == 0 || before[len(before)-1] == '[' || before[len(before)-1] == ','
	name := line[start:end]
	return isElement && isProgram(names.ProgramIn(name))
}

// IsItemOfProgram reports whether a line is an item of a list of YAML that names a program.
func IsItemOfProgram(line []byte) bool {
	y := names.ReadYAML(line, 0)
	return y.IsItem && len(y.Key) == 0 && isProgram(names.ProgramIn(y.Value))
}
