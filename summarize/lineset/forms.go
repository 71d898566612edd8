package lineset

import (
	"math"

	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// FormOfMany returns the form of the text that a record has, or of a line that is one of many.
func (s *Lines) FormOfMany(r *outlier.Row) (form fields.TextForm, ok bool) {
	if r.IsLine && r.Filled == 0 && r.Form >= 0 {
		return fields.TextForm{Place: structure.RootNode, Form: r.Form},
			s.Templates.All[r.Form].Count > outlier.ManyAlike
	}
	return r.Text.TextForm, r.Text.Bytes > 0
}

// WeighOutcome returns how much it tells that a line says how a run ended.
func (s *Lines) WeighOutcome(r *outlier.Row, why *outlier.Reason) float64 {
	score := float64(surprise.Outcome)
	if lineclass.Outcome(why.N) == lineclass.Verdict {
		score = surprise.Verdict
	}
	return score - surprise.LessOfForm*math.Log(1+s.OthersOfForm(r))
}

// OthersOfForm counts the other lines of the form of a line.
func (s *Lines) OthersOfForm(r *outlier.Row) float64 {
	if r.Form < 0 {
		return 0
	}
	return float64(s.Templates.All[r.Form].Count - 1)
}

// HasForm reports whether a line that came before has the form of this one.
func (s *Lines) HasForm(line []byte) bool {
	s.Line.Set(line)
	return s.Templates.MostSimilar(drain.ByFirst, s.Line.HashWith(0), &s.Line) >= 0
}
