package safefile

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// NoFollow makes Open refuse a symbolic link, and os.OpenFile open the link itself.
const NoFollow = windows.FILE_FLAG_OPEN_REPARSE_POINT

// IsOwn is true: who may write a file is in its ACL, and by itself only the user may write below the profile.
func IsOwn(fs.FileInfo) bool { return true }

// IsOpen is false: a mode says nothing about others here.
func IsOpen(fs.FileInfo, fs.FileMode) bool { return false }

// Links returns how many names a file has, 0 if that is not known.
func Links(file *os.File) int {
	var info windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(windows.Handle(file.Fd()), &info) != nil {
		return 0
	}
	return int(info.NumberOfLinks)
}

// Rename is os.Rename. While another process has the file open it can't be replaced, which is so for a moment with
// readers and virus scanners: Rename waits for them, at most patience.
func Rename(from, to string) error {
	const patience, pause = 2 * time.Second, 5 * time.Millisecond
	for begin := time.Now(); ; time.Sleep(pause) {
		err := os.Rename(from, to)
		isOpen := errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
		if !isOpen || time.Since(begin) > patience {
			return err
		}
	}
}
