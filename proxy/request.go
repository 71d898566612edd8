package proxy

import (
	"bufio"
	"bytes"
	"cmp"
	"io"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// Cleaner takes out of texts what must not pass. What it returns is to depend on the text alone: one that is sent again
// with every request is then the same bytes again, and the provider's cache of prompts holds. A text is read to its end
// before the next one, and so is a value; texts of a value come while it is read.
type Cleaner interface {
	// Result returns what is sent in the place of a text that a tool answered.
	Result(text io.Reader) io.Reader
	// Text returns the redaction of any other text.
	Text(text io.Reader) io.Reader
	// JSON returns the redaction of a JSON value, as JSON.
	JSON(value io.Reader) io.Reader
}

const (
	// longestLooked is how long a message, an item or a block may be that is looked at before it is copied, in bytes:
	// what it is may stand at its end. Of a longer one only what stands before its content counts, and what is not
	// known to be anything else is taken for the result of a tool.
	longestLooked = 1 << 20
	// deepestBody is within how many others a request may stand, as in a batch.
	deepestBody = 4
)

// request copies the body of a request, except for the texts of results of tools. It knows all protocols at once: no
// two of them use one name for different things.
//
//	Anthropic        messages[].content[] of type tool_result: content
//	OpenAI chat      messages[] of role tool or function: content; Ollama and Cohere the same
//	OpenAI responses input[] of a type that ends with _call_output: output; Google's interactions: function_result
//	Gemini           contents[].parts[].functionResponse: response
//	Bedrock          messages[].content[].toolResult: content
type request struct {
	e      *jsonx.Editor // of the innermost frame
	frames []*frame
	depth  int
	clean  Cleaner
	ofUser bool // texts of the user are redacted, too
}

// frame is a value within another that was looked at before it is copied.
type frame struct {
	editor *jsonx.Editor
	in     *bufio.Reader
	begin  bytes.Buffer
}

// newRequest returns what copies one body after another.
func newRequest(clean Cleaner, ofUser bool) *request { return &request{clean: clean, ofUser: ofUser} }

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

// frame returns the next one inwards.
func (r *request) frame() *frame {
	if r.depth == len(r.frames) {
		r.frames = append(r.frames, &frame{editor: jsonx.NewEditor(false), in: bufio.NewReader(nil)})
	}
	r.depth++
	return r.frames[r.depth-1]
}

// members walks the next value, if it is an object; any other is copied.
func (r *request) members(member func(name string) error) error {
	if kind, err := r.e.Kind(); err != nil {
		return err
	} else if kind != jsonx.Object {
		return r.e.Copy()
	}
	return r.e.Object(func(name []byte) error { return member(string(name)) }, nil)
}

// elements walks the next value, if it is an array; any other is copied.
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

// look has walk take the next value, after it was looked at: is has the strings of those of its members that names
// names, or nil where the value is too long for that.
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
		is = told(f.begin.Bytes(), names)
	}
	f.in.Reset(io.MultiReader(&f.begin, value))
	f.editor.Reset(f.in, outer.Out())
	r.e = f.editor
	return walk(is)
}

// notString stands for a value that is no string.
const notString = "\x00"

// told returns the strings of those members of an object that names names. Of two of one name the one counts that makes
// it what a tool answered.
func told(object []byte, names []string) map[string]string {
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

// isOfTool reports whether a role or a type is that of what a tool answered.
func isOfTool(name string) bool {
	switch name {
	case "tool", "function", "tool_result", "function_result", "mcp_call":
		return true
	}
	const output = "_call_output"
	return len(name) > len(output) && name[len(name)-len(output):] == output
}

// isPlain reports whether a role is known, and is none of a tool's.
func isPlain(role string) bool { return role != "" && !isOfTool(role) }

// isOfUser reports whether a role is that of whoever asks.
func isOfUser(role string) bool { return role == "user" || role == "system" || role == "developer" }

// message takes one of the messages of a conversation.
func (r *request) message() error {
	return r.look([]string{"role"}, func(is map[string]string) error {
		role := is["role"]
		return r.members(func(name string) error {
			switch {
			case name == "role" && is == nil:
				text, err := r.e.Capture(longestName)
				role = gjson.ParseBytes(text).Str
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
				return r.e.Rewrite(r.clean.Text)
			}
			return r.e.Copy()
		})
	})
}

// longestName is how long a role, or a type, may be that is read where it stands, in bytes.
const longestName = 64

// block takes a part of a message, or of what stands in the place of one.
func (r *request) block(role string) error {
	if kind, err := r.e.Kind(); err != nil {
		return err
	} else if kind == jsonx.String && r.ofUser && isOfUser(role) {
		return r.e.Rewrite(r.clean.Text)
	}
	return r.look([]string{"type"}, func(is map[string]string) error {
		kind := is["type"]
		return r.members(func(name string) error {
			switch {
			case name == "type" && is == nil:
				text, err := r.e.Capture(longestName)
				kind = gjson.ParseBytes(text).Str
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

// ofContent takes a member of one of Gemini's contents.
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

// input takes what the model is asked: a text, or items.
func (r *request) input() error {
	if kind, err := r.e.Kind(); err != nil {
		return err
	} else if kind != jsonx.Array {
		return r.words()
	}
	return r.elements(func() error {
		return r.look([]string{"type", "role"}, func(is map[string]string) error {
			kind, role := is["type"], is["role"]
			return r.members(func(name string) error {
				switch {
				case (name == "type" || name == "role") && is == nil:
					text, err := r.e.Capture(longestName)
					if said := gjson.ParseBytes(text).Str; name == "type" {
						kind = said
					} else {
						role = said
					}
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

// words takes texts of the user: a string, or strings in a list or in its parts.
func (r *request) words() error {
	if !r.ofUser {
		return r.e.Copy()
	}
	kind, err := r.e.Kind()
	switch {
	case err != nil:
		return err
	case kind == jsonx.String:
		return r.e.Rewrite(r.clean.Text)
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

// result takes what a tool answered: a text, a list of parts, or an object of its own.
func (r *request) result() error {
	kind, err := r.e.Kind()
	switch {
	case err != nil:
		return err
	case kind == jsonx.String:
		return r.e.Rewrite(r.clean.Result)
	case kind == jsonx.Array:
		return r.elements(r.part)
	case kind == jsonx.Object:
		return r.free()
	}
	return r.e.Copy()
}

// part takes one of the parts that an answer of a tool is made of.
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

// isMedia has the types of parts that are no text, or that may be none.
var isMedia = map[string]bool{"image": true, "input_image": true, "image_url": true, "audio": true, "input_audio": true,
	"video": true, "document": true, "search_result": true, "input_file": true, "file": true,
	"computer_screenshot": true,
	"tool_reference":      true}

// ofText takes a member of a part that is a text.
func (r *request) ofText(name string) error {
	switch name {
	case "text":
		return r.result()
	case "type", "id", "cache_control":
		return r.e.Copy()
	}
	return r.json()
}

// ofMedia takes a member of a part that is a picture, or a document.
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

// json takes a value that is redacted as JSON.
func (r *request) json() error {
	kind, err := r.e.Kind()
	switch {
	case err != nil:
		return err
	case kind == jsonx.String:
		return r.e.Rewrite(r.clean.Text)
	case kind != jsonx.Object && kind != jsonx.Array:
		return r.e.Copy()
	}
	value, err := r.e.Value()
	if err != nil {
		return err
	}
	if _, err = io.Copy(r.e.Out(), r.clean.JSON(value)); err == nil {
		_, err = io.Copy(io.Discard, value) // what was not read
	}
	return err
}

// free takes an object whose members a tool has chosen: it is redacted as the JSON that it is, and then its texts are
// taken as results.
func (r *request) free() error {
	value, err := r.e.Value()
	if err != nil {
		return err
	}
	f, outer := r.frame(), r.e
	defer func() { r.e, r.depth = outer, r.depth-1 }()
	f.in.Reset(r.clean.JSON(value))
	f.editor.Reset(f.in, outer.Out())
	r.e = f.editor
	if err := r.texts(0); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, value) // what was not read
	return err
}

// deepestText is within how many arrays and objects a text of a free object is looked at by itself.
const deepestText = 64

// texts takes the strings in a value as results.
func (r *request) texts(depth int) error {
	kind, err := r.e.Kind()
	switch {
	case err != nil:
		return err
	case kind == jsonx.String:
		return r.e.Rewrite(r.clean.Result)
	case depth == deepestText:
		return r.e.Copy()
	case kind == jsonx.Array:
		return r.elements(func() error { return r.texts(depth + 1) })
	}
	return r.members(func(string) error { return r.texts(depth + 1) })
}

// source takes what a part of another kind is made of: a text, or the bytes of a picture or a document.
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
