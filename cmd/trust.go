package cmd

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/internal/trust"
	"github.com/kfw-dev/kfw/pipeline"
)

type trustOptions struct {
	list, revoke, asJSON bool
}

func trustCommand(s streams) *cobra.Command {
	var o trustOptions
	c := &cobra.Command{
		Use:   "trust [flags] [DIR]",
		Short: "let the kfw.yaml of a directory count",
		Long: `trust lets all of the kfw.yaml in DIR (default: the working directory) count from now on. Read it first: it can name
programs that kfw starts and files that it writes, and it can make kfw redact less.

Without trust a kfw.yaml in the working directory only tightens: a smaller budget or total, a stricter mode, more
sensitivity, more redact_fields and deny, fewer allow_fields. Its other keys are ignored, with a warning that names them.
kfw invoke NAME starts the driver of a capability as make runs a target, and nothing that it loosens counts.

What is trusted is the real path of the directory, with the bytes of kfw.yaml and of every file that kfw.yaml names by a
relative path, except the session. When one of these files changes, the directory is no longer trusted.`,
		Example: `  kfw trust
  kfw trust --list
  kfw trust --revoke ../other`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) > 0 && o.list || o.list && o.revoke {
				return fault.Usage("trust takes one directory, --list none", "")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return o.run(s, dir)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	flags := c.Flags()
	flags.BoolVar(&o.list, "list", false, "what is trusted, and whether it still is what it was")
	flags.BoolVar(&o.revoke, "revoke", false, "trust DIR no longer")
	flags.BoolVar(&o.asJSON, "json", false, "with --list: for programs")
	manual.Group(c, manual.GroupOutput, "json")
	return c
}

func (o *trustOptions) run(s streams, dir string) error {
	store, err := settings.TrustStore()
	if err != nil {
		return err
	}
	if o.list {
		return o.write(s.out, store)
	}
	real, err := trust.Real(dir)
	if err != nil && !o.revoke {
		return fault.Usage(terminal.Word(dir)+": "+fault.WithoutPath(err).Error(), "")
	}
	if o.revoke {
		if err != nil { // it may be gone
			if real, err = filepath.Abs(dir); err != nil {
				return err
			}
		}
		was, err := store.Remove(real)
		if err == nil && !was {
			fmt.Fprintf(s.err, "kfw: %s was not trusted\n", terminal.Sayable(dir))
		}
		return fault.Unwritten(store.Dir, err)
	}
	file, err := settings.Read(filepath.Join(real, settings.FileName), settable())
	if err != nil {
		return err
	}
	if file == nil {
		return fault.Usage(terminal.Word(dir)+": there is no "+settings.FileName, "")
	}
	err = store.Add(trust.Entry{Dir: real, Digest: file.Digest(), Since: time.Now().UTC().Truncate(time.Second)})
	return fault.Unwritten(store.Dir, err)
}

// write lists what is trusted. What has changed since is not trusted any more.
func (o *trustOptions) write(to io.Writer, store trust.Store) error {
	all, err := store.List()
	if err != nil {
		return err
	}
	describe, err := terminal.Describer()
	if err != nil {
		return err
	}
	for _, e := range all {
		file, err := settings.Read(filepath.Join(e.Dir, settings.FileName), settable())
		state := "trusted"
		if err != nil || file == nil || file.Digest() != e.Digest {
			state = "changed"
		}
		dir, since := describe(e.Dir), e.Since.Format(time.RFC3339)
		if o.asJSON {
			err = terminal.WriteJSON(to, struct {
				Dir   string `json:"dir"`
				State string `json:"state"`
				Since string `json:"since"`
			}{dir, state, since})
		} else {
			_, err = fmt.Fprintf(to, "%s  %s  %s\n", state, since, terminal.Printable(dir))
		}
		if err != nil {
			return &pipeline.WriteError{Err: err}
		}
	}
	return nil
}
