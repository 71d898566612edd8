package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/kfw-dev/kfw/redact"
)

// mostPlaces is how many matches a report names the place of.
const mostPlaces = 1000

// findings are what the matches of a run were, and where: never what they said.
type findings struct {
	file    string // that is being read
	reasons bool   // are shown
	places  []foundAt
	more    int // places that were not kept
	counts  []countOf
}

type foundAt struct {
	file, rule string
	at         redact.Place
	why        redact.Reason
}

type countOf struct {
	rule string
	n    int
}

func (f *findings) add(rule string, at redact.Place, why redact.Reason) {
	if len(f.places) == mostPlaces {
		f.more++
		return
	}
	f.places = append(f.places, foundAt{f.file, rule, at, why})
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
		fmt.Fprintf(w, "%s:%d:%d: %s%s\n", shown, x.at.Line, x.at.Column, x.rule, f.reason(x.why))
	}
	if f.more > 0 {
		fmt.Fprintf(w, "and %s more\n", counted(f.more, "place"))
	}
	for _, x := range f.counts {
		fmt.Fprintf(w, "%7d %s\n", x.n, x.rule)
	}
	return w.Flush()
}

// reason is what a line of the report says after the rule of why there is a match: in which field, how, by which name.
func (f *findings) reason(why redact.Reason) string {
	if !f.reasons {
		return ""
	}
	reason := ": " + why.How
	if why.Path != "" {
		reason = "@" + printable(why.Path) + reason
	}
	if why.Name != "" {
		reason += ": " + printable(why.Name)
	}
	return reason
}

// replace puts a file with mode 0600 in the place of what path leads to, once all of it has been written. What can't be
// replaced is written to.
func replace(path string, write func(io.Writer) error) error {
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
	if err := os.Rename(file.Name(), path); err != nil {
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
		n, err := syscall.Dup(n)
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
