//go:build unix

package driver

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// system is what is kept of a group: a process group, and whether guard.go knows of it.
//
// A driver whose standard input is a terminal stays in our group. In a group of its own it would be in the
// background, and the kernel would stop it when it reads; to make that group the foreground would take the terminal
// from whatever shares the command line with kfw, such as a pager. Then ^C reaches all of them anyhow, and signals
// from here reach the driver alone: its descendants learn from the closed pipe.
type system struct{ isGuarded bool }

func (g *group) attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: g.own}
	endWithThread(a)
	return a
}

// start starts the driver so that it does not inherit an ignored SIGPIPE: a signal that is caught is reset in the
// program that is executed, one that is ignored is not.
func (g *group) start() error {
	if signal.Ignored(syscall.SIGPIPE) {
		caught := make(chan os.Signal, 1)
		signal.Notify(caught, syscall.SIGPIPE)
		defer signal.Ignore(syscall.SIGPIPE)
	}
	var err error
	if g.isGuarded, err = startGuard(); err != nil {
		return err
	}
	if err := g.cmd.Start(); err != nil {
		if g.isGuarded {
			releaseGuard()
		}
		return err
	}
	writeGuard('+', g.number())
	return nil
}

// number is the process, or the group as kill(2) takes it.
func (g *group) number() int {
	if g.own {
		return -g.cmd.Process.Pid
	}
	return g.cmd.Process.Pid
}

// send is signal for a group that is not empty, under the lock.
func (g *group) send(sig os.Signal) error {
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
func (g *group) leaderReaped(time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reaped = true
	g.gone = !g.own || syscall.Kill(-g.cmd.Process.Pid, 0) != nil
}

// close is called once, when nothing is left of the group that is to be ended.
func (g *group) close() {
	writeGuard('-', g.number())
	if g.isGuarded {
		releaseGuard()
	}
}

func (o *output) readWithoutWaiting(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, io.EOF
	}
	conn, err := o.file.SyscallConn()
	if err != nil {
		return 0, err
	}
	var n int
	var readErr error
	err = conn.Read(func(fd uintptr) bool {
		for {
			n, readErr = syscall.Read(int(fd), b)
			if readErr != syscall.EINTR {
				return true // whatever it was, do not wait
			}
		}
	})
	switch {
	case err != nil:
		return 0, err
	case readErr == syscall.EAGAIN:
		return 0, io.EOF
	case readErr != nil:
		return 0, readErr
	case n == 0:
		return 0, io.EOF
	}
	o.left -= n
	return n, nil
}

// endedBy returns the signal that ended a program, 0 if it exited.
func endedBy(state *os.ProcessState) syscall.Signal {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal()
	}
	return 0
}
