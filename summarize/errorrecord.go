package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/structure"
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

// fieldsOfVerdict are those that say how what a record is about ended.
var fieldsOfVerdict = [...]string{"status", "state", "outcome", "result", "conclusion", "verdict", "action"}

// standing returns what the values of a record say of it as a whole: its level, and how what it is
// about ended.
func (s *places) standing(r *outlier.Row) lineclass.Standing {
	for _, c := range r.Cells {
		name, value := s.paths.Nodes[c.Place].Name, c.Text.Of(r.Bytes)
		if len(value) < len(`"ok"`) || len(value) > 2+lineclass.LongestLevel+2 || value[0] != '"' {
			continue
		}
		value = jsonx.Inside(value)
		switch {
		case slices.ContainsFunc(lineclass.NamesOfLevel[:], func(of string) bool { return lineclass.IsWord(name, of) }) &&
			lineclass.IsLevelName(value):
			if lineclass.IsErrorWord(value) || lineclass.IsWord(value, "alert") {
				return lineclass.SaysError
			}
			return lineclass.SaysNoFailure
		case slices.ContainsFunc(fieldsOfVerdict[:], func(of string) bool { return lineclass.IsWord(name, of) }):
			for _, verdict := range [...]string{"ok", "pass", "passed", "success", "succeeded", "skipped", "skip",
				"ignored"} {
				if lineclass.IsWord(value, verdict) {
					return lineclass.SaysNoFailure
				}
			}
		}
	}
	return lineclass.SaysNothing
}

// dropContradicted drops the errors of the current record that only a word names where the record
// has a level below error or a verdict of success.
func (s *Summary) dropContradicted() {
	r := s.out.Row
	isWeak := func(why outlier.Reason) bool { return why.By == outlier.ByError && !why.IsMarked }
	if len(r.Cells) == 0 || !slices.ContainsFunc(r.Reasons, isWeak) || s.places.standing(r) != lineclass.SaysNoFailure {
		return
	}
	r.Reasons = slices.DeleteFunc(r.Reasons, isWeak)
}

// isReasonOfError reports whether a field has one text that says why something failed: it is in what
// has the name of an error, such as exception.message.
func (s *places) isReasonOfError(id int) bool {
	f := &s.fields[id]
	if f.IsKey || f.IsColumn || f.Types[jsonx.String] == 0 || !f.IsConstant() {
		return false
	}
	parent := s.paths.Nodes[id].Parent
	if parent == structure.RootNode || parent == structure.NoNode {
		return false
	}
	name := s.paths.Nodes[parent].Name
	start, end := lineclass.NextErrorWord(name, 0)
	return start < end && !lineclass.IsNameOfCount(bytes.TrimLeft(name[end:], "_-"))
}
