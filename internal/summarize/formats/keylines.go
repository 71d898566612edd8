package formats

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
)

// Bounds of what is taken for a name and its value in a line of its own.
const (
	MaxKeys      = 96      // names that are counted
	RoomForKeys  = 300_000 // bytes for their values
	LongestKey   = 40      // bytes of a name
	wordsOfKey   = 4
	LongestOfKey = 96 // bytes of a value
	WordsOfValue = 6
	LeastOfKey   = 3  // lines that have a name
	ProseOfKey   = 10 // no more than one value in so many may be longer
	// words that values begin with, each counted once for a name, for them to tell whether names are keys
	LeastBegins  = 12
	NamesOfBegin = 4 // names that have values that begin with the same word, on average, if they are none
)

// bullets are signs before an item of a list, or of a plan: "+" what is added, "~" what changes.
var bullets = []byte("*-+~")

// CutKey cuts a line that is a name and its value, as dpkg -s, /proc/cpuinfo, HTTP headers, git log and kubectl
// describe have them: "Section: libs", "cpu MHz : 2400.0", "net.core.somaxconn = 128", perhaps indented or with a
// bullet.
func CutKey(line []byte) (name, value []byte, ok bool) {
	line = ascii.TrimBlanks(line)
	if len(line) > 2 && bytes.IndexByte(bullets, line[0]) >= 0 && line[1] == ' ' {
		line = ascii.TrimBlanks(line[2:])
	}
	end := 0
	// as curl -v and diff have them: it is part of the name
	if len(line) > 2 && (line[0] == '<' || line[0] == '>') && line[1] == ' ' {
		end = 2
	}
	if len(line) == 0 || !ascii.IsLetter(line[end]) {
		return nil, nil, false
	}
	for end < min(len(line), 2*LongestKey) && InKey[line[end]] {
		end++
	}
	switch {
	// as systemctl show has it, env and many files
	case end < len(line) && line[end] == '=' && nameLen(line[:end]) == end:
		value = bytes.TrimSpace(line[end+1:])
		isCode := beginsAsSign(value) || bytes.HasSuffix(value, []byte{','}) || !isBalanced(value)
		return line[:end], withoutQuotes(value), end <= LongestKey && !isCode
	case end+1 >= len(line):
		return nil, nil, false
	case line[end] == ':' && ascii.IsBlank(line[end+1]):
	case line[end] == '=' && ascii.IsBlank(line[end+1]) && ascii.IsBlank(line[end-1]):
	case line[end] == '|' && ascii.IsBlank(line[end+1]) && ascii.IsBlank(line[end-1]) &&
		bytes.IndexByte(line[end+1:], '|') < 0 && !isStat(line[end+1:]): // psql \x
	default:
		return nil, nil, false
	}
	name, value = bytes.TrimRight(line[:end], " \t"), withoutQuotes(bytes.TrimSpace(line[end+1:]))
	isName := len(name) <= LongestKey && bytes.Count(name, []byte{' '}) < wordsOfKey && bytes.IndexByte(name, '\t') < 0
	return name, value, isName && len(value) > 0
}

// isStat says whether a value is how many lines of a file have changed, as git diff --stat has it: 12 +++--.
func isStat(value []byte) bool {
	value = bytes.TrimSpace(value)
	rest := value[ascii.LeadingDigits(value):]
	return len(rest) < len(value) && len(rest) > 1 && rest[0] == ' ' && len(bytes.Trim(rest, " +-")) == 0
}

// withoutQuotes returns what is between the quotes around a value, if they are and something is between them.
func withoutQuotes(value []byte) []byte {
	last := len(value) - 1
	if last > 1 && (value[0] == '"' || value[0] == '\'') && bytes.IndexByte(value[1:], value[0]) == last-1 {
		return value[1:last]
	}
	return value
}

// InKey says which bytes may be in a name.
var InKey = func() (t [256]bool) {
	for c := range t {
		t[c] = ascii.IsAlphanumeric(byte(c)) || c >= 0x80 || bytes.IndexByte([]byte(" \t-_./()#"), byte(c)) >= 0
	}
	return t
}()

// Pairs steps through the pairs name=value in a line, as many loggers have them after a text. What is between
// brackets or in quotes has none.
type Pairs struct {
	line     []byte
	at       int
	unquoted bool   // no quotes end any more
	Buffer   []byte // for a value without its escapes
	IsMarkup bool   // the line begins with an element of XML: pairs are attributes of one
	element  []byte // that one's name
	Name     []byte // of the pair, after that
}

// Begin makes line the one whose pairs Next returns. It is kept until the next Begin.
func (p *Pairs) Begin(line []byte) {
	p.line, p.at, p.unquoted = line, 0, false
	rest := ascii.TrimBlanks(line)
	p.IsMarkup, p.element = len(rest) > 1 && rest[0] == '<' && ascii.IsLetter(rest[1]), nil
}

// MarkupName is the name of an element of XML at the start of text, with that of its namespace.
func MarkupName(text []byte) []byte {
	n := 0
	for n < len(text) && (inName[text[n]] && text[n] != '/' || text[n] == ':') {
		n++
	}
	return text[:n]
}

// named is the name of a pair: that of an attribute with its element's before it, as others may have one of the same
// name.
func (p *Pairs) named(name []byte) []byte {
	if len(p.element) == 0 {
		return name
	}
	p.Name = append(append(append(p.Name[:0], p.element...), '.'), name...)
	return p.Name
}

// Next returns a name, of which no more is before it, and a value, without its quotes if it has some, that is not
// empty. The value is lent until the next call.
func (p *Pairs) Next() (name, value []byte, ok bool) {
	for depth, start := 0, p.at; p.at < len(p.line); p.at++ {
		switch c := p.line[p.at]; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth = max(0, depth-1)
		case ascii.IsBlank(c):
			start = p.at + 1
		case c == '<' && p.IsMarkup:
			p.element = MarkupName(p.line[p.at+1:])
		case c == '"':
			p.at += max(1, p.quotedLen()) - 1
		case c == '=' && depth == 0 && start < p.at:
			name = p.line[start:p.at]
			if len(name) > LongestKey || nameLen(name) < len(name) {
				continue
			}
			p.at++
			if value = p.value(); len(value) > 0 {
				return p.named(name), value, true
			}
			p.at--
		}
	}
	return nil, nil, false
}

// quotedLen is the length of what is in quotes at the place, with these; 0 if they do not end.
func (p *Pairs) quotedLen() (n int) {
	if !p.unquoted {
		n = valueLen(p.line[p.at:])
		p.unquoted = n == 0
	}
	return n
}

// value returns the value at the place and steps past it; nothing, and no further, if what is there is none.
func (p *Pairs) value() (value []byte) {
	if p.at == len(p.line) {
		return nil
	}
	if p.line[p.at] == '"' {
		quoted := p.line[p.at : p.at+p.quotedLen()]
		if value = Unquoted(quoted); len(value) == 0 {
			return nil
		}
		p.at += len(quoted)
		if bytes.IndexByte(value, '\\') >= 0 {
			p.Buffer = jsonx.AppendUnescapedKnown(p.Buffer[:0], value)
			value = p.Buffer
		}
		return value
	}
	value = p.line[p.at:]
	value = value[:wordLen(value)]
	if !isValue(value) {
		return nil
	}
	p.at += len(value)
	return withoutQuotes(value)
}

// isValue says whether a word may be a value: not the rest of another sign, and not with a part of what is in quotes,
// in brackets or in marks.
func isValue(word []byte) bool {
	if len(word) == 0 || !isBalanced(word) || beginsAsSign(word) {
		return false
	}
	return word[0] != '\'' || len(word) > 1 && word[len(word)-1] == '\''
}

// beginsAsSign says whether what comes after an equals sign is the rest of another one, as in a==b, a=>b and a=~b.
func beginsAsSign(value []byte) bool {
	if len(value) == 0 || bytes.IndexByte([]byte("=>~"), value[0]) < 0 {
		return false
	}
	isFolder := bytes.HasPrefix(value, []byte("~/")) && value[len(value)-1] != '/' // of a user, and no pattern
	return !isFolder
}

// isBalanced says whether as many brackets open in a text as end.
func isBalanced(text []byte) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		}
	}
	return depth == 0
}

// wordLen is the length of the word at the start of text, without the signs after it that may part it from others.
func wordLen(text []byte) (n int) {
	for n < len(text) && !ascii.IsBlank(text[n]) {
		n++
	}
	for n > 0 {
		opening := byte(0)
		switch text[n-1] {
		case ')':
			opening = '('
		case ']':
			opening = '['
		case '}':
			opening = '{'
		case ',', ';':
		default:
			return n
		}
		if bytes.IndexByte(text[:n], opening) >= 0 {
			return n
		}
		n--
	}
	return n
}
