package budget

import "math/bits"

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
	case compareShare(left, total, 60) > 0:
		return Raw
	case compareShare(left, total, 30) > 0:
		return Table
	case compareShare(left, total, 10) >= 0:
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
	case compareShare(left, total, 50) > 0:
		return asked
	case compareShare(left, total, 20) > 0:
		return Strictest(asked, Table)
	case compareShare(left, total, 5) >= 0:
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
