package fields

import (
	"bytes"
	"math"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// notAdded are the last words of names of numbers whose sum tells nothing: identifiers, codes, places, and shares.
var notAdded = func() map[string]bool {
	names := make(map[string]bool)
	for _, name := range strings.Fields(`id ids pid ppid uid gid port code status errno line column index offset year version
		percent percentage pct ratio rate mean avg average median age level priority epoch timestamp`) {
		names[name] = true
	}
	return names
}()

// AddUp reports whether the numbers of a field at a path are amounts, so that their sum and their mean tell something:
// not numbers that count the records, and not those of columns without a name.
func (f *Field) AddUp(path []byte) bool {
	name := bytes.TrimSuffix(path[1+bytes.LastIndexByte(path, '.'):], []byte("[]"))
	return !f.isSequence() && len(name) > 0 && name[0] != '$' && bytes.IndexByte(name, '%') < 0 &&
		!(f.Written.hasUnit() && f.Written.Unit.Name == "%") && !notAdded[strings.ToLower(string(lastNameWord(name)))]
}

// leastSequence is how many numbers are a sequence at least.
const leastSequence = 10

// isSequence reports whether the numbers are different, and go from the least to the greatest by one, nearly.
func (f *Field) isSequence() bool {
	n := f.Numbers
	different, _, ok := f.Seen.Distinct.Count()
	if f.Seen.IsExact() {
		different, ok = len(f.Seen.Counts.Entries), true
	}
	return ok && n.Count >= leastSequence && !n.Sum.HasFractions() &&
		float64(different) > leastDifferent*float64(n.Count) &&
		countsUp(n.Min.Value, n.Max.Value, n.Count)
}

// countsUp reports whether there are about as many numbers as there are integers from the least to the greatest one.
func countsUp(least, greatest float64, numbers int) bool {
	return greatest == math.Trunc(greatest) && math.Abs(greatest-least+1-float64(numbers)) < float64(numbers)/10
}

// lastNameWord returns the last word of a name: Id of userId, id of user_id and of user-id.
func lastNameWord(name []byte) []byte {
	from := len(name)
	for from > 0 && ascii.IsLetter(name[from-1]) {
		from--
		if isUpper := name[from] < 'a'; isUpper && from > 0 && name[from-1] >= 'a' && name[from-1] <= 'z' {
			break
		}
	}
	return name[from:]
}
