package guard_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
	"github.com/kfw-dev/kfw/turn/guard"
)

// escaped is a text as the inside of a JSON string.
func escaped(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b[1 : len(b)-1])
}

// lookAlikes are letters of other scripts that a reader takes for a Latin one, in any letter case.
var lookAlikes = map[string]string{
	"a": "аαɑ⍺Аꓮᗅ𐊠Ꭺａ", "c": "сϲⲥᴄСϹᏟꓚ𐐕ｃ", "d": "ԁⅾᏧꓒᎠꓓᗞ", "e": "еҽⲈΕЕᎬꓰⴹ", "f": "ϝꓝᖴꞙ",
	"g": "ɡցᶃԌᏀꓖ",
	"h": "һհᏂΗНᎻᕼꓧ", "i": "іιıɩɪӏᎥꙇΙІꓲⵏ", "j": "јϳЈᎫꓙ", "k": "κкКΚᏦꓗᴋ", "l": "ӏⅼǀߊᏞꓡⳐ",
	"m": "ΜМᎷꓟⲘᗰ",
	"n": "ոռηΝꓠⲚɴ", "o": "оοօഠဝoσΟОՕⲞꓳⵔ", "p": "рρⲣᴘРΡᏢꓑ", "q": "ԛգզ", "r": "гᴦⲅꭇᏒꓣᖇ",
	"s": "ѕꜱƽЅՏᏚꓢ",
	"t": "ΤТᎢꓔτᴛ", "u": "υսᴜʋꭎՍꓴ⋃", "v": "νѵᴠꮩᏙѴꓦⴸ", "w": "ԝաѡᏔꓪ", "x": "хχⅹᕁΧХꓫⵝ", "y": "уγүყʏΥҮꓬ",
	"z": "ᴢꮓΖᏃꓜ",
}

// TestLookAlikes: a letter of another script is the Latin one that a reader takes it for.
func TestLookAlikes(t *testing.T) {
	for latin, others := range lookAlikes {
		for _, other := range others {
			if got, want := guard.Normal("x"+string(other)+"x"), guard.Normal("x"+latin+"x"); got != want {
				t.Errorf("%c (%U) is read as %q, not as %s", other, other, got, want)
			}
		}
	}
}

// TestOnlyLetters: what is no letter or digit does not make another name, wherever it stands.
func TestOnlyLetters(t *testing.T) {
	denied := rules(t, "delete_file")
	for r := rune(0); r < unicode.MaxRune; r++ {
		if r == 0x20000 {
			r = 0xe0000 // those between are letters, or not assigned
		}
		if r == 0xe0400 {
			break
		}
		if unicode.IsLetter(r) || unicode.IsNumber(r) || r > 0x3400 && r < 0xd7ff || strings.ContainsRune("|!", r) {
			continue
		}
		if guard.Normal("o"+string(r)+"o") != "oo" && guard.Normal(string(r)) != "" {
			continue // a sign that looks like a letter, or has letters in it
		}
		if !denied.Deny("delete" + string(r) + "file") {
			t.Fatalf("delete%cfile (%U) is another name", r, r)
		}
	}
	for _, name := range []string{"delete/file", "delete::file", "`delete_file`", `"delete_file"`, "delete_file()",
		"<delete_file>", "delete+file", "(delete_file)", "delete_file;",
		"\U000e0064delete_file", "delete_file\ue000", "delete_file\ufdd0", "delete\u2065_file", "delete_file\xff",
		"\u2066delete_file\u2069", "delete_file\u0903", "#delete_file", "@delete_file", "$delete_file"} {
		if !denied.Deny(name) {
			t.Errorf("%q is another name", name)
		}
	}
}

// TestArgumentAttacks: an argument is denied in every way that a lenient reader could take it.
func TestArgumentAttacks(t *testing.T) {
	wrapped := func(text string, times int) string {
		for range times {
			text = `"` + escaped(text) + `"`
		}
		return text
	}
	for rule, attacks := range map[string][]string{
		`run:command=~^rm\s`: {
			`{"command":` + wrapped("rm -rf /", 2) + `}`, `{"command":` + wrapped("rm -rf /", 3) + `}`,
			`{"command":` + wrapped("rm -rf /", 4) + `}`,
			`{"command":` + wrapped("rm -rf /", 7) + `}`, `{"command":` + wrapped(`["rm -rf /"]`, 4) + `}`,
			`{"command":"\ud800\u0072m -rf /"}`, `{"\ud800\u0063ommand":"rm -rf /"}`, `{"command":"\udc00rm -rf /"}`,
			`{"comm\ud83d\u0061nd":"rm -rf /"}`,
			`{"command":{"rm -rf /":true}}`, `{"command":{"rm -rf /":{}}}`,
			`{"command":{"program":"rm","args":"-rf /"}}`,
			`{"command":{"program":"rm","args":["-rf","/"]}}`,
			`{"command":"rm\u2003-rf /"}`, `{"command":"rm\u3000-rf"}`, `{"command":"\u2066rm -rf /\u2069"}`,
			`{"command":"r\u00adm -rf /"}`, `{"command":"rm\u0000 -rf /"}`,
			`{"command":"\u0007rm -rf /"}`, `{"com-mand":"rm -rf /"}`, `{" command ":"rm -rf /"}`,
			`{"command\u0000":"rm -rf /"}`, `{"$command":"rm -rf /"}`, `{"--command":"rm -rf /"}`,
			`{"command":"𝐫𝐦 -rf /"}`, `{"command":"ⓡⓜ -rf /"}`, `{"command":"r\u0336m -rf /"}`,
			`{"command":"Rm -rf /"}`,
			`{"command":"ᎡᎷ -rf /"}`,
			`{"command":["", "rm -rf /"]}`, `{"command":[["rm"],["-rf"]]}`, `{"command":"rm\t-rf"}`,
			`{"command":"rm\n-rf"}`,
		},
		`run:path=~^/Users/[^/]+/Secret`: {
			`{"path":"/Users/ada/Secret"}`, `{"path":"/users/ada/secret"}`, `{"path":"/USERS/ada/SECRET"}`,
			`{"path":"/Us\u0435rs/ada/Secret"}`, `{"path":"/Users\u200b/ada/Secret"}`,
			`{"path":"/U\u017fers/ada/Secret"}`, `{"Path":"/Users/ada/secret"}`,
		},
		`run:to=~^zoë@`: {`{"to":"zoë@x"}`, `{"to":"zoe\u0308@x"}`, `{"to":"ZOË@x"}`, `{"to":"zo\u200bë@x"}`,
			`{"to":"ｚｏë@x"}`},
		`run:to=~^удалить`: {`{"to":"удалить"}`, `{"to":"УДАЛИТЬ"}`, `{"to":"уда\u200bлить"}`,
			`{"to":" удалить"}`},
		`run:amount=~^1000$`: {`{"amount":1000}`, `{"amount":1e3}`, `{"amount":1000.0}`, `{"amount":10.00E2}`,
			`{"amount":"1000"}`, `{"amount":"1e3"}`, `{"amount":"1000.0"}`, `{"amount":"01000"}`, `{"amount":"+1000"}`,
			`{"amount":" 1000 "}`, `{"amount":"１０００"}`, `{"amount":"\u0661\u0660\u0660\u0660"}`, `{"amount":[1000]}`},
		`run:amount=~^\d{4}`: {`{"amount":1e300}`, `{"amount":1e999}`, `{"amount":123456}`, `{"amount":"1_000"}`},
		`run:options.user=~^root$`: {
			`{"options":"{\"user\":\"root\"}"}`, `{"Options":{"USER":"root"}}`, `{"options":[{"user":"root"}]}`,
			`{"options":"[{\"user\":\"root\"}]"}`, `{"options":{"user":["root"]}}`,
			`{"options":{"user":"x"},"options":{"user":"root"}}`, `{"options":{"user":"root"},"OPTIONS":{"user":"x"}}`,
			`{"options":"user=root"}`, `{"options":7}`, `{"options":true}`,
		},
		`run:options.#.user=~^root$`: {
			`{"options":[{"user":"root"}]}`, `{"options":"[{\"user\":\"root\"}]"}`,
			`{"options":` + wrapped(`[{"user":"root"}]`, 2) + `}`, `{"Options":[{"User":"root"}]}`,
			`{"options":["{\"user\":\"root\"}"]}`,
			`{"options":[{"user":"x","user":"root","user":"x"}]}`,
			`{"options":[{"user":"x"}],"Options":[{"user":"root"}],"OPTIONS":[{"user":"x"}]}`,
			`{"opt-ions":[{"user":"root"}]}`,
			`{"options":[{"u\u0455er":"root"}]}`, `{"options":[{"user":"ROOT"}]}`, `[{"options":[{"user":"root"}]}]`,
			`"{\"options\":[{\"user\":\"root\"}]}"`,
		},
		`run:options.#(kind=="shell").do=~^rm`: {`{"options":[{"kind":"shell","do":"rm"}]}`,
			`{"options":[{"kind":"Shell","do":"rm"}]}`, `{"options":[{"kind":"sh\u0435ll","do":"rm"}]}`,
			`{"options":[{"kind":" shell","do":"rm"}]}`},
		`run:*.do=~^rm`: {`{"a":{"do":"rm"}}`, `{"a":"{\"do\":\"rm\"}"}`, `{"a":{"Do":"rm"}}`},
	} {
		policies := turn.Options{Policies: []turn.Policy{rules(t, rule), guard.Others{}}}
		for _, arguments := range attacks {
			if !json.Valid([]byte(arguments)) {
				t.Fatalf("not JSON: %s", arguments)
			}
			if got := called(t, policies, "run", arguments); len(got.Calls) > 0 || got.Blocked != 1 {
				t.Errorf("%s: %s got through", rule, arguments)
			}
		}
	}
	for rule, arguments := range map[string][]string{
		`run:command=~^rm\s`: {`{"command":"ls"}`, `{"command":"farm x"}`, `{"command":"\"ls\""}`,
			`{"command":{"program":"ls","args":["rm"]}}`, `{"command":[]}`, `{"command":{}}`, `{"command":7}`},
		`run:amount=~^1000$`:         {`{"amount":100}`, `{"amount":"ten"}`, `{"amount":1000.5}`, `{"amount":"1e"}`},
		`run:options.#.user=~^root$`: {`{"options":[{"user":"ada"}]}`, `{"options":[]}`, `{}`, `{"options":"none"}`},
		`run:options.#(kind=="shell").do=~^rm`: {`{"options":[{"kind":"sql","do":"rm"}]}`,
			`{"options":[{"kind":"shell","do":"ls"}]}`},
	} {
		policies := turn.Options{Policies: []turn.Policy{rules(t, rule), guard.Others{}}}
		for _, one := range arguments {
			if got := called(t, policies, "run", one); len(got.Calls) != 1 {
				t.Errorf("%s: %s was blocked", rule, one)
			}
		}
	}
}

// TestWrappedCalls: calls in the arguments of another one, which clients of OpenAI take apart, are
// calls.
func TestWrappedCalls(t *testing.T) {
	policies := turn.Options{Policies: []turn.Policy{rules(t, "delete_file", `run:command=~^rm\b`), guard.Others{}}}
	use := func(name, parameters string) string {
		return `{"recipient_name":"` + name + `","parameters":` + parameters + `}`
	}
	wrapped := func(uses ...string) string { return `{"tool_uses":[` + strings.Join(uses, ",") + `]}` }
	for arguments, through := range map[string]bool{
		wrapped(use("functions.delete_file", `{}`)):                                                     false,
		wrapped(use("delete_file", `{}`)):                                                               false,
		wrapped(use("functions.Delete-Fіle", `{}`)):                                                     false,
		wrapped(use("functions.list", `{}`), use("functions.delete_file", `{}`)):                        false,
		wrapped(use("functions.run", `{"command":"rm -rf /"}`)):                                         false,
		wrapped(use("functions.run", `"{\"command\":\"rm -rf /\"}"`)):                                   false,
		wrapped(use("functions.run", `7`)):                                                              false,
		`{"Tool_Uses":"[{\"recipient_name\":\"functions.delete_file\"}]"}`:                              false,
		wrapped(use("multi_tool_use.parallel", wrapped(use("functions.delete_file", `{}`)))):            false,
		wrapped(use("functions.run", `{"command":"ls"}`)):                                               true,
		wrapped(use("functions.list", `{"path":"delete_file"}`)):                                        true,
		`{"tool_uses":[{"recipient\u005fname":"functions.delete_file"}]}`:                               false,
		wrapped(`{"recipient_name":"run","parameters":{"command":"ls"},"Parameters":{"command":"rm"}}`): false,
		wrapped(slices.Repeat([]string{use("functions.list", `{}`)}, 5000)...):                          false,
		`"a text"`: true, `[1,2]`: true, `7`: true, `{"tool_uses":7}`: true,
		`{"tool_uses":[]}`:              true,
		`{"tool_uses":["delete_file"]}`: true,
	} {
		if got := called(t, policies, "multi_tool_use.parallel", arguments); (len(got.Calls) == 1) != through {
			t.Errorf("%.200s is let through: %t", arguments, !through)
		}
	}
}

// attackStreams are streams in which a denied call is hidden: one is delete_file, or run with a
// command that begins with rm.
func attackStreams() map[string]string {
	const args = `{\"command\":\"rm -rf /\"}`
	const inner = `{"command":"rm -rf /"}`
	chunk := func(choices string) string { return `{"id":"c","model":"m","choices":[` + choices + `]}` }
	calls := func(choice int, entries string) string {
		return chunk(fmt.Sprintf(`{"index":%d,"delta":{"tool_calls":[%s]}}`, choice, entries))
	}
	const end = `{"id":"c","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	const end1 = `{"id":"c","model":"m","choices":[{"index":1,"delta":{},"finish_reason":"tool_calls"}]}`
	whole := `{"index":0,"id":"a","function":{"name":"run","arguments":"` + args + `"}}`
	nl := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	sse := func(end string, lines ...string) string {
		return "data: " + strings.Join(lines, end+end+"data: ") + end + end
	}
	harmless := `{"index":0,"id":"a","function":{"name":"run","arguments":"{\"command\":\"ls\"}"}}`
	anthropic := func(blocks ...string) string {
		return nl(`{"type":"message_start","message":{"id":"m1","model":"m","role":"assistant","content":[]}}`) +
			nl(blocks...) +
			nl(`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `{"type":"message_stop"}`)
	}
	responses := func(events ...string) string {
		return nl(`{"type":"response.created","response":{"id":"r","model":"m","output":[]}}`) + nl(events...) +
			nl(`{"type":"response.completed","response":{"id":"r","model":"m","status":"completed","output":[]}}`)
	}
	gemini := func(part string) string {
		return `{"responseId":"g","candidates":[{"content":{"parts":[` + part + `]},"finishReason":"STOP"}]}`
	}
	return map[string]string{
		"sse":                 sse("\n", calls(0, whole), end),
		"sse, CR":             sse("\r", calls(0, whole), end),
		"sse, CRLF":           sse("\r\n", calls(0, whole), end),
		"sse with a BOM":      "\ufeff" + sse("\n", calls(0, whole), end),
		"lines":               nl(calls(0, whole), end),
		"lines with a BOM":    "\ufeff" + nl(calls(0, whole), end),
		"an array":            "[" + calls(0, whole) + "," + end + "]",
		"an array with a BOM": "\ufeff[" + calls(0, whole) + "\n,\n" + end + "]",
		"a body": `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,` +
			`"message":{"role":"assistant","tool_calls":[` + whole + `]},"finish_reason":"tool_calls"}]}`,
		"a body over several lines": "{\n \"id\":\"c\",\n \"model\":\"m\",\n \"choices\":[{\"index\":0," +
			"\"message\":{\"tool_calls\":[" + whole + "]},\"finish_reason\":\"stop\"}]\n}",
		"no finish":    nl(calls(0, whole)),
		"finish first": nl(end, calls(0, whole)),
		"finish with the call": nl(chunk(`{"index":0,"delta":{"tool_calls":[` + whole +
			`]},"finish_reason":"stop"}`)),
		"after a whole call": nl(calls(0, harmless), end,
			calls(0, `{"index":1,"id":"b","function":{"name":"delete_file","arguments":"{}"}}`), end),
		"more after a whole call": nl(calls(0, `{"index":0,"id":"a","function":{"name":"run","arguments":"{}"}}`),
			end, calls(0, `{"index":0,"function":{"arguments":"`+args+`"}}`), end),
		"two calls with one id": nl(calls(0, harmless), calls(0,
			`{"index":1,"id":"a","function":{"name":"delete_file","arguments":"{}"}}`), end),
		"two calls with one index": nl(calls(0, harmless), calls(0,
			`{"index":0,"id":"b","function":{"name":"delete_file","arguments":"{}"}}`), end),
		"an id that changes": nl(calls(0,
			`{"index":0,"id":"a","function":{"name":"run","arguments":"{\"command\":"}}`),
			calls(0, `{"index":0,"id":"b","function":{"arguments":"\"rm -rf /\"}"}}`), end),
		"a call in two choices": nl(calls(0,
			`{"index":0,"id":"a","function":{"name":"run","arguments":"{\"command\":"}}`),
			calls(1, `{"index":0,"id":"a","function":{"arguments":"\"rm -rf /\"}"}}`), end, end1),
		"another choice": nl(calls(1, whole), end1, end),
		"a name in two chunks": nl(calls(0, `{"index":0,"id":"a","function":{"name":"delete_","arguments":""}}`),
			calls(0, `{"index":0,"function":{"name":"file","arguments":"{}"}}`), end),
		"a late name": nl(calls(0, `{"index":0,"id":"a","function":{"arguments":"{}"}}`),
			calls(0, `{"index":0,"function":{"name":"delete_file"}}`), end),
		"a second name": nl(calls(0, harmless), calls(0,
			`{"index":0,"id":"a","function":{"name":"delete_file"}}`), end),
		"a second name in one object": nl(calls(0,
			`{"index":0,"id":"a","function":{"name":"run","name":"delete_file","arguments":"{}"}}`), end),
		"two functions in one entry": nl(calls(0,
			`{"index":0,"id":"a","function":{"name":"run","arguments":"{\"command\":\"ls\"}"},`+
				`"function":{"name":"delete_file"}}`), end),
		"a late custom member": nl(calls(0,
			`{"index":0,"id":"a","function":{"name":"shell","arguments":"{\"a\":\"$(rm -rf /)\"}"}}`), end,
			calls(0, `{"index":0,"custom":{}}`), end),
		"a custom tool": nl(calls(0,
			`{"index":0,"id":"a","type":"custom","custom":{"name":"shell","input":"rm -rf /"}}`), end),
		"a custom tool with a function": nl(calls(0, `{"index":0,"id":"a","custom":{"name":"run","input":"`+args+
			`"}}`), end),
		"the old form": nl(chunk(`{"index":0,"delta":{"function_call":{"name":"run","arguments":"`+
			args+`"}}}`), end),
		"arguments that are an object": nl(calls(0,
			`{"index":0,"id":"a","function":{"name":"run","arguments":`+inner+`}}`), end),
		"an object after a text": nl(calls(0,
			`{"index":0,"id":"a","function":{"name":"run","arguments":"{\"command\":\"ls\"}"}}`),
			calls(0, `{"index":0,"function":{"arguments":`+inner+`}}`), end),
		"no index": nl(calls(0, `{"id":"a","function":{"name":"run","arguments":"{\"command\":"}}`),
			calls(0, `{"function":{"arguments":"\"rm -rf /\"}"}}`), end),
		"escapes of the wire": nl(calls(0,
			`{"index":0,"id":"a","function":{"name":"d\u0065lete_file","arguments":"\u007b\u007d"}}`), end),
		"half a pair": nl(calls(0,
			`{"index":0,"id":"a","function":{"name":"run","arguments":"{\"command\":\"\ud83d"}}`),
			calls(0, `{"index":0,"function":{"arguments":"rm -rf /\"}"}}`), end),
		"another message": nl(calls(0, harmless), end) + strings.ReplaceAll(nl(calls(0, whole), end), `"c"`,
			`"d"`),
		"anthropic": anthropic(
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"run",`+
				`"input":{}}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta",`+
				`"partial_json":"`+args+`"}}`, `{"type":"content_block_stop","index":0}`),
		"anthropic: input at once": anthropic(
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a",`+
				`"name":"run","input":`+inner+`}}`, `{"type":"content_block_stop","index":0}`),
		"anthropic: no stop": anthropic(
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a",` +
				`"name":"run","input":` + inner + `}}`),
		"anthropic: two stops": anthropic(
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"run",`+
				`"input":{}}}`, `{"type":"content_block_stop","index":0}`, `{"type":"content_block_delta",`+
				`"index":0,"delta":{"type":"input_json_delta",`+
				`"partial_json":"`+args+`"}}`, `{"type":"content_block_stop","index":0}`),
		"anthropic: an index again": anthropic(
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"b",`+
				`"name":"delete_file","input":{}}}`, `{"type":"content_block_stop","index":0}`),
		"anthropic: began with it": `{"type":"message_start","message":{"id":"m1","model":"m",` +
			`"content":[{"type":"tool_use","id":"a",` +
			`"name":"run","input":` + inner + `}],"stop_reason":"tool_use"}}` + "\n" + `{"type":"message_stop"}`,
		"anthropic: known id": `{"type":"message_start","message":{"id":"m1","model":"m",` +
			`"content":[{"type":"tool_use","id":"a","name":"run",` +
			`"input":{}}]}}` + "\n" + `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use",` +
			`"id":"a","name":"delete_file",` +
			`"input":{}}}` + "\n" + `{"type":"message_delta",` +
			`"delta":{"stop_reason":"tool_use"}}` + "\n" + `{"type":"message_stop"}`,
		"anthropic: a body": `{"type":"message","id":"m1","model":"m","content":[{"type":"tool_use","id":"a",` +
			`"name":"run","input":` + inner + `}],"stop_reason":"tool_use"}`,
		"responses": responses(
			`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f",`+
				`"call_id":"a","name":"run",`+
				`"arguments":""}}`, `{"type":"response.function_call_arguments.delta","output_index":0,`+
				`"item_id":"f","delta":"`+args+`"}`, `{"type":"response.output_item.done","output_index":0,`+
				`"item":{"type":"function_call","id":"f","call_id":"a","name":"run","arguments":"`+args+`"}}`),
		"responses: done differs": responses(
			`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f",`+
				`"call_id":"a","name":"run",`+
				`"arguments":""}}`, `{"type":"response.function_call_arguments.delta","output_index":0,`+
				`"item_id":"f","delta":"{}"}`, `{"type":"response.output_item.done","output_index":0,`+
				`"item":{"type":"function_call","id":"f","call_id":"a","name":"run","arguments":"`+args+`"}}`),
		"responses: terminal only": nl(
			`{"type":"response.completed","response":{"id":"r","model":"m","status":"completed",` +
				`"output":[{"type":"function_call","id":"f","call_id":"a","name":"run","arguments":"` + args + `"}]}}`),
		"responses: terminal differs": nl(`{"type":"response.created","response":{"id":"r","model":"m","output":[]}}`,
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"f",`+
				`"call_id":"a","name":"run",`+
				`"arguments":"{}"}}`, `{"type":"response.completed","response":{"id":"r","model":"m",`+
				`"status":"completed","output":[{"type":"function_call","id":"f","call_id":"a","name":"run",`+
				`"arguments":"`+args+`"}]}}`),
		"responses: terminal renames": nl(`{"type":"response.created","response":{"id":"r","model":"m","output":[]}}`,
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"f",`+
				`"call_id":"a","name":"run",`+
				`"arguments":"{}"}}`, `{"type":"response.completed","response":{"id":"r","model":"m",`+
				`"status":"completed","output":[{"type":"function_call","id":"f","call_id":"a",`+
				`"name":"delete_file","arguments":"{}"}]}}`),
		"responses: custom": responses(
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"custom_tool_call","id":"f",` +
				`"call_id":"a","name":"shell","input":"rm -rf /"}}`),
		"responses: custom and not": responses(
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"f",`+
				`"call_id":"a","name":"shell",`+
				`"arguments":"{}"}}`, `{"type":"response.output_item.done","output_index":0,`+
				`"item":{"type":"custom_tool_call","id":"f","call_id":"a","name":"shell",`+
				`"input":"{\"a\":\"$(rm -rf /)\"}"}}`),
		"responses: a body": `{"object":"response","id":"r","model":"m","status":"completed",` +
			`"output":[{"type":"function_call","id":"f","call_id":"a","name":"run","arguments":"` + args + `"}]}`,
		"gemini":           gemini(`{"functionCall":{"name":"run","args":` + inner + `}}`),
		"gemini: an array": "[" + gemini(`{"functionCall":{"name":"run","args":`+inner+`}}`) + "]",
		"gemini: in parts": gemini(
			`{"functionCall":{"name":"run","willContinue":true,"partialArgs":[{"jsonPath":"$.command",` +
				`"stringValue":"r","willContinue":true}]}},{"functionCall":{"partialArgs":[{"jsonPath":"$.command",` +
				`"stringValue":"m -rf /"}]}}`),
		"gemini: parts after args": gemini(
			`{"functionCall":{"name":"run","args":{"command":"ls"},"willContinue":true}},` +
				`{"functionCall":{"partialArgs":[{"jsonPath":"$.command","stringValue":"rm -rf /"}]}}`),
		"gemini: a thought":     gemini(`{"thought":true,"functionCall":{"name":"run","args":` + inner + `}}`),
		"gemini: with text":     gemini(`{"text":"x","functionCall":{"name":"run","args":` + inner + `}}`),
		"gemini: args are text": gemini(`{"functionCall":{"name":"run","args":"` + args + `"}}`),
		"interactions": nl(`{"event_type":"interaction.created","interaction":{"id":"v"}}`,
			`{"event_type":"step.start","index":0,"step":{"type":"function_call","id":"a","name":"run",`+
				`"arguments":`+inner+`}}`, `{"event_type":"step.stop","index":0}`,
			`{"event_type":"interaction.completed","interaction":{"status":"requires_action"}}`),
		"interactions: a delta": nl(`{"event_type":"interaction.created","interaction":{"id":"v"}}`,
			`{"event_type":"content.start","index":0,"content":{"type":"text"}}`,
			`{"event_type":"content.delta","index":0,"delta":{"type":"function_call","id":"a","name":"run",`+
				`"arguments":`+inner+`}}`, `{"event_type":"content.stop","index":0}`,
			`{"event_type":"interaction.completed","interaction":{"status":"requires_action"}}`),
		"bedrock": nl(`{"messageStart":{"role":"assistant"}}`,
			`{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"a","name":"run"}}}}`,
			`{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"toolUse":{"input":"`+args+`"}}}}`,
			`{"contentBlockStop":{"contentBlockIndex":0}}`, `{"messageStop":{"stopReason":"tool_use"}}`),
		"bedrock: two events in one": nl(`{"messageStart":{"role":"assistant"}}`,
			`{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"a","name":"run"}}},`+
				`"contentBlockDelta":{"contentBlockIndex":0,`+
				`"delta":{"toolUse":{"input":"`+args+`"}}}}`, `{"contentBlockDelta":{"contentBlockIndex":0,`+
				`"delta":{"toolUse":{"input":"`+args+`"}}}}`, `{"messageStop":{"stopReason":"tool_use"}}`),
		"bedrock: a body": `{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"a",` +
			`"name":"run","input":` + inner + `}}]}},"stopReason":"tool_use"}`,
		"cohere": nl(`{"type":"message-start","id":"c","delta":{"message":{"role":"assistant"}}}`,
			`{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"a","type":"function",`+
				`"function":{"name":"run",`+
				`"arguments":""}}}}}`, `{"type":"tool-call-delta","index":0,`+
				`"delta":{"message":{"tool_calls":{"function":{"arguments":"`+args+`"}}}}}`,
			`{"type":"tool-call-end","index":0}`, `{"type":"message-end","delta":{"finish_reason":"TOOL_CALL"}}`),
		"cohere: a body": `{"id":"c","message":{"role":"assistant","tool_calls":[{"id":"a","type":"function",` +
			`"function":{"name":"run","arguments":"` + args + `"}}]},"finish_reason":"TOOL_CALL"}`,
		"ollama": nl(
			`{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"run",`+
				`"arguments":`+inner+`}}]},"done":false}`, `{"model":"m","message":{"role":"assistant",`+
				`"content":""},"done":true}`),
		"ollama: arguments are text": nl(
			`{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"run",` +
				`"arguments":"` + args + `"}}]},"done":true}`),
		"ollama: an id again": nl(
			`{"model":"m","message":{"tool_calls":[{"id":"a","function":{"name":"run",`+
				`"arguments":{"command":"ls"}}}]},`+
				`"done":false}`, `{"model":"m","message":{"tool_calls":[{"id":"a","function":{"name":"run",`+
				`"arguments":`+inner+`}}]},"done":true}`),
	}
}

// TestAttackStreams: no denied call gets through in any form of a stream, in whatever pieces it
// comes: neither as an event, nor in the turn, nor in the chunks.
func TestAttackStreams(t *testing.T) {
	denied := rules(t, "delete_file", `run:command=~^rm\b`, `shell:input=~\brm\b`)
	bad := func(name, arguments string) bool {
		return guard.Normal(name) == guard.Normal("delete_file") || strings.Contains(arguments, "rm -rf")
	}
	for name, stream := range attackStreams() {
		for _, piece := range []int{1, 7, len(stream)} {
			a := turn.New(turn.Options{Judge: true, Policies: []turn.Policy{denied, guard.Others{}}})
			var x encode.Encoder
			var chunks []byte
			drain := func() {
				for e, ok := a.Next(); ok; e, ok = a.Next() {
					chunks = x.Append(chunks, &e)
					if e.Kind == turn.CallEnded && bad(e.Call.Name, e.Call.Arguments) {
						t.Errorf("%s: %s(%s) is let through", name, e.Call.Name, e.Call.Arguments)
					}
				}
			}
			for rest := stream; rest != ""; {
				n := min(piece, len(rest))
				if err := a.Push([]byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
				drain()
			}
			a.End()
			drain()
			got := a.Close()
			for _, answer := range append([]turn.Answer{got.Answer}, got.Others...) {
				for _, c := range answer.Calls {
					if bad(c.Name, c.Arguments) {
						t.Errorf("%s: %s(%s) is in the turn (complete %t)", name, c.Name, c.Arguments, got.Complete)
					}
				}
			}
			if strings.Contains(string(chunks), "rm -rf") || strings.Contains(string(chunks), `"delete_file"`) {
				t.Errorf("%s: the chunks have the call: %s", name, chunks)
			}
			if !got.Complete && got.Error == "unknown_protocol" {
				t.Errorf("%s: is not read", name)
			}
		}
	}
}
