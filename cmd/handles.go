package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/session"
)

func handlesCommand(s streams, known *settings.Settings) *cobra.Command {
	var (
		store  = budgeting{settings: known}
		asJSON bool
	)
	// on runs do on the session, or on the default store.
	on := func(do func(session.Session) error) (err error) {
		file, err := store.file()
		if err != nil {
			return err
		}
		defer closing(&err, file)
		return do(file)
	}
	c := &cobra.Command{
		Use:   "handles [flags]",
		Short: "what can be expanded",
		Long: `handles lists the responses that are kept: those of a session, or without one those in the default store. A handle expires
when nobody has used it for its time (--ttl of the run that made it), and goes before that if others need the room
(--store-max).`,
		Example: `  kfw handles
  kfw handles --session agent.kfw --json
  kfw handles rm h1 h2
  kfw handles rm --all`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			return on(func(file session.Session) error {
				infos, err := file.Handles()
				switch {
				case errors.Is(err, fs.ErrNotExist) && store.session != "":
					return noSession(file.Path())
				case err != nil && !errors.Is(err, fs.ErrNotExist): // nothing was ever kept in the default store
					return err
				case len(infos) == 0:
					fmt.Fprintf(s.err, "kfw: no handles in %s\n", terminal.Sayable(file.Path()))
				}
				write := writeHandles
				if asJSON {
					write = writeHandlesJSON
				}
				if err := write(s.out, infos); err != nil {
					return &pipeline.WriteError{Err: err}
				}
				return nil
			})
		},
	}
	c.PersistentFlags().StringVar(&store.session, "session", "", "session `file` or URL")
	c.Flags().BoolVar(&asJSON, "json", false, "for programs: one JSON object a line")
	manual.Group(c, manual.GroupOutput, "json")
	list := &cobra.Command{Use: "ls", Aliases: []string{"list"}, Short: "list them, as kfw handles does",
		Args: noArguments,
		RunE: c.RunE}
	list.Flags().AddFlag(c.Flags().Lookup("json"))
	areAll := false
	remove := &cobra.Command{
		Use:     "rm [--all] [HANDLE...]",
		Short:   "remove handles",
		Example: "  kfw handles rm h1 h2",
		Args: func(_ *cobra.Command, args []string) error {
			if (len(args) == 0) != areAll {
				return fault.Usage("handles rm takes one handle or more, or --all", "kfw handles lists them")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return on(func(file session.Session) error {
				if !areAll {
					return file.Remove(args...)
				}
				infos, err := file.Handles()
				for _, info := range infos {
					args = append(args, info.ID)
				}
				if err != nil || len(args) == 0 {
					return err
				}
				return file.Remove(args...)
			})
		},
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return store.handles(c), cobra.ShellCompDirectiveNoFileComp
		},
	}
	remove.Flags().BoolVar(&areAll, "all", false, "all that are listed")
	c.AddCommand(list, remove)
	return c
}

func writeHandles(w io.Writer, infos []session.Info) error {
	var b strings.Builder
	for i, h := range infos {
		if i == 0 {
			fmt.Fprintf(&b, "%-6s  %-16s  %-16s  %10s  %8s  %s\n", "handle", "made", "expires", "chunks", "size",
				"from")
		}
		const minute = "2006-01-02 15:04"
		fmt.Fprintf(&b, "%-6s  %-16s  %-16s  %10d  %8s  %s\n", h.ID, h.Created.Local().Format(minute),
			h.Expires.Local().Format(minute),
			h.Chunks, humanize.Bytes(uint64(h.Bytes)), terminal.Printable(h.From+unfinished(h)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func unfinished(h session.Info) string {
	switch {
	case h.Complete:
		return ""
	case h.Died:
		return " (its run died)"
	}
	return " (being kept)"
}

func writeHandlesJSON(w io.Writer, infos []session.Info) error {
	for _, h := range infos {
		err := terminal.WriteJSON(w, struct {
			ID       string    `json:"handle"`
			From     string    `json:"from"`
			Created  time.Time `json:"made"`
			Expires  time.Time `json:"expires"`
			Chunks   int       `json:"chunks"`
			Bytes    int64     `json:"bytes"`
			Redacted string    `json:"redacted"`
			Complete bool      `json:"complete"`
			Died     bool      `json:"died,omitempty"`
		}{h.ID, h.From, h.Created.UTC(), h.Expires.UTC(), h.Chunks, h.Bytes, h.Redacted, h.Complete, h.Died})
		if err != nil {
			return err
		}
	}
	return nil
}

// handles lists what can be expanded, for shell completion.
func (b *budgeting) handles(c *cobra.Command) (names []string) {
	if err := b.settings.Resolve(c.Flags()); err != nil {
		return nil // a completion shows no errors
	}
	file, err := b.file()
	if err != nil {
		return nil
	}
	defer file.Close()
	infos, err := file.Handles()
	if err != nil {
		return nil
	}
	for _, info := range infos {
		names = append(names, fmt.Sprintf("%s\t%s", info.ID, strings.ReplaceAll(info.From, "\t", " ")))
	}
	return names
}
