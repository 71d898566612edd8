//go:build unix

package file

import "syscall"

// writable returns what keeps this process from making files in a directory.
func writable(dir string) error {
	const write, search = 2, 1
	return syscall.Access(dir, write|search)
}

// outOfFiles reports whether SQLite may have had no more files to open: it has no code for that, and has closed some by
// the time that it says so.
func outOfFiles() bool {
	const least = 16 // of the process, SQLite and a driver
	var limit syscall.Rlimit
	return syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil && limit.Cur < least
}
