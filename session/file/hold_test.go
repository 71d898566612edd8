package file

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/session"
)

// modelled is what a ledger should say, kept in maps.
type modelled struct {
	total, used int
	held        map[string]int // tokens by ID
	expired     map[string]bool
	ended       []string // settled or released
}

func (m *modelled) account() budget.Account {
	a := budget.Account{Total: m.total, Used: m.used}
	for _, tokens := range m.held {
		a.Reserved += tokens
	}
	return a
}

func (m *modelled) left() int {
	a := m.account()
	return max(0, a.Total-a.Used-a.Reserved)
}

// pick returns one of the IDs, in an order that does not depend on the map.
func pick[V any](from map[string]V, n byte) string {
	var ids []string
	for id := range from {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	if len(ids) == 0 {
		return "g999999"
	}
	return ids[int(n)%len(ids)]
}

// FuzzLedger does what the bytes say over three Files of one session. After each step the ledger
// says what the model says: a grant is what was asked or all that is left, what is spent is
// recorded whole, less than nothing is never left.
func FuzzLedger(f *testing.F) {
	const seeds, bytesOfSeed = 12, 180
	for seed := range uint64(seeds) {
		random := rand.New(rand.NewPCG(seed, 1))
		steps := make([]byte, bytesOfSeed)
		for i := range steps {
			steps[i] = byte(random.Uint32())
		}
		f.Add(steps)
	}
	f.Fuzz(func(t *testing.T, steps []byte) {
		path := filepath.Join(t.TempDir(), "s.kfw")
		files := [3]*Session{reopen(t, path), reopen(t, path), reopen(t, path)}
		m := &modelled{total: 1000, held: map[string]int{}, expired: map[string]bool{}}
		check(t, files[0].SetTotal(m.total))
		const most = 3 * bytesOfSeed
		for steps = steps[:min(len(steps), most)]; len(steps) >= 3; steps = steps[3:] {
			file := files[int(steps[0]>>4)%len(files)]
			m.step(t, file, steps[0]&15, int(steps[1]), steps[2])
			s := must[session.Status](t)(files[int(steps[2])%len(files)].Status())
			want := m.account()
			got := budget.Account{Total: s.Total, Used: s.Used, Reserved: s.Reserved}
			if got != want || s.Left != m.left() {
				t.Fatalf("after %v: the ledger says %+v, %d left; the model %+v, %d left",
					steps[:3], got, s.Left, want, m.left())
			}
			taken := s.Used + s.Reserved
			if s.Left < 0 || s.Share < 0 || taken <= s.Total && taken+s.Left != s.Total {
				t.Fatalf("after %v: %+v does not add up", steps[:3], s)
			}
			listed := map[string]int{}
			for _, i := range s.Recent {
				if i.Held.ID != "" {
					listed[i.Held.ID] = i.Held.Tokens
				}
			}
			if fmt.Sprint(listed) != fmt.Sprint(m.held) {
				t.Fatalf("after %v: held are %v, listed %v", steps[:3], m.held, listed)
			}
		}
	})
}

// step does one thing to the ledger and to the model, and compares what both return.
func (m *modelled) step(t *testing.T, file *Session, op byte, amount int, which byte) {
	var account budget.Account
	var err error
	switch op {
	case 0, 1, 2, 3, 4:
		var held session.Held
		left := m.left()
		held, account, err = file.Hold(amount+1, time.Hour, "allocate")
		if left == 0 {
			want := session.Exhausted{Total: m.total, Reserved: m.account().Reserved, Held: len(m.held)}
			if e, ok := errors.AsType[*session.Exhausted](err); !ok || *e != want {
				t.Fatalf("hold of nothing left: %+v, %v", held, err)
			}
			return
		}
		if held.Tokens != min(amount+1, left) {
			t.Fatalf("hold of %d with %d left: %+v", amount+1, left, held)
		}
		m.held[held.ID] = held.Tokens
	case 5, 6:
		account, err = file.Spend(amount, "spend")
		m.used += amount
	case 7, 8, 9:
		id := pick(m.held, which)
		var late bool
		late, account, err = file.Settle(id, amount, "spend")
		if len(m.held) == 0 {
			m.notHeld(t, err, "unknown")
			return
		}
		if late {
			t.Fatalf("%s is late", id)
		}
		m.used += amount
		m.end(id)
	case 10:
		id := pick(m.held, which)
		var tokens int
		tokens, account, err = file.Release(id)
		if len(m.held) == 0 {
			m.notHeld(t, err, "unknown")
			return
		}
		if tokens != m.held[id] {
			t.Fatalf("released %d of %d", tokens, m.held[id])
		}
		m.end(id)
	case 11:
		id := pick(m.held, which)
		number, _ := session.GrantNumber(id)
		check(t, file.existing(func(c *connection) error {
			return c.exec("UPDATE invocation SET held_until = 1 WHERE id = ?", number)
		}))
		if len(m.held) > 0 {
			delete(m.held, id)
			m.expired[id] = true
		}
		return
	case 12:
		id := pick(m.expired, which)
		if len(m.expired) > 0 && which%2 == 0 {
			_, _, err = file.Release(id)
			m.notHeld(t, err, "expired")
			return
		}
		var late bool
		late, account, err = file.Settle(id, amount, "spend")
		if len(m.expired) == 0 {
			m.notHeld(t, err, "unknown")
			return
		}
		if !late {
			t.Fatalf("%s is not late", id)
		}
		m.used += amount
		delete(m.expired, id)
		m.ended = append(m.ended, id)
	case 13:
		if len(m.ended) > 0 {
			id := m.ended[int(which)%len(m.ended)]
			_, _, err = file.Settle(id, amount, "spend")
			m.notHeld(t, err, "settled")
			_, _, err = file.Release(id)
			m.notHeld(t, err, "settled")
		}
		return
	case 14:
		m.run(t, file, amount, int(which))
		return
	case 15:
		if which%2 == 0 {
			check(t, file.Reset())
			m.used = 0
		} else {
			m.total = 8 * amount
			check(t, file.SetTotal(m.total))
		}
		return
	}
	check(t, err)
	if want := m.account(); account != want {
		t.Fatalf("step %d: the account is %+v, want %+v", op, account, want)
	}
}

// run is an invocation between the held grants.
func (m *modelled) run(t *testing.T, file *Session, asked, spent int) {
	left := m.left()
	g, err := file.Allocate(asked, 1, "run")
	if left == 0 {
		if _, ok := errors.AsType[*session.Exhausted](err); !ok {
			t.Fatalf("a run with nothing left: %v", err)
		}
		return
	}
	check(t, err)
	if g.Tokens() != min(asked, left) {
		t.Fatalf("a run that asks %d is granted %d of %d", asked, g.Tokens(), left)
	}
	spent = min(spent, g.Tokens())
	check(t, g.Spend(spent))
	if s := must[session.Status](t)(file.Status()); s.Left != left-g.Tokens() || s.Used < m.used+spent {
		t.Fatalf("while it runs: %+v", s)
	}
	check(t, g.Close(0))
	m.used += spent
}

func (m *modelled) end(id string) {
	delete(m.held, id)
	m.ended = append(m.ended, id)
}

func (m *modelled) notHeld(t *testing.T, err error, reason string) {
	t.Helper()
	if e, ok := errors.AsType[*session.NotHeld](err); !ok || e.Reason != reason {
		t.Fatalf("error is %v, want one of a grant that is %s", err, reason)
	}
}

// An ID that is none, or not that of a held grant, changes nothing, and the error says which it is.
func TestNotHeld(t *testing.T) {
	f := newFile(t)
	if _, _, err := f.Settle("g1", 1, ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("settled without a file: %v", err)
	}
	if _, _, err := f.Release("g1"); !errors.Is(err, fs.ErrNotExist) || len(files(t, f.Path())) != 0 {
		t.Errorf("released without a file: %v", err)
	}
	check(t, must[*session.Grant](t)(f.Allocate(100, 1, "ended")).Close(0))
	running := must[*session.Grant](t)(f.Allocate(100, 1, "running"))
	held, _, err := f.Hold(100, time.Hour, "held")
	check(t, err)
	must[budget.Account](t)(f.Spend(5, "spent"))
	before := must[session.Status](t)(f.Status())
	for id, want := range map[string]string{
		"":                      "no such grant",
		"g":                     "no such grant",
		"g0":                    "no such grant",
		"g-1":                   "no such grant",
		"g01":                   "no such grant",
		"g+3":                   "no such grant",
		"G3":                    "no such grant",
		"h3":                    "no such grant",
		"3":                     "no such grant",
		"g3\x1b[31m":            "no such grant",
		"g99999999999999999999": "no such grant",
		"g99":                   "no such grant: g99",
		"g1":                    "no such grant: g1",
		"g2":                    "grant g2 belongs to a run that has not ended",
		"g4":                    "no such grant: g4",
	} {
		_, _, settled := f.Settle(id, 7, "")
		_, _, released := f.Release(id)
		for _, err := range []error{settled, released} {
			if err == nil || err.Error() != want {
				t.Errorf("%q: error is %v, want %s", id, err, want)
			}
		}
	}
	if after := must[session.Status](t)(f.Status()); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("something was recorded: %+v", after)
	}
	if _, _, err := f.Release(held.ID); err != nil || held.ID != "g3" {
		t.Errorf("%s is held: %v", held.ID, err)
	}
	check(t, running.Close(0))
	for _, bad := range []error{
		second(f.Spend(-1, "")),
		third(f.Hold(0, time.Hour, "")), third(f.Hold(1, 0, "")), third(f.Hold(-1, time.Hour, "")),
		third(f.Settle("g3", -1, "")),
	} {
		if bad == nil {
			t.Error("less than nothing was accepted")
		}
	}
}

func second[A any](_ A, err error) error        { return err }
func third[A, B any](_ A, _ B, err error) error { return err }

// The list has the held grants, however old, and of each that was settled what it was settled with.
func TestHeldGrantsAreListed(t *testing.T) {
	f := newFile(t)
	held, _, err := f.Hold(300, time.Hour, "allocate")
	check(t, err)
	settled, _, err := f.Hold(300, time.Hour, "allocate")
	check(t, err)
	for range session.Recent {
		must[budget.Account](t)(f.Spend(1, "spend"))
	}
	late, account, err := f.Settle(settled.ID, 200, "spend: an answer")
	if err != nil || late || account != (budget.Account{Total: session.DefaultTotal, Used: 210, Reserved: 300}) {
		t.Errorf("settled: %+v, %v", account, err)
	}
	recent := must[session.Status](t)(f.Status()).Recent
	last := recent[len(recent)-1]
	if len(recent) != session.Recent+1 || last.Command != "allocate" || last.Held.ID != held.ID || last.Held.Tokens != 300 ||
		last.Held.Until.UnixMilli() != held.Until.UnixMilli() || last.TokensOut != 0 {
		t.Errorf("recent: %+v", recent)
	}
	check(t, f.existing(func(c *connection) error {
		return c.exec("UPDATE invocation SET id = id + ? WHERE id > 1", 2*session.Remembered)
	}))
	must[budget.Account](t)(f.Spend(1, "spend"))
	if _, _, err := f.Release(held.ID); err != nil {
		t.Errorf("a grant that a thousand invocations came after: %v", err)
	}
	if s := must[session.Status](t)(f.Status()); s.Used != 211 || s.Saved != 0 || s.Reserved != 0 {
		t.Errorf("in the end: %+v", s)
	}
}

// Amounts of any size are recorded and never add up to less than there was.
func TestSpendNeverOverflows(t *testing.T) {
	f := newFile(t)
	check(t, f.SetTotal(1<<40))
	held, _, err := f.Hold(1<<40, math.MaxInt64, "allocate")
	check(t, err)
	used := 0
	for range 4 {
		account := must[budget.Account](t)(f.Spend(math.MaxInt, "spend"))
		if account.Used < used || account.Used < 1<<40 || account.Left() != 0 {
			t.Fatalf("the account is %+v", account)
		}
		used = account.Used
	}
	_, account, err := f.Settle(held.ID, math.MaxInt, "spend")
	if err != nil || account.Used < used || account.Left() != 0 {
		t.Errorf("settled: %+v, %v", account, err)
	}
	if s := must[session.Status](t)(f.Status()); s.Left != 0 || s.Share != 0 || s.Reserved != 0 {
		t.Errorf("the ledger says %+v", s)
	}
	check(t, f.Reset())
	if s := must[session.Status](t)(f.Status()); s.Left != 1<<40 {
		t.Errorf("after a reset: %+v", s)
	}
}

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
	var all sync.WaitGroup
	var outputs [50]bytes.Buffer
	for i := range outputs {
		cmd := processAs(t, "holds", path)
		var problems bytes.Buffer
		cmd.Stdout, cmd.Stderr = &outputs[i], &problems
		check(t, cmd.Start())
		all.Go(func() {
			if err := cmd.Wait(); err != nil {
				t.Errorf("process %d: %v: %s", i, err, &problems)
			}
		})
	}
	all.Wait()
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
