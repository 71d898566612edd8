package settings

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// ForShells returns a path as every shell reads it in a command line without quotes: with forward slashes, since Git Bash
// takes a backslash for an escape, and by its short name if it has a blank or the like, since PowerShell takes a quoted
// path for a text. Where the file system has no short names a blank stays.
func ForShells(path string) string {
	if strings.ContainsAny(path, " \t'`&();,$%^!=+[]{}@#") {
		path = short(path)
	}
	return filepath.ToSlash(path)
}

// short returns a path by the short names of all of it that is there.
func short(path string) string {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return path
	}
	buffer := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetShortPathName(name, &buffer[0], uint32(len(buffer)))
	if err == nil && n > 0 && int(n) < len(buffer) {
		return windows.UTF16ToString(buffer[:n])
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(short(dir), filepath.Base(path))
	}
	return path
}
