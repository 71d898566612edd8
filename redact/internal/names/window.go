package names

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/code"
	"github.com/kfw-dev/kfw/redact/internal/decode"
)

// isOfType reports whether the value x, after the sign that ends at sign, is a type: one of an
// optional field (name?: T), one with parameters (T<U>), or a union (T | null).
func (w Window) isOfType(sign int, x Finding) (isType, decided bool) {
	const longest = 12
	b, v := w.Text, w.Text[x.Start:x.End]
	if sign < 1 || lex.Quote.Has(b[x.Start-1]) || b[sign-1] != ':' || !(lex.Word | lex.Dot).Within(v) ||
		!(lex.Letters | lex.Underscore).Has(v[0]) || candidate.IsMade(v) {
		return false, true
	}
	if sign > 1 && b[sign-2] == '?' || bytes.HasSuffix(v, []byte("Array")) {
		return true, true
	}
	next := x.End
	switch union, isDecided := w.Passes(next, " | "); {
	case !isDecided:
		return false, false
	case union > next:
		end := lex.Letters.Run(b, union, longest)
		if w.Cut(end) && end-union < longest {
			return false, false
		}
		return IsTypeName(b[union:end]), true
	}
	if w.Cut(next + 1) {
		return false, false
	}
	if next+1 >= len(b) || b[next] != '<' {
		return false, true
	}
	end := lex.Letters.Run(b, next+1, longest)
	if w.Cut(end) && end-next < longest {
		return false, false
	}
	return b[next+1] == '{' || end > next+1 && ((lex.Upper|lex.HexUpper).Has(b[next+1]) || IsTypeName(b[next+1:end])),
		true
}

// YamlPlace is what a marker would be of a line of YAML.
type YamlPlace uint8

const (
	NoYAML     YamlPlace = iota // the line does not read as YAML before it, or the marker is part of a scalar
	YamlScalar                  // a value, an entry of a list
	YamlKey                     // a key
)

// closes says whether the quote at i ends a string that holds the name, as in
// find("password=", text): one was open before, and what follows goes on in code.
func (w Window) closes(i int) bool {
	b := w.Text
	return i+1 < len(b) && bytes.IndexByte([]byte("),;+]}. \n"), b[i+1]) >= 0 && w.isOpen(i)
}

// isOpen says whether a string that began with a quote like that at i is open there.
func (w Window) isOpen(i int) bool {
	const look = 200
	before := w.Text[max(0, i-look):i]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	return bytes.Count(before, w.Text[i:i+1])%2 == 1
}

// isCode says whether the name text[start:end] is that of a code of OAuth (RFC 6749 4.1.2), to
// which a value is given.
func (w Window) isCode(start, end int) bool {
	const code = "code"
	b := w.Text
	name := b[start:end]
	end = lex.Quote.Run(b, end, 1)
	return len(name) > len(code) && lex.EqualFold(name[len(name)-len(code):], code) && end < len(b) &&
		(lex.Equals | lex.Colon).Has(b[end])
}

// isGiven says whether a sign that gives a value to a name stands at i: = or a colon.
func (w Window) isGiven(i int) bool {
	i = lex.Blank.Run(w.Text, i, MaxAlign)
	return i < len(w.Text) && (lex.Equals | lex.Colon).Has(w.Text[i])
}

// followsLogin says whether the name at i stands where a .netrc has the password:
// after the word login and a name (ftp(1)).
func (w Window) followsLogin(i int) bool {
	const login = "login"
	user := lex.Whitespace.RunBack(w.Text, i, 20)
	end := lex.NonSpace.RunBack(w.Text, user, MaxName)
	end = lex.Whitespace.RunBack(w.Text, end, 20)
	return user < i && end >= len(login) && lex.EqualFold(w.Text[end-len(login):end], login)
}

// link returns where the text of a terminal's link begins whose address is at i, or i: ESC ] 8 ; ; address ESC \.
func (w Window) link(i int) int {
	const begin = "\x1b]8;"
	switch address, decided := w.Passes(i, begin); {
	case !decided:
		return len(w.Text)
	case address > i:
		end := (lex.Everything &^ (lex.Control | lex.Newline)).Run(w.Text, address, MaxValue)
		next := min(end+2, len(w.Text))
		if end < len(w.Text) && w.Text[end] == '\a' {
			next = end + 1
		}
		return next
	}
	return i
}

// addressed returns where the quote of a text is that a debugger shows at i with its address: 0x55d0 "x". It is i if
// there is none.
func (w Window) addressed(i int) int {
	const digits = 18
	b := w.Text
	if i+1 >= len(b) || b[i] != '0' || b[i+1] != 'x' {
		return i
	}
	switch at := lex.Hexadecimal.Run(b, i+2, digits); {
	case w.Cut(at + 1):
		return len(b)
	case at+1 < len(b) && b[at] == ' ' && b[at+1] == '"':
		return at + 1
	}
	return i
}

// tag returns where the value begins that has a tag or an anchor of YAML before it at i (YAML 1.2, 6.9): !!str, &name.
func (w Window) tag(i int) int {
	b := w.Text
	start := i
	if i > 0 && b[i-1] == '=' {
		return i
	}
	for i < len(b) && (b[i] == '!' || b[i] == '&') {
		end := (lex.Word | lex.Dash).Run(b, i+1, MaxApart)
		if b[i] == '!' {
			end = (lex.Word | lex.Dash | lex.Slash | lex.Punctuation).Run(b, i+1, MaxName)
		}
		next := lex.Blank.Run(b, end, MaxApart)
		switch {
		case w.Cut(next):
			return next
		case end == i+1, next == end, next == len(b), lex.Newline.Has(b[next]):
			return start
		}
		i = next
	}
	return i
}

// isReferenceTag reports whether a tag of CloudFormation at i names a value that is elsewhere: !Ref Name,
// !ImportValue Name.
func (w Window) isReferenceTag(i int) (is, decided bool) {
	b := w.Text
	if i >= len(b) || b[i] != '!' {
		return false, i < len(b) || w.End
	}
	tag := lex.Letters.Run(b, i+1, MaxName)
	name := lex.Blank.Run(b, tag, MaxApart)
	end := lex.NonSpace.Run(b, name, MaxName)
	if w.Cut(end) {
		return false, false
	}
	class := lex.Alnum
	switch string(b[i:tag]) {
	case "!Ref":
	case "!ImportValue":
		class |= lex.Dash | lex.Colon
	default:
		return false, true
	}
	v := b[name:end]
	return len(v) > 0 && len(v) < MaxName && lex.Letters.Has(v[0]) && class.Within(v) && !candidate.IsMade(v), true
}

// block returns where the text begins of a scalar of YAML whose header is at i, | or > (YAML 1.2,
// 8.1), or i if there is none. It is indented.
func (w Window) block(i int) int {
	b := w.Text
	header := BlockHeader(b, i)
	switch {
	case header == i, w.Cut(header):
		return header
	case header == len(b) || !lex.Newline.Has(b[header]):
		return i
	}
	text := lex.Whitespace.Run(b, header, MaxAlign)
	if !w.Cut(text) && !lex.Blank.Has(b[text-1]) {
		return i
	}
	return text
}

// Passes returns the end of what stands at i, or i if something else does.
func (w Window) Passes(i int, what string) (end int, decided bool) {
	rest := w.Text[min(i, len(w.Text)):]
	switch {
	case bytes.HasPrefix(rest, []byte(what)):
		return i + len(what), true
	case len(rest) < len(what) && !w.End && string(rest) == what[:len(rest)]:
		return i, false
	}
	return i, true
}

// goesOn says whether a word that ends at i is followed by a word of letters, and that by
// nothing that gives it a value: password: don't accept it.
func (w Window) goesOn(i int) (isProse, decided bool) {
	const longest = 24
	b := w.Text
	i = (lex.Letters | lex.Quote).Run(b, i, 3) // 't
	start := lex.Blank.Run(b, i, 2)
	end := lex.Letters.Run(b, start, longest)
	if start < len(b) && lex.Digits.Has(b[start]) { // OpenSSH 1.2.1
		if end = (lex.Digits | lex.Dot).Run(b, start, longest); bytes.IndexByte(b[start:end], '.') < 0 {
			end = start
		}
	}
	if w.Cut(end) && end-start < longest {
		return false, false
	}
	return start > i && end > start && end-start < longest &&
		(end == len(b) || (lex.Blank | lex.Dot | lex.Comma | lex.Quote).Has(b[end])), true
}

// assignment returns the end of what gives a value to the name before i: = : :=
// => == != .= ?=, a type and =, or value= where the name is one attribute of an
// element and the value another. It is i if there is no such. A type needs a
// blank or a colon before it.
func (w Window) assignment(i int, spaced bool) (end int, decided bool) {
	const longestWord = 12
	b := w.Text
	signs := func(i int) int {
		from := i
		for i < len(b) && i < from+2 && bytes.IndexByte([]byte("!?.|+"), b[i]) >= 0 {
			i++
		}
		first := i
		for i < len(b) && i < first+4 && ((lex.Equals | lex.Colon).Has(b[i]) || i > first && b[i] == '>') {
			i++
		}
		if i == first && i < len(b) {
			return from
		}
		return i
	}
	if spaced { // of Visual Basic
		switch word, isKnown := w.Passes(i, "As "); {
		case !isKnown:
			return i, false
		case word > i:
			i = word
		}
	}
	end = signs(i)
	if w.Cut(end) {
		return i, false
	}
	if end > i && bytes.IndexByte(b[i:end], '=') >= 0 {
		return end, true
	}
	name := (lex.Blank | lex.Newline | lex.Quote | lex.Comma | lex.Backslash).Run(b, end, 4)
	word := (lex.Letters | lex.Ampersand | lex.Punctuation).Run(b, name, longestWord+1)
	next := lex.Quote.Run(b, word, 1)
	next = lex.Blank.Run(b, next, 4)
	last := signs(next)
	if w.Cut(last) && word-name <= longestWord {
		return i, false
	}
	isValue := end == i && isValueWord(b[name:word])
	if last > next && b[next] != '.' && (isValue || (spaced || end > i) && b[next] == '=' && isTypeWord(b[name:word])) {
		return last, true
	}
	return end, true
}

// typeBefore returns where the value begins that has its type before it at i: REG_SZ x, as reg.exe(1) shows a value of
// the registry, or password x behind a path, as debconf(7) has the answer to a question. It is i if there is none.
func (w Window) typeBefore(start, i int) (value int, decided bool) {
	kind := "REG_SZ "
	if start > 0 && w.Text[start-1] == '/' {
		kind = "password "
	}
	value, decided = w.Passes(i, kind)
	if decided && value > i {
		value = lex.Blank.Run(w.Text, value, MaxAlign)
		decided = !w.Cut(value)
	}
	return value, decided
}

// pointed returns where the value begins that an arrow or a flag at i gives to the name before it: -> x, -Value x,
// --value x. It is i if there is no such.
func (w Window) pointed(i int) (value int, decided bool) {
	const longest = 8
	b := w.Text
	name := lex.Dash.Run(b, i, 2)
	end := lex.Letters.Run(b, name, longest+1)
	if end == i+1 && end+1 < len(b) && b[end] == ' ' && lex.Alnum.Has(b[end+1]) { // password - x
		return end + 1, true
	}
	if end == name && end < len(b) && b[end] == '>' {
		end++
	} else if !isValueWord(b[name:end]) && !w.Cut(end) {
		return i, true
	}
	value = lex.Blank.Run(b, end, MaxApart)
	switch {
	case w.Cut(value) && end-name <= longest:
		return i, false
	case value == end:
		return i, true
	}
	return value, true
}

// setters are the commands that give a value to the name behind them.
var setters = set(`set put add update create write store setenv`)

// followsVerb says whether the name at i follows a command that gives it a value, and maybe flags of that: set x,
// config:set --global x.
func (w Window) followsVerb(i int) bool {
	const most, longest = 3, 24
	b := w.Text
	for range most {
		end := lex.Blank.RunBack(b, i, MaxApart)
		begin := (lex.Word | lex.Dash | lex.Colon).RunBack(b, end, longest)
		if end == i || begin == end || begin == 0 || !lex.Blank.Has(b[begin-1]) { // a command of a program
			return false
		}
		if word := b[begin:end]; word[0] != '-' {
			return setters[string(word[bytes.LastIndexByte(word, ':')+1:])]
		}
		i = begin
	}
	return false
}

// startsLine says whether the name at i is the first of its line, behind what a program puts before each.
func startsLine(b []byte, i int) bool {
	line := b[max(0, i-lex.LongestPrefix):i]
	if begin := bytes.LastIndexByte(line, '\n') + 1; begin > 0 || len(line) == i {
		line = line[begin:]
		return lex.Blank.Run(line, lex.AnyPrefixEnd(line), MaxAlign) == len(line)
	}
	return false
}

// onward returns where a text goes on behind the blanks at i: on the next line, behind what a program puts before
// each.
func (w Window) onward(i int) (at int, isNext, decided bool) {
	b := w.Text
	at = lex.Whitespace.Run(b, i, MaxAlign)
	if w.Cut(at) {
		return i, false, false
	}
	if isNext = bytes.IndexByte(b[i:at], '\n') >= 0; !isNext {
		return at, false, true
	}
	line := b[at:min(len(b), at+lex.LongestPrefix)]
	if size := bytes.IndexByte(line, '\n'); size >= 0 {
		line = line[:size]
	} else if len(line) < lex.LongestPrefix && !w.End {
		return i, false, false
	}
	return lex.Blank.Run(b, at+lex.AnyPrefixEnd(line), MaxAlign), true, true
}

// valueTag returns the end of the tag of an element that has a value, <value> or <string>, at i or on the next line; i
// if there is none. If a line begins there without one, isOnNext is true and value is where it begins.
func (w Window) valueTag(i int) (value int, isOnNext, decided bool) {
	const longest = 10
	b := w.Text
	at, isOnNext, decided := w.onward(i)
	if !decided || at == len(b) {
		return i, false, decided
	}
	if b[at] != '<' {
		if !isOnNext {
			at = i
		}
		return at, isOnNext, true
	}
	end := lex.Letters.Run(b, at+1, longest)
	switch tag := b[at+1 : end]; {
	case w.Cut(end):
		return i, false, false
	case end == len(b) || b[end] != '>' || !isValueWord(tag) && !lex.EqualFold(tag, "string") && !lex.EqualFold(tag, "val"):
		return i, false, true
	}
	return end + 1, false, true
}

// followsNamespace says whether the name at i follows that of its namespace in a tag: <ns:name.
func (w Window) followsNamespace(i int) bool {
	const longest = 32
	if i == 0 || w.Text[i-1] != ':' {
		return false
	}
	start := (lex.Word | lex.Dash).RunBack(w.Text, i-1, longest)
	return start > 0 && start < i-1 && w.Text[start-1] == '<'
}

// Quotes is how many are around a marker in place of a value that was none of a string: 0 for none, 1 for a pair, 2 for
// one in a string, whose backslashes are written, and so on.
type Quotes uint8

// Append appends one of them.
func (q Quotes) Append(dst []byte) []byte {
	if q == 0 {
		return dst
	}
	for range 1<<(q-1) - 1 {
		dst = append(dst, '\\')
	}
	return append(dst, '"')
}

// person finds the name of a person that begins at i: words with a capital, and such as van
// and de between them, up to what can't be in a name.
func (w Window) person(i int) (is personName, end int) {
	const mostWords, longest = 6, 80
	b := w.Text
	words, hasApostrophe := 0, false
	for at := i; words < mostWords && at-i < longest; {
		stop := w.endOfName(at, i+longest)
		if w.Cut(stop + 1) {
			return unread, 0
		}
		name := bytes.TrimRight(b[at:stop], ".")
		isCapital := len(name) > 0 && (lex.Upper | lex.HexUpper | lex.High | lex.Wide).Has(name[0])
		switch {
		case len(name) > 0 && !isCapital && (words == 0 || !isParticle(name)), stop-i >= longest:
			return unclear, 0
		case isOfForm(name):
			return nameOfForm, 0
		case isCapital:
			words++
			end = stop
			hasApostrophe = hasApostrophe || bytes.IndexByte(name, '\'') > 0
		}
		if len(name) == 0 || stop == len(b) || b[stop] != ' ' {
			break
		}
		at = stop + 1
	}
	goesOn := end < len(b) && (lex.Digits | lex.Underscore | lex.Colon | lex.Equals | lex.Slash | lex.Paren).Has(b[end])
	if goesOn || words < 2 && !hasApostrophe {
		return unclear, 0
	}
	return fullName, (lex.Dot | lex.Dash).RunBack(b, end, end-i)
}

// endOfName returns the end of the word of a name that begins at i, at most most.
func (w Window) endOfName(i, most int) int {
	const ofName = lex.Letters | lex.High | lex.Wide | lex.Dash | lex.Dot
	b := w.Text
	for i < len(b) && i < most && (ofName.Has(b[i]) || b[i] == '\'' && i+1 < len(b) && lex.Letters.Has(b[i+1])) {
		i++
	}
	return i
}

// Reason is why there is a match. The words of a name are those of the rule; nothing but the names in
// a path is from the input, and these have no match in them.
type Reason struct {
	How  string // what the rule went by, as a phrase: "after a name"
	Name string // the words of the name that makes the value sensitive; empty if there is none
	Path string // of the field that the match is in, as Options.Allow has it; empty in text and where it is not known
}

// phraseOf returns what makes the name sensitive that an operand ends in, or nil.
func (w Window) phraseOf(operand []byte) *Phrase {
	name := operand[lex.NameOfKey.RunBack(operand, len(operand), len(operand)):]
	if w.Names == nil || len(name) == 0 || len(name) > MaxName {
		return nil
	}
	p, _ := w.Names.Of(bytes.Trim(name, "-."))
	return p
}

// verdict is what a rule says about an anchor.
type verdict uint8

const (
	NoMatch      verdict = iota // the anchor shows nothing
	Match                       // text[start:end] is one
	Shortened                   // the same of a token that whoever wrote the text cut, in its class
	Undecided                   // ask again when more has been read; nothing before start is touched
	OpenEnded                   // a match from start that reaches end and goes on while bytes are of its class
	Opening                     // a private key: from start, and on until its last line
	OpeningPuTTY                // the same in PuTTY's format
	OpeningSSH2                 // the same in that of RFC 4716
	OpeningBody                 // the begin of a private key itself, without its first line
	Marked                      // text[start:end] is a marker of this package: left alone
	Collects                    // at start a collection begins, whose scalars are taken as they are read
	Encoded                     // a character that has to be decoded: only lines that were not are asked
)

// Finding is a rule's verdict and where it applies. It is small enough to stay in registers.
type Finding struct {
	Verdict    verdict
	Place      YamlPlace
	Class      lex.Class // of an open-ended match, or of one that was cut
	Start, End int
}

// Window is the text around an anchor: what has been read of it, and at least
// lex.LookBehind bytes of what has already been passed on.
type Window struct {
	Text []byte
	End  bool // nothing follows
	*Around
}

// Around is what a rule may ask for besides the text.
type Around struct {
	Markers  map[string]bool
	Names    *NameCache
	Found    *[]Span          // what is known to be a match of the text
	Escapes  *[]decode.Escape // in the part of the text that is held
	Runs     [4]KnownRun      // by a hash of their class
	before   code.Before
	Before   LinesBefore // the lines before Text; nil: Text has them
	Programs programWords
	Opening  Awaited // of the collection that the last anchor shows, if it shows one
	More     []Span  // other matches that the last anchor shows, if it shows one
}

// LinesBefore are the lines before a text that is one line of an input.
type LinesBefore interface {
	code.Context
	AreOfText() bool               // the text has them instead
	WithIndent(line []byte) []byte // a line, with the blanks that it begins with in the input
	Last() []byte                  // the one before the current line, as far as it is kept
}

// KnownRun caches a run of a class. Each of many anchors without a blank between them asks for the run from a place
// within it; the cache saves reading it again.
type KnownRun struct {
	class      lex.Class
	start, end int
}

// Run returns what class.Run returns, from the cache if it can.
func (w Window) Run(class lex.Class, from, limit int) int {
	if len(w.Text) == 0 || w.Programs.First != &w.Text[0] { // not the text that the cache is of
		return class.Run(w.Text, from, limit)
	}
	const golden = 0x9e3779b1 // 2^32 over the golden ratio: of each class other bits come first
	known := &w.Runs[uint32(class)*golden>>30]
	if known.class != class || from < known.start || from > known.end {
		*known = KnownRun{class, from, from}
	}
	if size := from + limit - known.end; size > 0 {
		known.end = class.Run(w.Text, known.end, size)
	}
	return min(known.end, from+limit)
}

// Add makes text[start:end] a match that the anchor shows as well.
func (a *Around) Add(start, end int) { a.More = append(a.More, Span{Start: start, End: end}) }

// IsFound says whether text[start:end] is all of a match, and named after a rule before
// the given one in the catalogue.
func (w Window) IsFound(start, end, rule int) bool {
	s, found := w.MatchFrom(start)
	return found && end <= s.End && (s.Start < start || s.Rule < rule)
}

// MatchFrom returns the last known match that begins at start or before.
func (w Window) MatchFrom(start int) (s Span, found bool) {
	all := *w.Found
	n, _ := slices.BinarySearchFunc(all, start+1, func(x Span, at int) int { return x.Start - at })
	if n == 0 {
		return Span{}, false
	}
	return all[n-1], true
}

// IsAfterMatch says whether a known match ends at i, or before the blanks before i.
func (w Window) IsAfterMatch(i int) bool {
	s, found := w.MatchFrom(i)
	return found && s.End <= i && lex.Blank.Within(w.Text[s.End:i])
}

// Cut says whether a look that ended at i ended because nothing more was read.
func (w Window) Cut(i int) bool { return i >= len(w.Text) && !w.End }

// Marker returns the end of the marker that begins at i, or 0. Only a marker
// with the name of a rule, and a number that a numbering gives if it has one, is
// one: no other text can hide in it.
func (w Window) Marker(i int) int {
	rest := w.Text[i:]
	if !bytes.HasPrefix(rest, []byte(lex.MarkerStart)) {
		return 0
	}
	size := bytes.IndexByte(rest[:min(len(rest), lex.MaxMarker)], ']')
	if size < 0 {
		return 0
	}
	name, number, isNumbered := bytes.Cut(rest[len(lex.MarkerStart):size], []byte{':'})
	if !w.Markers[string(name)] || isNumbered && !lex.IsMarkerNumber(number) {
		return 0
	}
	return i + size + 1
}

// Form is how a rule recognizes a match. It is asked at every place where one
// of the rule's anchors stands in w.text[at:to], and must answer undecided
// unless no further byte could change its answer. It looks at most lex.MaxLook
// bytes to the right, and its matches start at most lex.MaxLead bytes to the left.
type Form interface {
	Find(w Window, at, to int) Finding
}

// Span is a stretch to be replaced; rule is the one whose match starts first.
type Span struct {
	Start, End, Rule int
	Quotes           Quotes // around the marker
	IsKey            bool   // the marker is a key, which is to differ from others
	Why              Reason // set only if somebody asks
}

// Placed returns s with what it takes to be that in a line of YAML.
func (s Span) Placed(place YamlPlace) Span {
	if place != NoYAML {
		s.Quotes, s.IsKey = 1, place == YamlKey
	}
	return s
}
