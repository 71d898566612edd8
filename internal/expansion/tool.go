package expansion

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/session"
)

// Tool is kfw expand as a tool of the MCP server that kfw stands in front of. It implements mcp.Tool.
type Tool struct {
	filter *hosts.Filter // what is written, and within which budget
	file   *session.File // that has the handles
	mu     sync.Mutex
	name   string
}

// NewTool returns the tool that reads on in the handles of a session.
func NewTool(filter *hosts.Filter, file *session.File) *Tool {
	return &Tool{filter: filter, file: file, name: "kfw_expand"}
}

// toolDefinition follows the name. It costs at most 150 tokens with it.
const toolDefinition = `,"description":"Read on in a result that kfw shortened. Its last lines name the handle.",` +
	`"inputSchema":{"type":"object","properties":{"handle":{"type":"string"},` +
	`"offset":{"type":"integer","description":"chunks to skip"},"limit":{"type":"integer"},` +
	`"where":{"type":"string","description":"PATH=VALUE, also != < > ~"},` +
	`"grep":{"type":"string","description":"only chunks with this text"},` +
	`"fields":{"type":"string","description":"a,b.c"},"at":{"type":"string"}},"required":["handle"]},` +
	`"annotations":{"readOnlyHint":true}}`

// Name implements mcp.Tool.
func (t *Tool) Name() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.name
}

// SetName implements mcp.Tool.
func (t *Tool) SetName(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.name = name
}

// Define implements mcp.Tool.
func (t *Tool) Define() []byte {
	return append(jsonx.AppendString([]byte(`{"name":`), t.Name()), toolDefinition...)
}

// Call implements mcp.Tool.
func (t *Tool) Call(arguments []byte) (text []byte, isError bool) {
	defer func() {
		if recover() != nil { // what it panics with may quote the handle
			text, isError = []byte("kfw: kfw failed"), true
		}
	}()
	var shown bytes.Buffer
	if err := t.expand(arguments, &shown); err != nil {
		return []byte("kfw: " + terminal.Printable(terminal.Message(err))), true
	}
	return shown.Bytes(), false
}

// call is what a call asks for.
type call struct {
	Filtering
	handle        string
	offset, limit int
}

// expand writes a page of a handle.
func (t *Tool) expand(arguments []byte, out *bytes.Buffer) error {
	x, err := parseCall(arguments)
	if err != nil {
		return err
	}
	rules := t.filter.Rules
	filter, err := x.Filter(rules)
	if err != nil {
		return err
	}
	at, err := x.Place(rules)
	if err != nil {
		return err
	}
	stored, err := t.file.Handle(x.handle)
	if errors.Is(err, fs.ErrNotExist) {
		err = &session.Gone{ID: x.handle, Reason: "unknown"}
	}
	if err != nil {
		return err
	}
	if err := RedactedAs(stored.Info(), rules.Groups()); err != nil {
		return err
	}
	page := &Page{Stored: stored, Rules: rules, Offset: x.offset, At: at, Filter: filter}
	found, err := page.Known()
	if err != nil {
		return err
	}
	f := &pipeline.Firewall{
		Rules: rules, Handle: NamedHandle(x.handle), KeepsHidden: t.filter.KeepsHidden,
		Options: fit.Options{
			Plan: fit.Digest(), Budget: fit.Budget{Tokens: t.filter.Budget, Mode: t.filter.Mode},
			Counter:  t.filter.Counter,
			Estimate: t.filter.Estimate,
			Limit:    x.limit, Filtered: page.At != nil || !filter.IsEmpty(), Explain: t.filter.Explain,
			Standing: Standing(stored.Info()),
		},
	}
	if found != "" {
		x.At = found
		f.Standing = append(f.Standing, pipeline.Warning{What: "the records are at " + found})
	}
	f.Encoding = encode.Text{}.ByTool(t.Name(), x.members())
	least := f.LeastPage()
	t.file.CountBy(t.filter.Counting)
	grant, err := t.file.Allocate(max(t.filter.Budget, least), least, t.filter.Describe("kfw_expand "+x.handle))
	if err != nil {
		return err
	}
	f.Ledger, f.Budget.Tokens = grant, grant.Tokens()
	if grant.SessionTotal() < session.NoTotal {
		f.Budget.SessionLeft, f.Budget.SessionTotal = grant.SessionLeft(), grant.SessionTotal()
	}
	return errors.Join(f.Page(page.Chunks, page, out), grant.Close(0))
}

// parseCall reads the arguments of a call. An error quotes nothing of them.
func parseCall(arguments []byte) (x call, err error) {
	all := gjson.ParseBytes(arguments)
	if !all.IsObject() {
		return x, errors.New("the arguments are no object, or too large")
	}
	all.ForEach(func(name, value gjson.Result) bool {
		texts := texts(value)
		isText := len(texts) > 0
		switch name.Str {
		case "handle":
			isText = isText && value.Type == gjson.String
			x.handle = value.Str
		case "at":
			isText = isText && value.Type == gjson.String
			x.At = value.Str
		case "where":
			x.Where = texts
		case "grep":
			x.Grep = texts
		case "fields":
			x.Fields = texts
		case "offset":
			x.offset, err = count(value)
			isText = true
		case "limit":
			x.limit, err = count(value)
			isText = true
		default:
			err = errors.New("unknown argument: there are handle, offset, limit, where, grep, fields and at")
			return false
		}
		if err == nil && !isText && value.Type != gjson.Null {
			err = errors.New("not a text")
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", name.Str, err)
		}
		return err == nil
	})
	if err == nil && x.handle == "" {
		err = errors.New("handle: it is missing")
	}
	return x, err
}

// texts returns a string, or an array of them.
func texts(value gjson.Result) (all []string) {
	if value.Type == gjson.String {
		return []string{value.Str}
	}
	if !value.IsArray() {
		return nil
	}
	for _, one := range value.Array() {
		if one.Type != gjson.String {
			return nil
		}
		all = append(all, one.Str)
	}
	return all
}

// mostChunks is the largest number of chunks that a call may name.
const mostChunks = 1 << 40

// count returns a number of chunks; some clients write numbers as strings.
func count(value gjson.Result) (int, error) {
	if value.Type == gjson.Null {
		return 0, nil
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(value.String()), 64)
	if err != nil || n < 0 || n > mostChunks || n != float64(int(n)) {
		return 0, errors.New("not a number of chunks")
	}
	return int(n), nil
}

// members returns the arguments that the next page is asked for with, each with a comma before it.
func (x *call) members() string {
	var b []byte
	add := func(name string, values ...string) {
		for i, value := range values {
			if i == 0 {
				b = append(b, `,"`+name+`":`...)
			}
			if len(values) > 1 {
				b = append(b, "[,"[min(i, 1)])
			}
			b = jsonx.AppendString(b, value)
		}
		if len(values) > 1 {
			b = append(b, ']')
		}
	}
	if x.At != "" {
		add("at", x.At)
	}
	add("where", x.Where...)
	add("grep", x.Grep...)
	add("fields", x.Fields...)
	if x.limit > 0 {
		b = fmt.Appendf(b, `,"limit":%d`, x.limit)
	}
	const most = 200 // bytes: more cost more than they save
	if len(b) > most {
		return ""
	}
	return string(b)
}
