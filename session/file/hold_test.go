package file

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/session"
)

// holdAndSettle is a process that is granted tokens, of some grants keeps all, of others uses some,
// and gives others back. It says what it used and what it still holds.
func holdAndSettle(path string) error {
	f := At(path, session.Settings{Total: fiftyTotal})
	for run := range 12 {
		held, _, err := f.Hold(100+run, time.Hour, "allocate")
		if _, ok := errors.AsType[*session.Exhausted](err); ok {
			break
		}
		if err != nil {
			return err
		}
		switch run % 3 {
		case 0:
			fmt.Println("held", held.Tokens)
			continue
		case 1:
			_, _, err = f.Settle(held.ID, held.Tokens/2, "spend")
			fmt.Println("used", held.Tokens/2)
		case 2:
			_, _, err = f.Release(held.ID)
		}
		if err != nil {
			return err
		}
	}
	return f.Close()
}

// Fifty processes at once are never granted more than there is, and what they hold outlives them.
func TestFiftyProcessesHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.kfw") // not there: they also race to make it
	outputs := fifty(t, "holds", path)
	said := map[string]int{}
	for i := range outputs {
		for line := range strings.Lines(outputs[i].String()) {
			var what string
			var tokens int
			if _, err := fmt.Sscan(line, &what, &tokens); err != nil {
				t.Fatal(err)
			}
			said[what] += tokens
		}
	}
	f := reopen(t, path)
	s := must[session.Status](t)(f.Status())
	if s.Total != fiftyTotal || s.Used != said["used"] || s.Reserved != said["held"] ||
		s.Used+s.Reserved+s.Left != s.Total {
		t.Errorf("they say %v, the ledger %+v", said, s)
	}
	if said["held"] < fiftyTotal/2 {
		t.Errorf("only %d of %d could be held", said["held"], fiftyTotal)
	}
	if s.Left > 0 {
		held, account, err := f.Hold(2*fiftyTotal, time.Hour, "allocate")
		if err != nil || held.Tokens != s.Left || account.Left() != 0 {
			t.Errorf("of the last %d: %+v, %v", s.Left, held, err)
		}
	}
}

// madeAt makes a session file as kfw did when the schema had this version, with an account and a
// run that died.
func madeAt(t *testing.T, version int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "s.kfw")
	check(t, os.WriteFile(path, nil, 0o600))
	c := must[*connection](t)(connect(path, lockWait, false))
	tables := must[[]byte](t)(os.ReadFile(fmt.Sprintf("testdata/schema-%d.sql", version)))
	check(t, c.script(fmt.Sprintf(`BEGIN; PRAGMA auto_vacuum = INCREMENTAL;
		PRAGMA application_id = %d; PRAGMA user_version = %d; %s;
		INSERT INTO session (id, total_tokens, used_tokens, handles_named, handle_ttl_ms, store_max_bytes, stored_bytes,
			saved_tokens, created_at) VALUES (1, 5000, 700, 3, 86400000, 1073741824, 0, 40, 1700000000000);
		INSERT INTO invocation (command, pid, process_start, machine, started_at, granted_tokens, drawn_tokens)
			VALUES ('a run that died', 1, 'x', 'another boot x', 1700000000000, 900, 300);
		COMMIT; PRAGMA journal_mode = WAL`, applicationID, version, tables)))
	check(t, c.close())
	return path
}

// layout returns what the tables, indexes and triggers of a file are.
func layout(t *testing.T, f *Session) (lines string) {
	t.Helper()
	check(t, f.existing(func(c *connection) (err error) {
		lines, err = c.layout()
		return err
	}))
	return lines
}

// A file of any earlier version becomes what a new file is, with all that it says, whoever opens it
// first.
func TestUpgrade(t *testing.T) {
	fresh := newFile(t)
	check(t, fresh.SetTotal(1))
	want := layout(t, fresh)
	for version := 1; version < schemaVersion; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			path := madeAt(t, version)
			var all sync.WaitGroup
			for range 8 {
				f := reopen(t, path)
				all.Go(func() {
					s, err := f.Status()
					if err != nil || s.Total != 5000 || s.Used != 700 || s.Reserved != 0 || s.Saved != 40 ||
						len(s.Recent) != 1 || s.Recent[0].Command != "a run that died" || s.Recent[0].Held.ID != "" {
						t.Errorf("%+v, %v", s, err)
					}
				})
			}
			all.Wait()
			f := reopen(t, path)
			if got := layout(t, f); got != want {
				t.Errorf("it has\n%s\na new file has\n%s", got, want)
			}
			held, account, err := f.Hold(10_000, time.Hour, "allocate")
			if err != nil || held.ID != "g2" || held.Tokens != 4300 || account.Left() != 0 {
				t.Errorf("granted: %+v, %v", held, err)
			}
			if _, _, err := f.Settle("g1", 1, "spend"); err == nil || err.Error() != "no such grant: g1" {
				t.Errorf("a run of an earlier version was settled: %v", err)
			}
		})
	}
}

// TestForged: a file whose tables are not those that kfw makes is refused before anything of it is used.
func TestForged(t *testing.T) {
	for _, script := range []string{
		"CREATE TRIGGER more AFTER UPDATE ON session BEGIN UPDATE session SET used_tokens = 0; END",
		"CREATE TRIGGER more AFTER INSERT ON invocation BEGIN DELETE FROM invocation; END",
		"DROP TRIGGER " + firstTrigger(t),
		"CREATE VIEW more AS SELECT 1", "CREATE TABLE more (a)", "CREATE INDEX more ON handle (chunks)",
		"ALTER TABLE session ADD COLUMN more TEXT", "DROP INDEX handle_live",
		"ALTER TABLE block RENAME TO more; CREATE VIEW block AS SELECT * FROM more",
	} {
		f := newFile(t)
		check(t, f.SetTotal(1000))
		check(t, f.existing(func(c *connection) error { return c.script(script) }))
		check(t, f.Close())
		_, err := reopen(t, f.Path()).Status()
		if refused, ok := errors.AsType[*session.Unusable](err); !ok || !strings.Contains(refused.Reason, "other tables or triggers") {
			t.Errorf("%s: %v", script, err)
		}
	}
}

// firstTrigger returns the name of a trigger of the schema.
func firstTrigger(t *testing.T) string {
	t.Helper()
	_, after, found := strings.Cut(schema, "CREATE TRIGGER ")
	name, _, _ := strings.Cut(after, " ")
	if !found {
		t.Fatal("there is none")
	}
	return name
}

// TestLayoutSum: the sum that files are held to is that of the schema.
func TestLayoutSum(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.kfw")
	check(t, os.WriteFile(path, nil, 0o600))
	c := must[*connection](t)(connect(path, lockWait, false))
	check(t, c.script(schema))
	lines := must[string](t)(c.layout())
	if sum := sha256.Sum256([]byte(lines)); hex.EncodeToString(sum[:]) != layoutSum {
		t.Errorf("the sum of the schema is %x", sum)
	}
	check(t, c.close())
}
