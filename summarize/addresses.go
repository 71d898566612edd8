package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// Addresses in lines are counted under the name that their place has in a form: which ones come most often, and how
// many there are, tells of a log who is at the other end.

// addAddresses takes in the addresses in the current line, and says whether it has any.
func (s *lineReader) addAddresses(line []byte) (found bool) {
	line = line[:min(len(line), mask.MaxLineLen)]
	addAll := func(next func(line []byte, from int) (start, end int)) {
		for start, end := next(line, 0); start < end; start, end = next(line, end) {
			s.addPair([]byte(mask.AnyAddress), line[start:end])
			found = true
		}
	}
	if s.text.Has&(mask.Digit|mask.Dot) == mask.Digit|mask.Dot {
		addAll(mask.NextAddress)
	}
	if s.text.Has&(mask.Digit|mask.Colon) == mask.Digit|mask.Colon &&
		(bytes.Contains(line, []byte("::")) || bytes.Count(line, []byte{':'}) >= mask.ColonsOfAddress) {
		addAll(mask.NextLongAddress)
	}
	return found
}
