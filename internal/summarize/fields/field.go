package fields

import (
	"math/bits"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/value"
	"github.com/kfw-dev/kfw/internal/summarize/worth"
)

// Field is what is kept about one place in the records.
type Field struct {
	Rows       int // records that stood here themselves
	Records    int // that have it
	lastRecord int
	IsLate     bool // it was known before the records that it is in: records is an estimate
	Seen       Seen
	Numbers    *value.Numbers
	Times      *value.TimeRange
	TimeCount  int
	hasNoTimes bool // some string is neither a time nor what a clock shows
	Written    Written
	Shortest   int // length of a string, in bytes as written
	Longest    int
	Named      Naming
	Others     sketch.Distinct // for the members past the cap of their object: names
	IsWhole    bool            // strings that are objects as JSON are strings
	Texts      *Texts          // nil unless some string has a few words
}

// latest are the hashes of the last values of a field, and how often one of them came again: what was unique need not
// stay so.
type latest struct {
	hashes [16]uint64
	again  int
}

// ComesAgain looks at one more value, and says whether several have come again.
func (l *latest) ComesAgain(hash uint64, counted int) bool {
	const several = 8
	if slices.Contains(l.hashes[:], hash) {
		l.again++
	}
	l.hashes[counted%len(l.hashes)] = hash
	return l.again >= several
}

const (
	UniqueAfter    = 512 // values, a power of two
	leastDifferent = .95 // of them
)

// See counts a value of kind k that is at the place in a record, by the number of that, from 1. A
// record with several values there counts once.
func (f *Field) See(record int, k jsonx.Kind) {
	if f.lastRecord != record {
		f.lastRecord = record
		f.Records++
	}
	f.Seen.Values++
	f.Seen.Types[k]++
}

// StartSketches begins to estimate what the counts can't tell any longer.
func (f *Field) StartSketches(room *int) {
	for _, e := range f.Seen.Counts.Entries {
		f.Seen.Distinct.Add(e.Hash, room)
	}
}

// MayBeUnique says, from time to time, whether nearly all values are different and none has a fair share.
func (f *Seen) MayBeUnique() bool {
	isReview := f.Counted >= UniqueAfter && bits.OnesCount(uint(f.Counted)) == 1
	if !isReview || f.Counts.hasFairShare(f.Counted) {
		return false
	}
	different, _, ok := f.Distinct.Count()
	return ok && float64(different) >= leastDifferent*float64(f.Counted)
}

// DropUnique gives up to look for frequent values where there are none.
func (f *Seen) DropUnique(room *int) {
	if len(f.Counts.Entries) == 0 {
		return
	}
	f.IsUnique, f.Latest = true, new(latest)
	f.Example = f.Counts.Entries[0]
	*room += (len(f.Counts.Entries) - 1) * valueSize
	f.Counts.Entries, f.Counts.least, f.Counts.more = nil, 0, 0
}

// IsExact says whether every value is counted.
func (f *Seen) IsExact() bool { return !f.Counts.Dropped }

// AddString takes in a string, and reads the time that it may be. What a clock shows has a range as times have, and
// is no point in time.
func (f *Field) AddString(v *Scalar) {
	text := jsonx.Inside(v.Value)
	f.addLength(text)
	shown, ok := value.ParseTimestamp(text)
	if ok {
		v.Time, v.IsTime = shown, true
		f.TimeCount++
	}
	if f.hasNoTimes {
		return
	}
	var layout value.ClockLayout
	if !ok {
		if shown, layout, ok = value.ParseClock(text); !ok {
			f.hasNoTimes = true
			return
		}
	}
	if f.Times == nil {
		f.Times = new(value.TimeRange)
	}
	f.Times.Clocks |= layout
	f.Times.Add(shown, text)
}

// addLength takes in how long a string is, in bytes: as it reads, not as JSON writes it.
func (f *Field) addLength(inside []byte) {
	const longestEscape = len(`\u001f`)
	isFirst, length := f.Seen.Types[jsonx.String] == 1, len(inside)
	if isFirst || length > f.Longest || length < longestEscape*f.Shortest {
		length = jsonx.UnescapedKnownLen(inside)
	}
	if isFirst || length < f.Shortest {
		f.Shortest = length
	}
	f.Longest = max(f.Longest, length)
}

// AddNumeral counts a string that is written as a number is, and returns that: not where others are more than an
// exception, as "n/a" may be. A number that has been converted is rounded.
func (f *Field) AddNumeral(inside []byte) (number []byte, isRounded, ok bool) {
	const others = 10 // numerals for each of them, except the first
	if f.Written.isProse {
		return nil, false, false
	}
	if number, isRounded, ok = f.Written.numeral(inside); ok {
		f.Written.Numerals++
		if f.Written.Unit == nil && !f.Written.HasCommas {
			f.Written.learnUnit(inside)
		}
		f.Written.Literals.Add(inside)
		return number, isRounded, true
	}
	f.Written.Literals.AddText(inside)
	f.Written.hasMore = f.Written.hasMore || len(inside) > 0 && ascii.IsDigit(inside[0])
	f.Written.isProse = f.NoNumerals() > 1+f.Written.Numerals/others
	return nil, false, false
}

// NoNumerals is how many strings there are that are no numerals.
func (f *Field) NoNumerals() int { return f.Seen.Types[jsonx.String] - f.Written.Numerals }

// HasNumerals says whether the strings of a field are numbers.
func (f *Written) HasNumerals() bool { return f.Numerals > 0 && !f.isProse }

// HasNumbers says whether the facts of a field are those of numbers, all of one unit or of none, and what is none
// does not begin as one: of 0 and "3 (5h ago)" the greatest number is not 0.
func (f *Field) HasNumbers() bool {
	isMixed := f.Seen.Types[jsonx.Number] > 0 && (f.Written.hasUnit() || f.hasTextsLikeNumbers())
	isNone := f.Written.Literals.AreMixed || f.Written.Literals.UnitVaries || f.Written.Literals.AreVersions() ||
		f.Written.hasMore
	return f.Numbers != nil && (f.Written.Numerals == 0 || f.Written.HasNumerals()) && !isMixed && !isNone &&
		!f.areCodes()
}

// TypesSeen says how many types the values have.
func (f *Seen) TypesSeen() int {
	n := 0
	for _, count := range f.Types {
		if count > 0 {
			n++
		}
	}
	return n
}

// hasTextsLikeNumbers says whether there are strings that begin as a number does, and none is one.
func (f *Field) hasTextsLikeNumbers() bool {
	return f.Seen.Types[jsonx.String] > 0 && f.Written.Numerals == 0 &&
		slices.ContainsFunc(f.Seen.Counts.Entries, func(e ValueCount) bool {
			return len(e.Text) > 2 && e.Text[0] == '"' && ascii.IsDigit(e.Text[1])
		})
}

// Tells returns the weight, of package worth, of what the values of the field tell.
func (f *Field) Tells() float64 {
	switch {
	case 2*f.Seen.Counted < f.Seen.Values:
		return worth.Types
	case f.Seen.IsConstant():
		return worth.Constant
	case f.Seen.HasFewValues():
		return worth.Few * (worth.ShareWhenOne + (1-worth.ShareWhenOne)*f.Seen.spread())
	case f.HasNumbers():
		return worth.Number
	case f.HasTimes():
		return worth.Time
	case f.AreTemplates():
		return worth.TextTemplates
	case f.Seen.IsUnique || f.Seen.Counts.Dropped && !f.Seen.Counts.Repeats():
		return worth.Unique
	}
	return worth.Frequent
}

// HasTimes says whether all strings of a field are times, or all are what a clock shows.
func (f *Field) HasTimes() bool {
	return f.Times != nil && !f.hasNoTimes && !f.Times.Mixed && f.Times.Clocks.IsClear()
}

const LeastShare = .9 // of the records that have such a field, and of its values that are different

const MaxStringLen = 16 << 10 // bytes of a string that are looked at
