package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/internal/sessiontest"
)

// madeSession makes a session file with a ledger and a handle in it, closed.
func madeSession(t *testing.T) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "s.kfw")
	f := At(path, session.Settings{})
	g := must[*session.Grant](t)(f.Allocate(1000, 1, "made"))
	check(t, g.Spend(700))
	h := sessiontest.Fill(t, f.NewHandle("made", "all"), 2*blockSize)
	must[string](t)(h.Name())
	check(t, errors.Join(h.Commit(), g.Close(0), f.Close()))
	if names := files(t, path); len(names) != 1 {
		t.Fatalf("after closing there are %v", names)
	}
	return path, must[[]byte](t)(os.ReadFile(path))
}

// uses are the ways to come to a file.
func uses() map[string]func(f *Session) error {
	return map[string]func(f *Session) error{
		"allocate": func(f *Session) error { _, err := f.Allocate(100, 1, ""); return err },
		"hold":     func(f *Session) error { _, _, err := f.Hold(100, time.Hour, ""); return err },
		"spend":    func(f *Session) error { _, err := f.Spend(100, ""); return err },
		"settle":   func(f *Session) error { _, _, err := f.Settle("g1", 100, ""); return err },
		"release":  func(f *Session) error { _, _, err := f.Release("g1"); return err },
		"status":   func(f *Session) error { _, err := f.Status(); return err },
		"handle":   func(f *Session) error { _, err := f.Handle("h1"); return err },
		"set":      func(f *Session) error { return f.SetTotal(5) },
		"reset":    func(f *Session) error { return f.Reset() },
		"remove":   func(f *Session) error { return f.Remove("h1") },
		"handles":  func(f *Session) error { _, err := f.Handles(); return err },
		"name":     func(f *Session) error { _, err := f.NewHandle("", "all").Name(); return err },
	}
}

// refused holds that no use of the file is possible, that the reason is as said, and that nothing changes.
func refused(t *testing.T, path, reason string) {
	t.Helper()
	before, _ := os.ReadFile(path)
	for name, use := range uses() {
		f := At(path, session.Settings{})
		err := use(f)
		u, ok := errors.AsType[*session.Unusable](err)
		if !ok || !strings.Contains(u.Reason, reason) || u.Path != path {
			t.Errorf("%s: error is %v, want %q", name, err, reason)
		}
		check(t, f.Close())
		after, _ := os.ReadFile(path)
		if !bytes.Equal(before, after) {
			t.Errorf("%s: the file was changed", name)
		}
		if names := files(t, path); len(names) != 1 {
			t.Errorf("%s: there are now %v", name, names)
		}
	}
}

func TestRefused(t *testing.T) {
	_, made := madeSession(t)
	changed := func(at int, value uint32) []byte {
		b := bytes.Clone(made)
		binary.BigEndian.PutUint32(b[at:], value)
		return b
	}
	for name, c := range map[string]struct {
		content []byte
		reason  string
	}{
		"one byte":         {[]byte("x"), "not a session"},
		"text":             {bytes.Repeat([]byte("this is not a session\n"), 50), "not a session"},
		"zeros":            {make([]byte, 8192), "not a session"},
		"another database": {changed(68, 0), "not a session"},
		"a newer kfw":      {changed(60, schemaVersion+1), "newer kfw"},
		"a header alone":   {made[:100], "damaged"},
		"half":             {made[:len(made)/2], "damaged"},
		"less one byte":    {made[:len(made)-1], "damaged"},
		"no tables":        {append(bytes.Clone(made[:100]), make([]byte, len(made)-100)...), "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f")
			check(t, os.WriteFile(path, c.content, 0o600))
			refused(t, path, c.reason)
		})
	}
	t.Run("a directory", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "d")
		check(t, os.Mkdir(path, 0o700))
		refused(t, path, "is a directory")
	})
	t.Run("below a file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "f")
		check(t, os.WriteFile(path, nil, 0o600))
		_, err := At(filepath.Join(path, "s.kfw"), session.Settings{}).Allocate(1, 1, "")
		if u, ok := errors.AsType[*session.Unusable](err); !ok || !strings.Contains(u.Reason, "not a directory") {
			t.Errorf("error is %v", err)
		}
	})
}

// TestCutAnywhere holds that a file that lost its end is refused, or opened with all that it still says.
func TestCutAnywhere(t *testing.T) {
	_, made := madeSession(t)
	path := filepath.Join(t.TempDir(), "s.kfw")
	const step = 2039 // prime, so that all places within a page are met
	for n := 1; n < len(made); n += step {
		check(t, os.WriteFile(path, made[:n], 0o600))
		f := At(path, session.Settings{})
		s, err := f.Status()
		if _, ok := errors.AsType[*session.Unusable](err); !ok && (err != nil || s.Used != 700) {
			t.Fatalf("cut at %d of %d: %+v, %v", n, len(made), s, err)
		}
		check(t, f.Close())
		check(t, os.Remove(path))
	}
}

// TestDamagedAnywhere holds that a changed page is refused or harmless: no panic, no answer but the truth or an error.
func TestDamagedAnywhere(t *testing.T) {
	_, made := madeSession(t)
	path := filepath.Join(t.TempDir(), "s.kfw")
	for page := range len(made) / 4096 {
		broken := bytes.Clone(made)
		clear(broken[page*4096+100 : page*4096+4096])
		check(t, os.WriteFile(path, broken, 0o600))
		f := At(path, session.Settings{})
		if s, err := f.Status(); err == nil && (s.Used != 700 || s.Total != session.DefaultTotal) {
			t.Errorf("page %d: %+v", page, s)
		}
		if s, err := f.Handle("h1"); err == nil {
			if n, err := s.WriteTo(io.Discard); err == nil && n != s.Info().Bytes {
				t.Errorf("page %d: %d of %d bytes and no error", page, n, s.Info().Bytes)
			}
		}
		_ = f.Close() // what cannot be read may not be closed cleanly either
		check(t, os.Remove(path))
	}
}

func TestModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "kfw")
	f := reopen(t, filepath.Join(dir, "store.kfw"))
	f.settings.MakeDirectory = true
	h := sessiontest.Fill(t, f.NewHandle("x", "all"), 2*blockSize)
	must[string](t)(h.Name())
	got := modes(t, dir)
	for _, name := range []string{"store.kfw", "store.kfw-wal", "store.kfw-shm"} {
		if mode, ok := got[name]; !ok || mode != 0o600 {
			t.Errorf("%s: mode %o", name, mode)
		}
	}
	if mode := must[fs.FileInfo](t)(os.Stat(dir)).Mode().Perm(); mode != 0o700 {
		t.Errorf("the directory: mode %o", mode)
	}
	check(t, h.Commit())
}

func TestEmptyFileBecomesASession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.kfw")
	check(t, os.WriteFile(path, nil, 0o644))
	f := reopen(t, path)
	if _, err := f.Status(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("asked before it is one: %v", err)
	}
	check(t, must[*session.Grant](t)(f.Allocate(1, 1, "")).Close(0))
	if mode := must[fs.FileInfo](t)(os.Stat(path)).Mode().Perm(); mode != 0o600 {
		t.Errorf("mode %o", mode)
	}
}

func TestPathOfAnyCharacters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?mode=memory&x=%41#é'\".kfw")
	f := reopen(t, path)
	check(t, must[*session.Grant](t)(f.Allocate(1, 1, "")).Close(0))
	check(t, f.Close())
	if names := files(t, path); len(names) != 1 || names[0] != filepath.Base(path) {
		t.Errorf("there are %q", names)
	}
}

func TestClosed(t *testing.T) {
	f := newFile(t)
	check(t, f.Close())
	for name, use := range uses() {
		if err := use(f); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// writeUntilFull is a process whose files cannot grow beyond a limit. It says what its first error is.
func writeUntilFull(path string) error {
	if err := limitFileSize(1 << 20); errors.Is(err, errors.ErrUnsupported) {
		fmt.Println("unsupported")
		return nil
	} else if err != nil {
		return err
	}
	f := At(path, session.Settings{})
	g, err := f.Allocate(1000, 1, "bounded")
	if err != nil {
		return err
	}
	if err := g.Spend(300); err != nil {
		return err
	}
	h := f.NewHandle("bounded", "all")
	chunk := make([]byte, 1000)
	for i := range 10_000 {
		for j := range chunk {
			chunk[j] = byte(i*j ^ i>>3 ^ j*j)
		}
		if err = h.Keep(nil, chunk, nil, 1); err != nil {
			break
		}
	}
	_, ok := errors.AsType[*session.Unusable](err)
	fmt.Println(ok, errors.Is(h.Keep(nil, nil, nil, 1), err))
	return nil
}

func TestDiskFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.kfw")
	cmd := processAs(t, "bounded", path)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if string(out) == "unsupported\n" {
		t.Skip("the size of files cannot be limited here")
	}
	if err != nil || string(out) != "true true\n" {
		t.Fatalf("a full disk: %q, %v", out, err)
	}
	f := reopen(t, path)
	if s := must[session.Status](t)(f.Status()); s.Used < 300 || s.Reserved != 0 {
		t.Errorf("the ledger afterwards: %+v", s)
	}
	g := must[*session.Grant](t)(f.Allocate(1000, 1, "next"))
	check(t, errors.Join(g.Spend(1000), g.Close(0)))
}

// readWithoutRoom is a process that can write nothing at all. It reads what is stored, and says what a charge is.
func readWithoutRoom(path string) error {
	if err := limitFileSize(0); errors.Is(err, errors.ErrUnsupported) {
		fmt.Println("unsupported")
		return nil
	} else if err != nil {
		return err
	}
	f := At(path, session.Settings{})
	status, err := f.Status()
	if err != nil {
		return err
	}
	infos, err := f.Handles()
	if err != nil {
		return err
	}
	last, err := f.LastHandle()
	if err != nil {
		return err
	}
	stored, err := f.Handle("h1")
	if err != nil {
		return err
	}
	n, err := stored.WriteTo(io.Discard)
	if err != nil {
		return err
	}
	_, err = f.Spend(1, "starved")
	unusable, ok := errors.AsType[*session.Unusable](err)
	fmt.Println(status.Used, len(infos), last, n == stored.Info().Bytes, ok && unusable.NoSpace)
	return f.Close()
}

// TestReadOnFullDisk: on a full disk what is stored can be read, and nothing can be charged.
func TestReadOnFullDisk(t *testing.T) {
	path, before := madeSession(t)
	cmd := processAs(t, "starved", path)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if string(out) == "unsupported\n" {
		t.Skip("the size of files cannot be limited here")
	}
	if err != nil || string(out) != "700 1 h1 true true\n" {
		t.Fatalf("a full disk: %q, %v", out, err)
	}
	if after := must[[]byte](t)(os.ReadFile(path)); !bytes.Equal(before, after) {
		t.Error("something was changed")
	}
	check(t, reopen(t, path).existing(func(c *connection) error { return nil }))
}

func TestNoPermission(t *testing.T) {
	path, before := madeSession(t)
	check(t, os.Chmod(path, 0o400))
	check(t, os.Chmod(filepath.Dir(path), 0o755))
	cmd := processAs(t, "ask", path)
	if err := asNobody(t, cmd, path); err != nil {
		t.Skip("cannot be someone without permission: ", err)
	}
	out, err := cmd.CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); !ok || !strings.Contains(string(out), "no permission") {
		t.Errorf("error is %v: %s", err, out)
	}
	if after := must[[]byte](t)(os.ReadFile(path)); !bytes.Equal(before, after) || len(files(t, path)) != 1 {
		t.Error("something was changed")
	}
}

func TestReasonsSayNothingOfTheContent(t *testing.T) {
	f := At("p", session.Settings{})
	for code, reason := range map[sqliteError]string{
		11: "is damaged",
		26: "is damaged",
		13: "the disk is full",
		8:  "no permission",
		14: "no permission",
		5:  "locked by another process",
		10: "input or output error",
		7:  "SQLite reports error 7",
	} {
		err := f.explain(fmt.Errorf("wrapped: %w", code))
		u, ok := errors.AsType[*session.Unusable](err)
		if !ok || !strings.Contains(u.Reason, reason) || u.Error() != "p: "+u.Reason || !errors.Is(err, code) {
			t.Errorf("%v: %v", code, err)
		}
		if text := code.Error(); !strings.HasPrefix(text, "sqlite: ") ||
			!strings.HasSuffix(text, fmt.Sprintf("(%d)", code)) {
			t.Errorf("code %d says %q", code, text)
		}
	}
}

// TestWait: who may not wait is told so, and what was to be recorded is not.
func TestWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.kfw")
	f := At(path, session.Settings{Total: 1000, Wait: 20 * time.Millisecond})
	defer f.Close()
	if _, err := f.Spend(1, "first"); err != nil {
		t.Fatal(err)
	}
	other := must[*connection](t)(connect(path, lockWait, false))
	check(t, other.script("BEGIN IMMEDIATE"))
	if _, err := f.Spend(1, "second"); err == nil ||
		!strings.Contains(err.Error(), "locked by another process for 20ms") {
		t.Errorf("with the file locked: %v", err)
	}
	check(t, other.script("ROLLBACK"))
	check(t, other.close())
	if _, err := f.Spend(1, "third"); err != nil {
		t.Error(err)
	}
	if s, err := f.Status(); err != nil || s.Used != 2 {
		t.Errorf("used %d, %v", s.Used, err)
	}
}

// TestReplaced: a session that is deleted or replaced while it is in use ends what uses it, before
// it writes another token.
func TestReplaced(t *testing.T) {
	for name, disturb := range map[string]func(path string) error{
		"deleted":  os.Remove,
		"replaced": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)) },
		"moved":    func(path string) error { return os.Rename(path, path+".old") },
	} {
		f := newFile(t)
		g := must[*session.Grant](t)(f.Allocate(1000, 10, "x"))
		check(t, g.Spend(1))
		check(t, disturb(f.Path()))
		err := g.Spend(1)
		if u, ok := errors.AsType[*session.Unusable](err); !ok || !strings.HasSuffix(u.Reason, "while it was in use") {
			t.Errorf("%s: spending: %v", name, err)
		}
		if _, ok := errors.AsType[*session.Unusable](g.Close(0)); !ok {
			t.Errorf("%s: it is closed as if nothing had been", name)
		}
	}
}
