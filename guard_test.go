//go:build unix

package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestDriverEndsWithKfw: when kfw is killed without warning, its driver and what that has started
// end, though they write nothing and ignore what can be ignored. The driver waits a moment first: what kfw has not yet
// reported to its guard, right after it has started it, is not ended.
func TestDriverEndsWithKfw(t *testing.T) {
	dir := t.TempDir()
	lifeline := filepath.Join(dir, "lifeline")
	if err := syscall.Mkfifo(lifeline, 0o600); err != nil {
		t.Fatal(err)
	}
	p := kfw(t, dir, "stream", "--", "sh", "-c",
		`trap "" HUP TERM INT; exec 9>"$1"; (trap "" HUP TERM INT; exec sleep 3600) & sleep 1; echo $$ >&9; wait`, "sh",
		lifeline)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	held, err := os.Open(lifeline) // until the driver has it
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	line, err := bufio.NewReader(held).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(-pid, syscall.SIGKILL) // if it lives on
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait()
	if err := held.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if n, err := held.Read(make([]byte, 1)); n > 0 || err == nil || os.IsTimeout(err) {
		t.Errorf("the driver lives on: %d, %v", n, err)
	}
}
