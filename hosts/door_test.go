package hosts

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

var update = flag.Bool("update", false, "rewrite the golden answers")

func door(t testing.TB, h Host, state string) *Door {
	t.Helper()
	rules, err := redact.Compile(redact.Options{Groups: redact.All})
	if err != nil {
		t.Fatal(err)
	}
	counter, err := budget.NewCounter("chars")
	if err != nil {
		t.Fatal(err)
	}
	same := func(s string) string { return s }
	isSelf := func(program string) bool { return program == "/opt/my tools/kfw" || program == "kfw" }
	return &Door{Host: h, State: state, Visible: same, IsSelf: isSelf, Filter: &Filter{
		Rules: rules, Whole: rules, Counter: counter, Counting: "chars", Budget: 4000, Program: "/usr/local/bin/kfw",
		Explain:  func(error) pipeline.Failure { return pipeline.Failure{Code: "failed", Exit: 125} },
		Describe: func(line string) string { return string(rules.Value(nil, []byte(line), redact.Lines)) },
	}}
}

// planted puts the secrets of a test into a text that has names for them, so that no scanner takes a test file for a
// leak.
func planted(text []byte) []byte {
	_, secrets := plantedSecrets()
	text = bytes.ReplaceAll(text, []byte("{MAIL}"), []byte(secrets[0]))
	return bytes.ReplaceAll(text, []byte("{KEY}"), []byte(secrets[1]))
}

// TestRecorded answers events that were recorded from the real programs.
func TestRecorded(t *testing.T) {
	events, err := filepath.Glob("testdata/events/*.json")
	if err != nil || len(events) < 33 {
		t.Fatal(len(events), err)
	}
	_, secrets := plantedSecrets()
	for _, path := range events {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		host, _, _ := strings.Cut(name, ".")
		event, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		event = planted(event)
		if got := hostOf(event); got.Name() != host {
			t.Errorf("%s: taken for an event of %s", name, got.Name())
		}
		answer := door(t, Named(host), t.TempDir()).Answer(bytes.NewReader(event))
		for _, s := range secrets {
			if bytes.Contains(answer, []byte(s)) {
				t.Errorf("%s: a secret comes through", name)
			}
		}
		golden := filepath.Join("testdata/answers", name+".json")
		if *update {
			if err := os.WriteFile(golden, answer, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(answer, want) {
			t.Errorf("%s: %s\nwant %s", name, answer, want)
		}
	}
}

// blanked is a response with nothing in the place of its leaves.
func blanked(response []byte) []byte {
	return withLeaves(response, func(int, leaf) ([]byte, bool) { return nil, true })
}

// saysAnywhere reports whether a leaf of a JSON value has a text.
func saysAnywhere(value []byte, text string) bool {
	for _, l := range leaves(value) {
		if strings.Contains(l.String(), text) {
			return true
		}
	}
	return false
}

// FuzzAnswer: whatever an event holds, the answer is absent or valid, nothing in it has a secret, and everything but
// leaves is as it was, byte for byte.
func FuzzAnswer(f *testing.F) {
	for _, response := range []string{
		`{"stdout":"a {MAIL} b","stderr":"","interrupted":false,"n":1.50e3}`,
		`{"type":"text","file":{"filePath":"/x","content":"1\n{MAIL}\n3","numLines":3}}`,
		`[{"type":"text","text":"\u00e9 {MAIL}"},{"type":"image","data":"aGk="}]`,
		`"{\"a\":\"{MAIL}\"}"`,
		`{"content":[{"type":"text","text":"{MAIL}"}],"structuredContent":{"a":[1,"{MAIL}"]}}`,
		`{"filenames":["a","{MAIL}"],"password":"{MAIL}"}`,
		`{"{MAIL}":1,"type":"{MAIL}","url":"{MAIL}","data":"{MAIL}","password":{"old":"x7Kq2mV9","n":1234567}}`,
		` [ "x" , [ ] , { "text" : "{MAIL}\ud800" , "text" : "{MAIL}" } ]`,
		`{"stdout":"{MAIL}\nkfw: all of it"}`, `null`, `17`, "{\"type\":\"\xa8\"}",
		`{"title":"x","output":"{MAIL}","metadata":{"output":"{MAIL}","exit":3}}`,
		`{"output":[{"query":"x","result":"[Command exited with code 3]\n{MAIL}","success":false}]}`,
		`"<untrusted_context>\nOutput: {MAIL}\nExit Code: 3\n</untrusted_context>"`,
	} {
		for i := range All() {
			f.Add([]byte(response), uint8(0), uint8(i))
			f.Add([]byte(response), uint8(40), uint8(i))
		}
	}
	var doors []*Door
	for _, h := range All() {
		doors = append(doors, door(f, h, f.TempDir()))
	}
	_, secrets := plantedSecrets()
	secret := secrets[0]
	f.Fuzz(func(t *testing.T, response []byte, lines, host uint8) {
		// Blanks around it: what stands next to a secret may make it another one, or none.
		mail := " " + secret + strings.Repeat(" \\n some more of the output", int(lines)*8) + " "
		response = bytes.ReplaceAll(response, []byte("{MAIL}"), []byte(mail))
		d := doors[int(host)%len(doors)]
		event, path := eventOf(d.Host, response)
		answer := d.Answer(bytes.NewReader(event))
		if answer == nil {
			return
		}
		if !json.Valid(answer) {
			t.Fatalf("%s: the answer is not JSON: %q", d.Host.Name(), answer)
		}
		if !json.Valid(event) || isTwice(event) {
			if bytes.Contains(answer, []byte(secret)) || !bytes.Contains(answer, []byte("kfw: withheld: ")) {
				t.Errorf("%s: of what can not be read: %s", d.Host.Name(), answer)
			}
			return
		}
		if path == "" { // all of the answer is one text
			if bytes.Contains(answer, []byte(secret)) {
				t.Errorf("%s: a secret comes through: %s", d.Host.Name(), answer)
			}
			return
		}
		got := []byte(gjson.GetBytes(answer, path).Raw)
		of := d.Host.Read(event).Response
		if saysAnywhere(got, secret) {
			t.Errorf("%s: a secret comes through: %s", d.Host.Name(), got)
		}
		isFolded := len(of) > mostFolded && (d.Host.Traits().TakesAny || bytes.Contains(of, []byte{'['}))
		if !isFolded && !bytes.Equal(blanked(got), blanked(of)) {
			t.Errorf("%s: more than leaves changed: %s\nwas %s", d.Host.Name(), blanked(got), blanked(of))
		}
	})
}

// eventOf returns an event in which a tool has ended with a response, and where the answer has the
// other response. The path is empty if the answer has one text in place of it.
func eventOf(h Host, response []byte) (event []byte, path string) {
	common := `"session_id":"s","tool_name":"Bash","tool_response":`
	switch h.Name() {
	case "claude-code":
		return []byte(`{"hook_event_name":"PostToolUse",` + common + string(response) + `}`),
			"hookSpecificOutput.updatedToolOutput"
	case "gemini-cli":
		return []byte(`{"hook_event_name":"AfterTool",` + common + `{"llmContent":` + string(response) + `}}`), ""
	case "qwen-code":
		return []byte(`{"hook_event_name":"PostToolUse",` + common + `{"llmContent":` + string(response) + `}}`), ""
	case "copilot":
		return []byte(`{"toolName":"bash","toolResult":{"resultType":"success","n":1.0e2,"textResultForLlm":` +
			string(quoted(string(response))) + `}}`), "modifiedResult"
	case "cursor":
		return []byte(`{"cursor_version":"2","hook_event_name":"postToolUse","tool_name":"MCP:x","tool_output":` +
			string(quoted(string(response))) + `}`), ""
	case "opencode":
		return []byte(`{"hook_event_name":"tool.execute.after",` + common + string(response) + `}`), "tool_response"
	case "cline":
		return []byte(`{"hook_event_name":"afterTool",` + common + string(response) + `}`), "tool_response"
	}
	return []byte(`{"hook_event_name":"PostToolUse",` + common + string(response) + `}`), ""
}

func bash(stdout, stderr string, more ...string) []byte {
	command := "cat x"
	if len(more) > 0 {
		command = more[0]
	}
	return []byte(`{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":` +
		string(quoted(command)) + `},"tool_response":{"stdout":` + string(quoted(stdout)) + `,"stderr":` +
		string(quoted(stderr)) + `}}`)
}

func manyLines(n int, of string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(of, "#", time.Duration(i*i*i).String()) + "\n")
	}
	return b.String()
}

// TestBudget: stdout and stderr together cost no more than the budget, stderr has at least a quarter if it needs it,
// both name one handle, and that has all of both.
func TestBudget(t *testing.T) {
	state := t.TempDir()
	d := door(t, claudeCode{}, state)
	answer := d.Answer(bytes.NewReader(bash(manyLines(2000, "out # {}"), manyLines(2000, "warning #"))))
	output := gjson.GetBytes(answer, "hookSpecificOutput.updatedToolOutput")
	stdout, stderr := output.Get("stdout").String(), output.Get("stderr").String()
	if cost := d.Filter.cost(stdout, stderr); cost > 4000 || cost < 3000 {
		t.Errorf("%d tokens", cost)
	}
	if cost := d.Filter.cost(stderr); cost < 800 {
		t.Errorf("stderr has %d tokens", cost)
	}
	file := file.At(sessionPath(state, "claude-code", &Event{Session: "s"}), session.Settings{})
	defer file.Close()
	path := filepath.ToSlash(file.Path())
	for _, text := range []string{stdout, stderr} {
		if !strings.Contains(text, "any of it: /usr/local/bin/kfw expand h1 --session "+path) ||
			strings.Contains(text, " h2") {
			t.Errorf("no command: %.200s", text)
		}
	}
	stored, err := file.Handle("h1")
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	if _, err := stored.WriteTo(&all); err != nil {
		t.Fatal(err)
	}
	if want := manyLines(2000, "out # {}") + manyLines(2000, "warning #"); all.String() != want ||
		stored.Info().Chunks != 4000 {
		t.Errorf("the handle has %d bytes of %d, %d chunks", all.Len(), len(want), stored.Info().Chunks)
	}
	lines := strings.Split(all.String(), "\n")
	for text, least := range map[string]int{stdout: 1, stderr: 2001} { // numbers are those of the handle
		numbered := 0
		for line := range strings.Lines(text) {
			if number, said, isLine := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); number[0] <= '9' && isLine {
				n, err := strconv.Atoi(number)
				if err != nil || n < least || n >= least+2000 || lines[n-1] != said {
					t.Fatalf("%v: %q is not line %s", err, said, number)
				}
				numbered++
			}
		}
		var from, to int
		_, said, _ := strings.Cut(text, " --lines ")
		if _, err := fmt.Sscanf(said, "%d-%d,", &from, &to); err != nil || from < least || to >= least+2000 ||
			numbered < 50 {
			t.Errorf("%v: lines %d to %d, %d are shown", err, from, to, numbered)
		}
	}
	status, err := file.Status()
	if err != nil || status.Used != d.Filter.cost(stdout, stderr) || status.Reserved != 0 {
		t.Errorf("used %d, reserved %d, %v; want %d", status.Used, status.Reserved, err, d.Filter.cost(stdout, stderr))
	}
	// A total that the user has set is a ceiling: nothing is left, handle only, and still no refusal.
	if err := file.SetTotal(status.Used); err != nil {
		t.Fatal(err)
	}
	answer = d.Answer(bytes.NewReader(bash(manyLines(2000, "out # {}"), "")))
	text := gjson.GetBytes(answer, "hookSpecificOutput.updatedToolOutput.stdout").String()
	if strings.Contains(text, "\nout ") || !strings.Contains(text, "expand h2") {
		t.Errorf("of nothing left: %s", text)
	}
}

// TestSessionLeft: what a page says is left of the session is what the session has left afterwards,
// with all that the answer costs beside the page. Of several texts the last one says it: before
// that it is not known.
func TestSessionLeft(t *testing.T) {
	for lines := 1000; lines < 2600; lines += 100 {
		state := t.TempDir()
		file := file.At(sessionPath(state, "claude-code", &Event{Session: "s"}), session.Settings{MakeDirectory: true})
		if err := file.SetTotal(20_000 + lines); err != nil {
			t.Fatal(err)
		}
		d := door(t, claudeCode{}, state)
		stderr, last := "", "stdout"
		if lines%200 == 0 {
			stderr, last = manyLines(lines, "warning #"), "stderr"
		}
		answer := d.Answer(bytes.NewReader(bash(manyLines(lines, "out # {}"), stderr)))
		output := gjson.GetBytes(answer, "hookSpecificOutput.updatedToolOutput")
		if strings.Count(output.Raw, "session left") != 1 {
			t.Errorf("not said once: %s", output.Raw)
		}
		_, left, found := strings.Cut(output.Get(last).String(), "; session left ")
		left, _, _ = strings.Cut(left, ";")
		status, err := file.Status()
		if err != nil || !found || left != strconv.Itoa(status.Left) {
			t.Errorf("the page says that %q is left, the session %d, %v", left, status.Left, err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestManyTexts: texts for which nothing is left are empty, the first says so, and the handle has them. Very many texts
// are one, between items that are none.
func TestManyTexts(t *testing.T) {
	for _, test := range []struct{ texts, lines, shown, leftOut int }{{60, 40, 60, 1}, {400, 5, 1, 0}} {
		state := t.TempDir()
		d := door(t, claudeCode{}, state)
		items := []string{`{"type":"resource_link","uri":"file:///more","name":"more"}`}
		for i := range test.texts {
			items = append(items, `{"type":"text","text":`+
				string(quoted(manyLines(test.lines, "item # of "+time.Duration(i).String())))+`}`)
		}
		event := `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"mcp__a__b","tool_response":[` +
			strings.Join(items, ",") + `,{"type":"x"}]}`
		answer := d.Answer(strings.NewReader(event))
		output := gjson.GetBytes(answer, "hookSpecificOutput.updatedToolOutput")
		var all []string
		for _, text := range output.Get("#.text").Array() {
			all = append(all, text.String())
		}
		if cost := d.Filter.cost(all...); len(all) != test.shown || cost > 4000 || cost < 3000 {
			t.Errorf("%d texts, %d tokens", len(all), cost)
		}
		if output.Get("0").Raw != items[0] || output.Get(strconv.Itoa(test.shown+1)).Raw != `{"type":"x"}` {
			t.Errorf("other items changed: %.200s", output.Raw)
		}
		if said := strings.Count(strings.Join(all, ""), "left out"); said != test.leftOut {
			t.Errorf("left out is said %d times", said)
		}
		file := file.At(sessionPath(state, "claude-code", &Event{Session: "s"}), session.Settings{})
		defer file.Close()
		stored, err := file.Handle("h1")
		if err != nil || stored.Info().Chunks != test.texts*test.lines {
			t.Errorf("%d chunks, %v", stored.Info().Chunks, err)
		}
	}
}

// TestManyTextsOfEveryHost: very many texts are shortened as one, and a secret across two of them goes.
func TestManyTextsOfEveryHost(t *testing.T) {
	_, secrets := plantedSecrets()
	var items []string
	for i := range 5000 {
		items = append(items, fmt.Sprintf(`{"type":"text","text":"tiny text %d"}`, i))
	}
	items[10] = `{"type":"text","text":"key ` + secrets[1][:9] + `"},{"type":"text","text":"` + secrets[1][9:] + ` end"}`
	content := "[" + strings.Join(items, ",") + "]"
	for _, event := range []string{
		`{"hook_event_name":"PostToolUse","turn_id":"t","tool_name":"mcp__a__b","tool_response":{"content":` + content + `}}`,
		`{"hook_event_name":"AfterTool","tool_name":"t","tool_response":{"llmContent":` + content + `,"returnDisplay":""}}`,
		`{"hook_event_name":"PostToolUse","tool_call_id":"t","tool_name":"t","tool_response":{"llmContent":` + content +
			`,"returnDisplay":""}}`,
		`{"hook_event_name":"PostToolUse","prompt_id":"p","tool_name":"mcp__a__b","tool_response":` + content + `}`,
		`{"host":"opencode","hook_event_name":"tool.execute.after","tool_name":"t","tool_response":{"content":` + content + `}}`,
		`{"host":"cline","hook_event_name":"afterTool","tool_name":"t","tool_response":{"output":{"content":` + content + `}}}`,
		`{"cursor_version":"2","hook_event_name":"postToolUse","tool_name":"MCP:a","tool_output":` +
			string(quoted(`{"content":`+content+`}`)) + `}`,
	} {
		d := door(t, nil, t.TempDir())
		answer := string(d.Answer(strings.NewReader(event)))
		if cost := d.Filter.cost(answer); cost > 5000 || cost < 1000 || !strings.Contains(answer, "kfw: 5001 lines") ||
			!strings.Contains(answer, "key [REDACTED:aws_access_key_id]") || strings.Contains(answer, secrets[1][9:]) {
			t.Errorf("%s: %d tokens: %.600s", d.Host.Name(), cost, answer)
		}
	}
}

// TestManyOddItems: very many items of any kind, with whatever the host writes around each, are one text, too, and a
// secret across two of them goes.
func TestManyOddItems(t *testing.T) {
	_, secrets := plantedSecrets()
	for name, item := range map[string]string{
		"texts":     `"tiny %d"`,
		"numbers":   `1%d`,
		"objects":   `{"n":%d}`,
		"wrapped":   `{"text":"<untrusted_context>\ntiny %d\n</untrusted_context>"}`,
		"outputs":   `{"text":"Output: tiny %d\nExit Code: 0"}`,
		"besides":   `{"text":"tiny %d","n":1}`,
		"resources": `{"type":"resource","resource":{"uri":"file:///x","text":"tiny %d"}}`,
	} {
		var items []string
		for i := range 2000 {
			items = append(items, fmt.Sprintf(item, i))
		}
		items[10] = `"key ` + secrets[1][:9] + `"`
		items[11] = `"` + secrets[1][9:] + ` end"`
		content := "[" + strings.Join(items, ",") + "]"
		for _, event := range []string{
			`{"hook_event_name":"PostToolUse","turn_id":"t","tool_name":"a","tool_response":{"content":` + content +
				`}}`,
			`{"hook_event_name":"AfterTool","tool_name":"t","tool_response":{"llmContent":` + content + `}}`,
			`{"hook_event_name":"PostToolUse","tool_call_id":"t","tool_name":"t","tool_response":{"llmContent":` +
				content + `}}`,
		} {
			d := door(t, nil, t.TempDir())
			answer := string(d.Answer(strings.NewReader(event)))
			if cost := d.Filter.cost(answer); cost > 6000 || cost < 500 || strings.Contains(answer, secrets[1][9:]) {
				t.Errorf("%s, %s: %d tokens: %.600s", d.Host.Name(), name, cost, answer)
			}
		}
	}
}

// TestLongLists: a long result of any shape is shortened to its budget, in a form that the host takes: a list is a list,
// an object an object.
func TestLongLists(t *testing.T) {
	names := make([]string, 3000)
	rows := make([]string, 3000)
	members := make([]string, 3000)
	for i := range names {
		names[i] = fmt.Sprintf(`"src/dir%d/file_%d.go"`, i%50, i)
		rows[i] = fmt.Sprintf(`{"id":%d,"name":"n%d","status":"open"}`, i, i)
		members[i] = fmt.Sprintf(`"k%d":{"a":[%d]}`, i, i)
	}
	_, secrets := plantedSecrets()
	names[1], rows[1], members[1] = `"`+secrets[1]+`"`, `{"name":"`+secrets[0]+`"}`, `"k1":{"password":12345678}`
	list := func(all []string) string { return "[" + strings.Join(all, ",") + "]" }
	glob := `{"hook_event_name":"PostToolUse","session_id":"s","prompt_id":"p","tool_name":"Glob","tool_response":` +
		`{"durationMs":3,"numFiles":3000,"filenames":` + list(names) + `,"truncated":false}}`
	claude := func(response string) string {
		return `{"hook_event_name":"PostToolUse","session_id":"s","prompt_id":"p","tool_name":"t","tool_response":` +
			response + `}`
	}
	hits := strings.ReplaceAll(list(rows), `"name"`, `"url":"https://example.com/","title"`)
	plugin := `{"host":"cline","hook_event_name":"afterTool","session_id":"s","tool_name":"t","tool_response":{"output":`
	cursor := func(output string) string {
		return `{"cursor_version":"2","hook_event_name":"postToolUse","tool_name":"MCP:a","tool_output":` +
			string(quoted(output)) + `}`
	}
	for _, test := range []struct{ event, path, around, least string }{
		{glob, "hookSpecificOutput.updatedToolOutput.filenames.0",
			`"updatedToolOutput":{"durationMs":3,"numFiles":3000,"filenames":[""],"truncated":false}`, "src/dir0/file_0.go"},
		{claude(`{"results":[{"tool_use_id":"x","content":` + hits + `},"all of it"],"n":2}`),
			"hookSpecificOutput.updatedToolOutput.results.0.content.0.title",
			`{"results":[{"tool_use_id":"x","content":[{"id":0,"url":"https://example.com/","title":"","status":"open"}]},"all of it"],"n":2}`, "n2999"},
		{claude(list(rows)), "hookSpecificOutput.updatedToolOutput.0.name",
			`"updatedToolOutput":[{"id":0,"name":"","status":"open"}]}`, "n2999"},
		{plugin + list(rows) + `}}`, "tool_response.output.0", `{"output":[""]}`, "n2999"},
		{plugin + "{" + strings.Join(members, ",") + `}}}`, "tool_response.output.kfw", `{"output":{"kfw":""}}`, "k2999"},
		{plugin + `{"content":[{"type":"text","text":"x"}],"structuredContent":{"n":1,"rows":` + list(rows) + `}}}}`,
			"tool_response.output.structuredContent.kfw",
			`{"content":[{"type":"text","text":"x"}],"structuredContent":{"kfw":""}}`, "n2999"},
		{plugin + `{"about":` + string(quoted(manyLines(3000, "line #"))) + `}}}`, "tool_response.output.about",
			`{"about":""}`, "line 0s"},
		{cursor(`{"content":[],"structuredContent":{"rows":` + list(rows) + `}}`),
			"updated_mcp_tool_output.structuredContent.kfw", `"structuredContent":{"kfw":""}`, "n2999"},
	} {
		d := door(t, nil, t.TempDir())
		answer := d.Answer(strings.NewReader(test.event))
		text := gjson.GetBytes(answer, test.path)
		for _, secret := range append(secrets, "12345678") {
			if bytes.Contains(answer, []byte(secret)) {
				t.Errorf("%s: a secret comes through: %s", test.path, answer)
			}
		}
		if cost := d.Filter.cost(text.String()); cost > 4000 || cost < 300 ||
			!strings.Contains(text.String(), "expand h1") ||
			!strings.Contains(text.String(), test.least) {
			t.Errorf("%s: %d tokens: %.1000s", test.path, cost, answer)
		}
		if around := strings.Replace(string(answer), text.Raw, `""`, 1); !strings.Contains(around, test.around) {
			t.Errorf("%s: %s", test.path, around)
		}
	}
}

// TestOff: KFW_OFF stops shortening and nothing else; what kfw expand has shown is not shortened again.
func TestOff(t *testing.T) {
	_, secrets := plantedSecrets()
	long := manyLines(2000, "out # {}") + secrets[0] + "\n"
	stdout := func(d *Door, event []byte) string {
		return gjson.GetBytes(d.Answer(bytes.NewReader(event)), "hookSpecificOutput.updatedToolOutput.stdout").String()
	}
	want := strings.ReplaceAll(long, secrets[0], "[REDACTED:email]")
	d := door(t, claudeCode{}, t.TempDir())
	d.IsOff = true
	if got := stdout(d, bash(long, "")); got != want {
		t.Errorf("off: %d bytes of %d", len(got), len(want))
	}
	d.IsOff = false
	for _, command := range []string{"'/opt/my tools/kfw' expand h1 --session /x/s.kfw",
		`kfw expand h1 --grep 'FAIL|panic: \(' -C 3`, `kfw expand --where "path~a|b" --where 'n>3'`} {
		if got := stdout(d, bash(long, "", command)); got != want {
			t.Errorf("%s: %d bytes of %d", command, len(got), len(want))
		}
	}
	for _, command := range []string{"kfw expand h1; cat x", "kfw expand h1 && x", "kfw expand $(x)",
		"kfw expand h1 | x", "kfw stream", "x/kfwx expand h1", "./kfw expand h1", "/tmp/kfw expand h1",
		piped("x", "y --text z"),
		"kfw expand h1\nx", "echo kfw expand h1", "kfw expand `x`", `kfw expand h1 --grep 'a' | x`,
		`kfw expand h1 --grep "$(x)"`, "kfw expand h1 --grep \"`x`\"", `kfw expand h1 \' ; x \'`, `kfw expand 'h1`,
		`kfw expand h1 "\"; x "`, `kfw expand h1 --grep "it's" ; x 'y'`} {
		if got := stdout(d, bash(long, "", command)); got == want || got == "" {
			t.Errorf("%q is taken for kfw expand", command)
		}
	}
}

// TestNoSession: a result is redacted where its session can't be used, and not shortened; the log says so.
func TestNoSession(t *testing.T) {
	_, secrets := plantedSecrets()
	state := t.TempDir()
	d := door(t, claudeCode{}, state)
	d.Log.Path = filepath.Join(state, "hook.log")
	if err := os.WriteFile(filepath.Join(state, "sessions"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, long := range []string{secrets[0], manyLines(2000, "out # {}") + secrets[0]} {
		got := gjson.GetBytes(d.Answer(bytes.NewReader(bash(long, ""))),
			"hookSpecificOutput.updatedToolOutput.stdout").String()
		if want := strings.ReplaceAll(long, secrets[0], "[REDACTED:email]"); got != want {
			t.Errorf("%.100s", got)
		}
	}
	if log, err := os.ReadFile(d.Log.Path); err != nil || !strings.Contains(string(log), "not shortened: ") {
		t.Errorf("%s, %v", log, err)
	}
}

// TestWithheld: without redaction no text comes through, in the shape of the response.
func TestWithheld(t *testing.T) {
	d := door(t, claudeCode{}, "")
	d.Filter = nil // any use of it panics
	answer := d.Answer(bytes.NewReader(bash("one", "two")))
	if got := gjson.GetBytes(answer,
		"hookSpecificOutput.updatedToolOutput").Raw; got != `{"stdout":"kfw: withheld: kfw failed\n","stderr":""}` {
		t.Errorf("%s", answer)
	}
	d.Host = cline{}
	answer = d.Answer(strings.NewReader(`{"host":"cline","hook_event_name":"afterTool","tool_name":"x","tool_response":` +
		`{"output":{"content":[{"type":"text","text":"one","n":12}],"structuredContent":{"a1":"two","url":"x","type":"A1"}}}}`))
	want := `{"tool_response":{"output":{"content":[{"type":"text","text":"kfw: withheld: kfw failed\n","n":0}],` +
		`"structuredContent":{"":"","url":"","type":""}}}}` + "\n"
	if string(answer) != want {
		t.Errorf("%s, want %s", answer, want)
	}
}

// TestExitStatus: the status of a command comes from the record of the conversation, by the ID of the call and
// nothing else; without it the text says that it is not known.
func TestExitStatus(t *testing.T) {
	record := filepath.Join(t.TempDir(), "r.jsonl")
	lines := `{"payload":{"item":{"id":"call_1","exit_code":0}}}` + "\n" +
		`{"payload":{"item":{"id":"call_2","exit_code":3}}}` + "\n" +
		`{"payload":{"item":{"id":"call_3","aggregated_output":"{\"id\":\"call_4\",\"exit_code\":0}"}}}` + "\n"
	if err := os.WriteFile(record, []byte(strings.Repeat(" ", 2*lastOfRecord)+"\n"+lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"call_1": "exit status 0", "call_2": "exit status 3",
		"call_3": notReported, "call_4": notReported, "": notReported} {
		if got := exitStatus(record, id); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	for _, path := range []string{"", filepath.Dir(record), "/dev/zero", record + ".gone"} {
		if got := exitStatus(path, "call_1"); got != notReported {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// TestSpill: a file of a long output is read and redacted only where the host makes it.
func TestSpill(t *testing.T) {
	_, secrets := plantedSecrets()
	whole := manyLines(3000, "out # {}") + "FATAL: the end " + secrets[0] + "\n"
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(dir, "abc", "tool-results")
	for _, d := range []string{made, filepath.Join(dir, "other", "tool-results")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path string) {
		if err := os.WriteFile(path, []byte(whole), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	record := dir + "/abc.jsonl"
	at := func(path string) []byte {
		return []byte(`{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","transcript_path":` +
			string(quoted(record)) +
			`,"tool_response":{"stdout":` + string(quoted(whole[:2000])) + `,"persistedOutputPath":` +
			string(quoted(path)) +
			`,"persistedOutputSize":5},"duration_ms":50}`)
	}
	isRead := func(path string) bool {
		return bytes.Contains(door(t, claudeCode{}, t.TempDir()).Answer(bytes.NewReader(at(path))), []byte("FATAL"))
	}
	good := filepath.Join(made, "x1.txt")
	write(good)
	answer := door(t, claudeCode{}, t.TempDir()).Answer(bytes.NewReader(at(good)))
	if !bytes.Contains(answer, []byte("FATAL: the end [REDACTED:email]")) ||
		bytes.Contains(answer, []byte("persisted")) {
		t.Errorf("%s", answer)
	}
	if after, err := os.ReadFile(good); err != nil ||
		string(after) != strings.ReplaceAll(whole, secrets[0], "[REDACTED:email]") {
		t.Errorf("the file was not redacted: %v", err)
	}

	// One that fits whole takes the place of its beginning as well.
	d := door(t, claudeCode{}, t.TempDir())
	d.Filter.Budget = 1 << 20
	answer = d.Answer(bytes.NewReader(at(good)))
	if !bytes.Contains(answer, []byte("FATAL: the end")) || bytes.Contains(answer, []byte("persisted")) {
		t.Errorf("whole: %d %.200s ... %s", len(answer), answer, answer[max(0, len(answer)-300):])
	}

	write(good)
	d = door(t, claudeCode{}, t.TempDir())
	d.Keeps = true
	d.Answer(bytes.NewReader(at(good)))
	if after, err := os.ReadFile(good); err != nil || string(after) != whole {
		t.Errorf("the file is not kept: %v", err)
	}

	// One that is shorter than its beginning is none.
	if err := os.WriteFile(good, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d = door(t, claudeCode{}, t.TempDir())
	if answer := d.Answer(bytes.NewReader(at(good))); answer != nil {
		t.Errorf("an empty file: %.300s", answer)
	}

	other := filepath.Join(dir, "other", "tool-results", "x1.txt")
	write(other)
	link, hard, old := filepath.Join(made, "link.txt"), filepath.Join(made, "hard.txt"), filepath.Join(made, "old.txt")
	named := filepath.Join(made, "x1.log")
	write(old)
	write(named)
	for _, err := range []error{os.Symlink("abc", filepath.Join(dir, "linked")), os.Symlink(other, link),
		os.Link(other, hard), os.Chtimes(old, time.Time{}, time.Now().Add(-time.Hour))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{other, link, hard, old, named, made + "/../tool-results/x1.txt", made,
		"/etc/passwd", filepath.Join(made, "none.txt")} {
		if isRead(path) {
			t.Errorf("%s is read", path)
		}
	}
	write(good)
	if record = dir + "/linked.jsonl"; isRead(filepath.Join(dir, "linked", "tool-results", "x1.txt")) {
		t.Error("a directory that is a link is read")
	}
	if after, err := os.ReadFile(other); err != nil || string(after) != whole {
		t.Errorf("another session's file was changed: %v", err)
	}
}

// TestSessionPath: an ID never chooses the directory, and no two have one file.
func TestSessionPath(t *testing.T) {
	seen := make(map[string]bool)
	for _, e := range []Event{{Session: "a"}, {Session: "a", Agent: "b"}, {Session: "a.b"},
		{Session: "../../etc/x"}, {Session: ""},
		{Session: strings.Repeat("a", 65)}, {Session: "a", Agent: "../b"}, {Session: "~a"}} {
		path := sessionPath("/state", "claude-code", &e)
		if filepath.Dir(path) != filepath.FromSlash("/state/sessions") || seen[path] {
			t.Errorf("%+v: %s", e, path)
		}
		seen[path] = true
	}
}

// TestReplaced: what does not change keeps its escapes and its white space.
func TestReplaced(t *testing.T) {
	response := []byte("{\"a\"\t:\n\"caf\\u00e9\" ,\r\n\"b\" : [ \"x\"\t,\n \"\\u0041\" ] , \"n\":1.0E2 }")
	all := texts(response, Traits{})
	values := make([]string, len(all))
	for i, text := range all {
		values[i] = text.Value
	}
	if got := replaced(response, all, values); !bytes.Equal(got, response) || len(all) != 3 {
		t.Errorf("%q", got)
	}
	values[1] = "<y>\n"
	want := strings.Replace(string(response), `"x"`, `"<y>\n"`, 1)
	if got := replaced(response, all, values); string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestReason: Codex is given no more than it passes on, whatever the characters.
func TestReason(t *testing.T) {
	_, secrets := plantedSecrets()
	for _, of := range []string{"out # {}", "\u6f22\u5b57 #", "\U0001f600 # \u00e9"} {
		event := []byte(`{"hook_event_name":"PostToolUse","session_id":"s","turn_id":"t","tool_name":"Bash","tool_response":` +
			string(quoted(secrets[0]+"\n"+manyLines(2000, of))) + `}`)
		reason := gjson.GetBytes(door(t, codex{}, t.TempDir()).Answer(bytes.NewReader(event)), "reason").String()
		if len(reason) > 9200 || len(reason) < 6000 || !strings.HasPrefix(reason, "kfw: "+notReported+"\n") {
			t.Errorf("%s: %d bytes: %.100s", of, len(reason), reason)
		}
	}
}

// TestPlugin: the plugin of Claude Code has an answer to each result, and the hook of its settings leaves the result to
// it. How a command failed stays before what it said.
func TestPlugin(t *testing.T) {
	text, secrets := plantedSecrets()
	d := door(t, claudeCode{}, t.TempDir())
	answer := func(from, response string) string {
		event := `{"hook_event_name":"PostToolUse","kfw":"` + from + `","session_id":"s","tool_name":"Bash",` +
			`"tool_input":{"command":"x"},"tool_use_id":"t","tool_response":` + response + `}`
		return string(d.Answer(strings.NewReader(event)))
	}
	failed := func(text string) string { return string(quoted("Exit code 3\n" + text)) }
	said := gjson.Get(answer("plugin", failed(text)), "hookSpecificOutput.updatedToolOutput").String()
	if !strings.HasPrefix(said, "Exit code 3\ndeploy started\n") || strings.Contains(said, secrets[0]) {
		t.Errorf("of a failing command: %q", said)
	}
	long := gjson.Get(answer("plugin", failed(manyLines(5000, "out #"))), "hookSpecificOutput.updatedToolOutput").String()
	if !strings.HasPrefix(long, "Exit code 3\nkfw: ") || len(long) > 20_000 {
		t.Errorf("of a long one: %d bytes, %.100q", len(long), long)
	}
	for _, response := range []string{`{"stdout":"fine","stderr":""}`, failed("fine"), `[{"type":"text","text":"fine"}]`} {
		if said := answer("plugin", response); said != "{}\n" {
			t.Errorf("%s: %q", response, said)
		}
	}
	if said := answer("aside", failed(text)); said != "" {
		t.Errorf("the hook beside the plugin: %q", said)
	}
}

// needShell skips what runs commands where there is no shell for them, as on Windows without Git.
func needShell(t *testing.T) {
	t.Helper()
	for _, shell := range []string{"sh", "bash"} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Skip("there is no " + shell)
		}
	}
}

// TestWrap: a command gets the suffix only where the user has asked for it, the rest of the input stays, nothing is
// allowed, and a shell runs it as before.
func TestWrap(t *testing.T) {
	event := func(input string) []byte {
		return []byte(`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":` + input + `}`)
	}
	d := door(t, claudeCode{}, t.TempDir())
	input := `{"timeout":1.0e3, "command" : "false\u0021", "description":"x"}`
	if answer := d.Answer(bytes.NewReader(event(input))); answer != nil {
		t.Errorf("without --wrap: %s", answer)
	}
	d.Wraps = true
	answer := d.Answer(bytes.NewReader(event(input)))
	want := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"timeout":1.0e3, "command" : ` +
		string(quoted("false!"+statusSuffix)) + `, "description":"x"}}}` + "\n"
	if string(answer) != want {
		t.Errorf("%s, want %s", answer, want)
	}
	for _, left := range []string{`{"command":"kfw expand h1"}`, `{"command":"a \\"}`, `{"command":" "}`,
		`{"command":7}`, `{}`, `7`} {
		if answer := d.Answer(bytes.NewReader(event(left))); answer != nil {
			t.Errorf("%s: %s", left, answer)
		}
	}
	needShell(t)
	for command, want := range map[string]struct {
		said   string
		status int
	}{
		"echo a; (exit 3)": {"b\n", 3}, "echo a": {"b\n", 0}, "cat <<E\na\nE": {"b\n", 0}, "echo a # x": {"b\n", 0},
		"exit 4":             {"", 4},
		"echo a >&2; exit 5": {"b\n", 5}, "false || echo a": {"b\n", 0}, "echo 'a'\ntrue": {"b\n", 0},
		"for i in 1 2; do echo a; done | head -n 1": {"b\n", 0},
	} {
		for _, shell := range []string{"sh", "bash"} {
			c := exec.Command(shell, "-c", piped(command, "sed 's/^a$/b/'"))
			out, _ := c.Output() // the status says it all
			if string(out) != want.said || c.ProcessState.ExitCode() != want.status {
				t.Errorf("%s: %q: %q, status %d", shell, command, out, c.ProcessState.ExitCode())
			}
		}
	}
	for command, said := range map[string]string{"echo a; (exit 3)": "a\n[exit 3]\n", "echo a": "a\n",
		"cat <<E\nx\nE": "x\n", "true # x": "",
		"false || echo b": "b\n"} {
		out, err := exec.Command("sh", "-c", command+statusSuffix).Output()
		if err != nil || string(out) != said {
			t.Errorf("%s: %q, %v", command, out, err)
		}
	}
	if d = door(t, codex{}, ""); d.Answer(bytes.NewReader(event(input))) != nil {
		t.Error("codex is given another command")
	}
}

// TestClosed: of all beginnings of a command, those that are taken apart say and do the same with the suffix as without
// it, and those that are open stay.
func TestClosed(t *testing.T) {
	for _, open := range []string{"cat <<E\nhi", "echo a ||", "echo a &&", "echo a |", "if true; then echo a", "( echo a",
		"echo 'a", `echo "a`, "echo `", "echo $(", "f() {", "case x in", "for i in 1; do", `echo a \`, "!", "", " ", "# a",
		strings.Repeat("(", 100_000), "true; " + strings.Repeat("x", mostCommand)} {
		if isClosed(open) {
			t.Errorf("%.40q is closed", open)
		}
	}
	const all = "x=`echo a`; echo \"$x $(echo 'b' | cat)\" # c\nif test -n \"$x\"; then cat <<E\n$x\nE\nfi || false && " +
		"{ echo d; }\ncase $x in a) (exit 3);; esac\n! true | cat; for i in 1 2; do echo $i; done &&\nfalse"
	needShell(t)
	closed := 0
	for end := range len(all) + 1 {
		command := all[:end]
		if !isClosed(command) {
			continue
		}
		closed++
		run := func(command string) (string, int) {
			c := exec.Command("sh", "-c", command)
			out, _ := c.Output() // the status says it all
			return string(out), c.ProcessState.ExitCode()
		}
		said, status := run(command)
		if status != 0 {
			said += fmt.Sprintf("[exit %d]\n", status)
		}
		if wrapped, status := run(command + statusSuffix); wrapped != said || status != 0 {
			t.Errorf("%q: %q, status %d, without it %q", command, wrapped, status, said)
		}
	}
	if !isClosed(all) || closed < len(all)/5 {
		t.Errorf("%d of %d beginnings are closed", closed, len(all))
	}
}
