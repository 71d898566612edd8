//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestUnasked: what a server sends without having been asked reaches neither the client nor standard error.
func TestUnasked(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	closed := make(chan struct{}, 2)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				in := bufio.NewReader(c)
				r, err := http.ReadRequest(in)
				if err != nil {
					t.Error(err)
				}
				if _, err := io.Copy(io.Discard, r.Body); err != nil {
					t.Error(err)
				}
				const body = `{"id":1,"result":{}}`
				_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%splanted",
					len(body), body)
				_, _ = io.Copy(io.Discard, in) // kfw ends the connection
				closed <- struct{}{}
			}()
		}
	}()
	p := kfw(t, t.TempDir(), "mcp", "--config", "none", "--url", "http://"+listener.Addr().String())
	in, out := p.pipes(t)
	if _, err := io.WriteString(in, `{"id":1,"method":"x"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	<-closed
	in.Close()
	got, err := io.ReadAll(out)
	_ = p.Wait() // ended says how it ended
	p.ended(t, 0)
	if said := string(got) + p.errs.String(); err != nil || strings.Contains(said, "planted") ||
		!strings.Contains(said, `"result"`) {
		t.Errorf("%v %q %q", err, got, p.errs.String())
	}
}
