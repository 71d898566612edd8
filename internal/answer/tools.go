package answer

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/safefile"
	"github.com/kfw-dev/kfw/turn"
)

// toolsMax is how large a file of tools may be, in bytes.
const toolsMax = 16 << 20

// Tools are the names of --tools, or those that its file declares, and the protocol that this
// file is a request of. A list without names is one: nothing may be called.
func Tools(given []string) ([]string, turn.Protocol, error) {
	if len(given) == 0 {
		return []string{}, turn.Auto, nil
	}
	path, isFile := strings.CutPrefix(given[0], "@")
	if !isFile || len(given) > 1 {
		return sortedNames(given), turn.Auto, nil
	}
	from := "--tools: " + path + ": "
	content, err := safefile.Read(path, safefile.Limit{Bytes: toolsMax, Form: safefile.JSON})
	if err != nil {
		return nil, turn.Auto, fault.Usage(from+err.Error(), "")
	}
	const hint = "the file is a request, or the list of its tools"
	if !gjson.ValidBytes(content) {
		return nil, turn.Auto, fault.Usage(from+"not valid JSON", hint)
	}
	request := gjson.ParseBytes(content)
	names := declared(request, 0)
	if len(names) == 0 {
		return nil, turn.Auto, fault.Usage(from+"declares no tool", hint)
	}
	return sortedNames(names), requestProtocol(request), nil
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

func sortedNames(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

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
		for _, list := range []string{"tools", "toolConfig.tools", "functionDeclarations", "function_declarations",
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
