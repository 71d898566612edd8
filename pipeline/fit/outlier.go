package fit

import (
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
		frame.Notable = append(before, n)
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

// sayKinds names as many kinds of the outliers that did not fit as there is room for; without room, it counts none.
func (w *writer) sayKinds(frame *encode.Frame, room int) {
	for frame.Omitted.Kinds = mostKinds; frame.Omitted.Kinds >= 0; frame.Omitted.Kinds-- {
		if w.fits(frame, room) {
			return
		}
	}
	frame.Omitted.Notable, frame.Omitted.Kinds = nil, 0
}
