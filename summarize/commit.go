package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/lineclass"
)

// seeCommit takes in a line, and reports whether it is one of the message of a commit, as git log
// prints them: what is indented by four blanks after the hash, the author and the date. A message
// may speak of errors, and reports none.
func (s *lineReader) seeCommit(line []byte) bool {
	if hash, found := bytes.CutPrefix(line, []byte("commit ")); found {
		word, _, _ := bytes.Cut(hash, []byte{' '})
		s.isInCommit = lineclass.IsCommitHash(word)
		return false
	}
	switch {
	case !s.isInCommit || len(line) == 0:
		return false
	case bytes.HasPrefix(line, []byte("    ")):
		return true
	}
	name, _, isNamed := bytes.Cut(line, []byte{':'}) // Author, Date, Merge, CommitDate
	s.isInCommit = isNamed && ascii.LeadingLetters(name) == len(name)
	return false
}
