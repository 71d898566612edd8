package proxy

import (
	"bufio"
	"bytes"
	"cmp"
	"io"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// Redactor redacts texts. Its output must depend on the text alone: a text that is sent with every
// request then keeps its bytes, and the provider's prompt cache holds. A reader is read to its end
// before the next call of the same method; Result may be called while a reader of JSON is open.
type Redactor interface {
	// Result returns the replacement for the text of a tool result.
	Result(text io.Reader) io.Reader
	// Text returns the redaction of any other text.
	Text(text io.Reader) io.Reader
	// JSON returns the redaction of a JSON value, as JSON.
	JSON(value io.Reader) io.Reader
}

const (
	// longestLooked is the largest object whose role or type is read before its content is copied,
	// in bytes. In a larger object only a role or type that stands before the content counts;
	// without one the content is treated as a tool result.
	longestLooked = 1 << 20
	// deepestBody is how deep requests may be nested, as in a batch.
	deepestBody = 4
)

// request copies the body of a request and cleans the texts of tool results. One walk serves all
// protocols, because no name means different things in two of them.
//
//	Anthropic        messages[].content[] of type tool_result: content
//	OpenAI chat      messages[] of role tool or function: content; Ollama and Cohere the same
//	OpenAI responses input[] of a type that ends with _call_output: output; Google's interactions: function_result
//	Gemini           contents[].parts[].functionResponse: response
//	Bedrock          messages[].content[].toolResult: content
type request struct {
	e        *jsonx.Editor // of the innermost frame
	frames   []*frame
	depth    int
	redactor Redactor
	ofUser   bool // texts of the user are redacted, too
}

// frame is an object that was read ahead, with the editor that copies it.
type frame struct {
	editor *jsonx.Editor
	in     *bufio.Reader
	begin  bytes.Buffer
}

// newRequest returns a request, which copies one body after another.
func newRequest(redactor Redactor, ofUser bool) *request {
	return &request{redactor: redactor, ofUser: ofUser}
}

// rewrite copies a body.
func (r *request) rewrite(in io.Reader, out io.Writer) error {
	r.depth = 0
	f := r.frame()
	f.in.Reset(in)
	f.editor.Reset(f.in, out)
	r.e = f.editor
	if err := r.body(0); err != nil {
		return err
	}
	_, err := r.e.End()
	return err
}

// frame returns an unused frame for an inner object.
func (r *request) frame() *frame {
	if r.depth == len(r.frames) {
		r.frames = append(r.frames, &frame{editor: jsonx.NewEditor(false), in: bufio.NewReader(nil)})
	}
	r.depth++
	return r.frames[r.depth-1]
}

// members walks the next value if it is an object, and copies it otherwise.
func (r *request) members(member func(name string) error) error {
	if kind, err := r.e.Kind(); err != nil {
		return err
	} else if kind != jsonx.Object {
		return r.e.Copy()
	}
	return r.e.Object(func(name []byte) error { return member(string(name)) }, nil)
}

// elements walks the next value if it is an array, and copies it otherwise.
func (r *request) elements(element func() error) error {
	if kind, err := r.e.Kind(); err != nil {
		return err
	} else if kind != jsonx.Array {
		return r.e.Copy()
	}
	return r.e.Array(func(int) error { return element() }, nil)
}

func (r *request) body(depth int) error {
	return r.members(func(name string) error {
		switch name {
		case "messages":
			return r.elements(r.message)
		case "contents":
			return r.elements(func() error { return r.members(r.ofContent) })
		case "input":
			return r.input()
		case "system", "instructions", "systemInstruction", "system_instruction", "prompt":
			return r.words()
		case "request", "params":
			if depth < deepestBody {
				return r.body(depth + 1)
			}
		case "requests":
			if depth < deepestBody {
				return r.elements(func() error { return r.body(depth + 1) })
			}
		}
		return r.e.Copy()
	})
}

// look reads the next object ahead and calls walk to copy it. is holds the string members that
// names lists; it is nil if the object is larger than longestLooked.
func (r *request) look(names []string, walk func(is map[string]string) error) error {
	if kind, err := r.e.Kind(); err != nil {
		return err
	} else if kind != jsonx.Object {
		return r.e.Copy()
	}
	value, err := r.e.Value()
	if err != nil {
		return err
	}
	f, outer := r.frame(), r.e
	defer func() { r.e, r.depth = outer, r.depth-1 }()
	f.begin.Reset()
	n, err := io.Copy(&f.begin, io.LimitReader(value, longestLooked))
	if err != nil {
		return err
	}
	var is map[string]string
	if n < longestLooked {
		is = stringMembers(f.begin.Bytes(), names)
	}
	f.in.Reset(io.MultiReader(&f.begin, value))
	f.editor.Reset(f.in, outer.Out())
	r.e = f.editor
	return walk(is)
}

// notString marks a member that is no string.
const notString = "\x00"

// stringMembers returns the string members of an object that names lists. If a name occurs twice, the value
// that means a tool result wins.
func stringMembers(object []byte, names []string) map[string]string {
	is := make(map[string]string, len(names))
	gjson.ParseBytes(object).ForEach(func(name, value gjson.Result) bool {
		for _, one := range names {
			if name.String() != one || isOfTool(is[one]) {
				continue
			}
			if is[one] = notString; value.Type == gjson.String {
				is[one] = value.Str
			}
		}
		return true
	})
	return is
}

// isOfTool reports whether a role or a type belongs to a tool result.
func isOfTool(name string) bool {
	switch name {
	case "tool", "function", "tool_result", "function_result", "mcp_call":
		return true
	}
	const output = "_call_output"
	return len(name) > len(output) && name[len(name)-len(output):] == output
}

// isPlain reports whether a role or type is known and belongs to no tool result.
func isPlain(role string) bool { return role != "" && !isOfTool(role) }

// isOfUser reports whether a role belongs to the user or the system prompt.
func isOfUser(role string) bool { return role == "user" || role == "system" || role == "developer" }

// message copies a message of a conversation.
func (r *request) message() error {
	return r.look([]string{"role"}, func(is map[string]string) error {
		role := is["role"]
		return r.members(func(name string) (err error) {
			switch {
			case name == "role" && is == nil:
				role, err = r.word()
				return err
			case name != "content":
				return r.e.Copy()
			case !isPlain(role) && role != "":
				return r.result()
			}
			kind, err := r.e.Kind()
			switch {
			case err != nil:
				return err
			case kind == jsonx.Array:
				return r.elements(func() error { return r.block(role) })
			case role == "": // it may be a tool's
				return r.result()
			case kind == jsonx.String && r.ofUser && isOfUser(role):
				return r.e.Rewrite(r.redactor.Text)
			}
			return r.e.Copy()
		})
	})
}

// longestName is the longest role or type that is read, in bytes.
const longestName = 64

// word copies a role or a type and returns it. It returns an empty string if the value is longer, or no string.
func (r *request) word() (string, error) {
	text, err := r.e.Capture(longestName)
	return gjson.ParseBytes(text).Str, err
}

// block copies a part of a message.
func (r *request) block(role string) error {
	if kind, err := r.e.Kind(); err != nil {
		return err
	} else if kind == jsonx.String && r.ofUser && isOfUser(role) {
		return r.e.Rewrite(r.redactor.Text)
	}
	return r.look([]string{"type"}, func(is map[string]string) error {
		kind := is["type"]
		return r.members(func(name string) (err error) {
			switch {
			case name == "type" && is == nil:
				kind, err = r.word()
				return err
			case name == "content" && !isPlain(kind):
				return r.result()
			case name == "toolResult":
				return r.members(func(name string) error {
					if name == "content" {
						return r.result()
					}
					return r.e.Copy()
				})
			case name == "text" && r.ofUser && isOfUser(role):
				return r.words()
			}
			return r.e.Copy()
		})
	})
}

// ofContent copies a member of an element of Gemini's contents.
func (r *request) ofContent(name string) error {
	if name != "parts" {
		return r.e.Copy()
	}
	return r.elements(func() error {
		return r.members(func(name string) error {
			switch name {
			case "functionResponse", "function_response":
				return r.members(func(name string) error {
					if name == "response" || name == "parts" {
						return r.result()
					}
					return r.e.Copy()
				})
			case "text":
				return r.words()
			}
			return r.e.Copy()
		})
	})
}

// input copies the input of the Responses API: a text, or a list of items.
func (r *request) input() error {
	if kind, err := r.e.Kind(); err != nil {
		return err
	} else if kind != jsonx.Array {
		return r.words()
	}
	return r.elements(func() error {
		return r.look([]string{"type", "role"}, func(is map[string]string) error {
			kind, role := is["type"], is["role"]
			return r.members(func(name string) (err error) {
				switch {
				case name == "type" && is == nil:
					kind, err = r.word()
					return err
				case name == "role" && is == nil:
					role, err = r.word()
					return err
				case (name == "output" || name == "result") && !isPlain(kind), name == "content" && isOfTool(kind):
					return r.result()
				case name == "content" && isOfUser(role):
					return r.words()
				}
				return r.e.Copy()
			})
		})
	})
}

// words copies texts of the user: a string, a list, or an object with text parts.
func (r *request) words() error {
	if !r.ofUser {
		return r.e.Copy()
	}
	kind, err := r.e.Kind()
	switch {
	case err != nil:
		return err
	case kind == jsonx.String:
		return r.e.Rewrite(r.redactor.Text)
	case kind == jsonx.Array:
		return r.elements(r.words)
	}
	return r.members(func(name string) error {
		if name == "text" || name == "parts" || name == "content" {
			return r.words()
		}
		return r.e.Copy()
	})
}

// result cleans a tool result: a text, a list of parts, or an object.
func (r *request) result() error {
	kind, err := r.e.Kind()
	switch {
	case err != nil:
		return err
	case kind == jsonx.String:
		return r.e.Rewrite(r.redactor.Result)
	case kind == jsonx.Array:
		return r.elements(r.part)
	case kind == jsonx.Object:
		return r.free()
	}
	return r.e.Copy()
}

// part cleans a part of a tool result.
func (r *request) part() error {
	if kind, err := r.e.Kind(); err != nil || kind != jsonx.Object {
		return cmp.Or(err, r.result())
	}
	return r.look([]string{"type", "mimeType", "mime_type", "image", "video", "document"},
		func(is map[string]string) error {
			hasMedia := is["mimeType"] != "" || is["mime_type"] != "" || is["image"] == notString ||
				is["video"] == notString ||
				is["document"] == notString
			switch {
			case is["type"] == "text", is["type"] == "input_text", is["type"] == "output_text":
				return r.members(r.ofText)
			case hasMedia, isMedia[is["type"]]:
				return r.members(r.ofMedia)
			}
			return r.free()
		})
}

// isMedia lists the types of parts that are not plain text.
var isMedia = map[string]bool{"image": true, "input_image": true, "image_url": true, "audio": true, "input_audio": true,
	"video": true, "document": true, "search_result": true, "input_file": true, "file": true,
	"computer_screenshot": true,
	"tool_reference":      true}

// ofText copies a member of a text part.
func (r *request) ofText(name string) error {
	switch name {
	case "text":
		return r.result()
	case "type", "id", "cache_control":
		return r.e.Copy()
	}
	return r.json()
}

// ofMedia copies a member of a picture or document part.
func (r *request) ofMedia(name string) error {
	switch name {
	case "type", "id", "cache_control", "detail", "format", "mimeType", "mime_type", "file_id", "file_data",
		"image_url",
		"tool_name":
		return r.e.Copy()
	case "source":
		return r.source()
	case "content", "text":
		return r.result()
	case "image", "video", "document", "inlineData", "inline_data", "audio", "input_audio":
		return r.members(r.ofMedia)
	case "data": // base64, or the fields of a document
		if kind, err := r.e.Kind(); err != nil || kind == jsonx.String {
			return cmp.Or(err, r.e.Copy())
		}
	}
	return r.json()
}

// json copies a value, redacted as JSON.
func (r *request) json() error {
	kind, err := r.e.Kind()
	switch {
	case err != nil:
		return err
	case kind == jsonx.String:
		return r.e.Rewrite(r.redactor.Text)
	case kind != jsonx.Object && kind != jsonx.Array:
		return r.e.Copy()
	}
	value, err := r.e.Value()
	if err != nil {
		return err
	}
	if _, err = io.Copy(r.e.Out(), r.redactor.JSON(value)); err == nil {
		_, err = io.Copy(io.Discard, value) // what was not read
	}
	return err
}

// free cleans an object of unknown shape: it is redacted as JSON first, so that names count, and
// then each of its strings as a result.
func (r *request) free() error {
	value, err := r.e.Value()
	if err != nil {
		return err
	}
	f, outer := r.frame(), r.e
	defer func() { r.e, r.depth = outer, r.depth-1 }()
	f.in.Reset(r.redactor.JSON(value))
	f.editor.Reset(f.in, outer.Out())
	r.e = f.editor
	if err := r.texts(0); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, value) // what was not read
	return err
}

// deepestText is how deep the strings of such an object are cleaned one by one.
const deepestText = 64

// texts cleans each string in a value as a result.
func (r *request) texts(depth int) error {
	kind, err := r.e.Kind()
	switch {
	case err != nil:
		return err
	case kind == jsonx.String:
		return r.e.Rewrite(r.redactor.Result)
	case depth == deepestText:
		return r.e.Copy()
	case kind == jsonx.Array:
		return r.elements(func() error { return r.texts(depth + 1) })
	}
	return r.members(func(string) error { return r.texts(depth + 1) })
}

// source copies the source of a part: a text, or encoded bytes.
func (r *request) source() error {
	return r.look([]string{"type"}, func(is map[string]string) error {
		return r.members(func(name string) error {
			switch {
			case is["type"] == "base64", is["type"] == "url", is["type"] == "file", name == "bytes", name == "type",
				name == "media_type":
				return r.e.Copy()
			}
			return r.result()
		})
	})
}
