// Package coprocess counts tokens by a program that is asked a line at a time.
//
// In comes a command line. The program runs as long as the Counter: it reads one JSON string a
// line, which is the text to be counted, and answers each with its number of tokens on a line.
// The questions are ASCII; what is not is escaped.
//
// A program that ends, that answers with anything but a whole number, or that does not answer in
// time, has failed for good: the Counter then counts budget.Failed and Err says why. No error
// quotes what was asked or answered.
package coprocess

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/driver"
)

const (
	// longestAnswer is how long a line of the program may be, in bytes, its end included.
	longestAnswer = 64
	// largestAnswer is the most tokens that an answer may be. Sums of many of them do not overflow.
	largestAnswer = math.MaxUint32
	// bytesPerToken is how many bytes of a line a Counter takes for one token at least. No known
	// tokenizer has a token that long. It bounds what is held back because it seems to cost
	// nothing.
	bytesPerToken = 256
)

// Options says how the program is run.
type Options struct {
	// Timeout is how long the program may take for an answer, and for each part of a long question.
	Timeout time.Duration
	// Grace is how long the program has to end by itself when it is no longer needed.
	Grace time.Duration
	// StderrTo is where its standard error goes, nil for nowhere, through StderrFilter.
	StderrTo     io.Writer
	StderrFilter func(io.Reader) io.Reader
}

// An Error is how a program failed to count.
type Error struct {
	Program string // the base name of argv[0]
	What    string
}

// Error implements error. It names the program, and no argument.
func (e *Error) Error() string { return "tokenizer: " + e.Program + ": " + e.What }

// A NotStarted is a program that could not be started.
type NotStarted struct{ Reason string }

// Error implements error.
func (e *NotStarted) Error() string { return "tokenizer: " + e.Reason }

// Counter asks a program. It is for one goroutine, except that Kill is for any.
type Counter struct {
	program string
	options Options
	process *driver.Process
	to      *os.File
	timer   *time.Timer // runs while the program is waited for
	late    atomic.Bool // it ran out
	err     error
	line    []byte // to be written
	answer  [longestAnswer]byte
}

// Start runs argv[0] with the arguments that follow it, without a shell. The error is a
// *NotStarted. After a nil error the caller must call Close.
func Start(argv []string, o Options) (*Counter, error) {
	from, to, err := os.Pipe()
	if err != nil {
		return nil, &NotStarted{errors.Unwrap(err).Error()}
	}
	process, err := driver.Start(argv, driver.Options{Stdin: from, Stderr: driver.Pass, StderrTo: o.StderrTo,
		StderrFilter: o.StderrFilter, Grace: o.Grace})
	_ = from.Close() // the program has its own
	if err != nil {
		_ = to.Close()
		return nil, &NotStarted{err.Error()}
	}
	c := &Counter{program: filepath.Base(argv[0]), options: o, process: process, to: to}
	c.timer = time.AfterFunc(o.Timeout, c.expire)
	c.timer.Stop()
	return c, nil
}

// expire ends a program that did not answer in time, and what waits for it.
func (c *Counter) expire() {
	c.late.Store(true)
	c.Kill()
	_ = c.to.SetWriteDeadline(time.Now()) // a pipe that was closed in the meantime needs none
}

// Kill ends the program at once, without waiting for it. Close is still needed.
func (c *Counter) Kill() { _ = c.process.Stop(syscall.SIGKILL) } // Close reports what cannot be killed

// Err implements what budget.Err asks for. The error is an *Error.
func (c *Counter) Err() error { return c.err }

// Count asks the program for the tokens of line. It takes a line for at least a token for every 256
// bytes, whatever the program says.
func (c *Counter) Count(line []byte) int {
	if !utf8.Valid(line) {
		var r budget.Repairer
		line = r.Flush(r.Append(nil, line))
	}
	c.line = appendString(c.line[:0], line)
	return max(c.ask(), leastOf(len(line)))
}

// Bounds implements budget.Counter: of a program nothing is known.
func (c *Counter) Bounds(bytes int) (least, most int) {
	if bytes == 0 {
		return 0, 0
	}
	return leastOf(bytes), budget.Unbounded
}

func leastOf(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// ask writes what is left of a question, which ends it, and returns the answer.
func (c *Counter) ask() int {
	if !c.write() {
		return budget.Failed
	}
	return c.read()
}

// write passes c.line on, a question or a part of one.
func (c *Counter) write() bool {
	if c.err != nil {
		return false
	}
	c.timer.Reset(c.options.Timeout)
	_, err := c.to.Write(c.line)
	c.timer.Stop()
	if err != nil {
		c.fail(c.whyEnded())
	}
	return c.err == nil
}

// read waits for an answer, which must be one line and nothing else.
func (c *Counter) read() int {
	c.timer.Reset(c.options.Timeout)
	defer c.timer.Stop()
	n := 0
	for n < len(c.answer) {
		more, err := c.process.Read(c.answer[n:])
		n += more
		if end := bytes.IndexByte(c.answer[:n], '\n'); end >= 0 {
			return c.understand(c.answer[:end], end+1 == n)
		}
		if err != nil {
			c.fail(c.whyEnded())
			return budget.Failed
		}
	}
	c.fail("its answer is not a whole number")
	return budget.Failed
}

func (c *Counter) understand(answer []byte, alone bool) int {
	if c.late.Load() {
		c.fail(c.tooLate())
		return budget.Failed
	}
	if !alone {
		c.fail("it answered with more than one line")
		return budget.Failed
	}
	answer = bytes.Trim(answer, " \t\r")
	tokens, err := strconv.ParseUint(string(answer), 10, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		c.fail("its answer is not a whole number")
		return budget.Failed
	case err != nil || tokens > largestAnswer:
		c.fail("its answer is too large a number")
		return budget.Failed
	}
	return int(tokens)
}

// whyEnded says why nothing can be read from the program, or written to it, any more.
func (c *Counter) whyEnded() string {
	if c.late.Load() {
		return c.tooLate()
	}
	var killed atomic.Bool
	patience := time.AfterFunc(c.options.Grace, func() {
		killed.Store(true)
		c.Kill()
	})
	defer patience.Stop()
	for {
		_, err := c.process.Read(c.answer[:]) // what it still says is of no use; its end says more
		if err == nil {
			continue
		}
		const ended = "it ended before it had answered"
		exited, failed := errors.AsType[*driver.ExitError](err)
		switch {
		case killed.Load():
			return "it does not read what it is asked"
		case failed && exited.Signal != 0:
			return ended + ": ended by a signal: " + exited.Signal.String()
		case failed:
			return ended + ": exit status " + strconv.Itoa(exited.Status)
		}
		return ended
	}
}

func (c *Counter) tooLate() string { return fmt.Sprintf("no answer in %v", c.options.Timeout) }

// fail remembers the first failure, and ends the program: what it says too late is no answer.
func (c *Counter) fail(what string) {
	if c.err == nil {
		c.err = &Error{c.program, what}
		c.Kill()
	}
}

// Close ends the program and waits for it: at once if it has failed, or else when it has seen the
// end of its input, at most Grace later.
func (c *Counter) Close() error {
	c.timer.Stop()
	err := c.to.Close()
	if c.err == nil {
		patience := time.AfterFunc(c.options.Grace, c.Kill)
		defer patience.Stop()
		for {
			if _, err := c.process.Read(c.answer[:]); err != nil {
				break // how it ends does not matter any more
			}
		}
	}
	if closed := c.process.Close(); closed != nil {
		err = errors.Join(err, &Error{c.program, withoutName(closed)})
	}
	return err
}

// withoutName is an error of the driver without the name of the program, which an Error has.
func withoutName(err error) string {
	text := err.Error()
	if _, what, found := strings.Cut(text, ": "); found {
		return what
	}
	return text
}

// Tally returns a tally of a text that comes in parts. The program gets it as one string, and what
// it answers is the count. Only one tally, or the Counter itself, can be in use at a time.
func (c *Counter) Tally() budget.Tally { return &tally{counter: c} }

type tally struct {
	counter  *Counter
	repairer budget.Repairer
	begun    bool
	text     []byte
}

const tallyPart = 16 << 10 // bytes that are escaped at a time

func (t *tally) Write(part []byte) (int, error) {
	for rest := part; len(rest) > 0; {
		n := min(len(rest), tallyPart)
		t.text = t.repairer.Append(t.text[:0], rest[:n])
		t.send()
		rest = rest[n:]
	}
	return len(part), t.Err()
}

// send passes t.text on.
func (t *tally) send() {
	c := t.counter
	c.line = c.line[:0]
	if !t.begun {
		c.line = append(c.line, '"')
		t.begun = true
	}
	c.line = appendEscaped(c.line, t.text)
	c.write() // which remembers why it failed
}

func (t *tally) Tokens() int {
	t.text = t.repairer.Flush(t.text[:0])
	t.send()
	t.counter.line = append(t.counter.line[:0], "\"\n"...)
	return t.counter.ask()
}

func (t *tally) Err() error { return t.counter.err }
