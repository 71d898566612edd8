package driver

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestEndsBeforeGuard: a driver of which no guard knows, as in the moment after its start, ends with a process that is
// killed. The test starts itself as that process.
func TestEndsBeforeGuard(t *testing.T) {
	const isStarter = "KFW_TEST_STARTER"
	if os.Getenv(isStarter) != "" {
		p, err := Start([]string{"sleep", "600"}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("started", p.cmd.Process.Pid)
		select {}
	}
	starter := exec.Command(os.Args[0], "-test.run=^TestEndsBeforeGuard$")
	starter.Env = append(os.Environ(), isStarter+"=1")
	out, err := starter.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := starter.Start(); err != nil {
		t.Fatal(err)
	}
	pid := 0
	for lines := bufio.NewScanner(out); pid == 0 && lines.Scan(); {
		if number, isIt := strings.CutPrefix(lines.Text(), "started "); isIt {
			pid, err = strconv.Atoi(number)
		}
	}
	if err := errors.Join(err, starter.Process.Kill()); err != nil || pid == 0 {
		t.Fatal(pid, err)
	}
	_ = starter.Wait() // it was killed
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(deadline) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatal("the driver goes on")
		}
	}
}
