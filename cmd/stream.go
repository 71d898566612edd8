package cmd

import (
	"errors"
	"io"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/internal/asked"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

type streamOptions struct {
	budgeting
	about      about
	input      redact.Format
	maxChunk   int
	strict     bool
	plan       *fit.Plan // nil: the one of the format
	flushAfter time.Duration
	stderr     driver.StderrMode
	timeout    time.Duration // 0 for none
	progress   string
	label      string
}

func streamCommand(s streams, known *settings.Settings) *cobra.Command {
	var o streamOptions
	c := &cobra.Command{
		Use:   "stream [flags] [-- DRIVER [ARG...]]",
		Short: "filter a tool's response: redact it, and say as much as fits the budget",
		Long: `stream reads a response from standard input, or from a driver that it starts, redacts it, and writes at most
--budget tokens. A response that fits is shown whole: as text, by plan digest, it is what kfw redact writes. Of one that
does not fit, a handle keeps all of it, and kfw expand pages through it.

--plan says how the budget is divided:
  live    chunks (JSON values, or lines) as they come, raw while more than 60 % is left, then tables, below 30 %
          summaries, below 10 % the handle
  digest  when the response has ended, one page for a reader such as a model: facts, and an excerpt in order
  auto    live for --format frames, digest for --format text
` + aboutHelp + ` The command line of a driver
counts as well.`,
		Example: `  kubectl get pods -A -o json | kfw stream --budget 4000
  kfw stream --session agent.kfw -- go test -json ./...
  kfw stream --format text --tokenizer o200k_base -- journalctl -n 5000`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 0 && c.ArgsLenAtDash() != 0 && isInput(args[0]):
				return fault.Usage("stream takes no arguments", "a file is read from standard input: kfw stream < "+
					terminal.Printable(args[0]))
			case len(args) > 0 && c.ArgsLenAtDash() != 0:
				return fault.Usage("stream takes no arguments", "put -- before the driver: kfw stream -- DRIVER ARG...")
			case len(args) == 0 && c.ArgsLenAtDash() == 0:
				return fault.Usage("no driver after --", "kfw stream -- DRIVER ARG..., or a response on standard input")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return o.run(s, args) },
	}
	o.addFlags(c, known)
	o.about.addFlags(c)
	c.Flags().StringVar(&o.label, "label", "", "what kfw handles and kfw budget call the response, in place of its command")
	manual.Group(c, manual.GroupKept, "label")
	o.addTimeout(c, "how long the response may take; then a page is of what came (0s: as long as it likes)")
	c.Flags().SetInterspersed(false) // what follows the driver's name is the driver's
	return c
}

// isInput reports whether a name is that of a file to be read, and not of a program.
func isInput(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 == 0
}

// addFlags adds the flags that kfw.yaml has keys for: all that a filter can be told.
func (o *streamOptions) addFlags(c *cobra.Command, known *settings.Settings) {
	o.budgeting.addFlags(c, known)
	const leastChunk, mostChunk = 1 << 10, 16 << 20 // memory is a multiple of it
	const leastStore = 4 << 10                      // a page of the file
	o.redaction.addReaderFlags(c)
	flags := c.Flags()
	flags.Var(settings.NewParsed(&o.ttl, session.DefaultTTL.String(), settings.KindDuration,
		settings.PositiveDuration), "ttl",
		"how long the rest can be read, from the last time it was")
	storeMax := settings.NewParsed(&o.storeMax, humanize.IBytes(session.DefaultStoreMax), settings.KindSize,
		settings.Size[int64](leastStore, math.MaxInt64))
	flags.Var(storeMax, "store-max", "what all handles may take together; those used longest ago make room")
	settings.AddChoice(c, &o.input, "input", "auto, json, yaml or text", inputFormats()...)
	chunk := settings.NewParsed(&o.maxChunk, strconv.Itoa(pipeline.MaxChunkDefault), settings.KindSize,
		settings.Size(leastChunk, mostChunk))
	flags.Var(chunk, "max-chunk",
		"the largest value that is a chunk; a larger one is opened, and its members become chunks")
	flags.BoolVar(&o.strict, "strict", false, "refuse broken JSON, and YAML with --input yaml: end there, with exit status 121")
	settings.AddChoice(c, &o.plan, "plan",
		"how the budget is divided: live, digest or auto (live for frames, digest for text)", plans()...)
	flags.Var(settings.NewParsed(&o.flushAfter, "1s", settings.KindDuration, settings.PositiveDuration), "flush-after",
		"in plan live, the longest that anything is held")
	settings.AddChoice(c, &o.stderr, "stderr",
		"the driver's: pass (redacted, to stderr), merge (into the response) or tail (the last lines, if it failed)",
		stderrModes()...)
	settings.AddChoice(c, &o.progress, "progress",
		"on stderr: auto (on a terminal, when it takes long), always or never",
		progressChoices()...)
	manual.Group(c, manual.GroupInput, "input", "max-chunk", "strict", "stderr")
	manual.Group(c, manual.GroupKept, "ttl", "store-max")
	manual.Group(c, manual.GroupBudget, "plan")
	manual.Group(c, manual.GroupOutput, "flush-after", "progress")
}

func (o *streamOptions) addTimeout(c *cobra.Command, usage string) {
	c.Flags().Var(settings.NewParsed(&o.timeout, "0s", settings.KindDuration, settings.AnyDuration), "timeout", usage)
	manual.Group(c, manual.GroupInput, "timeout")
}

func (o *streamOptions) run(s streams, argv []string) (err error) {
	defer closing(&err, &o.budgeting)
	f, err := o.firewall(s)
	if err != nil {
		return err
	}
	if len(argv) == 0 && term.IsTerminal(int(s.in.Fd())) {
		return fault.Usage("nothing to read: standard input is a terminal",
			"pipe a response in, or start a driver: kfw stream -- DRIVER ARG...")
	}
	from, use, last := "stdin", "the response", (func(*asked.Asked))(nil)
	if len(argv) > 0 {
		use, last = "", command(argv)
		if from, err = terminal.DescribedCommand(argv); err != nil {
			return err
		}
	}
	if o.label != "" {
		if from, err = terminal.Described(o.label); err != nil {
			return err
		}
	}
	if f.Question, err = o.about.question(f.Rules, s.in, use, last); err != nil {
		return err
	}
	source, err := o.source(s, argv)
	if err != nil {
		return err
	}
	return o.filter(s, f, source, from)
}

// firewall turns the flags into a firewall, or says which of them can't be.
func (o *streamOptions) firewall(s streams) (*pipeline.Firewall, error) {
	f, err := o.budgeting.firewall(s)
	if err != nil {
		return nil, err
	}
	f.Input, f.MaxChunk, f.Strict, f.FlushAfter = o.input, o.maxChunk, o.strict, o.flushAfter
	switch {
	case o.plan != nil:
		f.Plan = *o.plan
	case o.isText:
		f.Plan = fit.Digest
	default:
		f.Plan = fit.Live
	}
	process.BoundMemory(o.tokens, o.maxChunk)
	return f, o.enough(f.Least(), "a final frame")
}

// filter runs a response through the firewall. Whoever calls it closes o. from is what the ledger and the handle call
// it.
func (o *streamOptions) filter(s streams, f *pipeline.Firewall, source *process.Source, from string) error {
	file, noPlace := o.file() // which only a default store may lack
	if noPlace != nil && o.session != "" {
		return noPlace
	}
	from = string(f.Rules.Value(nil, []byte(from), redact.Lines)) // by the rules of a file too
	grant, err := o.allocate(f, f.Least(), file, from)
	if err != nil {
		return err
	}

	kept := &kept{unusable: noPlace, inDefault: o.session == "", mayFit: o.tokens * mostOfToken}
	if kept.unusable == nil && kept.inDefault {
		kept.unusable = file.Usable() // which shows before it is tried
	}
	if kept.unusable == nil {
		kept.handle = file.NewHandle(from, f.Rules.Groups().String()).ShownAs(o.format())
	}
	meter := terminal.NewMeter(s.err, o.progress)
	f.Handle = kept
	f.Progress = meter.Show
	f.Notify = s.notify
	source.Open(f.Budget)
	o.counting.leaveSignals() // which the source catches from now on
	err = f.Run(source, s.page(o.isText))
	meter.Clear()
	return errors.Join(err, source.Close(), kept.close(), settle(grant, source.Bytes))
}

// kept is the handle of this run. It stays if a frame named it. A store that is unusable is an
// error where a frame needs the name, and not before: a response of which nothing is left out needs
// no handle.
type kept struct {
	handle    *session.Handle // nil if unusable from the start
	inDefault bool            // in the default store: no session was asked for
	unusable  error
	named     bool
	mayFit    int // bytes that may come before the response hardly fits any more
}

// mostOfToken is how many bytes of a response nearly any token has at the most.
const mostOfToken = 6

// Keep implements pipeline.Handle.
func (k *kept) Keep(lead, source, path []byte, kind uint8) error {
	if k.mayFit > 0 {
		if k.mayFit -= len(source); k.mayFit <= 0 {
			process.CollectMore()
		}
	}
	return k.try(func() error { return k.handle.Keep(lead, source, path, kind) })
}

// Tail implements pipeline.Handle.
func (k *kept) Tail(b []byte) error {
	return k.try(func() error { return k.handle.Tail(b) })
}

// try does nothing more once the store is unusable. That is an error at once where a frame has
// named the handle.
func (k *kept) try(keep func() error) error {
	if k.unusable == nil {
		k.unusable = keep()
	}
	if !k.named {
		return nil
	}
	return k.unusable
}

// Name implements pipeline.Handle.
func (k *kept) Name() (string, error) {
	if k.unusable != nil {
		return "", k.unusable
	}
	if !k.named {
		process.CollectMore()
	}
	k.named = true
	return k.handle.Name()
}

func (k *kept) close() error {
	switch {
	case k.handle == nil:
		return nil
	case k.named:
		return k.handle.Commit()
	}
	err := k.handle.Discard()
	if k.inDefault {
		return nil // nothing needed the store; what stays in it is removed as that of a run that died
	}
	return err
}

// settle gives back to the session what was not used. read is the size of the response in bytes.
func settle(grant *session.Grant, read int64) error {
	if grant == nil {
		return nil
	}
	return grant.Close(int((read + 3) / 4)) // about what it would have cost
}

// closing closes c and adds the error to what is returned.
func closing(err *error, c io.Closer) { *err = errors.Join(*err, c.Close()) }

// source is where the response is to come from; nothing is started yet.
func (o *streamOptions) source(s streams, argv []string) (*process.Source, error) {
	stderrRules, err := terminal.RulesOf(o.redaction.groups) // messages are no records: there are no fields to choose
	if err != nil {
		return nil, err
	}
	return &process.Source{Argv: argv, Stdin: s.in, Out: s.out, Stderr: s.err, Pause: pause(o.flushAfter),
		Kill: o.counting.kill, Options: driver.Options{
			Timeout:      o.timeout,
			Stdin:        s.in,
			Stderr:       o.stderr,
			StderrTo:     s.err,
			StderrFilter: func(in io.Reader) io.Reader { return redact.NewReader(in, stderrRules, redact.Lines) },
			Grace:        process.Grace,
		}}, nil
}
