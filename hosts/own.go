package hosts

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/kfw-dev/kfw/internal/safefile"
)

var errNotOwn = errors.New("not a file of this user with one link")

// openOwn opens a file whose path somebody else may have chosen. It must be a regular file of this user with one link,
// and not a symbolic link; opening it waits for nothing.
func openOwn(path string) (*os.File, fs.FileInfo, error) {
	file, err := safefile.Open(path, safefile.NoFollow)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && (!safefile.IsOwn(info) || safefile.Links(file) != 1) {
		err = errNotOwn
	}
	if err != nil {
		_ = file.Close() // nothing was written
		return nil, nil, err
	}
	return file, info, nil
}

// lastLines returns the lines at the end of a file that openOwn opens, without the line that the cut leaves a part of.
// most is how much of the file is read, in bytes.
func lastLines(path string, most int64) ([][]byte, error) {
	file, info, err := openOwn(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // nothing was written
	from := max(0, info.Size()-most)
	end, err := io.ReadAll(io.NewSectionReader(file, from, most))
	if err != nil {
		return nil, err
	}
	lines := bytes.Split(end, []byte{'\n'})
	if from > 0 {
		lines = lines[1:]
	}
	return lines, nil
}
