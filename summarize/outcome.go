package summarize

import (
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
)

// noteOutcome keeps that the current line, of that form, says how a run ended.
func (s *lineReader) noteOutcome(line []byte, form int) {
	if form >= 0 && s.text.Templates.All[form].Count > lineclass.MostOfOutcomes {
		return
	}
	if kind := lineclass.OutcomeOf(line); kind != lineclass.NoOutcome {
		s.watcher.note(outlier.Reason{By: outlier.ByOutcome, N: int(kind)})
	}
}
