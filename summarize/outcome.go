package summarize

import (
	"math"

	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// noteOutcome keeps that the current line, of that form, says how a run ended.
func (s *Summary) noteOutcome(line []byte, form int) {
	if form >= 0 && s.text.templates.All[form].Count > lineclass.MostOfOutcomes {
		return
	}
	if kind := lineclass.OutcomeOf(line); kind != lineclass.NoOutcome {
		s.note(outlier.Reason{By: outlier.ByOutcome, N: int(kind)})
	}
}

// weighOutcome returns how much it tells that a line says how a run ended.
func (s *textLines) weighOutcome(r *outlier.Row, why *outlier.Reason) float64 {
	score := float64(surprise.Outcome)
	if lineclass.Outcome(why.N) == lineclass.Verdict {
		score = surprise.Verdict
	}
	return score - surprise.LessOfForm*math.Log(1+s.othersOfForm(r))
}
