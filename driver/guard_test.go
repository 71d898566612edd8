//go:build unix

package driver

import (
	"os"
	"os/exec"
	"testing"
)

// TestGuardEnds: a guard runs as long as one driver does, whether that ends or can't be started,
// and is reaped then.
func TestGuardEnds(t *testing.T) {
	path, err := exec.LookPath("cat")
	if err != nil {
		t.Skip(err)
	}
	GuardBy(path, []string{"cat"})
	defer GuardBy("", nil)
	first, second := startShell(t, Options{}, "exit 0"), startShell(t, Options{}, "exit 0")
	running := guard.cmd.Process
	if err := first.Close(); err != nil || guard.to == nil || guard.cmd.Process != running {
		t.Fatalf("%v: there is no guard for the second driver", err)
	}
	if err := second.Close(); err != nil || guard.to != nil {
		t.Fatalf("%v: the guard outlives the drivers", err)
	}
	if err := running.Signal(os.Kill); err != os.ErrProcessDone {
		t.Errorf("the guard was not reaped: %v", err)
	}
	program := t.TempDir() + "/file"
	if err := os.WriteFile(program, []byte("#!/no/such/program\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if p, err := Start([]string{program}, Options{}); err == nil || guard.to != nil || guard.left != 0 {
		t.Errorf("%v, %v: a guard of no driver", p, err)
	}
}
