package proxy

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// provider is a stand-in that answers with what it was asked.
type provider struct {
	*httptest.Server
	mu   sync.Mutex
	last *http.Request
	body []byte
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := new(provider)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the proxy gave up
		}
		p.mu.Lock()
		p.last, p.body = r, body
		p.mu.Unlock()
		w.Header().Set("X-From", "provider")
		fmt.Fprintf(w, "data: %x\n\n", sha256.Sum256(body))
	}))
	t.Cleanup(p.Close)
	return p
}

// before returns a proxy before a provider, and what it noted.
func before(t *testing.T, upstream string, change func(*Options)) (address string, notes func() string) {
	t.Helper()
	to, err := url.Parse(upstream)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var said strings.Builder
	o := Options{Routes: []Route{{Name: "a", Upstream: to}}, NewRedactor: func() Redactor { return newPlain(t) },
		Note: func(line string) {
			mu.Lock()
			defer mu.Unlock()
			said.WriteString(line + "\n")
		}}
	if change != nil {
		change(&o)
	}
	s := httptest.NewServer(New(o))
	t.Cleanup(s.Close)
	return s.URL, func() string {
		mu.Lock()
		defer mu.Unlock()
		return said.String()
	}
}

func post(t *testing.T, address string, header http.Header, body io.Reader) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, address, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(text)
}

var isJSON = http.Header{"Content-Type": {"application/json; charset=utf-8"}, "X-Api-Key": {"k"}}

// TestRequestsPass: the provider gets the same path, headers and bytes, except for what a tool has answered.
func TestRequestsPass(t *testing.T) {
	p := newProvider(t)
	address, notes := before(t, p.URL+"/base/?v=1", nil)
	body := asked(t, "anthropic", "the key is "+secret, "hello")
	status, answer := post(t, address+"/a/v1/m%2Fx:go?beta=true", isJSON, strings.NewReader(body))
	if want := strings.ReplaceAll(body, secret, "[REDACTED:github_token]"); string(p.body) != want {
		t.Errorf(" got %s\nwant %s", p.body, want)
	}
	if got := p.last.URL.RequestURI(); got != "/base/v1/m%2Fx:go?v=1&beta=true" {
		t.Errorf("the provider was asked %s", got)
	}
	if p.last.Header.Get("X-Api-Key") != "k" || p.last.ContentLength != int64(len(p.body)) ||
		p.last.Header.Get("X-Forwarded-For") != "" {
		t.Errorf("headers %v, %d bytes", p.last.Header, p.last.ContentLength)
	}
	if status != http.StatusOK || answer != fmt.Sprintf("data: %x\n\n", sha256.Sum256(p.body)) {
		t.Errorf("%d, %s", status, answer)
	}
	form := http.Header{"Content-Type": {"multipart/form-data; boundary=x"}}
	if post(t, address+"/a/v1/files", form, strings.NewReader(body)); string(p.body) != body {
		t.Errorf("a form has become %s", p.body)
	}
	if status, answer := post(t, address+"/other/v1", isJSON, strings.NewReader(body)); status != http.StatusNotFound {
		t.Errorf("%d, %s", status, answer)
	}
	if notes() != "" {
		t.Errorf("noted: %s", notes())
	}
}

// TestCompressedBodies: what a request says is read behind each compression that clients use.
func TestCompressedBodies(t *testing.T) {
	p := newProvider(t)
	address, _ := before(t, p.URL, nil)
	body := asked(t, "chat", "the key is "+secret, "hello")
	for encoding, write := range map[string]func(io.Writer) io.WriteCloser{
		"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"br":   func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
		"zstd": func(w io.Writer) io.WriteCloser {
			z, err := zstd.NewWriter(w)
			if err != nil {
				t.Fatal(err)
			}
			return z
		},
	} {
		var b bytes.Buffer
		z := write(&b)
		_, err := io.WriteString(z, body)
		if err = cmpErr(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		header := isJSON.Clone()
		header.Set("Content-Encoding", encoding)
		post(t, address+"/a/v1", header, bytes.NewReader(b.Bytes()))
		if want := strings.ReplaceAll(body, secret, "[REDACTED:github_token]"); string(p.body) != want ||
			p.last.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %q is %s", encoding, p.last.Header.Get("Content-Encoding"), p.body)
		}
	}
}

func cmpErr(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestUnreadBodies: a body that is no JSON passes as it came, with one note, or is refused. Nothing of it is in either.
func TestUnreadBodies(t *testing.T) {
	p := newProvider(t)
	for _, body := range []string{`{"messages":[{"role":"tool","content":"` + secret, secret, `{"a":1}}`,
		"{\"a\":\"\xff" + secret} {
		address, notes := before(t, p.URL, nil)
		for range 2 {
			if post(t, address+"/a/v1", isJSON, strings.NewReader(body)); string(p.body) != body {
				t.Errorf("%q has become %q", body, p.body)
			}
		}
		if said := notes(); strings.Count(said, "\n") != 1 || strings.Contains(said, secret) {
			t.Errorf("%q: noted %q", body, said)
		}
		strict, _ := before(t, p.URL, func(o *Options) { o.Strict = true })
		status, answer := post(t, strict+"/a/v1", isJSON, strings.NewReader(body))
		if status != http.StatusMisdirectedRequest || strings.Contains(answer, secret) ||
			!strings.Contains(answer, "can't be read") {
			t.Errorf("%q: %d, %s", body, status, answer)
		}
	}
}

// TestLongBodies: a body of any length is sent as it comes.
func TestLongBodies(t *testing.T) {
	p := newProvider(t)
	address, _ := before(t, p.URL, nil)
	piece := asked(t, "anthropic", strings.Repeat("a line of a log\n", 4096)+secret, "hello")
	piece = strings.TrimSuffix(strings.SplitN(piece, `"messages":[`, 2)[1], `],"max_tokens":1}`)
	const n = 70
	all := make([]io.Reader, 0, 2*n+2)
	all = append(all, strings.NewReader(`{"messages":[`))
	for i := range n {
		if i > 0 {
			all = append(all, strings.NewReader(","))
		}
		all = append(all, strings.NewReader(piece))
	}
	all = append(all, strings.NewReader(`]}`))
	if status, _ := post(t, address+"/a/v1", isJSON, io.MultiReader(all...)); status != http.StatusOK {
		t.Fatal(status)
	}
	want := len(`{"messages":[]}`) + n*len(strings.ReplaceAll(piece, secret, "[REDACTED:github_token]")) + n - 1
	if len(p.body) != want || bytes.Contains(p.body, []byte(secret)) {
		t.Errorf("%d bytes, not %d", len(p.body), want)
	}
}

// TestManyAtOnce: requests do not get in each other's way.
func TestManyAtOnce(t *testing.T) {
	p := newProvider(t)
	address, _ := before(t, p.URL, nil)
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			result := fmt.Sprintf("%d\n%s\n", i, strings.Repeat("x", i*7))
			body := asked(t, "chat", result+secret, "hello")
			_, answer := post(t, address+"/a/v1", isJSON, strings.NewReader(body))
			redacted := strings.ReplaceAll(body, secret, "[REDACTED:github_token]")
			if want := fmt.Sprintf("data: %x\n\n", sha256.Sum256([]byte(redacted))); answer != want {
				t.Errorf("%d: %s", i, answer)
			}
		})
	}
	all.Wait()
}

// TestUpstreamAway: what can't be reached is an error that names the host, and nothing of a key.
func TestUpstreamAway(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	away := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	address, _ := before(t, "http://"+away+"?key="+secret, nil)
	status, answer := post(t, address+"/a/v1?key="+secret, isJSON, strings.NewReader(`{}`))
	if status != http.StatusBadGateway || strings.Contains(answer, secret) ||
		!strings.Contains(answer, away+" can't be reached") {
		t.Errorf("%d, %s", status, answer)
	}
}

// TestNotAdmitted: what may not be sent is answered as a provider says that there is too much.
func TestNotAdmitted(t *testing.T) {
	p := newProvider(t)
	address, _ := before(t, p.URL, func(o *Options) { o.Admit = func() error { return fmt.Errorf("nothing is left") } })
	status, answer := post(t, address+"/a/v1", isJSON, strings.NewReader(`{}`))
	if status != http.StatusTooManyRequests || !strings.Contains(answer, `"rate_limit_error"`) || p.last != nil {
		t.Errorf("%d, %s", status, answer)
	}
}

// TestClientGone: a client that goes away ends what the provider does for it, and a slow one slows the provider down.
func TestClientGone(t *testing.T) {
	over := make(chan int, 1)
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		written := 0
		defer func() { over <- written }()
		for r.Context().Err() == nil {
			n, err := w.Write(make([]byte, 64<<10))
			if written += n; err != nil {
				return
			}
		}
	}))
	defer provider.Close()
	address, _ := before(t, provider.URL, nil)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/a/v1", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(a.Body, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // for the provider to write all that it can
	cancel()
	if written := <-over; written > 64<<20 {
		t.Errorf("the provider wrote %d bytes for a client that read 1 MB", written)
	}
	_ = a.Body.Close()
}
