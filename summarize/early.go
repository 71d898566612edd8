package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/tabulate"
)

// maxEarly is how many of the first records are judged again at the end: when they came, there was nothing to tell them
// from. Lines are not: those that a log begins with are unlike all others as a rule.
const maxEarly = 24

// keepEarly keeps the record at hand if it is one of the first.
func (o *outstanding) keepEarly() {
	isRecord := !o.row.isLine || o.row.filled > 0
	if o.judged < maxEarly && isRecord && len(o.row.cells) > 0 {
		o.early[o.judged].keep(o.row)
		o.judged++
	}
}

// judgeEarly makes those of the first records candidates that stand out by what is known now. The candidates have been
// weighed.
func (s *Summary) judgeEarly() {
	o := s.out
	for i := range o.early[:o.judged] {
		r := o.row
		r.keep(o.early[i])
		s.judge(r)
		if r.rank(); r.score <= 0 {
			continue
		}
		at := slices.IndexFunc(o.candidates[:o.used], func(c *row) bool {
			return c.seq == r.seq && c.base == r.base && bytes.HasPrefix(r.bytes, c.bytes)
		})
		switch {
		case at >= 0:
		case o.used < maxCandidates:
			at = o.used
			o.used++
		default:
			at = o.used - 1
			o.crowded++
			if r.score <= o.candidates[at].score {
				continue
			}
		}
		o.candidates[at].keep(r)
	}
	o.judged = maxEarly
}

// judge notes why the record at hand stands out, as if it came now.
func (s *Summary) judge(r *row) {
	r.reasons = slices.DeleteFunc(r.reasons, func(why reason) bool {
		return why.by == byValue || why.by == byNumber || why.by == byField || why.by == byType
	})
	for i := range r.reasons {
		r.reasons[i].score = s.weigh(r, &r.reasons[i])
	}
	for _, c := range r.cells {
		f, value := &s.fields[c.place], c.text.Of(r.bytes)
		k := jsonx.KindOf(value[0])
		why := reason{place: c.place, kind: k, hash: sketch.Hash(value), form: -1}
		isNumber := false
		why.number, isNumber = f.NumberIn(value)
		why.isText = k == jsonx.String && f.HasNumerals() && !isNumber
		isWhole := len(value) <= maxCellLen && string(value) != tabulate.LeftOutCell
		s.noteReasons([]bool{
			byValue:  isWhole && !f.AreForms() && s.timesOf(f, &why) <= surprise.MostOfRare,
			byNumber: isWhole && isNumber,
			byField:  true,
			byType:   true,
		}, why, value)
	}
}
