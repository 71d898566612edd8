package cmd

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/expansion"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/mcp/remote"
	"github.com/kfw-dev/kfw/internal/mcp/results"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/internal/tokenizer"
	"github.com/kfw-dev/kfw/mcp"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

// How long a server has after its standard input was closed, and then after SIGTERM.
const (
	patience  = 5 * time.Second
	mcpsGrace = 3 * time.Second
)

// mostRounds is for how many times patience a server is listened to that goes on and on after that.
const mostRounds = 24

type mcpOptions struct {
	hookSettings
	known  *settings.Settings
	config string
	state  string
	name   string
	url    string
	header []string // NAME:VALUE
	secret []string // NAME:VARIABLE
	noTool bool
	keeps  bool // structured content

	filter *hosts.Filter
	file   session.Session
	isOwn  bool // the session is of this process alone
	tool   *expansion.Tool
}

func mcpCommand(s streams) *cobra.Command {
	o := mcpOptions{known: settings.New(settable)}
	c := &cobra.Command{
		Use:   "mcp [flags] {-- SERVER [ARG...] | --url URL}",
		Short: "stand in front of an MCP server: redact its results, and shorten long ones",
		Long: `mcp starts an MCP server and stands between it and the client. What the server says passes byte for byte, except for
its texts: those of results are redacted and fitted into a budget, others are redacted. All of a shortened result is
behind a handle; the tool kfw_expand, which is added to those of the server, pages through it.

Structured content says again what the text of a result says, and is dropped together with its schema.
--keep-structured redacts its strings in place.

--url is for a server that is reached by HTTP (streamable HTTP). With --header-env a token is on no command line; kfw
neither logs nor stores it, and follows no redirect.

The command line and the user's kfw.yaml count, and policies of tools under hooks in it. Of the environment only
KFW_OFF counts; a kfw.yaml in the working directory only tightens. See docs/mcp.md.`,
		Example: `  kfw mcp -- npx -y @modelcontextprotocol/server-filesystem /srv
  kfw mcp --budget 8000 --name github -- github-mcp-server stdio
  kfw mcp --keep-structured --no-expand-tool -- ./server
  kfw mcp --url https://mcp.example.com/mcp --header-env 'Authorization:MCP_AUTH'`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case o.url != "" && len(args) > 0:
				return fault.Usage("mcp takes a server or --url, not both", "")
			case o.url == "" && (len(o.header) > 0 || len(o.secret) > 0):
				return fault.Usage("--header, --header-env: they go with --url", "")
			case o.url == "" && (len(args) == 0 || c.ArgsLenAtDash() != 0):
				return fault.Usage("mcp takes a server", "put -- before it: kfw mcp -- SERVER ARG...")
			}
			return nil
		},
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil }, // the environment does not count
		RunE:              func(_ *cobra.Command, args []string) error { return o.run(s, args) },
	}
	o.addFlags(c)
	c.Flags().SetInterspersed(false) // what follows the server's name is the server's
	return c
}

// addFlags adds those of the flags of stream that say something here, and those of mcp alone.
func (o *mcpOptions) addFlags(c *cobra.Command) {
	all := &cobra.Command{}
	o.streamOptions.addFlags(all, o.known)
	flags := c.Flags()
	for _, name := range []string{"budget", "mode", "tokenizer", "token-factor", "session", "total", "sensitivity",
		"allow-fields",
		"redact-fields", "keep-fields", "allow", "rules", "honor-allowlists", "placeholder", "ttl", "store-max"} {
		flags.AddFlag(all.Flags().Lookup(name))
	}
	flags.Lookup("tokenizer").DefValue = hostTokenizer
	flags.StringVar(&o.config, "config", "",
		"the user's `kfw.yaml`, if there is one (default ~/.config/kfw/kfw.yaml)")
	flags.StringVar(&o.state, "state", "", "the `directory` of sessions (default ~/.local/state/kfw)")
	flags.StringVar(&o.name, "name", "",
		"what the client calls the server: policies then call its tools mcp__NAME__TOOL")
	flags.StringVar(&o.url, "url", "", "the `address` of a server that is reached by HTTP")
	flags.StringArrayVar(&o.header, "header", nil, "a header for --url: `NAME:VALUE` (repeated: each of them)")
	flags.StringArrayVar(&o.secret, "header-env", nil,
		"a header for --url whose value is in the environment: `NAME:VARIABLE`")
	flags.BoolVar(&o.noTool, "no-expand-tool", false, "add no tool: texts name the command that reads on, kfw expand")
	flags.BoolVar(&o.keeps, "keep-structured", false, "keep structured content and its schemas, and redact it in place")
}

// setUp reads the settings.
func (o *mcpOptions) setUp() (err error) {
	config, state := settings.Below(passwdHome())
	o.config, o.state = cmp.Or(o.config, config), cmp.Or(o.state, state)
	if o.state == "" {
		return fault.Usage("no place for sessions: the user has no home directory", "name one with --state")
	}
	o.flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			o.known.From[f.Name] = settings.Origin{Kind: settings.FromFlag}
		}
	})
	if _, isProgram := tokenizer.Program(o.tokenizer); isProgram {
		return fault.Usage("--tokenizer: mcp starts no program that counts",
			"give an encoding, a model, or a file tokenizer.json")
	}
	o.known.ReadSession(o.flags)
	if err := o.countAsSession(); err != nil {
		return err
	}
	if o.filter, err = o.filterWith(o.known, o.flags, o.config); err != nil {
		return err
	}
	o.filter.Counter = &lockedCounter{Counter: o.filter.Counter}
	id := make([]byte, 8)
	_, _ = rand.Read(id) // it never fails
	if session.IsURL(o.session) {
		named, isShared, err := sessionsAt(o.session)
		if err != nil {
			return err
		}
		asked := o.sessionSettings()
		if !isShared {
			asked.Total = session.NoTotal
		}
		o.total = asked.Total
		o.opened = named(fmt.Sprintf("mcp-%s", hex.EncodeToString(id)), asked)
	}
	if o.session != "" {
		o.file, err = o.budgeting.file()
		return err
	}
	o.isOwn, o.total = true, session.NoTotal
	sweepSessions(filepath.Join(o.state, "sessions"), o.ttl, time.Now())
	name := fmt.Sprintf("mcp-%d-%s.kfw", os.Getpid(), hex.EncodeToString(id))
	o.file = file.At(filepath.Join(o.state, "sessions", name),
		session.Settings{Total: session.NoTotal, TTL: o.ttl, StoreMax: o.storeMax, MakeDirectory: true})
	return nil
}

// sweepSessions removes the sessions of processes of kfw mcp that have ended, after the time for
// which a handle lives. One that can't be removed stays for the next process.
func sweepSessions(dir string, ttl time.Duration, now time.Time) {
	all, _ := filepath.Glob(filepath.Join(dir, "mcp-*-*.kfw")) // the pattern is valid
	for _, path := range all {
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(path), "mcp-%d-", &pid); err != nil ||
			!process.HasEnded(pid) {
			continue
		}
		if info, err := os.Stat(path); err != nil || now.Sub(info.ModTime()) < ttl {
			continue
		}
		for _, suffix := range []string{"-wal", "-shm", ""} {
			_ = os.Remove(path + suffix)
		}
	}
}

// lockedCounter counts for several goroutines.
type lockedCounter struct {
	budget.Counter
	mu sync.Mutex
}

// Count implements budget.Counter.
func (l *lockedCounter) Count(line []byte) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Counter.Count(line)
}

func (o *mcpOptions) run(s streams, argv []string) (err error) {
	if err := o.setUp(); err != nil {
		return err
	}
	defer closing(&err, &o.budgeting)
	defer func() { err = errors.Join(err, o.closeSession()) }()
	note := func(line string) { fmt.Fprintf(s.err, "kfw: %s\n", terminal.Printable(terminal.Sayable(line))) }
	if o.unread != nil {
		note(terminal.Message(o.unread))
	}
	proxy := o.proxy(note)
	process.BoundMemory(o.tokens, o.maxChunk)
	process.CollectMore() // a result may be of any length
	if o.url != "" {
		return o.runRemote(s, proxy, note)
	}
	return o.runProgram(s, proxy, note, argv)
}

// runRemote stands in front of a server that is reached by HTTP.
func (o *mcpOptions) runRemote(s streams, proxy *mcp.Proxy, note func(string)) error {
	log.SetOutput(io.Discard) // net/http logs what a server sends unasked, as it came
	header, err := o.headers()
	if err != nil {
		return err
	}
	server, err := remote.Open(remote.Options{URL: o.url, Header: header, Spool: o.state, Note: note, Wait: patience})
	if err != nil {
		return fault.Usage("--url: "+err.Error(), "")
	}
	end := sync.OnceFunc(func() { logError(note, server.Close()) })
	proxy.Open(&watched{s.out, func() { go end() }})
	if out, ok := s.out.(*process.Output); ok {
		out.WatchReader(end)
	}
	stopped := process.CatchInterruption()
	defer stopped.Close()
	go func() {
		<-stopped.Came
		end()
	}()
	go func() {
		logError(note, proxy.ToServer(s.in, server))
		end()
	}()
	err = proxy.ToClient(server)
	select {
	case <-stopped.Came:
		return &process.Interrupted{Signal: stopped.Signal}
	default:
		return err
	}
}

// headers returns those that are sent with each request. No error says what is in one.
func (o *mcpOptions) headers() (http.Header, error) {
	all := make(http.Header)
	add := func(flag, text string, value func(string) (string, bool)) error {
		name, rest, isPair := strings.Cut(text, ":")
		if name = strings.TrimSpace(name); !isPair || !remote.IsHeaderName(name) {
			return fault.Usage("--"+flag+": not the name of a header and a colon",
				"--header NAME:VALUE, or --header-env NAME:VARIABLE for a secret")
		}
		found, isThere := value(strings.TrimSpace(rest))
		if !isThere {
			return fault.Usage("--"+flag+": "+name+": its variable is not set", "")
		}
		if !remote.IsHeaderValue(found) {
			return fault.Usage("--"+flag+": "+name+": its value can't be sent", "")
		}
		all.Add(name, found)
		return nil
	}
	for _, text := range o.header {
		if err := add("header", text, func(v string) (string, bool) { return v, true }); err != nil {
			return nil, err
		}
	}
	for _, text := range o.secret {
		if err := add("header-env", text, os.LookupEnv); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// runProgram stands in front of a server that is a program.
func (o *mcpOptions) runProgram(s streams, proxy *mcp.Proxy, note func(string), argv []string) error {
	stderrRules, err := terminal.RulesOf(o.redaction.groups)
	if err != nil {
		return err
	}
	fromClient, toServer, err := os.Pipe()
	if err != nil {
		return err
	}
	server, err := driver.Start(argv, driver.Options{
		Stdin:        fromClient,
		StderrTo:     s.err,
		StderrFilter: func(in io.Reader) io.Reader { return redact.NewReader(in, stderrRules, redact.Lines) },
		Grace:        mcpsGrace,
	})
	err = errors.Join(err, fromClient.Close())
	if err != nil {
		return errors.Join(err, toServer.Close())
	}
	heard := &listened{Reader: server}
	stop := func() { logError(note, server.Stop(syscall.SIGTERM)) }
	closed := sync.OnceFunc(func() { _ = toServer.Close() }) // the server may be gone, too
	gone := sync.OnceFunc(func() {
		closed()
		time.AfterFunc(patience, stop)
	})
	forward(server, note)
	proxy.Open(&watched{s.out, gone})
	if out, ok := s.out.(*process.Output); ok {
		out.WatchReader(gone)
	}
	go func() {
		logError(note, proxy.ToServer(s.in, toServer))
		closed()
		heard.whenSilent(patience, mostRounds, stop)
	}()
	err = proxy.ToClient(heard)
	return errors.Join(err, server.Close())
}

func logError(note func(string), err error) {
	if err != nil {
		note("mcp: " + err.Error())
	}
}

// forward sends the server what signals kfw gets. Those that are to end it have SIGKILL after them.
func forward(server *driver.Process, note func(string)) {
	caught := make(chan os.Signal, 8)
	process.CatchEndings(caught)
	go func() {
		for one := range caught {
			send := server.Signal
			if process.Ends(one) {
				send = server.Stop
				status := process.ExitSignal + int(one.(syscall.Signal))
				time.AfterFunc(patience+mcpsGrace, func() { os.Exit(status) }) // the client may not read what is said
			}
			logError(note, send(one))
		}
	}()
}

// listened is a server that is read.
type listened struct {
	io.Reader
	waits atomic.Bool // for what the server says
	bytes atomic.Int64
}

// Read implements io.Reader.
func (l *listened) Read(b []byte) (int, error) {
	l.waits.Store(true)
	n, err := l.Reader.Read(b)
	l.waits.Store(false)
	l.bytes.Add(int64(n))
	return n, err
}

// whenSilent calls then once the server has said nothing for so long, and could have. One whose answer is not read, since
// the client takes its time, is not silent. One that goes on and on is listened to for so many rounds.
func (l *listened) whenSilent(long time.Duration, rounds int, then func()) {
	before := l.bytes.Load()
	time.AfterFunc(long, func() {
		isSilent := l.bytes.Load() == before
		if isSilent && l.waits.Load() || rounds == 0 {
			then()
			return
		}
		if !isSilent {
			rounds--
		}
		l.whenSilent(long, rounds, then)
	})
}

// watched is the way to the client. gone is called when it does not listen any more.
type watched struct {
	io.Writer
	gone func()
}

func (w *watched) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if err != nil {
		w.gone()
		err = &pipeline.WriteError{Err: err}
	}
	return n, err
}

// proxy puts together what the settings say.
func (o *mcpOptions) proxy(note func(string)) *mcp.Proxy {
	p := &mcp.Proxy{Spool: o.state, Note: note, KeepsStructured: o.keeps}
	if !o.noTool {
		o.tool = expansion.NewTool(o.filter, o.file)
		p.Tool = o.tool
	}
	prefix := ""
	if o.name != "" {
		prefix = "mcp__" + o.name + "__"
	}
	f := o.filter
	filter := results.New(results.Options{
		KeepsHidden: o.keepsHidden,
		Rules:       f.Rules, Whole: f.Whole, Fields: f.Fields, Policies: o.policies, Prefix: prefix,
		IsOff:   os.Getenv(offVariable) == "1",
		Counter: f.Counter, Counting: f.Counting, Estimate: f.Estimate, Budget: f.Budget, Mode: f.Mode,
		Encoding: func() pipeline.Encoding { return o.textEncoding() }, Explain: failure, Describe: f.Describe,
		Session: o.file, Total: o.total, Note: note,
	})
	p.Redactor, p.Fitter = filter, filter
	return p
}

// textEncoding names what reads on: the tool or the command.
func (o *mcpOptions) textEncoding() encode.Text {
	if o.tool == nil {
		return encode.TextOf(o.file.Path(), nil).ByProgram(o.filter.Program)
	}
	return encode.Text{}.ByTool(o.tool.Name(), "")
}

// closeSession closes the session, and removes it if it is of this process alone and nothing is kept in it.
func (o *mcpOptions) closeSession() error {
	if !o.isOwn {
		return nil // budgeting closes it
	}
	kept, err := o.file.Handles()
	if errors.Is(err, fs.ErrNotExist) {
		return o.file.Close()
	}
	if err = errors.Join(err, o.file.Close()); err == nil && len(kept) == 0 {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if removeErr := os.Remove(o.file.Path() + suffix); !errors.Is(removeErr, fs.ErrNotExist) {
				err = cmp.Or(err, removeErr)
			}
		}
	}
	return err
}
