//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/testpg"
)

// TestFleet runs what a user would type with a session on a server: see testdata/fleet.
func TestFleet(t *testing.T) {
	s := testpg.New(t)
	do := func(sql string) error {
		c, err := pgconn.Connect(context.Background(), s.URL(""))
		if err != nil {
			return err
		}
		_, err = c.Exec(context.Background(), sql).ReadAll()
		return errors.Join(err, c.Close(context.Background()))
	}
	if err := do(`CREATE ROLE runs NOLOGIN; CREATE ROLE team LOGIN IN ROLE runs;
		CREATE ROLE other LOGIN IN ROLE runs`); err != nil {
		t.Fatal(err)
	}
	var databases atomic.Int64
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/fleet",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv(raceVariable, raceOptions)
			database := fmt.Sprint("script", databases.Add(1))
			for name, user := range map[string]string{"SERVER": testpg.User + "@", "TEAM": "team@", "OTHER": "other@",
				"TEAMLESS": ""} {
				e.Setenv(name, "postgres://"+user+"/"+database+"?host="+s.Dir)
			}
			if err := do("CREATE DATABASE " + database); err != nil {
				return err
			}
			var numbers bytes.Buffer
			for i := range 20000 {
				fmt.Fprintln(&numbers, i+1)
			}
			event := fmt.Sprintf(`{"hook_event_name":"PostToolUse","session_id":"s1","tool_name":"Bash","tool_input":`+
				`{"command":"seq 1 20000"},"tool_response":{"stdout":%q,"stderr":""},"tool_use_id":"t1"}`, numbers.String())
			return errors.Join(os.WriteFile(filepath.Join(e.WorkDir, "numbers.txt"), numbers.Bytes(), 0o600),
				os.WriteFile(filepath.Join(e.WorkDir, "long.json"), []byte(event), 0o600))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// tables returns the URL of a session on a server that has the tables.
func tables(t *testing.T) string {
	t.Helper()
	url := testpg.New(t).URL("", "lease", "1s")
	kfw(t, t.TempDir(), "session", "init", url).run(t, 0)
	return url + "&session=agent"
}

// TestStoppedPastItsLease: a run that was stopped until others have its tokens writes not a byte more, and says why.
func TestStoppedPastItsLease(t *testing.T) {
	t.Parallel()
	url := tables(t)
	state := t.TempDir()
	p := kfw(t, state, "stream", "--session", url, "--plan", "live", "--format", "frames")
	in, stdout := p.pipes(t)
	out := bufio.NewReader(stdout)
	for i := range 2 {
		if _, err := fmt.Fprintf(in, "{\"a\":%d}\n", i); err != nil {
			t.Fatal(err)
		}
		if _, err := out.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	left := func() int64 {
		return gjson.Get(kfw(t, state, "budget", "--session", url, "--json").run(t, 0), "reserved").Int()
	}
	for left() > 0 {
		time.Sleep(10 * time.Millisecond)
	}
	kfw(t, state, "budget", "allocate", "90000", "--session", url).run(t, 0)
	if _, err := io.WriteString(in, "{\"a\":2}\n"); err != nil {
		t.Fatal(err)
	}
	if err := p.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("it wrote %q, %v", rest, err)
	}
	in.Close()
	_ = p.Wait() // its status is looked at
	p.ended(t, 123)
	if !strings.Contains(p.errs.String(), "has taken back the grant") {
		t.Errorf("stderr: %q", p.errs.String())
	}
}

// TestServerGone: a run whose server dies ends with what is paid, and its final frame, which is paid from the start,
// says why.
func TestServerGone(t *testing.T) {
	t.Parallel()
	s := testpg.New(t)
	state := t.TempDir()
	kfw(t, state, "session", "init", s.URL("")).run(t, 0)
	url := s.URL("agent")
	p := kfw(t, state, "stream", "--session", url, "--plan", "live", "--format", "frames", "--budget", "2000")
	in, stdout := p.pipes(t)
	out := bufio.NewReader(stdout)
	first := ""
	for i := range 2 {
		if _, err := fmt.Fprintf(in, "{\"a\":%d}\n", i); err != nil {
			t.Fatal(err)
		}
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		first += line
	}
	s.Kill()
	go func() {
		for i := range 2000 {
			if _, err := fmt.Fprintf(in, "{\"a\":%d}\n", i+2); err != nil {
				break // it does not read on
			}
		}
		in.Close()
	}()
	rest, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	_ = p.Wait() // its status is looked at
	p.ended(t, 123)
	if problem := checkFrames(first+string(rest), 2000); problem != "" {
		t.Errorf("%s: %s%s", problem, first, rest)
	}
	lines := strings.Split(strings.TrimSpace(string(rest)), "\n")
	final := gjson.Parse(lines[len(lines)-1])
	if final.Get("error.code").String() != "session_unusable" || final.Get("error.exit").Int() != 123 ||
		strings.Contains(final.Raw, testpg.User+"@") {
		t.Errorf("final frame %s", final.Raw)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	ledger := kfw(t, state, "budget", "--session", url, "--json").run(t, 0)
	if used := gjson.Get(ledger, "used").Int(); used < int64(tokens(first+string(rest))) || used > 2000 {
		t.Errorf("%d tokens were written, the ledger says %s", tokens(first+string(rest)), ledger)
	}
}
