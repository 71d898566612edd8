package query

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// names are the parts of a path through members and elements: "#" is each element of an array. With them a value is
// found that gjson does not find: behind a name that has dots of its own, which are not marked as such, or within an
// object or an array that is in a string as JSON.
type names []name

type name struct {
	text    string
	isWhole bool // its dots are marked: it is no part of another
	kind    nameKind
	key     string // of a tree: the name before it, by which it goes on
}

// nameKind says what a part of a path stands for.
type nameKind uint8

const (
	oneMember    nameKind = iota // or the element with that index
	everyElement                 // of an array: #
	eachMember                   // of an object: *
	treeElements                 // of an array, and those of the arrays of the same name in them: [**]
	treeMembers                  // the same of objects: **
)

var kindOf = map[string]nameKind{"#": everyElement, "*": eachMember, treeElement: treeElements, "**": treeMembers}

// isTree reports whether the name stands for all of a tree.
func (n name) isTree() bool { return n.kind == treeElements || n.kind == treeMembers }

// trees returns how many of the names stand for all of a tree.
func (n names) trees() (count int) {
	for _, one := range n {
		if one.isTree() {
			count++
		}
	}
	return count
}

// areWild reports whether gjson does not know one of the names.
func (n names) areWild() bool {
	return slices.ContainsFunc(n, func(n name) bool { return n.kind > everyElement })
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
	isWhole, isMarked := false, false
	add := func() {
		n := name{text: text.String(), isWhole: isWhole}
		if !isMarked {
			n.kind = kindOf[n.text]
		}
		if n.isTree() && len(all) == 0 {
			n.kind = oneMember
		} else if n.isTree() {
			n.key = all[len(all)-1].text
		}
		all = append(all, n)
		text.Reset()
		isWhole, isMarked = false, false
	}
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '\\' && i+1 < len(path):
			i++
			isWhole, isMarked = isWhole || path[i] == '.', true
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
	if !n.areMany() {
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

// areMany reports whether the names may lead to several values.
func (n names) areMany() bool {
	return slices.ContainsFunc(n, func(n name) bool { return n.kind > oneMember })
}

// areLackedBy reports whether one of the elements or members that the names go through has not what the names after it
// lead to. Without elements it is the value itself that has not.
func (n names) areLackedBy(value gjson.Result, joined bool) (isLacked bool) {
	through := 0
	for i := range n {
		if n[i].kind > oneMember {
			through = i + 1
		}
	}
	n[:through].walk(value, nil, joined, 0, func(element gjson.Result, _ []byte) {
		isThere := n[through:].walk(element, nil, joined, 0, func(gjson.Result, []byte) {})
		isLacked = isLacked || !isThere
	})
	return isLacked
}

// walk calls found for each value that the names lead to from the one at a path, with its own path, and says whether
// there was one. Of a name without dots and one with them the first is taken.
func (n names) walk(value gjson.Result, path []byte, joined bool, inStrings int,
	found func(gjson.Result, []byte)) (isFound bool) {
	if len(n) == 0 {
		found(value, path)
		return true
	}
	if value.Type == gjson.String && inStrings < maxInStrings {
		inStrings++
		value = containerIn(value)
	}
	switch {
	case n[0].kind > oneMember:
		if value.IsArray() != (n[0].kind == everyElement || n[0].kind == treeElements) {
			return false
		}
		index := 0
		value.ForEach(func(key, member gjson.Result) bool {
			here := path
			if value.IsArray() {
				here = appendIndex(here, index)
			} else {
				here = appendMember(here, key.Str)
			}
			index++
			isFound = n[1:].walk(member, here, joined, inStrings, found) || isFound
			if within := memberOf(member, n[0].key); n[0].isTree() && within.Exists() {
				isFound = n.walk(within, appendMember(here, n[0].key), joined, inStrings, found) || isFound
			}
			return true
		})
	case value.IsArray():
		if index, err := strconv.Atoi(n[0].text); err == nil {
			if all := value.Array(); 0 <= index && index < len(all) {
				return n[1:].walk(all[index], appendIndex(path, index), joined, inStrings, found)
			}
		}
	case value.IsObject():
		name := ""
		for i := 0; i < min(len(n), maxDots+1) && !isFound && n[i].kind == oneMember; i++ {
			if i > 0 {
				if !joined || n[i-1].isWhole || n[i].isWhole {
					break
				}
				name += "."
			}
			name += n[i].text
			if member := memberOf(value, name); member.Exists() {
				isFound = n[i+1:].calledBy(name).walk(member, appendMember(path, name), joined, inStrings, found)
			}
		}
	}
	return isFound
}

// calledBy returns the names with a tree at their beginning that goes on by a name.
func (n names) calledBy(key string) names {
	if len(n) == 0 || !n[0].isTree() || n[0].key == key {
		return n
	}
	n = slices.Clone(n)
	n[0].key = key
	return n
}

// from calls onward with the names that lead on from a place in a record, for each way in which
// they lead there, and reports whether they end before it. In a tree there may be several ways.
func (n names) from(place names, onward func(rest names)) (endsBefore bool) {
	switch {
	case len(place) == 0:
		onward(n)
		return false
	case len(n) == 0:
		return true
	case n[0].kind == oneMember:
		if some := n.areTogether(place[0]); some > 0 {
			return n[some:].calledBy(place[0].text).from(place[1:], onward)
		}
		return false
	case n[0].kind == everyElement || n[0].kind == treeElements:
		if !place[0].isIndex() {
			return false
		}
	}
	endsBefore = n[1:].from(place[1:], onward)
	if !n[0].isTree() {
		return endsBefore
	}
	again := slices.Concat(names{{text: n[0].key, isWhole: true}}, n)
	return again.from(place[1:], onward) || endsBefore
}

// areTogether returns how many of the names are a part of a path, with dots between them, 0 if they are not.
func (n names) areTogether(part name) int {
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
	if !jsonx.IsContainer([]byte(inside)) {
		return gjson.Result{}
	}
	return gjson.Parse(inside)
}

func memberOf(object gjson.Result, name string) (found gjson.Result) {
	if !object.IsObject() {
		return found
	}
	object.ForEach(func(key, member gjson.Result) bool {
		if key.Str == name {
			found = member
		}
		return !found.Exists()
	})
	return found
}
