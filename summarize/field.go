package summarize

import (
	"math/bits"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/value"
)

// field is what is kept about one place in the records.
type field struct {
	rows       int // records that stood here themselves
	records    int // that have it
	lastRecord int
	isLate     bool             // it was known before the records that it is in: records is an estimate
	values     int              // of all types; more than records for elements of arrays
	types      [jsonx.Kinds]int // values by type
	counted    int              // values that are scalars or empty containers
	counts     valueCounts
	distinct   sketch.Distinct
	numbers    *value.Numbers
	times      *value.TimeRange
	timeline   *timeline // of the times, in the order they came; nil when nobody asks what stands out
	sequence   *sequence // likewise of the numbers
	timeCount  int
	hasNoTimes bool        // some string is neither a time nor what a clock shows
	numerals   int         // strings that are written as a number is, as long as nearly all of them are
	unit       *value.Unit // of these; nil before the first that tells
	converted  []byte      // the numeral at hand, when it had another unit
	plain      []byte      // the same without commas between thousands
	redacted   int         // strings of which a placeholder is all that is left: they need not be equal
	isBlurred  bool        // others have one
	literals   value.Spelling
	hasCommas  bool // of fractions: it is a column between semicolons
	isProse    bool // the strings are no numerals
	shortest   int  // length of a string, in bytes as written
	longest    int
	example    valueCount           // one of the values, when isUnique
	isKey      bool                 // of lines that are a name and its value
	isPair     bool                 // or have such among others
	column     int32                // of a name that lines begin with: where it begins
	outermost  int                  // of the same name: the place in the column where it came first
	isColumn   bool                 // of lines that are rows
	prose      int                  // values of such that are long
	others     sketch.Distinct      // for the members past the cap of their object: names
	isWhole    bool                 // strings that are objects as JSON are strings
	errors     int                  // strings with a word for an error, or numbers that are the level of one
	fresh      int                  // values that were new when they came
	rare       int                  // values that have come once or twice
	words      int                  // in strings
	freshWords int                  // words that were new
	texts      *texts               // nil unless some string has a few words
	folders    *folders             // nil unless some string is a path
	isUnique   bool                 // nearly no value came twice: the most frequent are not counted
	latest     *latest              // of its values, when isUnique
	levels     lineclass.LevelScale // of its numbers
}

// latest are the hashes of the last values of a field, and how often one of them came again: what was unique need not stay so.
type latest struct {
	hashes [16]uint64
	again  int
}

// comesAgain looks at one more value, and says whether several have come again.
func (l *latest) comesAgain(hash uint64, counted int) bool {
	const several = 8
	if slices.Contains(l.hashes[:], hash) {
		l.again++
	}
	l.hashes[counted%len(l.hashes)] = hash
	return l.again >= several
}

const (
	uniqueAfter    = 512 // values, a power of two
	leastDifferent = .95 // of them
)

func (f *field) see(record int, k jsonx.Kind) {
	if f.lastRecord != record {
		f.lastRecord = record
		f.records++
	}
	f.values++
	f.types[k]++
}

// startSketches begins to estimate what the counts can't tell any longer.
func (f *field) startSketches(room *int) {
	for _, e := range f.counts.entries {
		f.distinct.Add(e.hash, room)
	}
	if f.numbers != nil {
		f.startQuantiles(room)
	}
}

// mayBeUnique says, from time to time, whether nearly all values are different and none has a fair share.
func (f *field) mayBeUnique() bool {
	isReview := f.counted >= uniqueAfter && bits.OnesCount(uint(f.counted)) == 1
	if !isReview || f.counts.hasFairShare(f.counted) {
		return false
	}
	different, _, ok := f.distinct.Count()
	return ok && float64(different) >= leastDifferent*float64(f.counted)
}

// dropUnique gives up to look for frequent values where there are none.
func (f *field) dropUnique(room *int) {
	if len(f.counts.entries) == 0 {
		return
	}
	f.isUnique, f.latest = true, new(latest)
	f.example = f.counts.entries[0]
	*room += (len(f.counts.entries) - 1) * valueSize
	f.counts.entries, f.counts.least, f.counts.more = nil, 0, 0
}

// isExact says whether every value is counted.
func (f *field) isExact() bool { return !f.counts.dropped }

// addString takes in a string, and reads the time that it may be. What a clock shows has a range as times have, and is no point in time.
func (f *field) addString(v *scalar) {
	text := jsonx.Inside(v.value)
	f.addLength(text)
	shown, ok := value.ParseTimestamp(text)
	if ok {
		v.time, v.isTime = shown, true
		f.timeCount++
	}
	if f.hasNoTimes {
		return
	}
	var form value.ClockForm
	if !ok {
		if shown, form, ok = value.ParseClock(text); !ok {
			f.hasNoTimes = true
			return
		}
	}
	if f.times == nil {
		f.times = new(value.TimeRange)
	}
	f.times.Clocks |= form
	f.times.Add(shown, text)
}

// addLength takes in how long a string is, in bytes: as it reads, not as JSON writes it.
func (f *field) addLength(inside []byte) {
	const longestEscape = len(`\u001f`)
	isFirst, length := f.types[jsonx.String] == 1, len(inside)
	if isFirst || length > f.longest || length < longestEscape*f.shortest {
		length = jsonx.UnescapedKnownLen(inside)
	}
	if isFirst || length < f.shortest {
		f.shortest = length
	}
	f.longest = max(f.longest, length)
}

// addNumeral counts a string that is written as a number is, and returns that: not where others are more than an exception,
// as "n/a" may be. A number that has been converted is rounded.
func (f *field) addNumeral(inside []byte) (number []byte, isRounded, ok bool) {
	const others = 10 // numerals for each of them, but for the first
	if f.isProse {
		return nil, false, false
	}
	if number, isRounded, ok = f.numeral(inside); ok {
		f.numerals++
		if f.unit == nil && !f.hasCommas {
			f.learnUnit(inside)
		}
		f.literals.Add(inside)
		return number, isRounded, true
	}
	f.literals.AddText(inside)
	f.isProse = f.noNumerals() > 1+f.numerals/others
	return nil, false, false
}

// noNumerals is how many strings there are that are no numerals.
func (f *field) noNumerals() int { return f.types[jsonx.String] - f.numerals }

// hasNumerals says whether the strings of a field are numbers.
func (f *field) hasNumerals() bool { return f.numerals > 0 && !f.isProse }

// hasNumbers says whether the facts of a field are those of numbers, all of one unit or of none, and what is none does not begin as
// one: of 0 and "3 (5h ago)" the greatest number is not 0.
func (f *field) hasNumbers() bool {
	isMixed := f.types[jsonx.Number] > 0 && (f.hasUnit() || f.hasTextsLikeNumbers())
	isNone := f.literals.AreMixed || f.literals.UnitVaries || f.literals.AreVersions()
	return f.numbers != nil && (f.numerals == 0 || f.hasNumerals()) && !isMixed && !isNone && !f.areCodes()
}

// typesSeen says how many types the values have.
func (f *field) typesSeen() int {
	n := 0
	for _, count := range f.types {
		if count > 0 {
			n++
		}
	}
	return n
}

// hasTextsLikeNumbers says whether there are strings that begin as a number does, and none is one.
func (f *field) hasTextsLikeNumbers() bool {
	return f.types[jsonx.String] > 0 && f.numerals == 0 && slices.ContainsFunc(f.counts.entries, func(e valueCount) bool {
		return len(e.text) > 2 && e.text[0] == '"' && ascii.IsDigit(e.text[1])
	})
}
