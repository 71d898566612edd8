package fields

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/value"
	"github.com/kfw-dev/kfw/summarize/worth"
)

// Strings returns the values of a field if they are so many strings, all different and known in full, and none a
// number.
func (f *Seen) Strings(n int) (values [][]byte) {
	if f.Values != n || f.Types[jsonx.String] != n || len(f.Counts.Entries) != n {
		return nil
	}
	for _, e := range f.Counts.Entries {
		name := jsonx.Inside(e.Text)
		if _, isNumber := value.ParseDigits(name); e.Cut || isNumber || len(name) == 0 {
			return nil
		}
		values = append(values, bytes.Clone(name))
	}
	return values
}

// IsPartOfLine reports whether the values of a field follow a name that lines begin with: these
// lines are judged as a whole.
func (f *Naming) IsPartOfLine() bool { return f.IsKey && !f.IsPair }

// MaxFewValues is how many different values a field has at most for each of them to be told; of
// more, the most frequent ones are, or a range.
const MaxFewValues = 8

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
	case f.AreForms(), f.AreFolders() && !f.Seen.ComesAgain():
		return worth.Forms
	case f.Seen.IsUnique || f.Seen.Counts.Dropped && !f.Seen.Counts.Repeats():
		return worth.Unique
	}
	return worth.Frequent
}

// spread is how evenly the few values of a field come, from 0 to 1: their entropy in bits, 1 at most.
func (f *Seen) spread() float64 {
	bits := 0.0
	for _, e := range f.Counts.Entries {
		share := float64(e.Count) / float64(f.Counted)
		bits -= share * math.Log2(share)
	}
	return min(1, bits)
}

// IsOneTypeOrNull says whether some of the values are null and all others of one type.
func (f *Seen) IsOneTypeOrNull() bool {
	return f.Types[jsonx.Null] > 0 && f.TypesSeen() == 2 && f.Counted > f.Types[jsonx.Null]
}

// ValuesShown is how many of few values are told at a level.
func (f *Seen) ValuesShown(l worth.Level) int {
	if l == worth.Basic {
		return min(len(f.Counts.Entries), MaxFewValues/2)
	}
	return len(f.Counts.Entries)
}

// RankOfNull is how many of the values came as often as null, or more often.
func (f *Seen) RankOfNull() (rank int) {
	for _, e := range f.Counts.Entries {
		if string(e.Text) != "null" && e.Count >= f.Types[jsonx.Null] {
			rank++
		}
	}
	return rank
}

// IsConstant reports whether every value was counted, and all are the same.
func (f *Seen) IsConstant() bool {
	return f.IsExact() && len(f.Counts.Entries) == 1 && f.Counted == f.Values
}

// HasFewValues reports whether no more than MaxFewValues different values were counted, and none
// lost its place to another.
func (f *Seen) HasFewValues() bool { return f.IsExact() && len(f.Counts.Entries) <= MaxFewValues }

// HasTimes says whether all strings of a field are times, or all are what a clock shows.
func (f *Field) HasTimes() bool {
	return f.Times != nil && !f.hasNoTimes && !f.Times.Mixed && f.Times.Clocks.IsClear()
}

// IsMostlyProse says whether the values of a name are sentences, of which the forms of their lines tell more.
func (f *Field) IsMostlyProse() bool {
	return f.Named.Prose > formats.LeastOfKey && formats.ProseOfKey*f.Named.Prose > f.Seen.Values
}

const LeastShare = .9 // of the records that have such a field, and of its values that are different

// MayIdentify says whether nearly all values of a field are different, and no measured numbers.
func (f *Field) MayIdentify() bool {
	return float64(f.Seen.Fresh) >= LeastShare*float64(f.Seen.Values) && (f.Numbers == nil || !f.HasFractions())
}

const MaxStringLen = 16 << 10 // bytes of a string that are looked at

// Surprise is that of a new word in the strings of the field.
func (f *Field) Surprise() float64 { return surprise.OfNew(f.Words, f.FreshWords) }

const (
	LeastRecords = 5  // before anything can stand out
	timesOfEach  = 8  // that each of few times comes, on average
	LeastNumbers = 12 // before a number can be far out
)

// MayHaveRare says whether a value of a kind can be rare in the field: not where most are different.
func (f *Field) MayHaveRare(k jsonx.Kind) bool {
	total, different := f.Seen.Types[k], max(1, f.Seen.Fresh) // null is no value that others differ from
	switch {
	case f.Seen.Latest != nil: // not all have been counted
		return false
	case total < 2*LeastRecords && !f.Named.IsKey:
		return false
	// times differ as ids do, except that of one event
	case k == jsonx.String && 2*f.TimeCount > total && timesOfEach*different > total:
		return false
	case f.Named.IsKey && 4*different > total:
		return false
	case k == jsonx.Number || k == jsonx.String && f.Written.HasNumerals():
		return float64(different) <= max(4, float64(total)*.06) || f.Seen.hasUsualValue(total)
	}
	return 2*different <= total
}

// hasUsualValue says whether the values are few, and more than half of so many are the same one, as the status of
// most requests is.
func (f *Seen) hasUsualValue(total int) bool {
	return f.HasFewValues() &&
		slices.ContainsFunc(f.Counts.Entries, func(e ValueCount) bool { return 2*e.Count > total })
}

// MayBeFar says whether the number that came last may be far from those that come: it is one of the first, and far
// from those before it, or hardly any are.
func (f *Field) MayBeFar() bool {
	const hardlyAny = 3
	n := f.Numbers
	return n.Count < LeastNumbers && (n.IsFar || n.Count <= hardlyAny)
}

// IsOutside is a quick look whether a number may be far out.
func (f *Field) IsOutside(number float64) bool {
	n := f.Numbers
	if n.Count >= n.LookAgain {
		n.Bulk[0], n.Bulk[1], n.HasBulk = f.Bulk()
		n.LookAgain = n.Count + n.Count/4
	}
	return n.HasBulk && surprise.OfDistance(n.Bulk[0], n.Bulk[1], number) > 0
}

// Bulk is between which numbers those of a field are: nine tenths of them, or 98 % where nine tenths are the same. It
// tells nothing where even those are.
func (f *Field) Bulk() (low, high float64, ok bool) {
	if !f.HasNumbers() || f.Numbers.Count < LeastNumbers {
		return 0, 0, false
	}
	for _, tail := range [...]float64{.05, .01} {
		if low, high, ok = f.between(tail); ok && high > low {
			return low, high, true
		}
	}
	return 0, 0, false
}

// between are the numbers that a share of those of a field is below, and above.
func (f *Field) between(tail float64) (low, high float64, ok bool) {
	if !f.Seen.IsExact() {
		if sample := f.Numbers.Sample; sample != nil {
			low, high = sample.Between(tail)
			return low, high, true
		}
		if f.Numbers.Quantiles == nil {
			return 0, 0, false
		}
		low, ok1 := f.Numbers.Quantiles.Quantile(tail)
		high, ok2 := f.Numbers.Quantiles.Quantile(1 - tail)
		return low, high, ok1 && ok2
	}
	some, _ := f.countedNumbers()
	total := 0
	for _, n := range some {
		total += n.Count
	}
	slices.SortFunc(some, func(a, b sketch.Counted) int { return cmp.Compare(a.Number, b.Number) })
	outside := max(1, int(tail*float64(total))) // one that is far out is never among them
	at, isIn := 0, false
	for _, c := range some {
		if at += c.Count; !isIn && at > outside {
			low, isIn = c.Number, true
		}
		if at > total-1-outside {
			return low, c.Number, true
		}
	}
	return 0, 0, false
}

// Scalar is a value that is added, and what is known of it.
type Scalar struct {
	Value    []byte // canonical JSON
	Kind     jsonx.Kind
	Hash     uint64
	Known    int // where it is counted; -1 if it is not yet
	Times    int // it is known to have come, this time included
	Form     int // of a text, -1 if it has none
	IsNumber bool
	Number   float64
	IsTime   bool
	Time     value.Timestamp
}

// IsPlain says whether to come again changes nothing but counts for a value that is no error and not rare: it is
// neither a number nor a time, and does not end with a number that may count.
func (f *Field) IsPlain(v *Scalar) bool {
	switch {
	case v.Known < 0, v.IsNumber, v.IsTime:
		return false
	case v.Kind != jsonx.String:
		return true
	case f.CountsFolders():
		return false
	}
	_, mayCount := NumberAtEnd(jsonx.Inside(v.Value))
	return f.Written.isProse && (!mayCount || f.Sequence != nil && f.Sequence.IsNone)
}

// HasLike reports whether a text is about as long as the values of a field, and one of those that are
// known is made of the same kinds of characters.
func (f *Field) HasLike(text []byte) bool {
	if 2*len(text) <= f.Shortest || len(text) >= 2*f.Longest {
		return false
	}
	for i := range f.Seen.Counts.Entries {
		if e := &f.Seen.Counts.Entries[i]; e.Text[0] == '"' && kindsOf(jsonx.Inside(e.Text)) == kindsOf(text) {
			return true
		}
	}
	return false
}

// kindsOf returns which kinds of characters a text has, letters by their case.
func kindsOf(text []byte) (kinds uint16) {
	for _, c := range text {
		switch {
		case ascii.IsUpper(c):
			kinds |= 1
		case ascii.IsLetter(c):
			kinds |= 2
		case ascii.IsDigit(c):
			kinds |= 4
		case ascii.IsBlank(c):
			kinds |= 8
		case c >= 0x80:
			kinds |= 16
		default:
			kinds |= 32
		}
	}
	return kinds
}
