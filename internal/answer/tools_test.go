package answer_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kfw-dev/kfw/internal/answer"
	"github.com/kfw-dev/kfw/turn"
)

// TestTools: a request says which tools it offers, which of them may be called, and of which protocol it is.
func TestTools(t *testing.T) {
	const chat = `"messages":[],"tools":[{"type":"function","function":{"name":"b"}},{"type":"function","function":{"name":"a"}}]`
	const responses = `"input":[],"tools":[{"type":"function","name":"a"},{"type":"custom","name":"b"},{"type":"web_search"}]`
	const anthropic = `"messages":[],"tools":[{"name":"a","input_schema":{}},{"name":"b","input_schema":{}}]`
	const gemini = `"contents":[],"tools":[{"functionDeclarations":[{"name":"a"},{"name":"b"}]}]`
	const bedrock = `"messages":[],"toolConfig":{"tools":[{"toolSpec":{"name":"a"}},{"toolSpec":{"name":"b"}}]`
	both, none, a := []string{"a", "b"}, []string{}, []string{"a"}
	for _, test := range []struct {
		request        string
		tools, allowed []string
		protocol       turn.Protocol
	}{
		{`{` + chat + `}`, both, nil, turn.OpenAIChat},
		{`{` + chat + `,"tool_choice":"auto"}`, both, nil, turn.OpenAIChat},
		{`{` + chat + `,"tool_choice":"required"}`, both, nil, turn.OpenAIChat},
		{`{` + chat + `,"tool_choice":"none"}`, both, none, turn.OpenAIChat},
		{`{` + chat + `,"tool_choice":{"type":"function","function":{"name":"a"}}}`, both, a, turn.OpenAIChat},
		{`{` + chat + `,"tool_choice":{"type":"function","function":{"name":"z"}}}`, both, none, turn.OpenAIChat},
		{`{` + chat + `,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[` +
			`{"type":"function","function":{"name":"a"}}]}}}`, both, a, turn.OpenAIChat},
		{`{"messages":[],"functions":[{"name":"a"},{"name":"b"}],"function_call":{"name":"a"}}`, both, a,
			turn.OpenAIChat},
		{`{"messages":[]}`, none, nil, turn.OpenAIChat},
		{`{` + responses + `,"tool_choice":{"type":"custom","name":"a"}}`, both, a, turn.OpenAIResponses},
		{`{` + responses + `,"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"a"}]}}`,
			both, a, turn.OpenAIResponses},
		{`{"input":"x","tools":[{"type":"web_search"}]}`, none, nil, turn.OpenAIResponses},
		{`{` + anthropic + `,"tool_choice":{"type":"any"}}`, both, nil, turn.AnthropicMessages},
		{`{` + anthropic + `,"tool_choice":{"type":"none"}}`, both, none, turn.AnthropicMessages},
		{`{` + anthropic + `,"tool_choice":{"type":"tool","name":"a"}}`, both, a, turn.AnthropicMessages},
		{`{` + gemini + `,"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}`, both, none, turn.Gemini},
		{`{` + gemini + `,"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["a"]}}}`, both, a,
			turn.Gemini},
		{`{` + bedrock + `,"toolChoice":{"tool":{"name":"a"}}}}`, both, a, turn.BedrockConverse},
		{`{` + bedrock + `,"toolChoice":{"any":{}}}}`, both, nil, turn.BedrockConverse},
		{`[{"name":"a"},"b"]`, both, nil, turn.Auto},
	} {
		path := filepath.Join(t.TempDir(), "request.json")
		if err := os.WriteFile(path, []byte(test.request), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := answer.Tools([]string{"@" + path})
		if err != nil || !slices.Equal(got.Tools, test.tools) || !slices.Equal(got.Allowed, test.allowed) ||
			(got.Allowed == nil) != (test.allowed == nil) || got.Tools == nil || got.Protocol != test.protocol {
			t.Errorf("%s: %+v, %v", test.request, got, err)
		}
	}
}
