//go:build unix

package driver

import (
	"errors"
	"os"
	"testing"
	"time"
)

// Close may come between any two steps of a Read, and is told from a failure after each.
func TestReadAfterClose(t *testing.T) {
	for name, prepare := range map[string]func(*output){
		"before the deadline": func(*output) {},
		"at the deadline":     func(o *output) { o.endBy(time.Now()) },
		"past the deadline":   func(o *output) { o.pastDeadline = true },
	} {
		t.Run(name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			o := newOutput(r)
			prepare(o)
			if err := o.Close(); err != nil {
				t.Fatal(err)
			}
			if n, err := o.Read(make([]byte, 10)); n != 0 || !errors.Is(err, os.ErrClosed) {
				t.Errorf("got %d, %v", n, err)
			}
		})
	}
}
