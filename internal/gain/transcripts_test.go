package gain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// upper is a Judge to whom each SECRET is one, and who shows ten bytes of a text.
type upper struct{}

func (upper) Redacted(text string) (redacted string, found map[string]int, err error) {
	if n := strings.Count(text, "SECRET"); n > 0 {
		found = map[string]int{"secret": n}
	}
	return strings.ReplaceAll(text, "SECRET", "[X]"), found, nil
}

func (upper) Tokens(text string) (read, given int, err error) {
	return len(text), min(len(text), 10), nil
}

// TestTranscripts: what the sessions of both hosts say is found, and an edit counts whose text redaction would have
// changed where it was read.
func TestTranscripts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.jsonl": `{"type":"user","message":{"role":"user","content":"hello"}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"x"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"     1→a = SECRET\n     2→b = 2\n"}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"Edit","input":{"old_string":"a = SECRET\nb = 2","new_string":"c"}}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t3","name":"Edit","input":{"old_string":"b = 2","new_string":"c"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t3","content":[{"type":"text","text":"done"}]}]}}
broken
`,
		"b.jsonl": `{"type":"response_item","payload":{"type":"function_call","call_id":"c","name":"shell","arguments":"{\"command\":[\"cat\",\"x\"]}"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"{\"output\":\"k SECRET\\nSECRET\\n\",\"metadata\":{}}"}}
{"type":"response_item","payload":{"type":"custom_tool_call","call_id":"d","name":"apply_patch","input":"*** Begin Patch\n*** Update File: x\n@@\n-k SECRET\n+k\n*** End Patch"}}
`,
		"c.jsonl": `{"other":1}` + "\n", "d.json": `{"type":"user"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadTranscripts(dir, upper{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := got.JSON(&b); err != nil {
		t.Fatal(err)
	}
	const want = `{"sessions":2,"results":3,"read":55,"given":24,"shorter":2,"leaky":2,"found":{"secret":3},"edits":3,"touched":2,"unread":1,"other_files":1}` + "\n"
	if b.String() != want {
		t.Errorf("got %swant %s", b.String(), want)
	}
}
