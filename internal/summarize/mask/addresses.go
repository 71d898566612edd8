package mask

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/value"
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

// maxSectionPart is the greatest part of the number of a section: more are rare, and fewer addresses have four parts
// as small.
const maxSectionPart = 40

// SectionChapter returns the first part of the number of a section, as 7 of 7.1.1.2, if that is what an address in a
// line reads like: it begins a heading, which is a line or what stands in one behind a tag, words follow, and all parts
// are small numbers from 1, but not the same one, as those of public resolvers are. It is 0 otherwise.
func SectionChapter(line []byte, start, end int) int {
	before := bytes.TrimLeft(line[:start], " \t#*")
	title := bytes.TrimPrefix(line[end:], []byte{'.'})
	isHeading := len(before) == 0 || before[len(before)-1] == '>'
	if !isHeading || len(title) == 0 || !ascii.IsBlank(title[0]) {
		return 0
	}
	title = bytes.TrimLeft(title, " \t")
	if len(title) == 0 || !ascii.IsLetter(title[0]) && title[0] != '<' && title[0] < 0x80 {
		return 0
	}
	chapter, isSame := 0, true
	for rest := line[start:end]; len(rest) > 0; {
		part, next, _ := bytes.Cut(rest, []byte{'.'})
		number, _ := value.ParseDigits(part)
		if number == 0 || number > maxSectionPart || part[0] == '0' {
			return 0
		}
		if chapter == 0 {
			chapter = int(number)
		}
		isSame = isSame && int(number) == chapter
		rest = next
	}
	if isSame {
		return 0
	}
	return chapter
}
