package spool

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestSpool: what was written is read as often as needed, message after message, and nothing of it is left when the
// spool is closed.
func TestSpool(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	s := New(dir)
	for _, size := range []int{10, 3 << 20, 0, 100_000, bufferSize, bufferSize + 1} {
		var message []byte
		for i := range size {
			message = append(message, byte(i*i>>7))
		}
		if n, err := s.Write(message); n != size || err != nil || s.Size() != int64(size) {
			t.Fatalf("%d bytes: %d written, size %d, %v", size, n, s.Size(), err)
		}
		for range 2 {
			from := int64(size / 3)
			got, err := io.ReadAll(s.From(from, s.Size()))
			if err != nil || !bytes.Equal(got, message[from:]) {
				t.Fatalf("%d bytes: %d read of %d, %v", size, len(got), int64(size)-from, err)
			}
		}
		if err := s.Reset(); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}
