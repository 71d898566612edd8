package process

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kfw-dev/kfw/internal/safefile"
)

// Replace puts a file with mode 0600 in the place of what path leads to, once all of it has been written. What can't be
// replaced is written to.
func Replace(path string, write func(io.Writer) error) error {
	path = target(path)
	if file, err := opened(path); file != nil || err != nil {
		if err != nil {
			return err
		}
		return errors.Join(write(file), file.Close())
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".kfw-*")
	if err != nil {
		return err
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	if err := safefile.Rename(file.Name(), path); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// target follows the links of path to what is none, or is a file that some process has open.
func target(path string) string {
	const linksMax = 40 // as Linux has it
	for range linksMax {
		link, err := os.Readlink(path)
		if err != nil || isOpenFile(path) {
			break
		}
		if !filepath.IsAbs(link) {
			dir, _ := filepath.Split(path)
			link = dir + link // not cleaned: a .. is of where the directory leads to
		}
		path = link
	}
	return path
}

// opened opens what can't be replaced: what is no regular file, such as a pipe, and a file that some process has
// open, as that would go on with the old one. It is nil for all else.
func opened(path string) (*os.File, error) {
	if n, ours := descriptor(path); ours { // goes on where the last write to it ended
		n, err := duplicate(n)
		if err != nil {
			return nil, err
		}
		return os.NewFile(uintptr(n), path), nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode().IsRegular() && !isOpenFile(path):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
}

// isOpenFile reports whether path is a name for a file that some process has open, this one or another.
func isOpenFile(path string) bool {
	_, ours := descriptor(path)
	dir, name := filepath.Split(path)
	return ours || strings.HasPrefix(dir, "/proc/") && strings.HasSuffix(dir, "/fd/") && name != ""
}

// descriptor is the number in a name such as /dev/fd/3.
func descriptor(path string) (int, bool) {
	dir, name := filepath.Split(path)
	n, err := strconv.Atoi(name)
	return n, err == nil && (dir == "/dev/fd/" || dir == "/proc/self/fd/")
}
