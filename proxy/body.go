package proxy

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// mostHeld is how much of a body is kept in memory before it is sent, in bytes. A body that fits is
// sent with its length, and unchanged if it turns out to be no JSON. A longer body is streamed.
const mostHeld = 4 << 20

// UnreadError is a body that can't be read.
type UnreadError struct{ Reason string }

// Error implements error. The message quotes nothing of the body.
func (e *UnreadError) Error() string { return "the body of the request can't be read: " + e.Reason }

// isReadable reports whether a request has a body that may be JSON.
func isReadable(r *http.Request) bool {
	if r.Body == nil || r.Body == http.NoBody || r.Method == http.MethodGet || r.Method == http.MethodHead {
		return false
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err != nil || kind == "application/json" || strings.HasSuffix(kind, "+json") ||
		strings.HasPrefix(kind, "text/")
}

// rewrite replaces the body of r with the cleaned one, and stores it in sent if it is short enough.
// The caller calls done when the request is over.
func (p *Proxy) rewrite(r *http.Request, sent *[]byte) (done func(), err error) {
	size := int(min(max(r.ContentLength, 0), mostHeld))
	raw := &remembered{in: r.Body, seen: make([]byte, 0, size)}
	decoded, err := decoder(r.Header.Get("Content-Encoding"), raw)
	if err != nil {
		return func() {}, p.unread(r, raw, err)
	}
	out := newHeld(size)
	ended := make(chan error, 1)
	go func() {
		one := p.requests.Get().(*request)
		err := one.rewrite(decoded, out)
		p.requests.Put(one)
		err = errors.Join(err, decoded.Close())
		ended <- err
		out.end(err)
	}()
	done = func() {
		_ = out.to.Close() // ends the writer if the request was not read to its end
		<-out.ended
	}
	select {
	case err := <-ended:
		if err != nil {
			done()
			return func() {}, p.unread(r, raw, err)
		}
		whole := out.begin.Bytes()
		*sent = whole
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(whole)), int64(len(whole))
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(whole)), nil }
		raw.seen = nil
	case <-out.isFull:
		raw.isGone.Store(true)
		r.Body, r.ContentLength = io.NopCloser(io.MultiReader(&out.begin, out.to)), -1
	}
	r.Header.Del("Content-Encoding")
	r.Header.Del("Content-Length")
	r.TransferEncoding = nil
	return done, nil
}

// unread restores the original body, or returns an error if the proxy is strict.
func (p *Proxy) unread(r *http.Request, raw *remembered, err error) error {
	reason := "it is compressed, and broken"
	if wrong, ok := errors.AsType[*jsonx.SyntaxError](err); ok {
		reason = wrong.Error()
	} else if unknown, ok := errors.AsType[*unknownEncoding](err); ok {
		reason = unknown.Error()
	}
	if raw.failed != nil { // the client is gone
		return raw.failed
	}
	if p.Strict {
		return &UnreadError{reason}
	}
	p.noteOnce("a request passed as it was: its body can't be read: " + reason)
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(raw.seen), raw.in))
	return nil
}

// remembered is a body that keeps the bytes read so far, so that they can be sent unchanged.
type remembered struct {
	in     io.Reader
	seen   []byte
	isGone atomic.Bool // the bytes are no longer needed
	failed error       // error of the client
}

// Read implements io.Reader.
func (r *remembered) Read(b []byte) (int, error) {
	n, err := r.in.Read(b)
	if !r.isGone.Load() {
		r.seen = append(r.seen, b[:n]...)
	}
	if err != nil && err != io.EOF {
		r.failed = err
	}
	return n, err
}

// unknownEncoding is the error for a Content-Encoding that kfw does not know.
type unknownEncoding struct{}

func (*unknownEncoding) Error() string { return "it is compressed in a way that is not known" }

// decoder returns the decompressed body: RFC 9110, section 8.4.
func decoder(encoding string, in io.Reader) (io.ReadCloser, error) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
		return io.NopCloser(in), nil
	case "gzip", "x-gzip":
		return gzip.NewReader(in)
	case "deflate":
		return zlib.NewReader(in)
	case "br":
		return io.NopCloser(brotli.NewReader(in)), nil
	case "zstd":
		d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return nil, &unknownEncoding{}
}

// longerBy is the expected growth of a body through placeholders: a sixteenth of its size.
const longerBy = 16

// held is the cleaned body: its beginning in memory, the rest in a pipe.
type held struct {
	begin  bytes.Buffer
	isFull chan struct{} // closed when begin is full
	ended  chan struct{} // closed at the end of the body
	fill   sync.Once
	to     *io.PipeReader
	rest   *io.PipeWriter
}

// newHeld returns a body with room for size bytes.
func newHeld(size int) *held {
	h := &held{isFull: make(chan struct{}), ended: make(chan struct{})}
	h.begin.Grow(size + size/longerBy)
	h.to, h.rest = io.Pipe()
	return h
}

// Write implements io.Writer.
func (h *held) Write(b []byte) (int, error) {
	if h.begin.Len()+len(b) <= mostHeld && h.isHolding() {
		return h.begin.Write(b)
	}
	h.fill.Do(func() { close(h.isFull) })
	return h.rest.Write(b)
}

func (h *held) isHolding() bool {
	select {
	case <-h.isFull:
		return false
	default:
		return true
	}
}

// end ends the body, with an error if it is cut off.
func (h *held) end(err error) {
	_ = h.rest.CloseWithError(err) // nil is the end
	close(h.ended)
}
