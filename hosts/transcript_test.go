//go:build unix

package hosts

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/kfw-dev/kfw/internal/asked"
	"github.com/kfw-dev/kfw/internal/summarize/question"
)

// transcripts are made-up ones of each host, in its form and place. Each says "oldword", then of
// the user "askedword", then of the agent "thoughtword" and "saidword", then it calls a tool with
// "calledword", and at last with "newestword", which is the call of the event. "resultword" and
// "hostword" are in what is neither. The words are in the order of their weights.
var transcripts = map[string]struct{ place, lines string }{
	"claude-code": {".claude/projects/-srv-shop/6f1c.jsonl", `
{"type":"user","uuid":"1","message":{"role":"user","content":"oldword first"}}
{"type":"user","uuid":"2","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>hostword</system-reminder>"},{"type":"text","text":"askedword please"}]}}
{"type":"user","uuid":"3","isMeta":true,"message":{"role":"user","content":"hostword caveat"}}
{"type":"user","uuid":"3","message":{"role":"user","content":"<local-command-stdout>hostword</local-command-stdout>"}}
{"type":"assistant","uuid":"4","message":{"role":"assistant","content":[{"type":"thinking","thinking":"thoughtword","signature":"hostword"}]}}
{"type":"assistant","uuid":"5","isSidechain":true,"message":{"role":"assistant","content":[{"type":"text","text":"hostword"}]}}
{"type":"assistant","uuid":"6","message":{"role":"assistant","content":[{"type":"text","text":"saidword"},{"type":"tool_use","id":"t1","name":"Grep","input":{"pattern":"calledword"}}]}}
{"type":"user","uuid":"7","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"resultword"}]}]},"toolUseResult":{"stdout":"resultword"}}
{"type":"assistant","uuid":"8","message":{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"newestword"}}]}}
{"type":"file-history-snapshot","snapshot":{"text":"hostword"}}
`},
	"codex": {".codex/sessions/2026/11/27/rollout-2026-11-27T10-00-00-6f1c.jsonl", `
{"type":"session_meta","payload":{"id":"s","instructions":"hostword"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"oldword first"}]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"askedword please"}]}}
{"type":"event_msg","payload":{"type":"user_message","message":"askedword please"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>hostword</environment_context>"}]}}
{"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"hostword"}]}}
{"type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"thoughtword"}],"encrypted_content":"hostword"}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"saidword"}]}}
{"type":"event_msg","payload":{"type":"agent_message","message":"hostword"}}
{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"calledword\"}","call_id":"c1"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"resultword"}}
{"type":"response_item","payload":{"type":"local_shell_call","call_id":"c2","action":{"type":"exec","command":["newestword"]}}}
{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"c1","aggregated_output":"resultword"}}
`},
	"gemini-cli": {".gemini/tmp/shop/chats/session-2026-11-27T10-00-6f1c.jsonl", `
{"sessionId":"6f1c","projectHash":"hostword"}
{"id":"1","type":"user","content":"oldword first"}
{"id":"2","type":"user","content":[{"text":"askedword please"}]}
{"id":"3","type":"gemini","content":"hostword draft"}
{"id":"3","type":"gemini","content":"saidword","thoughts":[{"subject":"Plan","description":"thoughtword"}],"toolCalls":[{"id":"c1","name":"grep","args":{"pattern":"calledword"},"result":[{"functionResponse":{"response":{"output":"resultword"}}}]}]}
{"$set":{"summary":"hostword"}}
{"id":"4","type":"info","content":"hostword"}
`},
	"qwen-code": {".qwen/projects/-srv-shop/chats/6f1c.jsonl", `
{"uuid":"1","type":"user","message":{"role":"user","parts":[{"text":"oldword first"}]}}
{"uuid":"2","type":"user","message":{"role":"user","parts":[{"text":"askedword please"}]}}
{"uuid":"3","type":"assistant","message":{"role":"model","parts":[{"text":"thoughtword","thought":true},{"text":"saidword"},{"functionCall":{"id":"c1","name":"grep","args":{"pattern":"calledword"}}}]}}
{"uuid":"4","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"c1","response":{"output":"resultword"}}}]},"toolCallResult":{"resultDisplay":"resultword"}}
{"uuid":"5","type":"system","subtype":"ui_telemetry","systemPayload":{"text":"hostword"}}
{"uuid":"6","type":"assistant","message":{"role":"model","parts":[{"functionCall":{"id":"c2","name":"run_shell_command","args":{"command":"newestword"}}}]}}
`},
}

const allWords = "oldword hostword resultword askedword thoughtword saidword calledword newestword"

// plantAt writes a file below a directory, and returns its path.
func plantAt(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// asks returns the words of a line that the question of an event has, each with its weight.
func asks(q *question.Question, line string) string {
	var all []string
	for _, p := range q.Find(nil, []byte(line)) {
		all = append(all, fmt.Sprintf("%s:%.3g", line[p.Start:p.End], q.Weight(p.Word)))
	}
	return strings.Join(all, " ")
}

// called is an event of a call whose input has one word.
func called(record string) *Event {
	return &Event{Kind: Result, Tool: "Bash", Input: []byte(`{"command":"newestword"}`), Record: record}
}

const newest = "newestword:1"

// TestTranscripts: of the transcript of each host the question has what the agent said and called,
// and the last message of its user, in order, and nothing else; before that it has the input of
// the call.
func TestTranscripts(t *testing.T) {
	for _, h := range All() {
		d := door(t, h, t.TempDir())
		d.Home = t.TempDir()
		made, isThere := transcripts[h.Name()]
		if want := h.Traits().Transcript != nil; isThere != want {
			t.Errorf("%s: a transcript %v, want %v", h.Name(), isThere, want)
		}
		want := newest
		if isThere {
			want = "askedword:0.41 thoughtword:0.512 saidword:0.64 calledword:0.8 " + newest
		}
		record := plantAt(t, d.Home, made.place+".x", made.lines) // not in the host's place
		if got := asks(d.question(called(record)), allWords); got != newest {
			t.Errorf("%s: a file of another name: %q", h.Name(), got)
		}
		record = plantAt(t, d.Home, cmp.Or(made.place, "none.jsonl"), made.lines)
		if got := asks(d.question(called(record)), allWords); got != want {
			t.Errorf("%s: %q, want %q", h.Name(), got, want)
		}
	}
}

// TestTranscriptPlaces: a transcript is a regular file of the user in the host's own place, with
// one link; what is not is ignored without an error, and nothing waits for it.
func TestTranscriptPlaces(t *testing.T) {
	made := transcripts["claude-code"]
	d := door(t, claudeCode{}, t.TempDir())
	d.Home = t.TempDir()
	good := plantAt(t, d.Home, made.place, made.lines)
	isRead := func(path string) bool { return asks(d.question(called(path)), "saidword") != "" }
	if !isRead(good) {
		t.Fatal("a transcript in its place is not read")
	}
	outside := plantAt(t, t.TempDir(), made.place, made.lines)
	at := func(name string) string { return filepath.Join(filepath.Dir(good), name) }
	for name, err := range map[string]error{
		"link.jsonl": os.Symlink(outside, at("link.jsonl")), "pipe.jsonl": syscall.Mkfifo(at("pipe.jsonl"), 0o600),
		"directory.jsonl": os.Mkdir(at("directory.jsonl"), 0o700),
	} {
		if err != nil {
			t.Fatal(name, err)
		}
	}
	for _, path := range []string{outside, at("link.jsonl"), at("pipe.jsonl"), at("directory.jsonl"), at("none.jsonl"),
		"", "6f1c.jsonl", "/dev/zero", filepath.Dir(good) + "/../-srv-shop/6f1c.jsonl",
		plantAt(t, d.Home, ".claude/6f1c.jsonl", made.lines), plantAt(t, d.Home, ".claude/projects/6f1c.jsonl", made.lines),
		plantAt(t, d.Home, ".claude/projects/-srv-shop/notes.txt", made.lines),
	} {
		if isRead(path) {
			t.Errorf("%s is read", path)
		}
	}
	if err := os.Link(good, at("two.jsonl")); err != nil {
		t.Fatal(err)
	}
	if isRead(good) || isRead(at("two.jsonl")) {
		t.Error("a file with two links is read")
	}
	if err := os.Remove(at("two.jsonl")); err != nil {
		t.Fatal(err)
	}
	home := d.Home
	for _, d.Home = range []string{"", t.TempDir()} {
		if isRead(good) {
			t.Errorf("a transcript of another home than %q is read", d.Home)
		}
	}
	d.Home = home

	e := called(good) // of a subagent
	e.Agent = "a7"
	mine := strings.Replace(made.lines, "saidword", "ownword", 1)
	plantAt(t, d.Home, strings.TrimSuffix(made.place, ".jsonl")+"/subagents/agent-a7.jsonl", mine)
	if got := asks(d.question(e), "ownword saidword"); got != "ownword:0.64" {
		t.Errorf("a subagent asks %q", got)
	}
	e.Agent = "../../6f1c"
	if got := asks(d.question(e), "ownword saidword"); got != "saidword:0.64" {
		t.Errorf("an agent with an odd name asks %q", got)
	}
}

// TestTranscriptEnd: a transcript is read from its end, without the line that the cut leaves a
// part of; lines that are no JSON say nothing, and what a rule matches is no word.
func TestTranscriptEnd(t *testing.T) {
	_, secrets := plantedSecrets()
	text := func(words string) string {
		return `{"type":"assistant","message":{"content":[{"type":"text","text":"` + words + `"}]}}` + "\n"
	}
	filler := text(strings.Repeat("filler ", 1000))
	long := text("oldword") + strings.Repeat(filler, mostTranscript/len(filler)+1) // oldword is just not there any more
	cut := text("oldword")                                                         // is all that is left of a line
	cut = "x" + cut + strings.Repeat(" ", mostTranscript-len(cut)-len(text("saidword"))) + text("saidword")
	d := door(t, claudeCode{}, t.TempDir())
	d.Home = t.TempDir()
	for name, c := range map[string]struct{ lines, want string }{
		"long":        {long + text("saidword"), "saidword:0.8"},
		"cut":         {cut, "saidword:0.8"},
		"one line":    {`{"type":"assistant","message":{"content":[{"type":"text","text":"oldword` + long + `"}]}}`, ""},
		"broken":      {text("oldword") + "{\"type\n\x00\xff[[[\n" + strings.Repeat("[", 1<<17) + "\n" + text("saidword") + `{"type":"assi`, "saidword:0.8 oldword:0.64"},
		"no line end": {strings.TrimSpace(text("saidword")), "saidword:0.8"},
		"empty":       {"", ""},
		"odd":         {`{"type":"assistant","message":{"content":"saidword"}}` + "\n[1]\n\"x\"\nnull\n" + `{"type":7,"message":[]}` + "\n", ""},
		"secret":      {text("saidword mail " + secrets[0] + " now"), "saidword:0.8"},
	} {
		path := plantAt(t, d.Home, ".claude/projects/p/"+strings.ReplaceAll(name, " ", "")+".jsonl", c.lines)
		line := "saidword oldword example redacted " + strings.NewReplacer("@", " ", ".", " ").Replace(secrets[0])
		if got := asks(d.question(called(path)), line); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestQuestionOfWrapped: what init --wrap adds to a command is not asked for.
func TestQuestionOfWrapped(t *testing.T) {
	d := door(t, claudeCode{}, t.TempDir())
	e := called("")
	e.Input = []byte(`{"command":` + string(quoted("newestword"+statusSuffix)) + `,"description":"saidword"}`)
	if got := asks(d.question(e), "newestword saidword exit kfw_status"); got != newest+" saidword:1" {
		t.Errorf("%q", got)
	}
}

// FuzzTranscript: whatever a transcript holds, reading it ends, and what is taken of it has a bound.
func FuzzTranscript(f *testing.F) {
	for _, h := range All() {
		for line := range strings.Lines(transcripts[h.Name()].lines) {
			f.Add([]byte(line))
		}
		f.Add([]byte(transcripts[h.Name()].lines))
	}
	f.Add([]byte(strings.Repeat(`{"type":"assistant","message":{"content":[{"type":"text","text":"x"}]}}`+"\n", 200)))
	d := door(f, claudeCode{}, f.TempDir())
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, h := range All() {
			transcript := h.Traits().Transcript
			if transcript == nil {
				continue
			}
			all := transcript.last(splitLines(text), false)
			if len(all) > question.MaxBlocks {
				t.Fatalf("%s: %d texts", h.Name(), len(all))
			}
			users := 0
			a := asked.By(d.Filter.Whole)
			for _, one := range all {
				if one.isUser {
					users++
				}
				a.Said([]byte(one.text))
				a.Call(one.tool, one.input)
			}
			if a.Question(); users > 1 {
				t.Fatalf("%s: %d messages of the user", h.Name(), users)
			}
		}
	})
}

func splitLines(text []byte) (lines [][]byte) {
	for line := range strings.SplitSeq(string(text), "\n") {
		lines = append(lines, []byte(line))
	}
	return lines
}
