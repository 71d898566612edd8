package guard_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/guard"
)

func rules(t testing.TB, texts ...string) guard.Rules {
	t.Helper()
	var all guard.Rules
	for _, text := range texts {
		rule, err := guard.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rule)
	}
	return all
}

// called is the turn of a stream in which a tool is called, by its name and arguments, and policies
// are asked.
func called(t testing.TB, o turn.Options, name, arguments string) turn.Turn {
	t.Helper()
	call := map[string]any{"index": 0, "id": "a", "function": map[string]any{"name": name, "arguments": arguments}}
	a := turn.New(o)
	for _, choice := range []map[string]any{
		{"index": 0, "delta": map[string]any{"tool_calls": []any{call}}},
		{"index": 0, "delta": map[string]any{}, "finish_reason": "tool_calls"},
	} {
		chunk, err := json.Marshal(map[string]any{"id": "c", "model": "m", "choices": []any{choice}})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.PushChunk(chunk); err != nil {
			t.Fatal(err)
		}
		for _, ok := a.Next(); ok; _, ok = a.Next() {
		}
	}
	return a.Close()
}

// TestDressedNames: a denied name is denied in whatever dress it comes, and others are not.
func TestDressedNames(t *testing.T) {
	policies := turn.Options{Policies: []turn.Policy{rules(t, "delete_file"), guard.Others{}}}
	for _, name := range []string{
		"delete_file", "DELETE_FILE", "Delete_File", "deleteFile", "delete-file", "delete.file", "delete file",
		" delete_file", "delete_file ",
		"delete_file\n", "\tdelete_file", "delete\u00a0file", "delete_\u200bfile", "\ufeffdelete_file",
		"de\u00adlete_file", "delete\u2060_file",
		"delete_file\u200d", "d\u0435lete_file", "del\u0435t\u0435_file", "delete_fil\u0435", "dеlеtе_filе",
		"ｄｅｌｅｔｅ_file", "delete\uff3ffile",
		"𝐝𝐞𝐥𝐞𝐭𝐞_file", "𝚍𝚎𝚕𝚎𝚝𝚎_𝚏𝚒𝚕𝚎", "delete_ﬁle", "dele\u0301te_file", "délete_file", "deIete_file", "de1ete_file",
		"delete_f1le", "delete_f\u0131le",
		"delete_f\u0456le", "ԁelete_file", "delete‐file", "delete—file", "delete\u3164_file", "delete_file\u0000",
		"\u202edelete_file\u202c",
		"deleτe_file", "ⅾelete_file", "delete\u2028_file", "delete_file\ufe0f", "delete_fi\u034fle", "dᴇlete_file",
	} {
		if got := called(t, policies, name, `{"path":"/"}`); len(got.Calls) > 0 || got.Blocked != 1 {
			t.Errorf("%q got through", name)
		}
	}
	for _, name := range []string{"delete_files", "undelete_file", "delete", "file", "read_file", "löschen"} {
		if got := called(t, policies, name, `{}`); len(got.Calls) != 1 || got.Blocked != 0 {
			t.Errorf("%q was blocked", name)
		}
	}
}

// TestDressedArguments: a denied argument is denied in whatever dress it comes, and so is what
// can't be read.
func TestDressedArguments(t *testing.T) {
	quoted := func(text string) string {
		b, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	const plain = `{"command":"rm -rf /"}`
	for _, rule := range []string{`run:command=~^rm\s`, `run:@this.command=~^rm\s`} {
		policies := turn.Options{Policies: []turn.Policy{rules(t, rule), guard.Others{}}}
		for _, arguments := range []string{
			plain, quoted(plain), quoted(quoted(plain)), quoted(quoted(quoted(plain))), "[" + plain + "]",
			"[[" + plain + "]]", `[{"command":"ls"},` + plain + "]",
			quoted("[" + plain + "]"), "[" + quoted(plain) + "]", `{"Command":"rm -rf /"}`, `{"COMMAND":"rm -rf /"}`,
			`{"command":"ls","command":"rm -rf /"}`,
			`{"command":"rm -rf /","command":"ls"}`, `{"command":"ls","Command":"rm -rf /"}`,
			`{"\u0063ommand":"rm -rf /"}`,
			`{"command":"\u0072m -rf /"}`,
			`{"command":" rm -rf /"}`, `{"command":"\trm -rf /"}`, `{"command":"rm\u00a0-rf /"}`,
			`{"command":"r\u200bm -rf /"}`, `{"command":"\ufeffrm -rf /"}`,
			`{"command":"RM -rf /"}`, `{"command":"ｒｍ -rf /"}`, `{"command":"\u0433m -rf /"}`,
			`{"command":["rm","-rf","/"]}`, `{"command":["ls","rm -rf /"]}`,
			`{"command":"\"rm -rf /\""}`, `{"command":"[\"rm\",\"-rf\"]"}`, `{"comm\u200band":"rm -rf /"}`,
			`{"c\u043emmand":"rm -rf /"}`, "{ \"command\" :\n\t\"rm -rf /\" }",
			`{"command":{"text":"rm -rf /"}}`, `{"command":[["rm -rf /"]]}`, `rm -rf /`, `"rm -rf /"`,
			`{"command":"rm -rf /"`, `{'command':'rm -rf /'}`, `[]`, `null`, `7`, `[7]`,
			plain + plain, "```json\n" + plain + "\n```",
		} {
			if got := called(t, policies, "run", arguments); len(got.Calls) > 0 || got.Blocked != 1 {
				t.Errorf("%s: %s got through", rule, arguments)
			}
		}
		for _, arguments := range []string{`{"command":"ls"}`, `{"command":["ls","-l"]}`, `{"other":"rm -rf /"}`, `{}`,
			`{"command":null}`, quoted(`{"command":"ls"}`)} {
			if got := called(t, policies, "run", arguments); len(got.Calls) != 1 {
				t.Errorf("%s: %s was blocked", rule, arguments)
			}
		}
		if got := called(t, policies, "walk", plain); len(got.Calls) != 1 {
			t.Errorf("%s: another tool was blocked", rule)
		}
	}
	nested := turn.Options{Policies: []turn.Policy{rules(t, "run:options.0.user=~root"), guard.Others{}}}
	for arguments, through := range map[string]int{`{"options":[{"user":"root"}]}`: 0,
		`{"options":"[{\"user\":\"root\"}]"}`: 0, `{"options":"root"}`: 0,
		`{"options":[{"user":"ada"},{"user":"root"}]}`: 1, `{}`: 1} {
		if got := called(t, nested, "run", arguments); len(got.Calls) != through {
			t.Errorf("of %s %d got through", arguments, len(got.Calls))
		}
	}
}

// FuzzArguments: an argument object that is written in another way is judged the same.
func FuzzArguments(f *testing.F) {
	f.Add("command", "rm -rf /", "other", uint64(0x1234567))
	f.Add("Path", "/etc/passwd", "path", uint64(1))
	f.Add("a b", "\u00e9\"\\", "", uint64(99))
	f.Fuzz(func(t *testing.T, name, value, other string, ways uint64) {
		if len(name)+len(value)+len(other) > 1<<10 || strings.ContainsAny(name, `#@*?|{}[]()!=<>%\~".:`) ||
			guard.Normal(name) == "" {
			t.Skip("a name that a rule cannot have as it is")
		}
		if _, err := strconv.Atoi(name); err == nil {
			t.Skip("a rule takes a number for a place in a list")
		}
		const denied = "run:%=~^(?s)rm.*"
		rule := rules(t, strings.Replace(denied, "%", name, 1))
		forbids := func(arguments string) bool {
			return rule.Forbid(&turn.Call{Name: "run", Arguments: arguments, Valid: true})
		}
		members := map[string]string{name: value}
		if guard.Normal(other) != guard.Normal(name) {
			members[other] = "rm"
		}
		straight, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		again := rewritten(name, value, other, ways)
		if !json.Valid([]byte(again)) {
			t.Fatalf("not JSON: %s", again)
		}
		if want := forbids(string(straight)); forbids(again) != want {
			t.Errorf("%s is forbidden: %t, and %s is not", straight, want, again)
		}
	})
}

// rewritten is an object in another way of writing it: bits of ways say which.
func rewritten(name, value, other string, ways uint64) string {
	next := func() bool {
		bit := ways&1 == 1
		ways = ways>>1 | ways<<63
		return bit
	}
	text := func(s string) string {
		var b strings.Builder
		b.WriteByte('"')
		for _, r := range s {
			switch {
			case r > 0xffff:
				b.WriteString(string(r))
			case next() || r < ' ' || r == '"' || r == '\\' || r == 0xfffd:
				hex := strconv.FormatInt(int64(r), 16)
				if next() {
					hex = strings.ToUpper(hex)
				}
				b.WriteString(`\u` + strings.Repeat("0", 4-len(hex)) + hex)
			default:
				b.WriteRune(r)
			}
		}
		return b.String() + `"`
	}
	space := func() string {
		if next() {
			return " \n"
		}
		return ""
	}
	var members []string
	if guard.Normal(other) != guard.Normal(name) {
		members = append(members, text(other)+space()+":"+text("rm"))
	}
	members = append(members, text(name)+":"+space()+text(value))
	if next() && len(members) == 2 {
		members[0], members[1] = members[1], members[0]
	}
	object := "{" + space() + strings.Join(members, space()+",") + "}"
	for range 2 {
		if next() {
			object = text(object)
		}
	}
	if next() {
		object = "[" + object + "]"
	}
	return object
}

// TestNearest: a name is repaired to one that is near, the only one, and never to or from one that
// is denied.
func TestNearest(t *testing.T) {
	allowed := []string{"get_weather", "subtract", "add", "lookup_a", "lookup_b", "remove"}
	denied := rules(t, "remove", "sbtract")
	for name, want := range map[string]string{"get_weathr": "get_weather", "substract": "subtract",
		"subtract": "subtract", "ad": "", "lookup_c": "", "delete_everything": "",
		"getweather": "get_weather", "get_wether_": "get_weather", "remov": "", "sbtract": "", "SBTRACT": "", "": "",
		"functions.get_weather": "get_weather", "default_api.subtract": "subtract",
		"mcp__s__get_weather": "get_weather",
		"GET_WEATHER":         "get_weather", "GetWeather": "get_weather", "get-weather": "get_weather", "add:0": "add",
		"add()":                         "add",
		"subtract<|channel|>commentary": "subtract", "functions.remove": "", "functions.sbtract": "", "fs.Add": "add",
		"lookupa": "lookup_a", "functions.": "", "__": "",
		strings.Repeat("a", 1<<20): ""} {
		if got, ok := guard.Nearest(name, allowed, denied); got != want || ok != (want != "") {
			t.Errorf("%.20q is repaired to %q, want %q", name, got, want)
		}
	}
	for action, want := range map[turn.Action]string{turn.Repair: "get_weather", turn.Fail: ""} {
		o := turn.Options{Advertised: allowed, Policies: []turn.Policy{guard.Invalid{Action: action, Allowed: allowed,
			Rules: denied}}}
		got := called(t, o, "get_weathr", "{}")
		if (len(got.Calls) == 1) != (want != "") || len(got.Calls) == 1 && got.Calls[0].Name != want {
			t.Errorf("%s: the calls are %+v", action, got.Calls)
		}
	}
}

// TestJudge: only a clear answer lets a call through.
func TestJudge(t *testing.T) {
	for said, want := range map[string]string{
		`{"k":1,"act":"allow"}`:                        `run({"n":1})`,
		`{"act":"allow","k":1}`:                        `run({"n":1})`,
		`{"k":1,"act":"rewrite","args":{"n":2}}`:       `run({"n":2})`,
		`{"k":1,"act":"rewrite","args":{"n":"rm"}}`:    `[The call of run was blocked: a rule forbids it]`,
		`{"k":1,"act":"block","why":"no"}`:             `[The call of run was blocked: no]`,
		`{"k":1,"act":"replace","text":"Later."}`:      `Later.`,
		`{"k":1,"act":"fail","why":"no"}`:              `error no`,
		`{"k":2,"act":"allow"}`:                        "blocked",
		`{"act":"allow"}`:                              "blocked",
		`{"k":"1","act":"allow"}`:                      "blocked",
		`{"k":1.5,"act":"allow"}`:                      "blocked",
		`{"k":1,"act":["allow"]}`:                      "blocked",
		`{"k":1,"act":"Allow"}`:                        "blocked",
		`{"k":1,"act":"block","act":"allow"}`:          "blocked",
		`{"k":1,"act":"block","Act":"allow"}`:          "blocked",
		`{"k":1,"act":"allow","\u0061ct":"block"}`:     "blocked",
		`{"k":1,"act":"rewrite","args":{"n":1,"n":2}}`: "blocked",
		`{"k":1,"act":"rewrite","args":[1]}`:           "blocked",
		`{"k":1,"act":"rewrite"}`:                      "blocked",
		`{"k":1,"act":"replace"}`:                      "blocked",
		`{"k":1,"act":"repair","name":"run"}`:          "blocked",
		`{"k":1,"act":"allow"}{"k":1,"act":"allow"}`:   "blocked",
		`{"k":1,"act":"allow"`:                         "blocked",
		`[{"k":1,"act":"allow"}]`:                      "blocked",
		`allow`:                                        "blocked",
		``:                                             "blocked",
		`{"k":1,"act":"allow","why":7}`:                "blocked",
		`{"k":1,"act":"allow","x":` + strings.Repeat("[", 100) + `1` + strings.Repeat("]", 100) + "}": "blocked",
	} {
		judge := &guard.Judge{Ask: func([]byte) ([]byte, error) { return []byte(said), nil },
			Rules: rules(t, "run:n=~rm")}
		got := called(t, turn.Options{Policies: []turn.Policy{judge}}, "run", `{"n":1}`)
		result := got.Text
		for _, c := range got.Calls {
			result += c.Name + "(" + c.Arguments + ")"
		}
		if !got.Complete {
			result = "error " + got.Error
		}
		if want == "blocked" {
			want = "[The call of run was blocked: the judge gave no answer that can be understood]"
		}
		if result != want {
			t.Errorf("%s: %s, want %s", said, result, want)
		}
	}
}

// TestJudgeAmbiguous: arguments in which a name stands twice are blocked without asking: a judge may
// read the one and a tool the other.
func TestJudgeAmbiguous(t *testing.T) {
	for arguments, through := range map[string]bool{`{"n":1,"n":2}`: false, `{"a":[{"n":1,"\u006e":2}]}`: false,
		`{"n":1,"N":2}`: true, `{"a":{"n":1},"n":2}`: true,
		`[{"n":1},{"n":1}]`: true} {
		asked := 0
		judge := &guard.Judge{Ask: func([]byte) ([]byte, error) {
			asked++
			return []byte(`{"k":1,"act":"allow"}`), nil
		}}
		got := called(t, turn.Options{Policies: []turn.Policy{judge}}, "run", arguments)
		if (len(got.Calls) == 1) != through || (asked == 1) != through {
			t.Errorf("%s: %d calls, asked %d times", arguments, len(got.Calls), asked)
		}
	}
}

// TestJudgeRepairs: a judge may choose the name of a call; one that is allowed and not denied.
func TestJudgeRepairs(t *testing.T) {
	allowed := []string{"list", "remove"}
	for said, want := range map[string]string{`{"k":1,"act":"repair","name":"list"}`: "list",
		`{"k":1,"act":"repair","name":"remove"}`: "", `{"k":1,"act":"repair","name":"other"}`: "",
		`{"k":1,"act":"repair"}`: "list", `{"k":1,"act":"allow"}`: "", `{"k":1,"act":"repair","name":7}`: ""} {
		asked := 0
		judge := &guard.Judge{Allowed: allowed, Rules: rules(t, "remove"), Ask: func([]byte) ([]byte, error) {
			if asked++; asked == 1 {
				return []byte(said), nil
			}
			return []byte(`{"k":1,"act":"allow"}`), nil
		}}
		o := turn.Options{Advertised: allowed, Policies: []turn.Policy{judge, guard.Invalid{Action: turn.Fail}}}
		got := called(t, o, "lists", `{}`)
		if (len(got.Calls) == 1) != (want != "") || len(got.Calls) == 1 && got.Calls[0].Name != want {
			t.Errorf("%s: the calls are %+v", said, got.Calls)
		}
	}
}

// TestJudgeGivesUp: after three failures in a row nothing is asked any more; an answer in between
// begins anew.
func TestJudgeGivesUp(t *testing.T) {
	asked := 0
	judge := &guard.Judge{Ask: func([]byte) ([]byte, error) {
		if asked++; asked == 3 {
			return []byte(`{"k":1,"act":"allow"}`), nil
		}
		return nil, errors.New("late")
	}}
	for range 20 {
		called(t, turn.Options{Policies: []turn.Policy{judge}}, "run", `{}`)
	}
	if asked != 6 {
		t.Errorf("the judge was asked %d times", asked)
	}
}
