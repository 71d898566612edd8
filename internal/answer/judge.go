package answer

import (
	"bufio"
	"errors"
	"io"
	"os"
	"time"

	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/redact"
)

// answerMax is how long an answer of a judge may be, in bytes.
const answerMax = 1 << 20

// Why a judge was not understood.
var (
	errNoAnswer = errors.New("the judge gave no answer that can be understood")
	errTimeout  = errors.New("the judge gave no answer in time")
	errNoJudge  = errors.New("the judge could not be asked")
	errEnding   = errors.New("kfw was interrupted")
)

// Judge is a program that is asked, a line of JSON for each call, what becomes of it. It is started when it is first
// needed. One that did not answer as it should is ended, so that what it says too late is no answer to what is asked
// next; another one is started then.
type Judge struct {
	Argv    []string
	Timeout time.Duration
	Stderr  *os.File
	Rules   *redact.Rules   // for its standard error
	Ending  <-chan struct{} // closed when kfw is to end, and waits for no answer

	process *driver.Process
	to      *os.File
	lines   chan judgeLine
}

// Ask returns the line that answers a question.
func (j *Judge) Ask(question []byte) ([]byte, error) {
	if err := j.Start(); err != nil {
		return nil, errNoJudge
	}
	said, err := j.exchange(question)
	if err != nil {
		j.end() // what is wrong with it is told already
	}
	return said, err
}

// Start starts the program, unless it runs.
func (j *Judge) Start() error {
	if j.process != nil {
		return nil
	}
	from, to, err := os.Pipe()
	if err != nil {
		return err
	}
	process, err := driver.Start(j.Argv, driver.Options{Stdin: from, Stderr: driver.Pass, StderrTo: j.Stderr,
		StderrFilter: func(in io.Reader) io.Reader { return redact.NewReader(in, j.Rules, redact.Lines) },
		Grace:        process.Grace})
	_ = from.Close() // the judge has it
	if err != nil {
		_ = to.Close()
		return err
	}
	j.process, j.to, j.lines = process, to, make(chan judgeLine, 1)
	go readLines(process, j.lines)
	return nil
}

// judgeLine is a line that a judge wrote.
type judgeLine struct {
	text []byte
	more bool // something came with it, though only one answer was asked for
}

// readLines sends each line of in, and closes lines at its end, or at a line that is too long.
func readLines(in io.Reader, lines chan<- judgeLine) {
	defer close(lines)
	from := bufio.NewReaderSize(in, answerMax)
	for {
		line, err := from.ReadSlice('\n')
		if len(line) > 0 && (err == nil || err == io.EOF) {
			lines <- judgeLine{append([]byte(nil), line...), from.Buffered() > 0}
		}
		if err != nil {
			return
		}
	}
}

// exchange asks a question. What the judge writes besides one line is no answer to anything.
func (j *Judge) exchange(question []byte) ([]byte, error) {
	timer := time.NewTimer(j.Timeout)
	defer timer.Stop()
	select {
	case <-j.lines:
		return nil, errNoAnswer // it spoke before it was asked
	default:
	}
	if err := j.write(append(question, '\n')); err != nil {
		return nil, err
	}
	select {
	case line, ok := <-j.lines:
		if !ok || line.more || line.text[len(line.text)-1] != '\n' {
			return nil, errNoAnswer
		}
		return line.text, j.isSilent()
	case <-timer.C:
		return nil, errTimeout
	case <-j.Ending:
		return nil, errEnding
	}
}

// isSilent waits whether the judge says more than its answer.
func (j *Judge) isSilent() error {
	const moment = 10 * time.Millisecond
	select {
	case _, more := <-j.lines:
		if more {
			return errNoAnswer
		}
		return nil // it has ended, which the next question shows
	case <-time.After(moment):
		return nil
	}
}

// write writes a question, unless the judge does not read it in time, or kfw is to end.
func (j *Judge) write(question []byte) error {
	if err := j.to.SetWriteDeadline(time.Now().Add(j.Timeout)); err != nil {
		return errNoJudge
	}
	written, interrupted := make(chan struct{}), make(chan error, 1)
	go func() {
		select {
		case <-j.Ending:
			interrupted <- errors.Join(errEnding, j.to.SetWriteDeadline(time.Now()))
		case <-written:
			interrupted <- nil
		}
	}()
	_, err := j.to.Write(question)
	close(written)
	switch ended := <-interrupted; {
	case err == nil:
		return nil
	case ended != nil:
		return errEnding
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errTimeout
	}
	return errNoJudge
}

// Close ends the judge: it has a moment to do so by itself, as nothing more is asked.
func (j *Judge) Close() error {
	if j.process == nil {
		return nil
	}
	err := j.to.Close()
	patience := time.NewTimer(process.Grace)
	defer patience.Stop()
	for open := true; open; {
		select {
		case _, open = <-j.lines:
		case <-patience.C:
			open = false
		}
	}
	return errors.Join(err, j.kill())
}

// end ends a judge at once that did not answer as it should.
func (j *Judge) end() {
	_ = j.to.Close()
	_ = j.kill()
}

func (j *Judge) kill() error {
	err := j.process.Close()
	for range j.lines { // what reads them ends with the process
	}
	j.process = nil
	return err
}
