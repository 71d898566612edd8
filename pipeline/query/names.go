package query

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize"
)

// names are the parts of a path through members and elements: "#" is each element of an array. With them a value is found
// that gjson does not find: behind a name that has dots of its own, which are not marked as such, or within an object or an array
// that is in a string as JSON.
type names []name

type name struct {
	text    string
	isWhole bool // its dots are marked: it is no part of another
}

// namesOf takes apart a path as gjson takes it, nil if its "#" counts.
func namesOf(path string) names {
	if path == record || path == "#" || strings.HasSuffix(path, ".#") {
		return nil
	}
	return partsOf(path)
}

// partsOf takes apart a path: what gjson knows besides members and elements, such as wildcards, are names here.
func partsOf(path string) (all names) {
	var text strings.Builder
	isWhole := false
	add := func() {
		all = append(all, name{text.String(), isWhole})
		text.Reset()
		isWhole = false
	}
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '\\' && i+1 < len(path):
			i++
			isWhole = isWhole || path[i] == '.'
			text.WriteByte(path[i])
		case c == '.':
			add()
		default:
			text.WriteByte(c)
		}
	}
	add()
	return all
}

// in returns the value in a record, or an array of those in the elements of one. With joined, names may have dots.
func (n names) in(value gjson.Result, joined bool) (found gjson.Result) {
	if value.Type != gjson.JSON {
		return found
	}
	isEach := false
	for _, name := range n {
		isEach = isEach || name.text == "#"
	}
	if !isEach {
		n.walk(value, nil, joined, 0, func(of gjson.Result, _ []byte) { found = of })
		return found
	}
	var all strings.Builder
	n.walk(value, nil, joined, 0, func(of gjson.Result, _ []byte) {
		if all.Len() > 0 {
			all.WriteByte(',')
		}
		all.WriteString(of.Raw)
	})
	if all.Len() == 0 {
		return found
	}
	return gjson.Parse("[" + all.String() + "]")
}

// walk calls found for each value that the names lead to from the one at a path, with its own path, and says whether there was one.
// Of a name without dots and one with them the first is taken.
func (n names) walk(value gjson.Result, path []byte, joined bool, inStrings int, found func(gjson.Result, []byte)) (isFound bool) {
	if len(n) == 0 {
		found(value, path)
		return true
	}
	if value.Type == gjson.String && inStrings < maxInStrings {
		inStrings++
		value = containerIn(value)
	}
	switch {
	case value.IsArray() && n[0].text == "#":
		for i, element := range value.Array() {
			isFound = n[1:].walk(element, appendIndex(path, i), joined, inStrings, found) || isFound
		}
	case value.IsArray():
		if index, err := strconv.Atoi(n[0].text); err == nil {
			if all := value.Array(); 0 <= index && index < len(all) {
				return n[1:].walk(all[index], appendIndex(path, index), joined, inStrings, found)
			}
		}
	case value.IsObject():
		name := ""
		for i := 0; i < min(len(n), maxDots+1) && !isFound && n[i].text != "#"; i++ {
			if i > 0 {
				if !joined || n[i-1].isWhole || n[i].isWhole {
					break
				}
				name += "."
			}
			name += n[i].text
			if member := memberOf(value, name); member.Exists() {
				isFound = n[i+1:].walk(member, appendMember(path, name), joined, inStrings, found)
			}
		}
	}
	return isFound
}

// from returns the names that lead on from a place in a record, if they lead there, and whether they end before it.
func (n names) from(place names) (rest names, isBefore, leadsThere bool) {
	for len(n) > 0 && len(place) > 0 {
		some := n.areTogether(place[0])
		if some == 0 {
			return nil, false, false
		}
		n, place = n[some:], place[1:]
	}
	return n, len(place) > 0, true
}

// areTogether returns how many of the names are a part of a path, with dots between them, 0 if they are not.
func (n names) areTogether(part name) int {
	if n[0].text == "#" && part.isIndex() {
		return 1
	}
	text, some := n[0].text, 1
	for ; text != part.text; some++ {
		if some == len(n) || n[some-1].isWhole || n[some].isWhole || len(text) > len(part.text) {
			return 0
		}
		text += "." + n[some].text
	}
	return some
}

func (n name) isIndex() bool {
	_, err := strconv.ParseUint(n.text, 10, 0)
	return err == nil
}

// appendIndex and appendMember go on with a path of gjson.
func appendIndex(path []byte, index int) []byte {
	return strconv.AppendInt(appendDot(path), int64(index), 10)
}

func appendMember(path []byte, name string) []byte { return split.AppendPathKey(appendDot(path), name) }

func appendDot(path []byte) []byte {
	if len(path) > 0 {
		path = append(path, '.')
	}
	return path
}

const (
	maxDots      = 15 // of one name
	maxInStrings = 1  // objects and arrays in strings, one within another, that are looked into
)

// containerIn returns the object or the array that is in a string as JSON, nothing if there is none.
func containerIn(text gjson.Result) gjson.Result {
	inside := strings.TrimRight(text.Str, " \t\r\n")
	if !summarize.IsContainer([]byte(inside)) {
		return gjson.Result{}
	}
	return gjson.Parse(inside)
}

func memberOf(object gjson.Result, name string) (found gjson.Result) {
	object.ForEach(func(key, member gjson.Result) bool {
		if key.Str == name {
			found = member
		}
		return !found.Exists()
	})
	return found
}
