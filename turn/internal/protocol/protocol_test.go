package protocol

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tidwall/gjson"
)

// said is what a step says, in short.
func said(s Step) string {
	kinds := map[StepKind]string{BeginStep: "begin", TextStep: "text", RefusalStep: "refusal", ReasonStep: "reason",
		SignStep: "sign", FormStep: "form", SignTextStep: "signtext",
		CallStep: "call", InputStep: "input", EndStep: "end", RestateStep: "restate", ItemStep: "item",
		FinishStep: "finish", UsageStep: "usage", HostedStep: "hosted", OtherStep: "other",
		NoteStep: "note", FailStep: "fail", DoneStep: "done"}
	var b strings.Builder
	b.WriteString(kinds[s.Kind])
	if s.Choice != 0 {
		fmt.Fprintf(&b, " choice=%d", s.Choice)
	}
	switch s.Kind {
	case BeginStep, UsageStep, FinishStep, HostedStep, OtherStep, NoteStep, FailStep, DoneStep:
	default:
		fmt.Fprintf(&b, " %d.%d", s.Key.Index, s.Key.Part)
		if s.Key.None {
			b.WriteString("none")
		}
	}
	for _, member := range []struct{ name, value string }{{"id", s.ID}, {"name", s.Name}, {"text", s.Text},
		{"sig", s.Signature}, {"json", s.JSON.Raw}, {"class", string(s.Class)}} {
		if member.value != "" {
			b.WriteString(" " + member.name + "=" + member.value)
		}
	}
	if s.Flag {
		b.WriteString(" flag")
	}
	if s.Custom {
		b.WriteString(" custom")
	}
	return b.String()
}

func decode(decoder Decoder, event, chunk string) (all []string) {
	var to Steps
	decoder.Decode(event, gjson.Parse(chunk), &to)
	for _, s := range to.List {
		all = append(all, said(s))
	}
	return all
}

// fixtures are the chunks of each protocol, with what they say.
func fixtures() map[Name][][2]string {
	return map[Name][][2]string{
		OpenAIChat: {
			{`{"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,` +
				`"delta":{"role":"assistant","content":""},` +
				`"finish_reason":null}]}`, "begin id=c name=m; begin text=assistant"},
			{`{"id":"c","choices":[{"index":0,"delta":{"reasoning_content":"Hm"}}]}`, "begin id=c; reason 0.0 text=Hm"},
			{`{"choices":[{"index":0,"delta":{"reasoning":"Hm","reasoning_details":[{"type":"reasoning.text",` +
				`"text":"Hm","id":"r","index":2},{"type":"reasoning.encrypted","data":"x","index":3}]}}]}`,
				"begin; form 1.0 name=reasoning.text; reason 1.0 id=r text=Hm; form 2.0 name=reasoning.encrypted; " +
					"sign 2.0 name=reasoning.encrypted sig=x"},
			{`{"choices":[{"index":1,"delta":{"content":"a \u00e9\ud83d"}}]}`,
				"begin; text choice=1 0.0 text=a \u00e9\xed\xa0\xbd"},
			{`{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text",` +
				`"text":"Hm"}]},{"type":"text","text":"a"},` +
				`{"type":"x"}]}}]}`, "begin; reason 0.0 text=Hm; text 0.0 text=a; other name=content.x flag"},
			{`{"choices":[{"index":0,"delta":{"refusal":"no"}}]}`, "begin; refusal 0.0 text=no"},
			{`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"a","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}},` +
				`{"function":{"arguments":"1"}}]}}]}`, "begin; call 1.0 id=a name=f text={}; call 1.0none text=1"},
			{`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","custom":{"name":"f",` +
				`"input":"ls"}}]}}]}`,
				"begin; call 0.0 id=a name=f text=ls custom"},
			{`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f",` +
				`"arguments":{"n":1}}}]}}]}`, `begin; call 0.0 id=a name=f; input 0.0 id=a json={"n":1}`},
			{`{"choices":[{"index":0,"delta":{"function_call":{"name":"f","arguments":"{}"}}}]}`,
				"begin; call 0.0none name=f text={}"},
			{`{"choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]}`,
				"begin; begin text=assistant; restate 0.0 name=text text=a; finish text=stop class=stop"},
			{`{"choices":[{"index":0,"delta":{},"finish_reason":"stop","native_finish_reason":"max_tokens",` +
				`"usage":{"n":1}}]}`, `begin; finish name=max_tokens text=stop class=length; usage json={"n":1}`},
			{`{"choices":[],"usage":{"prompt_tokens":1}}`, `begin; usage json={"prompt_tokens":1}`},
			{`{"choices":[],"error":{"code":429,"message":"slow"}}`, "begin; fail name=429 text=slow"},
		},
		OpenAIResponses: {
			{`{"type":"response.created","response":{"id":"r","model":"m"}}`, "begin id=r name=m text=assistant flag"},
			{`{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs"}}`,
				"reason 0.0 id=rs"},
			{`{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":1,"delta":"Hm"}`,
				"reason 0.2 text=Hm"},
			{`{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"a"}`, "text 1.0 text=a"},
			{`{"type":"response.output_text.done","output_index":1,"content_index":0,"text":"a"}`,
				"restate 1.0 name=text text=a; end 1.0"},
			{`{"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","id":"fc",` +
				`"call_id":"c","name":"f","arguments":""}}`, "call 2.0 id=c name=f flag; item 2.0 id=fc"},
			{`{"type":"response.function_call_arguments.delta","output_index":2,"item_id":"other","delta":"{}"}`,
				"call 2.0 text={} flag"},
			{`{"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","id":"fc",` +
				`"call_id":"c","name":"f",` +
				`"arguments":"{}"}}`, `call 2.0 id=c name=f flag; item 2.0 id=fc; input 2.0 json="{}"; end 2.0`},
			{`{"type":"response.output_item.done","output_index":3,"item":{"type":"custom_tool_call","id":"ct",` +
				`"call_id":"d","name":"g",` +
				`"input":"ls"}}`, `call 3.0 id=d name=g flag custom; item 3.0 id=ct; input 3.0 json="ls"; end 3.0`},
			{`{"type":"response.output_item.done","output_index":4,"item":{"type":"web_search_call","id":"w"}}`,
				"hosted name=web_search_call; end 4.0"},
			{`{"type":"response.incomplete","response":{"id":"r","status":"incomplete",` +
				`"incomplete_details":{"reason":"max_output_tokens"},"output":[],"usage":{"input_tokens":1}}}`,
				`begin id=r text=assistant flag; usage json={"input_tokens":1}; finish text=max_output_tokens class=length; done`},
			{`{"type":"response.unheard_of"}`, "other name=response.unheard_of"},
			{`{"type":"error","code":"server_error","message":"slow"}`, "fail name=server_error text=slow"},
		},
		AnthropicMessages: {
			{`{"type":"message_start","message":{"id":"m1","model":"m","role":"assistant","content":[],` +
				`"usage":{"input_tokens":1}}}`, `begin id=m1 name=m text=assistant; usage json={"input_tokens":1}`},
			{`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`, ""},
			{`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}`,
				"reason 0.0 text=Hm"},
			{`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}`,
				"sign 0.0 sig=s"},
			{`{"type":"content_block_stop","index":0}`, "end 0.0"},
			{`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"x"}}`,
				"sign 1.0 sig=x flag"},
			{`{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"a"}}`, "text 2.0 text=a"},
			{`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t","name":"f",` +
				`"input":{}}}`,
				"call 3.0 id=t name=f flag"},
			{`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{}"}}`,
				"call 3.0 text={} flag"},
			{`{"type":"content_block_start","index":4,"content_block":{"type":"server_tool_use","id":"t",` +
				`"name":"f","input":{}}}`, "hosted name=server_tool_use"},
			{`{"type":"content_block_delta","index":4,"delta":{"type":"input_json_delta","partial_json":"{}"}}`,
				"other name=input_json_delta"},
			{`{"type":"ping"}`, ""},
			{`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}`,
				`finish text=tool_use class=tool_calls; usage text=counters json={"output_tokens":2}`},
			{`{"type":"message_stop"}`, "done"},
			{`{"type":"message_start","message":{"id":"m2"}}`, "fail text=a second message begins flag"},
			{`{"type":"error","error":{"type":"overloaded_error","message":"slow"}}`,
				"fail name=overloaded_error text=slow"},
		},
		Gemini: {
			{`{"responseId":"g","modelVersion":"m","candidates":[{"content":{"parts":[{"text":"Hm",` +
				`"thought":true}],"role":"model"}}],"usageMetadata":{"totalTokenCount":1}}`,
				`begin id=g name=m; begin text=model; reason 1.0 text=Hm; usage text=whole json={"totalTokenCount":1}`},
			{`{"candidates":[{"content":{"parts":[{"text":"a","thoughtSignature":"s"},{"functionCall":{"name":"f",` +
				`"args":{"n":1}},"thoughtSignature":"t"}]}}]}`,
				`text 0.0 text=a; signtext 0.0 sig=s; call 1.-1 name=f sig=t flag; input 1.-1 json={"n":1}; end 1.-1`},
			{`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"g","willContinue":true,` +
				`"partialArgs":[{"jsonPath":"$.a[0]","stringValue":"x",` +
				`"willContinue":true}]}}]}}]}`, "call 2.-1 name=g flag"},
			{`{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a[0]",` +
				`"stringValue":"y"}]}}]}}]}`, `input 2.-1 json={"a":["xy"]}; end 2.-1`},
			{`{"candidates":[{"content":{"parts":[{"executableCode":{}},{"inlineData":{}}]},` +
				`"finishReason":"MAX_TOKENS","index":1}]}`,
				"hosted name=executableCode; other name=inlineData flag; finish choice=1 text=MAX_TOKENS class=length"},
			{`{"promptFeedback":{"blockReason":"SAFETY"}}`, "finish text=SAFETY class=content_filter"},
			{`{"candidates":[],"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED"}}`,
				"fail name=429 text=slow"},
		},
		GeminiInteractions: {
			{`{"event_type":"interaction.created","interaction":{"id":"v","model":"m"}}`, "begin id=v name=m"},
			{`{"event_type":"step.start","index":0,"step":{"type":"thought"}}`, ""},
			{`{"event_type":"step.delta","index":0,"delta":{"type":"thought_summary","content":{"type":"text",` +
				`"text":"Hm"}}}`, "reason 0.0 text=Hm"},
			{`{"event_type":"step.delta","index":0,"delta":{"type":"thought_signature","signature":"s"}}`,
				"sign 0.0 sig=s"},
			{`{"event_type":"step.stop","index":0}`, "end 0.0"},
			{`{"event_type":"content.delta","index":1,"delta":{"type":"text","text":"a"}}`, "text 1.0 text=a"},
			{`{"event_type":"step.start","index":2,"step":{"type":"function_call","id":"c","name":"f",` +
				`"arguments":{"n":1}}}`,
				`call 2.0 id=c name=f flag; input 2.0 json={"n":1} flag`},
			{`{"event_type":"step.delta","index":2,"delta":{"type":"arguments_delta","arguments":"{}"}}`,
				"call 2.0 text={} flag"},
			{`{"event_type":"interaction.completed","interaction":{"status":"requires_action","usage":{"n":1}}}`,
				`usage json={"n":1}; finish text=requires_action class=tool_calls; done`},
		},
		BedrockConverse: {
			{`{"messageStart":{"role":"assistant"}}`, "begin text=assistant"},
			{`{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"Hm"}}}}`,
				"reason 0.0 text=Hm"},
			{`{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"s"}}}}`,
				"sign 0.0 sig=s"},
			{`{"contentBlockStop":{"contentBlockIndex":0}}`, "end 0.0"},
			{`{"contentBlockDelta":{"contentBlockIndex":1,"delta":{"text":"a"}}}`, "text 1.0 text=a"},
			{`{"contentBlockStart":{"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"t","name":"f"}}}}`,
				"call 2.0 id=t name=f flag"},
			{`{"contentBlockDelta":{"contentBlockIndex":2,"delta":{"toolUse":{"input":"{}"}}}}`,
				"call 2.0 text={} flag"},
			{`{"messageStop":{"stopReason":"tool_use"}}`, "finish text=tool_use class=tool_calls"},
			{`{"metadata":{"usage":{"inputTokens":1}}}`, `usage json={"inputTokens":1}; done`},
			{`{"throttlingException":{"message":"slow"}}`, "fail name=throttlingException text=slow"},
		},
		CohereV2: {
			{`{"type":"message-start","id":"c","delta":{"message":{"role":"assistant"}}}`, "begin id=c text=assistant"},
			{`{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"Hm"}}}`, "reason -1.0 name=tool_plan text=Hm"},
			{`{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}`, ""},
			{`{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"a"}}}}`, "text 0.0 text=a"},
			{`{"type":"content-end","index":0}`, "end 0.0"},
			{`{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"t",` +
				`"function":{"name":"f","arguments":""}}}}}`, "call 0.1 id=t name=f flag"},
			{`{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{}"}}}}}`,
				"call 0.1 text={} flag"},
			{`{"type":"tool-call-end","index":0}`, "end 0.1"},
			{`{"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{"tokens":{"n":1}}}}`,
				`usage json={"tokens":{"n":1}}; finish text=TOOL_CALL class=tool_calls; done`},
		},
		Ollama: {
			{`{"model":"m","message":{"role":"assistant","content":"a","thinking":"Hm"},"done":false}`,
				"begin name=m text=assistant; reason 0.0 text=Hm; text 0.0 text=a"},
			{`{"model":"m","message":{"tool_calls":[{"function":{"name":"f","arguments":{"n":1}}}]},"done":false}`,
				`begin name=m; call 0.-1 name=f flag; input 0.-1 json={"n":1}; end 0.-1`},
			{`{"model":"m","message":{"content":""},"done":true,"eval_count":2}`,
				"begin name=m; usage name=eval_count json=2; finish text=stop class=stop; done"},
		},
	}
}

// TestDecode: what the chunks of each provider say, and that they are known for its own.
func TestDecode(t *testing.T) {
	all := fixtures()
	for _, name := range Names() {
		chunks := all[name]
		if len(chunks) == 0 {
			t.Errorf("%s has no fixtures", name)
			continue
		}
		if got := Detect("", gjson.Parse(chunks[0][0])); got != name {
			t.Errorf("a chunk of %s is taken for one of %s", name, got)
		}
		decoder := name.Spec().New()
		for _, chunk := range chunks {
			if got := strings.Join(decode(decoder, "", chunk[0]), "; "); got != chunk[1] {
				t.Errorf("%s: %s\nsays %s\nwant %s", name, chunk[0], got, chunk[1])
			}
		}
	}
}

// reversed is JSON with the members of its objects in the other order.
func reversed(value gjson.Result) string {
	if !value.IsObject() && !value.IsArray() {
		return value.Raw
	}
	var parts []string
	value.ForEach(func(name, member gjson.Result) bool {
		if value.IsObject() {
			parts = append(parts, name.Raw+" : "+reversed(member))
		} else {
			parts = append(parts, reversed(member))
		}
		return true
	})
	if value.IsObject() {
		slices.Reverse(parts)
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return "[ " + strings.Join(parts, ", ") + " ]"
}

// TestOrderOfMembers: what a chunk says does not depend on the order of its members, nor on the
// blanks between them.
func TestOrderOfMembers(t *testing.T) {
	for name, chunks := range fixtures() {
		decoder, other := name.Spec().New(), name.Spec().New()
		for _, chunk := range chunks {
			again := reversed(gjson.Parse(chunk[0]))
			if Detect("", gjson.Parse(again)) != Detect("", gjson.Parse(chunk[0])) {
				t.Errorf("%s: another protocol: %s", name, again)
			}
			want, got := decode(decoder, "", chunk[0]), decode(other, "", again)
			for i := range want {
				want[i] = strings.ReplaceAll(want[i], " ", "")
			}
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], " ", "")
			}
			slices.Sort(want) // of two that say different things either may come first
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s\nsays %q\nwant %q", name, again, got, want)
			}
		}
	}
}

// FuzzDecode: no chunk is too much for a decoder, in whatever order they come, and a step has no
// text where it says that there is one.
func FuzzDecode(f *testing.F) {
	for _, chunks := range fixtures() {
		for i := range chunks {
			f.Add(chunks[i][0], chunks[(i+1)%len(chunks)][0], "")
		}
	}
	f.Add(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"g",`+
		`"partialArgs":[{"jsonPath":"$[0][0].a['b']"},{"jsonPath":"$[0]"}]}}]}}]}`, `{}`, "x")
	f.Fuzz(func(t *testing.T, first, second, event string) {
		if !gjson.Valid(first) || !gjson.Valid(second) || !gjson.Parse(first).IsObject() ||
			!gjson.Parse(second).IsObject() {
			t.Skip()
		}
		for _, name := range Names() {
			decoder := name.Spec().New()
			var to Steps
			for _, chunk := range []string{first, second, first} {
				decoder.Decode(event, gjson.Parse(chunk), &to)
			}
			for _, s := range to.List {
				empty := s.Text == "" && (s.Kind == TextStep || s.Kind == RefusalStep || s.Kind == RestateStep ||
					s.Kind == FinishStep)
				if empty || s.Kind == InputStep && !gjson.Valid(s.JSON.Raw) && s.JSON.Raw != "" {
					t.Errorf("%s: %s", name, said(s))
				}
			}
		}
		Detect(event, gjson.Parse(first))
	})
}

// FuzzWalker: the walker reads of an object what encoding/json reads of it.
func FuzzWalker(f *testing.F) {
	f.Add(`{"a":"b\n","c":[1,-2.5e3,{"d":null}],"e":true}`)
	f.Add(`{ "a" : "\\\"" , "b\u00e9" : { } }`)
	f.Add(`[{"a":1}," ",[],{}]`)
	f.Fuzz(func(t *testing.T, text string) {
		var want any
		if json.Unmarshal([]byte(text), &want) != nil || strings.Contains(text, `\u`) ||
			!strings.HasPrefix(strings.TrimSpace(text), "{") && !strings.HasPrefix(strings.TrimSpace(text), "[") {
			t.Skip() // half a surrogate pair stays itself
		}
		w := &walker{json: text}
		got := walked(t, w)
		if strings.ToValidUTF8(fmt.Sprint(got), "\ufffd") != fmt.Sprint(want) &&
			!strings.Contains(fmt.Sprint(want), "\ufffd") {
			t.Errorf("%s\nis read as %v\nwant %v", text, got, want)
		}
		if strings.TrimSpace(text[w.at:]) != "" {
			t.Errorf("%s: the walker stands at %d", text, w.at)
		}
	})
}

func walked(t *testing.T, w *walker) any {
	switch w.next() {
	case '{':
		members := make(map[string]any)
		w.object(func(name string) { members[name] = walked(t, w) })
		return members
	case '[':
		list := []any{}
		w.array(func() { list = append(list, walked(t, w)) })
		return list
	case '"':
		return w.text()
	}
	var scalar any
	if raw := w.raw(); json.Unmarshal([]byte(raw), &scalar) != nil {
		t.Fatalf("%q is no value", raw)
	}
	return scalar
}

// FuzzHalves: a text that is escaped and cut between any UTF-16 units is the same text again, with
// U+FFFD for each half without the other one.
func FuzzHalves(f *testing.F) {
	f.Add("a\U0001f600b\U0001f601", uint64(3), uint64(0xffff))
	f.Add("\ufffd\u00e9", uint64(0), uint64(1))
	f.Fuzz(func(t *testing.T, text string, cuts, escapes uint64) {
		units := utf16.Encode([]rune(text))
		if cuts%5 == 4 && len(units) > 0 { // halves alone
			units = slices.Delete(units, 0, 1)
		}
		want := string(utf16.Decode(units))
		var h Halves
		var got strings.Builder
		var part strings.Builder
		flush := func() {
			got.WriteString(h.Join(Text(gjson.Parse(`"` + part.String() + `"`))))
			part.Reset()
		}
		for i, unit := range units {
			whole := !utf16.IsSurrogate(rune(unit)) && unit >= ' ' && unit != '"' && unit != '\\'
			if whole && escapes>>(i%64)&1 == 0 {
				part.WriteRune(rune(unit))
			} else {
				fmt.Fprintf(&part, `\u%04x`, unit)
			}
			if cuts>>(i%64)&1 == 1 {
				flush()
			}
		}
		flush()
		got.WriteString(h.End())
		if got.String() != want {
			t.Errorf("%q is read as %q", want, got.String())
		}
	})
}

// FuzzPartialArguments: arguments that come value by value, each with its path, are those that were
// sent.
func FuzzPartialArguments(f *testing.F) {
	f.Add(`{"a":"text","b":[1,true,null,{"c":"d"}],"e f":{"g":"\"'\\"}}`)
	f.Add(`[["x"],"y"]`)
	f.Fuzz(func(t *testing.T, arguments string) {
		var want any
		if json.Unmarshal([]byte(arguments), &want) != nil {
			t.Skip()
		}
		var p partialArguments
		parts, ok := flattened(want, "$")
		if !ok || len(parts) == 0 {
			t.Skip()
		}
		for _, part := range parts {
			if !p.add(gjson.Parse(part)) {
				t.Fatalf("%s has no place in %s", part, arguments)
			}
		}
		var got any
		if err := json.Unmarshal(p.root.appendJSON(nil), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis put together as %s", arguments, p.root.appendJSON(nil))
		}
	})
}

// flattened is a value as parts with paths. It reports false if that can't be: an empty list, or a
// name that paths can't have.
func flattened(value any, path string) (parts []string, ok bool) {
	text := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	one := func(member string) []string { return []string{`{"jsonPath":` + text(path) + `,` + member + `}`} }
	add := func(of any, path string) bool {
		more, fits := flattened(of, path)
		parts = append(parts, more...)
		return fits
	}
	switch v := value.(type) {
	case map[string]any:
		ok = len(v) > 0 && len(v) < 100
		for name, member := range v {
			ok = ok && name != "" && !strings.Contains(name, "']") && add(member, path+"['"+name+"']")
		}
		return parts, ok
	case []any:
		ok = len(v) > 0
		for i, element := range v {
			ok = ok && add(element, fmt.Sprintf("%s[%d]", path, i))
		}
		return parts, ok
	case string:
		half := len(v) / 2
		for half > 0 && v[half]&0xc0 == 0x80 {
			half--
		}
		return append(one(`"stringValue":`+text(v[:half])+`,"willContinue":true`),
			one(`"stringValue":`+text(v[half:]))...), !strings.Contains(v, "\ufffd")
	case nil:
		return one(`"nullValue":null`), true
	case bool:
		return one(fmt.Sprintf(`"boolValue":%t`, v)), true
	case float64:
		b, err := json.Marshal(v)
		return one(`"numberValue":` + string(b)), err == nil
	}
	return nil, false
}

// TestRegistered: each protocol has a name of its own and all that it needs.
func TestRegistered(t *testing.T) {
	seen := map[Name]bool{"": true, Auto: true}
	for _, name := range Names() {
		spec := name.Spec()
		if seen[name] || spec.Name != name || spec.Recognizes == nil || spec.New == nil || spec.Class == nil {
			t.Errorf("%s is registered twice, or not whole: %+v", name, spec)
		}
		seen[name] = true
		if len(fixtures()[name]) == 0 {
			t.Errorf("%s has no fixtures", name)
		}
	}
}

// TestClasses: every reason that a fixture ends with is known, and what is not known is Unknown.
func TestClasses(t *testing.T) {
	for _, name := range Names() {
		if got := name.Spec().Class("unheard of", ""); got != Unknown {
			t.Errorf("%s: an unheard of reason is %s", name, got)
		}
	}
}
