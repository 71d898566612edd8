package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/spool"
)

// maxRefusal is how much of the body of an HTTP error is looked at, in bytes.
const maxRefusal = 64 << 10

// mostOrdered is how long a message waits for the ones before it whose order counts.
const mostOrdered = 10 * time.Second

// send posts the line that was written. It does not wait: messages without an answer, and the first request, are posted
// before those after them, as their order counts; what follows waits for them, for some time.
func (s *Server) send() {
	body := s.line
	if body.Size() == 0 {
		return
	}
	s.line = spool.New(s.o.Spool)
	m := parse(body.From(0, body.Size()))
	ctx, cancel := context.WithCancel(s.ctx)
	if m.method == "initialize" {
		s.forget()
	}
	if m.isRequest() {
		s.begin(m, cancel)
	}
	before, posted := s.ordered, make(chan struct{})
	isOrdered := !m.isRequest() || m.method == "initialize"
	if isOrdered {
		s.ordered = posted
	}
	s.posts.Go(func() {
		defer close(posted)
		defer s.finish(m, cancel)
		defer func() {
			if err := body.Close(); err != nil {
				s.o.Note("mcp: " + err.Error())
			}
		}()
		if m.method == "notifications/cancelled" && s.giveUp(m) {
			return
		}
		if before != nil {
			select {
			case <-before:
			case <-time.After(mostOrdered):
			case <-ctx.Done():
			}
		}
		s.post(ctx, m, body)
		if m.method == "notifications/initialized" {
			s.listen()
		}
	})
}

// forget forgets what an earlier session has said: a new one begins.
func (s *Server) forget() {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	s.state.session, s.state.version = "", ""
}

// begin remembers how a request is given up.
func (s *Server) begin(m *message, cancel func()) {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	s.state.isModern = s.state.isModern || m.isModern()
	if s.state.cancels == nil {
		s.state.cancels = make(map[string]func())
	}
	s.state.cancels[string(m.id)] = cancel
}

func (s *Server) finish(m *message, cancel func()) {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	delete(s.state.cancels, string(m.id))
	cancel()
}

// giveUp gives up the request that a message says, and reports whether that is all there is to do: from 2026-07-28
// on, the end of its answer tells the server.
func (s *Server) giveUp(m *message) bool {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	if !s.state.isModern {
		return false
	}
	if cancel := s.state.cancels[string(m.cancels)]; cancel != nil {
		cancel()
	}
	return true
}

// post posts a message and passes on what is answered.
func (s *Server) post(ctx context.Context, m *message, body *spool.Spool) {
	open := func() (io.ReadCloser, error) { return io.NopCloser(body.From(0, body.Size())), nil }
	content, _ := open()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.o.URL, content)
	if err != nil {
		s.fail(m, "can't be asked: "+reason(err))
		return
	}
	r.ContentLength, r.GetBody = body.Size(), open
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	s.headers(r, m)
	answer, err := s.o.Client.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			s.fail(m, "can't be reached: "+reason(err))
		}
		return
	}
	defer answer.Body.Close()
	if id := answer.Header.Get("Mcp-Session-Id"); m.method == "initialize" && id != "" {
		s.state.mu.Lock()
		s.state.session = id
		s.state.mu.Unlock()
	}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	switch {
	case answer.StatusCode >= 300:
		s.refused(m, answer)
	case answer.StatusCode == http.StatusAccepted, answer.StatusCode == http.StatusNoContent:
		if m.isRequest() {
			s.fail(m, "takes the request and has no answer to it")
		}
	case kind == "text/event-stream":
		s.passEvents(ctx, m, answer.Body)
	case kind == "application/json":
		s.passJSON(ctx, m, answer.Body)
	case m.isRequest():
		s.fail(m, "answers with neither JSON nor events")
	}
}

// reason returns why a request failed, in words of kfw's own: those of an error may quote the URL,
// or what the server said, and there may be a token in either.
func reason(err error) string {
	status, isStatus := errors.AsType[statusError](err)
	_, isUnknown := errors.AsType[*net.DNSError](err)
	_, isUntrusted := errors.AsType[*tls.CertificateVerificationError](err)
	timeout, isNet := errors.AsType[net.Error](err)
	switch {
	case isStatus:
		return status.Error()
	case isUnknown:
		return "its host is not known"
	case isUntrusted:
		return "its certificate is not trusted"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "it refuses the connection"
	case isNet && timeout.Timeout():
		return "it takes too long"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		errors.Is(err, syscall.EPIPE):
		return "the connection ended"
	}
	return "what it says is not HTTP"
}

// passJSON passes on an answer that is one message, or a batch.
func (s *Server) passJSON(ctx context.Context, m *message, body io.Reader) {
	w := s.lineOf(m)
	_, err := io.Copy(w, body)
	isEmpty := !w.begun
	w.end()
	switch {
	case ctx.Err() != nil:
	case err != nil && isEmpty:
		s.fail(m, "does not finish its answer: "+reason(err))
	case err != nil:
		// whoever reads the line sees that it is broken
		s.o.Note("mcp: the server does not finish an answer: " + reason(err))
	case isEmpty && m.isRequest():
		s.fail(m, "has an empty answer")
	}
}

// lineOf returns what passes on a line in answer to a message.
func (s *Server) lineOf(m *message) *lineWriter {
	w := &lineWriter{s: s}
	if m.method == "initialize" || m.method == "tools/list" {
		w.tap, w.learn = new(limited), func(answer []byte) { s.learn(m, answer) }
	}
	return w
}

// refused passes on the error of a server, or says what the status of its answer was.
func (s *Server) refused(m *message, answer *http.Response) {
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxRefusal))
	said := gjson.ParseBytes(body)
	if err == nil && m.isRequest() && gjson.ValidBytes(body) && said.Get("error").IsObject() &&
		said.Get("id").Raw == string(m.id) {
		w := s.lineOf(m)
		_, _ = w.Write(body) // who reads is gone: then nothing is left to do
		w.end()
		return
	}
	why := fmt.Sprintf("says HTTP %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	switch {
	case answer.StatusCode == http.StatusUnauthorized, answer.StatusCode == http.StatusForbidden:
		why += ": give it a token with --header-env"
	case answer.StatusCode < http.StatusBadRequest:
		why += ": give its own address with --url, redirects are not followed"
	case answer.StatusCode == http.StatusNotFound && s.hasSession():
		why += ": its session has ended"
	}
	s.fail(m, why)
}

func (s *Server) hasSession() bool {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	return s.state.session != ""
}
