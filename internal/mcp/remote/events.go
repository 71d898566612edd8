package remote

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"time"
)

// stream is one stream of server-sent events (WHATWG HTML, 9.2), as far as it was read.
type stream struct {
	lastID     string        // of the last event that was whole
	retry      time.Duration // how long to wait before it is asked for again
	isAnswered bool          // an event was the answer to a request
	isCut      bool          // an event was begun and not finished
	events     int
}

const (
	defaultRetry = time.Second
	mostRetry    = 30 * time.Second
)

// read passes on the events of a stream until its end. w is used for one line after another.
func (t *stream) read(body io.Reader, w *lineWriter) error {
	in := bufio.NewReaderSize(&feeds{in: body}, bufferSize)
	var id []byte
	hasID, hasData := false, false
	for {
		line, err := in.ReadSlice('\n')
		isLong := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !isLong {
			t.isCut = w.begun
			w.end()
			if err == io.EOF {
				return nil
			}
			return err
		}
		field, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch text := bytes.TrimRight(line, "\r\n"); {
		case len(text) == 0 && !isLong: // the event ends
			if hasID {
				t.lastID = string(id)
			}
			isAnswer := w.end()
			t.isAnswered = t.isAnswered || isAnswer
			t.events++
			hasID, hasData = false, false
			continue
		case string(field) == "data":
			if hasData {
				value = append([]byte{'\n'}, value...)
			}
			hasData = true
			for {
				if _, err := w.Write(bytes.TrimRight(value, "\r\n")); err != nil {
					return err
				}
				if !isLong {
					break
				}
				value, err = in.ReadSlice('\n')
				if isLong = errors.Is(err, bufio.ErrBufferFull); err != nil && !isLong {
					break // the next read says so
				}
			}
			continue
		case string(field) == "id" && !isLong && len(value) < maxWord:
			id, hasID = append(id[:0], bytes.TrimRight(value, "\r\n")...), true
		case string(field) == "retry" && !isLong:
			if ms, err := strconv.Atoi(string(bytes.TrimRight(value, "\r\n"))); err == nil && ms >= 0 {
				t.retry = min(time.Duration(ms)*time.Millisecond, mostRetry)
			}
		}
		for isLong { // a field that is not known
			_, err = in.ReadSlice('\n')
			isLong = errors.Is(err, bufio.ErrBufferFull)
		}
	}
}

// feeds reads a stream whose lines end in a line feed, whatever ends them there: CR, LF, or both. A
// byte order mark at its begin is left out.
type feeds struct {
	in      io.Reader
	read    int64
	afterCR bool
}

// Read implements io.Reader.
func (f *feeds) Read(p []byte) (int, error) {
	n, err := f.in.Read(p)
	kept := p[:0]
	for _, c := range p[:n] {
		isMark := f.read < int64(len(mark)) && c == mark[f.read]
		f.read++
		switch {
		case isMark, c == '\n' && f.afterCR:
		case c == '\r':
			kept = append(kept, '\n')
		default:
			kept = append(kept, c)
		}
		f.afterCR = c == '\r'
	}
	return len(kept), err
}

// mark is a byte order mark.
const mark = "\xef\xbb\xbf"

// passEvents passes on events that answer a message. Before 2026-07-28 a stream that breaks before the answer is
// asked for again, from the last event on.
func (s *Server) passEvents(ctx context.Context, m *message, body io.Reader) {
	w := s.lineOf(m)
	t := &stream{retry: defaultRetry}
	err := t.read(body, w)
	for tries := 0; !t.isAnswered && !t.isCut && t.lastID != "" && !m.isModern() && tries < 5 &&
		s.sleep(ctx, t.retry); tries++ {
		again, askErr := s.get(ctx, t.lastID)
		if err = askErr; err != nil {
			break
		}
		before := t.events
		err = t.read(again, w)
		again.Close()
		if t.events > before {
			tries = -1
		}
	}
	switch {
	case ctx.Err() != nil, t.isAnswered, t.isCut, !m.isRequest():
	case err != nil:
		s.fail(m, "ends its answer early: "+reason(err))
	default:
		s.fail(m, "ends its answer early")
	}
}

// sleep waits, and reports whether that was not given up.
func (s *Server) sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
