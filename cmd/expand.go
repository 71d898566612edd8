package cmd

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/expansion"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/tokenizer"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/session"
)

type expandOptions struct {
	budgeting
	expansion.Filtering
	about  about
	offset int
	limit  int
	raw    bool
}

func expandCommand(s streams, known *settings.Settings) *cobra.Command {
	var o expandOptions
	c := &cobra.Command{
		Use:   "expand [flags] [HANDLE]",
		Short: "page through a response of which less than all was shown",
		Long: `expand reads on in a response that was not shown whole, within a budget of its own. Without HANDLE it is the last one
of the session. A handle that is not in the default store is looked for in the sessions of hooks and of kfw mcp.

--lines, --offset and --tail alone show that part of the response, byte for byte. A selection has numbers, as grep -n.
The end of a page says how to read on. --raw writes all of the response, without a budget.
` + filterHelp + "\n" + aboutHelp + ` A page of text
is --mode summary then, unless another part of the response is asked for.`,
		Example: `  kfw expand --lines 400-450
  kfw expand h1 --grep 'FAIL|panic:' -C 3
  kfw expand h1 --grep timeout -i --count
  kfw expand h1 --where level=ERROR --tail 20
  kfw expand h1 --where status.phase=Failed --fields metadata.name,status.message
  kfw expand h1 --where 'items.#.price >= 100' --sort=-total --limit 20
  kfw expand h1 --at items --where status.phase=Failed --mode summary
  kfw expand h1 --offset 120 --limit 40 --budget 2000
  kfw expand h1 --raw | jq .status`,
		RunE: func(_ *cobra.Command, args []string) error {
			id, err := handleOf(o.takePattern(args))
			if err != nil {
				return err
			}
			return o.run(s, id)
		},
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return o.handles(c), cobra.ShellCompDirectiveNoFileComp
		},
	}
	o.budgeting.addFlags(c, known)
	addFilterFlags(c, &o.Filtering, o.paths)
	o.about.addFlags(c)
	flags := c.Flags()
	flags.Lookup("format").Usage = "frames (NDJSON) or text; text on a terminal, and where the page of the handle was text"
	flags.IntVar(&o.offset, "offset", 0, "chunks to skip; of those that are sorted, how many")
	flags.IntVarP(&o.limit, "limit", "m", 0, "the most chunks of a page (0 is as many as fit)")
	flags.BoolVar(&o.raw, "raw", false, "the stored bytes as they are: no frames, no budget")
	manual.Group(c, manual.GroupShown, append(filterFlags(), "offset", "limit", "raw")...)
	return c
}

// takePattern returns the arguments without the pattern, if that stands where grep has it: --grep -i PATTERN.
func (o *expandOptions) takePattern(args []string) []string {
	if len(args) == 0 || len(o.Grep) != 1 || !grepFlags().MatchString(o.Grep[0]) || isHandle(args[len(args)-1]) {
		return args
	}
	for _, flag := range o.Grep[0][1:] {
		switch flag {
		case 'F':
			o.Fixed = true
		case 'i':
			o.IgnoreCase = true
		case 'w':
			o.Words = true
		case 'v':
			o.Invert = true
		case 'c':
			o.Count = true
		}
	}
	o.Grep[0] = args[len(args)-1]
	return args[:len(args)-1]
}

// handleOf returns the handle that the arguments name; empty for the last one.
func handleOf(args []string) (id string, err error) {
	const hint = "a text to look for is --grep 'TEXT', lines by number are --lines A-B"
	switch {
	case len(args) == 0:
		return "", nil
	case !isHandle(args[0]):
		return "", fault.Usage("not a handle: a handle is h and a number", hint)
	case len(args) > 1:
		return "", fault.Usage("expand takes one handle", hint)
	}
	return args[0], nil
}

// isHandle reports whether a word has the form of a handle's name.
func isHandle(word string) bool {
	n, isNamed := strings.CutPrefix(word, "h")
	_, err := strconv.ParseUint(n, 10, 64)
	return isNamed && err == nil
}

func (o *expandOptions) run(s streams, id string) (err error) {
	defer closing(&err, &o.budgeting)
	// A host may let its model run kfw expand without a question, with any flag: none may start a program.
	if _, isProgram := tokenizer.Program(o.tokenizer); isProgram &&
		o.settings.From["tokenizer"].Kind == settings.FromFlag {
		return fault.Usage("--tokenizer: expand starts no program that its command line names",
			"set KFW_TOKENIZER, or tokenizer in kfw.yaml")
	}
	if o.offset < 0 || o.limit < 0 {
		return fault.Usage("--offset, --limit: must not be negative", "")
	}
	elsewhere, err := o.findSession(id)
	if err != nil {
		return err
	}
	f, err := o.firewall(s)
	if err != nil {
		return err
	}
	f.Standing = append(f.Standing, elsewhere...)
	page, err := o.Page(f.Rules)
	if err != nil {
		return err
	}
	if o.raw && (o.offset > 0 || o.limit > 0 || len(o.Repeated(0)) > 0 || o.Count || o.about.isGiven()) {
		return fault.Usage("--raw writes all of a handle: --offset, --limit, --at, --lines, --grep, --about "+
			"and the like do not go with it", "")
	}
	if f.Question, err = o.about.question(f.Rules, s.in, "", nil); err != nil {
		return err
	}
	file, err := o.file()
	if err != nil {
		return err
	}
	stored, err := expansion.Handle(file, id)
	if err != nil {
		return err
	}
	if err := expansion.RedactedAs(stored.Info(), f.Rules.Groups()); err != nil {
		return err
	}
	if o.raw {
		for _, warning := range elsewhere {
			s.notify(warning)
		}
		return writeStored(s.out, stored)
	}
	page.Stored, page.Offset, f.Notify = stored, o.offset, s.notify
	return o.write(s, f, file, page)
}

// write writes one page of a stored response.
func (o *expandOptions) write(s streams, f *pipeline.Firewall, file session.Session, page *expansion.Page) error {
	info := page.Stored.Info()
	process.CollectMore() // the response may be of any length
	if info.Format != "" && o.settings.IsDefault("format") {
		o.isText = o.isText || info.Format == encode.FormatText
	}
	isInOrder := page.Range != (query.Range{}) || page.Offset+page.Tail+o.limit > 0
	if o.isText && o.about.isGiven() && o.settings.IsDefault("mode") && !isInOrder {
		f.Budget.Mode = budget.Summary
	}
	found, notes, err := page.Known()
	if err != nil {
		return err
	}
	if found != "" {
		o.At = found
	}
	f.Plan, f.Limit, f.Handle = fit.Digest, o.limit, expansion.NamedHandle(info.ID)
	f.Standing = append(append(f.Standing, expansion.Standing(info)...), notes...)
	f.Filtered, f.Names = page.IsSelection(), page.Filter.Names()
	f.Encoding = o.encoding(o.Repeated(o.limit))
	least := f.LeastPage()
	if err := o.enough(least, "a page"); err != nil {
		return err
	}
	grant, err := o.allocate(f, least, file, "expand "+info.ID)
	if err != nil {
		return err
	}
	return errors.Join(page.Write(f, s.page(o.isText)), settle(grant, 0))
}

// writeStored tells an error of the output from one of the store.
func writeStored(out io.Writer, stored *session.Stored) error {
	to := &writeError{to: out}
	if _, err := stored.WriteTo(to); err != nil {
		if to.err != nil {
			return &pipeline.WriteError{Err: to.err}
		}
		return err
	}
	return nil
}

type writeError struct {
	to  io.Writer
	err error
}

func (w *writeError) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
}

// paths lists what the first records of a handle have, for shell completion of a flag.
func (o *expandOptions) paths(c *cobra.Command, args []string, flag string) []string {
	if err := o.settings.Resolve(c.Flags()); err != nil {
		return nil
	}
	rules, err := o.redaction.rules(o.settings)
	if err != nil {
		return nil // a completion shows no errors
	}
	id := ""
	if len(args) > 0 {
		id = args[0]
	}
	if _, err := o.findSession(id); err != nil {
		return nil
	}
	file, err := o.file()
	if err != nil {
		return nil
	}
	defer file.Close()
	stored, err := expansion.Handle(file, id)
	if err != nil || expansion.RedactedAs(stored.Info(), rules.Groups()) != nil {
		return nil
	}
	const records = 20
	p, err := (&expansion.Filtering{At: o.At}).Page(rules)
	if err != nil {
		return nil
	}
	p.Stored = stored
	if flag == "at" {
		p.At = nil
		return query.Paths(p.All(0), records)
	}
	paths := query.Paths(p.All(0), records)
	if p.At == nil {
		for _, p.At = range query.Places(p.ChunksFrom(0), rules) {
			paths = append(paths, query.Paths(p.All(0), records)...)
		}
	}
	return paths
}
