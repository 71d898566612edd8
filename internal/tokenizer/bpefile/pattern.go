package bpefile

import (
	"errors"
	"regexp"
	"strings"
)

// blanks is \s of Oniguruma, which is White_Space, as it stands within brackets of package regexp.
const blanks = `\t-\r\x{85}\p{Z}`

var (
	errPattern = errors.New("a pattern of its pre-tokenizer has a construct that is not supported")
	errEmpty   = errors.New("a pattern of its pre-tokenizer matches the empty text")
)

// compile compiles a pattern as Oniguruma has it, by which the library of Hugging Face splits a
// text. What means something else to package regexp is translated or refused. (?!\S) at the end of
// an alternative becomes a group: the match ends where the group begins, if that took part.
func compile(pattern string) (*regexp.Regexp, error) {
	t := translator{rest: pattern, folds: strings.Contains(pattern, "(?i:")}
	for t.rest != "" {
		if err := t.next(); err != nil {
			return nil, err
		}
	}
	compiled, err := regexp.Compile(t.out.String())
	if err != nil { // it would quote the pattern
		return nil, errPattern
	}
	if compiled.MatchString("") {
		return nil, errEmpty
	}
	return compiled, nil
}

type translator struct {
	rest  string
	out   strings.Builder
	depth int  // of groups
	folds bool // a part of the pattern ignores case
}

// next translates the construct that the rest begins with.
func (t *translator) next() error {
	switch c := t.rest[0]; c {
	case '\\':
		return t.escape(false)
	case '[':
		return t.brackets()
	case '(':
		return t.group()
	case ')':
		t.depth--
		t.pass(1)
	case '{':
		return t.repetition()
	case '^', '$', ']', '}': // ends of lines; and brackets that Oniguruma may take for more than themselves
		return errPattern
	case '*', '+', '?', '|', '.':
		t.pass(1) // package regexp refuses ++, which is possessive, and ** and ?+
	default:
		return t.literal()
	}
	return nil
}

func (t *translator) pass(n int) {
	t.out.WriteString(t.rest[:n])
	t.rest = t.rest[n:]
}

// literal passes text on up to the next construct. Where case is ignored, Oniguruma takes some
// letters for two: ß for ss, ﬆ for st, and ﬀ, ﬁ and ﬂ.
func (t *translator) literal() error {
	n := strings.IndexAny(t.rest, `\[](){}^$*+?|.`)
	if n < 0 {
		n = len(t.rest)
	}
	text := t.rest[:n]
	if t.folds {
		for _, pair := range []string{"ss", "st", "ff", "fi", "fl"} {
			if strings.Contains(strings.ToLower(text), pair) {
				return errPattern
			}
		}
		if strings.ContainsFunc(text, func(r rune) bool { return r > 0x7F }) {
			return errPattern
		}
	}
	t.pass(n)
	return nil
}

// group translates what a group begins with.
func (t *translator) group() error {
	const notBeforeText = `(?!\S)`
	switch {
	case strings.HasPrefix(t.rest, notBeforeText):
		t.rest = t.rest[len(notBeforeText):]
		if t.depth > 0 || t.rest != "" && t.rest[0] != '|' {
			return errPattern
		}
		t.out.WriteString(`(?:([` + blanks + `])|\z)`)
		return nil
	case strings.HasPrefix(t.rest, "(?:"):
		t.pass(len("(?:"))
	case strings.HasPrefix(t.rest, "(?i:"):
		t.pass(len("(?i:"))
	case strings.HasPrefix(t.rest, "(?"):
		return errPattern
	default:
		t.out.WriteString("(?:")
		t.rest = t.rest[1:]
	}
	t.depth++
	return nil
}

// repetition passes {n}, {n,} and {n,m} on.
func (t *translator) repetition() error {
	end := strings.IndexByte(t.rest, '}') + 1
	if end == 0 || strings.Trim(t.rest[1:end-1], "0123456789,") != "" || !isDigit(t.rest[1]) {
		return errPattern
	}
	if end < len(t.rest) && (t.rest[end] == '?' || t.rest[end] == '+') { // which may not mean what it does elsewhere
		return errPattern
	}
	t.pass(end)
	return nil
}

// brackets translates a class in brackets.
func (t *translator) brackets() error {
	t.pass(1)
	if strings.HasPrefix(t.rest, "^") {
		t.pass(1)
	}
	if strings.HasPrefix(t.rest, "]") {
		return errPattern
	}
	for t.rest != "" {
		switch {
		case t.rest[0] == '\\':
			if err := t.escape(true); err != nil {
				return err
			}
		case t.rest[0] == '[', strings.HasPrefix(t.rest, "&&"): // a class in a class
			return errPattern
		case t.rest[0] == ']':
			t.pass(1)
			return nil
		default:
			t.pass(1)
		}
	}
	return errPattern
}

// escape translates what begins with a backslash.
func (t *translator) escape(inBrackets bool) error {
	if len(t.rest) < 2 {
		return errPattern
	}
	replaced := ""
	switch c := t.rest[1]; {
	case c == 's' && inBrackets:
		replaced = blanks
	case c == 's':
		replaced = "[" + blanks + "]"
	case c == 'S' && !inBrackets:
		replaced = "[^" + blanks + "]"
	case c == 'd':
		replaced = `\p{Nd}`
	case c == 'D':
		replaced = `\P{Nd}`
	case c == 'p' || c == 'P':
		end := strings.IndexByte(t.rest, '}') + 1
		if end == 0 || t.rest[2] != '{' {
			return errPattern
		}
		t.pass(end)
		return nil
	case strings.IndexByte("rntfv", c) >= 0, c < 0x80 && !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z'):
		t.pass(2)
		return nil
	default:
		return errPattern
	}
	t.out.WriteString(replaced)
	t.rest = t.rest[2:]
	return nil
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
