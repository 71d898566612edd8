package surprise

import "math"

const (
	Learning    = 20  // records before anything but an error can be new
	rareShare   = 10  // what stands out is at most one event in so many
	FirstErrors = 5   // that stand out in any case
	errorShare  = 100 // after them, at most one in so many
)

// IsRare reports whether one more event of a sort stands out after n events of which so many were
// of that sort. What is different every time never does.
func IsRare(events, n int) bool { return n >= Learning && (events+1)*rareShare <= n }

// IsRareError reports whether one more error stands out after n records of which so many had one.
func IsRareError(errors, n int) bool { return errors < FirstErrors || errors*errorShare <= n }

// OfNew returns the score of one more new word where so many of all words were new.
func OfNew(all, fresh int) float64 {
	return math.Log(float64(all+2) / float64(fresh+1))
}

const (
	MostOfRare    = 2    // times that a rare value may have come
	FarOutWidths  = 3    // distance from the bulk of the numbers, in widths of it
	LeastWidth    = .002 // of the bulk, as a share of the numbers
	leastTimes    = .001 // what a number of a few, all above 0, is taken for at least
	LongNumberLen = 6    // digits of a number in a line that can stand out by its length
)

// The scores of single reasons, all on one scale.
const (
	NewType     = 9
	Outcome     = 7 // of a line that says that something is missing or ended with a status
	Verdict     = 6 // of a line that says how a run ended
	RareNumber  = 5
	Failure     = 5 // of an error that is named around a text, as what wrote it says why it failed
	NewField    = 4
	FarOut      = 4
	LongNumber  = 4
	Misfit      = 4
	Jump        = 3
	RareValue   = 3
	Gap         = 2
	Trace       = 2
	AmongFew    = 2 // more, where lines of the template have one of few
	RareWord    = 1.5
	MarkedError = 1.5 // for a line that a mark says is an error: it comes before what is only rare
	ErrorWord   = .5
	MostOfCell  = 11 // of a number in a table: some column is nearly always 0
)

// What is taken from a score.
const (
	LessOutside   = 1  // where e times as many numbers are far out
	LessAmongFew  = 2  // likewise from one of few numbers in lines, which may be measured
	LessAmongRare = .5 // likewise from a rare value
	LessRepeated  = 2  // from that of a number that came e times
	LessOfForm    = 2  // for each e times that lines of the template come: the template tells the rest
	LessUnixTime  = .5 // from that of a time that has to be converted to be read
)

// OfDistance returns the score of a number outside the bulk of the others, which goes from low to
// high; 0 if it is not far out.
func OfDistance(low, high, number float64) float64 {
	width := max(high-low, math.Abs(high)*LeastWidth)
	distance := max(low-number, number-high) / width
	if low > 0 && number < low { // by how many times, as it can't be far below
		least := low * leastTimes
		distance = max(distance, math.Log(low/max(number, least))/math.Log(max(high/low, 1+LeastWidth)))
	}
	if low >= 0 && number < 0 {
		distance = max(distance, 2*FarOutWidths)
	}
	if distance > FarOutWidths && !math.IsInf(distance, 0) {
		return FarOut + 1.5*math.Log(distance)
	}
	return 0
}
