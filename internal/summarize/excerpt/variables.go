package excerpt

// A template is a line without its variables: numbers, times, and words that are hexadecimal. Lines of one template
// differ in these alone.

const (
	anyNumber = "<num>"
	anyHex    = "<hex>"
)

// leastHex is how many characters a word of hexadecimal digits has at least to be an identifier: shorter ones are
// numbers or words.
const leastHex = 6

type byteClass uint8

const (
	otherByte byteClass = iota
	letterByte
	hexLetterByte
	digitByte
)

var byteClasses = func() (t [256]byteClass) {
	for i := range t {
		switch c := byte(i); {
		case '0' <= c && c <= '9':
			t[i] = digitByte
		case 'a' <= c && c <= 'f':
			t[i] = hexLetterByte
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c >= 0x80:
			t[i] = letterByte
		}
	}
	return t
}()

// nextVariable returns where the next variable of a line begins and ends at or after i, and what stands for it; the
// end of the line and "" if there is none.
func nextVariable(line []byte, i int) (start, end int, stands string) {
	for i < len(line) {
		switch byteClasses[line[i]] {
		case otherByte:
			i++
			continue
		case digitByte:
			if end := hexWordEnd(line, i); end > 0 {
				return i, end, anyHex
			}
			return i, numberEnd(line, i), anyNumber
		}
		if end := hexWordEnd(line, i); end > 0 {
			return i, end, anyHex
		}
		for i < len(line) && byteClasses[line[i]] != otherByte && byteClasses[line[i]] != digitByte {
			i++
		}
	}
	return len(line), len(line), ""
}

// hexWordEnd returns where a word of hexadecimal digits ends that begins at i, 0 if none does. It has digits and
// letters, and no letter or digit stands beside it.
func hexWordEnd(line []byte, i int) int {
	if i > 0 && byteClasses[line[i-1]] != otherByte {
		return 0
	}
	hasDigit, hasLetter := false, false
	end := i
	for ; end < len(line); end++ {
		switch byteClasses[line[end]] {
		case digitByte:
			hasDigit = true
			continue
		case hexLetterByte:
			hasLetter = true
			continue
		case letterByte:
			return 0
		}
		break
	}
	if end-i < leastHex || !hasDigit || !hasLetter {
		return 0
	}
	return end
}

// numberEnd returns where a number ends that begins at i: digits, with single signs between them as in 3.46, 10:31:02
// and 2026-03-02T08:00:02.203Z.
func numberEnd(line []byte, i int) int {
	for i++; i < len(line); i++ {
		switch c := line[i]; {
		case byteClasses[c] == digitByte:
		case (c == '.' || c == ':' || c == ',' || c == '-' || c == 'T') && i+1 < len(line) &&
			byteClasses[line[i+1]] == digitByte:
		default:
			return i
		}
	}
	return i
}

// templateHash returns a hash of the template of a line, FNV-1a.
func templateHash(line []byte) uint64 {
	hash := uint64(14695981039346656037)
	for at := 0; ; {
		start, end, stands := nextVariable(line, at)
		for _, c := range line[at:start] {
			hash = (hash ^ uint64(c)) * 1099511628211
		}
		if stands == "" {
			return hash
		}
		hash = (hash ^ uint64(stands[1])<<8) * 1099511628211
		at = end
	}
}

// appendTemplate appends the template of a line, at most so many bytes of it.
func appendTemplate(dst, line []byte, most int) []byte {
	from := len(dst)
	for at := 0; ; {
		start, end, stands := nextVariable(line, at)
		dst = append(dst, line[at:start]...)
		if len(dst)-from+len(stands) > most {
			return append(dst[:from+cutLen(dst[from:], most)], ellipsis...)
		}
		dst = append(dst, stands...)
		if stands == "" {
			return dst
		}
		at = end
	}
}
