package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/tabulate"
)

// judgeEarly makes those of the first records candidates that stand out by what is known now. The candidates have been
// weighed.
func (s *outliers) judgeEarly() {
	o := s.text.Out
	for i := range o.Early[:o.Judged] {
		r := o.Row
		r.Keep(o.Early[i])
		s.judge(r)
		if r.Rank(); r.Score <= 0 {
			continue
		}
		at := slices.IndexFunc(o.Candidates[:o.Used], func(c *outlier.Row) bool {
			return c.Seq == r.Seq && c.Base == r.Base && bytes.HasPrefix(r.Bytes, c.Bytes)
		})
		switch {
		case at >= 0:
		case o.Used < outlier.MaxCandidates:
			at = o.Used
			o.Used++
		default:
			at = o.Used - 1
			o.Crowded++
			if r.Score <= o.Candidates[at].Score {
				continue
			}
		}
		o.Candidates[at].Keep(r)
	}
	o.Judged = outlier.MaxEarly
}

// judge notes why the current record stands out, as if it came now.
func (s *outliers) judge(r *outlier.Row) {
	r.Reasons = slices.DeleteFunc(r.Reasons, func(why outlier.Reason) bool {
		return why.By == outlier.ByValue || why.By == outlier.ByNumber || why.By == outlier.ByField ||
			why.By == outlier.ByType
	})
	for i := range r.Reasons {
		r.Reasons[i].Score = s.weigh(r, &r.Reasons[i])
	}
	for _, c := range r.Cells {
		f, value := &s.places.Fields[c.Place], c.Text.Of(r.Bytes)
		k := jsonx.KindOf(value[0])
		why := outlier.Reason{Place: c.Place, Kind: k, Hash: sketch.Hash(value), Form: -1}
		isNumber := false
		why.Number, isNumber = f.Written.NumberIn(value)
		why.IsText = k == jsonx.String && f.Written.HasNumerals() && !isNumber
		isWhole := len(value) <= outlier.MaxCellLen && string(value) != tabulate.LeftOutCell
		s.watcher.noteReasons([]bool{
			outlier.ByValue:  isWhole && !f.AreForms() && s.text.TimesOf(f, &why) <= surprise.MostOfRare,
			outlier.ByNumber: isWhole && isNumber,
			outlier.ByField:  true,
			outlier.ByType:   true,
		}, why, value)
	}
}
