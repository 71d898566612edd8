package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/kfw-dev/kfw/redact"
)

// mostPlaces is how many matches a report names the place of.
const mostPlaces = 1000

// findings are what the matches of a run were, and where: never what they said.
type findings struct {
	file   string // that is being read
	places []foundAt
	more   int // places that were not kept
	counts []countOf
}

type foundAt struct {
	file, rule string
	at         redact.Place
}

type countOf struct {
	rule string
	n    int
}

func (f *findings) add(rule string, at redact.Place) {
	if len(f.places) == mostPlaces {
		f.more++
		return
	}
	f.places = append(f.places, foundAt{f.file, rule, at})
}

func (f *findings) count(counts iter.Seq2[string, int]) {
	for rule, n := range counts {
		f.counts = append(f.counts, countOf{rule, n})
	}
}

// report writes all of it to a file, or to standard error.
func (f *findings) report(stderr io.Writer, path string) error {
	if path == standardError {
		return f.write(stderr)
	}
	if err := replace(path, f.write); err != nil {
		return fmt.Errorf("%s: %w", path, withoutPath(err))
	}
	return nil
}

func (f *findings) write(to io.Writer) error {
	w := bufio.NewWriter(to)
	var file, shown string
	for _, x := range f.places {
		if shown == "" || x.file != file {
			file, shown = x.file, printable(sayable(x.file))
		}
		fmt.Fprintf(w, "%s:%d:%d: %s\n", shown, x.at.Line, x.at.Column, x.rule)
	}
	if f.more > 0 {
		fmt.Fprintf(w, "and %d places more\n", f.more)
	}
	for _, x := range f.counts {
		fmt.Fprintf(w, "%7d %s\n", x.n, x.rule)
	}
	return w.Flush()
}

// replace puts a file with mode 0600 in the place of path, once all of it has been written. What is no regular file,
// such as a pipe, is written to.
func replace(path string, write func(io.Writer) error) (err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
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
	if err := os.Rename(file.Name(), path); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// matched is what --check has found.
type matched struct {
	counts []countOf
	told   bool // where
}

func (e *matched) Error() string {
	var b strings.Builder
	for i, x := range e.counts {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d %s", x.n, x.rule)
	}
	return "to be redacted: " + b.String()
}
