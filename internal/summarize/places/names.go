package places

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// IsReserved says whether the name of a place can't stand between braces.
func (s *Places) IsReserved(id int) bool {
	name := s.Paths.Nodes[id].Name
	return string(name) == structure.ElementName || bytes.ContainsAny(name, "{},")
}

// LastName is the last part of the path of a place, the inside of a JSON string.
func (s *Places) LastName(id int) []byte {
	path, parent := s.Paths.Path(id), s.Paths.Nodes[id].Parent
	if parent != structure.RootNode {
		path = path[len(s.Paths.Path(parent)):]
	}
	return bytes.TrimPrefix(path, []byte{'.'})
}

// Relative is the path of a place as seen from a record, the inside of a JSON string.
func (s *Places) Relative(place, base int) []byte {
	if place == base {
		return s.Paths.Path(structure.RootNode)
	}
	path := s.Paths.Path(place)
	if base == structure.RootNode {
		return path
	}
	prefix := s.Paths.Path(base)
	if len(path) > len(prefix) && string(path[:len(prefix)]) == string(prefix) {
		path = path[len(prefix):]
		if path[0] == '.' {
			path = path[1:]
		}
	}
	return path
}

// CutPath cuts the first part off a gjson path: the inside of a JSON string.
func (s *Places) CutPath(path []byte) (name, rest []byte) {
	s.NameBuf = s.NameBuf[:0]
	i := 0
	for ; i < len(path) && path[i] != '.'; i++ {
		if path[i] == '\\' && i+1 < len(path) {
			i++
		}
		s.NameBuf = append(s.NameBuf, path[i])
	}
	plain := len(s.NameBuf)
	s.NameBuf = jsonx.AppendCanonicalText(s.NameBuf, s.NameBuf[:plain])
	return s.NameBuf[plain:], path[min(i+1, len(path)):]
}

// Canonical is a name with each escape in its shortest form, lent until the next call.
func (s *Places) Canonical(name []byte) []byte {
	if bytes.IndexByte(name, '\\') < 0 {
		return name
	}
	s.NameBuf = jsonx.AppendCanonical(s.NameBuf[:0], name)
	return s.NameBuf
}
