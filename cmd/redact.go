package cmd

import (
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/redact"
)

func redactCommand(s streams, known *settings) *cobra.Command {
	var (
		redaction redaction
		input     redact.Format
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
			compiled, err := redaction.rules(known)
			if err != nil {
				return err
			}
			if term.IsTerminal(int(s.in.Fd())) {
				return usage("nothing to read: standard input is a terminal", "kfw redact < FILE")
			}
			in := &readError{in: s.in}
			if _, err := io.Copy(s.out, redact.NewReader(in, compiled, input)); err != nil {
				if in.err != nil {
					return in.err
				}
				return &pipeline.WriteError{Err: err}
			}
			return nil
		},
	}
	redaction.addFlags(c)
	redaction.addReaderFlags(c)
	c.Flags().Var(newParsed(&input, "auto", kindText, inputFormat), "input", "auto, json or text")
	complete(c, "input", []string{"auto", "json", "text"})
	return c
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
