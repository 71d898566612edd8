package hosts

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Text is a string of a response that carries output.
type Text struct {
	Key    string // raw JSON of the name that it stands under; empty if there is none
	Value  string
	IsBody bool // all that a tool said, and not one short member of many: it may be shortened

	isWhole    bool // Value is all of a long output, of which the response has the beginning
	start, end int  // of its raw JSON in the response
}

// bodies are the names of the members that hold what a tool said.
var bodies = []string{"stdout", "stderr", "content", "text", "result", "output", "source", "old_source", "new_source"}

// structural are the names of the members that a host itself reads: a change would break the result, and none
// carries output. Members whose name ends in Id or Path are structural as well.
var structural = []string{"type", "mode", "status", "id", "uuid", "uri", "url", "mimeType", "media_type", "name", "role",
	"returnCodeInterpretation", "codeText", "cell_type", "language"}

// binary are the names of the members that hold base64 of an image or a file.
var binary = []string{"base64", "data", "blob"}

func isStructural(name string) bool {
	return slices.Contains(structural, name) || slices.Contains(binary, name) ||
		strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "_id") ||
		strings.HasSuffix(name, "Path") || strings.HasSuffix(name, "_path")
}

// texts returns the strings of a response, which is valid JSON, that carry output.
func texts(response []byte) []Text {
	var all []Text
	collect(gjson.ParseBytes(response), "", true, &all)
	return all
}

// collect adds the texts of a value of the response. key is the raw JSON of the nearest name above it.
func collect(v gjson.Result, key string, isBody bool, all *[]Text) {
	switch {
	case v.Type == gjson.String:
		*all = append(*all, Text{Key: key, Value: v.String(), IsBody: isBody, start: v.Index, end: v.Index + len(v.Raw)})
	case v.IsArray():
		v.ForEach(func(_, element gjson.Result) bool {
			collect(element, key, isBody, all)
			return true
		})
	case v.IsObject():
		v.ForEach(func(name, member gjson.Result) bool {
			called := name.String()
			isContainer := member.IsArray() || member.IsObject()
			if isContainer || !isStructural(called) {
				collect(member, name.Raw, slices.Contains(bodies, called), all)
			}
			return true
		})
	}
}

// replaced returns the response with these texts in place of its own: bytes that did not change stay as they are,
// whatever escapes they have.
func replaced(response []byte, old []Text, texts []string) []byte {
	var out []byte
	at := 0
	for i, t := range old {
		if texts[i] == t.Value && !t.isWhole {
			continue
		}
		out = append(out, response[at:t.start]...)
		out = append(out, quoted(texts[i])...)
		at = t.end
	}
	return append(out, response[at:]...)
}

// quoted is text as a JSON string.
func quoted(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string and a buffer have no errors
	return bytes.TrimRight(b.Bytes(), "\n")
}
