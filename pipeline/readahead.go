package pipeline

import (
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/kfw-dev/kfw/pipeline/split"
)

// ReadAhead returns a reader of in whose Read returns (0, nil) when nothing came for the time given, so that what is
// due can be written while in blocks. It reads one block ahead in a goroutine of its own, which ends with in, or with
// the first block that is not taken after Close.
func ReadAhead(in io.Reader, every time.Duration) *Ahead {
	a := &Ahead{
		every: every,
		timer: time.NewTimer(every),
		full:  make(chan block, 1),
		free:  make(chan []byte, 2),
		done:  make(chan struct{}),
	}
	a.free <- make([]byte, split.BlockSize)
	a.free <- make([]byte, split.BlockSize)
	go a.fill(in)
	return a
}

// Ahead is the reader that ReadAhead returns.
type Ahead struct {
	every time.Duration
	timer *time.Timer
	full  chan block
	free  chan []byte
	done  chan struct{}
	once  sync.Once

	now  block  // what is being handed out
	rest []byte // of now
}

type block struct {
	data []byte
	err  error // after data
}

func (a *Ahead) fill(in io.Reader) {
	for {
		var buf []byte
		select {
		case buf = <-a.free:
		case <-a.done:
			return
		}
		n, err := in.Read(buf[:split.BlockSize])
		select {
		case a.full <- block{buf[:n], err}:
		case <-a.done:
			return
		}
		if err != nil {
			return
		}
	}
}

// Read implements io.Reader. It returns (0, nil) if nothing came in the time given to ReadAhead,
// and the error of what is read only after all bytes before it, then at each call.
func (a *Ahead) Read(p []byte) (int, error) {
	if len(a.rest) == 0 {
		if a.now.err != nil {
			return 0, a.now.err
		}
		if a.now.data != nil {
			a.free <- a.now.data
			a.now.data = nil
		}
		// Who yields is not preempted, and preemption reads tables of the binary that would then stay in memory.
		runtime.Gosched()
		a.timer.Reset(a.every)
		select {
		case a.now = <-a.full:
			a.rest = a.now.data
		case <-a.timer.C:
			return 0, nil
		}
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close lets the goroutine end. It does not close what is read.
func (a *Ahead) Close() error {
	a.once.Do(func() { close(a.done) })
	return nil
}
