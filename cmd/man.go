package cmd

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/pipeline"
)

// manDate is the date of the manual page, unless SOURCE_DATE_EPOCH says another: two builds of a revision are the same.
const manDate = "2026-01-01"

const environmentText = `KFW_SESSION names the session file. Every other flag can be given as KFW_ and its name in capitals, with _ for -:
KFW_BUDGET, KFW_MAX_CHUNK. A flag on the command line comes before its variable.`

const filesText = `kfw.yaml, in the working directory or else in $XDG_CONFIG_HOME/kfw (~/.config/kfw), holds settings, drivers and
capabilities; kfw config shows them.

$XDG_STATE_HOME/kfw/default.kfw (~/.local/state/kfw/default.kfw) holds the handles of runs without a session.`

func manCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "write the manual page",
		Long:    "man writes a page of roff: what --help says of all commands, the exit status, and which files and variables count.",
		Example: "  kfw man | man -l -\n  kfw man > /usr/local/share/man/man1/kfw.1",
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			date, err := dateOfPage()
			if err != nil {
				return err
			}
			if _, err := io.WriteString(s.out, manPage(c.Root(), date)); err != nil {
				return &pipeline.WriteError{Err: err}
			}
			return nil
		},
	}
}

// dateOfPage follows https://reproducible-builds.org/specs/source-date-epoch/.
func dateOfPage() (string, error) {
	epoch, ok := os.LookupEnv("SOURCE_DATE_EPOCH")
	if !ok {
		return manDate, nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return "", usage("SOURCE_DATE_EPOCH: "+notOfKind(kindNumber), "the seconds since 1970")
	}
	return time.Unix(seconds, 0).UTC().Format(time.DateOnly), nil
}

// roff is a page as man(7) describes it.
type roff struct{ strings.Builder }

// manPage returns the page of a tree of commands.
func manPage(root *cobra.Command, date string) string {
	var p roff
	p.macro("TH", strings.ToUpper(root.Name()), "1", date, root.Name()+" "+root.Version, "User Commands")
	p.macro("SH", "NAME")
	p.line(root.Name() + " - " + root.Short)
	p.macro("SH", "SYNOPSIS")
	commands := visibleCommands(root)
	for _, c := range commands[1:] {
		p.macro("B", c.UseLine())
		p.macro("br")
	}
	p.macro("SH", "DESCRIPTION")
	p.text(root.Long)
	p.macro("SH", "EXAMPLES")
	p.text(root.Example)
	p.macro("SH", "COMMANDS")
	for _, c := range commands[1:] {
		p.command(c)
	}
	p.macro("SH", "EXIT STATUS")
	for _, s := range exitStatuses() {
		p.tagged(s.status, s.meaning)
	}
	p.macro("SH", "ENVIRONMENT")
	p.text(environmentText)
	p.macro("SH", "FILES")
	p.text(filesText)
	return p.String()
}

func (p *roff) command(c *cobra.Command) {
	p.macro("SS", c.UseLine())
	p.text(c.Short)
	p.text(c.Long)
	for _, group := range flagGroups(c) {
		p.macro("PP")
		p.macro("I", group.Title)
		group.Flags.VisitAll(func(f *pflag.Flag) {
			kind, text := pflag.UnquoteUsage(f)
			name := "--" + f.Name
			if f.Shorthand != "" {
				name = "-" + f.Shorthand + ", " + name
			}
			if f.DefValue != "" && f.DefValue != "[]" && f.DefValue != "false" {
				text += " (default " + f.DefValue + ")"
			}
			p.tagged(strings.TrimSpace(name+" "+kind), text)
		})
	}
	if c.Example != "" {
		p.macro("PP")
		p.macro("I", "Examples")
		p.text(c.Example)
	}
}

// text writes paragraphs, which the reader's program fills, and lines as they are where they are indented.
func (p *roff) text(text string) {
	const filled, literal = 1, 2
	now := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		kind := filled
		switch {
		case line == "":
			kind = now
			if now == filled {
				kind = 0 // the next line begins a paragraph
			}
		case strings.HasPrefix(line, " "), strings.HasPrefix(line, "\t"):
			kind = literal
		}
		if now == literal && kind != literal {
			p.macro("fi")
		}
		switch {
		case kind == filled && now != filled:
			p.macro("PP")
			p.WriteString(escaped(line))
		case kind == filled:
			p.WriteString(" " + escaped(line))
		case now == filled:
			p.WriteString("\n")
		}
		if kind == literal {
			if now != literal {
				p.macro("PP")
				p.macro("nf")
			}
			p.line(line)
		}
		now = kind
	}
	switch now {
	case filled:
		p.WriteString("\n")
	case literal:
		p.macro("fi")
	}
}

// tagged writes a word and what it means beside it.
func (p *roff) tagged(tag, text string) {
	p.macro("TP")
	p.macro("B", tag)
	p.line(strings.Join(strings.Fields(text), " "))
}

// line writes a line of text.
func (p *roff) line(text string) { p.WriteString(escaped(text) + "\n") }

// macro writes a request, with arguments that may have blanks in them.
func (p *roff) macro(name string, args ...string) {
	p.WriteString("." + name)
	for _, arg := range args {
		fmt.Fprintf(p, ` "%s"`, strings.ReplaceAll(strings.TrimPrefix(escaped(arg), `\&`), `"`, `\(dq`))
	}
	p.WriteString("\n")
}

// escaped returns text that roff shows as it is.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "^", `\(ha`, "~", `\(ti`, "`", `\(ga`, "'", `\(aq`, "\t", "    ").Replace(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}
