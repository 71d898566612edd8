package summarize

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
)

const (
	maxValues    = 64 // distinct values counted at once
	maxValueLen  = 64 // bytes of a value that are kept
	valueSize    = 56 + maxValueLen
	sureValues   = 16 // that are counted though there is no room
	leastOffered = 3  // times that a value has come, by the sketch, when it may be one of the most frequent
)

// valueCounts counts the most frequent values of a field: exactly as long as
// there are at most maxValues of them. From then on a value takes the place of
// the least frequent one when it has come more often by a sketch of all
// (Cormode, Muthukrishnan: J. Algorithms 2005), or, where there is no sketch,
// by the Space-Saving algorithm (Metwally, Agrawal, El Abbadi: ICDT 2005).
type valueCounts struct {
	entries []valueCount
	tags    [maxValues / 8]uint64 // of each entry the end of its hash, a byte
	dropped bool                  // some value lost its place: the counts are estimates
	least   int                   // a count that no entry is below,
	more    int                   // and how many of the first entries are above it
}

type valueCount struct {
	hash     uint64
	count    int
	over     int              // by how much count may be too high
	text     []byte           // the JSON value as written; at most maxValueLen bytes of a string
	cut      bool             // text is not all of it
	isHidden bool             // it has a placeholder for any value
	isPlain  bool             // that it comes again changes nothing but its count, and that of its form
	form     *drain.KnownForm // of a plain text, nil if it has none
}

// index returns where the value is counted, -1 if it is not.
func (v *valueCounts) index(hash uint64) int {
	tag := uint64(byte(hash)) * ascii.EachByte
	for i := 0; i < len(v.entries); i += 8 {
		for same := ascii.ZeroBytes(v.tags[i/8%len(v.tags)] ^ tag); same != 0; same &= same - 1 {
			at := i + bits.TrailingZeros64(same)/8
			if at < len(v.entries) && v.entries[at].hash == hash {
				return at
			}
		}
	}
	return -1
}

// tag keeps the end of a hash for the entry at a place.
func (v *valueCounts) tag(at int, hash uint64) {
	shift := at % 8 * 8
	v.tags[at/8] = v.tags[at/8]&^(0xff<<shift) | uint64(byte(hash))<<shift
}

// isFull says whether one more value would make the counts estimates.
func (v *valueCounts) isFull(room int) bool {
	return len(v.entries) == maxValues || room < valueSize && len(v.entries) >= sureValues
}

// add counts a value that has no index, while there is room for one more.
func (v *valueCounts) add(hash uint64, value []byte, room *int) {
	*room -= valueSize
	v.entries = append(v.entries, valueCount{})
	v.put(len(v.entries)-1, hash, value, 1, 0)
}

// replace counts a value that has no index in the place of the least frequent one.
func (v *valueCounts) replace(hash uint64, value []byte) {
	if len(v.entries) == 0 {
		return
	}
	least := v.leastFrequent()
	came := v.entries[least].count
	v.put(least, hash, value, came+1, came)
}

// put makes the entry at a place that of a value.
func (v *valueCounts) put(at int, hash uint64, value []byte, count, over int) {
	e := &v.entries[at]
	e.hash, e.count, e.over, e.isPlain, e.isHidden = hash, count, over, false, false
	e.keep(value)
	v.tag(at, hash)
}

// offer counts a value that has no index, if it has come more often than the least frequent one that is counted: so many times by a
// sketch, which says up to over too much. It returns which one lost its place, and how often that has come.
func (v *valueCounts) offer(hash uint64, value []byte, times, over int, room *int) (lost uint64, came int, ok bool) {
	if times < leastOffered {
		return 0, 0, false
	}
	if !v.isFull(*room) {
		v.add(hash, value, room)
		e := &v.entries[len(v.entries)-1]
		e.count, e.over = times, over
		v.least, v.more = min(v.least, times), 0
		return 0, 0, false
	}
	if len(v.entries) == 0 {
		return 0, 0, false
	}
	least := v.leastFrequent()
	e := &v.entries[least]
	lost, came = e.hash, e.count
	times = min(times, max(came, leastOffered-1)+1) // it has been offered each time that it came, and was not more frequent
	if times <= came {
		return 0, 0, false
	}
	v.put(least, hash, value, times, over)
	return lost, came, true
}

// leastFrequent returns the first of the entries that have the least count. Counts only grow, so the search goes on where the
// last one ended.
func (v *valueCounts) leastFrequent() int {
	for {
		for ; v.more < len(v.entries); v.more++ {
			if v.entries[v.more].count == v.least {
				return v.more
			}
		}
		v.more, v.least = 0, v.entries[0].count
		for i := range v.entries {
			v.least = min(v.least, v.entries[i].count)
		}
	}
}

func (e *valueCount) keep(value []byte) {
	e.cut = len(value) > maxValueLen
	if e.cut && value[0] == '"' {
		value = jsonx.CutInside(value[1:len(value)-1], maxValueLen-1)
		e.text = append(append(e.text[:0], '"'), value...)
		return
	}
	e.text = append(e.text[:0], value[:min(len(value), maxValueLen)]...)
}

// repeats says whether some value is known to have come twice.
func (v *valueCounts) repeats() bool {
	return slices.ContainsFunc(v.entries, func(e valueCount) bool { return e.count-e.over > 1 })
}

// frequent appends the entries to dst, the most frequent first. When counts
// are estimates, only those that are certain to make up a fair share of total.
// Without a sketch they are told by what is certain of their counts: a value that took the place of another has its count, too.
func (v *valueCounts) frequent(dst []valueCount, total int, hasSketch bool) []valueCount {
	for _, e := range v.entries {
		if !v.dropped || e.isFairShare(total) {
			if !hasSketch {
				e.count -= e.over
			}
			dst = append(dst, e)
		}
	}
	slices.SortStableFunc(dst, func(a, b valueCount) int { return b.count - a.count })
	return dst
}

// hasFairShare says whether a value is certain to make up a fair share of total.
func (v *valueCounts) hasFairShare(total int) bool {
	return slices.ContainsFunc(v.entries, func(e valueCount) bool { return e.isFairShare(total) })
}

func (e *valueCount) isFairShare(total int) bool {
	const fairShare = 100 // one in so many
	sure := e.count - e.over
	return sure > 1 && sure*fairShare >= total
}

// appendValue appends the value as JSON; a shortened one as a string that ends
// in an ellipsis.
func (e *valueCount) appendValue(dst []byte) []byte {
	if !e.cut {
		return append(dst, e.text...)
	}
	if e.text[0] != '"' {
		dst = append(dst, '"')
	}
	return append(append(dst, e.text...), jsonx.Ellipsis+`"`...)
}

// appendName appends the value as the name of a member. A string that could be
// taken for another type of value keeps its quotes.
func (e *valueCount) appendName(dst []byte) []byte {
	if e.text[0] != '"' {
		dst = append(append(dst, '"'), e.text...)
		if e.cut {
			dst = append(dst, jsonx.Ellipsis...)
		}
		return append(dst, '"')
	}
	if !e.cut && isAmbiguous(jsonx.Inside(e.text)) {
		return append(append(append(dst, `"\"`...), jsonx.Inside(e.text)...), `\""`...)
	}
	return e.appendValue(dst)
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
