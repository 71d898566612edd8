package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/proxy/agents"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/proxy"
)

// proofPatience is how long a request of the proof may take.
const proofPatience = 10 * time.Second

// runProxyDoctor shows how kfw proxy points an agent to itself. It then sends a planted secret
// through each route to a stand-in on this machine, and checks that the secret does not arrive.
func runProxyDoctor(s streams, name string) (err error) {
	if !slices.Contains(agents.Names(), name) {
		return fault.Usage("unknown agent: "+terminal.Word(name), "choose one of "+strings.Join(agents.Names(), ", "))
	}
	known := settings.New(settable)
	o := proxyOptions{}
	flags := &cobra.Command{}
	o.addFlags(flags, known)
	if err := known.Resolve(flags.Flags()); err != nil {
		return err
	}
	defer closing(&err, &o.budgeting)
	redactor, err := o.redactors(s, func(string) {})
	if err != nil {
		return err
	}
	log.SetOutput(io.Discard) // net/http logs what came
	standIn, err := newStandIn()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(err, standIn.server.Close())
	}
	setup, err := o.setUp([]string{name}, listener)
	if err != nil {
		return errors.Join(err, listener.Close(), standIn.server.Close())
	}
	set := proxy.Options{NewRedactor: redactor}
	for _, to := range setup.Routes {
		set.Routes = append(set.Routes, proxy.Route{Name: to.Name, Upstream: standIn.url})
	}
	server := newProxyServer(set)
	go func() { _ = server.Serve(listener) }() // it ends with an error in any case
	defer func() { err = errors.Join(err, server.Close(), standIn.server.Close()) }()
	var b strings.Builder
	leaks := false
	fmt.Fprintf(&b, "%s\n", name)
	for _, telling := range tellings(setup) {
		fmt.Fprintf(&b, "  told by %s\n", terminal.Printable(terminal.Sayable(telling)))
	}
	for _, to := range setup.Routes {
		said, isLeak := standIn.prove("http://" + listener.Addr().String() + "/" + to.Name)
		leaks = leaks || isLeak
		fmt.Fprintf(&b, "  %s: %s\n", terminal.Printable(terminal.Sayable(to.Upstream.Host)), said)
	}
	for _, limit := range setup.Limits {
		fmt.Fprintf(&b, "  not covered: %s\n", limit)
	}
	if err := writeText(s.out, b.String()); err != nil {
		return err
	}
	if leaks {
		return &leaky{[]string{name}}
	}
	return nil
}

// tellings returns the names of the variables and flags that point an agent to the proxy.
func tellings(setup agents.Setup) (all []string) {
	before := os.Environ()
	for _, one := range setup.Environment {
		if name, _, _ := strings.Cut(one, "="); !slices.Contains(before, one) {
			all = append(all, name)
		}
	}
	for _, word := range setup.Argv[1:] {
		if name, _, _ := strings.Cut(word, "="); name != "-c" {
			all = append(all, name)
		}
	}
	return all
}

// standIn answers in the place of a provider, and remembers what it was asked.
type standIn struct {
	server *http.Server
	url    *url.URL
	asked  chan []byte
}

func newStandIn() (*standIn, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &standIn{url: &url.URL{Scheme: "http", Host: listener.Addr().String()}, asked: make(chan []byte, 1)}
	s.server = &http.Server{ReadHeaderTimeout: headerPatience,
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body) // what could not be read counts as not received
			s.asked <- body
		})}
	go func() { _ = s.server.Serve(listener) }() // it ends with an error in any case
	return s, nil
}

// prove sends a planted secret to an address of the proxy, and reports what the stand-in received.
func (s *standIn) prove(address string) (said string, leaks bool) {
	body, secrets := hosts.PlantedRequest()
	ctx, cancel := context.WithTimeout(context.Background(), proofPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/proof", bytes.NewReader(body))
	if err != nil {
		return "not tested: " + err.Error(), false
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "not tested: the proxy can't be asked", false
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "not tested: the proxy has answered " + answer.Status, false
	}
	got := <-s.asked
	for _, secret := range secrets {
		if bytes.Contains(got, []byte(secret)) {
			return "lets a planted secret through", true
		}
	}
	return "a planted secret is taken out", false
}
