package outlier

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/mask"
)

const (
	MaxSectionSigns = 16  // signs of headings that are told apart
	longestSection  = 160 // bytes of a heading
	longestNameLine = 80  // bytes of one that is a name and a colon
	wordsOfNameLine = 3
)

// sectionSign counts the headings that begin with one sign.
type sectionSign struct {
	Sign         uint32 // 0 for none
	Count, Fresh int    // headings, and those whose text was new
	Last         int    // number of the line of the last one
	Longest      int    // lines under one of them, except the last one
}

// outputSections keeps the heading that the current line is under.
type outputSections struct {
	Signs   [MaxSectionSigns]sectionSign
	Sign    int // index of the sign of the heading, -1 if there is none
	Number  int // of the line of the heading
	Text    []byte
	IsBlank bool // a blank line came after the heading
}

// OwnerOfLine is the heading that a row is shown under.
type OwnerOfLine struct {
	Sign         int  // index of its sign
	Number       int  // of its line; 0 for none
	Distance     int  // from there to the row, in lines
	IsAfterBlank bool // a blank line stands between both
}

// SignOfFile is the sign of the line "--- FILE" of a diff.
const SignOfFile = ('-'*31+'-')*31 + '-'

// SignOfSection returns the sign of a line that may be a heading, 0 if it is none.
func SignOfSection(line []byte) uint32 {
	if len(line) < len("x:") || len(line) > longestSection {
		return 0
	}
	last := line[len(line)-1]
	switch line[0] {
	case '=', '-', '#', '>', '~', '*', ':':
		n := 0
		sign := uint32(0)
		for n < len(line) && bytes.IndexByte([]byte("=-#>~*:"), line[n]) >= 0 {
			sign = sign*31 + uint32(line[n])
			n++
		}
		if n < 2 || n == len(line) || line[n] != ' ' || mask.PartsOf(line[n:])&(mask.Digit|mask.Letter) == 0 {
			return 0
		}
		return sign
	case '[':
		if last == ']' && mask.PartsOf(line)&mask.Letter != 0 && bytes.IndexByte(line, ']') == len(line)-1 &&
			bytes.IndexByte(line, '"') < 0 {
			return '['
		}
	default:
		if last == ':' && !ascii.IsBlank(line[0]) && len(line) <= longestNameLine &&
			mask.PartsOf(line)&mask.Letter != 0 &&
			!fields.HasWords(line, wordsOfNameLine+1) {
			return ':'
		}
	}
	return 0
}
