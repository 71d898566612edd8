package budget

// A text is split into pieces, each of which is then merged by itself. What a piece is, the encodings say by a regular
// expression (OpenAI's tiktoken, openai_public.py). These functions are the three expressions, written out:
//
//	o200k_base
//	  [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	| [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	| \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
//
//	cl100k_base
//	  (?i:'s|'t|'re|'ve|'m|'ll|'d) | [^\r\n\p{L}\p{N}]?\p{L}+
//	| \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+
//
//	p50k_base, r50k_base
//	  's|'t|'re|'ve|'m|'ll|'d | ?\p{L}+ | ?\p{N}+ | ?[^\s\p{L}\p{N}]+ | \s+(?!\S) | \s+

// style is which of the expressions splits a text.
type style uint8

const (
	caseAware style = iota // that of o200k_base
	caseBlind              // of cl100k_base
	older                  // of p50k_base and r50k_base
)

// splitter finds the pieces of a text. All that it is given must be valid UTF-8.
type splitter struct {
	classes
	style style
}

// kind is what a piece consists of after its first bytes.
type kind uint8

const (
	symbols kind = iota
	word
	digits
	blanks
	contracted
)

// begins returns what kind of piece a text begins with, and how many of its bytes are known to belong to it.
func (s *splitter) begins(text []byte) (k kind, lead int) {
	c, n := s.at(text, 0)
	if s.style == older {
		return s.beginsOlder(text, c)
	}
	switch {
	case s.inWord(c):
		return word, 0
	case c == number:
		return digits, 0
	case c == newline, c == space && n == len(text):
		return blanks, 0
	case n == len(text):
		return symbols, n
	}
	if s.style == caseBlind && text[0] == '\'' {
		if n := contraction(text); n > 0 {
			return contracted, n
		}
	}
	switch next, _ := s.at(text, n); {
	case s.inWord(next):
		return word, n
	case c != space, text[0] == ' ' && (next == other || next == mark):
		return symbols, n
	}
	return blanks, 0
}

// beginsOlder is begins of the older expression. c is the class of the first code point.
func (s *splitter) beginsOlder(text []byte, c class) (k kind, lead int) {
	if text[0] == '\'' {
		if n := contraction(text); n > 0 && isLower(text[1:n]) {
			return contracted, n
		}
	}
	if text[0] == ' ' && len(text) > 1 {
		if next, _ := s.at(text, 1); next != space && next != newline {
			c, lead = next, 1
		}
	}
	switch {
	case s.inWord(c):
		return word, lead
	case c == number:
		return digits, lead
	case c == space, c == newline:
		return blanks, 0
	}
	return symbols, lead
}

func isLower(text []byte) bool {
	for _, b := range text {
		if b < 'a' || b > 'z' {
			return false
		}
	}
	return true
}

func (s *splitter) inWord(c class) bool { return c >= upper && (c != mark || s.style == caseAware) }

// piece returns the length of the first piece of text, which must not be empty, and how far it had to look to know:
// with seen == len(text) it could be another one if the text went on.
func (s *splitter) piece(text []byte) (size, seen int) {
	switch kind, lead := s.begins(text); {
	case kind == word && s.style == caseAware:
		return s.caseAwareWord(text, lead)
	case kind == word:
		return s.word(text, lead)
	case kind == digits:
		return s.digits(text, lead)
	case kind == symbols:
		return s.symbols(text, lead)
	case kind == blanks:
		return s.blanks(text)
	default:
		return lead, lead
	}
}

// caseAwareWord is a piece of letters and marks whose first one is at i. Capitals and letters without case come
// first, then small letters and letters without case; where no small letter follows, the last letter without case or
// mark ends it.
func (s *splitter) caseAwareWord(text []byte, i int) (size, seen int) {
	caseless := 0 // where the last one ended
capitals:
	for i < len(text) {
		c, n := s.at(text, i)
		switch c {
		case upper:
		case letter, mark:
			caseless = i + n
		case lower:
			caseless = 0
			break capitals
		default:
			break capitals
		}
		i += n
	}
	if caseless > 0 && caseless < i {
		return caseless, i + 1
	}
	for i < len(text) {
		if b := text[i]; b < 0x80 {
			if s.ascii[b] != lower {
				break
			}
			i++
			continue
		}
		c, n := s.wideAt(text[i:])
		if c < lower {
			break
		}
		i += n
	}
	if i < len(text) && text[i] == '\'' {
		if n := contraction(text[i:]); n > 0 {
			return i + n, i + n
		}
		return i, min(i+longestContraction, len(text))
	}
	return i, min(i+1, len(text))
}

// word is a piece of letters whose first one is at i.
func (s *splitter) word(text []byte, i int) (size, seen int) {
	for i < len(text) {
		c, n := s.at(text, i)
		if !s.inWord(c) {
			return i, i + 1
		}
		i += n
	}
	return i, i
}

// digits is a piece of digits, at most three unless the style is the older one. Its first i bytes are known.
func (s *splitter) digits(text []byte, i int) (size, seen int) {
	for count := 0; count < 3 || s.style == older; count++ {
		if i == len(text) {
			return i, i
		}
		c, n := s.at(text, i)
		if c != number {
			return i, i + 1
		}
		i += n
	}
	return i, i
}

// symbols is a piece of symbols and marks, the first i bytes of which are known to belong to it, and of line ends.
func (s *splitter) symbols(text []byte, i int) (size, seen int) {
	tail := false
	for i < len(text) {
		c, n := s.at(text, i)
		switch {
		case c == newline && s.style != older:
			tail = true
		case tail && (text[i] != '/' || s.style != caseAware), c != other && c != mark:
			return i, i + 1
		}
		i += n
	}
	return i, i
}

// blanks is a piece of white space: up to its last line end or, if it has none or the style is the older one, all of it
// but the last code point, which belongs to what follows.
func (s *splitter) blanks(text []byte) (size, seen int) {
	lines, last := 0, 0 // where the last line end ends, and where the last code point begins
	for size < len(text) {
		c, n := s.at(text, size)
		if c != space && c != newline {
			break
		}
		last = size
		if size += n; c == newline && s.style != older {
			lines = size
		}
	}
	seen = min(size+1, len(text))
	switch {
	case lines > 0:
		size = lines
	case size < len(text) && last > 0:
		size = last
	}
	return size, seen
}

// longestContraction is the length of 'll and of 'ſ in bytes.
const longestContraction = 3

// contraction returns the length of the contraction that text begins with, or 0. Where case is ignored, ſ is an s.
func contraction(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(text) < 3 {
		return 0
	}
	switch first, second := text[1]|0x20, text[2]|0x20; {
	case second == 'e' && (first == 'r' || first == 'v'), first == 'l' && second == 'l', text[1] == 0xC5 &&
		text[2] == 0xBF:
		return 3
	}
	return 0
}
