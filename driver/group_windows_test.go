package driver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// isProgram is set in the environment of the test that is started as a program: it does what its value says.
const isProgram = "KFW_TEST_PROGRAM"

func TestMain(m *testing.M) {
	name, rest, _ := strings.Cut(os.Getenv(isProgram), " ")
	switch name {
	case "":
		os.Exit(m.Run())
	case "say": // a line and an exit status
		fmt.Println("said")
		status, _ := strconv.ParseUint(rest, 10, 32)
		os.Exit(int(status))
	case "echo":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "leave": // a descendant that keeps the output open
		os.Setenv(isProgram, "sleep")
		c := exec.Command(os.Args[0])
		c.Stdout = os.Stdout
		if c.Start() != nil {
			os.Exit(1)
		}
		fmt.Println("started", c.Process.Pid)
	case "sleep":
		time.Sleep(10 * time.Minute)
	case "start": // a driver that starts a descendant, until somebody kills this process
		os.Setenv(isProgram, "leave")
		p, err := Start([]string{os.Args[0]}, Options{Grace: time.Hour})
		if err != nil {
			os.Exit(1)
		}
		_, _ = io.Copy(os.Stdout, p)
	}
}

// started starts the test as a program.
func started(t *testing.T, does string, o Options) *Process {
	t.Helper()
	t.Setenv(isProgram, does)
	p, err := Start([]string{os.Args[0]}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() }) // once more
	return p
}

// TestJob: a driver is read to its end, and what it exited with is an exit status of kfw's.
func TestJob(t *testing.T) {
	for status, want := range map[uint32]int{0: 0, 3: 3, 256: 255, 0xC0000005: 255} {
		p := started(t, "say "+strconv.Itoa(int(status)), Options{})
		out, err := io.ReadAll(p)
		failed, _ := errors.AsType[*ExitError](err)
		if string(out) != "said\n" || (want == 0) != (err == nil) || want != 0 && failed.Status != want {
			t.Errorf("%d: %q, %v", status, out, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	text := strings.Repeat("line\r\n", 100_000)
	p := started(t, "echo", Options{Stdin: strings.NewReader(text)})
	if out, err := io.ReadAll(p); err != nil || string(out) != text {
		t.Errorf("%d bytes, %v", len(out), err)
	}
}

// TestJobEnds: Close and a timeout end a driver, and what it started has Grace.
func TestJobEnds(t *testing.T) {
	p := started(t, "sleep", Options{Timeout: 100 * time.Millisecond, Grace: 100 * time.Millisecond})
	if _, err := io.ReadAll(p); err == nil || !strings.Contains(err.Error(), "took longer") {
		t.Error(err)
	}
	p = started(t, "sleep", Options{})
	time.AfterFunc(100*time.Millisecond, func() { _ = p.Close() })
	if _, err := io.ReadAll(p); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
	p = started(t, "leave", Options{Grace: 100 * time.Millisecond})
	out, err := io.ReadAll(p)
	if err != nil {
		t.Error(err)
	}
	waitForEnd(t, pidOf(t, out))
}

// TestJobOfKilled: a driver and what it started end with a process that is killed.
func TestJobOfKilled(t *testing.T) {
	t.Setenv(isProgram, "start")
	starter := exec.Command(os.Args[0])
	out, err := starter.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := starter.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err := errors.Join(err, starter.Process.Kill()); err != nil {
		t.Fatal(err)
	}
	_ = starter.Wait() // it was killed
	waitForEnd(t, pidOf(t, line))
}

// TestNotFound: what can't be run has an error of its own.
func TestNotFound(t *testing.T) {
	_, err := Start([]string{"kfw-no-such-program"}, Options{})
	if _, isIt := errors.AsType[*NotFound](err); !isIt {
		t.Error(err)
	}
}

func pidOf(t *testing.T, said []byte) uint32 {
	t.Helper()
	var pid uint32
	if _, err := fmt.Sscanf(string(bytes.TrimSpace(said)), "started %d", &pid); err != nil {
		t.Fatalf("%q: %v", said, err)
	}
	return pid
}

func waitForEnd(t *testing.T, pid uint32) {
	t.Helper()
	process, err := windows.OpenProcess(windows.SYNCHRONIZE, false, pid)
	if err != nil {
		return // it has ended
	}
	defer windows.CloseHandle(process)
	if waited, err := windows.WaitForSingleObject(process, 10_000); waited != windows.WAIT_OBJECT_0 {
		t.Errorf("process %d goes on: %v", pid, err)
	}
}
