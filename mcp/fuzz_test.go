package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/mcp/results"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
)

// lines returns the lines of a stream, each with its end.
func lines(data []byte) [][]byte { return bytes.SplitAfter(data, []byte{'\n'}) }

// hasPayload reports whether a message may hold a payload, by the names of its members, and how many there are of each.
func hasPayload(line []byte) bool {
	var message map[string]json.RawMessage
	if json.Unmarshal(line, &message) != nil {
		return true // a batch
	}
	for _, in := range []string{"result", "params", "error"} {
		var members map[string]json.RawMessage
		if json.Unmarshal(message[in], &members) != nil {
			continue
		}
		for name := range members {
			switch name {
			case "content", "structuredContent", "contents", "messages", "tools", "inputRequests", "data",
				"message", "systemPrompt":
				return true
			}
		}
	}
	return false
}

// FuzzTransparent: a line of the server that is a message without payloads passes byte for byte, and so does all that
// the client says; one that is broken never does; every line that the client gets is JSON; and no cut changes
// anything.
func FuzzTransparent(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"_meta":{"a":[1,"\u00e9"]}}}` + "\n",
		`{"result":{"content":[{"type":"text","text":"a\n"}]},"id":1}` + "\n\n" + `{"method":"x"}` + "\r\n",
		`{"id":1,"result":{"a":1}` + "\n" + `no JSON` + "\n" + ` {"params" : {"x":[{},[],"\ud83d"]} , "method":"y"} `,
		`{"id":1,"method":"tools/call","params":{"name":"kfw_expan","arguments":{}}}` + "\n",
		`{"method":"x"}` + " \r no JSON\n",
	} {
		f.Add([]byte(seed), []byte{0})
	}
	f.Fuzz(func(t *testing.T, data, sizes []byte) {
		if len(data) > 1<<12 || bytes.Contains(data, []byte(`kfw`)) {
			return
		}
		run := func(sizes []byte) (toServer, toClient string) {
			p, _ := newProxy(t, func(o *results.Options) { o.Budget = 300 })
			return exchangeCut(t, p, &testinput.Pieces{Data: data, Sizes: sizes},
				&testinput.Pieces{Data: data, Sizes: sizes})
		}
		toServer, toClient := run(nil)
		if toServer != string(data) {
			t.Fatalf("the server got %q", toServer)
		}
		cutServer, cutClient := run(sizes)
		if cutServer != toServer || cutClient != toClient {
			t.Fatalf("cut: %q, not %q", cutClient, toClient)
		}
		for _, line := range lines([]byte(toClient)) {
			if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 && !json.Valid(line) {
				t.Fatalf("no JSON: %q", line)
			}
		}
		rest := toClient
		for _, line := range lines(data) {
			trimmed := bytes.Trim(line, " \t\r\n")
			if !json.Valid(trimmed) || len(trimmed) == 0 || trimmed[0] != '{' || hasDuplicates(trimmed) ||
				hasPayload(trimmed) {
				continue
			}
			_, after, isThere := strings.Cut(rest, string(line))
			if !isThere {
				t.Fatalf("%q is not in %q", line, rest)
			}
			rest = after
		}
	})
}

// hasDuplicates reports whether it takes more than a map to say what a message holds.
func hasDuplicates(line []byte) bool {
	for _, name := range []string{`"result"`, `"params"`, `"error"`} {
		if bytes.Count(line, []byte(name)) > 1 {
			return true
		}
	}
	return bytes.Contains(line, []byte(`\u`))
}

// payloads are messages with a place for a text: %s.
var payloads = []string{
	`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"%s"}]}}`,
	`{"result":{"content":[{"text":"a","type":"text"},{"resource":{"text":"%s"}}],"structuredContent":{"a":"%s"}},"id":1}`,
	`{"result":{"structuredContent":{"a":["%s",{"%s":1}]}},"id":1}`,
	`{"id":1,"result":{"contents":[{"text":"%s"}]}}`,
	`{"id":1,"result":{"messages":[{"content":{"text":"%s"}},{"content":"%s"}]}}`,
	`{"id":1,"error":{"message":"%s","data":{"a":["%s"]}}}`,
	`{"method":"notifications/message","params":{"data":{"x":"%s"}}}`,
	`{"method":"notifications/message","params":{"data":"%s"}}`,
	`{"params":{"message":"%s","progressToken":1},"method":"notifications/progress"}`,
	`{"id":1,"method":"sampling/createMessage","params":{"systemPrompt":"%s","messages":[{"content":[{"text":"%s"},{"content":[{"new":"%s"}]}]}]}}`,
	`{"id":1,"result":{"inputRequests":{"a":{"method":"elicitation/create","params":{"message":"%s"}}}}}`,
	`[{"id":1,"result":{"content":[{"text":"%s"}]}},{"id":1,"error":{"message":"%s"}}]`,
	`{"id":1,"result":{"content":[{"type":"new","words":"%s","list":[{"%s":"%s"}]}]}}`,
	// What stands beside the payloads that the protocol has.
	`{"id":1,"result":{"content":[],"more":"%s","list":[{"%s":"%s"}]}}`, `{"id":1,"result":{"more":{"a":"%s"}}}`,
	`{"id":1,"result":{"content":[{"type":"resource_link","uri":"https://example.com/?a=%s","name":"%s"}]}}`,
	`{"id":1,"result":{"content":[{"type":"resource","resource":{"uri":"file:///%s","text":""}}]}}`,
	`{"id":1,"result":{"content":[{"type":"image","data":"%s"},{"resource":{"blob":"%s"}}]}}`,
	`{"id":1,"result":{"task":{"taskId":"1","statusMessage":"%s"}}}`, `{"id":1,"error":{"code":"%s"}}`,
	`{"method":"notifications/message","params":{"level":"info","message":"%s"}}`,
	`{"method":"notifications/progress","params":{"data":["%s"]}}`,
	// What has another form than the protocol says, and tasks.
	`{"id":1,"result":"%s"}`, `{"id":1,"result":["%s"]}`, `{"id":1,"error":"%s"}`, `{"id":1,"error":["%s"]}`,
	`{"id":1,"error":{"details":"%s","code":["%s"],"%s":1}}`, `{"id":1,"result":{"content":["%s",["%s"],7]}}`,
	`{"id":1,"result":{"contents":["%s"]}}`, `{"id":1,"result":{"contents":{"text":"%s"}}}`,
	`{"id":1,"result":{"messages":["%s",{"content":["%s"]}]}}`, `{"id":1,"result":{"messages":{"content":"%s"}}}`,
	`{"id":1,"result":{"inputRequests":["%s"],"toolResult":"%s"}}`,
	`{"id":1,"result":{"content":[{"type":"new","%s":1}]}}`,
	`{"method":"notifications/message","params":["%s"]}`,
	`{"method":"notifications/progress","params":{"message":["%s"]}}`,
	`{"id":1,"result":{"status":"completed","statusMessage":"%s","result":{"content":[{"text":"%s"}],"structuredContent":{"a":"%s"}}}}`,
	`{"id":1,"result":{"error":{"message":"%s"},"result":"%s"}}`,
	`{"method":"notifications/tasks","params":{"taskId":"1","statusMessage":"%s","result":{"content":[{"text":"%s"}]}}}`,
	`{"method":"notifications/message","params":{"data":"%s"},"method":"x"}`,
	`{"method":"x","params":{"data":"%s"},"method":"notifications/message"}`,
}

// TestVeryManyTexts: texts of which nothing is shown are left out, and what is no text stays.
func TestVeryManyTexts(t *testing.T) {
	p, _ := newProxy(t, func(o *results.Options) { o.Budget = 300 })
	image := `{"type":"image","data":"iVBORw0KGgoAAAANSUhEUgAA"}`
	all := strings.Repeat(`{"type":"text","text":"some words of it"},`, 5000)
	server := `{"id":1,"result":{"content":[` + all + image + "," + all + `{"type":"text","text":"x","n":1}]}}` + "\n"
	_, got := exchange(t, p, calling(1, "t"), strings.NewReader(server))
	if !json.Valid([]byte(got)) || len(got) > 8000 || !strings.Contains(got,
		image+`,{"type":"text","text":"","n":1}]`) {
		t.Errorf("%d bytes: %.300s ... %s", len(got), got, got[max(0, len(got)-300):])
	}
}

// FuzzPlanted: a secret in a payload never reaches the client, whatever stands around it, however it is escaped, and
// wherever the line is cut off.
func FuzzPlanted(f *testing.F) {
	for i := range payloads {
		f.Add(uint8(i), "before\n", "after", uint64(0), uint16(0), true)
	}
	f.Add(uint8(0), `{"a":"`, `"}`, uint64(0xF0F0), uint16(60), false)
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	f.Fuzz(func(t *testing.T, kind uint8, before, after string, escaped uint64, cut uint16, isWhole bool) {
		if len(before)+len(after) > 1<<12 {
			return
		}
		// What stands beside the secret may be a part of it: then it is no secret.
		text, _ := json.Marshal(before + " " + "\x00" + " " + after)
		inside := string(text[1 : len(text)-1])
		var hidden strings.Builder
		for i, c := range secret {
			if escaped>>(i%64)&1 == 1 {
				hidden.WriteString(`\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
			} else {
				hidden.WriteRune(c)
			}
		}
		inside = strings.ReplaceAll(inside, `\u0000`, hidden.String())
		line := strings.ReplaceAll(payloads[int(kind)%len(payloads)], "%s", inside) + "\n"
		if !isWhole {
			line = line[:int(cut)%len(line)]
		}
		for _, keeps := range []bool{false, true} {
			p, said := newProxy(t, func(o *results.Options) {
				if keeps {
					o.Policies = hosts.Policies{{Pattern: "*", Treatment: hosts.Redact}}
				}
			})
			p.KeepsStructured = keeps
			_, out := exchange(t, p, calling(1, "t"), strings.NewReader(line))
			for _, shown := range append([]string{out}, said.lines...) {
				for _, form := range []string{shown, unescaped(shown)} {
					if strings.Contains(form, secret) || strings.Contains(form, hidden.String()) {
						t.Fatalf("%q became %q", line, shown)
					}
				}
			}
		}
	})
}

// unescaped is a message with all of its escapes undone.
func unescaped(line string) string {
	var b strings.Builder
	decoder := json.NewDecoder(strings.NewReader(line))
	for {
		token, err := decoder.Token()
		if err != nil {
			return b.String()
		}
		if text, isText := token.(string); isText {
			b.WriteString(text)
		}
	}
}

// FuzzItems: a text that is cut anywhere into items of content gives what the whole gives: no secret comes through that
// the whole does not have, and where the cuts are at the ends of lines it is the same text.
func FuzzItems(f *testing.F) {
	const token, word = "gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a", "hunter2" + "abcDEF99x"
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEowIBAAKCAQEAabcdefghijklmnopqrstuvwxyz0123456789AB\n", 5) +
		"-----END RSA PRIVATE KEY-----\n"
	for _, text := range []string{"id,password\n1,{WORD}\n2,{WORD}q\n", "to {MAIL} and\npassword={WORD}\n", "{KEY}after",
		"a {TOKEN} b {TOKEN}\n", `{"password":"{WORD}"}`, "plain \u00e9 text\n"} {
		f.Add(text, uint16(8), uint16(12), false)
		f.Add(text, uint16(30), uint16(31), true)
	}
	f.Fuzz(func(t *testing.T, text string, a, b uint16, hasOther bool) {
		if len(text) > 1<<12 || !utf8.ValidString(text) {
			return
		}
		secrets := map[string]string{"{MAIL}": planted, "{TOKEN}": token, "{KEY}": key, "{WORD}": word}
		for name, secret := range secrets {
			text = strings.ReplaceAll(text, name, " "+secret+" ")
		}
		shown := func(texts ...string) (all []string) {
			var items []string
			for _, text := range texts {
				quoted := jsonx.AppendString(nil, text)
				items = append(items, `{"type":"text","text":`+string(quoted)+`}`)
				if hasOther {
					items = append(items, `{"type":"image","data":"aGk=","mimeType":"image/png"}`)
				}
			}
			p, said := newProxy(t, func(o *results.Options) { o.Policies = hosts.Policies{{Pattern: "*", Treatment: hosts.Redact}} })
			_, out := exchange(t, p, calling(1, "t"),
				strings.NewReader(`{"id":1,"result":{"content":[`+strings.Join(items, ",")+"]}}\n"))
			for _, text := range gjson.Get(out, "result.content.#.text").Array() {
				all = append(all, text.String())
			}
			if len(all) != len(texts) || len(said.lines) > 0 {
				t.Fatalf("%v %s", said.lines, out)
			}
			return all
		}
		cut := func(at uint16) int {
			i := int(at) % (len(text) + 1)
			for i < len(text) && !utf8.RuneStart(text[i]) {
				i++
			}
			return i
		}
		i, j := cut(a), cut(b)
		i, j = min(i, j), max(i, j)
		whole := shown(text)[0]
		items := shown(text[:i], text[i:j], text[j:])
		all := strings.Join(items, "")
		for name, secret := range secrets {
			if strings.Contains(all, secret) && !strings.Contains(whole, secret) {
				t.Errorf("%s comes through: %q", name, items)
			}
		}
		isAtEnd := func(at int) bool { return at == 0 || at == len(text) || text[at-1] == '\n' }
		if isAtEnd(i) && isAtEnd(j) && all != whole && !strings.Contains(all, "kfw: withheld") {
			t.Errorf("%q\nis %q\nwant %q", text, items, whole)
		}
	})
}

// TestHeldBorders: wherever a part of a list that is held ends, at a text or within what stands around it, nothing is lost.
func TestHeldBorders(t *testing.T) {
	for shift := 0; shift < 45; shift += testdepth.Step() {
		line := `{"id":1,"result":{"content":[{"type":"text","text":"` + strings.Repeat("x", shift) + `"}` +
			strings.Repeat(`,{"type":"text","text":"some words"}`, 20_000) + "]}}\n"
		p, said := newProxy(t, func(o *results.Options) { o.Policies = hosts.Policies{{Pattern: "*", Treatment: hosts.Redact}} })
		if _, out := exchange(t, p, calling(1, "t"), strings.NewReader(line)); out != line || len(said.lines) > 0 {
			t.Fatalf("shifted by %d: %d bytes of %d, %v", shift, len(out), len(line), said.lines)
		}
	}
}

// TestManyItems: what one item says of the next holds in lists that are too long to be held, for texts of any length,
// and other members keep their places.
func TestManyItems(t *testing.T) {
	const word = "hunter2" + "abcDEF99x"
	var server strings.Builder
	server.WriteString(`{"id":1,"result":{"content":[{"type":"text","text":"id,password"}`)
	for i := range 20_000 {
		fmt.Fprintf(&server, `,{"text":"%d,%s%d","type":"text"}`, i, word, i)
		switch i {
		case 5000:
			fmt.Fprintf(&server, `,{"type":"image","data":"%s"}`, strings.Repeat("aGk=", 100_000))
		case 9000:
			fmt.Fprintf(&server, `,{"type":"text","text":"%s%s"}`, strings.Repeat("plain text\\n", 30_000), planted)
		}
	}
	server.WriteString("]}}\n")
	p, said := newProxy(t, func(o *results.Options) { o.Policies = hosts.Policies{{Pattern: "*", Treatment: hosts.Redact}} })
	_, out := exchange(t, p, calling(1, "t"), strings.NewReader(server.String()))
	if len(said.lines) > 0 || strings.Contains(out, word) || strings.Contains(out, planted) {
		t.Fatalf("%v: %d leaks", said.lines, strings.Count(out, word))
	}
	if n := len(gjson.Get(out, "result.content").Array()); n != 20_003 {
		t.Errorf("%d items", n)
	}
	if n := strings.Count(out, `[REDACTED:password]","type":"text"}`); n != 20_000 {
		t.Errorf("%d items are as they were", n)
	}
}
