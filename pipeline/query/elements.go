package query

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
)

// Place is where the elements are that are shown as records of their own.
type Place struct {
	text  string // as it was given
	names names
	rules *redact.Rules
}

// ParsePlace takes apart a path to arrays or objects; a last # or [], or the * with which the members of an object
// are shown, needs nothing in its place. The error says what is wrong with it.
func ParsePlace(text string, rules *redact.Rules) (*Place, error) {
	p, err := parsePath(text)
	if err == nil && p.plain != p.query {
		err = fmt.Errorf("path %q: queries are not supported: choose from the elements with --where", text)
	}
	if err != nil {
		return nil, err
	}
	all := strings.TrimSuffix(strings.TrimSuffix("."+p.query, ".#"), ".*")
	if all == "" || all == "."+record {
		return &Place{text: text, rules: rules}, nil
	}
	names := namesOf(all[1:])
	return &Place{text, names, rules}, nil
}

// String returns the place as it was given.
func (at *Place) String() string { return at.text }

// isTree reports whether the names lead to the elements themselves, those of a tree.
func (at *Place) isTree() bool { return len(at.names) > 0 && at.names[len(at.names)-1].isTree() }

// Elements yields the elements of the arrays, or the members of the objects, that a place is in records: each as a
// chunk with its path, numbered from 1 through the whole response, whether it has been one before, as those of a
// large document are, or is cut out of a record. An element that was cut into several chunks stays
// several.
// Where the path leads to neither, nothing is yielded.
func Elements(chunks iter.Seq2[split.Chunk, error], at *Place) iter.Seq2[split.Chunk, error] {
	return func(yield func(split.Chunk, error) bool) {
		seq := 0
		var shown []byte
		for c, err := range chunks {
			if err != nil || c.Seq == 0 {
				if !yield(c, err) {
					return
				}
				continue
			}
			ways, isWithin := at.below(c.Path)
			isElement := at.isTree() && slices.ContainsFunc(ways, func(rest names) bool { return len(rest) == 0 })
			if isWithin && len(ways) == 0 || isElement {
				seq++
				whole := c
				if whole.Seq, whole.Top = seq, seq; !yield(whole, nil) {
					return
				}
			}
			if c.Kind != split.JSON {
				continue
			}
			stopped := false
			give := func(value gjson.Result, path []byte) {
				seq++
				shown = at.rules.Value(shown[:0], path, redact.Lines)
				stopped = !yield(split.Chunk{Seq: seq, Top: seq, Kind: split.JSON, Path: shown,
					Source: []byte(value.Raw)}, nil)
			}
			record, above := gjson.Parse(lentString(c.Content())), slices.Clip(c.Path)
			for _, rest := range ways {
				if at.isTree() && len(rest) == 0 {
					continue
				}
				rest.walk(record, above, true, 0, func(found gjson.Result, place []byte) {
					if found.Type == gjson.String {
						found = containerIn(found)
					}
					place = slices.Clip(place)
					index := 0
					switch {
					case stopped:
						return
					case at.isTree():
						give(found, place)
						return
					case !found.IsArray() && !found.IsObject():
						return
					}
					found.ForEach(func(key, value gjson.Result) bool {
						path := appendMember(place, key.Str)
						if found.IsArray() {
							path = appendIndex(place, index)
						}
						index++
						give(value, path)
						return !stopped
					})
				})
			}
			if stopped {
				return
			}
		}
	}
}

// below returns the names that lead to the place from what stands at a path, for each way in which
// they do, and reports whether that is within the place. The elements of an array that is the whole
// response are records.
func (at *Place) below(path []byte) (ways []names, isWithin bool) {
	if len(path) == 0 {
		return []names{at.names}, false
	}
	return at.names.below(path)
}

// below returns the names that lead on from what stands at a path, and reports whether they end
// before it.
func (n names) below(path []byte) (ways []names, endsBefore bool) {
	here := partsOf(string(path))
	collect := func(rest names) { ways = append(ways, rest) }
	endsBefore = n.from(here, collect)
	if len(ways) == 0 && !endsBefore && here[0].isIndex() {
		endsBefore = n.from(here[1:], collect)
	}
	return ways, endsBefore
}

// NoElements says that a place is neither an array nor an object in any record of a handle.
type NoElements struct {
	Path    string
	Largest []string // paths of the largest arrays of the first records
}

// Error implements error. It quotes the path that was asked for.
func (e *NoElements) Error() string {
	if len(e.Largest) == 0 {
		return fmt.Sprintf("path %q: no record of the handle has elements there", e.Path)
	}
	return fmt.Sprintf("path %q: no record of the handle has elements there; the largest arrays: %s", e.Path,
		strings.Join(e.Largest, ", "))
}

// Places returns where the records of a response may be, if the chunks are larger ones: by the
// first of these.
func Places(chunks iter.Seq2[split.Chunk, error], rules *redact.Rules) (places []*Place) {
	const most = 64
	for c, err := range chunks {
		if err != nil || c.Seq > most || len(places) == maxNearest {
			break
		}
		if c.Kind != split.JSON {
			continue
		}
		path := ""
		if len(c.Path) == 0 {
			path = string(structure.RecordsAt(c.Content()))
		}
		if path == "" {
			path = arrayOf(c)
		}
		isKnown := slices.ContainsFunc(places, func(at *Place) bool { return at.text == path })
		if at, err := ParsePlace(path, rules); err == nil && !isKnown {
			places = append(places, at)
		}
	}
	return places
}

// Known reports a *NoElements if no chunk has elements at the place.
func (at *Place) Known(chunks iter.Seq2[split.Chunk, error]) error {
	var largest []string
	seen := func(yield func(split.Chunk, error) bool) {
		for c, err := range chunks {
			if err == nil && c.Kind == split.JSON && len(largest) < maxNearest {
				if path := arrayOf(c); len(path) > 0 && !slices.Contains(largest, path) {
					largest = append(largest, path)
				}
			}
			if !yield(c, err) {
				return
			}
		}
	}
	for c, err := range Elements(seen, at) {
		if err != nil || c.Seq > 0 {
			return err
		}
	}
	return &NoElements{at.text, largest}
}

// arrayOf returns the path of the array that a chunk is an element of, or else of the largest one in it, from the
// record on; empty if there is neither.
func arrayOf(c split.Chunk) string {
	if len(c.Path) == 0 {
		path, _ := LargestArray(gjson.ParseBytes(c.Content()))
		return string(path)
	}
	here := partsOf(string(c.Path))
	if here[0].isIndex() {
		here = here[1:]
	}
	var path []byte
	for i, name := range here {
		switch {
		case i == len(here)-1 && name.isIndex():
			return string(path)
		case name.isIndex():
			path = append(appendDot(path), '#')
		default:
			path = appendMember(path, name.text)
		}
	}
	inside, _ := LargestArray(gjson.ParseBytes(c.Content()))
	if len(inside) == 0 {
		return ""
	}
	return string(append(appendDot(path), inside...))
}

// LargestArray returns the path of the array in a record that takes the most bytes, through objects alone, and how
// many elements it has.
func LargestArray(record gjson.Result) (path []byte, elements int) {
	const deepest = 8
	var here []byte
	most := 0
	var walk func(value gjson.Result, depth int)
	walk = func(value gjson.Result, depth int) {
		value.ForEach(func(key, member gjson.Result) bool {
			length := len(here)
			if length > 0 {
				here = append(here, '.')
			}
			here = split.AppendPathKey(here, key.Str)
			switch {
			case !isPrintable(key.Str):
			case member.IsArray() && len(member.Raw) > most && len(here) <= split.MaxPath:
				path, most, elements = append(path[:0], here...), len(member.Raw), int(member.Get("#").Int())
			case member.IsObject() && depth < deepest:
				walk(member, depth+1)
			}
			here = here[:length]
			return true
		})
	}
	if record.IsObject() {
		walk(record, 0)
	}
	return path, elements
}
