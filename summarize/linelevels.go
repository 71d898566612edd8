package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
)

// lineLevels writes how many lines are of each level.
func (o tree) lineLevels(levels []lineclass.Level) {
	if len(levels) == 0 {
		return
	}
	o.Open(facts.Levels)
	for _, l := range levels {
		o.CountNamed(bytes.TrimRight(l.Name[:], "\x00"), l.Lines)
	}
	o.Close()
}
