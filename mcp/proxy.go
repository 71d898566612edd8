// Package mcp is a transparent proxy in front of a server of the Model Context Protocol: it knows which bytes of a
// JSON-RPC message are payload, and nothing of rules and budgets.
//
// The lines of the client go to the server as they are. A line of the server goes through two passes. The first one
// checks that the line is JSON, has the payloads redacted, and writes it to a spool: memory, and from 64 KiB on a
// file without a name. What is decided by the whole of a message is known then: the call that it answers, whose ID
// may be its last member, and what its content says. The second pass writes it to the client, and fits the texts of a
// tool's result on the way. So the client never gets a part of a line that turns out to be broken, and memory does
// not grow with a line.
//
//   - proxy.go: Proxy, and the interfaces of what it is given
//   - client.go: what the client says, and the tool that is answered here
//   - server.go: what the server says; payload.go: the first pass; held.go: lists of content, whose texts are redacted as
//     one; result.go: the second pass
//   - calls.go: requests that have no answer yet
//   - structured.go: whether redaction leaves structured content to its schema
//
// What always holds: nothing of a payload reaches the client or a file that Redactor has not let pass; what is no
// payload passes byte for byte, in its place; a text that needs no change keeps its own escapes.
package mcp

import (
	"bufio"
	"io"
	"sync"
)

// Treatment is what is done with the results of a tool.
type Treatment uint8

const (
	Fit    Treatment = iota // redacted, and fitted
	Redact                  // redacted
	Pass                    // passed as they are
)

// Redactor takes out what must not pass. What it returns is read to its end before it is asked again.
type Redactor interface {
	// Text returns the redaction of a text.
	Text(text io.Reader) io.Reader
	// Texts returns the redaction of texts that follow each other, as the one text that a reader makes of them. The
	// first ones, so many as before says, stand before the others and are not shown again.
	Texts(texts []string, before int) ([]string, error)
	// JSON returns the redaction of a JSON value, as JSON.
	JSON(value io.Reader) io.Reader
}

// Fitter decides how much of a tool's result is shown.
type Fitter interface {
	// Treatment returns what is done with the results of a tool; an empty name is that of a tool that is not known.
	Treatment(tool string) Treatment
	// Begin returns what fits the texts of one result.
	Begin() Result
}

// Call is a call of a tool, as the client has made it. The zero Call is one that is not known.
type Call struct {
	Tool      string
	Arguments []byte // JSON; nil if there are none or they were not kept
}

// Result fits the texts of one result. All of them are measured first, in their order.
type Result interface {
	// Measure returns what takes the next text, redacted. It is written before Measure is called again.
	Measure() io.Writer
	// Decide is called when all texts of a tool's result are measured, with the call that the result answers. It
	// reports whether all texts are shown as they are. If not, Fit is called for each text, in the same order.
	Decide(answers Call) (asIs bool)
	// Fit writes what is shown of the next text. open returns it, from its beginning, as often as it is called. What is
	// written has a bound, however long the text is.
	Fit(open func() (io.Reader, error), out io.Writer) error
	// IsOver reports whether Fit will write nothing more.
	IsOver() bool
	// Close ends the result.
	Close() error
}

// Tool is the one tool that the proxy adds to those of the server, and answers itself.
type Tool interface {
	// Define returns the JSON of the tool, as it is listed. SetName comes first if it is not called as Name says.
	Define() []byte
	Name() string
	SetName(name string)
	// Call returns what is answered to a call with these arguments, JSON or nil. It may be called from several
	// goroutines.
	Call(arguments []byte) (text []byte, isError bool)
}

// Proxy stands between one client and one server.
type Proxy struct {
	Redactor Redactor
	Fitter   Fitter
	Tool     Tool         // nil for none
	Spool    string       // directory for lines that are too large for memory
	Note     func(string) // takes what the user should know: it quotes nothing of a message

	// KeepsStructured says that structured content is redacted in place. Otherwise it is dropped, with the schema that
	// promises it, and if the result has no text it becomes one.
	KeepsStructured bool

	calls  calls
	client output
	limits limits
	noted  int // lines that were dropped
	local  sync.WaitGroup
}

// Open prepares the proxy, which writes to this client.
func (p *Proxy) Open(client io.Writer) {
	p.client.client, p.client.to = client, bufio.NewWriterSize(client, bufferSize)
	p.calls.open = make(map[string]call)
	if p.Note == nil {
		p.Note = func(string) {}
	}
}

const bufferSize = 64 << 10

// output is where messages to the client go, one at a time.
type output struct {
	mu     sync.Mutex
	client io.Writer
	to     *bufio.Writer
}

// takeBack makes a message unsaid of which n bytes were written, as far as none has left the buffer. Otherwise it
// ends the line that was begun.
func (o *output) takeBack(n int64) error {
	if int64(o.to.Buffered()) == n {
		o.to.Reset(o.client)
		return nil
	}
	return o.to.WriteByte('\n')
}

// message has write write one message.
func (o *output) message(write func(io.Writer) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := write(o.to); err != nil {
		return err
	}
	return o.to.Flush()
}

// plainEOF is a reader whose every end is io.EOF; err is what it ended with.
type plainEOF struct {
	io.Reader
	err error
}

func (r *plainEOF) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		r.err, err = err, io.EOF
	}
	return n, err
}
