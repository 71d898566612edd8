package lineset

import (
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
)

// Lines are the lines of a response: their templates, what is known of those that came before,
// and which of them stand out.
type Lines struct {
	Count      int // those that are text
	Templates  drain.Templates
	Blocks     outlier.Blocks  // of lines
	Failure    outlier.Failure // the last line that names an error
	LineErrors int
	Levels     lineclass.Levels
	Headings   outlier.KeyHeadings // of names in lines
	Out        *outlier.Candidates // nil if no outliers are wanted
	Line       mask.Line
	// WantsLevels says that the level of each line is asked for, even if no outliers are wanted.
	WantsLevels bool
	Has         mask.Part // what there is in the current line

	remembering, recognizing habit
}

// NewLines returns no lines.
func NewLines() Lines { return Lines{Line: mask.NewLine()} }

// Reset forgets all lines. It keeps whether outliers are asked for.
func (l *Lines) Reset() {
	*l = Lines{Line: l.Line, Out: l.Out, WantsLevels: l.WantsLevels, Templates: drain.Templates{Most: drain.MaxTemplates}}
	if l.Out != nil {
		l.Out = outlier.NewCandidates()
	}
}

// AddLevel counts the current line by its level, and returns that.
func (s *Lines) AddLevel(known *drain.KnownLine) (level int) {
	if s.Out == nil && !s.WantsLevels {
		return lineclass.NoLevel
	}
	if known != nil {
		level = int(known.Level)
	} else {
		level = s.Levels.LevelOf(&s.Line)
	}
	s.Levels.Add(level)
	return level
}
