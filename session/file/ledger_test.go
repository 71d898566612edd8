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
	f := At(path, session.Settings{Wait: 5 * time.Minute}) // fifty wait for one lock, on a busy machine, too
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

// fifty runs fifty processes of one kind at once on a session, and returns what each wrote to standard output.
func fifty(t *testing.T, kind, path string) *[50]bytes.Buffer {
	t.Helper()
	var all sync.WaitGroup
	var outputs [50]bytes.Buffer
	for i := range outputs {
		cmd := processAs(t, kind, path)
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
	return &outputs
}

func TestFiftyProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.kfw") // not there: they also race to make it
	outputs := fifty(t, "spend", path)
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
		f := At(path, session.Settings{Wait: 5 * time.Minute}) // fifty wait for one lock, on a busy machine, too
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
