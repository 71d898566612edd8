//go:build unix

package process

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReplace: a regular file is replaced, under whatever link it is named; what can't be replaced is written to, and
// what fails leaves all as it was.
func TestReplace(t *testing.T) {
	const old, text = "old\n", "new\n"
	failed := errors.New("no more")
	for _, test := range []struct {
		name       string
		make       func(t *testing.T, dir string) (path, read string)
		isReplaced bool
		want       string // empty if it is an error
	}{
		{"new", func(_ *testing.T, dir string) (string, string) { return dir + "/a", dir + "/a" }, true, text},
		{"file", file, true, text},
		{"link", func(t *testing.T, dir string) (string, string) {
			_, read := file(t, dir)
			check(t, os.Symlink("a", dir+"/link"))
			return dir + "/link", read
		}, true, text},
		{"two links", func(t *testing.T, dir string) (string, string) {
			_, read := file(t, dir)
			check(t, os.Mkdir(dir+"/in", 0o700), os.Symlink("../a", dir+"/in/link"), os.Symlink(dir+"/in/link", dir+"/other"))
			return dir + "/other", read
		}, true, text},
		{"link to nothing", func(t *testing.T, dir string) (string, string) {
			check(t, os.Symlink("b", dir+"/link"))
			return dir + "/link", dir + "/b"
		}, true, text},
		{"open file", func(t *testing.T, dir string) (string, string) {
			path, read := file(t, dir)
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			check(t, err)
			t.Cleanup(func() { _ = f.Close() })
			return fmt.Sprintf("/dev/fd/%d", f.Fd()), read
		}, false, old + text},
		{"folder", func(_ *testing.T, dir string) (string, string) { return dir, dir + "/none" }, false, ""},
		{"in no folder", func(_ *testing.T, dir string) (string, string) { return dir + "/x/a", dir + "/x/a" }, false, ""},
		{"in a file", func(t *testing.T, dir string) (string, string) {
			path, _ := file(t, dir)
			return path + "/b", path + "/b"
		}, false, ""},
	} {
		dir := t.TempDir()
		path, read := test.make(t, dir)
		before, _ := os.Stat(read) // nil if there is none
		err := Replace(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		got, _ := os.ReadFile(read) // empty if there is none
		if (err == nil) != (test.want != "") || string(got) != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
			continue
		}
		if err != nil {
			continue
		}
		after, err := os.Stat(read)
		check(t, err)
		if isReplaced := before == nil || !os.SameFile(before, after); isReplaced != test.isReplaced ||
			isReplaced && after.Mode() != 0o600 {
			t.Errorf("%s: replaced %t, mode %v", test.name, isReplaced, after.Mode())
		}
		if err := Replace(path, func(io.Writer) error { return failed }); !errors.Is(err, failed) {
			t.Errorf("%s: %v, want %v", test.name, err, failed)
		}
		if again, _ := os.ReadFile(read); string(again) != test.want {
			t.Errorf("%s: %q after a failure", test.name, again)
		}
		if left, err := filepath.Glob(dir + "/.kfw-*"); err != nil || len(left) > 0 {
			t.Errorf("%s: %q is left, %v", test.name, left, err)
		}
	}
}

// TestReplacePipe: a pipe that has a name is written to, and stays.
func TestReplacePipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	check(t, syscall.Mkfifo(path, 0o600))
	read := make(chan string)
	go func() {
		text, _ := os.ReadFile(path) // what is not read is missed
		read <- string(text)
	}()
	check(t, Replace(path, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }))
	info, err := os.Stat(path)
	check(t, err)
	if info.Mode().Type() != fs.ModeNamedPipe {
		t.Fatalf("it is %v", info.Mode())
	}
	if got := <-read; got != "new" {
		t.Errorf("read %q", got)
	}
}

func file(t *testing.T, dir string) (path, read string) {
	path = filepath.Join(dir, "a")
	check(t, os.WriteFile(path, []byte("old\n"), 0o600))
	return path, path
}
