package hosts

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

// said is a result of a tool in a form that every host has.
type said struct {
	command string
	output  string
	status  int
}

// events make the event of one host for a result.
var events = map[string]func(said) string{
	"claude-code": func(s said) string {
		output := s.output
		if s.status != 0 {
			output = withFeed(output) + fmt.Sprintf("[exit %d]\n", s.status)
		}
		return string(bash(output, "", s.command))
	},
	"codex": func(s said) string {
		return `{"hook_event_name":"PostToolUse","session_id":"s","turn_id":"t","tool_name":"exec","tool_input":{"command":` +
			string(quoted(s.command)) + `},"tool_response":{"content":[{"type":"text","text":` +
			string(quoted(s.output)) +
			`}],"status":` + string(quoted(fmt.Sprint(s.status))) + `}}`
	},
	"gemini-cli": func(s said) string {
		return `{"hook_event_name":"AfterTool","session_id":"s","tool_name":"run_shell_command","tool_input":{"command":` +
			string(quoted(s.command)) + `},"tool_response":{"llmContent":` +
			string(quoted(fmt.Sprintf("Output: %s\nExit Code: %d\nProcess Group PGID: %d",
				s.output, s.status, rand.IntN(1e6)))) +
			`,"returnDisplay":` + string(quoted(s.output)) + `}}`
	},
	"qwen-code": func(s said) string {
		return `{"hook_event_name":"PostToolUse","session_id":"s","tool_call_id":"t",` +
			`"tool_name":"run_shell_command","tool_input":{"command":` +
			string(quoted(s.command)) + `},"tool_response":{"llmContent":` +
			string(quoted(fmt.Sprintf(
				"Command: %s\nDirectory: (root)\nOutput: %s\nError: (none)\nExit Code: %d\nSignal: (none)",
				s.command, s.output, s.status))) +
			`,"returnDisplay":` + string(quoted(s.output)) + `}}`
	},
	"opencode": func(s said) string {
		return `{"host":"opencode","hook_event_name":"tool.execute.after","session_id":"s","tool_name":"bash",` +
			`"tool_input":{"command":` +
			string(quoted(s.command)) + `},"tool_response":{"title":"x","output":` + string(quoted(s.output)) +
			`,"metadata":{"exit":` + fmt.Sprint(s.status) + `}}}`
	},
}

// forgets are the events after which a host's model has seen nothing.
var forgets = map[string]string{
	"claude-code": `{"hook_event_name":"SessionStart","session_id":"s","source":"compact"}`,
	"codex":       `{"hook_event_name":"PostCompact","session_id":"s","turn_id":"t"}`,
	"gemini-cli":  `{"hook_event_name":"PreCompress","session_id":"s","trigger":"manual"}`,
	"qwen-code":   `{"hook_event_name":"SessionStart","session_id":"s","source":"clear","tool_call_id":"t"}`,
	"opencode":    `{"host":"opencode","hook_event_name":"session.compacted","session_id":"s"}`,
}

// shownBy is what the door makes of a result: what the model sees of its texts with output, and of
// the others.
func shownBy(t *testing.T, d *Door, event string) (output, rest string) {
	t.Helper()
	e := d.Host.Read([]byte(event))
	before := e.Texts
	texts, err := d.filtered(&e)
	if err != nil {
		t.Fatal(err)
	}
	d.Given()
	for i, text := range texts {
		switch {
		case before[i].IsUnseen:
		case before[i].IsBody:
			output += text
		default:
			rest += text
		}
	}
	return output, rest
}

// outputOf is a random result with lines of all kinds, or a variation of one.
func outputOf(r *rand.Rand, before []string) string {
	_, secrets := plantedSecrets()
	if len(before) > 0 && r.IntN(3) > 0 {
		lines := strings.SplitAfter(before[max(0, len(before)-1-r.IntN(4))], "\n")
		if r.IntN(8) == 0 { // as many as may differ
			for i := 1; i < len(lines)-1; i += 2 {
				lines[i] = fmt.Sprintf("line %d is another one that is longer than before\n", i)
			}
		}
		for range r.IntN(4) {
			switch i := r.IntN(len(lines)); r.IntN(4) {
			case 0:
				lines[i] = fmt.Sprintf("line changed %d\n", r.IntN(100))
			case 1:
				lines = append(lines[:i:i], append([]string{"line added\n", "\n"}, lines[i:]...)...)
			case 2:
				lines = append(lines[:i:i], lines[min(i+1+r.IntN(3), len(lines)):]...)
			case 3:
				lines[len(lines)-1] = strings.TrimSuffix(lines[len(lines)-1], "\n")
			}
			if len(lines) == 0 {
				break
			}
		}
		return strings.Join(lines, "")
	}
	var b strings.Builder
	for i := range 1 + r.IntN(200) {
		switch r.IntN(8) {
		case 0:
			b.WriteString("kfw: as 1 result ago, 9 of 9 lines are equal\n")
		case 1:
			b.WriteString("mail " + secrets[0] + " end\r\n")
		case 2:
			b.WriteString("\n@@ -1 +1 @@\n")
		default:
			fmt.Fprintf(&b, "line %d of what a tool has said, %d\n", i, r.IntN(1000))
		}
	}
	return b.String()
}

var (
	sameLine = regexp.MustCompile(`^kfw: same as (\d+) results? ago(?: \([^\n]*\))?: [^\n]*\b(h\d+)\b[^\n]*\n$`)
	asLine   = regexp.MustCompile(`^kfw: as (\d+) results? ago \((h\d+): [^\n]*\), (\d+) of (\d+) lines are equal; ` +
		`all of it: \S+ expand (h\d+) --session \S+ --format text\n`)
)

// TestRepeats: what is said to be equal is equal, in its text and in how it ended; what is said to
// differ is the earlier result with those lines; the handles have both. Nothing costs more than
// without, an equal result at most 40 tokens, and after a compaction nothing is referred to.
func TestRepeats(t *testing.T) {
	equal, differing, shorter := 0, 0, 0
	always := door(t, claudeCode{}, "")
	always.Filter.Budget, always.Repeats = 700, Refer
	for name, event := range events {
		for seed := range uint64(testdepth.Cases(3)) {
			r := rand.New(rand.NewPCG(seed, 7))
			state := t.TempDir()
			with := *always
			with.Host, with.State, with.Policies = Named(name), state,
				Policies{{Pattern: "*", Treatment: Full, Floor: 400}}
			without := with
			without.Repeats, without.State = Show, t.TempDir()
			file := file.At(sessionPath(state, name, &Event{Session: "s"}), session.Settings{})
			var outputs []string
			var all []said
			used, hasRest := 0, false
			for range 16 {
				if r.IntN(12) == 0 {
					with.Answer(strings.NewReader(forgets[name]))
					all, used, hasRest = nil, 0, false
				}
				s := said{command: "make " + strconv.Itoa(r.IntN(2)), output: outputOf(r, outputs),
					status: r.IntN(5) / 4}
				if name == "gemini-cli" || name == "qwen-code" { // which end the output with a line feed
					s.output = strings.TrimRight(s.output, "\n")
				}
				if strings.TrimSpace(s.output) == "" {
					continue
				}
				outputs = append(outputs, s.output)
				got, rest := shownBy(t, &with, event(s))
				plain, _ := shownBy(t, &without, event(s))
				cost, isReference := with.Filter.cost(got), sameLine.MatchString(got) || asLine.MatchString(got)
				isShortened := !isReference && strings.Contains(got, " expand h")
				switch {
				case isReference && cost >= with.Filter.cost(plain):
					t.Errorf("%s %d: %d tokens, %d without:\n%s", name, seed, cost, with.Filter.cost(plain), got)
				case isShortened && cost > 700, !isReference && !isShortened && got != plain:
					t.Errorf("%s %d: %d tokens:\n%s\nwithout:\n%s", name, seed, cost, got, plain)
				}
				redacted, err := with.Filter.redacted(with.Filter.Rules, s.output)
				if err != nil {
					t.Fatal(err)
				}
				content := func(id string) string {
					stored, err := file.Handle(id)
					if err != nil {
						t.Fatal(err)
					}
					var b strings.Builder
					if _, err := stored.WriteTo(&b); err != nil {
						t.Fatal(err)
					}
					return withFeed(b.String())
				}
				ago := func(count string) said {
					n, err := strconv.Atoi(count)
					if err != nil || n < 1 || n > len(all) {
						t.Fatalf("%s %d: %s results ago of %d", name, seed, count, len(all))
					}
					return all[len(all)-n]
				}
				if m := sameLine.FindStringSubmatch(got); m != nil {
					equal++
					if cost > 40 {
						t.Errorf("%d tokens: %s", cost, got)
					}
					if before := ago(m[1]); before.output != s.output || before.status != s.status {
						t.Errorf("%s %d: %q is not %q, or not %d", name, seed, before.output, s.output, s.status)
					}
					if stored := content(m[2]); stored != withFeed(redacted) {
						t.Errorf("%s: %s has %q, not %q", name, m[2], stored, redacted)
					}
				} else if m := asLine.FindStringSubmatch(got); m != nil {
					differing++
					if strings.Contains(plain, " expand h") {
						shorter++
					}
					if before := ago(m[1]); before.command != s.command || before.status != s.status {
						t.Errorf("%s %d: compared with %v", name, seed, before)
					}
					if made := patched(t, content(m[2]), got[len(m[0]):]); made != withFeed(redacted) {
						t.Errorf("%s %d: made %q of it, not %q", name, seed, made, redacted)
					}
					if stored := content(m[5]); stored != withFeed(redacted) {
						t.Errorf("%s: %s has %q, not %q", name, m[5], stored, redacted)
					}
					if lines := strings.Count(withFeed(redacted), "\n"); m[4] != strconv.Itoa(lines) ||
						m[3] != strconv.Itoa(lines-strings.Count(got, "\n+")) {
						t.Errorf("%d lines: %s", lines, m[0])
					}
				}
				all = append(all, s)
				used += cost
				hasRest = hasRest || rest != "" || name != "claude-code" // it costs some more
				status, err := file.Status()
				isExact := status.Used == used || hasRest && status.Used > used && status.Used < used+60*len(all)
				if err != nil || !isExact || status.Reserved != 0 {
					t.Fatalf("%s %d: used %d, want %d, %v\n%s", name, seed, status.Used, used, err, got)
				}
			}
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if equal < testdepth.Cases(20) || differing < testdepth.Cases(20) || shorter < testdepth.Cases(10) {
		t.Errorf("%d equal, %d differing, %d of them too long to be shown whole", equal, differing, shorter)
	}
}

// TestEnding: a result that is equal in its text and ended in another way is not equal; what a host
// numbers its calls with makes no difference.
func TestEnding(t *testing.T) {
	out := manyLines(40, "what it has said # {}")
	claude := func(more, end string) string {
		return `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash",` +
			`"tool_input":{"command":"make"},"tool_response":{"stdout":` + string(quoted(out+end)) +
			`,"stderr":""` + more + `}}`
	}
	copilot := func(shell, code int) string {
		return `{"sessionId":"s","toolName":"bash","toolArgs":{"command":"make"},` +
			`"toolResult":{"resultType":"success","textResultForLlm":` +
			string(quoted(fmt.Sprintf("%s<shellId: %d completed with exit code %d>", out, shell, code))) + `}}`
	}
	cline := func(end string) string {
		return `{"host":"cline","hook_event_name":"afterTool","session_id":"s","tool_name":"run_commands",` +
			`"tool_input":{"commands":["make"]},"tool_response":{"output":[{"query":"make","result":` +
			string(quoted(end+out)) + `,"success":true}]}}`
	}
	of := func(host string, status int) string { return events[host](said{"make", out, status}) }
	for _, c := range []struct {
		host, before, after string
		isEqual             bool
	}{
		{"claude-code", claude("", ""), claude("", ""), true},
		{"claude-code", claude("", ""), claude("", "[exit 1]\n"), false},
		{"claude-code", claude("", "[exit 2]\n"), claude("", "[exit 1]\n"), false},
		{"claude-code", claude(`,"interrupted":false`, ""), claude(`,"interrupted":true`, ""), false},
		{"claude-code", claude(`,"returnCodeInterpretation":"Files differ"`, ""), claude("", ""), false},
		{"claude-code", claude(`,"durationMs":5`, ""), claude(`,"durationMs":7`, ""), true},
		{"codex", of("codex", 1), of("codex", 1), true},
		{"codex", of("codex", 1), of("codex", 0), false},
		{"gemini-cli", of("gemini-cli", 1), of("gemini-cli", 1), true},
		{"gemini-cli", of("gemini-cli", 1), of("gemini-cli", 2), false},
		{"qwen-code", of("qwen-code", 0), of("qwen-code", 1), false},
		{"opencode", of("opencode", 0), of("opencode", 1), false},
		{"copilot", copilot(0, 1), copilot(7, 1), true},
		{"copilot", copilot(0, 1), copilot(7, 0), false},
		{"cline", cline(""), cline(""), true},
		{"cline", cline("[Command exited with code 1]\n"), cline("[Command exited with code 2]\n"), false},
	} {
		d := door(t, Named(c.host), t.TempDir())
		d.Repeats = Refer
		shownBy(t, d, c.before)
		got, _ := shownBy(t, d, c.after)
		if isReferred := strings.HasPrefix(got, "kfw: "); isReferred != c.isEqual ||
			isReferred != sameLine.MatchString(got) {
			t.Errorf("%s, equal %v: %s", c.host, c.isEqual, got)
		}
	}
}

// TestNoReference: where a result that comes again is shown as if it were new.
func TestNoReference(t *testing.T) {
	long, other := manyLines(40, "what it has said # {}"), manyLines(40, "what # it has said")
	longer := manyLines(400, "what it has said # {}")
	both := func(a, b string) string { // lines of both by turns
		var out strings.Builder
		of := [2][]string{strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")}
		for i := range of[0] {
			out.WriteString(of[i%2][i])
		}
		return out.String()
	}
	file := func(d *Door) session.Session {
		f := file.At(sessionPath(d.State, d.Host.Name(), &Event{Session: "s"}), session.Settings{})
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	result := `{"sessionId":"s","toolName":"bash","toolArgs":{"command":"make"},` +
		`"toolResult":{"textResultForLlm":` + string(quoted(long)) + `}}`
	for name, c := range map[string]struct {
		host          Host
		before, after string
		set           func(*Door) // before both
		between       func(*Door) error
		isReferred    bool
	}{
		"by default": {isReferred: true},
		"show":       {set: func(d *Door) { d.Repeats = Show }},
		"off":        {between: func(d *Door) error { d.IsOff = true; return nil }},
		"off at first": {
			set:     func(d *Door) { d.IsOff = true },
			between: func(d *Door) error { d.IsOff = false; return nil }},
		"policy redact": {set: func(d *Door) { d.Policies = Policies{{Pattern: "*", Treatment: Redact}} }},
		"kfw expand": {before: string(bash(long, "", "kfw expand h1")),
			after: string(bash(long, "", "kfw expand h1"))},
		"less than 200":    {before: string(bash(long[:500], "")), after: string(bash(long[:500], ""))},
		"another text":     {after: string(bash(other, ""))},
		"the other stream": {after: string(bash("", long))},
		"both streams":     {before: string(bash(long, other)), after: string(bash(long, other)), isReferred: true},
		"one of both":      {before: string(bash(long, other)), after: string(bash(long, ""))},
		"half of it":       {after: string(bash(both(long, other), ""))},
		"unseen by a host": {host: copilot{}, before: result, after: result},
		"seen by a user": {host: copilot{}, before: result, after: result,
			set: func(d *Door) { d.Repeats = Refer }, isReferred: true},
		"removed": {between: func(d *Door) error { return file(d).Remove("h1") }},
		"reset":   {between: func(d *Door) error { return file(d).Reset() }},
		"other rules": {between: func(d *Door) (err error) {
			d.Filter.Rules, err = redact.Compile(redact.Options{Groups: redact.PII})
			return err
		}},
		"a secret by now": {
			before: string(bash(long+"nickname: maria\n", "")), after: string(bash("a\n"+long+"nickname: maria\n", "")),
			between: func(d *Door) (err error) {
				d.Filter.Rules, err = redact.Compile(redact.Options{Groups: redact.All,
					RedactFields: []string{"nickname"}})
				return err
			}},
		// Lines are data: a ceiling forbids them, but not the line that names an equal result.
		"ceiling": {between: func(d *Door) error { return file(d).SetTotal(1000) }, isReferred: true},
		"a few lines under a ceiling": {
			before: string(bash(longer, "")), after: string(bash("a\n"+longer, "")),
			between: func(d *Door) error { return file(d).SetTotal(6000) }},
		"a few lines of both": {before: string(bash(long, other[:50])), after: string(bash("a\n"+long, other[:50]))},
	} {
		d := door(t, claudeCode{}, t.TempDir())
		if c.host != nil {
			d.Host = c.host
		}
		if c.set != nil {
			c.set(d)
		}
		if c.before == "" {
			c.before = string(bash(long, ""))
		}
		if c.after == "" {
			c.after = c.before
		}
		shownBy(t, d, c.before)
		if c.between != nil {
			if err := c.between(d); err != nil {
				t.Fatal(err)
			}
		}
		got, _ := shownBy(t, d, c.after)
		if isReferred := sameLine.MatchString(got); isReferred != c.isReferred || asLine.MatchString(got) {
			t.Errorf("%s: referred %v: %.300s", name, isReferred, got)
		}
	}
}

// TestReference: the line has the command, then the name, as far as 40 tokens allow; with a long
// path the handle is in it.
func TestReference(t *testing.T) {
	d := door(t, claudeCode{}, "")
	path := "/home/maria/.local/state/kfw/sessions/claude-code-0b3e1f0e-6a2b-4b43-9d3e-1f0e6a2b4b43.kfw"
	name := "Bash git log --oneline --graph --all --decorate -n 100 -- docs README.md"
	for _, c := range []struct{ path, want string }{
		{"/s.kfw", "kfw: same as 3 results ago (" + name[:60] +
			"...): /usr/local/bin/kfw expand h1 --session /s.kfw --format text\n"},
		{path[5:], "kfw: same as 3 results ago: /usr/local/bin/kfw expand h1 --session " + path[5:] + "\n"},
		{path + path, "kfw: same as 3 results ago (" + name[:60] + "...): handle h1\n"},
	} {
		if got := d.Filter.reference(c.path, "h1", name, 3); got != c.want {
			t.Errorf("%q\nwant %q", got, c.want)
		}
	}
	d.Filter.Counter = budget.Scaled(d.Filter.Counter, 20)
	if got := d.Filter.reference("/s.kfw", "h1", name, 1); got != "" {
		t.Errorf("%q of more than 40 tokens", got)
	}
}
