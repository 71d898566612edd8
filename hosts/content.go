package hosts

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"
)

// contentTexts returns the texts of a content: a string, a part, or an array of parts. The model
// reads them one after the other. Members beside a text are searched for secrets and not shown.
// others counts the parts without a text; they are not shown.
func contentTexts(content gjson.Result, traits Traits) (all []Text, others int) {
	if content.Type == gjson.String {
		return []Text{{Value: content.String(), IsBody: true}}, 0
	}
	parts := content.Array()
	if inner := content.Get("parts"); inner.IsArray() {
		parts = inner.Array()
		all = append(all, beside(content, "parts")...)
	}
	for _, part := range parts {
		text, resource := part.Get("text"), part.Get("resource")
		switch {
		case part.Type == gjson.String:
			all = append(all, Text{Key: `"text"`, Value: part.String(), IsBody: true, isItem: true})
		case text.Type == gjson.String:
			all = append(all, Text{Key: `"text"`, Value: text.String(), IsBody: true, isItem: true})
			all = append(all, beside(part, "text")...)
		case resource.Get("text").Type == gjson.String:
			about := beside(resource, "text")
			for i := range about {
				about[i].IsUnseen = false // it says which resource this is
			}
			all = append(append(all, about...),
				Text{Key: `"text"`, Value: resource.Get("text").String(), IsBody: true, isItem: true})
			all = append(all, beside(part, "resource")...)
		case hasMedia(part, traits):
			all = append(all, Text{Value: withoutMedia(part, traits), IsUnseen: true, isJSON: true})
			others++
		case part.Type != gjson.Null:
			all = append(all, Text{Value: part.Raw, IsBody: true, isItem: true})
		}
	}
	return all, others
}

// beside returns the members of an object other than names, as one text that is searched and not
// shown. It returns nothing if there are no such members, or only a type that is one plain word.
func beside(object gjson.Result, names ...string) []Text {
	if kind := object.Get("type"); kind.Raw == `"text"` || kind.Raw == `"resource"` {
		names = append(names, "type")
	}
	rest := withoutMembers([]byte(object.Raw), names)
	if len(rest) == len("{}") {
		return nil
	}
	return []Text{{Value: string(rest), IsUnseen: true, isJSON: true}}
}

// hasMedia reports whether a part has an image, a sound or the like.
func hasMedia(part gjson.Result, traits Traits) bool {
	return slices.ContainsFunc(texts([]byte(part.Raw), traits), func(t Text) bool { return t.isUnread })
}

// withoutMedia returns the JSON of a part without the members that Traits.Unread lists.
func withoutMedia(part gjson.Result, traits Traits) string {
	source := []byte(part.Raw)
	isUnread := make(map[int]bool)
	for _, t := range texts(source, traits) {
		isUnread[t.leaf] = t.isUnread
	}
	return string(withLeaves(source, func(i int, _ leaf) ([]byte, bool) { return []byte(`""`), isUnread[i] }))
}

// partsOf returns the texts of a member of a response that is content, and what stands beside it: the model gets an
// error in its place.
func partsOf(response []byte, name string, traits Traits) (all []Text, others int) {
	v := gjson.ParseBytes(response)
	if !v.IsObject() {
		return []Text{{Value: v.String(), IsBody: true}}, 0
	}
	all, others = contentTexts(v.Get(name), traits)
	besides := []string{name}
	for _, m := range traits.Unread {
		if !m.IsMedia {
			besides = append(besides, m.Name)
		}
	}
	return append(all, beside(v, besides...)...), others
}

// resultTexts returns the texts of a response in whose place one text is to stand, which may be the result of an MCP
// server: its structured content comes first, then its content. A text that says the same as the structured content is
// looked at and not shown.
func resultTexts(response []byte, traits Traits) (all []Text, others int) {
	v := gjson.ParseBytes(response)
	content, structured := v.Get("content"), v.Get("structuredContent")
	if !v.IsObject() || !content.IsArray() && !structured.Exists() {
		return []Text{{Value: v.String(), IsBody: true}}, 0
	}
	if structured.Exists() && structured.Type != gjson.Null {
		all = append(all, Text{Value: structured.Raw, IsBody: true})
	}
	items, others := contentTexts(content, traits)
	value := sync.OnceValue(func() any { return jsonValue(structured.Raw) })
	for _, t := range items {
		if len(all) > 0 && t.IsBody && isJSONOf(t.Value, value) {
			t.IsBody, t.IsUnseen = false, true
		}
		all = append(all, t)
	}
	all = append(all, beside(v, "content", "structuredContent")...)
	isShown := func(t Text) bool { return !t.IsUnseen }
	if others == 0 && !slices.ContainsFunc(all, isShown) {
		return []Text{{Value: v.Raw, IsBody: true}}, 0
	}
	return all, others
}

// isJSONOf reports whether a text is JSON of a value.
func isJSONOf(text string, value func() any) bool {
	is := jsonValue(text)
	return is != nil && reflect.DeepEqual(is, value())
}

// jsonValue returns the value of JSON, nil for none, and for what is nested too deep.
func jsonValue(text string) (value any) {
	if !gjson.Valid(text) {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil
	}
	return value
}

// withOthers is a status that says how many parts of a result are left out.
func withOthers(status string, others int) string {
	if others == 0 {
		return status
	}
	left := fmt.Sprintf("items of this result that are no text and are left out: %d", others)
	if status == "" {
		return left
	}
	return status + "; " + left
}
