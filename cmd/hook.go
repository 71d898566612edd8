package cmd

import (
	"cmp"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/internal/tokenizer"
	"github.com/kfw-dev/kfw/session"
)

// offVariable is the one variable that a hook heeds: what a repository can set must not loosen anything.
const offVariable = "KFW_OFF"

// hookLog is the name of the log of hooks, in the state directory.
const hookLog = "hook.log"

type hookOptions struct {
	host    string
	config  string
	state   string
	wrap    bool
	text    string
	agent   string
	tool    string
	repeats string
}

func hookCommand(s streams) *cobra.Command {
	var o hookOptions
	c := &cobra.Command{
		Use:   "hook [flags]",
		Short: "answer one event of an agent host: kfw init installs it",
		Long: `hook reads one event of an agent host from standard input and writes the answer that the host takes: the same tool
result with secrets taken out, and shortened to a budget if it is long. A result that needs no change gets no answer. It
always exits 0: what goes wrong stands in hook.log in the state directory, and a result that can't be redacted is withheld.

A repository can set the environment of hooks, and what kfw.yaml in the working directory says is the repository's. So a
hook reads neither: its settings are those of --config, which kfw init writes into the host's settings. KFW_OFF=1 stops
shortening, never redaction.`,
		Example: `  kfw hook --host claude-code < event.json`,
		// What is wrong with the flags must not make a tool's result an error.
		Args:              cobra.ArbitraryArgs,
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE:              func(_ *cobra.Command, args []string) error { return o.run(s, args) },
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return &harmless{flagError(c, err)} })
	flags := c.Flags()
	flags.StringVar(&o.host, "host", "", "the host: "+strings.Join(hosts.Names(), ", ")+
		" (default: the one whose event it looks like)")
	flags.StringVar(&o.config, "config", "",
		"the user's `kfw.yaml`, if there is one (default ~/.config/kfw/kfw.yaml)")
	flags.StringVar(&o.state, "state", "",
		"the `directory` of sessions and of hook.log (default ~/.local/state/kfw)")
	flags.BoolVar(&o.wrap, "wrap", false, "make a failing command end well and say its status: see kfw init --wrap")
	flags.StringVar(&o.text, "text", "",
		"read a tool's text in place of an event, of the session with this `ID`, and write what the model is to see")
	flags.StringVar(&o.agent, "agent", "", "with --text: the `ID` of the subagent")
	flags.StringVar(&o.tool, "tool", "", "with --text: the `name` of the tool")
	flags.StringVar(&o.repeats, "repeats", "",
		"a result that the model was shown before: "+strings.Join(hosts.RepeatsNames(), " or ")+
			" (default: as kfw.yaml says)")
	settings.Complete(c, "host", hosts.Names())
	settings.Complete(c, "repeats", hosts.RepeatsNames())
	return c
}

func (o *hookOptions) run(s streams, args []string) error {
	home := passwdHome()
	config, state := settings.Below(home)
	o.config, o.state = cmp.Or(o.config, config), cmp.Or(o.state, state)
	d := &hosts.Door{Home: home, State: o.state, IsOff: os.Getenv(offVariable) == "1", Wraps: o.wrap,
		IsSelf: isSelf, Visible: func(line string) string { return terminal.Printable(terminal.Sayable(line)) }}
	if o.state != "" {
		d.Log.Path = filepath.Join(o.state, hookLog)
	}
	if o.host != "" {
		d.Host = hosts.Named(o.host)
	}
	if len(args) > 0 || d.Host == nil && (o.host != "" || o.text != "") {
		return &harmless{fault.Usage("hook takes no arguments, and --host is the name of a host", "the hosts are "+
			strings.Join(hosts.Names(), ", "))}
	}
	repeats, isKnown := hosts.ParseRepeats(o.repeats)
	if o.repeats != "" && !isKnown {
		return &harmless{fault.Usage("--repeats: unknown", "choose "+strings.Join(hosts.RepeatsNames(), " or "))}
	}
	var b hookSettings
	d.Filter, d.Broken = b.filter(o.config)
	if b.unread != nil {
		d.Log.Add(terminal.Printable(terminal.Sayable(terminal.Message(b.unread))))
	}
	if d.Broken == nil && session.IsURL(b.session) {
		d.Sessions, d.IsShared, d.Broken = sessionsAt(b.session)
	}
	d.Policies, d.Keeps, d.Repeats = b.policies, b.keepsSpill, cmp.Or(repeats, b.repeats)
	if o.text != "" {
		d.Text(&hosts.Event{Session: o.text, Agent: o.agent, Tool: o.tool}, s.in, s.out)
		return nil
	}
	d.Words = []string{calledPath(), "hook", "--host", o.host, "--config", o.config, "--state", o.state}
	process.CollectMore() // an event may be of any size
	answer := d.Answer(s.in)
	if _, err := s.out.Write(answer); err == nil { // without a reader there is no way to report it
		d.Given()
	}
	return nil
}

// passwdHome is the home directory of the user by the system's own records, whatever HOME says; empty if it has none.
func passwdHome() string {
	if runtime.GOOS == "windows" { // where it asks the system, and no variable
		if me, err := user.Current(); err == nil && filepath.IsAbs(me.HomeDir) {
			return me.HomeDir
		}
		return ""
	}
	if me, err := user.LookupId(strconv.Itoa(os.Getuid())); err == nil && filepath.IsAbs(me.HomeDir) {
		return me.HomeDir
	}
	return ""
}

// hostTokenizer counts what a host gives to its model, unless the user says otherwise. By characters some results cost
// twice as much as was counted.
const hostTokenizer = "o200k_base"

// hookSettings are what a hook takes from the user's configuration, and from nothing else.
type hookSettings struct {
	streamOptions
	policies   hosts.Policies
	keepsSpill bool
	repeats    hosts.Repeats
	unread     error // why the kfw.yaml of the working directory does not count
}

// filter reads the configuration. Without a file, all is as by default. A file that is invalid is an error, since it
// may say that more is to be redacted.
func (b *hookSettings) filter(config string) (*hosts.Filter, error) {
	known := settings.New(settable)
	c := &cobra.Command{}
	b.streamOptions.addFlags(c, known)
	return b.filterWith(known, c.Flags(), config)
}

// filterWith is filter where some flags have values already, as known says.
func (b *hookSettings) filterWith(known *settings.Settings, flags *pflag.FlagSet, config string) (*hosts.Filter,
	error) {
	if config != "" {
		file, err := settings.Read(config, settable())
		if err != nil {
			return nil, err
		}
		if file != nil {
			b.policies, b.keepsSpill, b.repeats = file.Hooks, file.KeepsSpill, file.Repeats
		}
		if err := known.TakeAll(flags, file); err != nil {
			return nil, err
		}
	}
	b.tightenBy(known, flags, config)
	var err error
	f := &hosts.Filter{Fields: b.redaction.allowFields, Mode: b.mode, TTL: b.ttl, StoreMax: b.storeMax,
		Program: ownPath(),
		Explain: failure, Describe: terminal.Sayable, Estimate: b.isEstimate(), Budget: b.tokens,
		KeepsHidden: b.keepsHidden}
	if f.Rules, err = b.redaction.rules(known); err != nil {
		return nil, err
	}
	f.Whole = f.Rules
	if whole := b.redaction; len(whole.allowFields) > 0 {
		whole.allowFields = nil
		if f.Whole, err = whole.rules(known); err != nil {
			return nil, err
		}
	}
	if _, isProgram := tokenizer.Program(b.tokenizer); isProgram || known.IsDefault("tokenizer") {
		b.tokenizer = hostTokenizer // a hook starts no program
	}
	if err := b.counting.open(os.Stderr, f.Rules, settings.Key("tokenizer")); err != nil {
		return nil, err
	}
	f.Counter, f.Counting = budget.Scaled(b.counting.opened.Counter(), b.factor), b.counting.String()
	return f, nil
}

// tightenBy lets the kfw.yaml of the working directory make less pass, trusted or not. It is the
// repository's and may be broken by anybody: that is no reason for a hook to fail.
func (b *hookSettings) tightenBy(known *settings.Settings, flags *pflag.FlagSet, config string) {
	if settings.SameFile(settings.FileName, config) {
		return
	}
	here, err := settings.Read(settings.FileName, settable())
	if err == nil {
		err = known.TightenAll(flags, here)
	}
	if err != nil {
		b.unread = err
	}
}

// isSelf reports whether a name or an absolute path leads to this very program. A path that is not absolute may lead
// elsewhere where the command runs.
func isSelf(name string) bool {
	self, err := os.Executable()
	if err != nil {
		return false
	}
	path, err := exec.LookPath(name)
	return err == nil && filepath.IsAbs(path) && settings.SameFile(path, self)
}

// ownPath is the path of this program as it was called, if that leads here: a link outlives the version that it leads
// to.
func ownPath() string {
	self, err := os.Executable()
	if err != nil {
		return "kfw"
	}
	if called := os.Args[0]; filepath.IsAbs(called) && settings.SameFile(called, self) {
		return settings.ForShells(called)
	}
	return settings.ForShells(self)
}
