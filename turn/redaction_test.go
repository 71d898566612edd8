package turn_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
)

// redacting returns options with all rules on.
func redacting(t testing.TB) turn.Options {
	t.Helper()
	rules, err := redact.Compile(redact.Options{Groups: redact.All})
	if err != nil {
		t.Fatal(err)
	}
	return turn.Options{NewRedactor: func() turn.Redactor { return rules.Text() }}
}

// TestRedaction: a secret never leaves, wherever the deltas cut it, and neither in the whole that comes after them.
func TestRedaction(t *testing.T) {
	const secret, before, after = "ada.lovelace@example.com", "Write to ", " today, caf\u00e9 at nine."
	text := before + secret + after
	want := before + "[REDACTED:email]" + after
	o := redacting(t)
	check := func(name string, stream string) {
		t.Helper()
		got, events := assembled(t, o, []byte(stream), len(stream))
		if got.Text != want || !got.Complete {
			t.Errorf("%s: the text is %q", name, got.Text)
		}
		var shown strings.Builder
		for line := range strings.Lines(events) {
			if strings.Contains(line, secret) || strings.Contains(line, "lovelace") {
				t.Errorf("%s: %s", name, line)
			}
			if _, d, ok := strings.Cut(line, `"e":"text","d":"`); ok {
				shown.WriteString(strings.TrimSuffix(d, "\"}\n"))
			}
		}
		if shown.String() != want {
			t.Errorf("%s: the events say %q", name, shown.String())
		}
	}
	for i := 1; i < len(text); i++ {
		if text[i]&0xc0 == 0x80 {
			continue // no delta ends within a character
		}
		one, two := text[:i], text[i:]
		check("chat", chat(`{"content":"`+one+`"}`, `{"content":"`+two+`"}`)+
			strings.Replace(finish, "tool_calls", "stop", 1))
		check("responses", `{"type":"response.created","response":{"id":"r"}}
{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"`+one+`"}
{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"`+two+`"}
{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"`+text+`"}
{"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"`+text+`"}]}]}}
`)
		check("responses cut short", `{"type":"response.output_text.delta","output_index":0,`+
			`"content_index":0,"delta":"`+one+`"}
{"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"`+text+`"}]}]}}
`)
	}
}

// FuzzSecret: a secret that is cut anywhere, by deltas, by other texts and by calls, is on no way
// out that joins texts: neither in the events, nor in the turn, nor in the chunks.
func FuzzSecret(f *testing.F) {
	secrets := []string{"ada.lovelace@example.com", "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
		"4111 1111 1111 1111",
		"xoxb-" + "123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx"}
	f.Add(uint8(0), uint8(0), uint64(0x0123456789abcdef), "Write to ", " today.")
	f.Add(uint8(1), uint8(1), uint64(0xfedcba9876543210), "The token is: ", ".")
	f.Add(uint8(2), uint8(2), uint64(0x5555555555555555), "", "")
	f.Add(uint8(3), uint8(3), uint64(0x9999999999999999), "Well. ", " and so on")
	f.Fuzz(func(t *testing.T, which, protocol uint8, cuts uint64, before, after string) {
		if len(before)+len(after) > 200 {
			t.Skip()
		}
		secret := secrets[int(which)%len(secrets)]
		alone, _ := assembled(t, redacting(t), []byte(cutStream(0, before+secret+after, 0)), 1<<10)
		if strings.Contains(alone.Text, secret) {
			t.Skip() // what stands around it makes it none
		}
		stream := cutStream(protocol, before+secret+after, cuts)
		a := turn.New(redacting(t))
		if err := a.Push([]byte(stream)); err != nil {
			t.Fatal(err)
		}
		got := a.Close()
		var texts string
		var chunks []byte
		var x encode.Encoder
		for e, ok := a.Next(); ok; e, ok = a.Next() {
			if e.Kind == turn.TextDelta {
				texts += e.Text
			}
			chunks = x.Append(chunks, &e)
		}
		again, _ := assembled(t, turn.Options{}, chunks, 1<<10)
		if !got.Complete || !again.Complete {
			t.Fatalf("not complete: %s\n%s", stream, chunks)
		}
		for where, text := range map[string]string{"the turn": got.Text, "the events": texts,
			"the chunks": again.Text} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: %q of\n%s", where, text, stream)
			}
		}
	})
}

// cutStream is a stream of a protocol that says a text: bits of cuts say where a delta ends, a call
// stands in between, or another text begins.
func cutStream(protocol uint8, text string, cuts uint64) string {
	next := func() bool {
		bit := cuts&1 == 1
		cuts = cuts>>1 | cuts<<63
		return bit
	}
	var pieces []string
	for _, r := range strings.ToValidUTF8(text, "?") {
		if one, two := next(), next(); len(pieces) == 0 || one && two { // every fourth
			pieces = append(pieces, "")
		}
		pieces[len(pieces)-1] += string(r)
	}
	quote := func(text string) string {
		b, err := json.Marshal(text)
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	var b strings.Builder
	line := func(format string, of ...any) { fmt.Fprintf(&b, "data: "+format+"\n\n", of...) }
	const call = `{"tool_calls":[{"index":%d,"id":"c%d","function":{"name":"x","arguments":"{}"}}]}`
	switch protocol % 4 {
	case 0:
		for i, piece := range pieces {
			b.WriteString(chat(`{"content":` + quote(piece) + `}`))
			if next() {
				b.WriteString(chat(fmt.Sprintf(call, i, i)))
			}
		}
		b.WriteString(finish)
	case 1:
		line(`{"type":"message_start","message":{"id":"m1","model":"m","role":"assistant","content":[]}}`)
		block := 0
		line(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
		for _, piece := range pieces {
			line(`{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":%s}}`, block,
				quote(piece))
			if next() {
				line(`{"type":"content_block_stop","index":%d}`, block)
				block++
				if next() {
					line(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"c%d",`+
						`"name":"x","input":{}}}`, block, block)
					line(`{"type":"content_block_stop","index":%d}`, block)
					block++
				}
				line(`{"type":"content_block_start","index":%d,"content_block":{"type":"text","text":""}}`, block)
			}
		}
		line(`{"type":"content_block_stop","index":%d}`, block)
		line(`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`)
		line(`{"type":"message_stop"}`)
	case 2:
		line(`{"type":"response.created","response":{"id":"r1","model":"m","output":[]}}`)
		var items, said []string
		text := func() {
			whole := quote(strings.Join(said, ""))
			line(`{"type":"response.output_text.done","output_index":%d,"content_index":0,"text":%s}`, len(items),
				whole)
			items = append(items, fmt.Sprintf(
				`{"type":"message","id":"m%d","content":[{"type":"output_text","text":%s}]}`,
				len(items), whole))
			said = nil
		}
		for _, piece := range pieces {
			line(`{"type":"response.output_text.delta","output_index":%d,"content_index":0,"delta":%s}`, len(items),
				quote(piece))
			if said = append(said, piece); next() {
				text()
				if next() {
					item := fmt.Sprintf(`{"type":"function_call","id":"fc%d","call_id":"c%d","name":"x",`+
						`"arguments":"{}"}`,
						len(items), len(items))
					line(`{"type":"response.output_item.done","output_index":%d,"item":%s}`, len(items), item)
					items = append(items, item)
				}
			}
		}
		if len(said) > 0 {
			text()
		}
		line(`{"type":"response.completed","response":{"id":"r1","model":"m","status":"completed","output":[%s]}}`,
			strings.Join(items, ","))
	default:
		for _, piece := range pieces {
			line(`{"responseId":"g","candidates":[{"content":{"parts":[{"text":%s}]}}]}`, quote(piece))
			if next() {
				line(`{"responseId":"g","candidates":[{"content":{"parts":[{"functionCall":{"name":"x",` +
					`"args":{}}}]},"finishReason":"STOP"}]}`)
			}
		}
		line(`{"responseId":"g","candidates":[{"content":{"parts":[]},"finishReason":"STOP"}]}`)
	}
	return b.String()
}

// TestTextBeforeCalls: a call goes out after the end of the text before it, also if that was held back as the beginning
// of a secret.
func TestTextBeforeCalls(t *testing.T) {
	stream := chat(`{"content":"The key is AKIA"}`, callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":"{}"}`))
	for _, judged := range []bool{false, true} {
		o := redacting(t)
		o.Judge = judged
		got, events := assembled(t, o, []byte(stream+finish), 1<<10)
		last, called := strings.LastIndex(events, `"e":"text"`), strings.Index(events, `"e":"call_end"`)
		if !got.Complete || last < 0 || called < last {
			t.Errorf("judged %t: %s", judged, events)
		}
	}
}
