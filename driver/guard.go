//go:build unix

package driver

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
)

// A driver in a process group of its own lives on when this process is killed by a signal that
// cannot be caught. A guard is a program that outlives this process by a moment: it reads from a
// pipe which groups there are, and when the pipe ends, which the kernel sees to, it kills those
// that are left. PDEATHSIG of Linux ends the driver alone and not what it has started: it is for the moment before the
// guard knows of the driver.

// guard is the guard of this process.
var guard struct {
	mu   sync.Mutex
	path string   // of its program; empty for no guard
	argv []string // of which the first is its name
	cmd  *exec.Cmd
	to   *os.File // nil if it is not running
	left int      // drivers that it guards
}

// GuardBy names the program that guards the drivers started from then on, by its path, and its
// arguments, of which the first is its name. It is started with the first driver, in a process
// group of its own, and is to call Guard.
func GuardBy(path string, argv []string) {
	guard.mu.Lock()
	defer guard.mu.Unlock()
	guard.path, guard.argv = path, argv
}

// Guard reads from in which processes there are, until it ends, and kills those that are left with
// SIGKILL.
func Guard(in io.Reader) {
	left := map[int]bool{}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		line := lines.Text()
		if len(line) < 2 {
			continue
		}
		if pid, err := strconv.Atoi(line[1:]); err == nil && pid != 0 && pid != 1 && pid != -1 {
			left[pid] = line[0] == '+'
		}
	}
	for pid, isLeft := range left {
		if isLeft {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended by itself
		}
	}
}

// startGuard starts the guard for one more driver, unless it is running or there is to be none. It
// reports whether the driver is guarded: releaseGuard follows then, once.
func startGuard() (isGuarded bool, err error) {
	guard.mu.Lock()
	defer guard.mu.Unlock()
	if guard.path == "" {
		return false, nil
	}
	if guard.to == nil {
		from, to, err := os.Pipe()
		if err != nil {
			return false, err
		}
		guard.cmd = &exec.Cmd{Path: guard.path, Args: guard.argv, Stdin: from,
			SysProcAttr: &syscall.SysProcAttr{Setpgid: true}}
		err = guard.cmd.Start()
		_ = from.Close() // the guard has its own
		if err != nil {
			_ = to.Close() // nothing was written
			return false, fmt.Errorf("starting what ends drivers if this process is killed: %w", withoutPath(err))
		}
		guard.to = to
	}
	guard.left++
	return true, nil
}

// writeGuard reports a process to the guard, or a group if the number is negative: sign is '+' when
// it is there, '-' when it is gone. A guard that was killed reads nothing.
func writeGuard(sign byte, pid int) {
	guard.mu.Lock()
	defer guard.mu.Unlock()
	if guard.to != nil {
		_, _ = guard.to.Write(append(strconv.AppendInt([]byte{sign}, int64(pid), 10), '\n'))
	}
}

// releaseGuard ends the guard if no other driver needs it, so that nothing of this process outlives
// it in good order. It is killed, as it may not have begun to read yet.
func releaseGuard() {
	guard.mu.Lock()
	defer guard.mu.Unlock()
	if guard.left--; guard.left > 0 {
		return
	}
	_ = guard.cmd.Process.Kill() // somebody else may have killed it
	_ = guard.cmd.Wait()
	_ = guard.to.Close() // the guard has ended: nothing can be lost
	guard.cmd, guard.to = nil, nil
}
