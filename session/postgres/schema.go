package postgres

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kfw-dev/kfw/session"
)

//go:embed schema.sql
var schema string

// migrations are the scripts that bring a database from each version to the next one, from none on. One that was
// released never changes.
func migrations() []string { return []string{schema} }

// initWait is how long Init and About may take.
const initWait = time.Minute

// Init makes the tables and functions in the database of a place, or brings them up to date, and lets members of role
// use them, unless that is empty. It needs the rights to make a schema. It returns the version before and after; 0 is
// none. What is there already stays as it is.
func Init(p *Place, role string) (before, after int, err error) {
	err = p.connected(func(ctx context.Context, c *pgconn.PgConn) error {
		// Where anything fails, the connection is closed, which ends the transaction.
		if err := script(ctx, c, "BEGIN"); err != nil {
			return err
		}
		if before, err = migrate(ctx, c); err != nil {
			return err
		}
		after = max(before, len(migrations()))
		if role != "" {
			err := script(ctx, c, fmt.Sprintf(`GRANT USAGE ON SCHEMA kfw TO %[1]s;
				GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA kfw TO %[1]s; GRANT SELECT ON kfw.block TO %[1]s`, quoted(role)))
			if err != nil {
				return err
			}
		}
		return script(ctx, c, "COMMIT")
	})
	return before, after, err
}

// quoted returns a name as an identifier of SQL.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// migrate runs the migrations that are missing, alone.
func migrate(ctx context.Context, c *pgconn.PgConn) (before int, err error) {
	const lock = 0x6b667753 // "kfwS"
	err = script(ctx, c, fmt.Sprintf(`SET LOCAL client_min_messages = warning; SELECT pg_advisory_xact_lock(%d);
		CREATE SCHEMA IF NOT EXISTS kfw; CREATE TABLE IF NOT EXISTS kfw.version (version bigint NOT NULL)`, lock))
	if err != nil {
		return 0, err
	}
	if err := asking("SELECT coalesce(max(version), 0) FROM kfw.version", nil, []any{&before})(ctx, c); err != nil {
		return 0, err
	}
	for version := before; version < len(migrations()); version++ {
		if err := script(ctx, c, migrations()[version]+fmt.Sprintf(
			"; DELETE FROM kfw.version; INSERT INTO kfw.version VALUES (%d)", version+1)); err != nil {
			return before, err
		}
	}
	return before, nil
}

// script runs several statements.
func script(ctx context.Context, c *pgconn.PgConn, text string) error {
	_, err := c.Exec(ctx, text).ReadAll()
	return err
}

// Server is what a server says of itself and of the sessions of a tenant.
type Server struct {
	Version           int    // of the tables of kfw
	Newest            int    // that this kfw knows
	Server            string // version of PostgreSQL
	Tenant            string
	Sessions          int
	Running           int   // grants of runs, and held ones
	Bytes             int64 // of handles
	SynchronousCommit string
	Standbys          string // that a commit waits for; empty if for none
}

// About asks the server of a place.
func About(p *Place) (about Server, err error) {
	about.Newest = len(migrations())
	err = p.connected(asking("SELECT * FROM kfw.about($1)", []any{p.tenant}, []any{&about.Version, &about.Server,
		&about.Tenant, &about.Sessions, &about.Running, &about.Bytes, &about.SynchronousCommit, &about.Standbys}))
	return about, err
}

// connected calls fn with a connection of its own.
func (p *Place) connected(fn func(context.Context, *pgconn.PgConn) error) error {
	s := &Session{place: p, settings: session.Settings{Wait: initWait}}
	defer s.Close() // it never fails
	var failed error
	err := s.do(false, func(ctx context.Context, c *pgconn.PgConn) error {
		failed = fn(ctx, c)
		return nil
	})
	if err != nil {
		return err
	}
	return p.explain(failed, initWait)
}
