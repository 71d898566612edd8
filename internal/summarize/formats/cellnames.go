package formats

import (
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// MaxTextColumns is how many columns a table in text has at most: a line with more begins none.
const MaxTextColumns = 96

// numberedNames are those of the columns that have none, as awk calls them.
var numberedNames = func() (names [MaxTextColumns][]byte) {
	for i := range names {
		names[i] = strconv.AppendInt([]byte{'$'}, int64(i+1), 10)
	}
	return names
}()

// NumberedName returns the name of the column at i, from 0, that has none: past the last one, its. It is not to be
// changed.
func NumberedName(i int) []byte { return numberedNames[min(i, MaxTextColumns-1)] }

// IsNotSign is false of the signs that stand in the header above a column of marks.
func IsNotSign(r rune) bool { return r != '|' && r != '/' && r != '#' }

// Unquoted returns a cell without the quotes around it.
func Unquoted(cell []byte) []byte {
	if len(cell) > 1 && cell[0] == '"' && cell[len(cell)-1] == '"' {
		return cell[1 : len(cell)-1]
	}
	return cell
}

// IsPlainNumber says whether a cell is a number of JSON without an exponent.
func IsPlainNumber(cell []byte) bool {
	if len(cell) > 0 && cell[0] == '-' {
		cell = cell[1:]
	}
	whole := ascii.LeadingDigits(cell)
	if whole == 0 || whole > 1 && cell[0] == '0' {
		return false
	}
	if whole == len(cell) {
		return true
	}
	return cell[whole] == '.' && whole+1 < len(cell) && whole+1+ascii.LeadingDigits(cell[whole+1:]) == len(cell)
}
