package guard

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/turn/wire"
)

// objectsOf returns the objects that a value is, or has in lists and strings. It reports false if
// there is something else, or nothing.
func objectsOf(value gjson.Result, wraps int) (objects []string, read bool) {
	switch {
	case value.IsObject():
		return []string{value.Raw}, true
	case value.IsArray():
		read = true
		value.ForEach(func(_, element gjson.Result) bool {
			more, ok := objectsOf(element, wraps)
			objects = append(objects, more...)
			read = read && ok
			return read && len(objects) < seenMax
		})
		return objects, read && len(objects) > 0 && len(objects) < seenMax
	case value.Type == gjson.String && wraps < wrapsMax && wire.Valid(value.Str):
		return objectsOf(gjson.Parse(value.Str), wraps+1)
	}
	return nil, false
}

// lastMembers is JSON in which every name is there once in an object, with the value that it has
// last.
func lastMembers(json string) string {
	return string(rewrite(nil, gjson.Parse(json), func(name string) string { return name }, true, 0))
}

// smallNames is JSON with the names of members as plain has them.
func smallNames(json string) string { return string(rewrite(nil, gjson.Parse(json), plain, false, 0)) }

// smallPath is a path with its names as plain has them. What is quoted in it stays, as it is a
// value.
func smallPath(path string) string {
	parts := strings.Split(path, `"`)
	for i := 0; i < len(parts); i += 2 {
		parts[i] = plain(parts[i])
	}
	return strings.Join(parts, `"`)
}

// rewrite appends a value, with other names of members, and of several with one name only the last
// if that is asked for.
func rewrite(dst []byte, value gjson.Result, renamed func(string) string, once bool, depth int) []byte {
	if depth > depthMax || !value.IsObject() && !value.IsArray() {
		return append(dst, value.Raw...)
	}
	if value.IsArray() {
		dst = append(dst, '[')
		value.ForEach(func(_, element gjson.Result) bool {
			dst = rewrite(separated(dst), element, renamed, once, depth+1)
			return true
		})
		return append(dst, ']')
	}
	last := make(map[string]int)
	n := 0
	value.ForEach(func(name, _ gjson.Result) bool {
		last[renamed(name.String())] = n
		n++
		return true
	})
	n = 0
	dst = append(dst, '{')
	value.ForEach(func(name, member gjson.Result) bool {
		said := renamed(name.String())
		if !once || last[said] == n {
			dst = append(jsonx.AppendString(separated(dst), said), ':')
			dst = rewrite(dst, member, renamed, once, depth+1)
		}
		n++
		return true
	})
	return append(dst, '}')
}

// separated appends a comma unless a list or an object only begins.
func separated(dst []byte) []byte {
	if last := dst[len(dst)-1]; last != '[' && last != '{' {
		return append(dst, ',')
	}
	return dst
}
