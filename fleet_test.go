//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kfw-dev/kfw/internal/testpg"
)

// TestFleet runs what a user would type with a session on a server: see testdata/fleet.
func TestFleet(t *testing.T) {
	s := testpg.New(t)
	c, err := pgx.Connect(t.Context(), s.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	if _, err := c.PgConn().Exec(t.Context(), `CREATE ROLE runs NOLOGIN; CREATE ROLE team LOGIN IN ROLE runs;
		CREATE ROLE other LOGIN IN ROLE runs`).ReadAll(); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/fleet",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv(raceVariable, raceOptions)
			e.Setenv("SERVER", s.URL(""))
			e.Setenv("TEAM", testpg.URL("team", s.Dir, ""))
			e.Setenv("OTHER", testpg.URL("other", s.Dir, ""))
			e.Setenv("TEAMLESS", "postgres:///postgres?host="+s.Dir)
			var numbers bytes.Buffer
			for i := range 20000 {
				fmt.Fprintln(&numbers, i+1)
			}
			return os.WriteFile(filepath.Join(e.WorkDir, "numbers.txt"), numbers.Bytes(), 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}
