package driver

import (
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// system is a job object. It contains the driver and everything that the driver starts. The system
// kills all of them when the only handle of the job is closed, which happens when this process
// ends.
//
// A driver that shares our console, and does not read from it, gets a process group of its own, so
// that ^Break reaches it alone. A driver that reads from the console stays in our group and gets
// the keys.
type system struct{ job windows.Handle }

func (g *group) attributes() *syscall.SysProcAttr {
	flags := uint32(windows.CREATE_SUSPENDED)
	if g.own {
		flags |= windows.CREATE_NEW_PROCESS_GROUP
	}
	return &syscall.SysProcAttr{CreationFlags: flags}
}

// start starts the driver suspended, so that it is in the job before it can start anything.
func (g *group) start() (err error) {
	if g.job, err = newJob(); err != nil {
		return fmt.Errorf("making a job object: %w", err)
	}
	if err := g.cmd.Start(); err != nil {
		g.close()
		return err
	}
	failed := g.cmd.Process.WithHandle(func(process uintptr) {
		if err = windows.AssignProcessToJobObject(g.job, windows.Handle(process)); err == nil {
			err = resume(windows.Handle(process))
		}
	})
	if failed != nil {
		err = failed
	}
	if err != nil {
		_ = g.cmd.Process.Kill() // or the job ends it
		_ = g.cmd.Wait()
		g.close()
		return fmt.Errorf("putting it into a job object: %w", err)
	}
	return nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
		LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}}
	if _, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		_ = windows.CloseHandle(job) // it is empty
		return 0, err
	}
	return job, nil
}

var ntResumeProcess = windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")

// resume lets a process that was created suspended run. os/exec has closed the handle of its thread, which ResumeThread
// would need.
func resume(process windows.Handle) error {
	if err := ntResumeProcess.Find(); err != nil {
		return err
	}
	if status, _, _ := ntResumeProcess.Call(uintptr(process)); status != 0 {
		return windows.NTStatus(status)
	}
	return nil
}

// send is signal for a group that is not empty, under the lock.
func (g *group) send(sig os.Signal) error {
	switch {
	case sig == syscall.SIGKILL:
	case !g.own:
		return nil // it is ours as well, or nothing has sent it
	case !g.reaped && windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(g.cmd.Process.Pid)) == nil:
		return nil
	}
	return windows.TerminateJobObject(g.job, signalStatus+uint32(syscall.SIGKILL))
}

// leaderReaped is called when the driver has been waited for. A pipe has no deadline here: what still has it open ends
// with the grace.
func (g *group) leaderReaped(grace time.Duration) {
	g.mu.Lock()
	g.reaped = true
	g.mu.Unlock()
	g.killAfter(grace)
}

// close gives the job back. What is in it ends.
func (g *group) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.killer != nil {
		g.killer.Stop()
	}
	if !g.gone {
		g.gone = true
		_ = windows.CloseHandle(g.job) // nothing else has it
	}
}

// endedBy returns the signal that ended a program, 0 if it exited. ^C and ^Break have a status of their own.
func endedBy(state *os.ProcessState) syscall.Signal {
	if uint32(state.ExitCode()) == uint32(windows.STATUS_CONTROL_C_EXIT) {
		return syscall.SIGINT
	}
	return 0
}

// readWithoutWaiting is for what is left past a deadline, which no pipe has.
func (*output) readWithoutWaiting([]byte) (int, error) { return 0, io.EOF }

// GuardBy does nothing: job objects are the guard.
func GuardBy(string, []string) {}

// Guard does nothing: there are no guards.
func Guard(io.Reader) {}
