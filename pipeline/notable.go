package pipeline

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
)

// What stands out and did not fit is told by its most frequent kinds; the others are summed.
const (
	mostKinds    = 3
	roomForKinds = 1000 // tokens of a frame in which they always have room
)

// weaker is the kind of what gave way to what stands out more. How many there were is an estimate.
const weaker = "weaker~"

// otherKinds are those that are not told apart.
const otherKinds = "other"

// Notable is a chunk, or a record in one, that is shown because it stands out.
type Notable struct {
	Chunk  int
	Why    string
	Kind   string // of reason, as it is counted when it does not fit
	Data   []byte
	More   []byte // what Data may be where there is room
	IsText bool
	IsPart bool // Data is some fields of it

	of    int    // bytes of whole that are a line which says of which record the line is, with its end
	whole []byte // Data with that line
}

// kinds counts what stands out by its kind, in the order in which they came.
type kinds []RuleCount

// kindsOf counts notables and those that were missed before.
func kindsOf(notable []Notable, missed kinds) kinds {
	var all kinds
	for _, n := range notable {
		all = all.add(n.Kind, 1)
	}
	for _, m := range missed {
		all = all.add(m.Rule, m.Count)
	}
	return all
}

func (k kinds) add(kind string, n int) kinds {
	for i := range k {
		if k[i].Rule == kind {
			k[i].Count += n
			return k
		}
	}
	return append(k, RuleCount{kind, n})
}

// total is the sum of all kinds, and its name: it is an estimate if one of them is.
func (k kinds) total() RuleCount {
	sum := RuleCount{Rule: "notable"}
	for _, c := range k {
		if sum.Count += c.Count; c.Rule == weaker && c.Count > 0 {
			sum.Rule = "notable~"
		}
	}
	return sum
}

// told are the counts of the n most frequent kinds, the sum of the others, and what is no more than an estimate.
func (k kinds) told(n int) (counts []RuleCount) {
	if n == 0 {
		return nil
	}
	var estimate RuleCount
	for _, c := range k {
		switch {
		case c.Rule == weaker:
			estimate = c
		case c.Count > 0:
			counts = append(counts, c)
		}
	}
	slices.SortStableFunc(counts, func(a, b RuleCount) int { return cmp.Compare(b.Count, a.Count) })
	if len(counts) > n+1 { // one more costs no more than their sum
		counts = most(counts, n)
	}
	if estimate.Count > 0 {
		counts = append(counts, estimate)
	}
	return counts
}

// addNotable adds to the frame as many of the chunks that stand out as fit, the first ones, and returns how many. What does
// not fit is counted by kind.
func (t *fitter) addNotable(frame *Frame, notable []Notable, missed kinds, room int) (told int) {
	frame.Omitted.Notable, frame.Omitted.Kinds = kindsOf(notable, missed), 0
	if room >= roomForKinds {
		frame.Omitted.Kinds = mostKinds
	}
	for _, n := range notable {
		before := frame.Notable
		frame.Notable = withNear(before, n)
		frame.Omitted.Notable.add(n.Kind, -1)
		if !t.fits(frame, room) {
			frame.Omitted.Notable.add(n.Kind, 1)
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
func isNear(of, n Notable) bool {
	return of.IsText && n.IsText && max(of.Chunk-n.Chunk, n.Chunk-of.Chunk) <= nearLines
}

// withNear returns notables and one more: it is told last, but for a line beside one that is near it in the response. What says which record
// lines one after the other are of is told once.
func withNear(told []Notable, n Notable) []Notable {
	at := slices.IndexFunc(told, func(of Notable) bool { return isNear(of, n) })
	if at < 0 {
		return append(told, n)
	}
	for at < len(told) && isNear(told[at], n) && told[at].Chunk <= n.Chunk {
		at++
	}
	told = slices.Insert(slices.Clone(told), at, n)
	for i := max(1, at); i < min(len(told), at+2); i++ {
		before, n := &told[i-1], &told[i]
		if n.of == 0 {
			continue
		}
		if n.Data = n.whole; isNear(*before, *n) && bytes.Equal(before.whole[:before.of], n.whole[:n.of]) {
			n.Data = n.whole[n.of:]
		}
	}
	return told
}

// tellMore tells more of the records that stand out, of the first ones, as far as there is room.
func (t *fitter) tellMore(frame *Frame, room int) {
	brief := frame.Notable
	told := sort.Search(len(brief), func(n int) bool {
		frame.Notable = withMore(brief, n+1)
		return !t.fits(frame, room)
	})
	frame.Notable = withMore(brief, told)
}

// withMore returns notables of which the first n are told by more.
func withMore(brief []Notable, n int) []Notable {
	all := slices.Clone(brief)
	for i := range all[:n] {
		if all[i].More != nil {
			all[i].Data = all[i].More
		}
	}
	return all
}

// tellKinds tells what stands out and did not fit by as many kinds as there is room for; if there is none, not at all.
func (t *fitter) tellKinds(frame *Frame, room int) {
	for frame.Omitted.Kinds = mostKinds; frame.Omitted.Kinds >= 0; frame.Omitted.Kinds-- {
		if t.fits(frame, room) {
			return
		}
	}
	frame.Omitted.Notable, frame.Omitted.Kinds = nil, 0
}
