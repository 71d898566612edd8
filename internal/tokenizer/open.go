package tokenizer

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/tokenizer/bpefile"
	"github.com/kfw-dev/kfw/internal/tokenizer/coprocess"
)

// command is what the name of a program begins with.
const command = "cmd:"

// Program returns the command line that a name stands for, split at blanks; ok is false for a name
// that is not of a program. It is empty if the name has nothing after cmd:.
func Program(name string) (argv []string, ok bool) {
	line, ok := strings.CutPrefix(name, command)
	return strings.Fields(line), ok
}

// Command returns the name of a program, of which Program makes the same command line.
func Command(argv []string) string { return command + strings.Join(argv, " ") }

// IsFile reports whether a name is that of a tokenizer file: it ends in .json, or holds a slash.
func IsFile(name string) bool {
	_, isProgram := Program(name)
	return !isProgram && (strings.HasSuffix(name, ".json") || strings.ContainsRune(name, filepath.Separator))
}

// Check reports what is wrong with a name, as far as that shows without reading a file or starting
// a program. The error does not repeat the name.
func Check(name string) error {
	if argv, ok := Program(name); ok {
		if len(argv) == 0 {
			return errors.New("cmd: names no program")
		}
		return nil
	}
	if IsFile(name) {
		return nil
	}
	_, err := Encoding(name)
	return err
}

// Tokenizer counts for one run, in one goroutine. What it counts can't be trusted any more once
// budget.Err of the counter or of a tally is not nil.
type Tokenizer struct {
	name    string
	counter budget.Counter
	tally   func() (budget.Tally, error)
	program *coprocess.Counter // nil if there is none
}

// Resources is how Open reaches what is outside of the process.
type Resources struct {
	// ReadFile returns what a regular file of at most so many bytes holds. Its error does not name
	// the file.
	ReadFile func(path string, most int) ([]byte, error)
	// Programs says how a program is run.
	Programs coprocess.Options
}

// Open makes the tokenizer of a name:
//
//   - one that NewCounter knows;
//   - cmd:PROGRAM ARG...: a program that counts, see package coprocess; the error is a
//     *coprocess.NotStarted if it cannot be started;
//   - a tokenizer file, see package bpefile; the error is a *FileError if it cannot be used.
func Open(name string, r Resources) (*Tokenizer, error) {
	if err := Check(name); err != nil {
		return nil, err
	}
	if argv, ok := Program(name); ok {
		program, err := coprocess.Start(argv, r.Programs)
		if err != nil {
			return nil, err
		}
		tally := func() (budget.Tally, error) { return program.Tally(), nil }
		return &Tokenizer{Command(argv), program, tally, program}, nil
	}
	if IsFile(name) {
		return openFile(name, r)
	}
	encoding, err := Encoding(name)
	if err != nil {
		return nil, err
	}
	counter, err := NewCounter(encoding)
	if err != nil {
		return nil, err
	}
	return &Tokenizer{encoding, counter, func() (budget.Tally, error) { return NewTally(encoding) }, nil}, nil
}

// FileError is why a tokenizer file cannot be used.
type FileError struct {
	Path string
	Err  error // which quotes nothing of the file
}

// Error implements error.
func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *FileError) Unwrap() error { return e.Err }

func openFile(path string, r Resources) (*Tokenizer, error) {
	data, err := r.ReadFile(path, bpefile.MostBytes)
	if err != nil {
		return nil, &FileError{path, err}
	}
	sum := sha256.Sum256(data)
	file, err := bpefile.Parse(data)
	if err != nil {
		return nil, &FileError{path, err}
	}
	const shown = 4 // bytes of the sum: files differ by accident, not on purpose
	name := fmt.Sprintf("%s sha256:%x", filepath.Base(path), sum[:shown])
	return &Tokenizer{name, file, func() (budget.Tally, error) { return file.Tally(), nil }, nil}, nil
}

// Name returns what tells this tokenizer from others: an encoding, a command line, or the base name
// of a file and a part of a hash of what it holds.
func (t *Tokenizer) Name() string { return t.name }

// Counter returns the counter, always the same one.
func (t *Tokenizer) Counter() budget.Counter { return t.counter }

// Tally returns a tally of one text. Only one can be in use at a time, and not beside the counter.
func (t *Tokenizer) Tally() (budget.Tally, error) { return t.tally() }

// Kill ends the program at once, if there is one. It is for any goroutine; Close is still needed.
func (t *Tokenizer) Kill() {
	if t.program != nil {
		t.program.Kill()
	}
}

// Close ends the program, if there is one, and waits for it.
func (t *Tokenizer) Close() error {
	if t.program == nil {
		return nil
	}
	return t.program.Close()
}
