package middleware

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/expansion"
	"github.com/kfw-dev/kfw/internal/mcp/results"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/mcp"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

// toolName is what the added tool is called, unless a tool of the server has the name.
const toolName = "kfw_expand"

// maxOwners is how many owners have their handles kept. With more of them, the one that asked longest ago loses its
// own.
const maxOwners = 1024

// owner is what is kept for a client: its handles, and a proxy whose server is one message, and whose client a buffer.
type owner struct {
	proxy *mcp.Proxy
	file  *file.Session
	said  bytes.Buffer // by the proxy to the client
	used  int          // number of the last message
}

// exchange is a request whose answer is awaited.
type exchange struct {
	*owner
	id int
}

// errClosed is what is said once the guard is closed.
var errClosed = errors.New("kfw: withheld: the guard is closed")

// ask tells the proxy of a request. answered is what it says to it, if it answers by itself.
func (g *Guard) ask(ctx context.Context, method string, req sdk.Request) (x exchange, answered *message, err error) {
	line, err := lineOf(message{Method: method}, "params", req.GetParams())
	if err != nil {
		return x, nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if x.owner, err = g.owner(ctx, req); err != nil {
		return x, nil, err
	}
	x.id = g.number
	x.said.Reset()
	if err := x.proxy.ToServer(bytes.NewReader(line(x.id)), io.Discard); err != nil {
		return x, nil, withheld(err)
	}
	if x.said.Len() > 0 {
		answered, err = parse(x.said.Bytes())
	}
	return x, answered, err
}

// answer returns what the proxy lets pass of the answer to a request.
func (g *Guard) answer(x exchange, result sdk.Result, failed error) (sdk.Result, error) {
	member, value := "result", any(result)
	if failed != nil {
		member, value = "error", wireError(failed)
	}
	line, err := lineOf(message{}, member, value)
	if err != nil {
		return nil, err
	}
	redacted, err := g.pass(x.owner, line(x.id))
	switch {
	case err != nil:
		return nil, err
	case failed != nil && bytes.Equal(redacted.line, line(x.id)):
		return nil, failed
	case redacted.Error != nil:
		return nil, redacted.Error
	case failed != nil:
		return nil, withheld(errors.New("an error became no error"))
	case bytes.Equal(redacted.line, line(x.id)):
		return result, nil
	}
	return redacted.result(result)
}

// say replaces the parameters of a request or notice of the server by what the proxy lets pass of them.
func (g *Guard) say(ctx context.Context, method string, req sdk.Request) error {
	line, err := lineOf(message{Method: method}, "params", req.GetParams())
	if err != nil {
		return err
	}
	g.mu.Lock()
	o, err := g.owner(ctx, req)
	id := g.number
	g.mu.Unlock()
	if err != nil {
		return err
	}
	redacted, err := g.pass(o, line(id))
	if err != nil || bytes.Equal(redacted.line, line(id)) {
		return err
	}
	return redacted.setParams(req)
}

// pass returns what the proxy makes of a message of the server.
func (g *Guard) pass(o *owner, line []byte) (*message, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, errClosed
	}
	o.said.Reset()
	if err := o.proxy.ToClient(bytes.NewReader(line)); err != nil {
		return nil, withheld(err)
	}
	return parse(o.said.Bytes())
}

// owner returns who a message is for, and counts the message.
func (g *Guard) owner(ctx context.Context, req sdk.Request) (*owner, error) {
	if g.closed {
		return nil, errClosed
	}
	g.number++
	var key any = req.GetSession()
	if g.options.Owner != nil {
		key = g.options.Owner(ctx, req)
	}
	o := g.owners[key]
	if o == nil {
		if len(g.owners) >= maxOwners {
			g.forgetOldest()
		}
		o = g.newOwner()
		g.owners[key] = o
		if connection, isOne := key.(*sdk.ServerSession); isOne {
			go func() {
				_ = connection.Wait() // however it ended
				g.mu.Lock()
				defer g.mu.Unlock()
				if !g.closed && g.owners[key] == o {
					g.forget(key, o)
				}
			}()
		}
	}
	o.used = g.number
	return o, nil
}

func (g *Guard) forgetOldest() {
	var oldest any
	for key, o := range g.owners {
		if oldest == nil || o.used < g.owners[oldest].used {
			oldest = key
		}
	}
	g.forget(oldest, g.owners[oldest])
}

// forget removes the handles of an owner.
func (g *Guard) forget(key any, o *owner) {
	delete(g.owners, key)
	err := o.file.Close()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if removeErr := os.Remove(o.file.Path() + suffix); !errors.Is(removeErr, os.ErrNotExist) {
			err = errors.Join(err, removeErr)
		}
	}
	if err != nil {
		g.options.Note("mcp: handles are not removed: " + terminal.Message(err))
	}
}

func (g *Guard) newOwner() *owner {
	set := g.options
	o := &owner{file: file.At(filepath.Join(g.dir, fmt.Sprintf("%d.kfw", g.number)),
		session.Settings{Total: session.NoTotal})}
	tool := expansion.NewTool(&hosts.Filter{Rules: set.Rules, Whole: set.Rules, Counter: g.counter,
		Counting: set.Tokenizer, Budget: set.Budget, Explain: explain, Describe: terminal.Sayable}, o.file)
	filter := results.New(results.Options{Rules: set.Rules, Whole: set.Rules, Policies: set.Policies, Counter: g.counter,
		Counting: set.Tokenizer, Budget: set.Budget, Session: o.file, Note: set.Note, Explain: explain,
		Encoding: func() pipeline.Encoding { return encode.Text{}.ByTool(tool.Name(), "") }, Describe: terminal.Sayable})
	o.proxy = &mcp.Proxy{Redactor: filter, Fitter: filter, Tool: tool, Spool: g.dir, Note: set.Note,
		KeepsStructured: set.KeepsStructured}
	o.proxy.Open(&o.said)
	return o
}
