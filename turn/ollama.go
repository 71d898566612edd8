package turn

import "github.com/tidwall/gjson"

// ollama is https://docs.ollama.com/api/chat: lines of JSON in which every call is whole.
func ollama() codec {
	return codec{
		is: func(_ string, chunk gjson.Result) bool {
			return has(chunk, "done") && (chunk.Get("message").IsObject() || has(chunk, "model"))
		},
		decoder: func() decoder { return &ollamaDecoder{} },
		encoder: func() encoder { return &ollamaEncoder{} },
	}
}

type ollamaDecoder struct{ calls int }

func (d *ollamaDecoder) decode(_ string, chunk gjson.Result, to *steps) {
	message := chunk.Get("message")
	to.begin("", text(chunk.Get("model")), text(message.Get("role")))
	to.reason(0, key{}, "", text(message.Get("thinking")))
	to.text(0, key{}, text(message.Get("content")))
	members(message.Get("tool_calls"), func(_ string, call gjson.Result) {
		at := key{index: d.calls}
		d.calls++
		function := call.Get("function")
		to.add(step{kind: callStep, key: at, id: text(call.Get("id")), name: text(function.Get("name")), flag: true})
		to.input(0, at, function.Get("arguments"))
		to.end(0, at)
	})
	if failure := chunk.Get("error"); failure.Exists() {
		to.fail(failureOf(failure))
	}
	if !chunk.Get("done").Bool() {
		return
	}
	for _, name := range []string{"prompt_eval_count", "eval_count", "total_duration", "load_duration",
		"prompt_eval_duration", "eval_duration"} {
		if counter := chunk.Get(name); counter.Exists() {
			to.add(step{kind: usageStep, name: name, json: counter})
		}
	}
	reason := text(chunk.Get("done_reason"))
	if reason == "" {
		reason = "stop" // what older ones leave out
	}
	to.finish(0, reason, "", ollamaClass(reason))
}

func ollamaClass(reason string) FinishClass {
	switch reason {
	case "stop", "load", "unload":
		return Stop
	case "length":
		return Length
	}
	return Unknown
}

type ollamaEncoder struct{}

func (x *ollamaEncoder) encode(w *wire, e *Event) {
	w.framing = Lines
	switch e.Kind {
	case TextDelta:
		x.message(w, `"content":`+quote(e.Text))
	case ReasonDelta:
		x.message(w, `"content":"","thinking":`+quote(e.Text))
	case CallEnded:
		id := ""
		if !e.Minted {
			id = `"id":` + quote(e.ID) + `,`
		}
		x.message(w, `"content":"","tool_calls":[{`+id+`"function":{"name":`+quote(e.Name)+`,"arguments":`+
			object(e.Arguments, e.Valid)+`}}]`)
	case TurnEnded:
		t := e.Turn
		if !t.Complete {
			w.chunk("", `{"error":`+quote(t.Error)+`}`)
			return
		}
		counters := ""
		if len(t.Usage) > len("{}") && t.Usage[0] == '{' {
			counters = "," + t.Usage[1:len(t.Usage)-1]
		}
		w.chunk("", x.head(w)+`"message":{"role":"assistant","content":""},"done":true,"done_reason":`+
			quote(t.FinishReason)+counters+`}`)
	}
}

func (x *ollamaEncoder) head(w *wire) string {
	return `{"model":` + quote(w.model) + `,"created_at":"1970-01-01T00:00:00Z",`
}

func (x *ollamaEncoder) message(w *wire, members string) {
	w.chunk("", x.head(w)+`"message":{"role":"assistant",`+members+`},"done":false}`)
}
