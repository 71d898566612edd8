package fit

import (
	"bytes"
	"slices"
	"sort"

	"github.com/kfw-dev/kfw/pipeline/encode"
)

// Outliers that did not fit are counted by their most frequent kinds; the other kinds are summed.
const (
	mostKinds    = 3
	roomForKinds = 1000 // tokens of a frame in which they always have room
)

// addOutliers adds the first outliers to the frame, as many as fit, and returns how many. The others are counted by
// kind, together with those that were missed before.
func (w *writer) addOutliers(frame *encode.Frame, notable []encode.Notable, missed encode.Kinds, room int) (shown int) {
	frame.Omitted.Notable, frame.Omitted.Kinds = encode.KindsOf(notable, missed), 0
	if room >= roomForKinds {
		frame.Omitted.Kinds = mostKinds
	}
	for _, n := range notable {
		before := frame.Notable
		frame.Notable = withNear(before, n)
		frame.Omitted.Notable.Add(n.Kind, -1)
		if !w.fits(frame, room) {
			frame.Omitted.Notable.Add(n.Kind, 1)
			frame.Notable = before
			break
		}
		shown++
	}
	return shown
}

// nearLines is how many lines apart two lines are, at most, that are shown one after the other.
const nearLines = 2

// isNear reports whether both are lines and near each other.
func isNear(of, n encode.Notable) bool {
	return of.IsText && n.IsText && max(of.Chunk-n.Chunk, n.Chunk-of.Chunk) <= nearLines
}

// withNear returns the outliers with one more at the end. A line that is near one of them in the response is put beside
// it. If lines beside each other are of the same record, only the first one names it.
func withNear(all []encode.Notable, n encode.Notable) []encode.Notable {
	at := slices.IndexFunc(all, func(of encode.Notable) bool { return isNear(of, n) })
	if at < 0 {
		return append(all, n)
	}
	for at < len(all) && isNear(all[at], n) && all[at].Chunk <= n.Chunk {
		at++
	}
	all = slices.Insert(slices.Clone(all), at, n)
	for i := max(1, at); i < min(len(all), at+2); i++ {
		before, n := &all[i-1], &all[i]
		if n.Of == 0 {
			continue
		}
		if n.Data = n.Whole; isNear(*before, *n) && bytes.Equal(before.Whole[:before.Of], n.Whole[:n.Of]) {
			n.Data = n.Whole[n.Of:]
		}
	}
	return all
}

// sayMore says more of the outliers that are records, from the first on, as far as there is room.
func (w *writer) sayMore(frame *encode.Frame, room int) {
	brief := frame.Notable
	longer := sort.Search(len(brief), func(n int) bool {
		frame.Notable = withMore(brief, n+1)
		return !w.fits(frame, room)
	})
	frame.Notable = withMore(brief, longer)
}

// withMore returns outliers of which the first n have more of their records.
func withMore(brief []encode.Notable, n int) []encode.Notable {
	all := slices.Clone(brief)
	for i := range all[:n] {
		if all[i].More != nil {
			all[i].Fields = all[i].More
		}
	}
	return all
}

// sayKinds names as many kinds of the outliers that did not fit as there is room for; without room, it counts none.
func (w *writer) sayKinds(frame *encode.Frame, room int) {
	for frame.Omitted.Kinds = mostKinds; frame.Omitted.Kinds >= 0; frame.Omitted.Kinds-- {
		if w.fits(frame, room) {
			return
		}
	}
	frame.Omitted.Notable, frame.Omitted.Kinds = nil, 0
}
