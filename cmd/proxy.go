package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/internal/answer"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/proxy/agents"
	"github.com/kfw-dev/kfw/internal/proxy/answers"
	"github.com/kfw-dev/kfw/internal/proxy/results"
	"github.com/kfw-dev/kfw/internal/safefile"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/proxy"
	"github.com/kfw-dev/kfw/session/open"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/guard"
)

// Time limits: for the headers of a request, and for answers under way when the agent has ended.
const (
	headerPatience = 30 * time.Second
	lastPatience   = time.Second
)

// mostSettings is the largest settings file of an agent that is read, in bytes.
const mostSettings = 4 << 20

type proxyOptions struct {
	streamOptions
	agent       string
	listen      string
	upstream    string
	allowRemote bool
	redactInput bool
	isStrict    bool
	isFitted    bool
	guard       turnOptions // what becomes of calls
	mayWrite    bool        // placeholders back
}

func proxyCommand(s streams, known *settings.Settings) *cobra.Command {
	var o proxyOptions
	c := &cobra.Command{
		Use:   "proxy [flags] {-- AGENT [ARG...] | --listen ADDR --upstream URL}",
		Short: "stand between an agent and its model's API: redact what tools answered",
		Long: `proxy starts an agent, and has it ask an address on this machine in the place of its provider's. What it asks is passed on
byte for byte, except for the texts of what its tools have answered, which are redacted and, with --budget, shortened. The
same text becomes the same bytes in every request, so that the provider's cache of prompts holds. Nothing is written to any
settings; the proxy ends with the agent, and its exit status is the agent's.

What the provider answers passes byte for byte, unless a call is not let through: one that would write a placeholder in the
place of what was redacted, or one that --deny, --judge or --tools refuse, as with kfw turn. Then the answer says so in the
provider's own form, up to the first call as it came; an answer that does not stream becomes an error.

Where it asked before, as its environment and its settings say, is where the proxy passes on to. By what an agent is told:

` + agents.Help() + `

--listen and --upstream stand alone, for a client that is told the address by hand.`,
		Example: `  kfw proxy -- claude
  kfw proxy --budget 4000 -- codex exec 'why does the build fail?'
  kfw proxy -- python my_agent.py
  kfw proxy --deny 'Bash:command=~\bsudo\b' -- claude
  kfw proxy --listen 127.0.0.1:8080 --upstream https://api.openai.com`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case o.listen != "" && len(args) > 0:
				return fault.Usage("proxy takes an agent or --listen, not both", "")
			case (o.listen != "") != (o.upstream != ""):
				return fault.Usage("--listen and --upstream go together", "")
			case o.listen == "" && (len(args) == 0 || c.ArgsLenAtDash() != 0):
				return fault.Usage("proxy takes an agent", "put -- before it: kfw proxy -- AGENT ARG...")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			o.isFitted = c.Flags().Changed("budget")
			return o.run(s, args)
		},
	}
	all := &cobra.Command{}
	o.addFlags(all, known)
	flags := c.Flags()
	for _, name := range []string{"budget", "mode", "tokenizer", "token-factor", "sensitivity", "allow-fields",
		"redact-fields", "keep-fields", "allow", "rules", "honor-allowlists", "placeholder", "hidden", "session",
		"total", "ttl", "store-max"} {
		flags.AddFlag(all.Flags().Lookup(name))
	}
	flags.StringVar(&o.agent, "agent", "", "the agent, where it is not the name of the program: "+
		strings.Join(agents.Names(), ", "))
	flags.BoolVar(&o.redactInput, "redact-input", false, "redact the texts of the user, too")
	flags.BoolVar(&o.isStrict, "strict", false, "refuse a request that can't be read, and connections that are no HTTP")
	flags.StringVar(&o.listen, "listen", "", "the `address` to listen on: HOST:PORT, or unix:PATH")
	flags.StringVar(&o.upstream, "upstream", "", "the `URL` that --listen passes on to")
	flags.BoolVar(&o.allowRemote, "allow-remote", false, "let --listen be reached from other machines")
	settings.AddChoice(c, &o.mayWrite, "write-back", "a call whose arguments have a placeholder that the user did not write: refuse or allow",
		settings.Option[bool]{Name: "refuse", Value: false}, settings.Option[bool]{Name: "allow", Value: true})
	o.guard.settings = known
	calls := &cobra.Command{}
	o.guard.addPolicyFlags(calls)
	for _, name := range []string{"on-invalid", "deny", "judge", "judge-timeout", "judge-context"} {
		flags.AddFlag(calls.Flags().Lookup(name))
	}
	flags.StringSliceVar(&o.guard.tools, "tools", nil, "names of the tools that may be called: a,b")
	flags.SetInterspersed(false) // what follows the agent's name is the agent's
	manual.Group(c, manual.GroupInput, "agent", "listen", "upstream", "allow-remote", "strict")
	manual.Group(c, manual.GroupRedaction, "redact-input")
	manual.Group(c, manual.GroupCalls, "tools", "write-back")
	return c
}

func (o *proxyOptions) run(s streams, argv []string) (err error) {
	defer closing(&err, &o.budgeting)
	log.SetOutput(io.Discard) // net/http logs what came
	process.CollectMore()     // requests may be of any length, and there may be many at once
	note := func(line string) { fmt.Fprintf(s.err, "kfw: %s\n", terminal.Printable(terminal.Sayable(line))) }
	redactor, err := o.redactors(s, note)
	if err != nil {
		return err
	}
	guarded, err := o.guarded(s, note)
	if err != nil {
		return err
	}
	admits, err := o.admits()
	if err != nil {
		return err
	}
	set := proxy.Options{NewRedactor: redactor, OfUser: o.redactInput, Strict: o.isStrict, Note: note, Answer: guarded,
		Admit: admits}
	listener, err := o.bind()
	if err != nil {
		return err
	}
	if o.listen != "" {
		to, err := url.Parse(o.upstream)
		if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
			return errors.Join(fault.Usage("--upstream: not the address of a server",
				"https://HOST, as the client would ask it"),
				listener.Close())
		}
		set.Routes = []proxy.Route{{Upstream: to}}
		return o.serve(set, listener, func() error { return waitForSignal(note, listener) })
	}
	setup, err := o.setUp(argv, listener)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	for _, limit := range setup.Limits {
		note(limit)
	}
	set.Routes = setup.Routes
	return o.serve(set, listener, func() error { return attend(setup) })
}

// bind begins to listen.
func (o *proxyOptions) bind() (net.Listener, error) {
	address := o.listen
	if address == "" {
		address = "127.0.0.1:0"
	}
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		listener, err := process.ListenPrivate(path)
		return listener, listenError(err)
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fault.Usage("--listen: not an address", "HOST:PORT, as 127.0.0.1:8080, or unix:PATH")
	}
	if ip := net.ParseIP(host); !o.allowRemote && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fault.Usage("--listen: other machines could reach it", "listen on 127.0.0.1, or say --allow-remote")
	}
	listener, err := net.Listen("tcp", address)
	return listener, listenError(err)
}

func listenError(err error) error {
	if failed, ok := errors.AsType[*net.OpError](err); ok {
		return fault.Usage("--listen: "+failed.Err.Error(), "")
	}
	return err
}

// setUp returns how the agent is started.
func (o *proxyOptions) setUp(argv []string, listener net.Listener) (agents.Setup, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return agents.Setup{}, err
	}
	here, err := os.Getwd()
	if err != nil {
		return agents.Setup{}, err
	}
	setup, err := agents.Of(o.agent, agents.Start{
		Argv: argv, Environment: os.Environ(), Address: "http://" + listener.Addr().String(), Home: home,
		Directory: here,
		Read: func(path string) ([]byte, error) {
			syntax := safefile.JSON
			if strings.HasSuffix(path, ".toml") {
				syntax = safefile.TOML
			}
			return safefile.Read(path, safefile.Limit{Bytes: mostSettings, Syntax: syntax})
		},
	})
	if err != nil {
		return setup, fault.Usage(terminal.Printable(terminal.Sayable(err.Error())),
			"kfw proxy --help says which agents are told how")
	}
	return setup, nil
}

// redactors returns the constructor of the Redactor that each request gets.
func (o *proxyOptions) redactors(s streams, note func(string)) (func() proxy.Redactor, error) {
	set := results.Options{Numbered: o.redaction.numbered, Fields: o.redaction.allowFields, KeepsHidden: o.keepsHidden,
		Mode: o.mode, Explain: failure, Note: note, Encoding: encode.TextOf(open.Shown(o.session), nil), Estimate: o.isEstimate()}
	var err error
	if set.Rules, err = o.redaction.rules(o.settings); err != nil {
		return nil, err
	}
	set.Whole = set.Rules
	if whole := o.redaction; len(whole.allowFields) > 0 {
		whole.allowFields = nil
		if set.Whole, err = whole.rules(o.settings); err != nil {
			return nil, err
		}
	}
	if o.isFitted {
		if o.settings.IsDefault("tokenizer") {
			o.tokenizer = hostTokenizer
		}
		if err := o.counting.open(s.err, set.Rules, o.settings.Name("tokenizer")); err != nil {
			return nil, err
		}
		set.Budget, set.Counter = o.tokens, &lockedCounter{Counter: budget.Scaled(o.counting.opened.Counter(),
			o.factor)}
		set.Fitted = &results.Fitted{For: o.ttl / 4}
		if set.Session, err = o.budgeting.file(); err != nil {
			return nil, err
		}
	}
	return func() proxy.Redactor { return results.New(set) }, nil
}

// guarded returns the function that guards the calls of an answer.
func (o *proxyOptions) guarded(s streams, note func(string)) (func(sent []byte, answer *http.Response) error, error) {
	var request answer.Request
	if o.settings.Given("tools") {
		var err error
		if request, err = answer.Tools(o.guard.tools); err != nil {
			return nil, err
		}
	}
	if len(o.guard.judge) > 0 {
		if _, err := exec.LookPath(o.guard.judge[0]); err != nil {
			return nil, &driver.NotFound{Name: o.guard.judge[0], Reason: "no such program"}
		}
	}
	policies, _, err := o.guard.policies(s, request, nil)
	if err != nil {
		return nil, err
	}
	hasPolicy := len(policies) > 0
	g := &answers.Guard{Tools: request.Tools, Begin: func(q *answers.Question) (all []turn.Policy, end func() error,
		err error) {
		if !hasPolicy && (o.mayWrite || !q.HasPlaceholder) {
			return nil, nil, nil
		}
		all, judge, err := o.guard.policies(s, request, nil)
		if err != nil {
			return nil, nil, err
		}
		if !o.mayWrite {
			all = append(all, answers.WriteBack{Question: q})
		}
		end = func() error { return nil }
		if judge != nil {
			end = judge.Close
		}
		return append(all, guard.Others{}), end, nil
	}}
	if o.session != "" {
		on, err := o.budgeting.file()
		if err != nil {
			return nil, err
		}
		g.Used = func(model string, cost turn.Usage) {
			described, err := terminal.Described("turn " + model)
			if err == nil {
				err = on.Record(described, cost.Input, cost.Output)
			}
			if err != nil {
				note("a turn is not recorded: " + err.Error())
			}
		}
	}
	return func(sent []byte, answer *http.Response) error {
		return g.Answer(&answers.Question{Body: sent, HasPlaceholder: sent == nil ||
			bytes.Contains(sent, []byte("[REDACTED:"))}, answer)
	}, nil
}

// admits returns the check that refuses requests when the session has no tokens left.
func (o *proxyOptions) admits() (func() error, error) {
	if o.session == "" {
		return nil, nil
	}
	file, err := o.budgeting.file()
	return func() error {
		status, err := file.Status()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err == nil && status.Left <= 0:
			return fmt.Errorf("nothing is left of the session's %d tokens", status.Total)
		}
		return err
	}, err
}

// newProxyServer returns a server that logs nothing: what came may be in its messages.
func newProxyServer(set proxy.Options) *http.Server {
	return &http.Server{Handler: proxy.New(set), ReadHeaderTimeout: headerPatience,
		ErrorLog: log.New(io.Discard, "", 0)}
}

// serve answers requests until during is over.
func (o *proxyOptions) serve(set proxy.Options, listener net.Listener, during func() error) error {
	server := newProxyServer(set)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	err := during()
	patience, cancel := context.WithTimeout(context.Background(), lastPatience)
	defer cancel()
	if server.Shutdown(patience) != nil {
		err = errors.Join(err, server.Close())
	}
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// waitForSignal says where the proxy is reached, and waits for the signal that ends it.
func waitForSignal(note func(string), listener net.Listener) error {
	stopped := process.CatchInterruption()
	note("listening on " + listener.Addr().String())
	<-stopped.Came
	return errors.Join(&process.Interrupted{Signal: stopped.Signal}, stopped.Close())
}

// attend starts the agent and waits for its end. A terminal sends ^C to the agent directly.
func attend(setup agents.Setup) error {
	agent, err := driver.StartAttached(setup.Argv, setup.Environment)
	if err != nil {
		return err
	}
	caught := make(chan os.Signal, 8)
	process.CatchEndings(caught)
	isTyped := term.IsTerminal(int(os.Stdin.Fd()))
	go func() {
		for one := range caught {
			if is := one.(syscall.Signal); !isTyped || is != syscall.SIGINT && is != syscall.SIGQUIT {
				_ = agent.Signal(is) // it may have ended
			}
		}
	}()
	return agent.Wait()
}
