package places

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

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
