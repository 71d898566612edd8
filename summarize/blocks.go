package summarize

import (
	"github.com/kfw-dev/kfw/internal/summarize/lineset"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// addBlockLine takes in a line of a block.
func (s *lineReader) addBlockLine(r structure.Record, kind lineset.BlockKind) {
	s.beginLine(r.Seq)
	if kind != lineset.Hunk {
		s.addUncounted(r.Value)
	}
}
