package servers

import (
	"bytes"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlFile is settings in TOML while they are read.
type tomlFile struct {
	source []byte
	parser unstable.Parser
	keys   [][]string
	all    []*tomlServer
}

// tomlServer is a server, whose members may stand in several places of the file.
type tomlServer struct {
	path      []string
	isBroken  bool // its words are not all strings
	program   tomlWord
	arguments []tomlWord
	list      span   // of the arguments
	key       int    // where the key of the arguments begins
	before    string // what would stand before that key after the program
	isInline  bool   // the members stand in an inline table
}

type tomlWord struct {
	span
	text string
}

func inTOML(source []byte, keys [][]string) ([]Server, error) {
	f := &tomlFile{source: source, keys: keys}
	f.parser.Reset(source)
	var table []string
	for f.parser.NextExpression() {
		e := f.parser.Expression()
		switch e.Kind {
		case unstable.Table:
			table, _ = f.keyOf(e)
			f.server(table)
		case unstable.ArrayTable:
			table = []string{""} // no server is an element of an array
		case unstable.KeyValue:
			f.member(table, e, false)
		}
	}
	if f.parser.Error() != nil {
		return nil, errSettings // its own error may quote the file
	}
	all := make([]Server, len(f.all))
	for i, s := range f.all {
		all[i] = s.found(source)
	}
	return all, nil
}

// keyOf returns the parts of a key, and where each stands.
func (f *tomlFile) keyOf(e *unstable.Node) (names []string, at []span) {
	for key := e.Key(); key.Next(); {
		raw := key.Node().Raw
		names = append(names, string(key.Node().Data))
		at = append(at, span{int(raw.Offset), int(raw.Offset + raw.Length)})
	}
	return names, at
}

// server returns the server at a path, or nil if there is none.
func (f *tomlFile) server(path []string) *tomlServer {
	if !isAt(path, f.keys) {
		return nil
	}
	for _, s := range f.all {
		if slices.Equal(s.path, path) {
			return s
		}
	}
	s := &tomlServer{path: slices.Clone(path)}
	f.all = append(f.all, s)
	return s
}

// member reads a key and its value. isInline says that they stand in an inline table.
func (f *tomlFile) member(table []string, e *unstable.Node, isInline bool) {
	names, keys := f.keyOf(e)
	path := append(table[:len(table):len(table)], names...)
	value := e.Value()
	if value.Kind == unstable.InlineTable {
		f.server(path)
		for members := value.Children(); members.Next(); {
			if members.Node().Kind == unstable.KeyValue {
				f.member(path, members.Node(), true)
			}
		}
		return
	}
	last := len(path) - 1
	s := f.server(path[:last])
	if s == nil {
		return
	}
	place := f.valueOf(e, keys[len(keys)-1])
	switch path[last] {
	case "command":
		s.isBroken = !s.program.read(value)
		s.before = blankBefore(f.source, keys[0].from)
		if !isInline {
			s.before = f.feedBefore(keys[0].from)
		}
		s.before += string(f.source[keys[0].from:keys[len(keys)-1].from])
		s.isInline = isInline
	case "args":
		s.list, s.key = place, keys[0].from
		s.isBroken = s.isBroken || value.Kind != unstable.Array
		for elements := value.Children(); !s.isBroken && elements.Next(); {
			var w tomlWord
			s.isBroken = !w.read(elements.Node())
			s.arguments = append(s.arguments, w)
		}
	}
}

// valueOf is where the value of a key stands.
func (f *tomlFile) valueOf(e *unstable.Node, key span) span {
	end := int(e.Raw.Offset + e.Raw.Length)
	rest := bytes.TrimLeft(f.source[key.to:end], " \t=")
	return span{end - len(rest), end}
}

// feedBefore is what begins a line like the one of a place: a line feed as in the rest of the file, and white space.
func (f *tomlFile) feedBefore(at int) string {
	feed := "\n"
	if bytes.Contains(f.source, []byte("\r\n")) {
		feed = "\r\n"
	}
	line := bytes.LastIndexByte(f.source[:at], '\n') + 1
	return feed + string(f.source[line:at])
}

// read reads a word. It reports whether the value is one.
func (w *tomlWord) read(value *unstable.Node) bool {
	at := value.Raw
	w.text, w.span = string(value.Data), span{int(at.Offset), int(at.Offset + at.Length)}
	return value.Kind == unstable.String
}

// found is the server with its words, if it has a program.
func (s *tomlServer) found(source []byte) Server {
	one := Server{Name: s.path[len(s.path)-1]}
	if s.isBroken || s.program.span == (span{}) {
		return one
	}
	for _, w := range append([]tomlWord{s.program}, s.arguments...) {
		one.Words = append(one.Words, w.text)
		one.literals = append(one.literals, w.span)
	}
	one.list = s.list
	one.toList = s.before + "args = "
	if s.isInline {
		one.toList = "," + one.toList
	}
	if s.key > s.program.to {
		between := source[s.program.to:s.key]
		one.isNext = len(bytes.Trim(between, ", \t\r\n")) == 0
	}
	return one
}
