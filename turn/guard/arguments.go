package guard

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn/wire"
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

// valuesAt returns the values that a path of names leads to. Names are compared as Normal does,
// every one of several that are the same counts, and so do values in lists, and in strings that are
// JSON. The arguments are JSON. If something on the way can't be read as an object, opaque is true.
func valuesAt(arguments, path string) (values []string, opaque bool) {
	r := reading{names: strings.Split(path, ".")}
	for _, name := range r.names {
		r.path = append(r.path, Normal(name))
	}
	whole := gjson.Parse(arguments)
	r.read(whole, 0, 0, 0)
	return r.values, r.opaque || whole.IsArray() && whole.Get("#").Int() == 0
}

// read goes down the path from its n-th name.
func (r *reading) read(value gjson.Result, n, wraps, depth int) {
	switch {
	case depth > depthMax || len(r.values) > seenMax:
		r.opaque = true
	case n == len(r.path):
		r.add(value, wraps, depth)
	case value.IsObject():
		value.ForEach(func(name, member gjson.Result) bool {
			if Normal(name.String()) == r.path[n] {
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
	case value.Type == gjson.String && wraps < wrapsMax && wire.Valid(value.Str):
		r.read(gjson.Parse(value.Str), n, wraps+1, depth+1)
	case value.Type != gjson.Null || n == 0:
		r.opaque = true
	}
}

// add takes in what a value is: as it is written, as the text that it may be in turn, and of a list
// also its elements, each for itself and in a row.
func (r *reading) add(value gjson.Result, wraps, depth int) {
	r.values = append(r.values, value.String())
	switch {
	case depth > depthMax || len(r.values) > seenMax:
		r.opaque = true
	case value.IsArray():
		var row []string
		value.ForEach(func(_, element gjson.Result) bool {
			row = append(row, element.String())
			r.add(element, wraps, depth+1)
			return len(row) < seenMax
		})
		r.values = append(r.values, strings.Join(row, " "))
	case value.IsObject():
		value.ForEach(func(_, member gjson.Result) bool {
			r.add(member, wraps, depth+1)
			return len(r.values) <= seenMax
		})
	case value.Type == gjson.String && wraps < wrapsMax && mayBeJSON(value.Str) && wire.Valid(value.Str):
		r.add(gjson.Parse(value.Str), wraps+1, depth+1)
	}
}

// mayBeJSON reports whether a text begins like a value that holds others, or a string.
func mayBeJSON(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.ContainsRune(`{["`, rune(text[0]))
}

// forms are the ways that a value may be meant: as it is, and as whoever reads it sees it, without
// blanks around it and with one between its words.
func forms(value string) []string {
	read := strings.Join(strings.Fields(plain(value)), " ")
	return slices.Compact([]string{value, strings.TrimSpace(value), read})
}
