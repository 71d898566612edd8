package lineset

import (
	"math"
	"slices"

	"github.com/kfw-dev/kfw/summarize/outlier"
)

// InOrder are the candidates that stand out, the most telling first. Each one tells less after others that stand out by
// the same.
func (s *Lines) InOrder() (ordered []*outlier.Row) {
	type sameness struct {
		by    outlier.ReasonKind
		place int
	}
	type group struct {
		told int     // of the rows that stand out by the same
		less float64 // that another one tells
	}
	type grouped struct {
		*outlier.Row
		*group
	}
	groups := map[sameness]*group{}
	var rest []grouped
	for _, r := range s.Out.Candidates[:s.Out.Used] {
		if r.Score <= 0 {
			continue
		}
		why := r.Telling()
		by := sameness{why.By, why.Place}
		if groups[by] == nil {
			groups[by] = new(group)
		}
		rest = append(rest, grouped{r, groups[by]})
	}
	for len(rest) > 0 {
		best, most := 0, math.Inf(-1)
		for i, r := range rest {
			if score := r.Score - r.less; score > most {
				best, most = i, score
			}
		}
		r := rest[best]
		r.told++
		r.less = outlier.LessAlike * math.Log(float64(1+r.told))
		ordered = append(ordered, r.Row)
		rest = slices.Delete(rest, best, best+1)
	}
	return ordered
}
