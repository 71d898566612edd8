// Package proxy stands between an agent and the HTTP API of a model.
//
// It reads requests in the protocols of package turn and sends them to the provider. Only the texts
// of tool results change; all other bytes stay. Answers come back as they are, or as a guard changes
// them. The package knows where the results of tools are. It knows no redaction rule and no budget.
//
//   - proxy.go: Proxy, an http.Handler; body.go: the body of a request on its way
//   - request.go: which bytes of it are results of tools
//   - refusal.go: errors in a form that the clients of all providers read
//
// Invariants: the same text always becomes the same bytes. Bytes outside of results stay, in place. No
// message and no file contains anything of a header or a body.
package proxy

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// Options are how a proxy treats what passes.
type Options struct {
	Routes      []Route
	NewRedactor func() Redactor // each is used by one goroutine at a time
	OfUser      bool            // texts of the user are redacted, too
	Strict      bool            // what can't be read is refused
	// Answer may replace the body of an answer. sent is the body of the request, nil if it was too
	// long to keep. If Answer fails, the client gets an error.
	Answer func(sent []byte, answer *http.Response) error
	// Admit returns an error if no request may be sent now; nil admits all.
	Admit func() error
	// Transport sends the requests. The default uses HTTPS_PROXY and NO_PROXY.
	Transport http.RoundTripper
	Note      func(string) // reports to the user; it never gets a header or a body
}

// Route sends the requests whose path begins with /Name to Upstream. An empty name matches every
// path.
type Route struct {
	Name     string
	Upstream *url.URL
}

// Proxy passes on requests. It is safe for use by several goroutines.
type Proxy struct {
	Options
	reverse  httputil.ReverseProxy
	requests sync.Pool // of *request
	noted    sync.Map  // what was said once
}

// New returns a proxy.
func New(o Options) *Proxy {
	p := &Proxy{Options: o}
	p.requests.New = func() any { return newRequest(o.NewRedactor(), o.OfUser) }
	if p.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.DisableCompression, t.MaxIdleConnsPerHost = true, 64
		p.Transport = t
	}
	p.reverse = httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { p.direct(r) },
		Transport:     p.Transport,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
		ErrorHandler:  p.failed,
	}
	if p.Answer != nil {
		p.reverse.ModifyResponse = p.answer
	}
	return p
}

// toKey and sentKey are the context keys of the Route and of the body that is sent.
type (
	toKey   struct{}
	sentKey struct{}
)

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	to, isThere := p.route(r.URL)
	switch {
	case !isThere:
		refuse(w, http.StatusNotFound, "nothing is reached under this path")
		return
	case r.Header.Get("Upgrade") != "":
		if p.Strict {
			refuse(w, http.StatusMisdirectedRequest, "a connection that is no HTTP can't be looked at")
			return
		}
		p.noteOnce("a connection became one that is no HTTP: what passes there is not looked at")
	case p.Admit != nil:
		if err := p.Admit(); err != nil {
			refuse(w, http.StatusTooManyRequests, err.Error())
			return
		}
	}
	at := context.WithValue(r.Context(), toKey{}, to)
	if isReadable(r) {
		sent := new([]byte)
		r = r.WithContext(context.WithValue(at, sentKey{}, sent))
		done, err := p.rewrite(r, sent)
		defer done()
		if err != nil {
			p.failed(w, r, err)
			return
		}
	} else {
		r = r.WithContext(at)
	}
	p.reverse.ServeHTTP(w, r)
}

// route returns where a request goes.
func (p *Proxy) route(u *url.URL) (to Route, isThere bool) {
	for _, to := range p.Routes {
		if rest, ok := strings.CutPrefix(u.Path, "/"+to.Name); to.Name == "" || ok && (rest == "" || rest[0] == '/') {
			return to, true
		}
	}
	return Route{}, false
}

// direct points a request to its upstream. The name of the route is removed from the path.
func (p *Proxy) direct(r *httputil.ProxyRequest) {
	to := r.In.Context().Value(toKey{}).(Route)
	at := r.Out.URL
	base := strings.TrimSuffix(to.Upstream.EscapedPath(), "/")
	rest := at.EscapedPath()
	if to.Name != "" {
		rest = strings.TrimPrefix(rest, "/"+to.Name)
	}
	at.Scheme, at.Host = to.Upstream.Scheme, to.Upstream.Host
	at.RawPath = base + rest
	at.Path = cmp.Or(unescaped(at.RawPath), at.RawPath)
	if to.Upstream.RawQuery != "" {
		at.RawQuery = strings.Trim(to.Upstream.RawQuery+"&"+at.RawQuery, "&")
	}
	r.Out.Host = ""
	if p.Answer != nil { // it is read
		r.Out.Header.Set("Accept-Encoding", "identity")
	}
}

func unescaped(path string) string {
	plain, err := url.PathUnescape(path)
	if err != nil {
		return ""
	}
	return plain
}

func (p *Proxy) answer(r *http.Response) error {
	sent, isBody := r.Request.Context().Value(sentKey{}).(*[]byte)
	if !isBody || r.StatusCode != http.StatusOK || r.Header.Get("Content-Encoding") != "" {
		return nil
	}
	return p.Answer(*sent, r)
}

// failed answers a request that could not be sent.
func (p *Proxy) failed(w http.ResponseWriter, r *http.Request, err error) {
	if unread, ok := errors.AsType[*UnreadError](err); ok {
		refuse(w, http.StatusMisdirectedRequest, unread.Error())
		return
	}
	if wrong, ok := errors.AsType[*jsonx.SyntaxError](err); ok { // in a body that was sent while it was read
		refuse(w, http.StatusMisdirectedRequest, (&UnreadError{wrong.Error()}).Error())
		return
	}
	if failed, ok := errors.AsType[*url.Error](err); ok { // its message has the URL, which may contain a key
		err = failed.Err
	}
	if r.Context().Err() != nil { // the client is gone
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	to, _ := r.Context().Value(toKey{}).(Route)
	refuse(w, http.StatusBadGateway, to.Upstream.Host+" can't be reached: "+err.Error())
}

func (p *Proxy) noteOnce(line string) {
	if _, was := p.noted.LoadOrStore(line, true); !was && p.Note != nil {
		p.Note(line)
	}
}
