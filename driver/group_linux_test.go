package driver

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// A driver whose standard input is a terminal stays in our process group: in one of its own it would be stopped as
// soon as it reads. Any other has one of its own.
func TestTerminalStaysInForeground(t *testing.T) {
	terminal := openTerminal(t)
	for _, test := range []struct {
		name  string
		stdin *os.File
		ours  bool
	}{
		{"terminal", terminal, true},
		{"none", nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var o Options
			if test.stdin != nil {
				o.Stdin = test.stdin
			}
			p := startShell(t, o, "cat /proc/self/stat")
			stat, err := readAll(p)
			if stat == "" {
				t.Fatal(err)
			}
			fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:]) // state, parent, group, ...
			group, err := strconv.Atoi(fields[2])
			if err != nil {
				t.Fatal(err)
			}
			if ours := group == syscall.Getpgrp(); ours != test.ours {
				t.Errorf("in our group: %v, want %v", ours, test.ours)
			}
		})
	}
}

func TestCloseWithTerminal(t *testing.T) {
	p := startShell(t, Options{Stdin: openTerminal(t)}, "echo ready; while :; do sleep 0.01; done")
	if n, err := p.Read(make([]byte, 100)); err != nil || n != len("ready\n") {
		t.Fatalf("got %d bytes, %v", n, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := p.Stop(syscall.SIGTERM); err != nil {
		t.Errorf("Stop after the end: %v", err)
	}
}

// openTerminal returns one end of a pseudo terminal; see pty(7).
func openTerminal(t *testing.T) *os.File {
	t.Helper()
	manager, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { manager.Close() })
	control := func(request uintptr, argument *int32) {
		t.Helper()
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, manager.Fd(), request,
			uintptr(unsafe.Pointer(argument))); errno != 0 {
			t.Fatal(errno)
		}
	}
	var unlock, number int32
	control(syscall.TIOCSPTLCK, &unlock)
	control(syscall.TIOCGPTN, &number)
	terminal, err := os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { terminal.Close() })
	return terminal
}
