package file

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// machine names the running kernel and the set of pids this process sees: its boot id and its pid namespace. Both are
// empty where /proc does not say.
func machine() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		boot = nil
	}
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		namespace = ""
	}
	return string(bytes.TrimSpace(boot)) + " " + namespace
}

// startOf returns when a process started, in clock ticks since boot (proc(5), field 22 of /proc/PID/stat), or "" when
// that cannot be read. A process that has ended and waits for its parent is reported as ended.
func startOf(pid int) (start string, ended bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", false
	}
	// The second field is the name of the program, in parentheses, and may hold anything: count from its end.
	end := bytes.LastIndexByte(stat, ')')
	fields := bytes.Fields(stat[end+1:])
	const state, starttime = 0, 19 // fields 3 and 22, of those from the third on
	if len(fields) <= starttime {
		return "", false
	}
	return string(fields[starttime]), bytes.ContainsAny(fields[state], "ZX")
}

func (p process) life() life {
	boot, namespace, _ := strings.Cut(p.machine, " ")
	hereBoot, hereNamespace, _ := strings.Cut(machine(), " ")
	switch {
	case boot == "" || hereBoot == "":
		return unknown
	case boot != hereBoot:
		return dead // the machine was started again since; two machines cannot share a file in this journal mode
	case namespace != hereNamespace:
		return unknown // its pid means something else here
	}
	if err := syscall.Kill(p.pid, 0); errors.Is(err, syscall.ESRCH) {
		return dead
	}
	start, ended := startOf(p.pid)
	if ended || start != "" && p.start != "" && start != p.start {
		return dead
	}
	return alive
}
