package file

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/session"
)

func TestGrant(t *testing.T) {
	f := newFile(t)
	f.settings.Total = 10_000
	g := must[*session.Grant](t)(f.Allocate(4000, 100, "cat a"))
	if g.Tokens() != 4000 || g.SessionLeft() != 10_000 || g.SessionTotal() != 10_000 {
		t.Fatalf("granted %d of %d of %d", g.Tokens(), g.SessionLeft(), g.SessionTotal())
	}
	other := must[*session.Grant](t)(f.Allocate(9000, 100, "cat b"))
	if other.Tokens() != 6000 || other.SessionLeft() != 6000 {
		t.Fatalf("beside it: granted %d of %d", other.Tokens(), other.SessionLeft())
	}
	check(t, g.Spend(10))
	s := must[session.Status](t)(f.Status())
	if s.Used != 700 || s.Reserved != 9300 || s.Left != 0 || s.Total != 10_000 {
		t.Errorf("after the first slice: %+v", s)
	}
	check(t, g.Spend(3000))
	if err := g.Spend(991); err == nil {
		t.Error("more than the grant was spent")
	}
	if err := g.Spend(-1); err == nil {
		t.Error("less than nothing was spent")
	}
	check(t, g.Spend(990))
	check(t, other.Close(7))
	check(t, g.Close(5000))
	check(t, g.Close(5000))
	if err := g.Spend(1); err == nil {
		t.Error("a closed grant was spent")
	}
	s = must[session.Status](t)(f.Status())
	if s.Used != 4000 || s.Reserved != 0 || s.Left != 6000 || s.Share != 0.6 {
		t.Errorf("in the end: %+v", s)
	}
	if len(s.Recent) != 2 || s.Recent[0].Command != "cat b" || s.Recent[1].TokensIn != 5000 ||
		s.Recent[1].TokensOut != 4000 || s.Recent[1].Saved != 1000 {
		t.Errorf("recent: %+v", s.Recent)
	}
}

func TestTotalIsThatOfCreation(t *testing.T) {
	f := newFile(t)
	check(t, must[*session.Grant](t)(f.Allocate(1, 1, "")).Close(0))
	f.settings.Total = 77
	g := must[*session.Grant](t)(f.Allocate(1, 1, ""))
	if g.SessionTotal() != session.DefaultTotal {
		t.Errorf("total is %d", g.SessionTotal())
	}
}

// A new total and a reset change the account, and what runs goes on.
func TestSetTotalAndReset(t *testing.T) {
	f := newFile(t)
	if err := f.Reset(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	if err := f.SetTotal(-1); err == nil || len(files(t, f.Path())) != 0 {
		t.Errorf("a negative total: %v", err)
	}
	check(t, f.SetTotal(1000))
	first := must[*session.Grant](t)(f.Allocate(600, 80, "first"))
	check(t, first.Spend(600))
	check(t, first.Close(0))
	running := must[*session.Grant](t)(f.Allocate(4000, 80, "running"))
	check(t, running.Spend(10))
	check(t, f.SetTotal(500))
	if s := must[session.Status](t)(f.Status()); s.Total != 500 || s.Left != 0 || s.Share != 0 {
		t.Errorf("a total below what was used: %+v", s)
	}
	check(t, f.SetTotal(1000))
	check(t, f.Reset())
	drawn := running.Drawn()
	if s := must[session.Status](t)(f.Status()); s.Used != drawn || s.Reserved != 400-drawn || s.Left != 600 || s.Saved != 0 {
		t.Errorf("after a reset: %+v", s)
	}
	check(t, running.Spend(390))
	check(t, running.Close(0))
	if s := must[session.Status](t)(f.Status()); s.Used != 400 || s.Reserved != 0 || s.Left != 600 {
		t.Errorf("in the end: %+v", s)
	}
}

// What an expansion writes is subtracted from what was saved.
func TestSaved(t *testing.T) {
	f := newFile(t)
	for _, c := range []struct{ in, out int }{{5000, 300}, {0, 200}, {10, 10}} {
		g := must[*session.Grant](t)(f.Allocate(1000, 10, ""))
		check(t, g.Spend(c.out))
		check(t, g.Close(c.in))
	}
	if s := must[session.Status](t)(f.Status()); s.Saved != 4500 || s.Recent[1].Saved != -200 {
		t.Errorf("saved: %+v", s)
	}
}

func TestExhaustedLeavesNoTrace(t *testing.T) {
	f := newFile(t)
	f.settings.Total = 1000
	g := must[*session.Grant](t)(f.Allocate(900, 100, "first"))
	check(t, g.Spend(900))
	_, err := f.Allocate(4000, 101, "second")
	exhausted, ok := errors.AsType[*session.Exhausted](err)
	if !ok || *exhausted != (session.Exhausted{Left: 100, Total: 1000}) {
		t.Fatalf("error is %v", err)
	}
	if exhausted.Error() != "session exhausted: 100 of 1000 tokens left" {
		t.Errorf("it says %q", exhausted)
	}
	if s := must[session.Status](t)(f.Status()); len(s.Recent) != 1 || s.Left != 100 {
		t.Errorf("status is %+v", s)
	}
	check(t, must[*session.Grant](t)(f.Allocate(4000, 100, "third")).Close(0))
}

// What running invocations hold is told apart from what was used, and who has drawn all of it holds nothing.
func TestExhaustedByReservations(t *testing.T) {
	f := newFile(t)
	f.settings.Total = 1000
	spent := must[*session.Grant](t)(f.Allocate(200, 10, "has drawn all"))
	check(t, spent.Spend(200))
	first := must[*session.Grant](t)(f.Allocate(500, 10, "first"))
	second := must[*session.Grant](t)(f.Allocate(500, 10, "second"))
	_, err := f.Allocate(1, 1, "third")
	exhausted, ok := errors.AsType[*session.Exhausted](err)
	if !ok || *exhausted != (session.Exhausted{Left: 0, Total: 1000, Reserved: 780, Running: 2}) ||
		exhausted.Error() != "session exhausted: 0 of 1000 tokens left, 780 reserved by 2 runs that have not ended" {
		t.Errorf("error is %v", err)
	}
	check(t, first.Close(0))
	check(t, second.Close(0))
	check(t, must[*session.Grant](t)(f.Allocate(800, 800, "again")).Close(0))
	check(t, spent.Close(0))

	// Held grants are counted apart from runs.
	says := func(want string) {
		t.Helper()
		_, _, err := f.Hold(1, time.Hour, "allocate")
		want = "session exhausted: 0 of 1000 tokens left" + want
		if _, ok := errors.AsType[*session.Exhausted](err); !ok || err.Error() != want {
			t.Errorf("error is %v", err)
		}
	}
	held, _, err := f.Hold(500, time.Hour, "allocate")
	check(t, err)
	last := must[*session.Grant](t)(f.Allocate(500, 10, "last"))
	says(", 790 reserved by a run that has not ended and a held grant")
	check(t, last.Close(0))
	check(t, third(f.Hold(300, time.Hour, "allocate")))
	says(", 800 reserved by 2 held grants")
	check(t, third(f.Settle(held.ID, 500, "spend")))
	says(", 300 reserved by a held grant")
	check(t, third(f.Settle("g7", 300, "spend")))
	says("")
}

func TestStatusOfNoFile(t *testing.T) {
	f := newFile(t)
	if _, err := f.Status(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error is %v", err)
	}
	if names := files(t, f.Path()); len(names) != 0 {
		t.Errorf("asking made %v", names)
	}
}

func TestInvocationsAreCapped(t *testing.T) {
	f := newFile(t)
	running := must[*session.Grant](t)(f.Allocate(1, 1, "first, and still running"))
	check(t, must[*session.Grant](t)(f.Allocate(1, 1, "second")).Close(0))
	check(t, must[*session.Grant](t)(f.Allocate(1, 1, "third, made the thousandth")).Close(0))
	check(t, f.existing(func(c *connection) error {
		return c.exec("UPDATE invocation SET id = ? WHERE id = 3", session.Remembered+1)
	}))
	check(t, must[*session.Grant](t)(f.Allocate(1, 1, "last")).Close(0))
	var left []string
	for _, i := range must[session.Status](t)(f.Status()).Recent {
		left = append(left, strings.Fields(i.Command)[0])
	}
	if want := []string{"last", "third,", "first,"}; !slices.Equal(left, want) {
		t.Errorf("remembered: %q", left)
	}
	check(t, running.Close(0))
}

// spendUntilExhausted is a process that writes tokens and says, for each run, how many.
func spendUntilExhausted(path string) error {
	f := At(path, session.Settings{})
	for run := range 10 {
		f.settings.Total = fiftyTotal
		g, err := f.Allocate(150, 20, "spend")
		if _, ok := errors.AsType[*session.Exhausted](err); ok {
			break
		}
		if err != nil {
			return err
		}
		for i := 0; i < 7+run && i*13 < g.Tokens()-13; i++ {
			if err := g.Spend(13); err != nil {
				return err
			}
			fmt.Println(13)
		}
		if err := g.Close(200); err != nil {
			return err
		}
	}
	return f.Close()
}

const fiftyTotal = 20_000

func TestFiftyProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.kfw") // not there: they also race to make it
	var all sync.WaitGroup
	var outputs [50]bytes.Buffer
	for i := range outputs {
		cmd := processAs(t, "spend", path)
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
	wrote := 0
	for i := range outputs {
		wrote += 13 * strings.Count(outputs[i].String(), "\n")
	}
	s := must[session.Status](t)(reopen(t, path).Status())
	if s.Total != fiftyTotal || s.Used != wrote || s.Reserved != 0 || s.Used > s.Total {
		t.Errorf("%d written, the ledger says %+v", wrote, s)
	}
	if wrote < fiftyTotal*9/10 {
		t.Errorf("only %d of %d could be written", wrote, fiftyTotal)
	}
}

// spendAndHold is a process that has written 130 of 4000 tokens and does not end by itself.
func spendAndHold(path string) error {
	g, err := At(path, session.Settings{Total: 10_000}).Allocate(4000, 20, "hold")
	if err != nil {
		return err
	}
	for range 10 {
		if err := g.Spend(13); err != nil {
			return err
		}
	}
	return hold(strconv.Itoa(os.Getpid()))
}

func TestTheDeadGiveBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.kfw")
	f := reopen(t, path)
	victim, _ := holding(t, "hold", path)
	if s := must[session.Status](t)(f.Status()); s.Used != 520 || s.Reserved != 3480 {
		t.Fatalf("while it lives: %+v", s)
	}
	check(t, victim.Process.Kill())
	// It is not waited for yet: a zombie has its pid and its start time still, and is dead all the same.
	for must[session.Status](t)(f.Status()).Reserved != 0 {
		if t.Context().Err() != nil {
			t.Fatal("the reservation stays")
		}
	}
	_ = victim.Wait()
	g := must[*session.Grant](t)(f.Allocate(100_000, 20, "next"))
	if g.Tokens() != 9480 {
		t.Errorf("next was granted %d", g.Tokens())
	}
	check(t, g.Close(0))
	if s := must[session.Status](t)(f.Status()); s.Used != 520 || s.Reserved != 0 {
		t.Errorf("in the end: %+v", s)
	}
}

func TestKilledAtAnyMoment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.kfw")
	wrote := 0
	for lines := range 25 {
		cmd := processAs(t, "spend", path)
		out := must[*os.File](t)(os.CreateTemp(t.TempDir(), "out"))
		cmd.Stdout = out
		check(t, cmd.Start())
		// Killed as soon as it has said so many lines, wherever it is by then.
		for {
			said := must[[]byte](t)(os.ReadFile(out.Name()))
			if bytes.Count(said, []byte("\n")) >= lines {
				break
			}
			if (cmd.ProcessState != nil && cmd.ProcessState.Exited()) || t.Context().Err() != nil {
				t.Fatal("it ended early")
			}
		}
		kill(t, cmd)
		wrote += 13 * bytes.Count(must[[]byte](t)(os.ReadFile(out.Name())), []byte("\n"))
		check(t, out.Close())
		f := At(path, session.Settings{})
		s, err := f.Status()
		if errors.Is(err, fs.ErrNotExist) && lines == 0 {
			continue // killed before it made the file
		}
		check(t, err)
		check(t, f.Close())
		if s.Used < wrote || s.Used > s.Total || s.Reserved != 0 {
			t.Fatalf("after %d kills %d were written, the ledger says %+v", lines+1, wrote, s)
		}
	}
}

func TestGrantTakenBackCannotBeSpent(t *testing.T) {
	f := newFile(t)
	f.settings.Total = 1000
	g := must[*session.Grant](t)(f.Allocate(800, 1, ""))
	check(t, g.Spend(100))
	check(t, f.existing(func(c *connection) error {
		return c.exec("UPDATE invocation SET process_start = process_start || '1'")
	}))
	other := must[*session.Grant](t)(f.Allocate(1000, 1, ""))
	if other.Tokens() != 899 {
		t.Fatalf("granted %d", other.Tokens())
	}
	if err := g.Spend(100); err == nil {
		t.Error("what another holds was spent")
	}
	check(t, g.Close(0))
	check(t, other.Spend(899))
	check(t, other.Close(0))
	if s := must[session.Status](t)(f.Status()); s.Used != 1000 || s.Left != 0 {
		t.Errorf("in the end: %+v", s)
	}
}

func BenchmarkAllocateSpendClose(b *testing.B) {
	b.ReportAllocs()
	dir := b.TempDir()
	for i := 0; b.Loop(); i++ {
		f := At(filepath.Join(dir, strconv.Itoa(i)), session.Settings{})
		g, err := f.Allocate(4000, 20, "")
		if err == nil {
			err = errors.Join(g.Spend(100), g.Close(0), f.Close())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSpend(b *testing.B) {
	b.ReportAllocs()
	f := At(filepath.Join(b.TempDir(), "s.kfw"), session.Settings{})
	f.settings.Total = 1 << 30
	g, err := f.Allocate(1<<30, 1, "")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := g.Spend(1); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(g.Close(0), f.Close()); err != nil {
		b.Fatal(err)
	}
}

// TestRecord: what is recorded is remembered, and takes nothing from what may be written.
func TestRecord(t *testing.T) {
	f := At(filepath.Join(t.TempDir(), "s.kfw"), session.Settings{Total: 1000})
	defer f.Close()
	if err := f.Record("turn m", 12, 34); err != nil {
		t.Fatal(err)
	}
	if err := f.Record("turn m", -1, 0); err == nil {
		t.Error("a negative number of tokens was recorded")
	}
	s, err := f.Status()
	if err != nil {
		t.Fatal(err)
	}
	if s.Left != 1000 || s.Used != 0 || len(s.Recent) != 1 {
		t.Fatalf("%+v", s)
	}
	if got := s.Recent[0]; got.Command != "turn m" || got.TokensIn != 12 || got.TokensOut != 34 || got.Saved != 0 {
		t.Errorf("%+v", got)
	}
}
