package pipeline

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// names are the parts of a path through members and elements: "#" is each element of an array. With
// them a value is found that gjson does not find: behind a name that has dots of its own, which are not marked as such,
// or within an object that is in a string as JSON.
type names []string

// namesOf takes apart a path as gjson takes it, nil if its "#" counts. What else gjson knows, such as wildcards, are names here.
func namesOf(path string) (all names) {
	if path == record || strings.HasSuffix(path, "#") {
		return nil
	}
	var name strings.Builder
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '\\' && i+1 < len(path):
			i++
			name.WriteByte(path[i])
		case c == '.':
			all = append(all, name.String())
			name.Reset()
		default:
			name.WriteByte(c)
		}
	}
	return append(all, name.String())
}

// in returns the value in a record, or an array of those in the elements of one.
func (n names) in(value gjson.Result) (found gjson.Result) {
	if value.Type != gjson.JSON {
		return found
	}
	isEach := false
	for _, name := range n {
		isEach = isEach || name == "#"
	}
	if !isEach {
		n.walk(value, 0, func(of gjson.Result) { found = of })
		return found
	}
	var all strings.Builder
	n.walk(value, 0, func(of gjson.Result) {
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

// walk calls found for each value that the names lead to, and says whether there was one. Of a name without dots and one
// with them the first is taken.
func (n names) walk(value gjson.Result, inStrings int, found func(gjson.Result)) (any bool) {
	if len(n) == 0 {
		found(value)
		return true
	}
	if value.Type == gjson.String && inStrings < maxInStrings {
		inStrings++
		value = objectIn(value)
	}
	switch {
	case value.IsArray() && n[0] == "#":
		for _, element := range value.Array() {
			any = n[1:].walk(element, inStrings, found) || any
		}
	case value.IsArray():
		if index, err := strconv.Atoi(n[0]); err == nil {
			if all := value.Array(); 0 <= index && index < len(all) {
				return n[1:].walk(all[index], inStrings, found)
			}
		}
	case value.IsObject():
		for parts := 1; parts <= min(len(n), maxDots+1) && !any && n[parts-1] != "#"; parts++ {
			if member := memberOf(value, strings.Join(n[:parts], ".")); member.Exists() {
				any = n[parts:].walk(member, inStrings, found)
			}
		}
	}
	return any
}

const (
	maxDots      = 15 // of one name
	maxInStrings = 1  // objects in strings, one within another, that are looked into
)

// objectIn returns the object that is in a string as JSON, nothing if there is none.
func objectIn(text gjson.Result) gjson.Result {
	if !strings.HasPrefix(text.Str, "{") || !gjson.Valid(text.Str) {
		return gjson.Result{}
	}
	return gjson.Parse(text.Str)
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
