package answers

import (
	"bytes"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn"
)

// placeholder begins what stands in the place of something that was redacted.
const placeholder = "[REDACTED:"

// WriteBack blocks a call whose arguments contain a placeholder, unless the user wrote that
// placeholder. Such a call would overwrite a secret with its placeholder.
type WriteBack struct{ Question *Question }

// Chunk blocks the call that waits, if it has a placeholder.
func (w WriteBack) Chunk(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
	question, waits := now.Waiting()
	if !waits || question.Kind != turn.AwaitVerdict || !hasPlaceholder(question.Call.Arguments) ||
		saysPlaceholder(w.Question.Body) {
		return
	}
	_ = to.Decide(turn.Verdict{Action: turn.Block, Why: "a placeholder of kfw would be written in the place of what was " +
		"redacted: leave that text as it is, or ask for it", FailSafe: true}) // it waits
}

// hasPlaceholder reports whether a string in arguments contains a placeholder, in any escaping.
func hasPlaceholder(arguments string) bool {
	if strings.Contains(arguments, placeholder) {
		return true
	}
	if !strings.Contains(arguments, `\u`) {
		return false
	}
	found := false
	var look func(v gjson.Result)
	look = func(v gjson.Result) {
		if v.IsObject() || v.IsArray() {
			v.ForEach(func(_, one gjson.Result) bool {
				look(one)
				return !found
			})
			return
		}
		found = found || strings.Contains(v.String(), placeholder)
	}
	look(gjson.Parse(arguments))
	return found
}

// saysPlaceholder reports whether the user wrote a placeholder in this conversation.
func saysPlaceholder(body []byte) bool {
	if !bytes.Contains(body, []byte(placeholder)) {
		return false
	}
	whole := gjson.ParseBytes(body)
	if whole.Get("request.contents").Exists() {
		whole = whole.Get("request")
	}
	found := false
	words := func(v gjson.Result) { found = found || v.Type == gjson.String && strings.Contains(v.Str, placeholder) }
	parts := func(v gjson.Result) {
		words(v)
		v.ForEach(func(_, part gjson.Result) bool {
			words(part.Get("text"))
			return !found
		})
	}
	for _, list := range []string{"messages", "contents", "input"} {
		if whole.Get(list).Type == gjson.String {
			words(whole.Get(list))
		}
		whole.Get(list).ForEach(func(_, one gjson.Result) bool {
			if role := one.Get("role").String(); role == "user" {
				parts(one.Get("content"))
				parts(one.Get("parts"))
			}
			return !found
		})
	}
	return found
}
