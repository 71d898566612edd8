package summarize

import (
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
)

// textLines are the lines of a response: their templates, what is known of those that came before,
// and which of them stand out.
type textLines struct {
	lines      int // those that are text
	templates  drain.Templates
	blocks     outlier.Blocks  // of lines
	failure    outlier.Failure // the last line that names an error
	lineErrors int
	levels     lineclass.Levels
	headings   outlier.KeyHeadings // of names in lines
	out        *outlier.Candidates // nil when nobody asks what stands out
	line       mask.Line
	has        mask.Part // what there is in the line at hand
}

// newTextLines returns no lines.
func newTextLines() textLines { return textLines{line: mask.NewLine()} }

// reset forgets all lines. It keeps whether outliers are asked for.
func (l *textLines) reset() {
	*l = textLines{line: l.line, out: l.out, templates: drain.Templates{Most: drain.MaxTemplates}}
	if l.out != nil {
		l.out = outlier.NewCandidates()
	}
}
