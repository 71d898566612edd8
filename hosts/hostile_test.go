//go:build unix

package hosts

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestHostileSettings: settings that are no regular file, or nested without end, are refused with the path and the
// reason, wherever a host has them; nothing waits for them, and nothing is written.
func TestHostileSettings(t *testing.T) {
	kinds := map[string]struct {
		reason string
		create func(path string) error
	}{
		"FIFO":      {"not a regular file", func(path string) error { return syscall.Mkfifo(path, 0o600) }},
		"device":    {"not a regular file", func(path string) error { return os.Symlink("/dev/zero", path) }},
		"directory": {"not a regular file", func(path string) error { return os.Mkdir(path, 0o700) }},
		"brackets": {"nested deeper than 512 levels", func(path string) error {
			return os.WriteFile(path, bytes.Repeat([]byte("["), 1_000_000), 0o600)
		}},
		"members": {"more than 50000 values", func(path string) error {
			return os.WriteFile(path, []byte("["+strings.Repeat("1,", 60_000)+"1]"), 0o600)
		}},
	}
	for _, h := range All() {
		for name, kind := range kinds {
			p := Place{Home: t.TempDir(), Project: t.TempDir(), Getenv: func(string) string { return "" }, Kfw: "kfw"}
			setup := h.Setup(p)
			paths := append(append([]string{setup.Path}, setup.More...), setup.ServerPaths()...)
			for _, path := range paths {
				if setup.File != nil && path == setup.Path && kind.reason != "not a regular file" {
					continue // a plugin is no JSON
				}
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), kind.create(path)); err != nil {
					t.Fatal(err)
				}
				want := path + ": " + kind.reason
				p.MCP = true
				_, install := Install(h, p, t.TempDir(), false)
				_, uninstall := Uninstall(h, p, t.TempDir())
				_, _, state := State(h, p)
				for what, err := range map[string]error{"install": install, "uninstall": uninstall, "state": state} {
					isRead := path == setup.Path || what != "state" && slices.Contains(setup.ServerPaths(), path)
					if isRead && (err == nil || err.Error() != want) {
						t.Errorf("%s, %s, %s: %v", name, path, what, err)
					}
				}
				found := Prove(h, []string{path}, "kfw", nil)
				if len(found) != 1 || found[0].Said != "can't be read as settings: "+kind.reason {
					t.Errorf("%s, %s: %+v", name, path, found)
				}
				for _, file := range setup.Servers {
					if _, err := ServersIn(file); file.Path == path && (err == nil || err.Error() != want) {
						t.Errorf("%s, %s: %v", name, path, err)
					}
				}
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
