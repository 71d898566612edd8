//go:build unix

package driver

import (
	"io"
	"os"
	"testing"
	"time"
)

// Past its deadline a pipe is read no further than it can have been full, though somebody goes on filling it.
func TestOutputEndsWhileWritten(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	o := newOutput(r)
	defer o.Close()
	o.endBy(time.Now())
	buffer := make([]byte, 4096)
	for read := 0; ; {
		if _, err := w.Write(buffer); err != nil {
			t.Fatal(err)
		}
		n, err := o.Read(buffer)
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if read += n; read > largestPipe {
			t.Fatalf("read %d bytes, more than a pipe holds", read)
		}
	}
}
