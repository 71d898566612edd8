//go:build unix

package safefile

import (
	"io/fs"
	"os"
	"syscall"
)

// NoFollow makes Open and os.OpenFile refuse a symbolic link.
const NoFollow = syscall.O_NOFOLLOW

// IsOwn reports whether a file belongs to the user of this process.
func IsOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// IsOpen reports whether the mode of a file allows any of these.
func IsOpen(info fs.FileInfo, to fs.FileMode) bool { return info.Mode()&to != 0 }

// Links returns how many names a file has, 0 if that is not known.
func Links(file *os.File) int {
	if info, err := file.Stat(); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			return int(stat.Nlink)
		}
	}
	return 0
}

// Rename is os.Rename.
func Rename(from, to string) error { return os.Rename(from, to) }
