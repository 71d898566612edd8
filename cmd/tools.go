package cmd

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// toolsMax is how large a file of tools may be, in bytes.
const toolsMax = 16 << 20

// toolNames are the names of --tools, or those that its file declares. A list without names is one: nothing may be
// called.
func toolNames(given []string) ([]string, error) {
	if len(given) == 0 {
		return []string{}, nil
	}
	path, isFile := strings.CutPrefix(given[0], "@")
	if !isFile || len(given) > 1 {
		return sortedNames(given), nil
	}
	from := "--tools: " + path + ": "
	content, err := readAtMost(path, toolsMax)
	if err != nil {
		return nil, usage(from+err.Error(), "")
	}
	const hint = "the file is a request, or the list of its tools"
	if !gjson.ValidBytes(content) {
		return nil, usage(from+"not valid JSON", hint)
	}
	names := declared(gjson.ParseBytes(content), 0)
	if len(names) == 0 {
		return nil, usage(from+"declares no tool", hint)
	}
	return sortedNames(names), nil
}

func sortedNames(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// declared finds the names of the tools in a request, or in its list of tools, of any provider: objects with a name,
// which may be in a "function", a "toolSpec" or a "functionDeclarations".
func declared(in gjson.Result, depth int) (names []string) {
	const deepest = 4
	if depth > deepest {
		return nil
	}
	switch {
	case in.IsArray():
		in.ForEach(func(_, element gjson.Result) bool {
			names = append(names, declared(element, depth+1)...)
			return true
		})
	case in.Type == gjson.String && depth > 0:
		names = append(names, strings.Clone(in.Str))
	case in.IsObject():
		for _, list := range []string{"tools", "toolConfig.tools", "functionDeclarations", "function_declarations",
			"function", "toolSpec"} {
			if inner := in.Get(list); inner.IsArray() || inner.IsObject() {
				return declared(inner, depth)
			}
		}
		if name := in.Get("name"); name.Type == gjson.String {
			names = append(names, strings.Clone(name.Str))
		}
	}
	return names
}
