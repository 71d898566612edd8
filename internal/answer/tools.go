package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/safefile"
	"github.com/kfw-dev/kfw/turn"
)

// toolsMax is how large a file of tools may be, in bytes.
const toolsMax = 16 << 20

// Request is what a request says of the tools that its answer may call.
type Request struct {
	Tools    []string      // that it offers; nil if that is not known
	Allowed  []string      // those of them that may be called; nil if all may
	Protocol turn.Protocol // that it is of; Auto if it does not show
}

// Tools reads the names of --tools, or the file that they are in: a request, or its list of tools. A request without
// tools is one: nothing may be called.
func Tools(given []string) (Request, error) {
	if len(given) == 0 {
		return Request{Tools: []string{}, Protocol: turn.Auto}, nil
	}
	path, isFile := strings.CutPrefix(given[0], "@")
	if !isFile || len(given) > 1 {
		return Request{Tools: sortedNames(given), Protocol: turn.Auto}, nil
	}
	from := "--tools: " + path + ": "
	content, err := safefile.Read(path, safefile.Limit{Bytes: toolsMax, Syntax: safefile.JSON})
	if err != nil {
		return Request{}, fault.Usage(from+err.Error(), "")
	}
	const hint = "the file is a request, or the list of its tools"
	if !gjson.ValidBytes(content) {
		return Request{}, fault.Usage(from+"not valid JSON", hint)
	}
	whole := gjson.ParseBytes(content)
	names, protocol := declared(whole, 0), requestProtocol(whole)
	if len(names) == 0 && protocol == turn.Auto && !whole.IsArray() && !whole.Get("tools").Exists() {
		return Request{}, fault.Usage(from+"declares no tool", hint)
	}
	request := Request{Tools: sortedNames(names), Protocol: protocol}
	if chosen, limited := choice(whole); limited {
		request.Allowed = sortedNames(slices.DeleteFunc(chosen, func(name string) bool {
			return !slices.Contains(request.Tools, name)
		}))
	}
	return request, nil
}

// choice returns the names of the tools that the tool choice of a request allows. limited is false
// if it allows all.
func choice(request gjson.Result) (names []string, limited bool) {
	for _, path := range []string{"tool_choice", "function_call", "toolConfig.toolChoice",
		"toolConfig.functionCallingConfig", "tool_config.function_calling_config", "generation_config.tool_choice"} {
		chosen := request.Get(path)
		mode := strings.ToLower(chosen.String())
		if chosen.IsObject() {
			mode = strings.ToLower(cmp.Or(chosen.Get("mode").String(), chosen.Get("type").String()))
		}
		if mode == "none" {
			return nil, true
		}
		for _, list := range []string{"allowed_tools", "tools", "allowedFunctionNames", "allowed_function_names"} {
			for within := chosen.Get(list); within.Exists(); within = within.Get("tools") {
				if within.IsArray() {
					return declared(within, 1), true
				}
			}
		}
		for _, name := range []string{"function.name", "custom.name", "tool.name", "name"} {
			if one := chosen.Get(name); one.Type == gjson.String {
				return []string{strings.Clone(one.Str)}, true
			}
		}
	}
	return nil, false
}

// requestProtocol is the protocol that a request is of, or its list of tools: Auto if it does not
// show.
func requestProtocol(request gjson.Result) turn.Protocol {
	tools := request.Get("tools")
	if request.IsArray() {
		tools = request
	}
	shows := func(of gjson.Result, paths ...string) bool {
		return slices.ContainsFunc(paths, func(path string) bool { return of.Get(path).Exists() })
	}
	switch tool := tools.Get("0"); {
	case shows(request, "toolConfig.tools", "inferenceConfig") || shows(tool, "toolSpec"):
		return turn.BedrockConverse
	case shows(request, "contents") || shows(tool, "functionDeclarations", "function_declarations"):
		return turn.Gemini
	case shows(request, "anthropic_version") || shows(tool, "input_schema"):
		return turn.AnthropicMessages
	case shows(request, "input") || tool.Get("type").String() == "function" && !shows(tool, "function"):
		return turn.OpenAIResponses
	case shows(request, "messages") || shows(tool, "function"):
		return turn.OpenAIChat
	}
	return turn.Auto
}

// sortedNames are names in order, each once. They are never nil: that would be every name.
func sortedNames(names []string) []string {
	names = append([]string{}, names...)
	slices.Sort(names)
	return slices.Compact(names)
}

// declared finds the names of the tools in a request, or in its list of tools, of any provider: objects with a name,
// which may be in a "function", a "custom", a "toolSpec" or a "functionDeclarations".
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
		for _, list := range []string{"tools", "toolConfig.tools", "functions", "functionDeclarations",
			"function_declarations",
			"function", "custom", "toolSpec"} {
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
