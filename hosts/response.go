package hosts

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/pipeline/encode"
)

// Text is a string of a response that carries output, or a part of one: the parts of a string follow each other.
type Text struct {
	Key      string // raw JSON of the name that it stands under; empty if there is none
	Value    string
	IsBody   bool // all that a tool said, and not one short member of many: it may be shortened
	IsUnseen bool // the host does not give it to the model: it is redacted, and costs nothing

	isWhole    bool // Value is not what the response has there, but all of a long output
	start, end int  // of its raw JSON in the response
}

// bodies are the names of the members that hold what a tool said.
var bodies = []string{"stdout", "stderr", "content", "text", "result", "output", "source", "old_source", "new_source"}

// structural are the names of the members that a host itself reads: a change would break the result, and none
// carries output. Members whose name ends in Id or Path are structural as well.
var structural = []string{"type", "mode", "status", "id", "uuid", "uri", "url", "mimeType", "media_type", "name",
	"role",
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
		*all = append(*all, Text{Key: key, Value: v.String(), IsBody: isBody, start: v.Index, end: v.Index +
			len(v.Raw)})
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
	for i := 0; i < len(old); {
		end, isSame := i, true
		for ; end < len(old) && old[end].start == old[i].start; end++ {
			isSame = isSame && texts[end] == old[end].Value && !old[end].isWhole
		}
		if !isSame {
			out = append(out, response[at:old[i].start]...)
			out = append(out, quoted(joined(texts[i:end]))...)
			at = old[i].end
		}
		i = end
	}
	return append(out, response[at:]...)
}

// joined is the parts of one string. What kfw itself says begins a line.
func joined(parts []string) string {
	var b strings.Builder
	for _, part := range parts {
		if b.Len() > 0 && strings.HasPrefix(part, encode.OwnPrefix) && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(part)
	}
	return b.String()
}

// apart takes a body apart at two offsets: what the host has written before the output, the output itself, and what the
// host has written after it. Only the output may be shortened.
func (t Text) apart(from, to int) []Text {
	var parts []Text
	for i, value := range []string{t.Value[:from], t.Value[from:to], t.Value[to:]} {
		if value != "" || i == 1 {
			part := t
			part.Value, part.IsBody = value, i == 1
			parts = append(parts, part)
		}
	}
	return parts
}

// quoted is text as a JSON string.
func quoted(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string and a buffer have no errors
	return bytes.TrimRight(b.Bytes(), "\n")
}
