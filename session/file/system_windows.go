package file

import (
	"os"
	"strconv"

	"golang.org/x/sys/windows"
)

// writable returns what keeps this process from making files in a directory. Only making one shows it: an ACL has more
// than a mode.
func writable(dir string) error {
	file, err := os.CreateTemp(dir, ".kfw-*")
	if err != nil {
		return err
	}
	_ = file.Close() // nothing was written
	return os.Remove(file.Name())
}

// outOfFiles is false: nothing limits the files of a process.
func outOfFiles() bool { return false }

// machine is not known here: every process is taken to be of this one.
func machine() string { return "" }

// startOf returns when a process started, in units of 100 ns, or "" when that cannot be read. One that has ended is
// there as long as another has it open.
func startOf(pid int) (start string, ended bool) {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false,
		uint32(pid))
	if err != nil {
		return "", err == windows.ERROR_INVALID_PARAMETER // there is no such process
	}
	defer windows.CloseHandle(process) // nothing was written
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &created, &exited, &kernel, &user) == nil {
		start = strconv.FormatUint(uint64(created.HighDateTime)<<32|uint64(created.LowDateTime), 10)
	}
	waited, err := windows.WaitForSingleObject(process, 0)
	return start, err == nil && waited == windows.WAIT_OBJECT_0
}

func (p process) life() life {
	start, ended := startOf(p.pid)
	if ended || start != "" && p.start != "" && start != p.start {
		return dead
	}
	return alive
}
