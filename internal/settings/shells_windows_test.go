package settings

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestForShells: a path leads to the same file without a character that a shell looks at, and cmd runs it as it stands.
func TestForShells(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my programs (1)")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "the program.exe")
	if err := os.CopyFS(dir, os.DirFS(filepath.Dir(self))); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, filepath.Base(self)), program); err != nil {
		t.Fatal(err)
	}
	path := ForShells(program)
	if strings.ContainsAny(path, ` \()`) || !SameFile(path, program) {
		t.Errorf("%s for %s", path, program)
	}
	if none := ForShells(filepath.Join(dir, "none.yaml")); !strings.HasSuffix(none, "/none.yaml") ||
		strings.ContainsAny(none, ` \()`) {
		t.Errorf("of a file that is not there: %s", none)
	}
	out, err := exec.Command("cmd", "/d", "/s", "/c", path+" -test.list ForShells").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "TestForShells") {
		t.Errorf("%v: %s", err, out)
	}
}
