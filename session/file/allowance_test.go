package file

import (
	"path/filepath"
	"testing"

	"github.com/kfw-dev/kfw/session"
)

// TestAllowanceSetAside: what is set aside for later is not left of the session, before and after
// it is spent.
func TestAllowanceSetAside(t *testing.T) {
	f := At(filepath.Join(t.TempDir(), "s.kfw"), session.Settings{Total: 1000})
	defer f.Close()
	a, err := session.Allow(f, 300, 100, "a result")
	if err != nil {
		t.Fatal(err)
	}
	aside := a.SetAside(50)
	if err := a.Spend(120); err != nil {
		t.Fatal(err)
	}
	said, _ := a.Session()
	if err := a.Last(aside); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(0); err != nil {
		t.Fatal(err)
	}
	status, err := f.Status()
	if err != nil || aside != 50 || said != status.Left || said != 830 {
		t.Errorf("%d set aside, %d said to be left, %d left, %v", aside, said, status.Left, err)
	}
}
