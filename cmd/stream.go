package cmd

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/session"
)

type streamOptions struct {
	budgeting
	input      string
	maxChunk   int
	strict     bool
	flushAfter time.Duration
	stderr     string
	progress   string
}

func streamCommand(s streams) *cobra.Command {
	var o streamOptions
	c := &cobra.Command{
		Use:   "stream [flags] [-- DRIVER [ARG...]]",
		Short: "filter a tool's response: redact it, and say as much as fits the budget",
		Long: `stream reads a response from standard input, or from a driver that it starts, and writes frames: one JSON object a line.
Chunks (JSON values, or lines of text) are shown raw while more than 60 % of the budget is left, then as tables, then as
summaries; below 10 % only the handle is named that holds all of it. What fits whole is shown whole.`,
		Example: `  kubectl get pods -A -o json | kfw stream --budget 4000
  kfw stream --session agent.kfw -- go test -json ./...
  kfw stream --format text --tokenizer o200k_base -- journalctl -n 5000`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 0 && c.ArgsLenAtDash() != 0:
				return usage("stream takes no arguments", "put -- before the driver: kfw stream -- DRIVER ARG...")
			case len(args) == 0 && c.ArgsLenAtDash() == 0:
				return usage("no driver after --", "kfw stream -- DRIVER ARG..., or a response on standard input")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return o.run(s, args) },
	}
	o.addFlags(c)
	flags := c.Flags()
	flags.SetInterspersed(false) // what follows the driver's name is the driver's
	flags.StringVar(&o.input, "input", "auto", "auto, json or text")
	flags.IntVar(&o.maxChunk, "max-chunk", pipeline.MaxChunkDefault, "`bytes` of a value; a larger one is opened, and its members become chunks")
	flags.BoolVar(&o.strict, "strict", false, "refuse broken JSON: end there, with exit status 121")
	flags.DurationVar(&o.flushAfter, "flush-after", time.Second, "the longest that a chunk waits for its frame")
	flags.StringVar(&o.stderr, "stderr", "pass", "the driver's: pass (redacted, to stderr), merge (into the response) or tail (the last lines, if it failed)")
	flags.StringVar(&o.progress, "progress", "auto", "on stderr: auto (on a terminal, when it takes long), always or never")
	complete(c, "input", []string{"auto", "json", "text"})
	complete(c, "stderr", []string{"pass", "merge", "tail"})
	complete(c, "progress", []string{"auto", "always", "never"})
	return c
}

func (o *streamOptions) run(s streams, argv []string) (err error) {
	f, err := o.configure()
	if err != nil {
		return err
	}
	source, err := o.source(s, argv)
	if err != nil {
		return err
	}
	from := "stdin"
	if len(argv) > 0 {
		if from, err = described(argv); err != nil {
			return err
		}
	}
	file, err := o.file()
	if err != nil {
		return err
	}
	defer closing(&err, file)
	meter, err := newMeter(s.err, o.progress)
	if err != nil {
		return err
	}
	grant, err := o.allocate(f, f.Least(), file, from)
	if err != nil {
		return err
	}

	kept := &kept{Handle: file.NewHandle(from, f.Rules.Groups().String())}
	f.Handle = kept
	f.Progress = meter.show
	source.open()
	err = f.Run(source, s.out)
	meter.clear()
	return errors.Join(err, source.Close(), kept.close(), settle(grant, source.bytes))
}

// configure turns the flags into a firewall, or says which of them can't be.
func (o *streamOptions) configure() (*pipeline.Firewall, error) {
	f, err := o.firewall()
	if err != nil {
		return nil, err
	}
	if f.Input, err = inputFormat(o.input); err != nil {
		return nil, err
	}
	const leastChunk = 1 << 10
	if o.maxChunk < leastChunk {
		return nil, usage(fmt.Sprintf("--max-chunk: %d is the smallest", leastChunk), "")
	}
	const mostChunk = 16 << 20
	if o.maxChunk > mostChunk {
		return nil, usage(fmt.Sprintf("--max-chunk: %d is the largest", mostChunk), "memory is a multiple of it")
	}
	if o.flushAfter <= 0 {
		return nil, usage("--flush-after: must be positive", "")
	}
	f.MaxChunk, f.Strict, f.FlushAfter = o.maxChunk, o.strict, o.flushAfter
	return f, nil
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
