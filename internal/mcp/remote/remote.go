// Package remote is an MCP server that is reached by HTTP (streamable HTTP, of both eras) as a program that reads and
// writes lines: each line that is written to it is posted as it is, and what the server answers, as JSON or as
// events, can be read as lines.
//
// No message is held whole: a line of the client is spooled until all of it is there, since its headers come before
// its body; an answer is passed on as it comes, and others wait for the end of its line. What is read has not been
// redacted. Values of headers are in no error and no note.
//
//   - remote.go: Server: lines in, lines out; post.go: one message of the client
//   - message.go: what the headers say of it
//   - events.go: server-sent events; listen.go: streams that the server begins, or that broke
package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/spool"
)

const (
	bufferSize = 64 << 10
	// goodbye is how long the end of a session may take.
	goodbye = 3 * time.Second
)

// Options say where a server is.
type Options struct {
	URL    string
	Header http.Header  // sent with each request, such as Authorization
	Spool  string       // directory for messages that are too large for memory
	Note   func(string) // takes what no answer can say; it quotes nothing
	Wait   time.Duration
	Client *http.Client // nil for one that follows no redirect
}

// Server is a server that is reached by HTTP. Write is for one goroutine, and Read for another one.
type Server struct {
	o      Options
	ctx    context.Context
	cancel context.CancelFunc
	posts  sync.WaitGroup

	line     *spool.Spool    // that is written
	isBroken bool            // a part of it is lost
	ordered  <-chan struct{} // closed when the last message whose order counts was posted; nil if there was none

	read *io.PipeReader
	out  *io.PipeWriter
	mu   sync.Mutex // held while a line is read

	state state
}

// Open returns the server of a URL. Nothing is sent yet.
func Open(o Options) (*Server, error) {
	at, err := url.Parse(o.URL)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, errors.New("not the address of a server: https://HOST/PATH")
	}
	if o.Client == nil {
		// A redirect would take the headers, and tokens in them, elsewhere.
		o.Client = &http.Client{CheckRedirect: func(*http.Request,
			[]*http.Request) error {
			return http.ErrUseLastResponse
		}}
	}
	s := &Server{o: o, line: spool.New(o.Spool)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.read, s.out = io.Pipe()
	return s, nil
}

// Read reads the lines that the server says, until Close.
func (s *Server) Read(p []byte) (int, error) { return s.read.Read(p) }

// Write takes lines of the client. It returns when each of them is on its way.
func (s *Server) Write(p []byte) (n int, err error) {
	for n < len(p) {
		end := bytes.IndexByte(p[n:], '\n')
		part := p[n:]
		if end >= 0 {
			part = p[n : n+end]
		}
		if _, err := s.line.Write(part); err != nil {
			s.isBroken = true
			return n, err
		}
		if n += len(part); end >= 0 {
			n++
			s.send()
		}
	}
	return n, nil
}

// Close ends what the client has begun: it waits for answers as long as Options.Wait says, ends the session, and then
// Read returns io.EOF.
func (s *Server) Close() error {
	if !s.isBroken { // a part of a line is another message
		s.send()
	}
	answered := make(chan struct{})
	go func() {
		s.posts.Wait()
		close(answered)
	}()
	select {
	case <-answered:
	case <-time.After(s.o.Wait):
	}
	s.cancel()
	s.endSession()
	return errors.Join(s.out.Close(), s.line.Close())
}

// lineWriter writes one line of the server's: line feeds in it, which are white space where JSON may have them, become
// blanks.
type lineWriter struct {
	s     *Server
	begun bool
	seen  topLevel
	tap   *limited            // of a line that may be one to learn from; else nil
	learn func(answer []byte) // takes it, before the line ends
}

// Write implements io.Writer. The first byte that is no white space begins the line.
func (w *lineWriter) Write(p []byte) (int, error) {
	n := len(p)
	if !w.begun {
		if p = bytes.TrimLeft(p, " \t\r\n"); len(p) == 0 {
			return n, nil
		}
		w.s.mu.Lock()
		w.begun = true
	}
	w.seen.look(p)
	if w.tap != nil {
		if p = w.tap.add(p); p == nil {
			return n, nil
		}
	}
	return n, w.pass(p)
}

// pass passes on a part of the line.
func (w *lineWriter) pass(p []byte) error {
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		part := p
		if end >= 0 {
			part = p[:end]
		}
		if _, err := w.s.out.Write(part); err != nil {
			return err
		}
		p = p[len(part):]
		if end >= 0 {
			p = p[1:]
			if _, err := w.s.out.Write([]byte{' '}); err != nil {
				return err
			}
		}
	}
	return nil
}

// end ends the line, if there is one, and reports whether it was the answer to a request. What later headers depend
// on is learned before the line is passed on: then the client may go on.
func (w *lineWriter) end() (isAnswer bool) {
	if !w.begun {
		return false
	}
	isAnswer = w.seen.isAnswer
	if w.tap != nil && !w.tap.isPast {
		if isAnswer {
			w.learn(w.tap.kept)
		}
		_ = w.pass(w.tap.kept) // who reads is gone: then nothing is left to do
	}
	if w.tap != nil {
		*w.tap = limited{}
	}
	_, _ = w.s.out.Write([]byte{'\n'}) // the same
	w.begun, w.seen = false, topLevel{}
	w.s.mu.Unlock()
	return isAnswer
}

// limited keeps a line, unless it is too long.
type limited struct {
	kept   []byte
	isPast bool // it is
}

// mostTapped is how much of an answer is kept to see what later headers depend on, in bytes.
const mostTapped = 1 << 20

// add keeps p, or returns what is to be passed on.
func (l *limited) add(p []byte) []byte {
	if l.isPast {
		return p
	}
	l.kept = append(l.kept, p...)
	if l.isPast = len(l.kept) > mostTapped; !l.isPast {
		return nil
	}
	p, l.kept = l.kept, nil
	return p
}

// topLevel looks for the names of an object at the top: a message with a result or an error is an answer.
type topLevel struct {
	depth    int
	inString bool
	isEscape bool
	isName   bool // the string is at the place of a name of the message
	name     []byte
	isAnswer bool
}

func (t *topLevel) look(p []byte) {
	for _, c := range p {
		switch {
		case t.inString && t.isEscape:
			t.isEscape = false
		case t.inString && c == '\\':
			t.isEscape = true
		case t.inString && c == '"':
			t.inString = false
		case t.inString:
			if t.isName && len(t.name) < len("result")+1 {
				t.name = append(t.name, c)
			}
		case c == '"':
			t.inString, t.isName, t.name = true, t.depth == 1, t.name[:0]
		case c == '{', c == '[':
			t.depth++
		case c == '}', c == ']':
			t.depth--
		case c == ':' && t.depth == 1 && t.isName:
			t.isAnswer = t.isAnswer || string(t.name) == "result" || string(t.name) == "error"
		}
	}
}

// fail answers a request with an error of kfw's own, or notes why a message without an answer got lost.
func (s *Server) fail(m *message, why string) {
	if !m.isRequest() {
		s.o.Note("mcp: a message can't be delivered: the server " + why)
		return
	}
	line := append([]byte(`{"jsonrpc":"2.0","id":`), m.id...)
	line = jsonx.AppendString(append(line, `,"error":{"code":-32603,"message":`...), "kfw: the server "+why)
	w := &lineWriter{s: s}
	_, _ = w.Write(append(line, "}}"...)) // who reads is gone: then nothing is left to do
	w.end()
}
