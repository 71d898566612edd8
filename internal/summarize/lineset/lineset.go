package lineset

import (
	"github.com/kfw-dev/kfw/internal/summarize/drain"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
)

// Set are the lines of a response: their templates, and what is known of those that came before.
type Set struct {
	Count     int // those that are text
	Templates drain.Templates
	Blocks    Blocks // of lines
	Levels    lineclass.Levels
	Headings  KeyHeadings // of names in lines
	Whole     *Whole      // nil if the lines are those of a window
	Line      mask.Line
	// WantsLevels says that the level of each line is asked for, even in a window.
	WantsLevels bool
	Has         mask.Part // what there is in the current line
}

// Whole is what is known of lines beyond those of a window.
type Whole struct {
	Values sketch.Counts // of fields that have many
	LineTimes
}

func newWhole() *Whole { return &Whole{Values: sketch.NewCounts()} }

// NewLines returns no lines.
func NewLines() Set { return Set{Line: mask.NewLine()} }

// BeWhole says that the lines are those of a response.
func (s *Set) BeWhole() { s.Whole = newWhole() }

// Reset forgets all lines. It keeps whether they are those of a response.
func (s *Set) Reset() {
	*s = Set{Line: s.Line, Whole: s.Whole, WantsLevels: s.WantsLevels,
		Templates: drain.Templates{Most: drain.MaxTemplates}}
	if s.Whole != nil {
		s.Whole = newWhole()
	}
}

// AddLevel counts the current line by its level, and returns that.
func (s *Set) AddLevel() (level int) {
	if s.Whole == nil && !s.WantsLevels {
		return lineclass.NoLevel
	}
	level = s.Levels.LevelOf(&s.Line)
	s.Levels.Add(level)
	return level
}

// HasTemplate reports whether a line that came before has the template of this one.
func (s *Set) HasTemplate(line []byte) bool {
	s.Line.Set(line)
	return s.Templates.MostSimilar(drain.ByFirst, s.Line.HashWith(0), &s.Line) >= 0
}
