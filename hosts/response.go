package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/lazy"
	"github.com/kfw-dev/kfw/internal/media"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/redact"
)

// Text is a string of a response, or a part of one: the parts of a string follow each other.
type Text struct {
	Key      string // raw JSON of the name that it stands under; empty if there is none
	Value    string
	IsBody   bool // all that a tool said, and not one short member of many: it may be shortened
	IsUnseen bool // the host does not show it to the model as text: it is redacted, and costs nothing

	path     string // names that lead to it from the top of the response, see Traits.Texts
	leaf     int    // which of the response's leaves it is, from 0
	isPlain  bool   // the host has a place for text there: no name around it says what it is
	isUnread bool   // see Traits.Unread
	isJSON   bool   // the value is JSON, and not the inside of a string
	isItem   bool   // an item of content, in a result whose answer is one text
	isOther  bool   // Value is not what the response has there
}

// Member is a member of responses by its name, and why it is not looked at.
type Member struct {
	Name string
	// IsMedia says that it may stand anywhere, and passes where its value is an image, a sound, a film or a PDF in
	// base64. Any other member stands at the top.
	IsMedia bool
	Why     string
}

// mediaMembers are the members in which hosts and MCP servers put images, sound and other data that is no
// text.
var mediaMembers = []Member{
	{"data", true, "an image or a sound of an MCP result: in base64 of it any rule may find something by chance"},
	{"base64", true, "an image or a PDF that was read: in base64 of it any rule may find something by chance"},
	{"blob", true, "a resource of an MCP result: in base64 of it any rule may find something by chance"},
}

// withDisplay are mediaMembers and the member in which Gemini CLI and Qwen Code have what only the user sees.
var withDisplay = append([]Member{
	{Name: "returnDisplay", Why: "what the user sees: the model never gets it"},
}, mediaMembers...)

// bodies are the names of the members that hold what a tool said.
var bodies = []string{"stdout", "stderr", "content", "text", "result", "output", "source", "old_source", "new_source"}

// mostMember is how long a member may be that is shown whole by the side of others, in bytes.
const mostMember = 2000

// uncounted are the names of the members in which a host has a word of its own. They cost next to nothing, and where
// all else is withheld, the host still has to know the response.
var uncounted = []string{"type", "mode", "status", "mimeType", "media_type", "role", "resultType",
	"returnCodeInterpretation", "codeText", "cell_type", "language"}

// hostWord is what a host has there.
var hostWord = lazy.Regexp(`^[a-z_/+.-]{1,40}$`)

// isUncounted reports whether a member of this name costs the model next to nothing, or is not shown to it as text.
func isUncounted(name string) bool {
	return slices.Contains(uncounted, name) || name == "id" || name == "uuid" ||
		strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "_id") ||
		strings.HasSuffix(name, "Path") || strings.HasSuffix(name, "_path")
}

// isHostWord reports whether a text is a word of the host.
func (t Text) isHostWord() bool {
	var name string
	return json.Unmarshal([]byte(t.Key), &name) == nil && slices.Contains(uncounted, name) &&
		hostWord().MatchString(t.Value)
}

// isUnread reports whether the host's list names a member with this value, wherever it stands.
func (traits *Traits) isUnread(name, value string) bool {
	return slices.ContainsFunc(traits.Unread, func(m Member) bool {
		return m.IsMedia && m.Name == name && media.Is(value)
	})
}

// leaf is a scalar or a name of a JSON value: where it is, by name and in bytes.
type leaf struct {
	gjson.Result
	path   string // from the top: names, and # for an element of an array, joined by dots
	key    string // raw JSON of the nearest name above it
	isName bool
}

// leaves yields the scalars and the names of valid JSON, in order, with their numbers from 0. There may be very many.
func leaves(source []byte) iter.Seq2[int, leaf] {
	return func(yield func(int, leaf) bool) {
		c := jsonx.Cursor{Source: source}
		text := string(source)
		n := 0
		add := func(l leaf, from, to int) bool {
			l.Result = gjson.Parse(text[from:to])
			l.Index = from
			n++
			return yield(n-1, l)
		}
		var walk func(path, key string) bool
		walk = func(path, key string) bool {
			switch c.Kind() {
			case jsonx.Array:
				path = below(path, "#")
				for c.Enter(); c.Element(); {
					if !walk(path, key) {
						return false
					}
				}
			case jsonx.Object:
				c.Enter()
				for {
					name, isThere := c.Member()
					if !isThere {
						return true
					}
					from := cap(source) - cap(name) - len(`"`) // name is a part of source
					raw := text[from : from+len(name)+2*len(`"`)]
					if !add(leaf{path: path, key: key, isName: true}, from, from+len(raw)) ||
						!walk(below(path, gjson.Parse(raw).String()), raw) {
						return false
					}
				}
			default:
				from := c.At
				return add(leaf{path: path, key: key}, from, from+len(c.Take()))
			}
			return true
		}
		if len(source) > 0 {
			walk("", "")
		}
	}
}

// leavesIn returns how many leaves JSON has.
func leavesIn(source []byte) (n int) {
	for range leaves(source) {
		n++
	}
	return n
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// texts returns the strings of a response, which is valid JSON.
func texts(response []byte, traits Traits) (all []Text) {
	for i, s := range leaves(response) {
		if s.Type != gjson.String || s.isName {
			continue
		}
		name := gjson.Parse(s.key).String()
		t := Text{Key: s.key, Value: s.String(), path: s.path, leaf: i, isPlain: slices.Contains(traits.Texts, s.path)}
		t.isUnread = !t.isPlain && traits.isUnread(name, t.Value)
		isLong := len(t.Value) > mostMember && !t.isUnread
		t.IsBody = t.isPlain || isLong || s.key == "" || slices.Contains(bodies, name)
		t.IsUnseen = !t.IsBody && (t.isUnread || isUncounted(name))
		all = append(all, t)
	}
	return all
}

// readInPlace reads the texts of a response that the answer is a copy of.
func (e *Event) readInPlace(traits Traits) {
	e.InPlace = true
	e.Texts = texts(e.Response, traits)
}

// asJSON redacts the response of an answer in place, read as JSON: names, numbers, and strings
// with all that stands around them. It leaves the texts in the host's places for text, and the
// members that Traits.Unread lists.
func (f *Filter) asJSON(e *Event) error {
	if !e.InPlace {
		return nil
	}
	isLeft := make(map[int]bool)
	for _, t := range e.Texts {
		if t.isPlain || t.isUnread {
			isLeft[t.leaf] = true
		}
	}
	left := make(map[int][]byte)
	before := 0
	outline := withLeaves(e.Response, func(i int, l leaf) ([]byte, bool) {
		before++
		if isLeft[i] {
			left[i] = []byte(l.Raw)
		}
		return []byte(`""`), isLeft[i]
	})
	redacted := f.Whole.Value(nil, outline, redact.JSON)
	if bytes.Equal(redacted, outline) {
		return nil
	}
	if !json.Valid(redacted) {
		return errors.New("a response is no JSON any more")
	}
	if leavesIn(redacted) != before {
		return errors.New("a member was lost")
	}
	e.isChanged = true
	next := 0
	e.Response = withLeaves(redacted, func(i int, l leaf) ([]byte, bool) {
		for ; next < len(e.Texts) && e.Texts[next].leaf <= i; next++ {
			if !isLeft[i] {
				e.Texts[next].Value = l.String()
			}
		}
		return left[i], isLeft[i]
	})
	return nil
}

// withLeaves returns JSON with some leaves replaced. It calls other for each leaf, in order; other
// returns the new leaf, and whether there is one.
func withLeaves(source []byte, other func(i int, l leaf) ([]byte, bool)) (out []byte) {
	at := 0
	for i, l := range leaves(source) {
		if value, isNew := other(i, l); isNew {
			out = append(append(out, source[at:l.Index]...), value...)
			at = l.Index + len(l.Raw)
		}
	}
	return append(out, source[at:]...)
}

// replaced returns the response with these texts in place of its own: bytes that did not change stay as they are,
// whatever escapes they have.
func replaced(response []byte, old []Text, texts []string) []byte {
	at := 0
	return withLeaves(response, func(leaf int, _ leaf) ([]byte, bool) {
		begin, isSame := at, true
		for ; at < len(old) && old[at].leaf == leaf; at++ {
			isSame = isSame && texts[at] == old[at].Value && !old[at].isOther
		}
		if isSame {
			return nil, false
		}
		return quoted(joined(texts[begin:at])), true
	})
}

// nameWord is a name that can be no secret.
var nameWord = lazy.Regexp(`^[A-Za-z_]{1,40}$`)

// emptied returns a response without its content: strings are empty unless isKept has their index,
// numbers are 0, and a name that is no word is empty.
func emptied(response []byte, isKept map[int]bool) []byte {
	return withLeaves(response, func(i int, l leaf) ([]byte, bool) {
		switch {
		case l.isName:
			return []byte(`""`), !nameWord().MatchString(l.String())
		case l.Type == gjson.Number:
			return []byte("0"), true
		}
		return []byte(`""`), l.Type == gjson.String && !isKept[i]
	})
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
			part.Value, part.IsBody = value, t.IsBody && i == 1
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
