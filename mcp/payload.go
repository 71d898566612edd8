package mcp

import (
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/media"
	"github.com/kfw-dev/kfw/internal/spool"
)

// message is what the first pass finds in a message of the server.
type message struct {
	isBatch   bool
	id        []byte // nil if it has not come yet, or there is none
	method    string // of a request or a notice; empty if it has not come yet
	hasResult bool
	hasError  bool
	hasTools  bool // it lists tools
	answers   call // the request that it answers, once that was looked for

	texts      int             // in the content of the result, those that are empty left out
	result     Result          // that they are measured by; nil if there is none
	structured span            // of the structured content in the spool, if it is still there
	alone      Result          // that measures it, as the only text
	unfit      bool            // structured content that can't be kept redacted
	isRaw      bool            // the result is as it was: it is that of a tool with that treatment
	taken      map[string]bool // names of tools that the added one can't have
}

// span is a part of the spool.
type span struct{ begin, end int64 }

func (s span) isEmpty() bool { return s.begin == s.end }

// redactor is the first pass over one line.
type redactor struct {
	*Proxy
	e     *jsonx.Editor
	spool *spool.Spool
	held  *held // what e writes to
	m     *message

	isAsked bool // the URI of an item is the one that the client has asked for
	values  *int // that were looked at one by one
}

// line takes a whole line.
func (r *redactor) line() error {
	kind, err := r.e.Kind()
	switch {
	case err != nil:
		return err
	case kind == jsonx.Object:
		return r.message()
	case kind == jsonx.Array:
		r.m.isBatch = true
		return r.e.Array(func(int) error {
			one := *r
			one.m = &message{isBatch: true}
			if kind, err := r.e.Kind(); err != nil || kind != jsonx.Object {
				return notMessage(err)
			}
			return one.message()
		}, nil)
	}
	return notMessage(nil)
}

// errNotMessage is a line that is JSON, and no message.
type errNotMessage struct{}

func (errNotMessage) Error() string { return "not a message of JSON-RPC" }

func notMessage(err error) error {
	if err != nil {
		return err
	}
	return errNotMessage{}
}

// errTwice is a message with two members of one name, of which a client could take either.
type errTwice struct{}

func (errTwice) Error() string { return "a member of the message is there twice" }

func (r *redactor) message() error {
	e, m := r.e, r.m
	seen := make(map[string]bool, 4)
	return e.Object(func(name []byte) (err error) {
		switch string(name) {
		case "id", "method", "params", "result", "error":
			if seen[string(name)] {
				return errTwice{}
			}
			seen[string(name)] = true
		}
		switch string(name) {
		case "id":
			m.id, err = e.Capture(maxID)
			return err
		case "method":
			m.method, err = captureString(e)
			return err
		case "result":
			m.hasResult = true
			return r.result()
		case "error":
			m.hasError = true
			return r.object(r.error)
		case "params":
			return r.params(m.method)
		}
		return e.Copy()
	}, nil)
}

// object walks the next value if it is an object. Any other stands where a payload may be, so it is redacted.
func (r *redactor) object(member func(name string) error) error {
	kind, err := r.e.Kind()
	if err != nil {
		return err
	}
	if kind != jsonx.Object {
		return r.json()
	}
	return r.e.Object(func(name []byte) error { return member(string(name)) }, nil)
}

// array is the same for arrays.
func (r *redactor) array(element func() error) error {
	kind, err := r.e.Kind()
	if err != nil {
		return err
	}
	if kind != jsonx.Array {
		return r.json()
	}
	return r.e.Array(func(int) error { return element() }, nil)
}

func (r *redactor) error(name string) error {
	kind, err := r.e.Kind()
	switch {
	case err != nil:
		return err
	case name == "code" && kind == jsonx.Number:
		return r.e.Copy()
	}
	return r.member(name)
}

// params takes the parameters of a request or a notice of the server. Where the method has not come yet, the names of
// the payloads of all of them count.
func (r *redactor) params(method string) error {
	is := func(one string) bool { return method == one || method == "" }
	if !is("notifications/message") && !is("notifications/progress") && !is("elicitation/create") &&
		!is("sampling/createMessage") && !is("notifications/tasks") && !is("notifications/tasks/status") {
		return r.e.Copy()
	}
	isNotice := method == "notifications/message" || method == "notifications/progress"
	isTask := is("notifications/tasks") || is("notifications/tasks/status")
	return r.object(func(name string) error {
		switch {
		case isTask && isOfTask(name):
			return r.task(name)
		case name == "data" && is("notifications/message"):
			return r.json()
		case isNotice && !isOfProtocol(name):
			return r.member(name)
		case name == "message" && (is("notifications/progress") || is("elicitation/create")),
			name == "systemPrompt" && is("sampling/createMessage"):
			return r.text(nil)
		case name == "messages" && is("sampling/createMessage"):
			return r.messages()
		}
		return r.e.Copy()
	})
}

// messages takes those of a prompt, or of a request to sample.
func (r *redactor) messages() error {
	return r.array(func() error {
		return r.object(func(name string) error {
			if name == "content" {
				return r.content(nil)
			}
			return r.e.Copy()
		})
	})
}

// result takes the result of any request: by the names of its members, as the request may not be known yet.
func (r *redactor) result() error {
	if r.passes() {
		return r.e.Copy()
	}
	return r.object(func(name string) error {
		switch name {
		case "content":
			return r.content(r.measure)
		case "structuredContent":
			return r.structured()
		case "tools":
			r.m.hasTools = true
			r.m.taken = make(map[string]bool)
			return r.tools()
		}
		return r.payload(name)
	})
}

// payload takes a member of a result that is none of a tool's, or of one within a task.
func (r *redactor) payload(name string) error {
	switch name {
	case "content":
		return r.content(nil)
	case "structuredContent", "toolResult": // the second one is of revision 2024-10-07
		return r.member(name)
	case "task": // of a call that goes on
		return r.object(r.payload)
	case "contents": // of resources/read
		asked := *r
		asked.isAsked = true
		return r.held.list(func() error { return r.array(func() error { return asked.item(nil) }) })
	case "messages": // of prompts/get
		return r.messages()
	}
	if isOfTask(name) {
		return r.task(name)
	}
	if !isOfProtocol(name) && r.mayBeOfTool() {
		return r.member(name)
	}
	return r.e.Copy()
}

// isOfProtocol reports whether the protocol has a member of this name without a payload, in a result of a tool, in a
// task or in a notice. Any other member there is looked at.
func isOfProtocol(name string) bool {
	switch name {
	case "_meta", "isError", "resultType", "requestState", "nextCursor",
		"taskId", "status", "createdAt", "lastUpdatedAt", "ttl", "ttlMs", "pollInterval", "pollIntervalMs",
		"level", "logger", "progressToken", "progress", "total":
		return true
	}
	return false
}

// isOfTask reports whether a member of a task may have a payload (the extension io.modelcontextprotocol/tasks).
func isOfTask(name string) bool {
	return name == "result" || name == "error" || name == "inputRequests" || name == "statusMessage"
}

// task takes such a member.
func (r *redactor) task(name string) error {
	switch name {
	case "result":
		return r.object(r.payload)
	case "error":
		return r.object(r.error)
	case "inputRequests":
		return r.object(func(string) error { return r.inputRequest() })
	}
	return r.member(name)
}

// passes reports whether the result is of a tool whose results pass as they are. Where the ID has
// not come yet, that holds for every call that waits, and is looked at again when the ID has come.
func (r *redactor) passes() bool {
	if r.m.isBatch {
		return false
	}
	all, isAll := r.calls.candidates(r.m.id)
	for _, one := range all {
		if !r.passesRaw(one) {
			return false
		}
	}
	r.m.isRaw = isAll && len(all) > 0
	return r.m.isRaw
}

// passesRaw reports whether what answers a call passes as it is.
func (p *Proxy) passesRaw(one call) bool {
	return one.method == methodCall && p.Fitter.Treatment(one.Tool) == Pass
}

// isOfTool reports whether the result is in any case what a tool gave.
func (r *redactor) isOfTool() bool {
	all, _ := r.calls.candidates(r.m.id)
	for _, one := range all {
		if !one.isTool() {
			return false
		}
	}
	return true
}

// mayBeOfTool reports whether the result may be what a tool gave.
func (r *redactor) mayBeOfTool() bool {
	all, isAll := r.calls.candidates(r.m.id)
	return !isAll || slices.ContainsFunc(all, func(one call) bool { return one.isTool() })
}

// inputRequest takes one request of the server in a result, as revision 2026-07-28 has them.
func (r *redactor) inputRequest() error {
	method := ""
	return r.object(func(name string) (err error) {
		switch name {
		case "method":
			method, err = captureString(r.e)
			return err
		case "params":
			return r.params(method)
		}
		return r.e.Copy()
	})
}

// measure returns what measures the next text of the result.
func (r *redactor) measure() io.Writer {
	m := r.m
	if m.isBatch {
		return &textCount{io.Discard, m, false}
	}
	return &textCount{m.result.Measure(), m, false}
}

// textCount counts a text that is not empty.
type textCount struct {
	to        io.Writer
	m         *message
	isCounted bool
}

func (c *textCount) Write(b []byte) (int, error) {
	if !c.isCounted {
		c.m.texts++
		c.isCounted = true
	}
	return c.to.Write(b)
}

// content takes content: a list of items, one, or a text. measure, if not nil, returns what gets each of its texts.
func (r *redactor) content(measure func() io.Writer) error {
	kind, err := r.e.Kind()
	if err != nil {
		return err
	}
	switch kind {
	case jsonx.Array:
		if measure != nil && !r.m.isBatch && r.m.result == nil {
			r.m.result = r.Fitter.Begin() // what is redacted from here on is of it
		}
		return r.held.list(func() error { return r.e.Array(func(int) error { return r.item(measure) }, nil) })
	case jsonx.String:
		return r.text(nil)
	}
	return r.item(nil)
}

// item takes one item of content, of any type: of types that are not known, too.
func (r *redactor) item(measure func() io.Writer) error {
	return r.object(func(name string) error {
		kind, err := r.e.Kind()
		if err != nil {
			return err
		}
		isString, isNested := kind == jsonx.String, kind == jsonx.Object || kind == jsonx.Array
		switch {
		case name == "_meta", name == "annotations":
		case name == "text" && isString && (measure != nil || r.held.isHolding):
			return r.text(measure)
		case name == "resource" && kind == jsonx.Object:
			return r.item(measure)
		case name == "content" && isNested: // of the result of a tool, in a request to sample
			return r.content(nil)
		case isString && (name == "type" || name == "mimeType" || name == "uri" && r.isAsked):
		case isString && (name == "uri" || name == "name"):
			return r.e.Rewrite(r.Redactor.Text)
		case isString && (name == "data" || name == "blob"):
			return r.e.Rewrite(func(text io.Reader) io.Reader { return media.Filter(text, r.Redactor.Text) })
		default:
			return r.member(name)
		}
		return r.e.Copy()
	})
}

// maxValues is how many values of unknown members are redacted one by one in a message. One by one
// is slower than as many bytes in one value.
const maxValues = 10_000

// errValues is a message with more of them.
type errValues struct{}

func (errValues) Error() string {
	return fmt.Sprintf("it has more than %d values of kinds that are not known", maxValues)
}

// count counts a value that is looked at by itself.
func (r *redactor) count() error {
	if *r.values++; *r.values > maxValues {
		return errValues{}
	}
	return nil
}

// member has the value of a member redacted as JSON, with its name: that may say what the value is.
// A name that is itself a secret is an error, as the name can't be changed.
func (r *redactor) member(name string) error {
	if err := r.count(); err != nil {
		return err
	}
	redacted, err := io.ReadAll(r.Redactor.Text(strings.NewReader(name)))
	if err != nil {
		return err
	}
	if string(redacted) != name {
		return errName{}
	}
	value, err := r.e.Value()
	if err != nil {
		return err
	}
	before := string(append(jsonx.AppendString([]byte{'{'}, []byte(name)), ':'))
	named := r.Redactor.JSON(io.MultiReader(strings.NewReader(before), value, strings.NewReader("}")))
	inner := &within{to: r.e.Out(), skip: len(before)}
	if _, err := io.Copy(inner, named); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, value) // what the redactor did not read
	return err
}

// errName is a member whose name has something to redact.
type errName struct{}

func (errName) Error() string { return "the name of a member has something to redact" }

// within passes on what is written, without its first bytes and its last one.
type within struct {
	to      io.Writer
	skip    int
	last    byte
	hasLast bool
}

func (w *within) Write(b []byte) (int, error) {
	all := len(b)
	skipped := min(w.skip, len(b))
	w.skip -= skipped
	if b = b[skipped:]; len(b) == 0 {
		return all, nil
	}
	if w.hasLast {
		if _, err := w.to.Write([]byte{w.last}); err != nil {
			return 0, err
		}
	}
	w.last, w.hasLast = b[len(b)-1], true
	if _, err := w.to.Write(b[:len(b)-1]); err != nil {
		return 0, err
	}
	return all, nil
}

// text redacts the next value, which is a string. measure, if not nil, returns a writer of the redacted text.
func (r *redactor) text(measure func() io.Writer) error {
	kind, err := r.e.Kind()
	if err != nil {
		return err
	}
	if kind != jsonx.String {
		return r.json()
	}
	redact := func(text io.Reader) io.Reader {
		redacted := r.Redactor.Text(text)
		if measure != nil {
			redacted = io.TeeReader(redacted, measure())
		}
		return redacted
	}
	if r.held.isHolding {
		return r.held.rewrite(r.e, measure, redact)
	}
	return r.e.Rewrite(redact)
}

// json has the next value redacted, whatever it is.
func (r *redactor) json() error {
	kind, err := r.e.Kind()
	if err != nil {
		return err
	}
	if kind == jsonx.String {
		return r.text(nil)
	}
	if err := r.count(); err != nil {
		return err
	}
	return r.value(nil, io.Discard)
}

// value has the next value redacted as JSON. before gets it as it was, after what becomes of it.
func (r *redactor) value(before, after io.Writer) error {
	value, err := r.e.Value()
	if err != nil {
		return err
	}
	source := value
	if before != nil {
		source = io.TeeReader(value, before)
	}
	if _, err := io.Copy(io.MultiWriter(r.e.Out(), after), r.Redactor.JSON(source)); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, value) // what the redactor did not read
	return err
}

// structured takes structured content.
func (r *redactor) structured() error {
	m := r.m
	if r.KeepsStructured {
		all, _ := r.calls.candidates(m.id)
		limited := r.limits.of(all)
		seed := maphash.MakeSeed()
		before, after := newSkeleton(limited, seed), newSkeleton(limited, seed)
		if err := r.value(before, after); err != nil {
			return err
		}
		m.unfit = m.unfit || before.sum() != after.sum()
		return nil
	}
	if m.isBatch {
		return r.json()
	}
	if m.texts > 0 && r.isOfTool() {
		return r.e.Drop()
	}
	if err := r.e.Keep(); err != nil {
		return err
	}
	m.structured.begin = r.spool.Size()
	if m.alone != nil {
		if err := m.alone.Close(); err != nil {
			return err
		}
	}
	m.alone = r.Fitter.Begin()
	if err := r.value(nil, m.alone.Measure()); err != nil {
		return err
	}
	m.structured.end = r.spool.Size()
	return nil
}

// tool takes an entry of a list of tools.
func (r *redactor) tool() error {
	name, limited := "", limitedNames{}
	err := r.object(func(member string) (err error) {
		switch {
		case member == "name":
			name, err = captureString(r.e)
			return err
		case member == "outputSchema" && !r.KeepsStructured:
			return r.e.Drop()
		case member == "outputSchema":
			schema, err := r.e.Capture(maxSchema)
			limited = limitedBy(schema)
			return err
		}
		return r.e.Copy()
	})
	if err != nil {
		return err
	}
	if r.KeepsStructured {
		r.limits.set(name, limited)
	}
	if strings.HasPrefix(name, toolPrefix) {
		r.m.taken[name] = true
	}
	return nil
}

// toolPrefix is what the name of the added tool begins with.
const toolPrefix = "kfw_"

// tools takes a list of tools. The added one is called so that no other has its name.
func (r *redactor) tools() error {
	if err := r.array(r.tool); err != nil || r.Tool == nil {
		return err
	}
	first := r.Tool.Name()
	name := first
	for i := 2; r.m.taken[name]; i++ {
		name = first + "_" + strconv.Itoa(i)
	}
	if name != first {
		r.Tool.SetName(name)
	}
	return nil
}
