package cmd

import (
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/redact"
)

func redactCommand(s streams) *cobra.Command {
	var (
		sensitivity string
		allowFields []string
		input       string
	)
	c := &cobra.Command{
		Use:   "redact [flags]",
		Short: "take secrets and personal data out, and change nothing else",
		Long: `redact copies standard input to standard output. What a rule matches becomes [REDACTED:rule]; all other bytes are the
same. It has no budget, no frames and no session.`,
		Example: `  kfw redact < app.log
  pg_dump shop | kfw redact --sensitivity pii,pci > shop.sql`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			format, err := inputFormat(input)
			if err != nil {
				return err
			}
			compiled, err := rules(sensitivity, allowFields)
			if err != nil {
				return err
			}
			if term.IsTerminal(int(s.in.Fd())) {
				return usage("nothing to read: standard input is a terminal", "kfw redact < FILE")
			}
			in := &readError{in: s.in}
			if _, err := io.Copy(s.out, redact.NewReader(in, compiled, format)); err != nil {
				if in.err != nil {
					return in.err
				}
				return &pipeline.WriteError{Err: err}
			}
			return nil
		},
	}
	flags := c.Flags()
	flags.StringVar(&sensitivity, "sensitivity", "pii,pci,secrets", "what is redacted; none must be said explicitly")
	flags.StringSliceVar(&allowFields, "allow-fields", nil, "keep only these fields of each record: a,b.c")
	flags.StringVar(&input, "input", "auto", "auto, json or text")
	complete(c, "sensitivity", []string{"pii", "pci", "secrets", "none"})
	complete(c, "input", []string{"auto", "json", "text"})
	return c
}

// inputFormat is what --input names.
func inputFormat(name string) (redact.Format, error) {
	switch name {
	case "auto":
		return redact.Auto, nil
	case "json":
		return redact.JSON, nil
	case "text":
		return redact.Lines, nil
	}
	return 0, usage("--input: unknown format: choose auto, json or text", "")
}

// readError remembers that an error was one of reading.
type readError struct {
	in  io.Reader
	err error
}

func (r *readError) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}
