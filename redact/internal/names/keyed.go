package names

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/code"
)

// ValueKind is how a value must look to be redacted for the name that it has.
type ValueKind uint8

const (
	AnySecret     ValueKind = iota // anything but a placeholder
	LikelySecret                   // something that looks made by a machine
	madeSecret                     // something that can hardly be anything else
	AuthSecret                     // a scheme and its credentials
	quotedWord                     // one word in quotes that is no placeholder
	Number                         // digits, as many as the phrase says
	TypedWord                      // one word with a figure in it, as people have it
	FormedID                       // a number that a state gives to a person, in one of its forms
	MnemonicWords                  // the words of a wallet
	PackedSecret                   // text or a key in base64
	SurelyPacked                   // the same, and nothing that may be a word
	AnyValue                       // whatever it is, except the begin of an object
)

// Named is the form of a value that is told by its name: name=value,
// "name": "value", --name value, <name>value</name>, set("name", "value").
type Named struct {
	Phrases []Phrase
	Names   *Names
	Rule    int
}

const (
	// MaxValue is how many bytes of a value are looked at. A larger one judges longer values whole and
	// holds back more of the input.
	MaxValue = 512
	// MaxAlign is how many blanks stand between a name, its sign and its value where a file has them in columns.
	MaxAlign = 64
	// MaxApart is how many stand there without a sign.
	MaxApart = 8
	// longNumber is so many digits that it counts nothing, and is no time in milliseconds.
	longNumber = 15
	// longestCount is how many digits a number has that counts or enumerates.
	longestCount = 4
	// longestPath is how long a key is that is a path, before its last word.
	longestPath = 200
	ValueOnly   = true // of value: there is no name and no separator to skip
)

// Find implements names.Form. The match is the value without its name and quotes. If a
// collection begins there instead, Start is where.
func (f *Named) Find(w Window, at, to int) Finding {
	w.Opening.Is = false
	x := f.valueOf(w, at, to)
	if x.Verdict == NoMatch && w.Opening.Is {
		return Finding{Verdict: Collects, Start: w.Opening.At}
	}
	return x
}

// valueOf finds the value of a name that has an anchor at text[at:to].
func (f *Named) valueOf(w Window, at, to int) Finding {
	b := w.Text
	if isPartOfWord(b, at, to) {
		return Finding{} // waiting, passed
	}
	start := lex.NameOfKey.RunBack(b, at, MaxName)
	end := lex.NameOfKey.Run(b, to, MaxName)
	if end-to == MaxName {
		return Finding{}
	}
	if w.Cut(end) {
		return Finding{Verdict: Undecided, Start: end}
	}
	for end > to && b[end-1] == '.' {
		end--
	}
	p, _ := w.Names.Of(b[(lex.Dash|lex.Dot).Run(b, start, end-start):end])
	if (p == nil || p.Rule != f.Rule) && AfterEscape(b, start+1) {
		start++
		p, _ = w.Names.Of(b[(lex.Dash|lex.Dot).Run(b, start, end-start):end])
	}
	if p == nil || p.Rule != f.Rule {
		return Finding{}
	}
	if p.Want != AnyValue && (candidate.IsSourceFile(b[start:end]) || isOptional(b, start, end)) {
		return Finding{}
	}
	if isOfARN(b, start) {
		return Finding{}
	}
	if p.Want == AuthSecret && !isHeader(b[start:end]) && !w.isCode(start, end) {
		likely := *p
		likely.Want = LikelySecret
		p = &likely
	}
	if p.IsStatus && (lex.Upper | lex.HexUpper).Has(b[start]) && end < len(b) && b[end] == ':' {
		return Finding{} // PASS: a test
	}
	if p.Want == AnySecret && start > 0 && b[start-1] == ';' { // of a connection string
		free := *p
		free.AnyWord, free.freeWord = true, true
		p = &free
	}
	if p.AnyWord && p.Want == AnySecret && w.followsLogin(start) && !w.isGiven(end) {
		plain := *p
		plain.AnyWord = false
		return plain.Value(w, lex.Blank.Run(b, end, MaxApart), false)
	}
	if !p.AnyWord && p.Want <= LikelySecret && isSetHere(w, start, end) {
		typed := *p
		typed.Typed = true
		if p.IsStatus && bytes.IndexByte(b[start:end], '_') > 0 { // SECRETARY_PASS=x
			typed.Want = TypedWord
		}
		p = &typed
	}
	if !p.AnyWord && (p.Want == AnySecret || p.Words == "secret") && isVariableSet(w, start, end) {
		word := *p
		word.AnyWord, word.Want = true, AnySecret
		p = &word
	}
	if b[start] == '-' && p.AnyWord && candidate.IsCommand(bytes.TrimLeft(b[start:end], "-")) {
		likely := *p
		likely.Want = LikelySecret
		p = &likely
	}
	if p.Want == AnySecret {
		if x, isBraced := w.inBraces(start, end); isBraced {
			return x
		}
	}
	x := p.after(w, start, end)
	if x.Verdict != Match || p.Want == AnyValue || p.Want == FormedID || p.Want == MnemonicWords {
		return x
	}
	if w.Cut(x.End + candidate.Operand) {
		return Finding{Verdict: Undecided, Start: x.Start}
	}
	sign := (lex.Blank | lex.Newline).RunBack(b, x.Start, MaxAlign)
	switch isType, decided := w.isOfType(sign, x); {
	case !decided:
		return Finding{Verdict: Undecided, Start: x.Start}
	case isType:
		return Finding{}
	}
	if p.isReference(w, start, end, x) || isVariableOfCode(w, start, x) {
		return Finding{}
	}
	if isUserOfURL(b, start, end) { // the host follows the last @
		if size := bytes.LastIndexByte(b[x.Start:x.End], '@'); size > 0 {
			x.End = x.Start + size
		}
	}
	return p.changed(w, to, x)
}

// isUserOfURL reports whether the name b[start:end] stands where a URL has its user, before a password:
// https://x-access-token:x@host.
func isUserOfURL(b []byte, start, end int) bool {
	return bytes.HasSuffix(b[:start], []byte("://")) && end < len(b) && b[end] == ':'
}

// isSetHere reports whether the name b[start:end] is given a value as files of settings, shells and queries
// do, and not as an argument of a call: with nothing around the sign, or with a word that is the rest of a line of
// data.
func isSetHere(w Window, start, end int) bool {
	b := w.Text
	isElement := start > 0 && b[start-1] == '[' && end < len(b) && b[end] == ']' // of PHP: [name] => x
	switch {
	case isElement && startsLine(b, start-1):
		return isRestOfLine(w, end+1)
	case end < len(b) && b[start] != '-' && (lex.Blank | lex.Colon).Has(b[end]) && startsLine(b, start):
		return isRestOfLine(w, end)
	case end < len(b) && b[end] == ':' && start > 1 && b[start-1] == ' ' && lex.Alnum.Has(b[start-2]) &&
		inBrackets(b, start):
		last := lex.Alnum.Run(b, end+1, MaxValue) // of Go: {Host:db Token:x}
		return last > end+1 && last < len(b) && (b[last] == ' ' || b[last] == '}') && candidate.IsTyped(b[end+1:last])
	}
	if end+1 >= len(b) || b[end] != '=' || !lex.Alnum.Has(b[end+1]) || b[start] == '-' {
		return false
	}
	last := lex.NonSpace.Run(b, end, MaxValue)
	if !candidate.HasDigit(b[end:last]) {
		return false // for which it makes no difference
	}
	isListed := b[last-1] == ',' && !(lex.Upper | lex.HexUpper | lex.Underscore | lex.Digits).Within(b[start:end])
	return !isListed && !inBrackets(b, start) && !w.IsExpression(start)
}

// isRestOfLine reports whether a line of data gives the name before end a word that people think out, and has nothing
// behind it: secret_key = Violet42Comet.
func isRestOfLine(w Window, end int) bool {
	b := w.Text
	sign := lex.Blank.Run(b, end, MaxAlign)
	if sign == len(b) || !(lex.Equals | lex.Colon).Has(b[sign]) {
		return false
	}
	if sign++; sign < len(b) && b[sign] == '>' {
		sign++
	}
	value := lex.Blank.Run(b, sign, MaxAlign)
	last := lex.Alnum.Run(b, value, MaxValue)
	return last > value && candidate.IsTyped(b[value:last]) && (last == len(b) || lex.Newline.Has(b[last])) &&
		!w.IsExpression(value) && !w.IsCode(value, code.Among)
}

// isVariableSet reports whether the name b[start:end], in capitals, is a variable of the environment that a line of its
// own gives a word: a shell and a file of such variables take it for a text.
func isVariableSet(w Window, start, end int) bool {
	const least = 8
	b := w.Text
	if end+1 >= len(b) || !candidate.IsEnvironment(b, start, end, end+1) || bytes.IndexByte(b[start:end], '_') < 0 {
		return false
	}
	line := bytes.TrimPrefix(b[bytes.LastIndexByte(b[:start], '\n')+1:start], []byte("export "))
	last := lex.Letters.Run(b, end+1, MaxValue)
	return len(line) == lex.AnyPrefixEnd(line) && last-end > least && candidate.IsVaried(b[end+1:last], least/2) &&
		!candidate.IsStandIn(b[end+1:last]) && (last == len(b) && w.End || last < len(b) && lex.Newline.Has(b[last]))
}

// isPartOfWord reports whether the anchor b[at:to] is a part of a longer word: a short one between
// small letters, any one beside a letter outside ASCII if it begins or ends with such.
func isPartOfWord(b []byte, at, to int) bool {
	const small, foreign = lex.Lower | lex.HexLower, lex.High | lex.Wide
	joins := func(i int) bool {
		return i > 0 && i < len(b) && (to-at < shortestGlued && small.Has(b[i-1]) && small.Has(b[i]) ||
			foreign.Has(b[i-1]) && foreign.Has(b[i]))
	}
	return joins(at) && !AfterEscape(b, at) || joins(to)
}

// changed adds to x, the value of a name whose anchor ends at to, the one that is to take its
// place, as plans have it: password = "x" -> "y".
func (p *Phrase) changed(w Window, to int, x Finding) Finding {
	const longest = 128
	if x.End-to > longest {
		return x
	}
	next, decided := w.Passes(x.End, `" -> "`)
	switch {
	case !decided:
		return Finding{Verdict: Undecided, Start: x.Start}
	case next == x.End:
		return x
	}
	switch y := p.Value(w, next-1, false); y.Verdict {
	case Undecided:
		return Finding{Verdict: Undecided, Start: x.Start}
	case Match:
		w.Add(y.Start, y.End)
	case OpenEnded:
		w.Add(x.Start, x.End)
		return y
	}
	return x
}

// isOfARN says whether the name at i is a part of an Amazon resource name, of which the next part says
// where something is: arn:aws:secretsmanager:region:account:secret:name.
func isOfARN(b []byte, i int) bool {
	const longest = 128
	if i == 0 || b[i-1] != ':' {
		return false
	}
	return bytes.HasPrefix(b[(lex.NonSpace&^(lex.Quote|lex.Equals|lex.Comma)).RunBack(b, i, longest):i],
		[]byte("arn:aws"))
}

// isHeader says whether name is that of the header with credentials, and not of one about
// it: authorization, X-Authorization; not authorization_code.
func isHeader(name []byte) bool {
	const header = "authorization"
	name = bytes.TrimRight(name, "0123456789_-.")
	return len(name) >= len(header) && lex.EqualFold(name[len(name)-len(header):], header)
}

// isOptional says whether the name b[start:end] is a part that a syntax has in brackets, after a
// colon: user[:password]@host.
func isOptional(b []byte, start, end int) bool {
	return start > 1 && b[start-1] == ':' && b[start-2] == '[' && bytes.HasPrefix(b[end:], []byte("]@"))
}

// Excludes implements detect.Excluder.
func (f *Named) Excludes(b []byte, at, to int) bool {
	if isPartOfWord(b, at, to) {
		return true
	}
	start, end := lex.NameOfKey.RunBack(b, at, MaxName), lex.NameOfKey.Run(b, to, MaxName)
	return f.Names.Of(bytes.Trim(b[start:end], "-.")) == nil &&
		(!AfterEscape(b, start+1) || f.Names.Of(bytes.Trim(b[start+1:end], "-.")) == nil)
}

// after finds the value of the name text[start:i].
func (p *Phrase) after(w Window, start, i int) Finding {
	b := w.Text
	isFlag := b[start] == '-' && !isHyphen(b, start)
	isTag := start > 0 && b[start-1] == '<'
	isOfNamespace := w.followsNamespace(start)
	if isTag && start > 1 && (b[start-2] == '?' || b[start-2] == 'P' && start > 2 && b[start-3] == '?') {
		return Finding{} // a group of an expression: (?P<password>
	}
	wait := func(i int) Finding { return Finding{Verdict: Undecided, Start: i} }
	at := i
	for i < len(b) && i < at+6 && ((lex.Quote | lex.Backslash).Has(b[i]) || b[i] == ']') {
		i++
	}
	quoted := bytes.ContainsAny(b[at:i], "\"'`")
	if w.Cut(i + 2) {
		return wait(i)
	}
	if quoted && start > 0 && b[start-1] == '/' {
		const inKey = lex.Everything &^ (lex.Quote | lex.Whitespace)
		key := inKey.RunBack(b, start, longestPath)
		if key > 0 && key < start && IsPath(b[key:at]) {
			return Finding{}
		}
	}
	if p.Proper && !quoted && i > at && i < len(b) && lex.Blank.Has(b[i]) { // index[fullName] = "..."
		return Finding{}
	}
	if !quoted && i+2 < len(b) && b[i] == ':' && b[i+1] == ':' &&
		(lex.Letters | lex.Backslash | lex.Tilde).Has(b[i+2]) &&
		(!p.AnyWord || bytes.HasPrefix(b[i+2:], []byte("class"))) {
		return Finding{} // Session::clear
	}
	if !quoted && i+2 < len(b) && b[start] == '.' && b[i] == ':' && b[i+1] == ':' {
		end := (lex.Lower | lex.HexLower | lex.Dash).Run(b, i+2, MaxName)
		next := lex.Blank.Run(b, end, MaxApart)
		switch {
		case w.Cut(next):
			return wait(i)
		case next < len(b) && (b[next] == '{' || b[next] == ','): // of CSS: .password::after {
			return Finding{}
		}
	}
	i = subscript(b, i)
	if stars := asterisks(b, i); stars > i {
		if w.Cut(stars) {
			return wait(i)
		}
		if stars < len(b) && b[stars] == ':' {
			i = stars
		}
	}
	end := lex.Blank.Run(b, i, MaxAlign)
	isFar := end-i > MaxApart
	spaced := end > i
	i = end
	if spaced && !quoted && p.AnyWord && p.Want == AnySecret {
		verb := lex.Letters.Run(b, i, longestCopula+1)
		if w.Cut(verb) {
			return wait(i)
		}
		if verb < len(b) && b[verb] == ':' && isCopula(b[i:verb]) {
			i = verb
		}
	}
	if quoted && spaced && i < len(b) && b[i] == '{' { // variable "password" { default = "x" }
		i = lex.Blank.Run(b, i+1, MaxApart)
		switch word, decided := w.Passes(i, "default"); {
		case !decided || w.Cut(i):
			return wait(i)
		case word == i:
			return Finding{}
		}
	}
	if quoted && spaced && i+1 < len(b) && b[i] == ':' && lex.Letters.Has(b[i+1]) { // <a b="password" :c="..."> of Vue
		return Finding{}
	}
	if spaced && !quoted && p.IsStatus { // the pw is x
		if value, isKnown := w.stated(i); value > i || !isKnown {
			return p.typed(w, value, isKnown)
		}
	}
	if spaced && !quoted {
		switch value, decided := w.typeBefore(start, i); {
		case !decided:
			return wait(i)
		case value > i:
			return p.allOfLine(w, value)
		}
	}
	end, decided := w.assignment(i, spaced)
	if !decided {
		return wait(i)
	}
	switch {
	case i == len(b):
		return Finding{}
	case end > i && isFar && p.Proper: // of a row of constants
		return Finding{}
	case end > i:
		isComparison := end-at > 1 && b[end-1] == '=' && (b[end-2] == '=' || b[end-2] == '!')
		return p.assigned(w, start, end, spaced, isComparison)
	case isFar:
		return Finding{}
	case spaced && !quoted && b[i] == '.': // password ......... x
		const fewest, most = 4, 160
		value := lex.Dot.Run(b, i, most)
		if w.Cut(value + 1) {
			return wait(i)
		}
		if value-i >= fewest && value < len(b) && b[value] == ' ' {
			return p.allOfLine(w, value+1)
		}
	case spaced && b[i] == '-':
		if value, decided := w.pointed(i); value > i || !decided {
			x := p.typed(w, value, decided)
			if x.Verdict == Match && x.Start == value && isMemberOfType(b[x.Start:x.End]) { // of a branch
				return Finding{}
			}
			return x
		}
	case spaced && !quoted && b[i] == '|' && startsLine(b, start): // of a record of psql
		value := lex.Blank.Run(b, i+1, MaxApart)
		if w.Cut(value) {
			return wait(i)
		}
		return p.allOfLine(w, value)
	case spaced && !quoted && b[i] == '|' && isFirstCell(b, start):
		return p.lastCell(w, lex.Blank.Run(b, i+1, MaxAlign))
	case isTag && !spaced && b[i] == '>':
		i++
		if w.Cut(i) {
			return wait(i)
		}
		switch value, isOnNext, decided := w.valueTag(i); {
		case !decided:
			return wait(i)
		case isOnNext:
			return p.allOfLine(w, value)
		case value > i:
			return p.allOfElement(w, value)
		}
		// https://<user>:<password>@host
		if i < len(b) && b[i] == '@' && start > 1 && (lex.Colon | lex.Slash).Has(b[start-2]) {
			return Finding{}
		}
		if i < len(b) && lex.Blank.Has(b[i]) { // tool <password> <file>
			return p.allOfElement(w, i)
		}
		if x, isSection := p.section(w, i); isSection {
			return x
		}
		if p.AnyWord && p.Want == AnySecret {
			switch end, decided := w.closed(i); {
			case !decided:
				return wait(i)
			case end > i:
				return Finding{Verdict: Match, Start: i, End: end}
			}
		}
		typed := *p // what an element has is no variable
		typed.Typed = true
		return typed.given(w, i)
	case (isTag || isOfNamespace) && !quoted && (spaced || b[i] == '>'):
		typed := *p
		typed.Typed = true
		return typed.element(w, i)
	case !quoted && (b[i] == '<' || b[i] == '\n'):
		return p.property(w, i)
	case quoted && spaced && isTypeOfInput(b, start):
		return p.input(w, i)
	case quoted && b[i] == ',' && (start > 0 && b[start-1] == '/' || bytes.IndexByte(b[at:i],
		']') >= 0): // /etc/passwd, the last of a list
		return Finding{}
	case quoted && b[i] == ',':
		return p.next(w, start, i+1, isFlag)
	case !quoted && b[i] == ',' && start > 1 && b[start-1] == ':' && b[start-2] == '{': // {:password, "x"}
		return p.inTuple(w, i+1)
	case !quoted && b[i] == ',' && start > 0 && (b[start-1] == '{' || b[start-1] == '(' &&
		StartsWord(b, start-1) && (start < 2 || b[start-2] != '!')):
		return p.inPair(w, i+1)
	case p.Want == AnySecret && (bytes.HasPrefix(b[i:], []byte("||")) || bytes.HasPrefix(b[i:], []byte("??"))):
		return p.orElse(w, i+2)
	case quoted && b[i] == '>' && isAttribute(b, start):
		return p.content(w, i+1)
	case isFlag && spaced && b[i] != '-' && !quoted:
		return p.given(w, i)
	case b[i] == '(' && !quoted && !spaced && (p.Want == AnySecret || p.Want == LikelySecret):
		return p.argument(w, b[start:at], i+1)
	case spaced && !quoted && (p.Want == AnySecret || p.Want == LikelySecret && !p.IsStatus) &&
		(w.followsVerb(start) || startsLine(b, start)):
		if x := p.operand(w, start, i); x.Verdict != NoMatch {
			return x
		}
	}
	switch {
	case spaced && !quoted && p.AnyWord && p.Want == AnySecret:
		return p.spaced(w, i, AnySecret)
	case spaced && !quoted && p.Want == Number && p.Digits[0] >= longNumber-3: // no count is as long
		return p.given(w, i)
	case spaced && p.Want == FormedID:
		return p.formed(w, i, false, true)
	case spaced && p.Want == MnemonicWords:
		return p.mnemonic(w, i, false)
	case spaced && !p.MayBeID && p.Want != Number && p.Want != AuthSecret:
		return p.spaced(w, i, LikelySecret)
	}
	return Finding{}
}

// assigned finds the value that a sign gives to the name that begins at start, = or a colon,
// which ends at sign.
func (p *Phrase) assigned(w Window, start, sign int, spaced, isComparison bool) Finding {
	b := w.Text
	begin := sign
	if stars := asterisks(b, sign); stars > sign && b[sign-1] == ':' {
		if w.Cut(stars) {
			return Finding{Verdict: Undecided, Start: sign}
		}
		if stars < len(b) && lex.Blank.Has(b[stars]) { // **Password:** x
			begin = stars
		}
	}
	if spaced && b[sign-1] == ':' && isVariableOfPsql(w, start, sign) {
		return Finding{}
	}
	if p.Words == "credentials" || p.Words == "credential" || p.Words == "creds" {
		if x := p.ofPair(w, begin); x.Verdict != NoMatch {
			return x
		}
	}
	x := p.given(w, begin)
	if b[sign-1] == ':' && x.Verdict != Undecided {
		p.collection(w, begin)
	}
	if x.Verdict != Match || lex.Quote.Has(b[x.Start-1]) || p.Want == AnyValue {
		return x
	}
	v := b[x.Start:x.End]
	if head, _, isTernary := bytes.Cut(v, []byte{'?'}); isComparison && isTernary &&
		bytes.IndexByte(v, ':') > len(head) && bytes.IndexByte(head, '.') > 0 && !candidate.HasScrambled(v) &&
		(lex.Letters | lex.Dot | lex.Underscore | lex.Colon | lex.Punctuation).Within(v) { // a.b===c.d?e:f
		return Finding{}
	}
	const ofVariable = lex.Upper | lex.HexUpper | lex.Underscore | lex.Digits
	isEnvironment := ofVariable.Run(b, start, MaxName) == sign-2 && startsLine(b, start) // A==b: the value begins with =
	if isComparison && !isEnvironment && (candidate.IsVariable(v) || candidate.IsConstant(v) || (lex.Word|lex.Dot).Within(v) &&
		bytes.IndexByte(v, '.') > 0 &&
		!candidate.IsMade(v)) {
		return Finding{}
	}
	isApart := b[sign-1] == ':' || b[sign-1] == '=' && lex.Blank.Has(b[begin]) && (!spaced || isCommented(b, start))
	if isApart && p.AnyWord && p.Want == AnySecret && lex.Letters.Within(v) {
		switch isProse, decided := w.goesOn(x.End); {
		case !decided:
			return Finding{Verdict: Undecided, Start: x.Start}
		case isProse:
			return Finding{}
		}
	}
	return x
}

// isVariableOfPsql reports whether a statement has a variable of psql(1) at i, after its colon and behind the words
// WITH PASSWORD or PASSWORD, of which the last is at start: :'app_password'.
func isVariableOfPsql(w Window, start, i int) bool {
	b := w.Text
	const capitals = lex.Upper | lex.HexUpper
	name := lex.Letters.Run(b, start, MaxName)
	if i+1 >= len(b) || b[i] != '\'' || start == 0 || b[start-1] != ' ' || !capitals.Within(b[start:name]) {
		return false
	}
	end := (lex.Lower | lex.HexLower | lex.Underscore).Run(b, i+1, MaxName)
	return end < len(b) && b[end] == '\'' && bytes.IndexByte(b[i+1:end], '_') > 0
}

// ofPair finds the password of a pair at i, as people write what they log in with: admin / x, admin:x.
func (p *Phrase) ofPair(w Window, i int) Finding {
	b := w.Text
	i = lex.Blank.Run(b, i, MaxApart)
	user := lex.Word.Run(b, i, MaxName)
	at := (lex.Blank | lex.Slash | lex.Colon).Run(b, user, len(" / "))
	switch {
	case w.Cut(at):
		return Finding{Verdict: Undecided, Start: i}
	case user == i, at == user, len(bytes.Trim(b[user:at], " \t")) != 1:
		return Finding{}
	}
	return p.typed(w, at, true)
}

// given finds the value that begins at i, or after blanks, or on the line after the begin of a
// block of YAML.
func (p *Phrase) given(w Window, i int) Finding {
	i = lex.Blank.Run(w.Text, i, MaxAlign)
	switch isReference, decided := w.isReferenceTag(i); {
	case !decided:
		return Finding{Verdict: Undecided, Start: i}
	case isReference:
		return Finding{}
	}
	i = w.block(w.tag(w.link(w.addressed(i))))
	if w.Cut(i) {
		return Finding{Verdict: Undecided, Start: i}
	}
	if p.Proper {
		switch is, end := w.person(i); is {
		case unread:
			return Finding{Verdict: Undecided, Start: i}
		case nameOfForm:
			return Finding{}
		case fullName:
			return Finding{Verdict: Match, Start: i, End: end}
		}
	}
	if i < len(w.Text) && w.Text[i] == '[' && p.Want != AnyValue {
		end := lex.Alnum.Run(w.Text, i+1, MaxApart)
		switch {
		case w.Cut(end):
			return Finding{Verdict: Undecided, Start: i}
		case end < len(w.Text) && w.Text[end] == ';' && IsTypeName(w.Text[i+1:end]): // of Rust: [u8; 32]
			return Finding{}
		}
		return p.elements(w, i)
	}
	return p.Value(w, i, false)
}

// collection notes where the flow collection of YAML begins that is the value at i. It is read as it comes: it
// may go on for any number of lines.
func (p *Phrase) collection(w Window, i int) {
	i = w.tag(lex.Blank.Run(w.Text, i, MaxAlign))
	if i < len(w.Text) && (w.Text[i] == '{' || w.Text[i] == '[') && w.Marker(i) == 0 &&
		(p.Whole || p.Proper || p.IsPlural) {
		w.Opening = Awaited{Is: true, Carry: Carry{Phrase: *p, How: InCollection}, At: i, IsGuarded: true}
	}
}

// elements finds the values in a list whose bracket is at i, as JSON, YAML and programs have it. The
// brackets and commas stay. An element without quotes and digits is a name in a program.
func (p *Phrase) elements(w Window, i int) (x Finding) {
	if i+lex.MaxMarker > len(w.Text) && !w.End {
		return Finding{Verdict: Undecided, Start: i}
	}
	if w.Marker(i) > 0 {
		return Finding{}
	}
	b := w.Text
	from, limit := i+1, min(len(b), i+MaxValue)
	isCut := func(i int) bool { return i >= limit && limit == len(b) && !w.End }
	for i++; i < limit && b[i] == '[' && w.Marker(i) == 0; i++ { // [[x]] of Lua, too
	}
	for ; i < limit && b[i] != ']'; i++ {
		i = lex.Blank.Run(b, i, MaxAlign)
		opening := lex.Backslash.Run(b, i, 3)
		isQuoted := opening < len(b) && lex.Quote.Has(b[opening])
		start, end := i, i
		switch marker := w.Marker(min(i, len(b))); {
		case marker > 0:
			i = marker
		case isQuoted:
			start = opening + 1
			end = ClosingQuote(w, start, b[opening], opening > i)
			i = min(len(b), end+1+opening-i)
		default:
			for end < limit && lex.BareValue.Has(b[end]) && strings.IndexByte("[],", b[end]) < 0 {
				end++
			}
			i = end
		}
		i = min(limit, lex.Blank.Run(b, i, MaxAlign))
		switch {
		case end >= limit && limit == from-1+MaxValue && start < limit &&
			(isQuoted || candidate.HasDigit(b[start:limit])):
			if x.Verdict == Match {
				w.Add(x.Start, x.End)
			}
			class := lex.BareValue &^ lex.Comma
			if isQuoted {
				class = lex.Everything &^ (lex.Quote | lex.Newline)
			}
			return Finding{Verdict: OpenEnded, Start: start, End: limit, Class: class}
		case isCut(i):
			return Finding{Verdict: Undecided, Start: from}
		case start < end && end > w.Marker(start) && (isQuoted || candidate.HasDigit(b[start:end])) &&
			p.accepts(b[start:end], isQuoted):
			if x.Verdict == Match {
				w.Add(start, end)
			} else {
				x = Finding{Verdict: Match, Start: start, End: end}
			}
		}
		if i >= limit || b[i] != ',' && b[i] != ']' {
			return x
		}
		if b[i] == ']' {
			break
		}
	}
	if isCut(i) || isCut(i+len("]{+")) {
		return Finding{Verdict: Undecided, Start: from}
	}
	// git diff --word-diff
	if inserted, found := bytes.CutPrefix(b[i:limit], []byte("]{+")); found && x.Verdict == Match {
		if end := bytes.Index(inserted, []byte("+}")); end > 0 {
			w.Add(limit-len(inserted), limit-len(inserted)+end)
		}
	}
	return x
}

// BlockHeader returns the end of the header of a scalar of YAML that is at i, or i.
func BlockHeader(b []byte, i int) int {
	const indicators = 2
	if i == len(b) || b[i] != '|' && b[i] != '>' {
		return i
	}
	return lex.Blank.Run(b, (lex.Plus|lex.Dash|lex.Digits).Run(b, i+1, indicators), indicators)
}

// next finds the value that a comma before i parts from its name, which begins at start, both
// in quotes: in a call, or in a list.
func (p *Phrase) next(w Window, start, i int, isFlag bool) Finding {
	i = lex.Blank.Run(w.Text, i, MaxApart)
	if w.Cut(i) {
		return Finding{Verdict: Undecided, Start: i}
	}
	one := *p
	switch {
	case p.Want == AnySecret:
		one = Phrase{Rule: p.Rule, IsSecret: p.IsSecret, Want: quotedWord,
			NotPath: (!isFlag || !isInList(w.Text, start)) && !p.isDefined(w.Text, start)}
	case p.Want == LikelySecret || p.Want == AuthSecret:
		one.IsListed = !isFirst(w.Text, start)
		one.NotPath = true
		one.isGiven = true
	}
	return one.Value(w, i, false)
}

// inTuple finds the value that a comma before i parts from its name, an atom of Elixir, in a tuple
// of the two.
func (p *Phrase) inTuple(w Window, i int) Finding {
	one := *p
	if p.Want == AnySecret {
		one = Phrase{Rule: p.Rule, IsSecret: p.IsSecret, Want: quotedWord}
	}
	return one.Value(w, lex.Blank.Run(w.Text, i, MaxApart), false)
}

// inPair finds the value that a comma before i parts from its name, in a bracket that has the two:
// {password,"x"} of Erlang, (db.password,x) of Scala. One without quotes is a variable in a program.
func (p *Phrase) inPair(w Window, i int) Finding {
	at := lex.Blank.Run(w.Text, i, MaxApart)
	if w.Cut(at) {
		return Finding{Verdict: Undecided, Start: i}
	}
	if at == len(w.Text) || (lex.Quote | lex.Angle | lex.Backslash).Has(w.Text[at]) {
		return p.inTuple(w, at)
	}
	x := p.typed(w, at, true)
	switch {
	case x.Verdict != Match:
		return x
	case w.Cut(x.End):
		return Finding{Verdict: Undecided, Start: i}
	case x.End == len(w.Text) || bytes.IndexByte([]byte(")}"), w.Text[x.End]) < 0 || w.IsExpression(x.Start):
		return Finding{}
	}
	return x
}

// isMemberOfType says whether v is a type's member: AuthType.XOAUTH2.
func isMemberOfType(v []byte) bool {
	return (lex.Upper | lex.HexUpper).Has(v[0]) && (lex.Word | lex.Dot).Within(v) && bytes.IndexByte(v, '.') > 0 &&
		!candidate.IsMade(v)
}

// typed finds the value at i, if it looks like one whatever gives it to the name. It is undecided if decided is false.
func (p *Phrase) typed(w Window, i int, decided bool) Finding {
	if !decided {
		return Finding{Verdict: Undecided, Start: i}
	}
	one := *p
	if one.Typed = true; one.Want == AnySecret {
		one.Want = TypedWord
	}
	return one.Value(w, i, false)
}

// operand finds the value at i that follows its name, which begins at start, as the operand of a command or as
// the other word of a line: set db_password x, password x.
func (p *Phrase) operand(w Window, start, i int) Finding {
	x := p.typed(w, i, true)
	if x.Verdict != Match || w.followsVerb(start) {
		return x
	}
	end := (lex.Quote | lex.Backslash).Run(w.Text, x.End, 3)
	end = lex.Blank.Run(w.Text, end, MaxApart)
	switch {
	case w.Cut(end):
		return Finding{Verdict: Undecided, Start: i}
	case end < len(w.Text) && !lex.Newline.Has(w.Text[end]):
		return Finding{}
	}
	return x
}

// OfRow returns p for what follows its name in an array that begins with that: ["authorization","x"].
// A list of names begins so as well.
func (p *Phrase) OfRow() Phrase {
	one := *p
	if p.Want == FormedID || p.Want == MnemonicWords {
		return one
	}
	one.Want, one.IsArgument, one.IsListed, one.NotPath = LikelySecret, true, true, true
	return one
}

// orElse finds the value that a program takes if that of the name is missing; the sign of
// that, || or ??, ends at i.
func (p *Phrase) orElse(w Window, i int) Finding {
	one := Phrase{Rule: p.Rule, IsSecret: p.IsSecret, Want: quotedWord}
	x := one.Value(w, lex.Blank.Run(w.Text, i, MaxApart), false)
	if x.Verdict == Match && candidate.AreStopWords(w.Text[x.Start:x.End]) { // "not-set"
		return Finding{}
	}
	return x
}

// argument finds the value that a function of that name is given, at i.
func (p *Phrase) argument(w Window, name []byte, i int) Finding {
	switch {
	case w.Cut(i):
		return Finding{Verdict: Undecided, Start: i}
	case i == len(w.Text) || !lex.Quote.Has(w.Text[i]):
		return Finding{}
	case p.Words == "credential" || p.Words == "credentials" || p.Words == "auth" && isBasic(name):
		if x := p.second(w, i); x.Verdict != NoMatch {
			return x
		}
	case p.AnyWord && isSetter(name):
		return p.spaced(w, i, AnySecret)
	case p.Qualified:
		one := Phrase{Rule: p.Rule, IsSecret: p.IsSecret, Want: madeSecret}
		return one.Value(w, i, false)
	}
	x := p.spaced(w, i, LikelySecret)
	if x.Verdict == Match && !isSetter(name) && jsonx.IsNumber(w.Text[x.Start:x.End]) { // token("17")
		return Finding{}
	}
	return x
}

// isBasic says whether a function of that name makes the credentials of a user and a password: HTTPBasicAuth.
func isBasic(name []byte) bool {
	const basic = "basic"
	n := len(name) - len("auth")
	name = bytes.TrimRight(name[:max(n, 0)], "_")
	return len(name) >= len(basic) && lex.EqualFold(name[len(name)-len(basic):], basic)
}

// second finds the password that a function is given last, after the name of a user and maybe what that is for. The
// first argument is in quotes at i: NetworkCredential("mara", "x"), Credentials("realm", "host", "mara", "x").
func (p *Phrase) second(w Window, i int) Finding {
	const longest, most = 64, 4
	b := w.Text
	for n := 2; n <= most; n++ {
		end := (lex.Everything &^ (lex.Quote | lex.Newline)).Run(b, i+1, longest)
		next := lex.Blank.Run(b, min(end+2, len(b)), MaxApart)
		switch {
		case w.Cut(next):
			return Finding{Verdict: Undecided, Start: i}
		case end+1 >= len(b) || b[end] != b[i] || b[end+1] != ',' || next == len(b) || b[next] != b[i]:
			return Finding{}
		}
		i = next
		if n%2 == 1 { // a domain may follow the two, but nothing else does
			continue
		}
		one := Phrase{Rule: p.Rule, IsSecret: p.IsSecret, Want: quotedWord}
		x := one.Value(w, i, false)
		switch {
		case x.Verdict == Undecided, x.Verdict == Match && w.Cut(x.End+2):
			return Finding{Verdict: Undecided, Start: i}
		case x.Verdict == Match && x.End+1 < len(b) && b[x.End+1] == ')':
			return x
		}
	}
	return Finding{}
}

// content finds the value that is all that is in an element, which is named by one of
// its attributes: <entry key="password">x</entry>. A word may be its label.
func (p *Phrase) content(w Window, i int) Finding {
	x := p.Value(w, i, false)
	if x.Verdict != Match {
		return x
	}
	end := lex.BareValue.Run(w.Text, x.End, MaxValue)
	if w.Cut(end + 1) {
		return Finding{Verdict: Undecided, Start: i}
	}
	v := w.Text[x.Start:x.End]
	if !bytes.HasPrefix(w.Text[end:], []byte("</")) || !candidate.HasDigit(v) && !candidate.IsStrong(v) {
		return Finding{}
	}
	return x
}

// isCommented says whether the name at i stands in a comment of a program, //.
func isCommented(b []byte, i int) bool {
	const longest = 80
	line := b[max(0, i-longest):i]
	line = bytes.TrimLeft(line[bytes.LastIndexByte(line, '\n')+1:], " \t")
	return bytes.HasPrefix(line, []byte("//"))
}

// isHyphen says whether the dash at i is within a word, as troff writes it: base\-passwd.
func isHyphen(b []byte, i int) bool { return i > 1 && b[i-1] == '\\' && lex.Word.Has(b[i-2]) }

// isAttribute says whether the value of an attribute in quotes begins at i: key="
func isAttribute(b []byte, i int) bool { return i > 1 && lex.Quote.Has(b[i-1]) && b[i-2] == '=' }

// isSetter says whether name is that of a function that is given what it names.
func isSetter(name []byte) bool {
	name = name[bytes.LastIndexByte(name, '.')+1:]
	return len(name) > 4 && (lex.EqualFold(name[:3], "set") || lex.EqualFold(name[:4], "with"))
}

// isFirst says whether the string that holds the name at i is the first of what is in
// brackets: set("token", x), rather than one of a list.
func isFirst(b []byte, i int) bool {
	i = (lex.Quote | lex.Backslash).RunBack(b, i, 4)
	i = lex.Whitespace.RunBack(b, i, 20)
	return i > 0 && bytes.IndexByte([]byte("([{"), b[i-1]) >= 0
}

// isDefined says whether the string that holds the name at i, in capitals, is the first argument of a function that
// gives such names a value: define("DB_PASSWORD", x), os.Setenv("DB_PASSWORD", x). The name ends with the last word of
// the phrase.
func (p *Phrase) isDefined(b []byte, i int) bool {
	const longest = 16
	end := lex.Word.Run(b, i, MaxName)
	last := p.Words[strings.LastIndexByte(p.Words, ' ')+1:]
	if end-i < len(last) || !lex.EqualFold(b[end-len(last):end], last) {
		return false
	}
	if !(lex.Upper | lex.HexUpper | lex.Digits | lex.Underscore).Within(b[i:end]) ||
		bytes.IndexByte(b[i:end], '_') < 0 ||
		!isFirst(b, i) {
		return false
	}
	i = lex.Whitespace.RunBack(b, lex.Quote.RunBack(b, i, 2), 4)
	if i == 0 || b[i-1] != '(' {
		return false
	}
	var lower [longest]byte
	switch string(candidate.AppendLower(lower[:0], b[lex.Letters.RunBack(b, i-1, longest):i-1])) {
	case "define", "const", "setenv", "putenv", "env", "getenv", "export", "set", "put", "setproperty":
		return true
	}
	return false
}

// isInList says whether the string that holds the name at i is in square brackets, as the
// arguments of a program are, rather than in those of a call.
func isInList(b []byte, i int) bool {
	const look = 200
	closed := 0
	for from := max(0, i-look); i > from; i-- {
		switch b[i-1] {
		case ']', ')':
			closed++
		case '[', '(':
			if closed == 0 {
				return b[i-1] == '['
			}
			closed--
		}
	}
	return false
}

// spaced finds the value that begins at i, with nothing before it that gives it
// to the name: only what can hardly be a word of a sentence, or, where anything
// can be the value, what stands in quotes.
func (p *Phrase) spaced(w Window, i int, want ValueKind) Finding {
	b := w.Text
	isStated, from := false, i
	if want == AnySecret {
		switch value, isKnown := w.stated(i); {
		case !isKnown:
			return Finding{Verdict: Undecided, Start: i}
		case value > i:
			i, isStated = value, true
		}
	}
	q := lex.Backslash.Run(b, i, 3)
	if w.Cut(q) {
		return Finding{Verdict: Undecided, Start: i}
	}
	isQuoted := q < len(b) && lex.Quote.Has(b[q])
	if isQuoted {
		q++
	}
	next := lex.Word.Run(b, q, MaxName)
	switch {
	case w.Cut(max(q, next) + 1):
		return Finding{Verdict: Undecided, Start: i}
	// another name, and its value
	case !isQuoted && next > q && next+1 < len(b) && b[next] == '=' && lex.Alnum.Has(b[next+1]):
		return Finding{}
	case bytes.HasPrefix(b[min(q, len(b)):], []byte("--")): // pass --verbose
		return Finding{}
	case want == AnySecret && isQuoted:
		one := Phrase{Rule: p.Rule, IsSecret: p.IsSecret, Want: quotedWord, Proper: p.Proper}
		return one.Value(w, i, false)
	case isQuoted:
		one := Phrase{Rule: p.Rule, IsSecret: p.IsSecret, Want: LikelySecret, Min: 8, Proper: p.Proper}
		return one.Value(w, i, false)
	}
	one := Phrase{Rule: p.Rule, IsSecret: p.IsSecret, Want: LikelySecret, MayBeID: true, Min: 20}
	if isStated {
		one.Want = TypedWord
	}
	if x := one.Value(w, i, false); x.Verdict != NoMatch || want != AnySecret {
		return x
	}
	signed := lex.NonSpace.Run(b, from, MaxName)
	if w.Cut(signed) {
		return Finding{Verdict: Undecided, Start: from}
	}
	if v := bytes.TrimRight(b[from:signed], ".,;:!?\"')]}"); candidate.HasInnerSign(v) { // with password x!y
		return Finding{Verdict: Match, Start: from, End: from + len(v)}
	}
	at, isKnown := w.announced(from)
	end := lex.Alnum.Run(b, at, MaxName)
	switch {
	case !isKnown || w.Cut(end+1):
		return Finding{Verdict: Undecided, Start: from}
	case !candidate.IsMadeWord(b[at:end]), end < len(b) && isInName(b[end:]):
		return Finding{}
	}
	return Finding{Verdict: Match, Start: at, End: end}
}

// isInName reports whether v shows that the word before it is part of a longer word, or a call.
func isInName(v []byte) bool {
	return (lex.Word | lex.Paren | lex.Slash | lex.Colon | lex.Equals | lex.Dash).Has(v[0]) ||
		v[0] == '.' && len(v) > 1 && lex.Alnum.Has(v[1])
}

// announced returns the start of the password that a sentence ends with, after a colon. The sentence goes on after its
// name at i: is generated for root@localhost: x. It returns i if there is no such word.
func (w Window) announced(i int) (value int, isKnown bool) {
	const longest = 80
	const inSentence = lex.NameOfKey | lex.Blank | lex.Slash | lex.Plus
	b := w.Text
	end := i
	for end < len(b) && end < i+longest && (inSentence.Has(b[end]) || b[end] == '@') {
		end++
	}
	if w.Cut(end + 1) {
		return i, end == i+longest
	}
	if end+1 >= len(b) || b[end] != ':' || b[end+1] != ' ' {
		return i, true
	}
	value = end + 2
	switch last := lex.NonSpace.Run(b, value, MaxName); {
	case w.Cut(last):
		return i, false
	case last == len(b) || lex.Newline.Has(b[last]):
		return value, true
	}
	return i, true
}

// longestCopula is how long a word is between a name and what it is.
const longestCopula = len("lautet")

// isCopula says whether v is the word between a name and what it is: in English, German, French or Spanish.
func isCopula(v []byte) bool {
	var b [longestCopula]byte
	if len(v) > len(b) {
		return false
	}
	switch string(candidate.AppendLower(b[:0], v)) {
	case "is", "was", "ist", "lautet", "est", "es":
		return true
	}
	return false
}

// stated returns where the value begins that a sentence tells, of which the words after the name begin at i: is x, for
// the server is x. It is i if the sentence tells none.
func (w Window) stated(i int) (value int, isKnown bool) {
	const most, longestWord = 6, 16
	b := w.Text
	for n, at := 0, i; n < most; n++ {
		end := (lex.Word | lex.Dash).Run(b, at, longestWord)
		if w.Cut(end + 1) {
			return i, end-at == longestWord
		}
		word := b[at:end]
		switch {
		case end == at || end >= len(b) || b[end] != ' ':
			return i, true
		case isCopula(word):
			return end + 1, true
		case n == 0 && !isPreposition(word):
			return i, true
		}
		at = end + 1
	}
	return i, true
}

// isPreposition says whether v goes on after a name with what that is of.
func isPreposition(v []byte) bool {
	switch string(v) {
	case "for", "of", "to", "on", "at", "in":
		return true
	}
	return false
}

// asterisks returns the end of those at i that begin or end what is in bold, or i.
func asterisks(b []byte, i int) int {
	const longest = 3
	for end := i; ; end++ {
		if end == len(b) || end == i+longest || b[end] != '*' {
			return end
		}
	}
}

func isValueWord(v []byte) bool {
	return lex.EqualFold(v, "value") || lex.EqualFold(v, "content") || lex.EqualFold(v, "default")
}

// isTypeWord says whether v is a type of text in a programming language.
func isTypeWord(v []byte) bool {
	switch string(bytes.TrimLeft(v, "&*[]?")) {
	case "string", "String", "str", "text", "Text", "bytes", "byte", "char", "varchar":
		return true
	}
	return false
}

// subscript returns the end of the length in brackets that begins at i, or i.
func subscript(b []byte, i int) int {
	if i == len(b) || b[i] != '[' {
		return i
	}
	end := lex.Digits.Run(b, i+1, 6)
	if end == len(b) || b[end] != ']' {
		return i
	}
	return end + 1
}

// IsNetrcKeyword reports whether a word of a .netrc has a value after it.
func IsNetrcKeyword(word []byte) bool {
	switch string(word) {
	case "login", "account", "password", "port":
		return true
	}
	return false
}

// isOfConnection reports whether a connection string says by name where it leads to, or who connects.
func isOfConnection(name []byte) bool {
	var b [MaxName]byte
	switch string(candidate.AppendLower(b[:0], bytes.TrimSpace(name)[:min(len(bytes.TrimSpace(name)), len(b))])) {
	case "uid", "user", "user id", "userid", "username", "server", "host", "address", "data source", "dsn", "filedsn",
		"driver",
		"database", "initial catalog", "port":
		return true
	}
	return false
}

// followsAttribute reports whether such a name is one of the last of b, which ends after a semicolon.
func followsAttribute(b []byte) bool {
	const most = 8
	b = b[max(0, len(b)-MaxValue):]
	b = b[bytes.LastIndexByte(b, '\n')+1:]
	for range most {
		last := bytes.LastIndexByte(b, ';')
		if last < 0 {
			return false
		}
		b = b[:last]
		begin := (lex.Everything &^ (lex.Newline | lex.Punctuation)).RunBack(b, len(b), MaxValue)
		name, _, isSet := bytes.Cut(b[begin:], []byte{'='})
		start := (lex.Word | lex.Blank).RunBack(name, len(name), MaxName)
		if isSet && isOfConnection(name[start:]) {
			return true
		}
	}
	return false
}

// EndsWord says whether the byte at i, if any, is none that would go on with a
// number or a word.
func EndsWord(b []byte, i int) bool { return i >= len(b) || !lex.Word.Has(b[i]) }

// StartsWord says the same of what stands before i.
func StartsWord(b []byte, i int) bool { return i == 0 || !lex.Word.Has(b[i-1]) || AfterEscape(b, i) }

// Joined says whether the byte at i is one of joiners with a digit after it.
func Joined(b []byte, i int, joiners lex.Class) bool {
	return i+1 < len(b) && joiners.Has(b[i]) && lex.Digits.Has(b[i+1])
}

// inBraces finds the value of a name of a connection string of ODBC that begins at i, in braces; a brace
// in it is doubled ([MS-ODBCSTR] 2.1.2). It is one only where another attribute stands beside it.
func (w Window) inBraces(start, i int) (x Finding, isBraced bool) {
	b := w.Text
	if i+2 >= len(b) && !w.End {
		return Finding{Verdict: Undecided, Start: i}, true
	}
	if i+1 >= len(b) || b[i] != '=' || b[i+1] != '{' {
		return Finding{}, false
	}
	from, end := i+2, i+2
	for {
		last := min(len(b), from+MaxValue)
		if end > last {
			return Finding{}, false
		}
		if size := bytes.IndexByte(b[end:last], '}'); size >= 0 {
			last = end + size
		}
		if size := bytes.IndexByte(b[end:last], '\n'); size >= 0 {
			return Finding{}, false
		}
		end = last
		switch {
		case w.Cut(end + 1):
			return Finding{Verdict: Undecided, Start: i}, true
		case end >= len(b) || b[end] != '}':
			return Finding{}, false
		case end+1 < len(b) && b[end+1] == '}':
			end += 2
			continue
		}
		break
	}
	next := end + 1
	attribute := (lex.Word | lex.Blank).Run(b, next+1, MaxName)
	if w.Cut(attribute) {
		return Finding{Verdict: Undecided, Start: i}, true
	}
	isLast := next == len(b) || (lex.Quote | lex.Newline).Has(b[next])
	isBefore := next < len(b) && b[next] == ';' && attribute < len(b) && b[attribute] == '=' &&
		isOfConnection(b[next+1:attribute])
	isAfter := start > 0 && b[start-1] == ';' && (isLast || b[next] == ';') && followsAttribute(b[:start])
	if end == from || !isBefore && !isAfter || w.Marker(from) == end {
		return Finding{}, isBefore || isAfter
	}
	return Finding{Verdict: Match, Start: from, End: end}, true
}
