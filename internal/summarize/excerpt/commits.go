package excerpt

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
)

// commits follows a log as git log prints it. A message may speak of errors, and reports none.
type commits struct {
	isIn    bool
	message int // lines of the message so far that are not blank
}

// see takes in a line. A commit begins with its hash; a line of a message is indented by four blanks after the hash,
// the author and the date, and the first one is its subject.
func (c *commits) see(line []byte) (part commitPart) {
	if hash, found := bytes.CutPrefix(line, []byte("commit ")); found {
		word, _, _ := bytes.Cut(hash, []byte{' '})
		if c.isIn, c.message = lineclass.IsCommitHash(word), 0; c.isIn {
			return beginOfCommit
		}
		return noCommit
	}
	switch {
	case !c.isIn || len(line) == 0:
		return noCommit
	case bytes.HasPrefix(line, []byte("    ")):
		if c.message++; c.message == 1 {
			return subjectOfCommit
		}
		return messageOfCommit
	}
	name, _, isNamed := bytes.Cut(line, []byte{':'}) // Author, Date, Merge, CommitDate
	c.isIn = isNamed && ascii.LeadingLetters(name) == len(name)
	return noCommit
}

// commitPart is what a line is in a log of commits.
type commitPart uint8

const (
	noCommit commitPart = iota
	beginOfCommit
	subjectOfCommit
	messageOfCommit
)
