package mcp

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/spool"
)

// ToClient passes the server's messages on, line by line, until its output ends, and returns the error that ended it
// unless that is io.EOF. A client that no longer listens is an error; the server is still read to its end.
func (p *Proxy) ToClient(server io.Reader) (err error) {
	read := &plainEOF{Reader: server}
	in := bufio.NewReaderSize(read, bufferSize)
	s := spool.New(p.Spool)
	defer func() { err = errors.Join(err, s.Close()) }()
	first, second := jsonx.NewEditor(true), jsonx.NewEditor(false)
	h := &held{to: s, redact: p.Redactor.Texts}
	again := bufio.NewReaderSize(nil, bufferSize)
	for number := 1; ; number++ {
		if _, err := in.Peek(1); err != nil {
			return read.err
		}
		h.reset()
		first.Reset(in, h)
		m := &message{}
		writeErr := p.line(first, second, again, in, h, m, number)
		if err := errors.Join(m.close(), s.Reset()); err != nil {
			p.Note("mcp: " + err.Error())
		}
		if writeErr != nil {
			_, err := io.Copy(io.Discard, in)
			return errors.Join(writeErr, err, read.err)
		}
	}
}

// close ends what has measured the message.
func (m *message) close() (err error) {
	for _, r := range []Result{m.result, m.alone} {
		if r != nil {
			err = errors.Join(err, r.Close())
		}
	}
	return err
}

// line passes one line on. It returns an error of the client alone.
func (p *Proxy) line(first, second *jsonx.Editor, again *bufio.Reader, in *bufio.Reader, h *held, m *message,
	number int) error {
	if isBlank, err := p.blank(in); isBlank || err != nil {
		return err
	}
	why := p.redact(first, h, m)
	if why != nil {
		if _, err := first.SkipLine(); err != nil {
			return err
		}
		return p.withhold(m, why, number)
	}
	return p.client.message(func(client io.Writer) error {
		counted := &counting{to: client}
		err := p.write(second, again, h.to, m, counted)
		if err == nil || counted.err != nil {
			return err
		}
		if err := p.client.takeBack(counted.n); err != nil {
			return err
		}
		_, writeErr := client.Write(p.refusal(m, err, number))
		return writeErr
	})
}

// blank passes on a line that is empty.
func (p *Proxy) blank(in *bufio.Reader) (bool, error) {
	b, err := in.Peek(1)
	if err == nil && b[0] == '\r' {
		b, err = in.Peek(2)
	}
	if err != nil || b[len(b)-1] != '\n' {
		return false, nil // whoever reads on finds out
	}
	err = p.client.message(func(client io.Writer) error {
		_, err := client.Write(b)
		return err
	})
	_, _ = in.Discard(len(b)) // it is there
	return true, err
}

// redact is the first pass over a line. A failure of the redaction is an error, whatever it is.
func (p *Proxy) redact(e *jsonx.Editor, h *held, m *message) (err error) {
	defer func() {
		if recover() != nil { // what it panics with may quote the message
			err = errFailed{}
		}
	}()
	r := &redactor{Proxy: p, e: e, spool: h.to, held: h, m: m, values: new(int)}
	if err := r.line(); err != nil {
		return err
	}
	_, err = e.End()
	return err
}

// errFailed stands for a panic.
type errFailed struct{}

func (errFailed) Error() string { return "kfw failed" }

// counting counts what a writer takes, and keeps its error.
type counting struct {
	to  io.Writer
	n   int64
	err error
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	c.err = errors.Join(c.err, err)
	return n, err
}

// withhold drops a line, and answers the call in its place, if it is known which.
func (p *Proxy) withhold(m *message, why error, number int) error {
	line := p.refusal(m, why, number)
	if line == nil {
		return nil
	}
	return p.client.message(func(client io.Writer) error {
		_, err := client.Write(line)
		return err
	})
}

// mostNoted is how many lines are noted that were dropped: a server may say no others.
const mostNoted = 100

func (p *Proxy) noteDropped(number int, why error) {
	switch p.noted++; {
	case p.noted <= mostNoted:
		p.Note(fmt.Sprintf("mcp: dropped line %d of the server: %v", number, why))
	case p.noted == mostNoted+1:
		p.Note("mcp: dropped more lines of the server, which are not noted")
	}
}

// refusal notes why a line is dropped, and returns the answer to the call that it answers; nil if it answers none.
func (p *Proxy) refusal(m *message, why error, number int) []byte {
	p.noteDropped(number, why)
	if m.isBatch || m.method != "" || !m.hasResult && !m.hasError {
		return nil
	}
	one := m.answers
	if one.id == nil {
		var isKnown bool
		if one, isKnown = p.calls.only(); m.id != nil { // the ID may stand behind what is broken
			one, isKnown = p.calls.take(m.id)
		}
		if !isKnown {
			return nil
		}
	}
	p.calls.take(one.id)
	const internal = "-32603" // JSON-RPC: an error that is not the client's
	line := append([]byte(`{"jsonrpc":"2.0","id":`), one.id...)
	line = append(line, `,"error":{"code":`+internal+`,"message":`...)
	line = jsonx.AppendString(line, "kfw: withheld the server's answer: "+why.Error())
	return append(line, "}}\n"...)
}
