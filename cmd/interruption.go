package cmd

import (
	"io"
	"os"
	"os/signal"
	"syscall"
)

// catchEndings sends the signals that end kfw to caught, except ignored ones, as under nohup.
func catchEndings(caught chan<- os.Signal) {
	for _, ending := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
		syscall.SIGALRM, syscall.SIGUSR1, syscall.SIGUSR2} {
		if !signal.Ignored(ending) {
			signal.Notify(caught, ending)
		}
	}
}

// interruption is a signal that is to end kfw in good order, once it has come. The second one ends kfw at once.
type interruption struct {
	caught chan os.Signal
	came   chan struct{} // closed when it has
	signal syscall.Signal
}

func catchInterruption() *interruption {
	i := &interruption{caught: make(chan os.Signal, 1), came: make(chan struct{})}
	catchEndings(i.caught)
	go func() {
		for caught := range i.caught {
			number := caught.(syscall.Signal)
			if i.signal != 0 {
				os.Exit(exitSignal + int(number))
			}
			i.signal = number
			close(i.came)
		}
	}()
	return i
}

// read reads from in. If the signal comes first, what is read then is lost, and buf is not to be used again.
func (i *interruption) read(in io.Reader, buf []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := in.Read(buf)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return r.n, r.err
	case <-i.came:
		return 0, &interrupted{i.signal}
	}
}

// Close leaves the signals to do what they did before.
func (i *interruption) Close() error {
	signal.Stop(i.caught)
	close(i.caught)
	return nil
}

const exitSignal = 128 // and the number of the signal

// interrupted is a run that a signal ended.
type interrupted struct{ signal syscall.Signal }

func (e *interrupted) Error() string { return "interrupted" }
