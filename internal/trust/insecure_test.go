//go:build unix

package trust

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestInsecure: what another user could have written is not believed.
func TestInsecure(t *testing.T) {
	for name, loosen := range map[string]func(dir, file string) error{
		"directory": func(dir, _ string) error { return os.Chmod(dir, 0o777) },
		"file":      func(_, file string) error { return os.Chmod(file, 0o666) },
		"link": func(dir, file string) error {
			return errors.Join(os.Rename(file, dir+".json"), os.Symlink(dir+".json", file))
		},
		"linked directory": func(dir, _ string) error {
			return errors.Join(os.Rename(dir, dir+"2"), os.Symlink(dir+"2", dir))
		},
	} {
		s := Store{filepath.Join(t.TempDir(), "trust")}
		if err := s.Add(Entry{Dir: "/a", Digest: "x"}); err != nil {
			t.Fatal(err)
		}
		if err := loosen(s.Dir, s.path("/a")); err != nil {
			t.Fatal(err)
		}
		ok, err := s.Has("/a", func() string { return "x" })
		if _, isInsecure := errors.AsType[*Insecure](err); ok || !isInsecure {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
		if _, err := s.List(); err == nil {
			t.Errorf("%s: it is listed", name)
		}
	}
}
