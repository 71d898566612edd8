//go:build unix

package driver

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// group is the processes that a signal reaches: the driver and its descendants, in a process group of their own.
//
// A driver whose standard input is a terminal stays in our group. In a group of its own it would be in the
// background, and the kernel would stop it when it reads; to make that group the foreground would take the terminal
// from whatever shares the command line with kfw, such as a pager. Then ^C reaches all of them anyhow, and signals
// from here reach the driver alone: its descendants learn from the closed pipe.
type group struct {
	cmd *exec.Cmd
	own bool

	mu     sync.Mutex
	reaped bool // the driver has been waited for
	gone   bool // no process is left: the number may soon be another's
	killer *time.Timer
}

func newGroup(cmd *exec.Cmd, terminal bool) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: !terminal}
	return &group{cmd: cmd, own: !terminal}
}

// number is the process, or the group as kill(2) takes it.
func (g *group) number() int {
	if g.own {
		return -g.cmd.Process.Pid
	}
	return g.cmd.Process.Pid
}

// signal sends sig to all of the group. An empty group is no error.
func (g *group) signal(sig os.Signal) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.gone {
		return nil
	}
	if !g.own {
		err := g.cmd.Process.Signal(sig)
		if errors.Is(err, os.ErrProcessDone) {
			return nil
		}
		return err
	}
	number, ok := sig.(syscall.Signal)
	if !ok {
		return errors.New("not a signal of this system")
	}
	err := syscall.Kill(-g.cmd.Process.Pid, number)
	if err == syscall.ESRCH || err == syscall.EPERM && g.reaped { // macOS says EPERM of a group of zombies
		g.gone = g.reaped
		return nil
	}
	return err
}

// leaderReaped is called when the driver has been waited for. From then on its number stays taken only while the
// group has members.
func (g *group) leaderReaped() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reaped = true
	g.gone = !g.own || syscall.Kill(-g.cmd.Process.Pid, 0) != nil
}

// killAfter kills the group after d, unless it is called off.
func (g *group) killAfter(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.killer == nil && !g.gone {
		g.killer = time.AfterFunc(d, func() {
			// Who cannot be killed now is reported by Close, which tries again.
			_ = g.signal(syscall.SIGKILL)
		})
	}
}

func (g *group) cancelKill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.killer != nil {
		g.killer.Stop()
	}
}
