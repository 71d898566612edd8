package redact

import "bytes"

// pairMark is the form of the word value where it says that a name and its value are apart: in the
// header of a table of pairs, and as the key of a pair in YAML or JSON whose name may follow on a
// line to come. It is no match itself.
type pairMark struct{}

func (pairMark) anchors() []string { return []string{"value"} }

func (pairMark) find(window, int, int) finding { return finding{} }

// excludes reports whether the word says no such thing.
func (pairMark) excludes(b []byte, at, to int) bool {
	const longest = 160
	const around = whitespace | quote | comma | punctuation
	if at > 0 && !around.has(b[at-1]) || to < len(b) && !(around|colon).has(b[to]) {
		return true
	}
	start := bytes.LastIndexByte(b[:at], '\n') + 1
	end := len(b)
	if size := bytes.IndexByte(b[to:], '\n'); size >= 0 {
		end = to + size
	}
	before, after := b[start:at], b[to:end]
	if quoted := bytes.TrimLeft(after, "\"' "); len(quoted) > 0 && quoted[0] == ':' {
		isPair := len(bytes.Trim(before, " \t-\"'{,")) == 0
		return !isPair || bytes.IndexByte(after, '}') >= 0
	}
	if end-start > longest {
		return true
	}
	for name := range bytes.FieldsFuncSeq(before, func(c rune) bool { return c != '_' && !isLetter(c) }) {
		if pairColumnOf(name) == pairName {
			return false
		}
	}
	return true
}

func isLetter(c rune) bool { return c < 0x80 && letters.has(byte(c)) }
