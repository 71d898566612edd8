// Package middleware puts kfw into a server of the Model Context Protocol that is written in Go with the official SDK,
// github.com/modelcontextprotocol/go-sdk. The program kfw does not use it.
//
//	guard, err := middleware.New(middleware.Options{Budget: 4000})
//	defer guard.Close()
//	guard.Protect(server)
//
// What the handlers of the server return goes through the proxy of package mcp: texts are redacted, a result that is
// longer than its budget becomes a page with a handle, and the tool kfw_expand, which is added to those of the server,
// reads the rest. Errors, resources, prompts, log messages, progress, sampling and elicitation are redacted. What
// can't be redacted is withheld: the client gets an error in its place.
//
//   - middleware.go: Guard, which the server calls
//   - owner.go: what is kept for each client; message.go: values of the SDK as messages of JSON-RPC, and back
package middleware

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/redact"
)

// Options say what a Guard does. The zero value redacts all that a rule matches, and shows at most 4,000 tokens of a
// result.
type Options struct {
	// Budget is the most that a result costs, in tokens; pipeline.DefaultBudget if 0.
	Budget int
	// Tokenizer counts tokens: an encoding or a model, as for budget.NewCounter; o200k_base if empty.
	Tokenizer string
	// Rules are what is redacted; all rules if nil.
	Rules *redact.Rules
	// Policies say by the name of a tool what is done with its results. Without a policy, results are redacted and fitted.
	Policies hosts.Policies
	// KeepsStructured redacts structured content in place. Otherwise it is dropped with its schema, and becomes text if
	// there is none: clients show it in place of the text, and it is not shortened.
	KeepsStructured bool
	// Owner names who asks. Each owner has handles of its own, which no other can read. Without Owner each connection
	// is one: a stateless server, each of whose requests is a connection, needs it for kfw_expand to find anything.
	Owner func(context.Context, sdk.Request) string
	// Note takes what the user should know, such as that a result was withheld and why. It quotes no message. If nil,
	// slog.Warn takes it.
	Note func(string)
}

// Guard stands between the handlers of a server and its clients. It may protect several servers.
type Guard struct {
	options Options
	counter budget.Counter
	dir     string // has the sessions; others can't read it

	mu     sync.Mutex // one message is worked on at a time
	owners map[any]*owner
	number int // of the last message
	closed bool
}

// New returns a guard. Its handles are in a directory for temporary files until Close. The error says which option
// can't be.
func New(o Options) (_ *Guard, err error) {
	o.Budget = cmp.Or(o.Budget, pipeline.DefaultBudget)
	o.Tokenizer = cmp.Or(o.Tokenizer, "o200k_base")
	if o.Rules == nil {
		if o.Rules, err = redact.Compile(redact.Options{}); err != nil {
			return nil, fmt.Errorf("middleware: %w", err)
		}
	}
	if o.Note == nil {
		o.Note = func(line string) { slog.Warn("kfw: " + line) }
	}
	g := &Guard{options: o, owners: make(map[any]*owner)}
	if g.counter, err = budget.NewCounter(o.Tokenizer); err != nil {
		return nil, fmt.Errorf("middleware: Tokenizer: %w", err)
	}
	page := pipeline.Firewall{Rules: o.Rules, Options: fit.Options{Plan: fit.Digest, Counter: g.counter,
		Encoding: encode.Text{}.ByTool(toolName, ""), Explain: explain}}
	if least := page.Least(); o.Budget < least {
		return nil, fmt.Errorf("middleware: Budget: %d is the smallest that works", least)
	}
	if g.dir, err = os.MkdirTemp("", "kfw-mcp-"); err != nil {
		return nil, fmt.Errorf("middleware: %w", err)
	}
	return g, nil
}

// Protect adds the guard to a server, once. Middleware that is added later sees what the guard lets pass, and must not
// add to it; add it before.
func (g *Guard) Protect(server *sdk.Server) {
	server.AddReceivingMiddleware(g.receive)
	server.AddSendingMiddleware(g.send)
}

// Close removes all handles. Whatever the server says after it is withheld.
func (g *Guard) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil
	}
	g.closed = true
	var err error
	for _, o := range g.owners {
		err = errors.Join(err, o.file.Close())
	}
	return errors.Join(err, os.RemoveAll(g.dir))
}

// receive wraps what answers the requests of clients.
func (g *Guard) receive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if strings.HasPrefix(method, "notifications/") { // they have no answer
			return next(ctx, method, req)
		}
		x, answered, err := g.ask(ctx, method, req)
		if err != nil {
			return nil, err
		}
		if answered != nil {
			return answered.result(&sdk.CallToolResult{})
		}
		result, err := next(ctx, method, req)
		return g.answer(x, result, err)
	}
}

// send wraps what sends the requests and notices of the server.
func (g *Guard) send(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if err := g.say(ctx, method, req); err != nil {
			return nil, err
		}
		return next(ctx, method, req)
	}
}

func explain(err error) pipeline.Failure {
	return pipeline.Failure{Code: "failed", Message: terminal.Message(err), Exit: 125}
}
