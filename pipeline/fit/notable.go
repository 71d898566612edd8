package fit

import (
	"bytes"
	"slices"
	"sort"

	"github.com/kfw-dev/kfw/pipeline/encode"
)

// What stands out and did not fit is told by its most frequent kinds; the others are summed.
const (
	mostKinds    = 3
	roomForKinds = 1000 // tokens of a frame in which they always have room
)

// addNotable adds to the frame as many of the chunks that stand out as fit, the first ones, and returns how many. What does
// not fit is counted by kind.
func (t *fitter) addNotable(frame *encode.Frame, notable []encode.Notable, missed encode.Kinds, room int) (told int) {
	frame.Omitted.Notable, frame.Omitted.Kinds = encode.KindsOf(notable, missed), 0
	if room >= roomForKinds {
		frame.Omitted.Kinds = mostKinds
	}
	for _, n := range notable {
		before := frame.Notable
		frame.Notable = withNear(before, n)
		frame.Omitted.Notable.Add(n.Kind, -1)
		if !t.fits(frame, room) {
			frame.Omitted.Notable.Add(n.Kind, 1)
			frame.Notable = before
			break
		}
		told++
	}
	return told
}

// nearLines is how many lines apart those are that are told one after the other.
const nearLines = 2

// isNear says whether a chunk is a line near another one.
func isNear(of, n encode.Notable) bool {
	return of.IsText && n.IsText && max(of.Chunk-n.Chunk, n.Chunk-of.Chunk) <= nearLines
}

// withNear returns notables and one more: it is told last, but for a line beside one that is near it in the response. What says which record
// lines one after the other are of is told once.
func withNear(told []encode.Notable, n encode.Notable) []encode.Notable {
	at := slices.IndexFunc(told, func(of encode.Notable) bool { return isNear(of, n) })
	if at < 0 {
		return append(told, n)
	}
	for at < len(told) && isNear(told[at], n) && told[at].Chunk <= n.Chunk {
		at++
	}
	told = slices.Insert(slices.Clone(told), at, n)
	for i := max(1, at); i < min(len(told), at+2); i++ {
		before, n := &told[i-1], &told[i]
		if n.Of == 0 {
			continue
		}
		if n.Data = n.Whole; isNear(*before, *n) && bytes.Equal(before.Whole[:before.Of], n.Whole[:n.Of]) {
			n.Data = n.Whole[n.Of:]
		}
	}
	return told
}

// tellMore tells more of the records that stand out, of the first ones, as far as there is room.
func (t *fitter) tellMore(frame *encode.Frame, room int) {
	brief := frame.Notable
	told := sort.Search(len(brief), func(n int) bool {
		frame.Notable = withMore(brief, n+1)
		return !t.fits(frame, room)
	})
	frame.Notable = withMore(brief, told)
}

// withMore returns notables of which the first n are told by more.
func withMore(brief []encode.Notable, n int) []encode.Notable {
	all := slices.Clone(brief)
	for i := range all[:n] {
		if all[i].More != nil {
			all[i].Data = all[i].More
		}
	}
	return all
}

// tellKinds tells what stands out and did not fit by as many kinds as there is room for; if there is none, not at all.
func (t *fitter) tellKinds(frame *encode.Frame, room int) {
	for frame.Omitted.Kinds = mostKinds; frame.Omitted.Kinds >= 0; frame.Omitted.Kinds-- {
		if t.fits(frame, room) {
			return
		}
	}
	frame.Omitted.Notable, frame.Omitted.Kinds = nil, 0
}
