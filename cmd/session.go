package cmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/open"
	"github.com/kfw-dev/kfw/session/postgres"
)

// openSession returns the session that --session names.
func openSession(where string, s session.Settings) (session.Session, error) {
	found, err := open.At(where, s)
	if err != nil {
		return nil, urlUsage("--session", err)
	}
	return found, nil
}

// urlUsage is the error for a URL of a session that can't be taken.
func urlUsage(from string, err error) error {
	hint := "postgres://USER@HOST/DATABASE?session=NAME"
	if errors.Is(err, postgres.ErrPassword) {
		hint = "everybody on the machine can read command lines"
	}
	return fault.Usage(from+": "+err.Error(), hint)
}

// sessionsAt returns the sessions on the server of a URL, by name. If the URL names one, all have it, and isShared is
// true.
func sessionsAt(where string) (named func(name string, s session.Settings) session.Session, isShared bool, err error) {
	place, err := postgres.Parse(where)
	if err != nil {
		return nil, false, urlUsage(settings.Key("session"), err)
	}
	isShared = place.Name() != ""
	return func(name string, s session.Settings) session.Session {
		at := place
		if !isShared {
			at = place.Named(name)
		}
		found, err := postgres.At(at, s)
		if err != nil {
			panic(err) // it has a name
		}
		return found
	}, isShared, nil
}

func sessionCommand(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "session",
		Short: "sessions on a PostgreSQL server: make the tables, show the server",
		Long: `A session may be on a PostgreSQL server, and shared by kfw on many hosts: every command that takes
--session FILE also takes a URL there. A password is not part of it: as for psql it comes from PGPASSFILE (~/.pgpass),
PGPASSWORD or PGSERVICE. TLS is verified unless the server is on this machine.

  postgres://USER@HOST/DATABASE?session=NAME              the session NAME of the role USER
  postgres://USER@HOST1,HOST2/DATABASE?session=NAME&target_session_attrs=read-write
  postgres://USER@HOST/DATABASE?session=NAME&tenant=TEAM  that of the role TEAM, of which USER is a member
  postgres://USER@HOST/DATABASE?session=NAME&lease=30s    tokens of a run that died are free after 30 s, not a minute`,
		Example: `  kfw session init postgres://owner@db.internal/kfw --role kfw_runs
  kfw session status postgres://team@db.internal/kfw`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(sessionInitCommand(s), sessionStatusCommand(s))
	return c
}

func sessionInitCommand(s streams) *cobra.Command {
	const example = "kfw session init postgres://owner@db.internal/kfw --role kfw_runs"
	role := ""
	c := &cobra.Command{
		Use:   "init URL",
		Short: "make the tables of kfw in a database, or bring them up to date",
		Long: `init makes the schema kfw in the database, or brings one of an earlier kfw up to date. What is there stays. It
needs the rights to make a schema; runs of kfw do not.

--role lets a role, and its members, use the sessions: it may call the functions of kfw and read blocks of handles, each
role those of its own sessions. Make the role first: CREATE ROLE kfw_runs NOLOGIN.`,
		Example:           "  " + example,
		Args:              oneArgument("session init takes a URL", example),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			place, err := placeOf(args[0])
			if err != nil {
				return err
			}
			before, after, err := postgres.Init(place, role)
			if err != nil {
				return err
			}
			said := "made"
			switch {
			case before == after:
				said = "there already"
			case before > 0:
				said = fmt.Sprintf("brought up from version %d", before)
			}
			return writeText(s.out, fmt.Sprintf("%s: tables of version %d: %s\n", terminal.Printable(place.String()), after,
				said))
		},
	}
	c.Flags().StringVar(&role, "role", "", "a `role` whose members may use the sessions")
	settings.MarkAlone(c.Flags(), "role")
	settings.Complete(c, "role", nil)
	return c
}

func sessionStatusCommand(s streams) *cobra.Command {
	const example = "kfw session status postgres://team@db.internal/kfw"
	asJSON := false
	c := &cobra.Command{
		Use:   "status URL",
		Short: "what the server is, and what the role has on it",
		Long: `status asks the server which version it and the tables of kfw have, how many sessions the tenant has, how
many runs and held grants reserve tokens now, and what handles take. It says on stderr what the server may lose.`,
		Example:           "  " + example,
		Args:              oneArgument("session status takes a URL", example),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			place, err := placeOf(args[0])
			if err != nil {
				return err
			}
			about, err := postgres.About(place)
			if err != nil {
				return err
			}
			for _, warning := range warnings(about) {
				fmt.Fprintf(s.err, "kfw: %s\n", warning)
			}
			write := writeServer
			if asJSON {
				write = writeServerJSON
			}
			if err := write(s.out, place.String(), about); err != nil {
				return &pipeline.WriteError{Err: err}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	return c
}

func placeOf(where string) (*postgres.Place, error) {
	if !session.IsURL(where) {
		return nil, fault.Usage("not the URL of a server", "postgres://USER@HOST/DATABASE")
	}
	place, err := postgres.Parse(where)
	if err != nil {
		return nil, urlUsage("the URL", err)
	}
	return place, nil
}

// warnings are what a user should know of a server.
func warnings(s postgres.Server) (all []string) {
	if s.SynchronousCommit == "off" {
		all = append(all, "synchronous_commit is off on the server: kfw turns it on for its ledger")
	}
	if s.Version < s.Newest {
		all = append(all, fmt.Sprintf("the tables are of version %d, this kfw knows %d: kfw session init", s.Version,
			s.Newest))
	}
	return all
}

func writeServer(w io.Writer, where string, s postgres.Server) error {
	standbys := "none: a failover may lose what was spent last"
	if s.Standbys != "" {
		standbys = s.Standbys
	}
	_, err := fmt.Fprintf(w, `server    %s
version   PostgreSQL %s, tables of kfw %d
tenant    %s
sessions  %d, %d runs and held grants now
handles   %s
commit    synchronous_commit %s, waits for standbys: %s
`, terminal.Printable(where), terminal.Printable(s.Server), s.Version, terminal.Printable(s.Tenant), s.Sessions,
		s.Running, humanize.Bytes(uint64(s.Bytes)), s.SynchronousCommit, terminal.Printable(standbys))
	return err
}

func writeServerJSON(w io.Writer, where string, s postgres.Server) error {
	return terminal.WriteJSON(w, struct {
		URL      string `json:"url"`
		Server   string `json:"server"`
		Version  int    `json:"version"`
		Tenant   string `json:"tenant"`
		Sessions int    `json:"sessions"`
		Running  int    `json:"running"`
		Bytes    int64  `json:"bytes"`
		Commit   string `json:"synchronous_commit"`
		Standbys string `json:"synchronous_standbys"`
	}{where, s.Server, s.Version, s.Tenant, s.Sessions, s.Running, s.Bytes, s.SynchronousCommit, s.Standbys})
}
