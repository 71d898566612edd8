package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/mcp/results"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/mcp"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

const (
	planted = "planted.person@example.com"
	marker  = "[REDACTED:email]"
)

var allRules = sync.OnceValues(func() (*redact.Rules, error) { return redact.Compile(redact.Options{}) })

// notes are what a proxy said to the user.
type notes struct {
	mu    sync.Mutex
	lines []string
}

func (n *notes) add(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
}

// echo is a tool that answers with its arguments.
type echo struct{ name string }

func (e *echo) Name() string        { return e.name }
func (e *echo) SetName(name string) { e.name = name }
func (e *echo) Define() []byte {
	return append(jsonx.AppendString([]byte(`{"name":`), e.name), `,"inputSchema":{"type":"object"}}`...)
}
func (e *echo) Call(arguments []byte) ([]byte, bool) { return arguments, len(arguments) == 0 }

// newProxy returns a proxy with the rules of kfw and a session of its own.
func newProxy(t testing.TB, change func(*results.Options)) (*mcp.Proxy, *notes) {
	rules, err := allRules()
	if err != nil {
		t.Fatal(err)
	}
	counter, err := budget.NewCounter("chars")
	if err != nil {
		t.Fatal(err)
	}
	said := new(notes)
	o := results.Options{
		Rules: rules, Whole: rules, Counter: counter, Counting: "chars", Budget: 1000,
		Encoding: func() pipeline.Encoding { return encode.Text{}.ByTool("kfw_expand", "") },
		Explain:  func(error) pipeline.Failure { return pipeline.Failure{Code: "failed", Exit: 125} },
		Describe: func(s string) string { return s },
		Session:  file.At(filepath.Join(t.TempDir(), "s.kfw"), session.Settings{Total: session.NoTotal}),
		Note:     said.add,
	}
	if change != nil {
		change(&o)
	}
	t.Cleanup(func() {
		if err := o.Session.Close(); err != nil {
			t.Error(err)
		}
	})
	f := results.New(o)
	return &mcp.Proxy{Redactor: f, Fitter: f, Tool: &echo{"kfw_expand"}, Spool: t.TempDir(), Note: said.add}, said
}

// exchange passes what the client says, and then what the server says, and returns what each of them gets.
func exchange(t testing.TB, p *mcp.Proxy, client string, server io.Reader) (toServer, toClient string) {
	return exchangeCut(t, p, strings.NewReader(client), server)
}

func exchangeCut(t testing.TB, p *mcp.Proxy, client, server io.Reader) (toServer, toClient string) {
	var in, out bytes.Buffer
	p.Open(&out)
	if err := p.ToServer(client, &in); err != nil {
		t.Fatal(err)
	}
	if err := p.ToClient(server); err != nil {
		t.Fatal(err)
	}
	return in.String(), out.String()
}

// request returns a request with an ID.
func request(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
}

func calling(id int, tool string) string {
	return request(id, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":{}}`, tool))
}

// TestLongValuesBehindTexts: a value so long that the texts before it are redacted before its end comes out whole.
func TestLongValuesBehindTexts(t *testing.T) {
	for _, texts := range []string{"", `{"type":"text","text":"ok"},`, `{"type":"text","text":"see mara@example.org there"},`} {
		for _, size := range []int{100_000, 131_000, 131_072, 140_000, 300_000} {
			for _, item := range []string{`{"type":"resource_link","uri":"a","name":"b","description":"%s"}`,
				`{"type":"resource","resource":{"uri":"a","blob":"%s"}}`, `{"type":"other","payload":[{"of":["%s"]}]}`} {
				const format = `{"jsonrpc":"2.0","id":1,"result":{"content":[%s%s]}}` + "\n"
				item = fmt.Sprintf(item, strings.Repeat("abcd", size/4))
				p, _ := newProxy(t, func(o *results.Options) { o.Budget = 1_000_000 })
				_, got := exchange(t, p, calling(1, "t"), strings.NewReader(fmt.Sprintf(format, texts, item)))
				want := fmt.Sprintf(format, strings.ReplaceAll(texts, "mara@example.org", "[REDACTED:email]"), item)
				if got != want {
					t.Errorf("%d bytes behind %q: %d bytes, not %d", size, texts, len(got), len(want))
				}
			}
		}
	}
}

// TestBytes: what a server says comes out with nothing changed but payloads.
func TestBytes(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, c := range []struct{ name, client, server, want string }{
		{name: "nothing to change", client: calling(1, "t"),
			server: "{ \"result\" : {\"content\":[ {\"text\":\"a\\u00e9\\/\\ud83d\\ude00\",\"type\":\"text\"} ],\"_meta\":{\"token\":\"" + planted + "\"}} ,\"jsonrpc\":\"2.0\",\"id\":1}\r\n\n\r\n" +
				`{"jsonrpc":"2.0","method":"notifications/unknown","params":{"progressToken":"` + planted +
				`","message":"` + planted + `"}}` + "\n"},
		{name: "a text", client: calling(1, "t"),
			server: `{"result":{"content":[{"type":"text","text":"caf\u00e9 ` + planted +
				` caf\u00e9\n"}],"nextCursor":"` + planted + `"},"jsonrpc":"2.0","id":1}` + "\n",
			want: `{"result":{"content":[{"type":"text","text":"caf\u00e9 ` + marker +
				` café\n"}],"nextCursor":"` + planted + `"},"jsonrpc":"2.0","id":1}` + "\n"},
		{name: "a name with an escape", client: calling(1, "t"),
			server: `{"id":1,"re\u0073ult":{"content":[{"t\u0065xt":"` + planted + `"}]}}`,
			want:   `{"id":1,"re\u0073ult":{"content":[{"t\u0065xt":"` + marker + `"}]}}`},
		{name: "a type that is not known", client: calling(1, "t"),
			server: `{"id":1,"result":{"content":[{"type":"new","uri":"` + planted + `","words":"` + planted +
				`","in":{"deep":["` + planted + `"]},"data":"` + planted + `","n":1,"_meta":{"a":"` + planted +
				`"},"annotations":{"a":"` + planted + `"}}]}}`,
			want: `{"id":1,"result":{"content":[{"type":"new","uri":"` + marker + `","words":"` + marker +
				`","in":{"deep":["` + marker + `"]},"data":"` + marker + `","n":1,"_meta":{"a":"` + planted +
				`"},"annotations":{"a":"` + planted + `"}}]}}`},
		{name: "an embedded resource", client: calling(1, "t"),
			server: `{"id":1,"result":{"content":[{"type":"resource","resource":{"uri":"file:///` + planted +
				`","text":"` + planted + `"}}]}}`,
			want: `{"id":1,"result":{"content":[{"type":"resource","resource":{"uri":"file:///` + marker +
				`","text":"` + marker + `"}}]}}`},
		{name: "resources and prompts",
			server: `{"id":1,"result":{"contents":[{"uri":"` + planted + `","text":"` + planted + `"},{"blob":"` +
				planted + `"}]}}` + "\n" +
				`{"id":2,"result":{"description":"` + planted +
				`","messages":[{"role":"user","content":{"type":"text","text":"` + planted + `"}}]}}` + "\n",
			want: `{"id":1,"result":{"contents":[{"uri":"` + planted + `","text":"` + marker + `"},{"blob":"` +
				marker + `"}]}}` + "\n" +
				`{"id":2,"result":{"description":"` + marker +
				`","messages":[{"role":"user","content":{"type":"text","text":"` + marker + `"}}]}}` + "\n"},
		{name: "errors, notices, progress",
			server: `{"id":1,"error":{"code":-1,"message":"` + planted + `","data":{"who":"` + planted + `"}}}` + "\n" +
				`{"method":"notifications/message","params":{"level":"info","logger":"` + planted + `","data":["` +
				planted + `"]}}` + "\n" +
				`{"method":"notifications/progress","params":{"progressToken":"` + planted + `","message":"` +
				planted + `"}}` + "\n",
			want: `{"id":1,"error":{"code":-1,"message":"` + marker + `","data":{"who":"` + marker + `"}}}` + "\n" +
				`{"method":"notifications/message","params":{"level":"info","logger":"` + planted + `","data":["` +
				marker + `"]}}` + "\n" +
				`{"method":"notifications/progress","params":{"progressToken":"` + planted + `","message":"` +
				marker + `"}}` + "\n"},
		{name: "the method comes last",
			server: `{"params":{"data":"` + planted + `"},"method":"notifications/message"}`,
			want:   `{"params":{"data":"` + marker + `"},"method":"notifications/message"}`},
		{name: "requests of the server",
			server: `{"id":1,"method":"sampling/createMessage","params":{"systemPrompt":"` + planted +
				`","messages":[{"content":[{"type":"tool_result","toolUseId":"x","content":[{"type":"text","text":"` + planted + `"}]}]}]}}` + "\n" +
				`{"id":2,"method":"elicitation/create","params":{"message":"` + planted +
				`","requestedSchema":{"x":"` + planted + `"}}}` + "\n" +
				`{"id":3,"result":{"resultType":"input_required","requestState":"` + planted +
				`","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"` + planted + `"}}}}}` +
				"\n",
			want: `{"id":1,"method":"sampling/createMessage","params":{"systemPrompt":"` + marker +
				`","messages":[{"content":[{"type":"tool_result","toolUseId":"x","content":[{"type":"text","text":"` + marker + `"}]}]}]}}` + "\n" +
				`{"id":2,"method":"elicitation/create","params":{"message":"` + marker +
				`","requestedSchema":{"x":"` + planted + `"}}}` + "\n" +
				`{"id":3,"result":{"resultType":"input_required","requestState":"` + planted +
				`","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"` + marker + `"}}}}}` +
				"\n"},
		{name: "structured content said twice", client: calling(1, "t"),
			server: `{"id":1,"result":{"content":[{"type":"text","text":"a"}],"structuredContent":{"a":1},"isError":false}}`,
			want:   `{"id":1,"result":{"content":[{"type":"text","text":"a"}],"isError":false}}`},
		{name: "structured content first", client: calling(1, "t"),
			server: `{"id":1,"result":{"structuredContent":{"a":1},"content":[{"type":"text","text":"a"}]}}`,
			want:   `{"id":1,"result":{"content":[{"type":"text","text":"a"}]}}`},
		{name: "structured content alone", client: calling(1, "t") + calling(2, "t") + calling(3, "t"),
			server: `{"id":1,"result":{"structuredContent":{"a": "` + planted + `"},"x":1}}` + "\n" +
				`{"id":2,"result":{"content":[{"type":"image","data":"` + planted +
				`"}],"structuredContent":["a"]}}` + "\n" +
				`{"id":3,"result":{"structuredContent":3,"content":[ ]}}` + "\n",
			want: `{"id":1,"result":{"x":1,"content":[{"type":"text","text":"{\"a\": \"` + marker + `\"}"}]}}` + "\n" +
				`{"id":2,"result":{"content":[{"type":"image","data":"` + marker +
				`"},{"type":"text","text":"[\"a\"]"}]}}` + "\n" +
				`{"id":3,"result":{"content":[{"type":"text","text":"3"} ]}}` + "\n"},
		{name: "a list of tools", client: request(1, "tools/list", `{}`) +
			request(2, "tools/list", `{"cursor":"x"}`) + `{"id":"z","method":"tools/list"}` + "\n",
			server: `{"result":{"tools":[{"name":"a","outputSchema":{},"description":"` + planted +
				`"},{"outputSchema":{"x":[1]}}],"nextCursor":"x"},"id":1}` + "\n" +
				`{"result":{"tools":[]},"id":2}` + "\n" + `{"result":{"tools":[]},"id":"\u007a"}` + "\n",
			want: `{"result":{"tools":[{"name":"a","description":"` + planted +
				`"},{},{"name":"kfw_expand","inputSchema":{"type":"object"}}],"nextCursor":"x"},"id":1}` + "\n" +
				`{"result":{"tools":[]},"id":2}` + "\n" +
				`{"result":{"tools":[{"name":"kfw_expand","inputSchema":{"type":"object"}}]},"id":"\u007a"}` + "\n"},
		{name: "a clash of names", client: request(1, "tools/list", `{}`),
			server: `{"result":{"tools":[{"name":"kfw_expand"}]},"id":1}`,
			want:   `{"result":{"tools":[{"name":"kfw_expand"},{"name":"kfw_expand_2","inputSchema":{"type":"object"}}]},"id":1}`},
		{name: "a batch",
			server: `[{"id":1,"result":{"content":[{"type":"text","text":"` + planted + `"}]}},{"method":"x"}]`,
			want:   `[{"id":1,"result":{"content":[{"type":"text","text":"` + marker + `"}]}},{"method":"x"}]`},
		{name: "larger than memory", client: calling(1, "t"),
			server: `{"id":1,"` + long + `":"` + long + `","result":{"content":[{"type":"image","data":"` + long +
				`"}]}}` + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if want == "" {
				want = c.server
			}
			for _, sizes := range [][]byte{nil, {0}, {3, 0, 40}} {
				p, said := newProxy(t, nil)
				_, got := exchange(t, p, c.client, &testinput.Pieces{Data: []byte(c.server), Sizes: sizes})
				if got != want || len(said.lines) > 0 {
					t.Errorf("%v\n got %s\nwant %s", said.lines, got, want)
				}
			}
		})
	}
}

// TestPolicies: what is done with a result depends on its tool, whether its ID comes first or last.
func TestPolicies(t *testing.T) {
	text := strings.Repeat("a line that is said again and again by "+planted+`\n`, 500)
	result := `"result":{"content":[{"type":"text","text":"` + text + `"}],"structuredContent":{"a":1}}`
	redacted := strings.ReplaceAll(text, planted, marker)
	change := func(o *results.Options) {
		o.Policies = hosts.Policies{
			{Pattern: "redacted", Treatment: hosts.Redact}, {Pattern: "off", Treatment: hosts.Off},
			{Pattern: "large", Budget: 50_000}, {Pattern: "floor", Floor: 50_000}}
	}
	for _, isLast := range []bool{false, true} {
		p, said := newProxy(t, change)
		var client, server strings.Builder
		for i, tool := range []string{"full", "redacted", "large", "floor"} {
			client.WriteString(calling(i, tool))
			if isLast {
				fmt.Fprintf(&server, `{%s,"id":%d}`+"\n", result, i)
			} else {
				fmt.Fprintf(&server, `{"id":%d,%s}`+"\n", i, result)
			}
		}
		_, out := exchange(t, p, client.String(), strings.NewReader(server.String()))
		if len(said.lines) > 0 || strings.Contains(out, planted) || strings.Contains(out, "structuredContent") {
			t.Fatalf("%v %s", said.lines, out)
		}
		lines := strings.SplitAfter(out, "\n")
		if len(lines[0]) > 4600 || !strings.Contains(lines[0], `kfw_expand {\"handle\":\"h1\"`) ||
			!strings.Contains(lines[0], "redacted: email 500") {
			t.Errorf("%s", lines[0])
		}
		for _, line := range lines[1:4] {
			if !strings.Contains(line, redacted) {
				t.Errorf("%.200s", line)
			}
		}
		p, said = newProxy(t, change)
		line := fmt.Sprintf(`{%s,"id":7}`+"\n", result)
		if _, out := exchange(t, p, calling(7, "off"), strings.NewReader(line)); out != line || len(said.lines) > 0 {
			t.Errorf("%v %.300s", said.lines, out)
		}
		p, _ = newProxy(t, change)
		if _, out := exchange(t, p, calling(7, "off")+calling(8, "full"),
			strings.NewReader(line)); strings.Contains(out, planted) {
			t.Errorf("passed without its call: %.300s", out)
		}
	}
}

// TestTexts: the texts of a result share its budget, and one handle.
func TestTexts(t *testing.T) {
	var items []string
	for range 40 {
		items = append(items, `{"type":"text","text":"`+strings.Repeat(`word \n`, 1000)+`"}`)
	}
	items = append(items[:1], append([]string{`{"type":"text","text":"short\u0021"}`}, items[1:]...)...)
	p, said := newProxy(t, nil)
	_, out := exchange(t, p, calling(1, "t"),
		strings.NewReader(`{"id":1,"result":{"content":[`+strings.Join(items, ",")+"]}}\n"))
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || len(said.lines) > 0 {
		t.Fatal(err, said.lines)
	}
	tokens := 0
	shown := ""
	for _, item := range answer.Result.Content {
		tokens += (len([]rune(item.Text)) + 3) / 4
		shown += item.Text
	}
	if tokens > 1000 || !strings.Contains(shown, "texts of this result that are left out") ||
		len(answer.Result.Content) != 41 ||
		!strings.Contains(out, `"short\u0021"`) || strings.Contains(shown, `"h2"`) {
		t.Errorf("%d tokens:\n%s", tokens, shown)
	}
}

// TestOneHandle: all texts of a result stand behind one handle, one after another, and chunks are numbered through.
func TestOneHandle(t *testing.T) {
	var texts []string
	for i := range 3 {
		var b strings.Builder
		for j := range 2000 {
			fmt.Fprintf(&b, "line %d of text %d\n", j, i)
		}
		texts = append(texts, strings.TrimSuffix(b.String(), "\n"))
	}
	var file session.Session
	p, said := newProxy(t, func(o *results.Options) { file = o.Session })
	var items []string
	for _, text := range texts {
		items = append(items, `{"text":`+string(jsonx.AppendString(nil, text))+`}`)
	}
	_, out := exchange(t, p, calling(1, "t"),
		strings.NewReader(`{"id":1,"result":{"content":[`+strings.Join(items, ",")+"]}}\n"))
	stored, err := file.Handle("h1")
	if err != nil {
		t.Fatal(err, said.lines)
	}
	var kept bytes.Buffer
	if _, err := stored.WriteTo(&kept); err != nil || kept.String() != strings.Join(texts, "\n") {
		t.Errorf("%v: %d bytes are kept", err, kept.Len())
	}
	if strings.Count(out, `{\"handle\":\"h1\"`) < 2 || strings.Contains(out, "h2") || stored.Info().Chunks != 6000 {
		t.Error(out)
	}
	shown := regexp.MustCompile(`\\n(\d+): line (\d+) of text (\d)`).FindAllStringSubmatch(out, -1)
	shownOf := map[string]int{}
	for _, line := range shown {
		number, _ := strconv.Atoi(line[1])
		at, _ := strconv.Atoi(line[2])
		text, _ := strconv.Atoi(line[3])
		if shownOf[line[3]]++; number != 2000*text+at+1 {
			t.Errorf("%q has number %d of the handle", line[0], 2000*text+at+1)
		}
	}
	if len(shownOf) < 2 {
		t.Errorf("lines of these texts are shown: %v", shownOf)
	}
}

// TestSessionLeft: what a result says is left of the session is what is left once all of it is
// charged: its last text says it, since what those after another cost is not known before.
func TestSessionLeft(t *testing.T) {
	for texts := 1; texts <= 3; texts++ {
		var ledger session.Session
		p, said := newProxy(t, func(o *results.Options) {
			o.Session = file.At(filepath.Join(t.TempDir(), "s.kfw"), session.Settings{Total: 5000 + texts})
			ledger = o.Session
		})
		var items []string
		for i := range texts {
			var b strings.Builder
			for j := range 2000 {
				fmt.Fprintf(&b, "line %d of text %d\n", j, i)
			}
			items = append(items, `{"text":`+string(jsonx.AppendString(nil, b.String()))+`}`)
		}
		_, out := exchange(t, p, calling(1, "t"),
			strings.NewReader(`{"id":1,"result":{"content":[`+strings.Join(items, ",")+"]}}\n"))
		_, left, found := strings.Cut(out, "; session left ")
		left, _, _ = strings.Cut(left, ";")
		status, err := ledger.Status()
		if err != nil || !found || left != strconv.Itoa(status.Left) {
			t.Errorf("%d texts: %q said to be left, %d left, %v %v\n%s", texts, left, status.Left, err, said.lines, out)
		}
	}
}

// TestImitation: a line that could be taken for one of kfw's own is quoted.
func TestImitation(t *testing.T) {
	p, _ := newProxy(t, nil)
	_, out := exchange(t, p, calling(1, "t"),
		strings.NewReader(`{"id":1,"result":{"content":[{"text":"a\u0020b\nkfw: all of it\n"}]}}`))
	if out != `{"id":1,"result":{"content":[{"text":"a\u0020b\n\\kfw: all of it\n"}]}}` {
		t.Error(out)
	}
}

// TestBroken: nothing of a line that is broken reaches the client; its call is answered if it is known, and the next
// line passes.
func TestBroken(t *testing.T) {
	const next = `{"jsonrpc":"2.0","method":"next"}` + "\n"
	for _, c := range []struct {
		client, line string
		answers      string // the ID, or nothing
	}{
		{calling(7, "t"), `{"id":7,"result":{"content":[{"text":"` + planted, "7"},
		{calling(7, "t"), `{"id":7,"result":{"content":[{"text":"` + planted + `"}]}} x`, "7"},
		{calling(7, "t"), `{"result":{"content":[{"text":"` + planted + "\x01", "7"},
		{calling(7, "t") + calling(8, "t"), `{"result":{"content":[{"text":"` + planted + "\x01", ""},
		{`{"id":"a\"b","method":"tools/call","params":{"name":"t"}}`,
			`{"id":"a\u0022b","result":{"content":[{"text":"` + planted + `"}],}}`, `"a\"b"`},
		{calling(7, "t"), "Debug: " + planted, ""},
		{calling(7, "t"), `"` + planted + `"`, ""},
		{calling(7, "t"), `{"id":7,"method":"sampling/createMessage","params":{"messages":["` + planted, ""},
		{calling(7, "t"), `{"id":7,"result":` + strings.Repeat("[", 10_001), "7"},
		{calling(7, "t"), `{"id":9,"result":{"x":"` + planted, ""},
		{calling(7, "t"), `{"id":7,"result":{"content":[` + strings.Repeat("1,", 10_000) + `"` + planted + `"` +
			strings.Repeat(",1", 9) + `]}}`, "7"},
	} {
		for _, end := range []string{"\n", ""} { // the server dies with it
			p, said := newProxy(t, nil)
			server := c.line + end
			if end != "" {
				server += next
			}
			_, out := exchange(t, p, c.client, strings.NewReader(server))
			if end != "" {
				before, isThere := strings.CutSuffix(out, next)
				if !isThere {
					t.Errorf("%q: the next line is missing: %q", c.line, out)
				}
				out = before
			}
			isAnswer := strings.HasPrefix(out, `{"jsonrpc":"2.0","id":`+c.answers+
				`,"error":{"code":-32603,"message":"kfw: withheld`) && json.Valid([]byte(out))
			if c.answers == "" && out != "" || c.answers != "" && !isAnswer || len(said.lines) != 1 ||
				strings.Contains(out+said.lines[0], "planted") {
				t.Errorf("%.100q: %q, %q", c.line, out, said.lines)
			}
		}
	}
}

// TestKeepStructured: structured content is redacted in place where its schema allows that, and withheld where not.
func TestKeepStructured(t *testing.T) {
	schema := `{"type":"object","properties":{"free":{"type":"string"},"list":{"items":{"type":"string"}},"mail":{"type":"string","format":"email"},"in":{"$ref":"#/$defs/in"}},"$defs":{"in":{"properties":{"kind":{"enum":["a"]}}}}}`
	for _, c := range []struct{ structured, want string }{
		{`{"free":"a","mail":"b","n":[1,{"x":null}]}`, ""},
		{`{"free":"` + planted + `","list":["` + planted + `"],"mail":"x"}`, `{"free":"` + marker + `","list":["` +
			marker + `"],"mail":"x"}`},
		{`{"mail":"` + planted + `"}`, "withheld"},
		{`{"in":{"kind":"` + planted + `"}}`, "withheld"},
		{`{"` + planted + `":1}`, "withheld"},
		{`{"n":4111111111111111}`, "withheld"},
	} {
		p, said := newProxy(t, nil)
		p.KeepsStructured = true
		want := c.want
		if want == "" {
			want = c.structured
		}
		list := `{"id":1,"result":{"tools":[{"outputSchema":` + schema + `,"name":"t"}]}}` + "\n"
		answer := `{"id":2,"result":{"content":[{"type":"text","text":"a"}],"isError":false,"structuredContent":%s,"_meta":{}}}` + "\n"
		wanted := fmt.Sprintf(answer, want)
		if want == "withheld" {
			wanted = `{"id":2,"result":{"content":[{"type":"text","text":"kfw: withheld: the structured content has something to redact that its schema does not allow to change"}],"_meta":{},"isError":true}}` + "\n"
		}
		client := request(1, "tools/list", `{"cursor":"x"}`) + calling(2, "t")
		_, out := exchange(t, p, client, strings.NewReader(list+fmt.Sprintf(answer, c.structured)))
		if out != list+wanted || len(said.lines) > 0 {
			t.Errorf("%v %s\n got %s\nwant %s", said.lines, c.structured, out, wanted)
		}
	}
}

// TestLocal: calls of the added tool are answered here, and nothing else is.
func TestLocal(t *testing.T) {
	p, _ := newProxy(t, nil)
	other := calling(1, "t") + "no JSON kfw_expand\n" + `["batch"]` + "\n" +
		`{"id":5,"method":"x","params":{"name":"kfw_expand"}}` + " \r\n" +
		request(6, "tools/call", `{"name":"kfw_expand","arguments":{"x":"`+strings.Repeat("x", 70_000)+`"}}`) +
		"{\"last\":1}"
	local := `{"method":"tools/call","id":"q","params":{"arguments":{"handle":"h1"},"name":"kfw_expand","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}` + "\n"
	for _, sizes := range [][]byte{nil, {0}} {
		at := strings.Index(other, "\n") + 1
		client := &testinput.Pieces{Data: []byte(other[:at] + local + other[at:]), Sizes: sizes}
		toServer, toClient := exchangeCut(t, p, client, strings.NewReader(""))
		if toServer != other {
			t.Errorf("the server got %.300q", toServer)
		}
		if want := `{"jsonrpc":"2.0","id":"q","result":{"resultType":"complete","content":[{"type":"text","text":"{\"handle\":\"h1\"}"}]}}` + "\n"; toClient != want {
			t.Errorf("the client got %q", toClient)
		}
	}
}

// TestNoStore: where nothing can be kept, a result is shortened all the same, and says so.
func TestNoStore(t *testing.T) {
	p, said := newProxy(t, func(o *results.Options) {
		o.Session = file.At("/dev/null/s.kfw", session.Settings{Total: session.NoTotal})
	})
	_, out := exchange(t, p, calling(1, "t"),
		strings.NewReader(`{"id":1,"result":{"content":[{"text":"`+strings.Repeat(`a line of text\n`, 5000)+`"}]}}`))
	if len(out) > 4600 || !strings.Contains(out, "what is left out is not kept") || len(said.lines) == 0 {
		t.Errorf("%v %s", said.lines, out)
	}
}

// TestNoSpool: a message that can't be spooled is withheld, and small ones pass.
func TestNoSpool(t *testing.T) {
	p, said := newProxy(t, nil)
	p.Spool = "/dev/null/spool"
	small := `{"id":2,"result":{}}` + "\n"
	_, out := exchange(t, p, calling(1, "t")+calling(2, "t"),
		strings.NewReader(`{"id":1,"result":{"x":"`+strings.Repeat("x", 100_000)+`"}}`+"\n"+small))
	if !strings.HasPrefix(out, `{"jsonrpc":"2.0","id":1,"error"`) || !strings.HasSuffix(out, small) ||
		len(said.lines) != 1 {
		t.Errorf("%v %.300s", said.lines, out)
	}
}

// failing is a fitter that can't fit.
type failing struct{ mcp.Fitter }

func (failing) Begin() mcp.Result { return failingResult{} }

type failingResult struct{}

func (failingResult) Measure() io.Writer                             { return io.Discard }
func (failingResult) Decide(mcp.Call) bool                           { return false }
func (failingResult) Fit(func() (io.Reader, error), io.Writer) error { panic(planted) }
func (failingResult) IsOver() bool                                   { return false }
func (failingResult) Close() error                                   { return nil }

// TestFitFails: a result that can't be fitted is withheld, whether a part of it has left the buffer or not.
func TestFitFails(t *testing.T) {
	for _, before := range []string{"", strings.Repeat("x", 100_000)} {
		p, said := newProxy(t, nil)
		p.Fitter = failing{p.Fitter}
		_, out := exchange(t, p, calling(1, "t"),
			strings.NewReader(`{"id":1,"result":{"content":[{"data":"`+before+`","text":"a"}]}}`+"\n"))
		rest := out
		if before != "" {
			_, rest, _ = strings.Cut(out, "\n")
		}
		if want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"kfw: withheld the server's answer: kfw failed"}}` + "\n"; rest != want {
			t.Errorf("%.200q", rest)
		}
		if len(said.lines) != 1 || strings.Contains(said.lines[0]+out, planted) {
			t.Errorf("%q", said.lines)
		}
	}
}

// TestNames: in an item of a type that is not known, the name of a member says what its value is.
func TestNames(t *testing.T) {
	for _, item := range []string{`{"type":"new","password":"hunter2correct"}`,
		`{"card":4111111111111111,"type":"new"}`,
		`{"type":"text","text":4111111111111111}`, `{"type":"new","list":{"password":["hunter2correct"]}}`} {
		p, _ := newProxy(t, nil)
		line := `{"id":1,"result":{"content":[` + item + `]}}` + "\n"
		_, out := exchange(t, p, calling(1, "t"), strings.NewReader(line))
		if strings.Contains(out, "hunter2correct") || strings.Contains(out, "4111111111111111") ||
			!json.Valid([]byte(out)) {
			t.Errorf("%s", out)
		}
	}
}

// TestRaw: a result passes as it is only if it is known to be that of a tool with this policy.
func TestRaw(t *testing.T) {
	change := func(o *results.Options) { o.Policies = hosts.Policies{{Pattern: "off", Treatment: hosts.Off}} }
	off := calling(7, "off")
	called := func(id string) string { return strings.ReplaceAll(calling(0, "full"), `"id":0`, `"id":`+id) }
	for name, c := range map[string]struct{ client, id string }{
		"no id":          {off, ""},
		"null":           {off, "null"},
		"unknown":        {off, "8"},
		"used twice":     {off + calling(7, "full"), "7"},
		"long":           {off + called(`"`+strings.Repeat("x", 2000)+`"`), `"` + strings.Repeat("x", 2000) + `"`},
		"not an integer": {off + called("1E400"), "1E400"},
		"equal as a float": {strings.ReplaceAll(off, `"id":7`, `"id":9007199254740993`) + called("9007199254740992"),
			"9007199254740992"},
		"two members":           {strings.ReplaceAll(off, `"params":{`, `"params":{"name":"full"},"params":{`), "7"},
		"two names":             {strings.ReplaceAll(off, `"name":`, `"name":"full","name":`), "7"},
		"a line that is broken": {off + "{" + strings.Repeat(" ", 1<<17) + calling(8, "full")[1:], "8"},
	} {
		for _, isLast := range []bool{false, true} {
			p, _ := newProxy(t, change)
			result, id := `"result":{"content":[{"type":"text","text":"`+planted+`"}]}`, ""
			if c.id != "" {
				id = `"id":` + c.id
			}
			line := strings.Trim(id+","+result, ",")
			if isLast {
				line = strings.Trim(result+","+id, ",")
			}
			_, out := exchange(t, p, c.client, strings.NewReader("{"+line+"}\n"))
			isOpen := name == "long" || name == "a line that is broken" // a call waits that is not known
			if strings.Contains(out, planted) || isOpen && !strings.Contains(out, marker) {
				t.Errorf("%s, %v: %.200s", name, isLast, out)
			}
		}
	}
}

// TestCancelled: a call that is cancelled waits no more, so that a broken answer is that of the other one.
func TestCancelled(t *testing.T) {
	p, _ := newProxy(t, nil)
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n"
	_, out := exchange(t, p, calling(1, "a")+calling(2, "b")+cancel, strings.NewReader(`{"result":{"content":[`+"\n"))
	if !strings.HasPrefix(out, `{"jsonrpc":"2.0","id":2,"error":`) {
		t.Errorf("%s", out)
	}
}

// TestAddedName: the added tool is called as no tool of the server, wherever that stands in the
// list; a cursor that says nothing is that of the first page.
func TestAddedName(t *testing.T) {
	p, _ := newProxy(t, nil)
	list := request(1, "tools/list", `{"cursor":null}`)
	_, out := exchange(t, p, list,
		strings.NewReader(`{"id":1,"result":{"tools":[{"name":"kfw_expand_2"},{"name":"kfw_expand"}]}}`+"\n"))
	if !strings.Contains(out, `{"name":"kfw_expand_3",`) {
		t.Errorf("%s", out)
	}
}

// TestEmptyText: structured content is not dropped for a text that says nothing.
func TestEmptyText(t *testing.T) {
	for _, content := range []string{`[{"type":"text","text":""}]`, `[]`, `null`} {
		p, _ := newProxy(t, nil)
		line := `{"id":1,"result":{"content":` + content + `,"structuredContent":{"rows":3}}}` + "\n"
		if _, out := exchange(t, p, calling(1, "t"), strings.NewReader(line)); !strings.Contains(out, `{\"rows\":3}`) ||
			!json.Valid([]byte(out)) {
			t.Errorf("%s", out)
		}
	}
}
