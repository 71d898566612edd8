package gain

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// recorded is a line of a session of either host, as encoding/json reads it.
type recorded struct {
	Message struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Payload struct {
		Type      string          `json:"type"`
		Output    json.RawMessage `json:"output"`
		Arguments string          `json:"arguments"`
		Input     string          `json:"input"`
	} `json:"payload"`
}

type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	Content json.RawMessage `json:"content"`
	Input   json.RawMessage `json:"input"`
}

// plainText returns a string, the output in a string of JSON, or the texts of a list.
func plainText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		var wrapped struct {
			Output *string `json:"output"`
		}
		if json.Unmarshal([]byte(text), &wrapped) == nil && wrapped.Output != nil {
			return *wrapped.Output
		}
		return text
	}
	var parts []block
	_ = json.Unmarshal(raw, &parts) // else there is none
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// olds returns what a call replaces.
func olds(input []byte) (all []string) {
	var call struct {
		OldString string `json:"old_string"`
		Edits     []struct {
			OldString string `json:"old_string"`
		} `json:"edits"`
		Command []string `json:"command"`
	}
	_ = json.Unmarshal(input, &call) // of another kind
	all = append(all, call.OldString)
	for _, e := range call.Edits {
		all = append(all, e.OldString)
	}
	if len(call.Command) > 1 && call.Command[0] == "apply_patch" {
		all = append(all, ofPatch(call.Command[1]))
	}
	return all
}

// ofPatch returns the lines of a patch of one hunk that were there before.
func ofPatch(patch string) string {
	var all []string
	for _, line := range strings.Split(patch, "\n") {
		if line != "" && (line[0] == '-' || line[0] == ' ') {
			all = append(all, line[1:])
		}
	}
	return strings.Join(all, "\n")
}

// withoutNumbers takes the numbers from before the lines of a file.
func withoutNumbers(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		rest := strings.TrimLeft(line, " ")
		digits := strings.TrimLeft(rest, "0123456789")
		if after, isNumbered := strings.CutPrefix(digits, "→"); isNumbered && digits != rest {
			lines[i] = after
		}
	}
	return strings.Join(lines, "\n")
}

// recount counts a session in the plainest way, with upper as the judge.
func recount(file string, sum *Replay) {
	isSession := false
	var seen []string // unnumbered
	result := func(text string) {
		isSession = true
		if text == "" {
			return
		}
		sum.Results++
		sum.Read += len(text)
		sum.Given += min(len(text), 10)
		if len(text) > 10 {
			sum.Shorter++
		}
		if n := strings.Count(text, "SECRET"); n > 0 {
			sum.Leaky++
			sum.Found["secret"] += n
		}
		seen = append(seen, withoutNumbers(text))
	}
	edit := func(old string) {
		if strings.TrimSpace(old) == "" {
			return
		}
		sum.Edits++
		for _, text := range seen {
			if strings.Contains(text, old) && !strings.Contains(strings.ReplaceAll(text, "SECRET", "[X]"), old) {
				sum.Touched++
				return
			}
		}
	}
	for _, line := range strings.Split(strings.TrimSuffix(file, "\n"), "\n") {
		var one recorded
		if json.Unmarshal([]byte(line), &one) != nil {
			sum.Unread++
			continue
		}
		var blocks []block
		_ = json.Unmarshal(one.Message.Content, &blocks) // a text
		for _, b := range blocks {
			switch b.Type {
			case "tool_result":
				result(plainText(b.Content))
			case "tool_use":
				isSession = true
				for _, old := range olds(b.Input) {
					edit(old)
				}
			}
		}
		switch p := one.Payload; p.Type {
		case "function_call_output", "custom_tool_call_output":
			result(plainText(p.Output))
		case "function_call":
			isSession = true
			for _, old := range olds([]byte(p.Arguments)) {
				edit(old)
			}
		case "custom_tool_call":
			isSession = true
			edit(ofPatch(p.Input))
		}
	}
	if isSession {
		sum.Sessions++
	} else {
		sum.Skipped++
	}
}

// writer makes sessions up.
type writer struct {
	*rand.Rand
	lines []string // of the file that the session works on
}

func (w *writer) text() string {
	var b strings.Builder
	if w.IntN(8) == 0 {
		return "ok" // too short to be shortened
	}
	isNumbered := w.IntN(2) == 0
	for i := range w.IntN(12) {
		line := fmt.Sprintf("value%d = %d", w.IntN(40), w.IntN(1000))
		if w.IntN(5) == 0 {
			line = fmt.Sprintf("key%d = SECRET", w.IntN(9))
		}
		w.lines = append(w.lines, line)
		if isNumbered {
			line = fmt.Sprintf("%6d→%s", i+1, line)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// old returns lines that were read, or one that was not.
func (w *writer) old() string {
	if len(w.lines) == 0 || w.IntN(4) == 0 {
		return fmt.Sprintf("never%d", w.IntN(9))
	}
	from := w.IntN(len(w.lines))
	return strings.Join(w.lines[from:min(len(w.lines), from+1+w.IntN(3))], "\n")
}

func (w *writer) patch() string {
	removed := "-" + strings.ReplaceAll(w.old(), "\n", "\n-")
	return "*** Begin Patch\n*** Update File: x\n@@\n" + removed + "\n+new\n*** End Patch\n"
}

func quote(v any) string {
	b, _ := json.Marshal(v) // strings, and maps and lists of them
	return string(b)
}

// claude returns a line of a session of Claude Code.
func (w *writer) claude() string {
	content := func(body string) string { return `{"type":"user","message":{"role":"user","content":[` + body + `]}}` }
	switch w.IntN(7) {
	case 0:
		return `{"type":"user","message":{"role":"user","content":` + quote(w.text()) + `}}`
	case 1:
		return content(`{"type":"tool_use","id":"t","name":"Edit","input":{"old_string":` + quote(w.old()) + `}}`)
	case 2:
		return content(`{"type":"tool_use","id":"t","name":"MultiEdit","input":{"edits":[{"old_string":` + quote(w.old()) +
			`},{"old_string":` + quote(w.old()) + `}]}}`)
	case 3:
		return content(`{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":` + quote(w.text()) +
			`},{"type":"text","text":` + quote(w.text()) + `}]}`)
	case 4:
		return `{"type":"summary", broken`
	}
	return content(`{"type":"tool_result","tool_use_id":"t","content":` + quote(w.text()) + `}`)
}

// codex returns a line of a session of Codex.
func (w *writer) codex() string {
	item := func(body string) string { return `{"type":"response_item","payload":{` + body + `}}` }
	switch w.IntN(7) {
	case 0:
		return item(`"type":"message","content":[{"type":"input_text","text":` + quote(w.text()) + `}]`)
	case 1:
		return item(`"type":"custom_tool_call","name":"apply_patch","input":` + quote(w.patch()))
	case 2:
		return item(`"type":"function_call","name":"shell","arguments":` +
			quote(quote(map[string]any{"command": []string{"apply_patch", w.patch()}})))
	case 3:
		return item(`"type":"custom_tool_call_output","output":` + quote(w.text()))
	case 4:
		return "not JSON"
	}
	return item(`"type":"function_call_output","output":` +
		quote(quote(map[string]any{"output": w.text(), "metadata": map[string]string{}})))
}

// TestRecount: a second program counts made-up sessions of both hosts, and finds the same.
func TestRecount(t *testing.T) {
	for seed := range uint64(20) {
		dir, want := t.TempDir(), Replay{Found: make(map[string]int)}
		for i := range 12 {
			w := &writer{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
			var b strings.Builder
			for range w.IntN(40) {
				if i%2 == 0 {
					b.WriteString(w.claude() + "\n")
				} else {
					b.WriteString(w.codex() + "\n")
				}
			}
			if b.Len() == 0 {
				b.WriteString(`{"type":"other"}` + "\n")
			}
			recount(b.String(), &want)
			name := filepath.Join(dir, fmt.Sprint(i), "session.jsonl")
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := ReadTranscripts(dir, upper{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("seed %d:\n got %+v\nwant %+v", seed, *got, want)
		}
		if want.Touched == 0 || want.Touched == want.Edits || want.Unread == 0 || want.Leaky == want.Results {
			t.Errorf("seed %d says little: %+v", seed, want)
		}
	}
}
