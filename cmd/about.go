package cmd

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/internal/asked"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/redact"
)

// aboutHelp says what the text of --about is.
const aboutHelp = `
--about and --about-file say what the reader looks for, as plain text, the newest last: of a response that does not fit,
what has these words is shown first. The text is redacted, and neither stored nor shown.`

// about is what the reader of a response looks for, as its flags say. It has no key in kfw.yaml and no variable: it is
// of one call.
type about struct{ text, file string }

func (a *about) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&a.text, "about", "", "what the reader looks for: `text`, the newest last")
	flags.StringVar(&a.file, "about-file", "", "the same from a `file`, before --about; - is standard input")
	manual.Group(c, manual.GroupShown, "about", "about-file")
}

func (a *about) isGiven() bool { return a.text != "" || a.file != "" }

// question returns a function that makes the question from the flags and from the text that last adds; nil without
// both. stdin is standard input, and use what else it is read for: empty for nothing.
func (a *about) question(rules *redact.Rules, stdin *os.File, use string, last func(*asked.Asked)) (
	func() *question.Question, error,
) {
	file, err := a.read(stdin, use)
	if err != nil {
		return nil, err
	}
	if !a.isGiven() && last == nil {
		return nil, nil
	}
	return sync.OnceValue(func() *question.Question {
		all := asked.By(rules)
		all.Text(file)
		all.Text([]byte(a.text))
		if last != nil {
			last(all)
		}
		return all.Question()
	}), nil
}

// command adds the command line of a driver.
func command(argv []string) func(*asked.Asked) {
	return func(all *asked.Asked) { all.Said([]byte(strings.Join(argv, " "))) }
}

// read returns the end of what --about-file names; nil if it names nothing.
func (a *about) read(stdin *os.File, use string) (text []byte, err error) {
	if a.file == "" {
		return nil, nil
	}
	failed := func(err error) ([]byte, error) {
		return nil, fault.Usage("--about-file: "+fault.WithoutPath(err).Error(), "")
	}
	in := stdin
	info, err := stdin.Stat()
	if a.file != process.StandardInput {
		var known os.FileInfo
		if known, err = os.Stat(a.file); err != nil {
			return failed(err)
		}
		if isRegular := known.Mode().IsRegular(); !isRegular && known.Mode()&os.ModeNamedPipe == 0 {
			return failed(errors.New("neither a file nor a pipe"))
		} else if in = nil; !isRegular && info != nil && os.SameFile(known, info) {
			in = stdin // as /dev/stdin
		}
	}
	switch {
	case in == nil:
		if in, err = os.Open(a.file); err != nil {
			return failed(err)
		}
		defer in.Close() // nothing was written
	case use != "":
		return nil, fault.Usage("--about-file: standard input is "+use+" already", "name a file: --about-file FILE")
	case term.IsTerminal(int(in.Fd())):
		return nil, fault.Usage("--about-file: standard input is a terminal", "pipe the text in, or name a file")
	}
	if text, err = readEnd(in); err != nil {
		return failed(err)
	}
	return text, nil
}

// readEnd returns the end of a file, at most question.MaxText bytes.
func readEnd(in *os.File) ([]byte, error) {
	const most = question.MaxText
	if info, err := in.Stat(); err == nil && info.Mode().IsRegular() {
		return io.ReadAll(io.NewSectionReader(in, max(0, info.Size()-most), most))
	}
	end, part := make([]byte, 0, most), make([]byte, most)
	for {
		n, err := io.ReadFull(in, part)
		kept := copy(end, end[max(0, len(end)+n-most):])
		end = append(end[:kept], part[:n]...)
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return end, nil
		default:
			return nil, err
		}
	}
}
