package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

// What a loop prints before the output of each round owns the lines up to the next one: "==
// https://a/health", "==> x.log <==", "### web1", "[web1]", "web1:".

const (
	maxSectionSigns = 16  // signs of headings that are told apart
	longestSection  = 160 // bytes of a heading
	longestNameLine = 80  // bytes of one that is a name and a colon
	wordsOfNameLine = 3
)

// sectionSign counts the headings that begin with one sign.
type sectionSign struct {
	sign         uint32 // 0 for none
	count, fresh int    // headings, and those whose text was new
	last         int    // number of the line of the last one
	longest      int    // lines under one of them, but for the last one
}

// outputSections keeps the heading that the current line is under.
type outputSections struct {
	signs   [maxSectionSigns]sectionSign
	sign    int // index of the sign of the heading, -1 if there is none
	number  int // of the line of the heading
	text    []byte
	isBlank bool // a blank line came after the heading
}

// ownerOfLine is the heading that a row is shown under.
type ownerOfLine struct {
	sign         int  // index of its sign
	number       int  // of its line; 0 for none
	distance     int  // from there to the row, in lines
	isAfterBlank bool // a blank line stands between both
}

// signOfFile is the sign of the line "--- FILE" of a diff.
const signOfFile = ('-'*31+'-')*31 + '-'

// signOfSection returns the sign of a line that may be a heading, 0 if it is none.
func signOfSection(line []byte) uint32 {
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
		if last == ':' && !ascii.IsBlank(line[0]) && len(line) <= longestNameLine && mask.PartsOf(line)&mask.Letter != 0 &&
			!fields.HasWords(line, wordsOfNameLine+1) {
			return ':'
		}
	}
	return 0
}

// seeSection takes in a line if it is a heading, and reports whether it is one that ends the record
// before it.
func (s *Summary) seeSection(line []byte) bool {
	o := &s.out.outputSections
	sign := signOfSection(line)
	if sign == 0 {
		if len(line) == 0 || isBlankLine(line) {
			o.isBlank = true
		}
		return false
	}
	if sign != ':' { // a name without a value may be a part of a record
		s.out.identity.key = 0
		s.out.head.after, s.out.head.number = 0, 0
	}
	if start, end := lineclass.NextErrorWord(line, 0); start < end || lineclass.HasFailureSign(line) ||
		lineclass.HasVerdictOfSuccess(bytes.TrimLeft(line, "-= ")) {
		o.sign = -1 // a result, which says nothing of what follows
		return true
	}
	i := 0
	for i < maxSectionSigns && o.signs[i].sign != sign && o.signs[i].sign != 0 {
		i++
	}
	if i == maxSectionSigns {
		return false
	}
	of := &o.signs[i]
	number := s.lines + 1
	if of.count > 0 {
		of.longest = max(of.longest, number-of.last-1)
	}
	of.sign, of.last = sign, number
	of.count++
	isNew := s.out.words.Add(sketch.Hash(line)^sketch.PlaceFactor, 1) == 1
	if isNew {
		of.fresh++
	}
	if isNew || o.sign < 0 || o.sign == i { // else a heading that recurs in the section
		o.sign, o.number, o.text = i, number, append(o.text[:0], line...)
	}
	o.isBlank = false
	return sign != ':'
}

// keepSection keeps the heading that the current line is under with the line, if that may stand out
// and nothing nearer says which record it is of.
func (s *Summary) keepSection(line []byte) {
	r, o := s.out.row, &s.out.outputSections
	if len(r.reasons) == 0 || r.identity.To > 0 || o.sign < 0 || o.number == s.lines {
		return
	}
	if o.signs[o.sign].sign == ':' && isIndented(line) { // a tree, as of YAML, whose names are no rounds of a loop
		return
	}
	if from := len(r.bytes); from+len(o.text) <= rowCap {
		r.bytes = append(r.bytes, o.text...)
		r.identity = ascii.Span{From: from, To: len(r.bytes)}
		r.owner = ownerOfLine{o.sign, o.number, s.lines - o.number, o.isBlank}
	}
}

// owns reports whether a heading owns a line after all: its sign has come again, mostly with
// another text, and the line is not what follows the last section, as totals do: after a blank
// line, or further from the heading than any line of the sections before.
func (s *Summary) owns(of ownerOfLine) bool {
	sign := &s.out.outputSections.signs[of.sign]
	if s.blocks.hunks > 0 && sign.sign == signOfFile { // what follows a hunk is of no file
		return false
	}
	isRecurring := sign.count > 1 && 2*sign.fresh > sign.count
	if sign.sign == ':' {
		isRecurring = areDifferent(sign.count, sign.fresh)
	}
	mayFollow := of.isAfterBlank || of.distance > max(1, sign.longest)
	return isRecurring && !(mayFollow && of.number == sign.last)
}
