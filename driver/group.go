package driver

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// group is the processes that a signal reaches: the driver and its descendants, as far as the system can tell them from
// others.
type group struct {
	cmd *exec.Cmd
	own bool // they are apart from this process
	system

	mu     sync.Mutex
	reaped bool // the driver has been waited for
	gone   bool // no process is left: the number may soon be another's
	killer *time.Timer
}

// newGroup returns the group that cmd is to be started in. A driver whose standard input is a terminal stays in ours.
func newGroup(cmd *exec.Cmd, terminal bool) *group {
	g := &group{cmd: cmd, own: !terminal}
	g.cmd.SysProcAttr = g.attributes()
	return g
}

// signal sends sig to all of the group. An empty group is no error.
func (g *group) signal(sig os.Signal) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.gone {
		return nil
	}
	return g.send(sig)
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
