package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/tailscale/hujson"
)

// Addition is an element that init adds to an array in a settings file. Objects and the array are made where they are
// not there.
type Addition struct {
	Keys  []string // that lead from the top to the array
	Value string   // JSON, compact
}

// insertion is bytes that were put into a file.
type insertion struct {
	At     int `json:"at"`
	Length int `json:"length"`
}

var errNotSettings = errors.New("its settings have another form than expected")

// added returns source with the additions in it, and the insertions that made it so, each in the text that the ones
// before it have made. Everything else stays byte for byte.
func added(source []byte, additions []Addition) ([]byte, []insertion, error) {
	var done []insertion
	for _, a := range additions {
		steps, err := addition(source, a)
		if err != nil {
			return nil, nil, err
		}
		for _, s := range steps {
			source = append(append(bytes.Clone(source[:s.at]), s.text...), source[s.at:]...)
			done = append(done, insertion{s.at, len(s.text)})
		}
	}
	return source, done, nil
}

// without returns a text without what was inserted.
func without(text []byte, done []insertion) []byte {
	for i := len(done) - 1; i >= 0; i-- {
		d := done[i]
		text = append(bytes.Clone(text[:d.At]), text[d.At+d.Length:]...)
	}
	return text
}

// step is one insertion to come.
type step struct {
	at   int
	text string
}

// addition returns the insertions for one addition, the one that is further down first.
func addition(source []byte, a Addition) ([]step, error) {
	v, err := hujson.Parse(source)
	if err != nil {
		return nil, err
	}
	at := &v
	for i, k := range a.Keys {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return nil, errNotSettings
		}
		next := memberOf(object, k)
		if next == nil {
			value := a.Value
			for j := len(a.Keys) - 1; j > i; j-- {
				if j == len(a.Keys)-1 {
					value = "[" + value + "]"
				}
				value = "{" + string(quoted(a.Keys[j])) + ":" + value + "}"
			}
			if i == len(a.Keys)-1 {
				value = "[" + value + "]"
			}
			return appended(source, at, string(quoted(k)), value), nil
		}
		at = next
	}
	if _, ok := at.Value.(*hujson.Array); !ok {
		return nil, errNotSettings
	}
	return appended(source, at, "", a.Value), nil
}

// memberOf returns the value of a key, the last one if there are more.
func memberOf(object *hujson.Object, key string) (found *hujson.Value) {
	for i := range object.Members {
		if name, ok := object.Members[i].Name.Value.(hujson.Literal); ok && name.String() == key {
			found = &object.Members[i].Value
		}
	}
	return found
}

// spans returns where the members or elements of an object or array begin and end.
func spans(v *hujson.Value) (all [][2]int) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		for _, m := range c.Members {
			all = append(all, [2]int{m.Name.StartOffset, m.Value.EndOffset})
		}
	case *hujson.Array:
		for _, e := range c.Elements {
			all = append(all, [2]int{e.StartOffset, e.EndOffset})
		}
	}
	return all
}

// appended returns the insertions that put a value at the end of an object, under a key that is JSON, or of an array.
func appended(source []byte, in *hujson.Value, key, value string) (steps []step) {
	feed := "\n"
	if bytes.Contains(source, []byte("\r\n")) {
		feed = "\r\n"
	}
	begin, end := in.StartOffset, in.EndOffset-1 // end is where the closing bracket is
	children := spans(in)
	isFlat := len(children) > 0 && !bytes.Contains(source[begin:end], []byte("\n"))
	unit, outer := indentUnit(source), indentOf(source, begin)
	inner := outer + unit
	at := begin + 1
	if n := len(children); n > 0 {
		last := children[n-1]
		if before := source[bytes.LastIndexByte(source[:last[0]], '\n')+1 : last[0]]; !isFlat &&
			len(bytes.TrimSpace(before)) == 0 {
			inner = string(before)
		}
		at = last[1] + len(bytes.TrimRight(source[last[1]:end], " \t\r\n"))
	}
	text := value
	if !isFlat {
		var b bytes.Buffer
		if json.Indent(&b, []byte(value), inner, unit) == nil {
			text = strings.ReplaceAll(b.String(), "\n", feed)
		}
	}
	if key != "" {
		text = key + ": " + text
	}
	switch {
	case isFlat:
		text = " " + text
	case !bytes.Contains(source[at:end], []byte("\n")):
		text = feed + inner + text + feed + outer
	default:
		text = feed + inner + text
	}
	steps = append(steps, step{at, text})
	if n := len(children); n > 0 && commaAt(source[children[n-1][1]:end]) < 0 {
		steps = append(steps, step{children[n-1][1], ","})
	}
	return steps
}

// commaAt returns where white space and comments have a comma outside of the comments; less than 0 if nowhere.
func commaAt(extra []byte) int {
	for i := 0; i < len(extra); i++ {
		switch {
		case extra[i] == ',':
			return i
		case bytes.HasPrefix(extra[i:], []byte("//")):
			end := bytes.IndexByte(extra[i:], '\n')
			if end < 0 {
				return -1
			}
			i += end
		case bytes.HasPrefix(extra[i:], []byte("/*")):
			end := bytes.Index(extra[i+2:], []byte("*/"))
			if end < 0 {
				return -1
			}
			i += end + 3
		}
	}
	return -1
}

// indentOf is the white space that the line of an offset begins with.
func indentOf(source []byte, offset int) string {
	line := source[bytes.LastIndexByte(source[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// indentUnit is how much the first line that is indented is; two blanks if there is none.
func indentUnit(source []byte) string {
	for line := range bytes.Lines(source) {
		indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
		if len(indent) > 0 && len(bytes.TrimSpace(line)) > 0 {
			return string(indent)
		}
	}
	return "  "
}

// pruned returns source without the elements of arrays that isOwn, and without the objects and arrays that have nothing
// left after that.
func pruned(source []byte, isOwn func(keys []string, element *hujson.Value) bool) ([]byte, error) {
	for {
		v, err := hujson.Parse(source)
		if err != nil {
			return nil, err
		}
		cuts := ownSpan(source, &v, nil, isOwn)
		if cuts == nil {
			return source, nil
		}
		for _, at := range cuts {
			source = append(bytes.Clone(source[:at[0]]), source[at[1]:]...)
		}
	}
}

// ownSpan returns the spans to cut from the text for the first element that isOwn, the last span first; nil if there is
// none.
func ownSpan(source []byte, in *hujson.Value, keys []string, isOwn func([]string, *hujson.Value) bool) [][2]int {
	children := spans(in)
	for i := range children {
		var child *hujson.Value
		below := keys
		switch c := in.Value.(type) {
		case *hujson.Object:
			child = &c.Members[i].Value
			if name, ok := c.Members[i].Name.Value.(hujson.Literal); ok {
				below = append(below[:len(below):len(below)], name.String())
			}
		case *hujson.Array:
			child = &c.Elements[i]
			if isOwn(keys, child) {
				return childSpan(source, in, children, i)
			}
		}
		cuts := ownSpan(source, child, below, isOwn)
		if cuts == nil {
			continue
		}
		if only := spans(child); len(only) == 1 && cuts[0][0] <= only[0][0] && cuts[0][1] >= only[0][1] {
			return childSpan(source, in, children, i) // nothing is left of the child
		}
		return cuts
	}
	return nil
}

// childSpan is a member or an element, and the comma that goes with it. Comments stay.
func childSpan(source []byte, in *hujson.Value, children [][2]int, i int) [][2]int {
	child := children[i]
	switch {
	case len(children) == 1:
		return [][2]int{{child[0], in.EndOffset - 1}}
	case i < len(children)-1:
		return [][2]int{{child[0], children[i+1][0]}}
	}
	before := children[i-1][1]
	from := before + len(bytes.TrimRight(source[before:child[0]], " \t\r\n"))
	comma := before + commaAt(source[before:child[0]])
	if comma == from-1 {
		return [][2]int{{comma, child[1]}}
	}
	return [][2]int{{from, child[1]}, {comma, comma + 1}}
}
