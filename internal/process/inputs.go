package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/terminal"
)

// StandardInput is what it is called in place of a file.
const StandardInput = "-"

// ErrStopped is what a read returns once Inputs.Stop is closed.
var ErrStopped = errors.New("stopped")

// binaryHead is how much of a file tells whether it is binary, in bytes, as git has it.
const binaryHead = 8000

// Inputs are files that are read one after the other.
type Inputs struct {
	Stdin *os.File
	Out   fs.FileInfo // of the output, nil if it is no regular file
	Meter *terminal.Meter
	Stop  <-chan struct{} // when it is closed, Read returns ErrStopped; nil for never
	Err   error           // of the current file, with its name

	total int64 // bytes of all of them; 0 if that is not known
	read  int64
	name  string
	file  *os.File
}

// Measure adds up how much there is to read, if all that is known. It does so only where it will be shown.
func (in *Inputs) Measure(files []string) {
	if !in.Meter.Shows() {
		return
	}
	for name := range Walked(files) {
		info, err := in.Stdin.Stat()
		if name != StandardInput {
			info, err = os.Stat(name)
		}
		if err != nil || !info.Mode().IsRegular() {
			in.total = 0
			return
		}
		in.total += info.Size()
	}
}

// IsDirectory reports whether a name is that of a directory, or of a link to one.
func IsDirectory(name string) bool {
	info, err := os.Stat(name)
	return name != StandardInput && err == nil && info.IsDir()
}

// Walked yields files as they are named, and in place of a directory the regular files in it and
// below, by name. It follows no links there, and leaves out directories that are called .git. An
// error comes with the name that it is about.
func Walked(names []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range names {
			if !IsDirectory(name) {
				if !yield(name, nil) {
					return
				}
				continue
			}
			goesOn := true
			visit := func(path string, entry fs.DirEntry, err error) error {
				switch {
				case err != nil:
					err = fmt.Errorf("%s: %w", path, fault.WithoutPath(err))
				case entry.IsDir() && entry.Name() == ".git" && path != name:
					return fs.SkipDir
				case !entry.Type().IsRegular():
					return nil
				}
				if goesOn = yield(path, err); !goesOn {
					return fs.SkipAll
				}
				return nil
			}
			if filepath.WalkDir(withSlash(name), visit) != nil || !goesOn {
				return
			}
		}
	}
}

// withSlash makes a link that was named lead to its directory.
func withSlash(name string) string {
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return name + string(filepath.Separator)
	}
	return name
}

// Open goes on to the file of this name, or to standard input.
func (in *Inputs) Open(name string) (err error) {
	in.name, in.file, in.Err = name, in.Stdin, nil
	if name == StandardInput {
		in.name = "standard input"
	} else if in.file, err = os.Open(name); err != nil {
		return in.named(err)
	}
	if info, err := in.file.Stat(); err == nil && in.Out != nil && os.SameFile(info, in.Out) {
		in.Close()
		return in.named(errors.New("is the output as well")) // it would have no end
	}
	return nil
}

// IsBinary reports whether the current file, of which nothing has been read, is a regular one with a zero byte at its
// beginning.
func (in *Inputs) IsBinary() bool {
	head := make([]byte, binaryHead)
	n, _ := in.file.ReadAt(head, 0)
	return in.file != in.Stdin && bytes.IndexByte(head[:n], 0) >= 0
}

// Close closes the current file, unless it is standard input.
func (in *Inputs) Close() {
	if in.file != in.Stdin {
		in.file.Close() // nothing was written
	}
}

// Read reads the current file. Its errors begin with the name of the file.
func (in *Inputs) Read(p []byte) (int, error) {
	select {
	case <-in.Stop:
		return 0, ErrStopped
	default:
	}
	n, err := in.file.Read(p)
	in.read += int64(n)
	in.Meter.ShowCopy(in.read, in.total)
	if err != nil && err != io.EOF {
		in.Err = in.named(err)
		err = in.Err
	}
	return n, err
}

func (in *Inputs) named(err error) error {
	if err == nil {
		return nil
	}
	name := in.name
	if name == "" {
		name = terminal.Word(name)
	}
	return fmt.Errorf("%s: %w", name, fault.WithoutPath(err))
}
