package middleware

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// message is a message of JSON-RPC, in one line.
type message struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *jsonrpc.Error  `json:"error"`

	line []byte
}

// lineOf returns what makes a line of a message whose one member has this value, once its ID is known. Without a method
// it is an answer.
func lineOf(m message, member string, value any) (func(id int) []byte, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return nil, withheld(errors.New("it can't be written as JSON"))
	}
	return func(id int) []byte {
		line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,`, id)
		if m.Method != "" {
			line = fmt.Appendf(line, `"method":%q`, m.Method)
		}
		if m.Method != "" && string(body) != "null" {
			line = append(line, ',')
		}
		if m.Method == "" || string(body) != "null" {
			line = append(fmt.Appendf(line, `%q:`, member), body...)
		}
		return append(line, "}\n"...)
	}, nil
}

// parse reads what a proxy said. Nothing is said of a message that it drops.
func parse(line []byte) (*message, error) {
	m := &message{line: bytes.Clone(line)}
	if err := json.Unmarshal(m.line, m); err != nil {
		return nil, withheld(errors.New("what the server says is no message"))
	}
	return m, nil
}

// withheld is what a client or a handler gets in place of a message.
func withheld(why error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "kfw: withheld: " + why.Error()}
}

// wireError returns an error as the SDK sends it.
func wireError(err error) *jsonrpc.Error {
	if wire, isWire := err.(*jsonrpc.Error); isWire {
		return wire
	}
	wire := &jsonrpc.Error{Message: err.Error()}
	if inner, isWrapped := errors.AsType[*jsonrpc.Error](err); isWrapped {
		wire.Code = inner.Code
	}
	return wire
}

// result returns the result of the message, as a value of the type of another one.
func (m *message) result(like sdk.Result) (sdk.Result, error) {
	if m.Error != nil {
		return nil, m.Error
	}
	value, err := decoded(m.Result, like)
	if err != nil {
		return nil, err
	}
	result := value.(sdk.Result)
	result.SetMeta(like.GetMeta())
	switch result := result.(type) { // numbers and the order of members stay as they are
	case *sdk.CallToolResult:
		var raw struct {
			StructuredContent json.RawMessage `json:"structuredContent"`
		}
		err = json.Unmarshal(m.Result, &raw)
		if result.StructuredContent = nil; len(raw.StructuredContent) > 0 {
			result.StructuredContent = raw.StructuredContent
		}
	case *sdk.ListToolsResult:
		var raw struct {
			Tools []struct {
				InputSchema  json.RawMessage `json:"inputSchema"`
				OutputSchema json.RawMessage `json:"outputSchema"`
			} `json:"tools"`
		}
		err = json.Unmarshal(m.Result, &raw)
		for i, tool := range result.Tools {
			if tool.InputSchema = raw.Tools[i].InputSchema; len(raw.Tools[i].OutputSchema) > 0 {
				tool.OutputSchema = raw.Tools[i].OutputSchema
			}
		}
	}
	if err != nil {
		return nil, withheld(errors.New("its result can't be read again"))
	}
	return result, nil
}

// setParams gives a request the parameters of the message.
func (m *message) setParams(req sdk.Request) error {
	params := req.GetParams()
	value, err := decoded(m.Params, params)
	if err != nil {
		return err
	}
	field := reflect.ValueOf(req).Elem().FieldByName("Params")
	if !field.IsValid() || !field.CanSet() || !reflect.TypeOf(value).AssignableTo(field.Type()) {
		return withheld(errors.New("its parameters can't be replaced"))
	}
	value.(sdk.Params).SetMeta(params.GetMeta())
	field.Set(reflect.ValueOf(value))
	return nil
}

// decoded returns JSON as a value of the type that like points to.
func decoded(raw json.RawMessage, like any) (any, error) {
	value := reflect.New(reflect.TypeOf(like).Elem()).Interface()
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	if err := in.Decode(value); err != nil {
		return nil, withheld(errors.New("what is left of it can't be read"))
	}
	return value, nil
}
