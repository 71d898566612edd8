package remote

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
)

// get asks for a stream of events, after the one with this ID if it is not empty.
func (s *Server) get(ctx context.Context, lastID string) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.o.URL, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "text/event-stream")
	s.headers(r, &message{})
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	answer, err := s.o.Client.Do(r)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if answer.StatusCode != http.StatusOK || kind != "text/event-stream" {
		answer.Body.Close()
		return nil, statusError(answer.StatusCode)
	}
	return answer.Body, nil
}

// statusError is a status that is not the one that was asked for.
type statusError int

func (e statusError) Error() string {
	return fmt.Sprintf("HTTP %d %s", int(e), http.StatusText(int(e)))
}

// listen asks for what the server says on its own, as it may before 2026-07-28. A server that does not know of that
// says nothing.
func (s *Server) listen() {
	s.state.mu.Lock()
	isLegacy := s.state.version != "" && s.state.version < firstModern && !s.state.listens
	s.state.listens = s.state.listens || isLegacy
	s.state.mu.Unlock()
	if !isLegacy {
		return
	}
	go func() {
		t := &stream{retry: defaultRetry}
		for wait := t.retry; ; {
			body, err := s.get(s.ctx, t.lastID)
			if err != nil && t.events == 0 {
				return
			}
			before := t.events
			if err == nil {
				_ = t.read(body, &lineWriter{s: s}) // it is asked for again
				body.Close()
			}
			if wait = min(2*wait, mostRetry); t.events > before {
				wait = t.retry
			}
			if !s.sleep(s.ctx, wait) {
				return
			}
		}
	}()
}

// endSession tells the server that its session is over.
func (s *Server) endSession() {
	if !s.hasSession() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), goodbye)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, s.o.URL, nil)
	if err != nil {
		return // the posts have said so
	}
	s.headers(r, &message{})
	if answer, err := s.o.Client.Do(r); err == nil { // a server need not let its sessions be ended
		answer.Body.Close()
	}
}
