package session

import (
	"path/filepath"
	"testing"
)

// TestAllowanceSetAside: what is set aside for later is not left of the session, before and after
// it is spent.
func TestAllowanceSetAside(t *testing.T) {
	file := At(filepath.Join(t.TempDir(), "s.kfw"), Settings{Total: 1000})
	defer file.Close()
	a, err := file.Allow(300, 100, "a result")
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
	status, err := file.Status()
	if err != nil || aside != 50 || said != status.Left || said != 830 {
		t.Errorf("%d set aside, %d said to be left, %d left, %v", aside, said, status.Left, err)
	}
}
