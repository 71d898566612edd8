package fields

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
)

const (
	MaxValues    = 64 // distinct values counted at once
	MaxValueLen  = 64 // bytes of a value that are kept
	valueSize    = 56 + MaxValueLen
	sureValues   = 16 // that are counted though there is no room
	leastOffered = 3  // times that a value has come, by the sketch, when it may be one of the most frequent
)

// ValueCounts counts the most frequent values of a field: exactly as long as
// there are at most MaxValues of them. From then on a value takes the place of
// the least frequent one when it has come more often by a sketch of all
// (Cormode, Muthukrishnan: J. Algorithms 2005), or, where there is no sketch,
// by the Space-Saving algorithm (Metwally, Agrawal, El Abbadi: ICDT 2005).
type ValueCounts struct {
	Entries []ValueCount
	tags    [MaxValues / 8]uint64 // of each entry the end of its hash, a byte
	Dropped bool                  // some value lost its place: the counts are estimates
	least   int                   // a count that no entry is below,
	more    int                   // and how many of the first entries are above it
}

// ValueCount is one value of a field, and how often it came.
type ValueCount struct {
	Hash           uint64
	Count          int
	Over           int    // by how much count may be too high
	Text           []byte // the JSON value as written; at most MaxValueLen bytes of a string
	Cut            bool   // text is not all of it
	HasPlaceholder bool   // it has a placeholder for any value
}

// Index returns where the value is counted, -1 if it is not.
func (v *ValueCounts) Index(hash uint64) int {
	tag := uint64(byte(hash)) * ascii.EachByte
	for i := 0; i < len(v.Entries); i += 8 {
		for same := ascii.ZeroBytes(v.tags[i/8%len(v.tags)] ^ tag); same != 0; same &= same - 1 {
			at := i + bits.TrailingZeros64(same)/8
			if at < len(v.Entries) && v.Entries[at].Hash == hash {
				return at
			}
		}
	}
	return -1
}

// tag keeps the end of a hash for the entry at a place.
func (v *ValueCounts) tag(at int, hash uint64) {
	shift := at % 8 * 8
	v.tags[at/8] = v.tags[at/8]&^(0xff<<shift) | uint64(byte(hash))<<shift
}

// IsFull says whether one more value would make the counts estimates.
func (v *ValueCounts) IsFull(room int) bool {
	return len(v.Entries) == MaxValues || room < valueSize && len(v.Entries) >= sureValues
}

// Add counts a value that has no index, while there is room for one more.
func (v *ValueCounts) Add(hash uint64, value []byte, room *int) {
	*room -= valueSize
	v.Entries = append(v.Entries, ValueCount{})
	v.put(len(v.Entries)-1, hash, value, 1, 0)
}

// Replace counts a value that has no index in the place of the least frequent one.
func (v *ValueCounts) Replace(hash uint64, value []byte) {
	if len(v.Entries) == 0 {
		return
	}
	least := v.leastFrequent()
	came := v.Entries[least].Count
	v.put(least, hash, value, came+1, came)
}

// put makes the entry at a place that of a value.
func (v *ValueCounts) put(at int, hash uint64, value []byte, count, over int) {
	e := &v.Entries[at]
	e.Hash, e.Count, e.Over, e.HasPlaceholder = hash, count, over, false
	e.keep(value)
	v.tag(at, hash)
}

// Offer counts a value that has no index, if it has come more often than the least frequent one that is counted: so
// many times by a sketch, which says up to over too much. It returns which one lost its place, and how often that has
// come.
func (v *ValueCounts) Offer(hash uint64, value []byte, times, over int, room *int) (lost uint64, came int, ok bool) {
	if times < leastOffered {
		return 0, 0, false
	}
	if !v.IsFull(*room) {
		v.Add(hash, value, room)
		e := &v.Entries[len(v.Entries)-1]
		e.Count, e.Over = times, over
		v.least, v.more = min(v.least, times), 0
		return 0, 0, false
	}
	if len(v.Entries) == 0 {
		return 0, 0, false
	}
	least := v.leastFrequent()
	e := &v.Entries[least]
	lost, came = e.Hash, e.Count
	// it has been offered each time that it came, and was not more frequent
	times = min(times, max(came, leastOffered-1)+1)
	if times <= came {
		return 0, 0, false
	}
	v.put(least, hash, value, times, over)
	return lost, came, true
}

// leastFrequent returns the first of the entries that have the least count. Counts only grow, so the search goes on
// where the last one ended.
func (v *ValueCounts) leastFrequent() int {
	for {
		for ; v.more < len(v.Entries); v.more++ {
			if v.Entries[v.more].Count == v.least {
				return v.more
			}
		}
		v.more, v.least = 0, v.Entries[0].Count
		for i := range v.Entries {
			v.least = min(v.least, v.Entries[i].Count)
		}
	}
}

func (e *ValueCount) keep(value []byte) {
	e.Cut = len(value) > MaxValueLen
	if e.Cut && value[0] == '"' {
		value = jsonx.CutInside(value[1:len(value)-1], MaxValueLen-1)
		e.Text = append(append(e.Text[:0], '"'), value...)
		return
	}
	e.Text = append(e.Text[:0], value[:min(len(value), MaxValueLen)]...)
}

// Repeats says whether some value is known to have come twice.
func (v *ValueCounts) Repeats() bool {
	return slices.ContainsFunc(v.Entries, func(e ValueCount) bool { return e.Count-e.Over > 1 })
}

// Frequent appends the entries to dst, the most frequent first. When counts are estimates, only those that are
// certain to make up a fair share of total. Without a sketch they are shown by what is certain of their counts: a
// value that took the place of another has its count, too.
func (v *ValueCounts) Frequent(dst []ValueCount, total int, hasSketch bool) []ValueCount {
	for _, e := range v.Entries {
		if !v.Dropped || e.isFairShare(total) {
			if !hasSketch {
				e.Count -= e.Over
			}
			dst = append(dst, e)
		}
	}
	slices.SortStableFunc(dst, func(a, b ValueCount) int { return b.Count - a.Count })
	return dst
}

// hasFairShare says whether a value is certain to make up a fair share of total.
func (v *ValueCounts) hasFairShare(total int) bool {
	return slices.ContainsFunc(v.Entries, func(e ValueCount) bool { return e.isFairShare(total) })
}

func (e *ValueCount) isFairShare(total int) bool {
	const fairShare = 100 // one in so many
	sure := e.Count - e.Over
	return sure > 1 && sure*fairShare >= total
}

// AppendValue appends the value as JSON; a shortened one as a string that ends
// in an ellipsis.
func (e *ValueCount) AppendValue(dst []byte) []byte {
	if !e.Cut {
		return append(dst, e.Text...)
	}
	if e.Text[0] != '"' {
		dst = append(dst, '"')
	}
	return append(append(dst, e.Text...), jsonx.Ellipsis+`"`...)
}

// AppendName appends the value as the name of a member. A string that could be
// taken for another type of value keeps its quotes.
func (e *ValueCount) AppendName(dst []byte) []byte {
	if e.Text[0] != '"' {
		dst = append(append(dst, '"'), e.Text...)
		if e.Cut {
			dst = append(dst, jsonx.Ellipsis...)
		}
		return append(dst, '"')
	}
	if !e.Cut && isAmbiguous(jsonx.Inside(e.Text)) {
		return append(append(append(dst, `"\"`...), jsonx.Inside(e.Text)...), `\""`...)
	}
	return e.AppendValue(dst)
}

// isAmbiguous says whether a string reads like a number, a literal, an empty
// container or a string in quotes.
func isAmbiguous(inside []byte) bool {
	switch string(inside) {
	case "null", "true", "false", "[]", "{}":
		return true
	}
	if bytes.HasPrefix(inside, []byte(`\"`)) {
		return true
	}
	return len(inside) > 0 && (ascii.IsDigit(inside[0]) || inside[0] == '-' && len(inside) > 1) &&
		len(bytes.Trim(inside, "+-.0123456789eE")) == 0
}
