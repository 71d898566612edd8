package hosts

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

// shape is a response as a host's tools make it, and the event that it comes in.
type shape struct{ host, response, event string }

const mcpItems = `[{"type":"text","text":"all is well","annotations":{"audience":["user"],"priority":0.5}},` +
	`{"type":"image","data":"{IMAGE}","mimeType":"image/png"},` +
	`{"type":"resource","resource":{"uri":"file:///notes","mimeType":"text/plain","text":"line 1\nline 2"}},` +
	`{"type":"resource","resource":{"uri":"file:///icon","mimeType":"image/png","blob":"{IMAGE}"}},` +
	`{"type":"resource_link","uri":"file:///more","name":"more","description":"more of it"}]`

const mcpStructured = `{"report":"fine","count":2,"rows":[{"id":1,"name":"a","url":"https://x.test/","status":"open",` +
	`"data":"d","text":"said","result":{"output":["o","p"]}}]}`

const mcpResult = `{"content":` + mcpItems + `,"structuredContent":` + mcpStructured + `,"isError":false,"_meta":{"k":"v"}}`

// shapes are the responses that the hosts' tools are known to make. @ stands for the response in
// an event, and "@" for the string that holds it.
func shapes() (all []shape) {
	add := func(host, event string, responses ...string) {
		for _, response := range responses {
			all = append(all, shape{host, response, event})
		}
	}
	common := `"session_id":"s","tool_use_id":"c","tool_input":{},`
	claude := `{"hook_event_name":"PostToolUse",` + common + `"prompt_id":"p","tool_name":"T","tool_response":`
	add("claude-code", claude+`@}`,
		`{"stdout":"out","stderr":"err","interrupted":false,"isImage":false,"noOutputExpected":false,"timedOutAfterMs":5}`,
		`{"type":"text","file":{"filePath":"/x","content":"a\nb","numLines":2,"startLine":1,"totalLines":2}}`,
		`{"type":"image","file":{"base64":"{IMAGE}","type":"image/png","originalSize":70}}`,
		`{"type":"notebook","file":{"filePath":"/x","cells":[{"cell_type":"code","source":["a","b"],"outputs":[{"text":"o"}]}]}}`,
		`{"mode":"content","numFiles":1,"filenames":["a","b"],"content":"a:1:x","numLines":1}`,
		`{"durationMs":3,"numFiles":1,"filenames":["a"],"truncated":false}`,
		`{"bytes":10,"code":200,"codeText":"OK","result":"page","durationMs":5,"url":"https://x.test/"}`,
		`{"query":"q","results":[{"tool_use_id":"t","content":[{"title":"T","url":"https://x.test/"}]},"note"],"durationSeconds":1.5}`,
		`{"status":"completed","agentId":"a1","content":[{"type":"text","text":"done"}],"totalTokens":5,"usage":{"input_tokens":3}}`,
		`{"filePath":"/x","oldString":"a","newString":"b","originalFile":"a\nb","structuredPatch":[{"oldStart":1,"lines":["-a","+b"]}],"userModified":false}`,
		`{"oldTodos":[{"content":"c","status":"pending"}],"newTodos":[{"content":"c","status":"done"}]}`,
		`{"unknown":{"x":[1,"a",{"y":"z"}]}}`, mcpItems)
	add("claude-code", claude+`"@"}`, mcpStructured)
	codex := `{"hook_event_name":"PostToolUse",` + common + `"turn_id":"t","tool_name":"mcp__a__b","tool_response":@}`
	add("codex", codex, `"said"`, mcpResult, `{"content":`+mcpItems+`}`, `{"content":[],"structuredContent":`+mcpStructured+`}`,
		`{"content":[{"type":"text","text":"x"}],"structuredContent":null}`, `{"unknown":{"x":["a",2]}}`)
	add("gemini-cli", `{"hook_event_name":"AfterTool","session_id":"s","tool_name":"t","tool_response":@}`,
		`{"llmContent":"said","returnDisplay":"","error":{"message":"m","type":"e"}}`,
		`{"llmContent":[{"text":"said"},{"inlineData":{"mimeType":"image/png","data":"{IMAGE}"}},{"functionResponse":{"name":"n","response":{"a":"b"}}}],"returnDisplay":""}`,
		`{"llmContent":{"role":"user","parts":[{"text":"said"},"more"]},"returnDisplay":""}`)
	add("qwen-code", `{"hook_event_name":"PostToolUse",`+common+`"tool_call_id":"t","tool_name":"t","tool_response":@}`,
		`{"llmContent":"said","returnDisplay":"","error":{"message":"m"}}`,
		`{"llmContent":[{"text":"said"},{"text":"more"}],"returnDisplay":""}`)
	add("qwen-code", `{"hook_event_name":"PostToolUse",`+common+`"tool_call_id":"t","tool_name":"t","tool_response":`+
		`{"llmContent":[{"text":"@"},{"text":"said"}],"returnDisplay":""}}`, mcpStructured)
	copilot := `{"sessionId":"s","toolName":"t","toolArgs":{},"toolResult":`
	add("copilot", copilot+`@}`, `{"resultType":"success","textResultForLlm":"said","sessionLog":"log","toolTelemetry":{"n":1}}`)
	add("copilot", copilot+`{"resultType":"success","textResultForLlm":"@"}}`, mcpStructured)
	plugin := `"hook_event_name":"tool.execute.after",` + common + `"tool_name":"t","tool_response":@}`
	add("opencode", `{"host":"opencode",`+plugin,
		`{"title":"t","output":"said","metadata":{"output":"said","exit":0,"preview":"p","display":{"path":"/x","text":"t"}}}`,
		`{"content":`+mcpItems+`,"structuredContent":`+mcpStructured+`,"attachments":[{"type":"file","url":"data:x","mime":"m"}]}`)
	add("cline", `{"host":"cline",`+strings.Replace(plugin, "tool.execute.after", "afterTool", 1),
		`{"output":[{"query":"q","result":"said","success":true,"error":"e"}]}`, `{"output":"said"}`, `{"output":`+mcpResult+`}`,
		`{"output":{"columns":["a","b"],"rows":[[1,"x"]]}}`)
	add("cursor", `{"cursor_version":"2","hook_event_name":"postToolUse","tool_name":"MCP:a","tool_output":"@"}`,
		mcpResult, `{"content":`+mcpItems+`}`, `{"structuredContent":`+mcpStructured+`}`, `[1,{"a":"b"}]`)
	return all
}

// eventWith returns the event of a shape with a response in it.
func (s shape) eventWith(response string) []byte {
	if strings.Contains(s.event, `"@"`) {
		return []byte(strings.Replace(s.event, `"@"`, string(quoted(response)), 1))
	}
	return []byte(strings.Replace(s.event, "@", response, 1))
}

// TestEveryLeaf: of every shape that a host has, what the model gets has no secret, whatever leaf or name has it, and
// whatever in the structure says that it is one.
func TestEveryLeaf(t *testing.T) {
	_, secrets := plantedSecrets()
	key, value, card := secrets[1], "x7Kq2mV9"+"pL4wZ8", "4111"+"1111"+"1111"+"1111"
	packed := base64.StdEncoding.EncodeToString([]byte(value))
	image := base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe " +
		secrets[0] + " \xff\xfe")) // a rule matches in it, but an image is not searched
	members := map[string]string{
		`"` + key + `":1`: key, `"` + key + `":{"a":"b"}`: key,
		`"password":{"old":"` + value + `"}`: value, `"password":12345678`: "12345678",
		`"credentials":{"password":["` + value + `"]}`:                     value,
		`"password":{"output":"` + value + `","result":["` + value + `"]}`: value,
		`"env":[{"name":"DB_PASSWORD","value":"` + value + `"}]`:           value,
		`"env":[{"value":"` + value + `","name":"DB_PASSWORD"}]`:           value,
		`"t":{"columns":["id","password"],"rows":[[1,"` + value + `"]]}`:   value,
		`"o":{"kind":"Secret","data":{"a":"` + packed + `"}}`:              packed,
		`"url":"https://x.test/?access_token=` + value + `"`:               value,
		`"name":"` + key + `"`: key,
		`"data":"` + base64.StdEncoding.EncodeToString([]byte(key)) + `"`: base64.StdEncoding.EncodeToString([]byte(key))[:12],
		`"status":"` + key + `"`: key, `"userId":"` + key + `"`: key, `"filePath":"/` + key + `"`: key,
		`"lines":["-----BEGIN RSA PRIVATE KEY-----","` + strings.Repeat(value, 4) + `","-----END RSA PRIVATE KEY-----"]`: value,
	}
	d := door(t, nil, "")
	for _, s := range shapes() {
		d.Host = Named(s.host)
		response := strings.ReplaceAll(s.response, "{IMAGE}", image)
		if !json.Valid([]byte(response)) || !json.Valid(s.eventWith(response)) {
			t.Fatalf("%s: no JSON: %s", s.host, s.eventWith(response))
		}
		check := func(planted, secret string) {
			t.Helper()
			event := s.eventWith(planted)
			answer := d.Answer(bytes.NewReader(event))
			if answer == nil || !json.Valid(answer) || bytes.Contains(answer, []byte(secret)) {
				t.Errorf("%s: %s\nof %s", s.host, answer, event)
			}
		}
		if answer := d.Answer(bytes.NewReader(s.eventWith(response))); answer != nil {
			t.Errorf("%s: an answer to what has no secret: %s\nto %s", s.host, answer, response)
		}
		source := []byte(response)
		for i, at := range leaves(source) {
			secret, plant := key, string(quoted(key))
			switch first := at.Raw[0]; {
			case at.path == "returnDisplay", first == 't', first == 'f', first == 'n':
				continue
			case at.isName:
				plant = string(quoted(at.String() + " " + key))
			case first != '"':
				secret, plant = card, card
			}
			check(string(withLeaves(source, func(j int, _ leaf) ([]byte, bool) { return []byte(plant), i == j })),
				secret)
		}
		for at := range response {
			if response[at] != '{' {
				continue
			}
			for member, secret := range members {
				check(response[:at+1]+member+","+response[at+1:], secret)
			}
		}
	}
}
