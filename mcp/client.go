package mcp

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/jsonx"
)

const (
	// maxArguments is how large the arguments of a call may be that is answered here, in bytes.
	maxArguments = 32 << 10
	// maxLocal is how many calls are answered here at once. The client waits for more of them.
	maxLocal = 4
)

// request is what is known of a message of the client.
type request struct {
	call
	hasParams bool
	isOdd     bool   // a member is there twice: what it asks for is not known
	cancels   []byte // the ID of the request that it cancels
	isModern  bool   // it says the revision that it is of: from 2026-07-28 on
}

// ToServer passes on what the client says, byte for byte, until its end. Calls of the added tool are answered and not
// passed on. A server that no longer listens is no error: what the client says is read to its end.
func (p *Proxy) ToServer(client io.Reader, server io.Writer) error {
	read := &plainEOF{Reader: client}
	in := bufio.NewReaderSize(read, bufferSize)
	out := bufio.NewWriterSize(server, bufferSize)
	free := make(chan struct{}, maxLocal)
	e := jsonx.NewEditor(true)
	defer p.local.Wait()
	for {
		if _, err := in.Peek(1); err != nil {
			return read.err
		}
		r, err := p.readRequest(e, in, out, server)
		if err != nil { // of the server
			if fault.IsReaderGone(err) || errors.Is(err, os.ErrClosed) { // it no longer listens
				err = nil
			}
			_, readErr := io.Copy(io.Discard, in)
			return errors.Join(err, readErr, read.err)
		}
		if r == nil {
			continue
		}
		free <- struct{}{}
		p.local.Go(func() {
			p.answer(r)
			<-free
		})
	}
}

// readRequest passes one line on. It returns the request instead if the added tool answers it.
func (p *Proxy) readRequest(e *jsonx.Editor, in *bufio.Reader, out *bufio.Writer, server io.Writer) (local *request,
	err error) {
	e.Reset(in, out)
	var r request
	kind, err := e.Kind()
	switch {
	case err != nil:
	case kind == jsonx.Object:
		if err = r.read(e); err == nil {
			if e.Offset() < bufferSize && p.isLocal(&r) { // nothing of it has left the buffer
				out.Reset(io.Discard)
				local = &r
			} else {
				p.register(&r) // before the server has all of it
			}
		}
	case kind == jsonx.Array: // a batch, of revision 2025-03-26
		err = e.Array(func(int) error { return p.readOneOfBatch(e) }, nil)
	default:
		err = e.Copy()
	}
	if err == nil {
		_, err = e.End()
	}
	if local != nil {
		out.Reset(server)
	}
	if _, isBroken := errors.AsType[*jsonx.SyntaxError](err); isBroken { // that is for the server to complain of
		local = nil
		p.calls.miss()
		if err = e.Keep(); err == nil {
			err = copyLine(out, in)
		}
	}
	if err != nil || local != nil {
		return local, err
	}
	return nil, out.Flush()
}

func (p *Proxy) readOneOfBatch(e *jsonx.Editor) error {
	kind, err := e.Kind()
	if err != nil {
		return err
	}
	if kind != jsonx.Object {
		return e.Copy()
	}
	var r request
	if err := r.read(e); err != nil {
		return err
	}
	p.register(&r)
	return nil
}

// copyLine copies the rest of a line.
func copyLine(to *bufio.Writer, from *bufio.Reader) error {
	for {
		b, err := from.ReadSlice('\n')
		if _, err := to.Write(b); err != nil {
			return err
		}
		switch {
		case err == nil, err == io.EOF:
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// read copies a message, and remembers what says how its answer is treated.
func (r *request) read(e *jsonx.Editor) error {
	seen := make(map[string]bool, 4)
	return e.Object(func(name []byte) (err error) {
		switch string(name) {
		case "id", "method", "params":
			r.isOdd = r.isOdd || seen[string(name)]
			seen[string(name)] = true
		}
		switch string(name) {
		case "id":
			if r.id, err = e.Capture(maxID); r.id == nil {
				r.isOdd = true
			}
			return err
		case "method":
			r.method, err = captureString(e)
			return err
		case "params":
			return r.readParams(e)
		}
		return e.Copy()
	}, nil)
}

func (r *request) readParams(e *jsonx.Editor) error {
	kind, err := e.Kind()
	if err != nil {
		return err
	}
	r.isFirst, r.hasParams = true, true
	if kind != jsonx.Object {
		return e.Copy()
	}
	return e.Object(func(name []byte) (err error) {
		switch string(name) {
		case "name":
			r.isOdd = r.isOdd || r.Tool != ""
			r.Tool, err = captureString(e)
			return err
		case "requestId":
			r.cancels, err = e.Capture(maxID)
			return err
		case "arguments":
			r.Arguments, err = e.Capture(maxArguments)
			return err
		case "cursor":
			cursor, err := e.Capture(maxID)
			r.isFirst = string(cursor) == "null" || string(cursor) == `""`
			return err
		case "_meta":
			return r.readMeta(e)
		}
		return e.Copy()
	}, nil)
}

// readMeta looks for the revision that a request of a modern client names.
func (r *request) readMeta(e *jsonx.Editor) error {
	kind, err := e.Kind()
	if err != nil {
		return err
	}
	if kind != jsonx.Object {
		return e.Copy()
	}
	return e.Object(func(name []byte) error {
		r.isModern = r.isModern || string(name) == "io.modelcontextprotocol/protocolVersion"
		return e.Copy()
	}, nil)
}

// maxWord is how many bytes the name of a method or a tool may have that is known by it.
const maxWord = 1 << 10

// captureString copies the next value, and returns it if it is a short string.
func captureString(e *jsonx.Editor) (string, error) {
	value, err := e.Capture(maxWord)
	if len(value) < 2 || value[0] != '"' {
		return "", err
	}
	return string(jsonx.AppendUnescaped(nil, value[1:len(value)-1])), err
}

// register remembers a request.
func (p *Proxy) register(r *request) {
	switch {
	case r.method == "notifications/cancelled":
		p.calls.take(r.cancels)
		return
	case r.isOdd:
		p.calls.miss()
	}
	if r.id == nil || r.method == "" {
		return
	}
	one := r.call
	if r.isOdd {
		one.Call = Call{}
	}
	one.isFirst = r.method == methodList && (r.isFirst || !r.hasParams)
	if r.method != methodCall {
		one.Call = Call{}
	}
	p.calls.add(one)
}

// isLocal reports whether a request calls the added tool.
func (p *Proxy) isLocal(r *request) bool {
	return p.Tool != nil && r.id != nil && r.method == methodCall && r.Tool == p.Tool.Name()
}

// answer answers a call of the added tool.
func (p *Proxy) answer(r *request) {
	text, isError := p.Tool.Call(r.Arguments)
	line := append([]byte(`{"jsonrpc":"2.0","id":`), r.id...)
	line = append(line, `,"result":{`...)
	if r.isModern {
		line = append(line, `"resultType":"complete",`...)
	}
	line = append(jsonx.AppendString(append(line, `"content":[{"type":"text","text":`...), text), "}]"...)
	if isError {
		line = append(line, `,"isError":true`...)
	}
	line = append(line, "}}\n"...)
	p.say(line)
}

// say writes a message of the proxy itself to the client.
func (p *Proxy) say(line []byte) {
	err := p.client.message(func(w io.Writer) error {
		_, err := w.Write(line)
		return err
	})
	if err != nil {
		p.Note("the client does not listen: " + err.Error())
	}
}
