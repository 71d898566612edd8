package budget

import "math/bits"

// Shares of the budget of an invocation, in percent: above the first frames are raw, above the second tables, and from
// the third on summaries. What a response begins with is shown best; the later, the more one token has to speak for.
const (
	rawAbove    = 60
	tableAbove  = 30
	summaryFrom = 10
)

// Shares of the budget of a session, in percent, which bound what an invocation may show in the same way. They are
// lower: many invocations share it, and each has a budget of its own.
const (
	askedAbove         = 50
	sessionTableAbove  = 20
	sessionSummaryFrom = 5
)

// Phase is the mode that the budget of one invocation asks for, from the tokens left of its total:
//
//	more than 60 %   Raw
//	30 % to 60 %     Table
//	10 % to 30 %     Summary
//	less than 10 %   HandleOnly
//
// A share exactly on a boundary takes the stricter side, except that exactly 10 % is still Summary.
// Without a total, or with nothing left, it is HandleOnly.
func Phase(left, total int) Mode {
	switch {
	case compareShare(left, total, rawAbove) > 0:
		return Raw
	case compareShare(left, total, tableAbove) > 0:
		return Table
	case compareShare(left, total, summaryFrom) >= 0:
		return Summary
	default:
		return HandleOnly
	}
}

// SessionPhase is the mode that a session allows to a caller who asked for one, from the tokens left of its total:
//
//	more than 50 %   what was asked
//	20 % to 50 %     Table or stricter
//	5 % to 20 %      Summary or stricter
//	less than 5 %    HandleOnly
//
// A share exactly on a boundary takes the stricter side, except that exactly 5 % is still Summary.
// Without a total, or with nothing left, it is HandleOnly.
func SessionPhase(left, total int, asked Mode) Mode {
	switch {
	case compareShare(left, total, askedAbove) > 0:
		return asked
	case compareShare(left, total, sessionTableAbove) > 0:
		return Strictest(asked, Table)
	case compareShare(left, total, sessionSummaryFrom) >= 0:
		return Strictest(asked, Summary)
	default:
		return HandleOnly
	}
}

// compareShare compares left/total with percent/100 and returns -1, 0 or 1. The products are of 128 bits, so no total
// is too large for it.
func compareShare(left, total int, percent uint64) int {
	if left <= 0 || total <= 0 {
		return -1
	}
	leftHigh, leftLow := bits.Mul64(uint64(left), 100)
	shareHigh, shareLow := bits.Mul64(uint64(total), percent)
	switch {
	case leftHigh > shareHigh, leftHigh == shareHigh && leftLow > shareLow:
		return 1
	case leftHigh == shareHigh && leftLow == shareLow:
		return 0
	default:
		return -1
	}
}
