package mask

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// NextAddress finds the next IPv4 address in what of a line begins at from; it is empty if there is none.
func NextAddress(line []byte, from int) (start, end int) {
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
		if start == at || start > 0 && (line[start-1] == '.' || GoesOnBefore(line, start)) {
			continue
		}
		if n := addressLen(line[start:]); n > 0 && !goesOnAfter(line[start+n:]) {
			return start, start + n
		}
	}
}

// goesOnAfter says whether what is before text goes on there as the name of a host or a version does:
// 10.0.0.7.nip.io, 1.2.5.1-3. Another address may come after a hyphen.
func goesOnAfter(text []byte) bool {
	return len(text) > 1 && bytes.IndexByte([]byte(".-_+~"), text[0]) >= 0 && ascii.IsAlphanumeric(text[1]) &&
		addressLen(text[1:]) == 0
}
