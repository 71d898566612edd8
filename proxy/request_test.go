package proxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kfw-dev/kfw/redact"
)

// plain is a Redactor that redacts.
type plain struct{ rules *redact.Rules }

func (p plain) Result(text io.Reader) io.Reader { return redact.NewReader(text, p.rules, redact.Auto) }
func (p plain) Text(text io.Reader) io.Reader   { return redact.NewReader(text, p.rules, redact.Auto) }
func (p plain) JSON(value io.Reader) io.Reader  { return redact.NewReader(value, p.rules, redact.JSON) }

func newPlain(t testing.TB) plain {
	t.Helper()
	rules, err := redact.Compile(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return plain{rules}
}

// secret is one that stands alone, and quoted one that its name tells.
const (
	secret = "ghp_9mKq2WvXz4LtRb7NcJd8PhYs3FgAe6Tu5QxV"
	named  = `DB_PASSWORD=zqxabc1pw9`
)

// bodies are requests of each protocol. @ stands for what a tool answered, # for what the user has said.
var bodies = map[string]string{
	"anthropic":         `{"model":"m","system":"#","messages":[{"role":"user","content":"#"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"run","input":{"command":"cat .env"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"@"},{"type":"text","text":"#","cache_control":{"type":"ephemeral"}}]}],"max_tokens":1}`,
	"anthropic parts":   `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"@"},{"type":"text","text":"fine"}]}]}]}`,
	"anthropic sorted":  `{"messages":[{"content":[{"content":"@","tool_use_id":"t","type":"tool_result"},{"text":"#","type":"text"}],"role":"user"}]}`,
	"anthropic in full": `{"messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"@"},"title":"a"},{"type":"search_result","title":"b","source":"https://example.org","content":[{"type":"text","text":"@"}]}]}]}]}`,
	"batch":             `{"requests":[{"custom_id":"a","params":{"messages":[{"role":"user","content":[{"type":"tool_result","content":"@"}]}]}}]}`,
	"chat":              `{"messages":[{"role":"system","content":"#"},{"role":"user","content":[{"type":"text","text":"#"}]},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"run","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"@"}],"stream":true}`,
	"chat parts":        `{"messages":[{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"@"}]}]}`,
	"chat sorted":       `{"messages":[{"content":"#","role":"user"},{"content":"@","role":"tool","tool_call_id":"c"}]}`,
	"chat function":     `{"messages":[{"role":"function","name":"run","content":"@"}]}`,
	"twice":             `{"messages":[{"role":"user","content":"@","role":"tool"}]}`,
	"no role":           `{"messages":[{"content":"@"}]}`,
	"no type":           `{"messages":[{"role":"user","content":[{"tool_use_id":"t","content":"@"}]}]}`,
	"cohere":            `{"messages":[{"role":"tool","tool_call_id":"c","content":[{"type":"document","document":{"id":"1","data":{"out":"@"}}}]}]}`,
	"ollama":            `{"model":"m","messages":[{"role":"tool","tool_name":"run","content":"@"}]}`,
	"responses":         `{"instructions":"#","input":[{"role":"user","content":[{"type":"input_text","text":"#"}]},{"type":"function_call","call_id":"c","name":"run","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"@"},{"type":"custom_tool_call_output","call_id":"c","output":"@"}]}`,
	"responses parts":   `{"input":[{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"@"}]},{"type":"shell_call_output","call_id":"c","output":[{"stdout":"@","stderr":"","outcome":{"type":"exit","exit_code":0}}]}]}`,
	"responses mcp":     `{"input":[{"output":"@","name":"x","type":"mcp_call","id":"m"}]}`,
	"gemini":            `{"contents":[{"role":"user","parts":[{"text":"#"}]},{"role":"user","parts":[{"functionResponse":{"name":"run","response":{"output":"@","code":0}}}]}]}`,
	"gemini wrapped":    `{"model":"m","request":{"contents":[{"role":"user","parts":[{"function_response":{"name":"run","response":{"lines":["@"]}}}]}]}}`,
	"interactions":      `{"input":[{"type":"function_result","call_id":"c","name":"run","result":"@"},{"type":"function_result","call_id":"c","name":"run","result":{"out":"@"}}]}`,
	"bedrock":           `{"messages":[{"role":"user","content":[{"text":"#"},{"toolResult":{"toolUseId":"t","status":"success","content":[{"text":"@"},{"json":{"out":["@"]}}]}}]}]}`,
}

// asked is a body with these texts in it.
func asked(t testing.TB, name, result, user string) string {
	t.Helper()
	inside := func(text string) string {
		b, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Trim(string(b), `"`)
	}
	return strings.NewReplacer("@", inside(result), "#", inside(user)).Replace(bodies[name])
}

func rewritten(t testing.TB, body string, ofUser bool) string {
	t.Helper()
	var out bytes.Buffer
	if err := newRequest(newPlain(t), ofUser).rewrite(strings.NewReader(body), &out); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return out.String()
}

// TestResultsAreRedacted: in every protocol what a tool answered has no secret left, and all else is byte for byte as
// it was.
func TestResultsAreRedacted(t *testing.T) {
	for name := range bodies {
		result := "line one\nthe key is " + secret + " \u00e9\nline three"
		redacted := strings.ReplaceAll(result, secret, "[REDACTED:github_token]")
		user := "use " + secret + " please"
		if got, want := rewritten(t, asked(t, name, result, user), false), asked(t, name, redacted, user); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
		plain := strings.ReplaceAll(user, secret, "[REDACTED:github_token]")
		if got, want := rewritten(t, asked(t, name, result, user), true), asked(t, name, redacted, plain); got != want {
			t.Errorf("%s, with texts of the user:\n got %s\nwant %s", name, got, want)
		}
		harmless := asked(t, name, "nothing\t\u2028 <here> & \"there\" \\ \x01", user)
		if got := rewritten(t, harmless, false); got != harmless {
			t.Errorf("%s:\n got %s\nwant %s", name, got, harmless)
		}
	}
}

// TestNamesInAnObject: an object that a tool has answered is read with its names.
func TestNamesInAnObject(t *testing.T) {
	for _, body := range []string{
		`{"contents":[{"parts":[{"functionResponse":{"name":"run","response":{"document":{"password":"zqxabc1pw9"},"n":1}}}]}]}`,
		`{"messages":[{"role":"user","content":[{"toolResult":{"content":[{"json":{"password":"zqxabc1pw9"}}]}}]}]}`,
		`{"messages":[{"role":"tool","content":[{"document":{"data":{"password":"zqxabc1pw9"}},"type":"document"}]}]}`,
		`{"messages":[{"role":"tool","content":"` + named + `"}]}`,
	} {
		got := rewritten(t, body, false)
		if want := strings.ReplaceAll(body, "zqxabc1pw9", "[REDACTED:password]"); got != want {
			t.Errorf(" got %s\nwant %s", got, want)
		}
	}
}

// TestLargeMessages: what is too long to be looked at first is read as it comes.
func TestLargeMessages(t *testing.T) {
	long := strings.Repeat("a long line of a log\n", longestLooked/16)
	for _, name := range []string{"anthropic", "chat sorted", "responses", "gemini"} { // one of each way to look
		body := asked(t, name, long+secret+"\n", "short")
		got := rewritten(t, body, false)
		if want := asked(t, name, long+"[REDACTED:github_token]\n", "short"); got != want {
			t.Errorf("%s: %d bytes, not %d; the secret is there: %v", name, len(got), len(want),
				strings.Contains(got, secret))
		}
	}
}

// TestBlobsStay: pictures are passed on as they are.
func TestBlobsStay(t *testing.T) {
	blob := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA"+"ghp/9mKq2WvXz4LtRb7NcJd8", 40)
	for _, body := range []string{
		`{"messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%s"}}]}]}]}`,
		`{"input":[{"type":"function_call_output","output":[{"type":"input_image","image_url":"data:image/png;base64,%s"}]}]}`,
		`{"messages":[{"role":"user","content":[{"toolResult":{"content":[{"image":{"format":"png","source":{"bytes":"%s"}}}]}}]}]}`,
		`{"contents":[{"parts":[{"functionResponse":{"name":"x","response":{},"parts":[{"inlineData":{"mimeType":"image/png","data":"%s"}}]}}]}]}`,
	} {
		body = fmt.Sprintf(body, blob)
		if got := rewritten(t, body, false); got != body {
			t.Errorf(" got %.300s\nwant %.300s", got, body)
		}
	}
}

// TestPure: a block is the same bytes in each of the forty requests of a conversation.
func TestPure(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	r := newRequest(newPlain(t), false)
	var turns []string
	before := ""
	for i := range 40 {
		result, err := json.Marshal(fmt.Sprintf("turn %d\n%s\nuser%d@example.org has %s\n", i, named, i,
			strings.Repeat("a word ", random.IntN(400))))
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"run","input":{}}]}`+
			`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%s}]}`, i, i, result))
		var out bytes.Buffer
		if err := r.rewrite(strings.NewReader(`{"messages":[`+strings.Join(turns, ",")+`]}`), &out); err != nil {
			t.Fatal(err)
		}
		now := out.String()
		if strings.Contains(now, "zqxabc1pw9") || !strings.HasPrefix(now, before) {
			t.Fatalf("request %d:\n%s\nbegins not with\n%s", i, now, before)
		}
		before = strings.TrimSuffix(now, "]}")
	}
}

// FuzzRequest: any body is either refused or becomes JSON that differs in its strings only. Cuts of the body change
// nothing. Without results of tools the bytes stay the same.
func FuzzRequest(f *testing.F) {
	for name := range bodies {
		f.Add([]byte(asked(f, name, secret, "x")))
	}
	for _, body := range []string{"0 \x00", `{} {}`, "[]\n \t1"} {
		f.Add([]byte(body))
	}
	rules := newPlain(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		var out, again bytes.Buffer
		err := newRequest(rules, false).rewrite(bytes.NewReader(body), &out)
		if cut := newRequest(rules, false).rewrite(iotest.OneByteReader(bytes.NewReader(body)),
			&again); fmt.Sprint(cut) != fmt.Sprint(err) {
			t.Fatalf("%v, and in other pieces %v", err, cut)
		}
		if isJSON := json.Valid(body); isJSON != (err == nil) {
			t.Fatalf("JSON: %v, error: %v", isJSON, err)
		}
		if err != nil {
			return
		}
		if out.String() != again.String() {
			t.Fatalf("%s\nand in other pieces\n%s", out.String(), again.String())
		}
		if !json.Valid(out.Bytes()) {
			t.Fatalf("no JSON: %s", out.String())
		}
		if !bytes.Contains(body, []byte("tool")) && !bytes.Contains(body, []byte("unction")) &&
			!bytes.Contains(body, []byte("messages")) &&
			!bytes.Contains(body, []byte("input")) && !bytes.Contains(body, []byte(`\`)) &&
			!bytes.Equal(out.Bytes(), body) {
			t.Fatalf("changed: %s", out.String())
		}
	})
}
