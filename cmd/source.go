package cmd

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
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/redact"
)

// grace is how long a driver has between SIGTERM and SIGKILL, and what it started may keep its pipe open after its end.
const grace = 2 * time.Second

// source is a response on its way in: standard input, or a driver. A pause in it is a Read of nothing.
type source struct {
	options driver.Options
	argv    []string
	stdin   *os.File
	out     io.Writer
	stderr  *os.File
	pause   time.Duration
	kill    func() // ends what else runs for kfw, as kfw is about to end
	// request, if not nil, is what the driver reads in place of kfw's standard input, made when the budget is known.
	request func(pipeline.Budget) ([]byte, error)

	driver *driver.Process
	ahead  *pipeline.Ahead
	signal atomic.Int32 // that ended it
	unread atomic.Bool  // nobody reads the output any more
	caught chan os.Signal
	bytes  int64
	failed bool // the driver has
}

// source is where the response is to come from; nothing is started yet.
func (o *streamOptions) source(s streams, argv []string) (*source, error) {
	stderrRules, err := rulesOf(o.redaction.groups) // messages are no records: there are no fields to choose
	if err != nil {
		return nil, err
	}
	return &source{argv: argv, stdin: s.in, out: s.out, stderr: s.err, pause: pause(o.flushAfter),
		kill: o.counting.kill, options: driver.Options{
			Stdin:        s.in,
			Stderr:       o.stderr,
			StderrTo:     s.err,
			StderrFilter: func(in io.Reader) io.Reader { return redact.NewReader(in, stderrRules, redact.Lines) },
			Grace:        grace,
		}}, nil
}

// open starts the driver, if there is one. A driver that can't be started is a response that failed at once.
func (s *source) open(granted pipeline.Budget) {
	var in io.Reader = s.stdin
	if len(s.argv) > 0 {
		if err := s.start(granted); err != nil {
			in = failing{err}
		} else {
			in = s.driver
		}
	}
	s.catch()
	if out, ok := s.out.(*output); ok {
		out.watchReader(func() { s.unread.Store(true) })
	}
	s.ahead = pipeline.ReadAhead(in, s.pause)
}

func (s *source) start(granted pipeline.Budget) error {
	if s.request != nil {
		line, err := s.request(granted)
		if err != nil {
			return err
		}
		s.options.Stdin = bytes.NewReader(line)
	}
	process, err := driver.Start(s.argv, s.options)
	if err != nil {
		return err
	}
	s.driver = process
	return nil
}

// catch makes a signal that is to end kfw the end of the response: it is passed on to the driver, what that has written
// still comes out, and the final frame says so. The second one ends kfw at once, and the driver.
func (s *source) catch() {
	s.caught = make(chan os.Signal, 1)
	catchEndings(s.caught)
	go func() {
		for caught := range s.caught {
			number := caught.(syscall.Signal)
			second := s.signal.Swap(int32(number)) != 0
			if second {
				number = syscall.SIGKILL
			}
			if s.driver != nil {
				if err := s.driver.Stop(number); err != nil {
					fmt.Fprintf(s.stderr, "kfw: %s\n", message(err))
				}
			}
			if second {
				s.kill()
				os.Exit(exitSignal + int(caught.(syscall.Signal)))
			}
		}
	}()
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.ahead.Read(p)
	s.bytes += int64(n)
	if err != nil {
		s.failed = err != io.EOF
	}
	if caught := s.signal.Load(); caught != 0 && (err != nil || s.driver == nil) {
		err = &interrupted{syscall.Signal(caught)}
	}
	if s.unread.Load() {
		err = errReaderGone()
	}
	return n, err
}

// Close ends the driver, and says what it said last if it failed and that was asked for.
func (s *source) Close() error {
	s.ahead.Close()
	signal.Stop(s.caught)
	close(s.caught)
	if s.driver == nil {
		return nil
	}
	err := s.driver.Close()
	if s.failed {
		for _, line := range s.driver.Tail() {
			fmt.Fprintln(s.stderr, line)
		}
	}
	return err
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
