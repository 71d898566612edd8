package process

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
)

// Grace is how long a driver has between SIGTERM and SIGKILL, and what it started may keep its pipe open after its end.
const Grace = 2 * time.Second

// Source is a response on its way in: standard input, or a driver. A pause in it is a Read of nothing.
type Source struct {
	Options driver.Options
	Argv    []string // of the driver; empty for standard input
	Stdin   *os.File
	Out     io.Writer     // whose reader ends the response when it goes
	Stderr  *os.File      // for the last lines of a driver that failed
	Pause   time.Duration // how long the input is silent before a Read of nothing
	Kill    func()        // ends what else runs for kfw, as kfw is about to end
	// Request, if not nil, is what the driver reads in place of kfw's standard input, made when the budget is known.
	Request func(pipeline.Budget) ([]byte, error)
	Bytes   int64 // that have been read

	driver *driver.Process
	ahead  *pipeline.Ahead
	signal atomic.Int32 // that ended it
	unread atomic.Bool  // the reader of the output has gone
	late   atomic.Bool  // standard input took longer than Options.Timeout
	timer  *time.Timer  // of late; nil without a timeout
	caught chan os.Signal
	failed bool // the driver has
}

// Open starts the driver, if there is one. A driver that can't be started is a response that failed at once.
func (s *Source) Open(granted pipeline.Budget) {
	var in io.Reader = s.Stdin
	if len(s.Argv) > 0 {
		if err := s.start(granted); err != nil {
			in = failing{err}
		} else {
			in = s.driver
		}
	} else if s.Options.Timeout > 0 {
		s.timer = time.AfterFunc(s.Options.Timeout, func() { s.late.Store(true) })
	}
	s.catch()
	if out, ok := s.Out.(*Output); ok {
		out.WatchReader(func() { s.unread.Store(true) })
	}
	s.ahead = pipeline.ReadAhead(in, s.Pause)
}

func (s *Source) start(granted pipeline.Budget) error {
	if s.Request != nil {
		line, err := s.Request(granted)
		if err != nil {
			return err
		}
		s.Options.Stdin = bytes.NewReader(line)
	}
	process, err := driver.Start(s.Argv, s.Options)
	if err != nil {
		return err
	}
	s.driver = process
	return nil
}

// catch makes a signal that is to end kfw the end of the response: it is passed on to the driver, what that has written
// still comes out, and the final frame says so. The second one ends kfw at once, and the driver.
func (s *Source) catch() {
	s.caught = make(chan os.Signal, 1)
	CatchEndings(s.caught)
	go func() {
		for caught := range s.caught {
			number := caught.(syscall.Signal)
			second := s.signal.Swap(int32(number)) != 0
			if second {
				number = syscall.SIGKILL
			}
			if s.driver != nil {
				if err := s.driver.Stop(number); err != nil {
					fmt.Fprintf(s.Stderr, "kfw: %s\n", terminal.Message(err))
				}
			}
			if second {
				s.Kill()
				os.Exit(ExitSignal + int(caught.(syscall.Signal)))
			}
		}
	}()
}

// Read implements io.Reader. If nothing comes for Pause, it returns (0, nil). After a signal the
// error is an *Interrupted: at once without a driver, otherwise once the driver has written its
// last byte. If the reader of Out has gone, the error is a *pipeline.WriteError.
func (s *Source) Read(p []byte) (int, error) {
	n, err := s.ahead.Read(p)
	s.Bytes += int64(n)
	if err != nil {
		s.failed = err != io.EOF
	}
	if caught := s.signal.Load(); caught != 0 && (err != nil || s.driver == nil) {
		err = &Interrupted{syscall.Signal(caught)}
	}
	if err == nil && s.late.Load() {
		err = &driver.Timeout{Name: "standard input", Limit: s.Options.Timeout}
	}
	if s.unread.Load() {
		err = errReaderGone()
	}
	return n, err
}

// Close ends the driver, and says what it said last if it failed and that was asked for.
func (s *Source) Close() error {
	s.ahead.Close()
	if s.timer != nil {
		s.timer.Stop()
	}
	signal.Stop(s.caught)
	close(s.caught)
	if s.driver == nil {
		return nil
	}
	err := s.driver.Close()
	if s.failed {
		for _, line := range s.driver.Tail() {
			fmt.Fprintln(s.Stderr, line)
		}
	}
	return err
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
