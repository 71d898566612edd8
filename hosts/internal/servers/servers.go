// Package servers finds the MCP servers in the settings of an agent host, and puts a program in front of them that
// starts them.
//
// Settings are JSON with comments or TOML. An [Edit] changes the command of a server and nothing else of the file. What
// a program is wrapped in is read from the file alone, so that it is taken out again exactly, also after the host has
// written the file anew.
//
//   - servers.go: [Server], its words, and what wraps and unwraps them
//   - jsonfile.go, tomlfile.go: where the servers of a file are
package servers

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

// errSettings is the error for settings that a host could not read either. It quotes nothing of them.
var errSettings = errors.New("its settings have another form than expected")

// Server is an MCP server as the settings name it.
type Server struct {
	Name string
	// Words are the program that the host starts, and its arguments; nil for a server that is not a program.
	Words []string

	literals []span // the words as they stand in the file
	list     span   // of the arguments with its brackets, or of all words; empty if there is none
	isOne    bool   // the program is in the list
	toList   string // what stands between the program and the list: where there is none, what would
	isNext   bool   // the list stands there
}

// span is a part of a file, in bytes.
type span struct{ from, to int }

func (s span) of(source []byte) string { return string(source[s.from:s.to]) }

// Find returns the servers in settings, in the order of the file. They are the members of the objects that these keys
// lead to from the top; a key "*" is each member. The settings are TOML if isTOML, else JSON with comments.
func Find(source []byte, keys [][]string, isTOML bool) ([]Server, error) {
	if len(bytes.TrimSpace(source)) == 0 {
		return nil, nil
	}
	if isTOML {
		return inTOML(source, keys)
	}
	return inJSON(source, keys)
}

// isAt reports whether a path leads to a server below one of the keys.
func isAt(path []string, keys [][]string) bool {
	return slices.ContainsFunc(keys, func(k []string) bool {
		if len(path) != len(k)+1 {
			return false
		}
		for i := range k {
			if k[i] != "*" && k[i] != path[i] {
				return false
			}
		}
		return true
	})
}

// separator is what ends the flags of kfw mcp.
const separator = "--"

// nameFlag is the flag that says to kfw mcp what the host calls the server.
const nameFlag = "--name"

// IsKfw reports whether the host starts kfw mcp in place of the server.
func (s Server) IsKfw() bool {
	return len(s.Words) > 1 && s.Words[1] == "mcp" && strings.HasPrefix(filepath.Base(s.Words[0]), "kfw")
}

// program returns where the words have the program that kfw mcp starts; 0 if there is none.
func (s Server) program() int {
	if !s.IsKfw() {
		return 0
	}
	for i := 2; i < len(s.Words)-1; i++ {
		switch s.Words[i] {
		case nameFlag:
			i++ // a name may look like a flag
		case separator:
			return i + 1
		}
	}
	return 0
}

// Wrap returns what makes the host start kfw, with these first arguments, and kfw the server. There
// is none for a server that is not a program, and for one that is wrapped.
func (s Server) Wrap(source []byte, kfw string, arguments ...string) []Edit {
	if s.Words == nil || s.IsKfw() {
		return nil
	}
	arguments = append([]string{"mcp"}, arguments...)
	program := s.literals[0]
	if s.isOne {
		words := append([]string{kfw}, append(arguments, nameFlag, s.Name, separator)...)
		blank := blankBefore(source, program.from)
		return []Edit{{program.from, program.from, joined(words, blank) + "," + blank}}
	}
	command := Edit{program.from, program.to, quoted(kfw)}
	if s.list == (span{}) {
		// One word in place of two says that the list is kfw's own: it goes with it.
		words := append(arguments, nameFlag+"="+s.Name, separator)
		list := s.toList + "[" + joined(words, " ") + ", " + program.of(source) + "]"
		return []Edit{command, {program.to, program.to, list}}
	}
	words := append(arguments, nameFlag, s.Name, separator)
	at, blank, rest := s.list.from+1, " ", ""
	if len(s.literals) > 1 {
		at = s.literals[1].from
		blank = blankBefore(source, at)
		rest = "," + blank
	}
	return []Edit{command, {at, at, joined(words, blank) + "," + blank + program.of(source) + rest}}
}

// Unwrap returns what makes the host start the server itself. There is none for a server that is not wrapped.
func (s Server) Unwrap(source []byte) []Edit {
	at := s.program()
	if at == 0 {
		return nil
	}
	to := s.literals[at].to
	if at+1 < len(s.literals) {
		to = s.literals[at+1].from
	}
	if s.isOne {
		return []Edit{{s.literals[0].from, s.literals[at].from, ""}}
	}
	program := s.literals[0]
	command := Edit{program.from, program.to, s.literals[at].of(source)}
	isOwn := slices.Contains(s.Words[:at], nameFlag+"="+s.Name) && at == len(s.Words)-1
	if isOwn && s.isNext {
		return []Edit{command, {program.to, s.list.to, ""}}
	}
	return []Edit{command, {s.literals[1].from, to, ""}}
}

// blankBefore is what separates an element of a list from the one before: if it stands on a line of its own the white
// space of that line, else one blank.
func blankBefore(source []byte, at int) string {
	line := bytes.LastIndexByte(source[:at], '\n')
	if line < 0 || len(bytes.TrimLeft(source[line:at], " \t\n")) > 0 {
		return " "
	}
	if line > 0 && source[line-1] == '\r' {
		line--
	}
	return string(source[line:at])
}

func joined(words []string, blank string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = quoted(w)
	}
	return strings.Join(all, ","+blank)
}

// quoted is a string of JSON, which is one of TOML, too.
func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string and a buffer have no errors
	return strings.TrimSuffix(b.String(), "\n")
}

// Edit puts a text in the place of the bytes of a file from From to To.
type Edit struct {
	From, To int
	Text     string
}

// Apply returns a file with all edits made, which are given in the places that the file has before.
func Apply(source []byte, edits []Edit) []byte {
	edits = slices.SortedStableFunc(slices.Values(edits), func(a, b Edit) int { return a.From - b.From })
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		b.Write(source[at:e.From])
		b.WriteString(e.Text)
		at = e.To
	}
	b.Write(source[at:])
	return b.Bytes()
}
