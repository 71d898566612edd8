package protocol

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// partialArguments puts together the arguments of a call that come value by value, each with its path:
// https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
type partialArguments struct {
	root    *value
	growing *value // a string that goes on
	path    string // of it
}

// value is a value of JSON that still grows.
type value struct {
	raw     string // a number, true, false or null
	text    *strings.Builder
	names   []string
	members map[string]*value
	list    []*value
	isList  bool
}

// partsMax bounds what a path can make: elements of a list, and depth.
const partsMax = 1 << 12

// add takes in a value. It reports whether its path fits what is there.
func (p *partialArguments) add(part gjson.Result) bool {
	path := Text(part.Get("jsonPath"))
	words := part.Get("stringValue")
	if p.growing != nil && p.path == path && words.Exists() {
		p.growing.text.WriteString(Text(words))
	} else {
		if p.root == nil {
			p.root = &value{}
		}
		at := p.root.descend(strings.TrimPrefix(path, "$"), 0)
		if at == nil || at.isList || at.members != nil {
			return false
		}
		p.growing, p.path = nil, ""
		switch {
		case words.Exists():
			at.text = &strings.Builder{}
			at.text.WriteString(Text(words))
			p.growing, p.path = at, strings.Clone(path)
		case part.Get("numberValue").Type == gjson.Number:
			at.raw = strings.Clone(part.Get("numberValue").Raw)
		case part.Get("boolValue").IsBool():
			at.raw = strings.Clone(part.Get("boolValue").Raw)
		default:
			at.raw = "null"
		}
	}
	if !part.Get("willContinue").Bool() {
		p.growing, p.path = nil, ""
	}
	return true
}

// descend returns the value at a path (.name, ['name'] or [0] for each level), made if it is not there, or nil if there
// is another one in the way.
func (v *value) descend(path string, depth int) *value {
	if path == "" {
		return v
	}
	if depth == partsMax || v.text != nil || v.raw != "" {
		return nil
	}
	name, rest, isIndex, ok := cutPath(path)
	if !ok {
		return nil
	}
	if isIndex {
		index, err := strconv.Atoi(name)
		if err != nil || index < 0 || index > len(v.list) || index == partsMax || v.members != nil {
			return nil // elements come in order, so that a path cannot ask for more than it is long
		}
		v.isList = true
		if index == len(v.list) {
			v.list = append(v.list, &value{})
		}
		return v.list[index].descend(rest, depth+1)
	}
	if v.isList || len(v.names) == partsMax {
		return nil
	}
	if v.members == nil {
		v.members = make(map[string]*value)
	}
	member := v.members[name]
	if member == nil {
		member = &value{}
		v.names = append(v.names, name)
		v.members[name] = member
	}
	return member.descend(rest, depth+1)
}

// cutPath cuts the first level off a path.
func cutPath(path string) (name, rest string, isIndex, ok bool) {
	if after, isName := strings.CutPrefix(path, "."); isName {
		end := strings.IndexAny(after, ".[")
		if end < 0 {
			end = len(after)
		}
		return strings.Clone(after[:end]), after[end:], false, end > 0
	}
	inner, isBracket := strings.CutPrefix(path, "[")
	if !isBracket || inner == "" {
		return "", "", false, false
	}
	if quote := inner[:1]; quote == "'" || quote == `"` {
		name, rest, ok = strings.Cut(inner[1:], quote+"]")
		return strings.Clone(name), rest, false, ok
	}
	name, rest, ok = strings.Cut(inner, "]")
	return name, rest, true, ok
}

func (v *value) appendJSON(dst []byte) []byte {
	switch {
	case v.text != nil:
		return jsonx.AppendString(dst, v.text.String())
	case v.raw != "":
		return append(dst, v.raw...)
	case v.isList:
		dst = append(dst, '[')
		for i, element := range v.list {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = element.appendJSON(dst)
		}
		return append(dst, ']')
	case v.members != nil:
		dst = append(dst, '{')
		for i, name := range v.names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsonx.AppendString(dst, name), ':')
			dst = v.members[name].appendJSON(dst)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}
