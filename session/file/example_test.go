package file_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	s := file.At(filepath.Join(dir, "agent.kfw"), session.Settings{Total: 10_000})
	defer s.Close()
	grant, err := s.Allocate(4000, 0, "git log")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := grant.Spend(1200); err != nil { // on the ledger before it is written
		fmt.Println(err)
	}
	if err := grant.Close(9000); err != nil { // what the whole response would have cost
		fmt.Println(err)
	}
	status, err := s.Status()
	fmt.Println(status.Left, status.Saved, err)
	// Output: 8800 7800 <nil>
}
