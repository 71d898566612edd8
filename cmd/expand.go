package cmd

import (
	"errors"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/budget/tokenizer"
	"github.com/kfw-dev/kfw/internal/expansion"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/pipeline"
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
		Use:   "expand [flags] HANDLE",
		Short: "page through a response of which less than all was shown",
		Long: `expand writes the chunks of a handle as frames, within a budget of its own and on the same ledger. A page that does not
fit is cut between chunks, and the final frame says where the next one starts. --raw writes the stored bytes as they
are, for a program rather than a model.

--where, --grep and --fields choose what is shown; the frames then say which chunks they are. --limit counts the chunks
that match, and the next page, with the same filters, goes on after the last one shown. --at pages through what is
within a record, such as the items of one document.
` + filterHelp + "\n" + aboutHelp,
		Example: `  kfw expand h1
  kfw expand h1 --offset 120 --limit 40 --budget 2000
  kfw expand h1 --where status.phase=Failed --fields metadata.name,status.message
  kfw expand h1 --where 'items.#.price >= 100' --grep refund --limit 20
  kfw expand h1 --at items --where status.phase=Failed --fields metadata.name
  kfw expand h1 --raw | jq .status`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fault.Usage("expand takes one handle", "the final frame of a response names it: kfw expand h1")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return o.run(s, args[0]) },
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return o.handles(c), cobra.ShellCompDirectiveNoFileComp
		},
	}
	o.budgeting.addFlags(c, known)
	addFilterFlags(c, &o.Filtering, o.paths)
	o.about.addFlags(c)
	flags := c.Flags()
	flags.IntVar(&o.offset, "offset", 0, "chunks to skip")
	flags.IntVar(&o.limit, "limit", 0, "the most chunks of a page (0 is as many as fit)")
	flags.BoolVar(&o.raw, "raw", false, "the stored bytes as they are: no frames, no budget")
	manual.Group(c, manual.GroupShown, "at", "fields", "where", "grep", "offset", "limit", "raw")
	return c
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
	f, err := o.firewall(s)
	if err != nil {
		return err
	}
	filter, err := o.Filter(f.Rules)
	if err != nil {
		return err
	}
	at, err := o.Place(f.Rules)
	if err != nil {
		return err
	}
	if o.raw && (o.offset > 0 || o.limit > 0 || at != nil || !filter.IsEmpty() || o.about.isGiven()) {
		return fault.Usage("--raw writes all of a handle: --offset, --limit, --at, --fields, --where, --grep, --about and "+
			"--about-file do not go with it", "")
	}
	if f.Question, err = o.about.question(f.Rules, s.in, "", nil); err != nil {
		return err
	}
	f.Plan, f.Notify = fit.Digest(), s.notify
	f.Limit, f.Filtered = o.limit, at != nil || !filter.IsEmpty()
	file, err := o.file()
	if err != nil {
		return err
	}
	stored, err := file.Handle(id)
	if errors.Is(err, fs.ErrNotExist) {
		err = &session.Gone{ID: id, Reason: "unknown"}
	}
	if err != nil {
		return err
	}
	if err := expansion.RedactedAs(stored.Info(), f.Rules.Groups()); err != nil {
		return err
	}
	f.Standing = append(f.Standing, expansion.Standing(stored.Info())...)
	if o.raw {
		return writeStored(s.out, stored)
	}
	f.Encoding = o.encoding(o.Repeated(o.limit))
	if err := o.enough(f.LeastPage(), "a page"); err != nil {
		return err
	}
	page := &expansion.Page{Stored: stored, Rules: f.Rules, Offset: o.offset, At: at, Filter: filter}
	found, err := page.Known()
	if err != nil {
		return err
	}
	if found != "" {
		o.At = found
		f.Filtered, f.Encoding = true, o.encoding(o.Repeated(o.limit))
		f.Standing = append(f.Standing, pipeline.Warning{What: "the records are at " + found + ", as with --at"})
	}
	least := f.LeastPage()
	if err := o.enough(least, "a page"); err != nil {
		return err
	}
	grant, err := o.allocate(f, least, file, "expand "+id)
	if err != nil {
		return err
	}
	f.Handle = expansion.NamedHandle(id)
	err = f.Page(page.Chunks, page, s.out)
	return errors.Join(err, settle(grant, 0))
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
	if err := o.settings.Resolve(c.Flags()); err != nil || len(args) == 0 {
		return nil
	}
	rules, err := o.redaction.rules(o.settings)
	if err != nil {
		return nil // a completion shows no errors
	}
	file, err := o.file()
	if err != nil {
		return nil
	}
	defer file.Close()
	stored, err := file.Handle(args[0])
	if err != nil || expansion.RedactedAs(stored.Info(), rules.Groups()) != nil {
		return nil
	}
	const records = 20
	p := &expansion.Page{Stored: stored, Rules: rules}
	if flag == "at" {
		return query.Paths(p.All(0), records)
	}
	if p.At, err = o.Place(rules); err != nil {
		return nil
	}
	paths := query.Paths(p.All(0), records)
	if p.At == nil {
		for _, p.At = range query.Places(p.ChunksFrom(0), rules) {
			paths = append(paths, query.Paths(p.All(0), records)...)
		}
	}
	return paths
}
