//go:build unix

package safefile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNoRegularFile: what is no regular file is refused, and nothing waits for it.
func TestNoRegularFile(t *testing.T) {
	dir := t.TempDir()
	fifo, zero, empty := filepath.Join(dir, "fifo"), filepath.Join(dir, "zero"), filepath.Join(dir, "empty")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fifo, zero, dir, "/dev/null"} {
		if text, err := Read(path, Limit{Bytes: 10}); err != errNotRegular {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
	if text, err := Read(empty, Limit{Bytes: 10}); err != nil || len(text) > 0 {
		t.Errorf("%q, %v", text, err)
	}
	_, err := Read(filepath.Join(dir, "none"), Limit{Bytes: 10})
	if !os.IsNotExist(err) || strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}
