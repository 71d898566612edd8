package places

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// fieldsOfVerdict are those that say how what a record is about ended.
var fieldsOfVerdict = [...]string{"status", "state", "outcome", "result", "conclusion", "verdict", "action"}

// Standing returns what the values of a record say of it as a whole: its level, and how what it is
// about ended.
func (s *Places) Standing(r *outlier.Row) lineclass.Standing {
	for _, c := range r.Cells {
		name, value := s.Paths.Nodes[c.Place].Name, c.Text.Of(r.Bytes)
		if len(value) < len(`"ok"`) || len(value) > 2+lineclass.LongestLevel+2 || value[0] != '"' {
			continue
		}
		value = jsonx.Inside(value)
		switch {
		case slices.ContainsFunc(lineclass.NamesOfLevel[:],
			func(of string) bool { return lineclass.IsWord(name, of) }) &&
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

// IsReasonOfError reports whether a field has one text that says why something failed: it is in what
// has the name of an error, such as exception.message.
func (s *Places) IsReasonOfError(id int) bool {
	f := &s.Fields[id]
	if f.Named.IsKey || f.Named.IsColumn || f.Seen.Types[jsonx.String] == 0 || !f.Seen.IsConstant() {
		return false
	}
	parent := s.Paths.Nodes[id].Parent
	if parent == structure.RootNode || parent == structure.NoNode {
		return false
	}
	name := s.Paths.Nodes[parent].Name
	start, end := lineclass.NextErrorWord(name, 0)
	return start < end && !lineclass.IsNameOfCount(bytes.TrimLeft(name[end:], "_-"))
}
