package excerpt

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/lineclass"
)

// commits follows a log as git log prints it. A message may speak of errors, and reports none.
type commits struct{ isIn bool }

// see takes in a line, and reports whether it is one of a message: what is indented by four blanks after the hash, the
// author and the date.
func (c *commits) see(line []byte) (isMessage bool) {
	if hash, found := bytes.CutPrefix(line, []byte("commit ")); found {
		word, _, _ := bytes.Cut(hash, []byte{' '})
		c.isIn = lineclass.IsCommitHash(word)
		return false
	}
	switch {
	case !c.isIn || len(line) == 0:
		return false
	case bytes.HasPrefix(line, []byte("    ")):
		return true
	}
	name, _, isNamed := bytes.Cut(line, []byte{':'}) // Author, Date, Merge, CommitDate
	c.isIn = isNamed && ascii.LeadingLetters(name) == len(name)
	return false
}
