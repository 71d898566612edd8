package expansion

import (
	"bytes"
	"errors"
	"fmt"
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
	filter *hosts.Filter   // what is written, and within which budget
	file   session.Session // that has the handles
	mu     sync.Mutex
	name   string
}

// NewTool returns the tool that reads on in the handles of a session.
func NewTool(filter *hosts.Filter, file session.Session) *Tool {
	return &Tool{filter: filter, file: file, name: "kfw_expand"}
}

// toolDefinition follows the name. It costs at most 150 tokens with it.
const toolDefinition = `,"description":"Read on in a result that kfw shortened. F i v C as in grep (RE2).",` +
	`"inputSchema":{"type":"object","properties":{"handle":{"type":"string"},` +
	`"offset":{},"limit":{},"lines":{"description":"A-B,C"},` +
	`"where":{"type":"string","description":"PATH=VALUE, also != < > ~"},` +
	`"grep":{"type":"string"},"F":{},"i":{},"v":{},"C":{},"count":{},"sort":{},"tail":{},` +
	`"fields":{"type":"string","description":"a,b.c"},"at":{}}},` +
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
	handle        string // empty for the last one
	offset, limit int
}

// expand writes a page of a handle.
func (t *Tool) expand(arguments []byte, out *bytes.Buffer) error {
	x, err := parseCall(arguments)
	if err != nil {
		return err
	}
	rules := t.filter.Rules
	page, err := x.Page(rules)
	if err != nil {
		return err
	}
	if page.Stored, err = Handle(t.file, x.handle); err != nil {
		return err
	}
	info := page.Stored.Info()
	if err := RedactedAs(info, rules.Groups()); err != nil {
		return err
	}
	page.Offset = x.offset
	found, notes, err := page.Known()
	if err != nil {
		return err
	}
	if found != "" {
		x.At = found
	}
	f := &pipeline.Firewall{
		Rules: rules, Handle: NamedHandle(info.ID), KeepsHidden: t.filter.KeepsHidden,
		Options: fit.Options{
			Plan: fit.Digest, Budget: fit.Budget{Tokens: t.filter.Budget, Mode: t.filter.Mode},
			Counter:  t.filter.Counter,
			Estimate: t.filter.Estimate,
			Limit:    x.limit, Filtered: page.IsSelection(), Names: page.Filter.Names(), Explain: t.filter.Explain,
			Standing: append(Standing(info), notes...),
		},
	}
	f.Encoding = encode.Text{}.ByTool(t.Name(), x.members())
	least := f.LeastPage()
	t.file.CountBy(t.filter.Counting)
	grant, err := t.file.Allocate(max(t.filter.Budget, least), least, t.filter.Describe("kfw_expand "+info.ID))
	if err != nil {
		return err
	}
	f.Ledger, f.Budget.Tokens = grant, grant.Tokens()
	if grant.SessionTotal() < session.NoTotal {
		f.Budget.SessionLeft, f.Budget.SessionTotal = grant.SessionLeft(), grant.SessionTotal()
	}
	return errors.Join(page.Write(f, out), grant.Close(0))
}

// parseCall reads the arguments of a call. An error quotes nothing of them.
func parseCall(arguments []byte) (x call, err error) {
	all := gjson.ParseBytes(arguments)
	if !all.IsObject() {
		return x, errors.New("the arguments are no object, or too large")
	}
	all.ForEach(func(name, value gjson.Result) bool {
		if value.Type == gjson.Null {
			return true
		}
		if err = x.take(strings.ReplaceAll(name.Str, "-", "_"), value); err == nil {
			return true
		}
		if !errors.Is(err, errUnknownArgument) {
			err = fmt.Errorf("%s: %w", name.Str, err)
		}
		return false
	})
	return x, err
}

var errUnknownArgument = errors.New("unknown argument: there are handle, offset, limit, lines, where, grep, F, i, w, v, C, " +
	"B, A, count, sort, tail, fields and at")

// take takes one argument, which is called as the flag is.
func (x *call) take(name string, value gjson.Result) (err error) {
	switch name {
	case "handle":
		return takeText(&x.handle, value)
	case "at":
		return takeText(&x.At, value)
	case "lines":
		if x.Lines = value.Raw; value.Type == gjson.Number {
			return nil
		}
		return takeText(&x.Lines, value)
	case "sort":
		return takeText(&x.Sort, value)
	case "where":
		return takeTexts(&x.Where, value)
	case "grep":
		return takeTexts(&x.Grep, value)
	case "fields":
		return takeTexts(&x.Fields, value)
	case "F", "fixed_strings":
		return takeFlag(&x.Fixed, value)
	case "i", "ignore_case":
		return takeFlag(&x.IgnoreCase, value)
	case "v", "invert_match":
		return takeFlag(&x.Invert, value)
	case "count":
		return takeFlag(&x.Count, value)
	case "w", "word_regexp":
		return takeFlag(&x.Words, value)
	case "C", "context":
		x.Context, err = count(value)
	case "B", "before_context":
		x.Before, err = count(value)
	case "A", "after_context":
		x.Behind, err = count(value)
	case "tail":
		x.Tail, err = count(value)
	case "offset":
		x.offset, err = count(value)
	case "limit":
		x.limit, err = count(value)
	default:
		return errUnknownArgument
	}
	return err
}

func takeText(to *string, value gjson.Result) error {
	if *to = value.Str; value.Type != gjson.String {
		return errors.New("not a text")
	}
	return nil
}

func takeTexts(to *[]string, value gjson.Result) error {
	if *to = texts(value); len(*to) == 0 {
		return errors.New("not a text")
	}
	return nil
}

func takeFlag(to *bool, value gjson.Result) error {
	switch value.String() { // some clients write them as strings
	case "true":
		*to = true
	case "false":
		*to = false
	default:
		return errors.New("not true or false")
	}
	return nil
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
	for _, text := range []struct{ name, value string }{{"at", x.At}, {"lines", x.Lines}, {"sort", x.Sort}} {
		if text.value != "" {
			add(text.name, text.value)
		}
	}
	add("where", x.Where...)
	add("grep", x.Grep...)
	add("fields", x.Fields...)
	for _, flag := range []struct {
		name  string
		isSet bool
	}{{"F", x.Fixed}, {"i", x.IgnoreCase}, {"w", x.Words}, {"v", x.Invert}} {
		if flag.isSet {
			b = fmt.Appendf(b, `,"%s":true`, flag.name)
		}
	}
	for _, number := range []struct {
		name string
		n    int
	}{{"C", x.Context}, {"B", x.Before}, {"A", x.Behind}, {"tail", x.Tail}, {"limit", x.limit}} {
		if number.n > 0 {
			b = fmt.Appendf(b, `,"%s":%d`, number.name, number.n)
		}
	}
	const most = 200 // bytes: more cost more than they save
	if len(b) > most {
		return ""
	}
	return string(b)
}
