package guard

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/lazy"
	"github.com/kfw-dev/kfw/internal/wire"
)

// queried reads the values that a path of gjson with queries leads to: in the arguments as they
// are, and in what else a tool may read of them. Whatever is no object, or has two members of one
// name, of which a path leads to one only, can't be read.
func queried(arguments, path string) (found reading) {
	objects, read := objectsOf(gjson.Parse(arguments), 0)
	found.opaque = !read
	for _, object := range objects {
		if hasTwice(gjson.Parse(object), Normal, 0) {
			found.opaque = true
		}
		for _, way := range []rewriter{{}, {opens: true}, {opens: true, name: plain}, {opens: true, name: Normal},
			{opens: true, name: plain, text: func(s string) string { return plain(seen(s)) }}} {
			changed := string(way.append(nil, gjson.Parse(object), 0, 0))
			if way.deep {
				found.opaque = true
			}
			if value := gjson.Get(changed, way.path(path)); value.Exists() {
				found.add(value, 0, 0)
			}
		}
	}
	return found
}

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
	case value.Type == gjson.String && wraps < wrapsMax && wire.Valid(textOf(value)):
		return objectsOf(gjson.Parse(textOf(value)), wraps+1)
	}
	return nil, false
}

// rewriter writes JSON again, as a lenient tool may read it.
type rewriter struct {
	opens      bool                // strings that are JSON, as what they hold
	name, text func(string) string // of members, of strings; nil leaves them as they are
	deep       bool                // there was JSON in strings, or depth, past what is read
}

func (w *rewriter) append(dst []byte, value gjson.Result, wraps, depth int) []byte {
	if depth > depthMax {
		w.deep = true
		return append(dst, "null"...)
	}
	switch {
	case value.IsArray():
		dst = append(dst, '[')
		value.ForEach(func(_, element gjson.Result) bool {
			dst = w.append(separated(dst), element, wraps, depth+1)
			return true
		})
		return append(dst, ']')
	case value.IsObject():
		dst = append(dst, '{')
		value.ForEach(func(name, member gjson.Result) bool {
			dst = append(jsonx.AppendString(separated(dst), apply(w.name, textOf(name))), ':')
			dst = w.append(dst, member, wraps, depth+1)
			return true
		})
		return append(dst, '}')
	case value.Type != gjson.String:
		return append(dst, value.Raw...)
	}
	text := textOf(value)
	if w.opens && mayBeJSON(text) && wire.Valid(text) {
		if wraps < wrapsMax {
			return w.append(dst, gjson.Parse(text), wraps+1, depth+1)
		}
		w.deep = true
	}
	return jsonx.AppendString(dst, apply(w.text, text))
}

// pathWords are the words of a path, values in quotes, and modifiers.
var pathWords = lazy.Regexp(`"[^"]*"|@\w+|[\p{L}\p{M}\p{N}_-]+`)

// path returns a path that leads through what append writes. Numbers are places in lists.
func (w *rewriter) path(path string) string {
	return pathWords().ReplaceAllStringFunc(path, func(word string) string {
		switch {
		case word[0] == '@' || strings.Trim(word, "0123456789") == "":
			return word
		case word[0] == '"':
			return apply(w.text, word)
		}
		return apply(w.name, word)
	})
}

func apply(change func(string) string, text string) string {
	if change == nil {
		return text
	}
	return change(text)
}

// separated appends a comma unless a list or an object only begins.
func separated(dst []byte) []byte {
	if last := dst[len(dst)-1]; last != '[' && last != '{' {
		return append(dst, ',')
	}
	return dst
}
