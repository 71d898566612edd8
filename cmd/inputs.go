package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
	err  error // of the file at hand, with its name
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
	return fmt.Errorf("%s: %w", in.name, withoutPath(err))
}
