package lines

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// prefix is the text that a program puts before each line. Two prefixes are the same if only their numbers differ.
type prefix struct {
	text [lex.LongestPrefix]byte
	size int
}

// set makes p the first n bytes of line.
func (p *prefix) set(line []byte, n int) {
	p.size = copy(p.text[:], line[lex.Blank.Run(line, 0, n):n])
}

// end returns where the text of a line begins after p, and whether the line begins with p. isKnown is false if more of
// the line must be read first. The blanks at the end of p may be missing if the line ends there.
func (p *prefix) end(line []byte, isEnd bool) (n int, is, isKnown bool) {
	text := p.text[:p.size]
	at := lex.Blank.Run(line, 0, len(line))
	for i := 0; i < len(text); {
		switch {
		case at == len(line):
			isRest := lex.Blank.Within(text[i:])
			return at, isEnd && isRest, isEnd
		case lex.Digits.Has(text[i]):
			digits := lex.Digits.Run(line, at, len(line))
			if digits == at {
				return 0, false, true
			}
			if digits == len(line) && !isEnd {
				return 0, false, false
			}
			i, at = lex.Digits.Run(text, i, len(text)), digits
			continue
		case text[i] == ' ' && i+1 < len(text):
			blanks := lex.Blank.Run(line, at, len(line))
			if blanks == at {
				return 0, false, true
			}
			i, at = lex.Blank.Run(text, i, len(text)), blanks
			continue
		case text[i] != line[at] && !(isBeforeText(text[i]) && isBeforeText(line[at])):
			return 0, false, true
		}
		i, at = i+1, at+1
	}
	return at, true, true
}

// isBeforeText reports whether c is a sign that grep writes after the number of a line: a colon in a match, a dash in
// its context.
func isBeforeText(c byte) bool { return c == ':' || c == '-' }

// withoutFrame returns a line in a box without the right side of the box. before is the prefix of the line, which ends
// with the left side.
func withoutFrame(before, line []byte) []byte {
	before = before[:lex.Blank.RunBack(before, len(before), len(before))]
	for _, side := range []string{"|", "\u2502"} {
		if bytes.HasSuffix(before, []byte(side)) {
			if rest, is := bytes.CutSuffix(bytes.TrimRight(line, " \t\r"), []byte(side)); is {
				return rest
			}
		}
	}
	return line
}

// saysAfterWords returns where the text of a line begins behind a prefix of any form, if that text carries a name to the
// next lines; 0 if it does not. A key of several words does not count, because the first ones may belong to the prefix.
func saysAfterWords(line []byte, sensitive *names.NameCache) int {
	const longest = 2 * lex.LongestPrefix // a longer line has more than a prefix and a name
	if len(line) > longest {
		return 0
	}
	says := func(at int) bool {
		return at > 0 && !areWords(line[:at]) && carries(withoutFrame(line[:at], line[at:]), sensitive)
	}
	for colon := 0; ; colon++ {
		size := bytes.IndexByte(line[colon:], ':')
		if size < 0 {
			break
		}
		if colon += size; colon+1 < len(line) && !lex.Whitespace.Has(line[colon+1]) {
			continue
		}
		if at := itemsBefore(line, keyBefore(line, colon)); says(at) {
			return afterFirstBlank(line, at)
		}
	}
	for _, sign := range [][]byte{[]byte(" - --"), []byte(" variable \""), []byte(" machine ")} {
		if at := bytes.Index(line, sign) + 1; says(at) {
			return afterFirstBlank(line, at)
		}
	}
	return 0
}

// areWords reports whether only words stand before a key, as in a sentence. A single letter is a label, not a word.
func areWords(before []byte) bool {
	return (lex.Letters | lex.Blank).Within(before) && len(bytes.TrimSpace(before)) > 1
}

// endsInWord reports whether the text before a key ends in a word of several letters, as in a sentence.
func endsInWord(before []byte) bool {
	end := lex.Blank.RunBack(before, len(before), len(before))
	return end-lex.Letters.RunBack(before, end, end) > 1
}

// keyBefore returns the start of the key that ends at end, with its quotes. It has no blanks.
func keyBefore(line []byte, end int) int {
	return lex.NonSpace.RunBack(line, end, names.MaxName)
}

// itemsBefore returns the start of the dashes of YAML lists before a key; key if there are none.
func itemsBefore(line []byte, key int) int {
	for {
		sign := lex.Blank.RunBack(line, key, key) - 1
		if sign < 0 || line[sign] != '-' || sign > 0 && line[sign-1] != ' ' {
			return key
		}
		key = sign
	}
}

// afterFirstBlank returns the place after the first of the blanks before at: the others are the indent of the text.
func afterFirstBlank(line []byte, at int) int {
	return min(at, lex.Blank.RunBack(line, at, at)+1)
}

// carries reports whether a line carries a name to the next lines.
func carries(line []byte, sensitive *names.NameCache) bool {
	c := saysOfNext(line, 0, sensitive)
	return c.Is()
}
