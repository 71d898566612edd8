package file

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/session"
)

// The test binary is also the other processes of its tests: with this variable it plays the role named in it.
const roleVariable = "KFW_SESSION_TEST_ROLE"

func TestMain(m *testing.M) {
	role, ok := os.LookupEnv(roleVariable)
	if !ok {
		os.Exit(m.Run())
	}
	roles := map[string]func(path string) error{
		"spend":   spendUntilExhausted,
		"hold":    spendAndHold,
		"holds":   holdAndSettle,
		"handle":  writeHandleAndHold,
		"bounded": writeUntilFull,
		"starved": readWithoutRoom,
		"ask":     func(path string) error { _, err := At(path, session.Settings{}).Status(); return err },
	}
	if err := roles[role](os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// As package session has them: how many bytes a block holds, and how much of a lead stays with its chunk.
const blockSize, maxLead = 64 << 10, 16 << 10

// processAs returns the test binary in a role, on a session file, not yet started.
func processAs(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, path)
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	return cmd
}

// holding starts a process in a role that says a line and then waits for its stdin to close. It returns the line.
func holding(t *testing.T, role, path string) (*exec.Cmd, string) {
	t.Helper()
	cmd := processAs(t, role, path)
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s: %v", role, err)
	}
	return cmd, strings.TrimSpace(line)
}

// hold says a line and waits.
func hold(line string) error {
	fmt.Println(line)
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its status is that it was killed
}

func newFile(t *testing.T) *Session {
	t.Helper()
	return reopen(t, filepath.Join(t.TempDir(), "s.kfw"))
}

func reopen(t *testing.T, path string) *Session {
	t.Helper()
	f := At(path, session.Settings{})
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// files returns the names in the directory of a path.
func files(t *testing.T, path string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	check(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func modes(t *testing.T, dir string) map[string]fs.FileMode {
	t.Helper()
	m := map[string]fs.FileMode{}
	entries, err := os.ReadDir(dir)
	check(t, err)
	for _, e := range entries {
		info, err := e.Info()
		check(t, err)
		m[e.Name()] = info.Mode().Perm()
	}
	return m
}
