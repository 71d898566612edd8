package summarize

import (
	"slices"

	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
)

// namesOfNames are the fields whose value is the name of something, so that an error word in it
// says nothing of the record.
var namesOfNames = [...]string{
	"name", "path", "file", "filename", "fullname", "full_name", "title", "url", "uri", "href", "package", "module",
	"function", "func", "symbol", "test",
	"suite", "command", "cmd", "cmdline", "args", "image", "branch", "permission", "directory", "dir", "folder",
	"target",
}

// isNameField reports whether a field has the name of something for a value.
func isNameField(name []byte) bool {
	for _, of := range namesOfNames {
		if lineclass.IsWord(name, of) {
			return true
		}
	}
	return false
}

// dropContradicted drops the errors of the current record that only a word names where the record
// has a level below error or a verdict of success.
func (s *outliers) dropContradicted() {
	r := s.text.Out.Row
	isWeak := func(why outlier.Reason) bool { return why.By == outlier.ByError && !why.IsMarked }
	if len(r.Cells) == 0 || !slices.ContainsFunc(r.Reasons, isWeak) || s.places.Standing(r) != lineclass.SaysNoFailure {
		return
	}
	r.Reasons = slices.DeleteFunc(r.Reasons, isWeak)
}
