package query

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/pipeline/split"
)

// An UnknownPath is one that no record of a handle has.
type UnknownPath struct {
	Path    string
	Nearest []string // that records have, redacted, the nearest first; none if there are no records
}

// Error implements error. It quotes the path that was asked for.
func (e *UnknownPath) Error() string {
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("path %q: the handle has no record with fields", e.Path)
	}
	return fmt.Sprintf("path %q: no record of the handle has it; the nearest: %s", e.Path,
		strings.Join(e.Nearest, ", "))
}

// Bounds of what is gathered to find the paths that are nearest to an unknown one.
const (
	maxPaths     = 512
	maxPathDepth = 8
	maxNearest   = 3
)

// pathSet gathers the paths of records, in the order in which they are first seen.
type pathSet struct {
	paths      []string
	seen       map[string]bool
	path       []byte
	isInString bool // what is walked is an object in one
}

func (s *pathSet) add(record gjson.Result) {
	if s.seen == nil {
		s.seen = make(map[string]bool)
	}
	s.path = s.path[:0]
	s.walk(record, 0)
}

// addChunk adds the paths in a chunk, or that of one which is no more than a value that stood in a
// larger one.
func (s *pathSet) addChunk(c *split.Chunk) {
	value := gjson.Parse(lentString(c.Content()))
	if value.IsObject() || value.IsArray() || len(c.Path) == 0 {
		s.add(value)
		return
	}
	s.path = s.path[:0]
	for i, part := range partsOf(string(c.Path)) {
		if part.isIndex() && i > 0 {
			s.path = append(appendDot(s.path), '#')
		} else {
			s.path = appendMember(s.path, part.text)
		}
	}
	s.addPath(string(s.path))
}

// addLine adds the names of the fields of a line.
func (s *pathSet) addLine(fields []byte) {
	gjson.ParseBytes(fields).ForEach(func(name, _ gjson.Result) bool {
		s.addPath(name.Str)
		return true
	})
}

func (s *pathSet) addPath(path string) {
	if s.seen == nil {
		s.seen = make(map[string]bool)
	}
	if len(path) <= split.MaxPath && len(s.paths) < maxPaths && isPrintable(path) && !s.seen[path] {
		s.paths = append(s.paths, path)
		s.seen[path] = true
	}
}

// walk adds the paths of what is in value, whose own is s.path. It leaves s.path as it was.
func (s *pathSet) walk(value gjson.Result, depth int) {
	if value.Type == gjson.String && !s.isInString {
		s.isInString = true
		s.walk(containerIn(value), depth)
		s.isInString = false
		return
	}
	if !value.IsObject() && !value.IsArray() || depth == maxPathDepth || len(s.paths) == maxPaths {
		return
	}
	isArray := value.IsArray()
	length := len(s.path)
	value.ForEach(func(key, member gjson.Result) bool {
		if length > 0 {
			s.path = append(s.path, '.')
		}
		if isArray {
			s.path = append(s.path, '#')
		} else if isPrintable(key.Str) {
			s.path = split.AppendPathKey(s.path, key.Str)
		} else {
			s.path = s.path[:length]
			return true
		}
		if len(s.path) <= split.MaxPath {
			if !isArray && !s.seen[string(s.path)] {
				s.paths = append(s.paths, string(s.path))
				s.seen[s.paths[len(s.paths)-1]] = true
			}
			s.walk(member, depth+1)
		}
		s.path = s.path[:length]
		return true
	})
}

func isPrintable(key string) bool {
	for _, r := range key {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return false
		}
	}
	return key != ""
}

// unknown is the error for paths that are not in the set.
func (s *pathSet) unknown(missing []*path) error {
	var errs []error
	for _, p := range missing {
		errs = append(errs, &UnknownPath{p.text, s.nearest(p.plain)})
	}
	return errors.Join(errs...)
}

func (s *pathSet) nearest(path string) []string {
	type candidate struct {
		path     string
		distance int
	}
	candidates := make([]candidate, len(s.paths))
	for i, there := range s.paths {
		last := there[strings.LastIndexByte(there, '.')+1:]
		candidates[i] = candidate{there, min(distance(path, there), 1+distance(path, last))}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var nearest []string
	for _, c := range candidates[:min(len(candidates), maxNearest)] {
		nearest = append(nearest, c.path)
	}
	return nearest
}

// distance is how many letters differ, with another case as half of one.
func distance(a, b string) int {
	differ := 2 * levenshtein.ComputeDistance(strings.ToLower(a), strings.ToLower(b))
	if differ == 0 && a != b {
		return 1
	}
	return differ
}

// Paths returns the paths of the first n chunks of a handle, as far as they can be read.
func Paths(chunks iter.Seq2[split.Chunk, error], n int) []string {
	var there pathSet
	for l, err := range linesOf(chunks) {
		if err != nil || l.Seq > n {
			break
		}
		if l.Kind == split.JSON {
			there.addChunk(&l.Chunk)
		} else if l.fields != nil {
			there.addLine(l.fields)
		}
	}
	return there.paths
}
