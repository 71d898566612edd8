package driver

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// Attached is a program that shares the standard streams, the terminal and the process group of
// this process. The terminal sends its signals to both.
type Attached struct {
	name   string
	group  *group
	exited chan error
}

// StartAttached starts a program with an environment of its own. It ends when this process ends, however that is, where
// the system has a way for that.
func StartAttached(argv, environment []string) (*Attached, error) {
	if len(argv) == 0 || argv[0] == "" {
		return nil, &NotFound{Reason: "its name is empty"}
	}
	path, err := lookPath(argv[0])
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{Path: path, Args: argv, Env: environment, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	a := &Attached{name: argv[0], group: newGroup(cmd, true), exited: make(chan error, 1)}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the program ends with the thread that has started it
		defer runtime.UnlockOSThread()
		err := a.group.start()
		if started <- err; err == nil {
			err = cmd.Wait()
			a.group.leaderReaped(0)
			a.group.close()
			a.exited <- err
		}
	}()
	if err := <-started; err != nil {
		return nil, startError(argv[0], err)
	}
	return a, nil
}

// Signal sends the program a signal. One that has ended gets none.
func (a *Attached) Signal(s syscall.Signal) error {
	return a.group.signal(s)
}

// Wait waits for the end of the program. If it failed, the error is an *ExitError.
func (a *Attached) Wait() error {
	err := <-a.exited
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		return exitError(a.name, a.group.cmd.ProcessState)
	}
	return err
}
