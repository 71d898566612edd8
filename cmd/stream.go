package cmd

import (
	"errors"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

type streamOptions struct {
	budgeting
	input      redact.Format
	maxChunk   int
	strict     bool
	flushAfter time.Duration
	stderr     driver.StderrMode
	progress   string
}

func streamCommand(s streams, known *settings) *cobra.Command {
	var o streamOptions
	c := &cobra.Command{
		Use:   "stream [flags] [-- DRIVER [ARG...]]",
		Short: "filter a tool's response: redact it, and say as much as fits the budget",
		Long: `stream reads a response from standard input, or from a driver that it starts, and writes frames: one JSON object a line.
What fits whole is shown whole. Of what does not, the first chunks (JSON values, or lines of text) are shown raw, a stretch
as a table, another as a summary, and a handle holds all of it; most of the budget goes to the last frame, the summary of
the whole. What comes slowly is told as it comes, in stricter modes as the budget drains.`,
		Example: `  kubectl get pods -A -o json | kfw stream --budget 4000
  kfw stream --session agent.kfw -- go test -json ./...
  kfw stream --format text --tokenizer o200k_base -- journalctl -n 5000`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 0 && c.ArgsLenAtDash() != 0 && isInput(args[0]):
				return usage("stream takes no arguments", "a file is read from standard input: kfw stream < "+printable(args[0]))
			case len(args) > 0 && c.ArgsLenAtDash() != 0:
				return usage("stream takes no arguments", "put -- before the driver: kfw stream -- DRIVER ARG...")
			case len(args) == 0 && c.ArgsLenAtDash() == 0:
				return usage("no driver after --", "kfw stream -- DRIVER ARG..., or a response on standard input")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return o.run(s, args) },
	}
	o.addFlags(c, known)
	c.Flags().SetInterspersed(false) // what follows the driver's name is the driver's
	return c
}

// isInput reports whether a name is that of a file to be read, and not of a program.
func isInput(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 == 0
}

// addFlags adds the flags that kfw.yaml has keys for: all that a filter can be told.
func (o *streamOptions) addFlags(c *cobra.Command, known *settings) {
	o.budgeting.addFlags(c, known)
	const leastChunk, mostChunk = 1 << 10, 16 << 20 // memory is a multiple of it
	o.redaction.addReaderFlags(c)
	flags := c.Flags()
	flags.Var(newParsed(&o.ttl, session.DefaultTTL.String(), kindDuration, positiveDuration), "ttl",
		"how long the rest can be read, from the last time it was")
	flags.Var(newParsed(&o.storeMax, humanize.IBytes(session.DefaultStoreMax), kindText, positiveSize), "store-max",
		"`bytes` that all handles may take together; those used longest ago make room")
	flags.Var(newParsed(&o.input, "auto", kindText, inputFormat), "input", "auto, json or text")
	chunk := newParsed(&o.maxChunk, strconv.Itoa(pipeline.MaxChunkDefault), kindNumber, number(leastChunk, mostChunk))
	flags.Var(chunk, "max-chunk", "`bytes` of a value; a larger one is opened, and its members become chunks")
	flags.BoolVar(&o.strict, "strict", false, "refuse broken JSON: end there, with exit status 121")
	flags.Var(newParsed(&o.flushAfter, "1s", kindDuration, positiveDuration), "flush-after",
		"the longest that a chunk waits for its frame")
	flags.Var(newParsed(&o.stderr, "pass", kindText, stderrMode), "stderr",
		"the driver's: pass (redacted, to stderr), merge (into the response) or tail (the last lines, if it failed)")
	flags.Var(newParsed(&o.progress, "auto", kindText, progressChoice), "progress",
		"on stderr: auto (on a terminal, when it takes long), always or never")
	complete(c, "input", []string{"auto", "json", "text"})
	complete(c, "stderr", []string{"pass", "merge", "tail"})
	complete(c, "progress", []string{"auto", "always", "never"})
}

func (o *streamOptions) run(s streams, argv []string) (err error) {
	defer closing(&err, &o.budgeting)
	f, err := o.firewall(s)
	if err != nil {
		return err
	}
	if len(argv) == 0 && term.IsTerminal(int(s.in.Fd())) {
		return usage("nothing to read: standard input is a terminal", "pipe a response in, or start a driver: kfw stream -- DRIVER ARG...")
	}
	from := "stdin"
	if len(argv) > 0 {
		if from, err = described(argv); err != nil {
			return err
		}
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
	return f, o.enough(f.Least(), "a final frame")
}

// filter runs a response through the firewall. Whoever calls it closes o. from is what the ledger and the handle call it.
func (o *streamOptions) filter(s streams, f *pipeline.Firewall, source *source, from string) error {
	file, err := o.file()
	if err != nil {
		return err
	}
	if o.session == "" { // the default store is opened when there is something to keep, which is too late to be refused
		if err := file.Usable(); err != nil {
			return err
		}
	}
	from = string(f.Rules.Value(nil, []byte(from), redact.Lines)) // by the rules of a file too
	grant, err := o.allocate(f, f.Least(), file, from)
	if err != nil {
		return err
	}

	kept := &kept{Handle: file.NewHandle(from, f.Rules.Groups().String())}
	meter := newMeter(s.err, o.progress)
	f.Handle = kept
	f.Progress = meter.show
	source.open(f.Budget)
	o.counting.leaveSignals() // which the source catches from now on
	err = f.Run(source, s.out)
	meter.clear()
	return errors.Join(err, source.Close(), kept.close(), settle(grant, source.bytes))
}

// kept is the handle of this run. It stays if a frame named it.
type kept struct {
	*session.Handle
	named bool
}

func (k *kept) Name() (string, error) {
	k.named = true
	return k.Handle.Name()
}

func (k *kept) close() error {
	if k.named {
		return k.Commit()
	}
	return k.Discard()
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
