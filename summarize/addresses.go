package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Addresses in lines are counted under the name that their place has in a form: which ones come most often, and how many there are,
// tells of a log who is at the other end.

const colonsOfAddress = 7 // of IPv6, where two do not stand together

// addAddresses takes in the addresses in the line at hand, and says whether it has any.
func (s *Summary) addAddresses(line []byte) (found bool) {
	line = line[:min(len(line), maxLineLen)]
	addAll := func(next func(line []byte, from int) (start, end int)) {
		for start, end := next(line, 0); start < end; start, end = next(line, end) {
			s.addPair([]byte(anyAddress), line[start:end])
			found = true
		}
	}
	if s.has&(digit|dot) == digit|dot {
		addAll(nextAddress)
	}
	if s.has&(digit|colon) == digit|colon && (bytes.Contains(line, []byte("::")) || bytes.Count(line, []byte{':'}) >= colonsOfAddress) {
		addAll(nextLongAddress)
	}
	return found
}

// nextAddress finds the next IPv4 address in what of a line begins at from; it is empty if there is none.
func nextAddress(line []byte, from int) (start, end int) {
	for at := from; ; at++ {
		n := bytes.IndexByte(line[at:], '.')
		if n < 0 {
			return 0, 0
		}
		at += n
		start = at
		for start > from && ascii.IsDigit(line[start-1]) {
			start--
		}
		if start == at || start > 0 && (line[start-1] == '.' || goesOnBefore(line, start)) {
			continue
		}
		if n := addressLen(line[start:]); n > 0 && !goesOnAfter(line[start+n:]) {
			return start, start + n
		}
	}
}

// goesOnAfter says whether what is before text goes on there as the name of a host or a version does: 10.0.0.7.nip.io, 1.2.5.1-3. Another
// address may come after a hyphen.
func goesOnAfter(text []byte) bool {
	return len(text) > 1 && bytes.IndexByte([]byte(".-_+~"), text[0]) >= 0 && ascii.IsAlphanumeric(text[1]) &&
		addressLen(text[1:]) == 0
}

// nextLongAddress does the same for IPv6.
func nextLongAddress(line []byte, from int) (start, end int) {
	for start = from; start < len(line); start++ {
		if c := line[start]; c != ':' && !ascii.IsHexDigit(c) || start > 0 &&
			(ascii.IsAlphanumeric(line[start-1]) || line[start-1] == ':') {
			continue
		}
		if hexPairsLen(line[start:]) > 0 {
			continue
		}
		if n := longAddressLen(line[start:]); n > 0 {
			return start, start + n
		}
	}
	return 0, 0
}
