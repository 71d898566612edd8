package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/kfw-dev/kfw/internal/fault"
)

// standardInput is what it is called in place of a file.
const standardInput = "-"

// inputs are files that are read one after the other.
type inputs struct {
	stdin *os.File
	out   fs.FileInfo // of the output, nil if it is no regular file
	meter *meter
	total int64 // bytes of all of them; 0 if that is not known
	read  int64

	name string
	file *os.File
	err  error // of the current file, with its name
}

// measure adds up how much there is to read, if all that is known.
func (in *inputs) measure(files []string) {
	for _, name := range files {
		info, err := in.stdin.Stat()
		if name != standardInput {
			info, err = os.Stat(name)
		}
		if err != nil || !info.Mode().IsRegular() {
			in.total = 0
			return
		}
		in.total += info.Size()
	}
}

// isDirectory reports whether a name is that of a directory, or of a link to one.
func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return name != standardInput && err == nil && info.IsDir()
}

// walked yields files as they are named, and in place of a directory the regular files in it and
// below, by name. It follows no links there, and leaves out directories that are called .git. An
// error comes with the name that it is about.
func walked(names []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range names {
			if !isDirectory(name) {
				if !yield(name, nil) {
					return
				}
				continue
			}
			visit := func(path string, entry fs.DirEntry, err error) error {
				switch {
				case err != nil:
					err = fmt.Errorf("%s: %w", path, fault.WithoutPath(err))
				case entry.IsDir() && entry.Name() == ".git" && path != name:
					return fs.SkipDir
				case !entry.Type().IsRegular():
					return nil
				}
				if !yield(path, err) {
					return fs.SkipAll
				}
				return nil
			}
			if filepath.WalkDir(withSlash(name), visit) != nil {
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

func (in *inputs) open(name string) (err error) {
	in.name, in.file, in.err = name, in.stdin, nil
	if name == standardInput {
		in.name = "standard input"
	} else if in.file, err = os.Open(name); err != nil {
		return in.named(err)
	}
	if info, err := in.file.Stat(); err == nil && in.out != nil && os.SameFile(info, in.out) {
		in.close()
		return in.named(errors.New("is the output as well")) // it would have no end
	}
	return nil
}

func (in *inputs) close() {
	if in.file != in.stdin {
		in.file.Close() // nothing was written
	}
}

func (in *inputs) Read(p []byte) (int, error) {
	n, err := in.file.Read(p)
	in.read += int64(n)
	in.meter.showCopy(in.read, in.total)
	if err != nil && err != io.EOF {
		in.err = in.named(err)
		err = in.err
	}
	return n, err
}

func (in *inputs) named(err error) error {
	if err == nil {
		return nil
	}
	name := in.name
	if name == "" {
		name = word(name)
	}
	return fmt.Errorf("%s: %w", name, fault.WithoutPath(err))
}
