package process

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kfw-dev/kfw/internal/safefile"
)

// Input is what a file is read through.
type Input interface {
	io.Reader
	Close()
}

// Rewrite puts what write makes of the file that path leads to in its place, with the same mode and owner, and
// reports whether that differs. If it does not, or something fails, the file stays as it was: no program ever sees half
// of it. write copies from in to the writer that it is given. in is closed
// before the file is replaced, which Windows does with none that is open.
func Rewrite(path string, in Input, write func(to io.Writer, from io.Reader) error) (changed bool, err error) {
	path = target(path)
	before, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	if !before.Mode().IsRegular() {
		return false, errors.New("is no regular file")
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".kfw-*")
	if err != nil {
		return false, err
	}
	was, is := sha256.New(), sha256.New()
	err = write(io.MultiWriter(file, is), io.TeeReader(in, was))
	changed = err == nil && string(was.Sum(nil)) != string(is.Sum(nil))
	if changed {
		err = errors.Join(alike(file, before), file.Sync(), unchanged(path, before))
	}
	in.Close()
	if err = errors.Join(err, file.Close()); err == nil && changed {
		err = safefile.Rename(file.Name(), path)
	}
	if err != nil || !changed {
		return false, errors.Join(err, os.Remove(file.Name()))
	}
	return true, nil
}

// alike gives file the mode of another, and its owner, where this process may.
func alike(file *os.File, info fs.FileInfo) error {
	keepOwner(file, info)
	return file.Chmod(info.Mode().Perm())
}

// unchanged returns an error if the file was written to since info.
func unchanged(path string, info fs.FileInfo) error {
	now, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !os.SameFile(now, info), now.Size() != info.Size(), !now.ModTime().Equal(info.ModTime()):
		return errors.New("was written to meanwhile, and is left as it is")
	}
	return nil
}
