package process

import (
	"fmt"
	"os"
	"syscall"
)

// ReserveFiles takes the files that the Go runtime needs to wait for others. It can't go on without them, and would find
// out with a crash when it first waits. An error says that fewer may be open.
func ReserveFiles() error {
	const least = 4 // of the runtime, of the file that makes it take them, and one to work with
	var taken []int
	var err error
	for range least {
		var n int
		if n, err = syscall.Dup(2); err != nil {
			break
		}
		taken = append(taken, n)
	}
	for _, n := range taken {
		_ = syscall.Close(n) // it is a copy
	}
	if err == syscall.EMFILE || err == syscall.ENFILE {
		return fmt.Errorf("starting: %w", err)
	}
	if file, err := os.Open(os.DevNull); err == nil { // else whoever opens a file finds out
		_ = file.Close() // nothing was written
	}
	return nil
}
