package servers

import (
	"strings"

	"github.com/tailscale/hujson"
)

func inJSON(source []byte, keys [][]string) (all []Server, err error) {
	v, err := hujson.Parse(source)
	if err != nil {
		return nil, errSettings // its own error may quote the file
	}
	eachObject(&v, nil, func(path []string, o *hujson.Object) {
		if isAt(path, keys) {
			all = append(all, serverOf(source, path[len(path)-1], o))
		}
	})
	return all, nil
}

// eachObject calls found with each object below a value, and the keys that lead to it.
func eachObject(v *hujson.Value, path []string, found func([]string, *hujson.Object)) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return
	}
	found(path, o)
	for i := range o.Members {
		name := o.Members[i].Name.Value.(hujson.Literal).String()
		eachObject(&o.Members[i].Value, append(path[:len(path):len(path)], name), found)
	}
}

// serverOf reads a server. One whose words are not all strings has none.
func serverOf(source []byte, name string, o *hujson.Object) Server {
	none := Server{Name: name}
	command, arguments := -1, -1
	for i := range o.Members {
		switch o.Members[i].Name.Value.(hujson.Literal).String() {
		case "command":
			command = i
		case "args":
			arguments = i
		}
	}
	if command < 0 {
		return none
	}
	s, program := none, &o.Members[command]
	if _, isList := program.Value.Value.(*hujson.Array); isList {
		s.isOne, arguments = true, command
	} else if !s.add(&program.Value) {
		return none
	}
	s.toList = "," + blankBefore(source, program.Name.StartOffset) + `"args": `
	if arguments < 0 {
		return s
	}
	list := &o.Members[arguments].Value
	elements, ok := list.Value.(*hujson.Array)
	if !ok {
		return none
	}
	s.list = span{list.StartOffset, list.EndOffset}
	for i := range elements.Elements {
		if !s.add(&elements.Elements[i]) {
			return none
		}
	}
	if arguments > command {
		between := string(source[program.Value.EndOffset:list.StartOffset])
		s.isNext = strings.Join(strings.Fields(between), "") == `,"args":`
	}
	return s
}

// add adds a word. It reports whether the value is one.
func (s *Server) add(v *hujson.Value) bool {
	literal, ok := v.Value.(hujson.Literal)
	if !ok || literal.Kind() != '"' {
		return false
	}
	s.Words = append(s.Words, literal.String())
	s.literals = append(s.literals, span{v.StartOffset, v.EndOffset})
	return true
}
