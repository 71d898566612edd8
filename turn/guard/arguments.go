package guard

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// Limits of how arguments are read.
const (
	wrapsMax = 2    // how often a value may be JSON in a string
	depthMax = 64   // of values in each other
	seenMax  = 4096 // values that one path leads to; past that they are denied
)

// customInput is the path of the text that a custom tool gets.
const customInput = "input"

// reading collects what a path leads to in the arguments of a call, in every way that a tool could
// read them.
type reading struct {
	names  []string // of the path, as they are
	path   []string // and as Normal has them
	values []string
	opaque bool // something on the way is no object, and not read as one
}

// valuesAt reads the values that a path of names leads to. Names are compared as Normal does, every
// one of several that are the same counts, and so do values in lists, and in strings that are JSON.
// The arguments are JSON.
func valuesAt(arguments, path string) reading {
	r := reading{names: strings.Split(path, ".")}
	for _, name := range r.names {
		r.path = append(r.path, Normal(name))
	}
	whole := gjson.Parse(arguments)
	r.read(whole, 0, 0, 0)
	r.opaque = r.opaque || whole.IsArray() && whole.Get("#").Int() == 0
	return r
}

// read goes down the path from its n-th name.
func (r *reading) read(value gjson.Result, n, wraps, depth int) {
	switch {
	case depth > depthMax || len(r.values) > seenMax:
		r.opaque = true
	case n == len(r.path):
		r.add(value, 0, depth)
	case value.IsObject():
		value.ForEach(func(name, member gjson.Result) bool {
			if Normal(textOf(name)) == r.path[n] {
				r.read(member, n+1, wraps, depth+1)
			}
			return true
		})
	case value.IsArray():
		place := 0
		index, err := strconv.Atoi(r.names[n])
		value.ForEach(func(_, element gjson.Result) bool {
			if err == nil && index == place {
				r.read(element, n+1, wraps, depth+1)
			}
			if err != nil || element.IsObject() {
				r.read(element, n, wraps, depth+1)
			}
			place++
			return true
		})
	case value.Type == gjson.String && wraps < wrapsMax && wire.Valid(textOf(value)):
		r.read(gjson.Parse(textOf(value)), n, wraps+1, depth+1)
	case value.Type != gjson.Null || n == 0:
		r.opaque = true
	}
}

// add takes in a value as it is written and, if it is a string, the value that the string may hold. Of an array or an
// object it takes in each member, the names, and all texts joined. It returns the joined text.
func (r *reading) add(value gjson.Result, wraps, depth int) (row string) {
	if depth > depthMax || len(r.values) > seenMax || value.Type == gjson.Number && math.IsInf(value.Num, 0) {
		r.opaque = true
		return ""
	}
	text := textOf(value)
	r.values = append(r.values, text)
	switch {
	case value.IsArray(), value.IsObject():
		var texts []string
		value.ForEach(func(name, member gjson.Result) bool {
			if value.IsObject() {
				r.values = append(r.values, textOf(name))
			}
			texts = append(texts, r.add(member, wraps, depth+1))
			return !r.opaque
		})
		row = strings.Join(texts, " ")
		r.values = append(r.values, row)
		return row
	case value.Type == gjson.String && mayBeJSON(text) && wire.Valid(text):
		if wraps == wrapsMax {
			r.opaque = true
			return text
		}
		r.add(gjson.Parse(text), wraps+1, depth+1)
	}
	return text
}

// textOf is the text of a string, with U+FFFD for half a surrogate pair, or a value as it is
// written.
func textOf(value gjson.Result) string {
	if value.Type == gjson.String {
		return protocol.Joined(protocol.Text(value))
	}
	return value.String()
}

// mayBeJSON reports whether a text begins like a value that holds others, or a string.
func mayBeJSON(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.ContainsRune(`{["`, rune(text[0]))
}

// meanings are the ways that a value may be meant: as it is, as it is drawn, in plain letters, and as
// the number that it may be.
func meanings(value string) []string {
	all := []string{value, strings.TrimSpace(value), seen(value), strings.Join(strings.Fields(plain(value)), " ")}
	const bits = 64
	if n, err := strconv.ParseFloat(strings.ReplaceAll(all[3], "_", ""), bits); err == nil {
		all = append(all, strconv.FormatFloat(n, 'f', -1, bits))
	}
	return slices.Compact(all)
}
