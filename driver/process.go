// Package driver is a program as a reader.
//
// [Start] runs the program, without a shell; [Process.Read] gives its standard output as it comes. The end of the
// output is io.EOF only if the program succeeded; a program that failed ends in an [*ExitError], so a short answer
// cannot pass for a whole one.
//
//   - process.go: starting, reading, and the end.
//   - group.go: the driver and its descendants, and the signals to them: a process group on Unix (group_unix.go), a job
//     object on Windows (group_windows.go).
//   - guard.go: what ends the group if this process is killed, where the system has no way for that.
//   - output.go: one pipe from the program, and how long it is read after the program has ended.
//   - stderr.go: where the program's standard error goes.
//   - tail.go: the last lines of a stream.
//   - errors.go: how a program fails to start or to succeed.
//
// Windows has no signals: there each one but SIGKILL is ^Break for a driver that shares our console, and the end for
// one that does not.
package driver

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"
)

// StderrMode is where a driver's standard error goes.
type StderrMode uint8

const (
	Pass  StderrMode = iota // to Options.StderrTo, as it comes
	Merge                   // into the same pipe as standard output, so that the kernel keeps their order
	Tail                    // nowhere; its last lines are Process.Tail
)

// Options says how a driver is run. The zero value gives it an empty standard input, drops its standard error and has
// no patience.
type Options struct {
	// Stdin is the driver's standard input: an *os.File is handed over as it is, any other reader is copied into a
	// pipe.
	Stdin io.Reader

	Stderr StderrMode
	// StderrTo is where Pass copies to, nil for nowhere.
	StderrTo io.Writer
	// StderrFilter, if not nil, stands between the driver's standard error and StderrTo or Tail. Redaction belongs
	// here and not behind: a line that Tail has shortened, or whose first half it has dropped, is one that no rule
	// can judge.
	StderrFilter func(io.Reader) io.Reader

	// Grace is how long descendants of the driver may keep its pipes open after it has ended, and how long Stop and
	// Close wait for a signal to work.
	Grace time.Duration

	// Timeout is how long the driver may run until it is stopped with SIGTERM, 0 for as long as it likes. What it has
	// written can be read; then comes a *Timeout, whatever it exited with.
	Timeout time.Duration
}

// Process is a driver that has been started. Read is for one goroutine; the other methods are for any.
type Process struct {
	name  string // argv[0], the only argument that is ever shown
	cmd   *exec.Cmd
	group *group
	grace time.Duration

	timeout time.Duration
	timer   *time.Timer // nil without a timeout

	stdout *output
	stderr *stderr
	ended  error // what Read ends with, once it has

	exited  chan struct{} // closed when the driver has been reaped
	waitErr error         // set before exited is closed

	mu       sync.Mutex
	stdinErr error // from Options.Stdin
	closed   bool
	killed   bool // by Close, before it ended by itself
	reaped   bool // it has ended
	expired  bool // it took longer than it may
	closeErr error
	finished chan struct{} // closed when Close has done its work
}

// Start runs argv[0] with the arguments that follow it. A name without a slash is looked for in PATH; one that is
// found only in the current directory is refused. The errors are *NotFound, *NotExecutable, or what kept kfw from
// starting any program. After a nil error the caller must call Close.
//
// The driver gets the environment and the working directory of this process, and SIGPIPE in its default state even
// where this process ignores it.
func Start(argv []string, o Options) (*Process, error) {
	if len(argv) == 0 || argv[0] == "" {
		return nil, &NotFound{Reason: "its name is empty"}
	}
	path, err := lookPath(argv[0])
	if err != nil {
		return nil, err
	}
	p := &Process{
		name:     argv[0],
		cmd:      &exec.Cmd{Path: path, Args: argv},
		grace:    max(o.Grace, 0),
		timeout:  o.Timeout,
		exited:   make(chan struct{}),
		finished: make(chan struct{}),
	}
	if err := p.start(o); err != nil {
		return nil, startError(argv[0], err)
	}
	return p, nil
}

func (p *Process) start(o Options) (err error) {
	var opened []*os.File
	defer func() {
		if err != nil {
			closeAll(opened)
		}
	}()
	pipe := func() (r, w *os.File, err error) {
		r, w, err = os.Pipe()
		if err == nil {
			opened = append(opened, r, w)
		}
		return r, w, err
	}

	outRead, outWrite, err := pipe()
	if err != nil {
		return err
	}
	p.cmd.Stdout = outWrite
	p.stdout = newOutput(outRead)

	var errWrite *os.File
	if o.Stderr == Merge {
		p.cmd.Stderr = outWrite
	} else {
		var errRead *os.File
		if errRead, errWrite, err = pipe(); err != nil {
			return err
		}
		p.cmd.Stderr = errWrite
		p.stderr = newStderr(newOutput(errRead), o)
	}

	var inRead, inWrite *os.File
	terminal := false
	switch in := o.Stdin.(type) {
	case nil:
	case *os.File:
		p.cmd.Stdin = in
		terminal = term.IsTerminal(int(in.Fd()))
	default:
		if inRead, inWrite, err = pipe(); err != nil {
			return err
		}
		p.cmd.Stdin = inRead
	}

	p.group = newGroup(p.cmd, terminal)
	if err := p.launch(); err != nil {
		return err
	}

	closeAll([]*os.File{outWrite, errWrite, inRead}) // the driver has its own
	if inWrite != nil {
		go p.feed(inWrite, o.Stdin)
	}
	if p.timeout > 0 {
		p.timer = time.AfterFunc(p.timeout, p.expire)
	}
	if p.stderr != nil {
		go p.stderr.copy()
	}
	go p.wait()
	return nil
}

// launch starts the driver on a thread that lives as long as it does: see endWithThread.
func (p *Process) launch() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.group.start()
		if started <- err; err == nil {
			<-p.exited
		}
	}()
	return <-started
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// feed copies in to the driver. A driver that does not read all of it is none of our business; an in that fails is,
// because the driver cannot tell it from the end.
func (p *Process) feed(to *os.File, in io.Reader) {
	source := &failingReader{Reader: in}
	_, err := io.Copy(to, source)
	if source.err != nil && err != nil {
		p.mu.Lock()
		p.stdinErr = source.err
		p.mu.Unlock()
	}
	to.Close()
}

// failingReader remembers that the error was the reader's.
type failingReader struct {
	io.Reader
	err error
}

func (r *failingReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// expire stops a driver that takes too long.
func (p *Process) expire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped || p.closed {
		return
	}
	p.expired = true
	// Who cannot be signalled now is killed after Grace, or reported by Close.
	_ = p.Stop(syscall.SIGTERM)
}

// wait reaps the driver and gives the pipes the time that is left to them.
func (p *Process) wait() {
	err := p.cmd.Wait()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		p.waitErr = fmt.Errorf("%s: waiting for its end: %w", p.name, err)
	}
	p.group.leaderReaped(p.grace)
	p.mu.Lock()
	p.reaped = true
	p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
	deadline := time.Now().Add(p.grace)
	p.stdout.endBy(deadline)
	if p.stderr != nil {
		p.stderr.from.endBy(deadline)
	}
	close(p.exited)
}

// Read reads the driver's standard output. It returns what there is without waiting for more.
//
// The output ends when every process that has it open has closed it, or Grace after the driver has ended; what was
// written by then is read. Read then waits for the end of the driver and of its standard error, and returns io.EOF if
// the driver exited with 0, an *ExitError if not, a *Timeout if it had to be stopped, and the error of Options.Stdin
// if it could not be read to its end. After Close it returns an error that is fs.ErrClosed.
func (p *Process) Read(b []byte) (int, error) {
	if p.ended != nil {
		return 0, p.ended
	}
	if len(b) == 0 {
		return 0, nil
	}
	n, err := p.stdout.Read(b)
	if err == nil {
		return n, nil
	}
	p.ended = p.end(err)
	return n, p.ended
}

func (p *Process) end(err error) error {
	if err == io.EOF {
		<-p.exited
		if p.stderr != nil {
			<-p.stderr.done
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return fmt.Errorf("%s: %w", p.name, fs.ErrClosed)
	}
	if err != io.EOF {
		return fmt.Errorf("%s: reading its output: %w", p.name, withoutPath(err))
	}
	if p.waitErr != nil {
		return p.waitErr
	}
	if p.expired {
		return &Timeout{Name: p.name, Limit: p.timeout}
	}
	if failure := exitError(p.name, p.cmd.ProcessState); failure != nil {
		return failure
	}
	if p.stdinErr != nil {
		return fmt.Errorf("%s: reading its input: %w", p.name, p.stdinErr)
	}
	return io.EOF
}

// ExitCode returns the Status of an ExitError for a driver that has failed, and 0 for one that has succeeded, is still
// running, or did not end by itself before Close. It is for a caller who wants to know more than what Read has told.
func (p *Process) ExitCode() int {
	select {
	case <-p.exited:
	default:
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed || p.waitErr != nil {
		return 0
	}
	if failure := exitError(p.name, p.cmd.ProcessState); failure != nil {
		return failure.Status
	}
	return 0
}

// Tail returns the last lines, at most 20, that the driver wrote to its standard error, without their line ends; nil
// in other modes than Tail. A line longer than 1024 bytes is cut and ends in "...". It is complete when Read has
// ended.
func (p *Process) Tail() []string {
	if p.stderr == nil || p.stderr.tail == nil {
		return nil
	}
	return p.stderr.tail.lines()
}

// Signal sends sig to the driver's process group, and does nothing more. After the end it does nothing.
func (p *Process) Signal(sig os.Signal) error {
	if err := p.group.signal(sig); err != nil {
		return fmt.Errorf("%s: sending it a signal: %w", p.name, err)
	}
	return nil
}

// Stop sends sig to the driver's process group and, if anything of it is left after Grace, SIGKILL. It does not wait;
// what the driver still writes can be read. After the end it does nothing.
func (p *Process) Stop(sig os.Signal) error {
	if err := p.group.signal(sig); err != nil {
		return fmt.Errorf("%s: stopping it: %w", p.name, err)
	}
	p.group.killAfter(p.grace)
	return nil
}

// Close kills what is left of the driver's process group, reaps the driver and closes its output; a Read that waits
// returns. It may be called more than once. The error is the first that kept standard error from being passed on, or
// tells that the driver did not die within Grace and one second.
func (p *Process) Close() error {
	p.mu.Lock()
	first := !p.closed
	p.closed = true
	if first {
		select {
		case <-p.exited:
		default:
			p.killed = true
		}
	}
	p.mu.Unlock()
	if first {
		p.closeErr = p.close()
		p.group.close()
		close(p.finished)
	}
	<-p.finished
	return p.closeErr
}

func (p *Process) close() error {
	killErr := p.group.signal(syscall.SIGKILL)
	p.group.cancelKill()
	p.stdout.Close()
	patience := time.NewTimer(p.grace + time.Second)
	defer patience.Stop()
	select {
	case <-p.exited:
	case <-patience.C:
		if p.stderr != nil {
			p.stderr.from.Close()
		}
		return errors.Join(fmt.Errorf("%s: cannot be killed", p.name), killErr)
	}
	if p.stderr == nil {
		return nil
	}
	p.stderr.from.Close()
	select {
	case <-p.stderr.done:
	case <-patience.C:
		return fmt.Errorf("%s: passing its standard error on: not done in time", p.name)
	}
	if p.stderr.err != nil {
		return fmt.Errorf("%s: passing its standard error on: %w", p.name, p.stderr.err)
	}
	return nil
}
