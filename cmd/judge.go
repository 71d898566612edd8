package cmd

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/driver"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/turn"
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

// judge is a program that is asked, a line of JSON for each call, what becomes of it. It is started when it is first
// needed. One that did not answer as it should is ended, so that what it says too late is no answer to what is asked
// next; another one is started then.
type judge struct {
	argv    []string
	timeout time.Duration
	stderr  *os.File
	rules   *redact.Rules   // for its standard error
	ending  <-chan struct{} // closed when kfw is to end, and waits for no answer

	process *driver.Process
	to      *os.File
	lines   chan []byte
}

// judgement is what a judge answered.
type judgement struct {
	action          turn.Action
	why, text, name string
}

// ask returns the answer to a question about the block of that number.
func (j *judge) ask(block int, question []byte) (judgement, error) {
	if err := j.start(); err != nil {
		return judgement{}, errNoJudge
	}
	said, err := j.exchange(block, question)
	if err != nil {
		j.end() // what is wrong with it is told already
	}
	return said, err
}

// question is what a judge is asked about a complete call.
func question(e *turn.Event) []byte {
	asked := struct {
		Block     int             `json:"k"`
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"args"`
		Valid     bool            `json:"valid"`
	}{e.Block, e.ID, e.Name, json.RawMessage(e.Arguments), e.Valid}
	if !e.Valid {
		asked.Arguments = asJSON(e.Arguments)
	}
	return asJSON(asked)
}

// invalidQuestion is what a judge is asked about a call of a tool that is not allowed.
func invalidQuestion(e *turn.Event, allowed []string) []byte {
	return asJSON(struct {
		Block   int      `json:"k"`
		ID      string   `json:"id"`
		Name    string   `json:"name"`
		Invalid bool     `json:"invalid"`
		Allowed []string `json:"allowed"`
	}{e.Block, e.ID, e.Name, true, allowed})
}

// asJSON is a value of which it is known that it has a form in JSON.
func asJSON(value any) []byte {
	line, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return line
}

func (j *judge) start() error {
	if j.process != nil {
		return nil
	}
	from, to, err := os.Pipe()
	if err != nil {
		return err
	}
	process, err := driver.Start(j.argv, driver.Options{Stdin: from, Stderr: driver.Pass, StderrTo: j.stderr,
		StderrFilter: func(in io.Reader) io.Reader { return redact.NewReader(in, j.rules, redact.Lines) }, Grace: grace})
	_ = from.Close() // the judge has it
	if err != nil {
		_ = to.Close()
		return err
	}
	j.process, j.to, j.lines = process, to, make(chan []byte, 1)
	go readLines(process, j.lines)
	return nil
}

// readLines sends each line of in, and closes lines at its end, or at a line that is too long.
func readLines(in io.Reader, lines chan<- []byte) {
	defer close(lines)
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, answerMax)
	for scanner.Scan() {
		lines <- append([]byte(nil), scanner.Bytes()...)
	}
}

func (j *judge) exchange(block int, question []byte) (judgement, error) {
	timer := time.NewTimer(j.timeout)
	defer timer.Stop()
	select {
	case <-j.lines:
		return judgement{}, errNoAnswer // it spoke before it was asked
	default:
	}
	if err := j.to.SetWriteDeadline(time.Now().Add(j.timeout)); err != nil {
		return judgement{}, errNoJudge
	}
	if _, err := j.to.Write(append(question, '\n')); err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return judgement{}, errTimeout
		}
		return judgement{}, errNoJudge
	}
	select {
	case line, ok := <-j.lines:
		if !ok || !gjson.ValidBytes(line) {
			return judgement{}, errNoAnswer
		}
		answer := gjson.ParseBytes(line)
		if about := answer.Get("k"); about.Exists() && about.Int() != int64(block) {
			return judgement{}, errNoAnswer
		}
		return understood(answer)
	case <-timer.C:
		return judgement{}, errTimeout
	case <-j.ending:
		return judgement{}, errEnding
	}
}

func understood(answer gjson.Result) (judgement, error) {
	said := judgement{action: turn.Action(answer.Get("act").String()), why: answer.Get("why").String(),
		text: answer.Get("text").String(), name: answer.Get("name").String()}
	switch said.action {
	case turn.Allow, turn.Block, turn.Replace, turn.Fail, turn.Repair, turn.Skip, turn.Retry:
		return said, nil
	}
	return judgement{}, errNoAnswer
}

// Close ends the judge: it has a moment to do so by itself, as nothing more is asked.
func (j *judge) Close() error {
	if j.process == nil {
		return nil
	}
	err := j.to.Close()
	patience := time.NewTimer(grace)
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
func (j *judge) end() {
	_ = j.to.Close()
	_ = j.kill()
}

func (j *judge) kill() error {
	err := j.process.Close()
	for range j.lines { // what reads them ends with the process
	}
	j.process = nil
	return err
}
