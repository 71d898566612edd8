package redact

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
)

// valueKind is what a value must look like to be taken for what its name says.
type valueKind uint8

const (
	anySecret     valueKind = iota // anything but a placeholder
	likelySecret                   // something that looks made by a machine
	madeSecret                     // something that can hardly be anything else
	authSecret                     // a scheme and its credentials
	quotedWord                     // one word in quotes that is no placeholder
	number                         // digits, as many as the phrase says
	typedWord                      // one word with a figure in it, as people have it
	formedID                       // a number that a state gives to a person, in one of its forms
	mnemonicWords                  // the words of a wallet
	packedSecret                   // text or a key in base64
	anyValue                       // whatever it is, but for the begin of an object
)

// named is the form of a value that is told by its name: name=value,
// "name": "value", --name value, <name>value</name>, set("name", "value").
type named struct {
	phrases []phrase
	names   *names
	rule    int
}

const (
	maxValue = 512
	// maxAlign is how many blanks stand between a name, its sign and its value where a file has them in columns.
	maxAlign = 64
	// maxApart is how many stand there without a sign.
	maxApart = 8
	// longNumber is so many digits that it counts nothing, and is no time in milliseconds.
	longNumber = 15
	// longestCount is how many digits a number has that counts or enumerates.
	longestCount = 4
	valueOnly    = true // of value: there is no name and no separator to skip
)

func (f *named) find(w window, at, to int) finding {
	w.opening.is = false
	x := f.valueOf(w, at, to)
	if x.verdict == noMatch && w.opening.is {
		return finding{verdict: collects, start: w.opening.at}
	}
	return x
}

// valueOf finds the value of a name that has an anchor at text[at:to].
func (f *named) valueOf(w window, at, to int) finding {
	b := w.text
	if isPartOfWord(b, at, to) {
		return finding{} // waiting, passed
	}
	start := lex.NameOfKey.RunBack(b, at, maxName)
	end := lex.NameOfKey.Run(b, to, maxName)
	if end-to == maxName {
		return finding{}
	}
	if w.cut(end) {
		return finding{verdict: undecided, start: end}
	}
	for end > to && b[end-1] == '.' {
		end--
	}
	p, _ := w.names.of(b[(lex.Dash|lex.Dot).Run(b, start, end-start):end])
	if (p == nil || p.rule != f.rule) && afterEscape(b, start+1) {
		start++
		p, _ = w.names.of(b[(lex.Dash|lex.Dot).Run(b, start, end-start):end])
	}
	if p == nil || p.rule != f.rule {
		return finding{}
	}
	if p.want != anyValue && (candidate.IsSourceFile(b[start:end]) || isOptional(b, start, end)) {
		return finding{}
	}
	if isOfARN(b, start) {
		return finding{}
	}
	if p.want == authSecret && !isHeader(b[start:end]) && !w.isCode(start, end) {
		likely := *p
		likely.want = likelySecret
		p = &likely
	}
	if p.isStatus && (lex.Upper | lex.HexUpper).Has(b[start]) && end < len(b) && b[end] == ':' {
		return finding{} // PASS: a test
	}
	if p.want == anySecret && start > 0 && b[start-1] == ';' { // of a connection string
		free := *p
		free.anyWord, free.freeWord = true, true
		p = &free
	}
	if p.anyWord && p.want == anySecret && w.followsLogin(start) && !w.isGiven(end) {
		plain := *p
		plain.anyWord = false
		return plain.value(w, lex.Blank.Run(b, end, maxApart), false)
	}
	if b[start] == '-' && p.anyWord && candidate.IsCommand(bytes.TrimLeft(b[start:end], "-")) {
		likely := *p
		likely.want = likelySecret
		p = &likely
	}
	if p.want == anySecret {
		if x, isBraced := w.inBraces(start, end); isBraced {
			return x
		}
	}
	x := p.after(w, start, end)
	if x.verdict != match || p.want == anyValue || p.want == formedID || p.want == mnemonicWords {
		return x
	}
	if w.cut(x.end + candidate.Operand) {
		return finding{verdict: undecided, start: x.start}
	}
	sign := (lex.Blank | lex.Newline).RunBack(b, x.start, maxAlign)
	switch isType, decided := w.isOfType(sign, x); {
	case !decided:
		return finding{verdict: undecided, start: x.start}
	case isType:
		return finding{}
	}
	if p.isReference(w, start, end, x) {
		return finding{}
	}
	return p.changed(w, to, x)
}

// isPartOfWord reports whether the anchor b[at:to] is a part of a longer word: a short one between
// small letters, any one beside a letter outside ASCII if it begins or ends with such.
func isPartOfWord(b []byte, at, to int) bool {
	const small, foreign = lex.Lower | lex.HexLower, lex.High | lex.Wide
	joins := func(i int) bool {
		return i > 0 && i < len(b) && (to-at < shortestGlued && small.Has(b[i-1]) && small.Has(b[i]) ||
			foreign.Has(b[i-1]) && foreign.Has(b[i]))
	}
	return joins(at) && !afterEscape(b, at) || joins(to)
}

// changed adds to x, the value of a name whose anchor ends at to, the one that is to take its
// place, as plans have it: password = "x" -> "y".
func (p *phrase) changed(w window, to int, x finding) finding {
	const longest = 128
	if x.end-to > longest {
		return x
	}
	next, decided := w.passes(x.end, `" -> "`)
	switch {
	case !decided:
		return finding{verdict: undecided, start: x.start}
	case next == x.end:
		return x
	}
	switch y := p.value(w, next-1, false); y.verdict {
	case undecided:
		return finding{verdict: undecided, start: x.start}
	case match:
		w.add(y.start, y.end)
	case growing:
		w.add(x.start, x.end)
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

// isCode says whether the name text[start:end] is that of a code of OAuth (RFC 6749 4.1.2), to
// which a value is given.
func (w window) isCode(start, end int) bool {
	const code = "code"
	b := w.text
	name := b[start:end]
	end = lex.Quote.Run(b, end, 1)
	return len(name) > len(code) && lex.EqualFold(name[len(name)-len(code):], code) && end < len(b) &&
		(lex.Equals | lex.Colon).Has(b[end])
}

// isOptional says whether the name b[start:end] is a part that a syntax has in brackets, after a
// colon: user[:password]@host.
func isOptional(b []byte, start, end int) bool {
	return start > 1 && b[start-1] == ':' && b[start-2] == '[' && bytes.HasPrefix(b[end:], []byte("]@"))
}

// isOfQuotedURL says whether the name at i is the last part of a URL's path in quotes, as errors
// have it: Get "https://host/password": no route.
func isOfQuotedURL(b []byte, i int) bool {
	const longest = 200
	if i == 0 || b[i-1] != '/' {
		return false
	}
	url := b[(lex.NonSpace&^lex.Quote).RunBack(b, i, longest):i]
	return bytes.Contains(url, []byte("://"))
}

// excludes implements excluder.
func (f *named) excludes(b []byte, at, to int) bool {
	if isPartOfWord(b, at, to) {
		return true
	}
	start, end := lex.NameOfKey.RunBack(b, at, maxName), lex.NameOfKey.Run(b, to, maxName)
	return f.names.of(bytes.Trim(b[start:end], "-.")) == nil &&
		(!afterEscape(b, start+1) || f.names.of(bytes.Trim(b[start+1:end], "-.")) == nil)
}

// isGiven says whether a sign that gives a value to a name stands at i: = or a colon.
func (w window) isGiven(i int) bool {
	i = lex.Blank.Run(w.text, i, maxAlign)
	return i < len(w.text) && (lex.Equals | lex.Colon).Has(w.text[i])
}

// followsLogin says whether the name at i stands where a .netrc has the password:
// after the word login and a name (ftp(1)).
func (w window) followsLogin(i int) bool {
	const login = "login"
	user := lex.Whitespace.RunBack(w.text, i, 20)
	end := lex.NonSpace.RunBack(w.text, user, maxName)
	end = lex.Whitespace.RunBack(w.text, end, 20)
	return user < i && end >= len(login) && lex.EqualFold(w.text[end-len(login):end], login)
}

// after finds the value of the name text[start:i].
func (p *phrase) after(w window, start, i int) finding {
	b := w.text
	isFlag := b[start] == '-' && !isHyphen(b, start)
	isTag := start > 0 && b[start-1] == '<'
	isOfNamespace := w.followsNamespace(start)
	if isTag && start > 1 && (b[start-2] == '?' || b[start-2] == 'P' && start > 2 && b[start-3] == '?') {
		return finding{} // a group of an expression: (?P<password>
	}
	wait := func(i int) finding { return finding{verdict: undecided, start: i} }
	at := i
	for i < len(b) && i < at+6 && ((lex.Quote | lex.Backslash).Has(b[i]) || b[i] == ']') {
		i++
	}
	quoted := bytes.ContainsAny(b[at:i], "\"'`")
	if w.cut(i + 2) {
		return wait(i)
	}
	if quoted && isOfQuotedURL(b, start) {
		return finding{}
	}
	if p.proper && !quoted && i > at && i < len(b) && lex.Blank.Has(b[i]) { // index[fullName] = "..."
		return finding{}
	}
	if !quoted && i+2 < len(b) && b[i] == ':' && b[i+1] == ':' &&
		(lex.Letters | lex.Backslash | lex.Tilde).Has(b[i+2]) && !p.anyWord {
		return finding{} // Session::clear
	}
	i = subscript(b, i)
	if stars := asterisks(b, i); stars > i {
		if w.cut(stars) {
			return wait(i)
		}
		if stars < len(b) && b[stars] == ':' {
			i = stars
		}
	}
	end := lex.Blank.Run(b, i, maxAlign)
	isFar := end-i > maxApart
	spaced := end > i
	i = end
	if spaced && !quoted && p.anyWord && p.want == anySecret {
		verb := lex.Letters.Run(b, i, len("was")+1)
		if w.cut(verb) {
			return wait(i)
		}
		if verb < len(b) && b[verb] == ':' && isCopula(b[i:verb]) {
			i = verb
		}
	}
	if quoted && spaced && i < len(b) && b[i] == '{' { // variable "password" { default = "x" }
		i = lex.Blank.Run(b, i+1, maxApart)
		switch word, decided := w.passes(i, "default"); {
		case !decided || w.cut(i):
			return wait(i)
		case word == i:
			return finding{}
		}
	}
	end, decided := w.assignment(i, spaced)
	if !decided {
		return wait(i)
	}
	switch {
	case i == len(b):
		return finding{}
	case end > i && isFar && p.proper: // of a row of constants
		return finding{}
	case end > i:
		isComparison := end-at > 1 && b[end-1] == '=' && (b[end-2] == '=' || b[end-2] == '!')
		return p.assigned(w, start, end, spaced, isComparison)
	case isFar:
		return finding{}
	case isTag && !spaced && b[i] == '>':
		i++
		if w.cut(i) {
			return wait(i)
		}
		// https://<user>:<password>@host
		if i < len(b) && b[i] == '@' && start > 1 && (lex.Colon | lex.Slash).Has(b[start-2]) {
			return finding{}
		}
		if i < len(b) && lex.Blank.Has(b[i]) { // tool <password> <file>
			return p.allOfElement(w, i)
		}
		if x, isSection := p.section(w, i); isSection {
			return x
		}
		return p.given(w, i)
	case (isTag || isOfNamespace) && !quoted && (spaced || b[i] == '>'):
		return p.element(w, i)
	case !quoted && (b[i] == '<' || b[i] == '\n'):
		return p.property(w, i)
	case quoted && spaced && isTypeOfInput(b, start):
		return p.input(w, i)
	case quoted && b[i] == ',' && (start > 0 && b[start-1] == '/' || bytes.IndexByte(b[at:i],
		']') >= 0): // /etc/passwd, the last of a list
		return finding{}
	case quoted && b[i] == ',':
		return p.next(w, start, i+1, isFlag)
	case !quoted && b[i] == ',' && start > 1 && b[start-1] == ':' && b[start-2] == '{': // {:password, "x"}
		return p.inTuple(w, i+1)
	case p.want == anySecret && (bytes.HasPrefix(b[i:], []byte("||")) || bytes.HasPrefix(b[i:], []byte("??"))):
		return p.orElse(w, i+2)
	case quoted && b[i] == '>' && isAttribute(b, start):
		return p.content(w, i+1)
	case isFlag && spaced && b[i] != '-' && !quoted:
		return p.given(w, i)
	case b[i] == '(' && !quoted && !spaced && (p.want == anySecret || p.want == likelySecret):
		return p.argument(w, b[start:at], i+1)
	case spaced && !quoted && p.anyWord && p.want == anySecret:
		return p.spaced(w, i, anySecret)
	case spaced && !quoted && p.want == number && p.digits[0] >= longNumber-3: // no count is as long
		return p.given(w, i)
	case spaced && p.want == formedID:
		return p.formed(w, i, false, true)
	case spaced && p.want == mnemonicWords:
		return p.mnemonic(w, i, false)
	case spaced && !p.mayBeID && p.want != number && p.want != authSecret:
		return p.spaced(w, i, likelySecret)
	}
	return finding{}
}

// assigned finds the value that a sign gives to the name that begins at start, = or a colon,
// which ends at sign.
func (p *phrase) assigned(w window, start, sign int, spaced, isComparison bool) finding {
	b := w.text
	begin := sign
	if stars := asterisks(b, sign); stars > sign && b[sign-1] == ':' {
		if w.cut(stars) {
			return finding{verdict: undecided, start: sign}
		}
		if stars < len(b) && lex.Blank.Has(b[stars]) { // **Password:** x
			begin = stars
		}
	}
	x := p.given(w, begin)
	if b[sign-1] == ':' && x.verdict != undecided {
		p.collection(w, begin)
	}
	if x.verdict != match || lex.Quote.Has(b[x.start-1]) || p.want == anyValue {
		return x
	}
	v := b[x.start:x.end]
	if isComparison && (candidate.IsVariable(v) || (lex.Word|lex.Dot).Within(v) && bytes.IndexByte(v, '.') > 0 &&
		!candidate.IsMade(v)) {
		return finding{}
	}
	isApart := b[sign-1] == ':' || b[sign-1] == '=' && lex.Blank.Has(b[begin]) && (!spaced || isCommented(b, start))
	if isApart && p.anyWord && p.want == anySecret && lex.Letters.Within(v) {
		switch isProse, decided := w.goesOn(x.end); {
		case !decided:
			return finding{verdict: undecided, start: x.start}
		case isProse:
			return finding{}
		}
	}
	return x
}

// given finds the value that begins at i, or after blanks, or on the line after the begin of a
// block of YAML.
func (p *phrase) given(w window, i int) finding {
	i = lex.Blank.Run(w.text, i, maxAlign)
	i = w.block(w.tag(i))
	if w.cut(i) {
		return finding{verdict: undecided, start: i}
	}
	if p.proper {
		switch is, end := w.person(i); is {
		case unread:
			return finding{verdict: undecided, start: i}
		case nameOfForm:
			return finding{}
		case fullName:
			return finding{verdict: match, start: i, end: end}
		}
	}
	if i < len(w.text) && w.text[i] == '[' && p.want != anyValue {
		return p.elements(w, i)
	}
	return p.value(w, i, false)
}

// collection notes where the flow collection of YAML begins that is the value at i. It is read as it comes: it
// may go on for any number of lines.
func (p *phrase) collection(w window, i int) {
	i = w.tag(lex.Blank.Run(w.text, i, maxAlign))
	if i < len(w.text) && (w.text[i] == '{' || w.text[i] == '[') && w.marker(i) == 0 && (p.whole || p.proper) {
		w.opening = awaited{is: true, carry: carry{phrase: *p, how: inCollection}, at: i, isGuarded: true}
	}
}

// elements finds the values in a list whose bracket is at i, as JSON, YAML and programs have it. The
// brackets and commas stay. An element without quotes and digits is a name in a program.
func (p *phrase) elements(w window, i int) (x finding) {
	if i+lex.MaxMarker > len(w.text) && !w.end {
		return finding{verdict: undecided, start: i}
	}
	if w.marker(i) > 0 {
		return finding{}
	}
	b := w.text
	from, limit := i+1, min(len(b), i+maxValue)
	isCut := func(i int) bool { return i >= limit && limit == len(b) && !w.end }
	for i++; i < limit && b[i] == '['; i++ { // [[x]] of Lua, too
	}
	for ; i < limit && b[i] != ']'; i++ {
		i = lex.Blank.Run(b, i, maxAlign)
		opening := lex.Backslash.Run(b, i, 3)
		isQuoted := opening < len(b) && lex.Quote.Has(b[opening])
		start, end := i, i
		if isQuoted {
			start = opening + 1
			end = closingQuote(w, start, b[opening], opening > i)
			i = min(len(b), end+1+opening-i)
		} else {
			for end < limit && lex.BareValue.Has(b[end]) && strings.IndexByte("[],", b[end]) < 0 {
				end++
			}
			i = end
		}
		i = min(limit, lex.Blank.Run(b, i, maxAlign))
		switch {
		case end >= limit && limit == from-1+maxValue && start < limit &&
			(isQuoted || candidate.HasDigit(b[start:limit])):
			if x.verdict == match {
				w.add(x.start, x.end)
			}
			class := lex.BareValue &^ lex.Comma
			if isQuoted {
				class = lex.Everything &^ (lex.Quote | lex.Newline)
			}
			return finding{verdict: growing, start: start, end: limit, class: class}
		case isCut(i):
			return finding{verdict: undecided, start: from}
		case start < end && end > w.marker(start) && (isQuoted || candidate.HasDigit(b[start:end])) &&
			p.accepts(b[start:end], isQuoted):
			if x.verdict == match {
				w.add(start, end)
			} else {
				x = finding{verdict: match, start: start, end: end}
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
		return finding{verdict: undecided, start: from}
	}
	// git diff --word-diff
	if inserted, found := bytes.CutPrefix(b[i:limit], []byte("]{+")); found && x.verdict == match {
		if end := bytes.Index(inserted, []byte("+}")); end > 0 {
			w.add(limit-len(inserted), limit-len(inserted)+end)
		}
	}
	return x
}

// tag returns where the value begins that has a tag or an anchor of YAML before it at i (YAML 1.2, 6.9): !!str, &name.
func (w window) tag(i int) int {
	b := w.text
	start := i
	for i < len(b) && (b[i] == '!' || b[i] == '&') {
		end := (lex.Word | lex.Dash).Run(b, i+1, maxApart)
		if b[i] == '!' {
			end = (lex.Word | lex.Dash | lex.Slash | lex.Punctuation).Run(b, i+1, maxName)
		}
		next := lex.Blank.Run(b, end, maxApart)
		switch {
		case w.cut(next):
			return next
		case end == i+1, next == end, next == len(b), lex.Newline.Has(b[next]):
			return start
		}
		i = next
	}
	return i
}

// block returns where the text begins of a scalar of YAML whose header is at i, | or > (YAML 1.2,
// 8.1), or i if there is none. It is indented.
func (w window) block(i int) int {
	b := w.text
	header := blockHeader(b, i)
	switch {
	case header == i, w.cut(header):
		return header
	case header == len(b) || !lex.Newline.Has(b[header]):
		return i
	}
	text := lex.Whitespace.Run(b, header, maxAlign)
	if !w.cut(text) && !lex.Blank.Has(b[text-1]) {
		return i
	}
	return text
}

// blockHeader returns the end of the header of a scalar of YAML that is at i, or i.
func blockHeader(b []byte, i int) int {
	const indicators = 2
	if i == len(b) || b[i] != '|' && b[i] != '>' {
		return i
	}
	return lex.Blank.Run(b, (lex.Plus|lex.Dash|lex.Digits).Run(b, i+1, indicators), indicators)
}

// next finds the value that a comma before i parts from its name, which begins at start, both
// in quotes: in a call, or in a list.
func (p *phrase) next(w window, start, i int, isFlag bool) finding {
	i = lex.Blank.Run(w.text, i, maxApart)
	if w.cut(i) {
		return finding{verdict: undecided, start: i}
	}
	one := *p
	switch {
	case p.want == anySecret:
		one = phrase{rule: p.rule, want: quotedWord, notPath: !isFlag || !isInList(w.text, start)}
	case p.want == likelySecret || p.want == authSecret:
		one.isListed = !isFirst(w.text, start)
		one.notPath = true
		one.isGiven = true
	}
	return one.value(w, i, false)
}

// inTuple finds the value that a comma before i parts from its name, an atom of Elixir, in a tuple
// of the two.
func (p *phrase) inTuple(w window, i int) finding {
	one := *p
	if p.want == anySecret {
		one = phrase{rule: p.rule, want: quotedWord}
	}
	return one.value(w, lex.Blank.Run(w.text, i, maxApart), false)
}

// ofRow returns p for what follows its name in an array that begins with that: ["authorization","x"].
// A list of names begins so as well.
func (p *phrase) ofRow() phrase {
	one := *p
	if p.want == formedID || p.want == mnemonicWords {
		return one
	}
	one.want, one.isArgument, one.isListed, one.notPath = likelySecret, true, true, true
	return one
}

// orElse finds the value that a program takes if that of the name is missing; the sign of
// that, || or ??, ends at i.
func (p *phrase) orElse(w window, i int) finding {
	one := phrase{rule: p.rule, want: quotedWord}
	x := one.value(w, lex.Blank.Run(w.text, i, maxApart), false)
	if x.verdict == match && candidate.AreStopWords(w.text[x.start:x.end]) { // "not-set"
		return finding{}
	}
	return x
}

// argument finds the value that a function of that name is given, at i.
func (p *phrase) argument(w window, name []byte, i int) finding {
	switch {
	case w.cut(i):
		return finding{verdict: undecided, start: i}
	case i == len(w.text) || !lex.Quote.Has(w.text[i]):
		return finding{}
	case p.anyWord && isSetter(name):
		return p.spaced(w, i, anySecret)
	case p.qualified:
		one := phrase{rule: p.rule, want: madeSecret}
		return one.value(w, i, false)
	}
	x := p.spaced(w, i, likelySecret)
	if x.verdict == match && !isSetter(name) && lex.IsNumber(w.text[x.start:x.end]) { // token("17")
		return finding{}
	}
	return x
}

// content finds the value that is all that is in an element, which is named by one of
// its attributes: <entry key="password">x</entry>. A word may be its label.
func (p *phrase) content(w window, i int) finding {
	x := p.value(w, i, false)
	if x.verdict != match {
		return x
	}
	end := lex.BareValue.Run(w.text, x.end, maxValue)
	if w.cut(end + 1) {
		return finding{verdict: undecided, start: i}
	}
	v := w.text[x.start:x.end]
	if !bytes.HasPrefix(w.text[end:], []byte("</")) || !candidate.HasDigit(v) && !candidate.IsStrong(v) {
		return finding{}
	}
	return x
}

// passes returns the end of what stands at i, or i if something else does.
func (w window) passes(i int, what string) (end int, decided bool) {
	rest := w.text[min(i, len(w.text)):]
	switch {
	case bytes.HasPrefix(rest, []byte(what)):
		return i + len(what), true
	case len(rest) < len(what) && !w.end && string(rest) == what[:len(rest)]:
		return i, false
	}
	return i, true
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

// goesOn says whether a word that ends at i is followed by a word of letters, and that by
// nothing that gives it a value: password: don't accept it.
func (w window) goesOn(i int) (isProse, decided bool) {
	const longest = 24
	b := w.text
	i = (lex.Letters | lex.Quote).Run(b, i, 3) // 't
	start := lex.Blank.Run(b, i, 2)
	end := lex.Letters.Run(b, start, longest)
	if w.cut(end) && end-start < longest {
		return false, false
	}
	return start > i && end > start && end-start < longest &&
		(end == len(b) || (lex.Blank | lex.Dot | lex.Comma).Has(b[end])), true
}

// spaced finds the value that begins at i, with nothing before it that gives it
// to the name: only what can hardly be a word of a sentence, or, where anything
// can be the value, what stands in quotes.
func (p *phrase) spaced(w window, i int, want valueKind) finding {
	b := w.text
	isTold := false
	if want == anySecret {
		if verb := lex.Letters.Run(b, i, len("was")+1); verb < len(b) && b[verb] == ' ' && isCopula(b[i:verb]) {
			i = verb + 1
			isTold = true
		}
	}
	q := lex.Backslash.Run(b, i, 3)
	if w.cut(max(q, i+len("was "))) && (lex.Letters|lex.Blank|lex.Backslash).Run(b, i, len("was ")) == len(b) ||
		w.cut(q) {
		return finding{verdict: undecided, start: i}
	}
	isQuoted := q < len(b) && lex.Quote.Has(b[q])
	if isQuoted {
		q++
	}
	switch {
	case w.cut(q + 1):
		return finding{verdict: undecided, start: i}
	case bytes.HasPrefix(b[min(q, len(b)):], []byte("--")): // pass --verbose
		return finding{}
	case want == anySecret && isQuoted:
		one := phrase{rule: p.rule, want: quotedWord, proper: p.proper}
		return one.value(w, i, false)
	case isQuoted:
		one := phrase{rule: p.rule, want: likelySecret, min: 8, proper: p.proper}
		return one.value(w, i, false)
	}
	one := phrase{rule: p.rule, want: likelySecret, mayBeID: true, min: 20}
	if isTold {
		one.want = typedWord
	}
	return one.value(w, i, false)
}

// isCopula says whether v is the word between a name and what it is.
func isCopula(v []byte) bool { return lex.EqualFold(v, "is") || lex.EqualFold(v, "was") }

// asterisks returns the end of those at i that begin or end what is in bold, or i.
func asterisks(b []byte, i int) int {
	const longest = 3
	for end := i; ; end++ {
		if end == len(b) || end == i+longest || b[end] != '*' {
			return end
		}
	}
}

// assignment returns the end of what gives a value to the name before i: = : :=
// => == != .= ?=, a type and =, or value= where the name is one attribute of an
// element and the value another. It is i if there is no such. A type needs a
// blank or a colon before it.
func (w window) assignment(i int, spaced bool) (end int, decided bool) {
	const longestWord = 12
	b := w.text
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
	end = signs(i)
	if w.cut(end) {
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
	if w.cut(last) && word-name <= longestWord {
		return i, false
	}
	isValue := end == i && isValueWord(b[name:word])
	if last > next && b[next] != '.' && (isValue || (spaced || end > i) && b[next] == '=' && isTypeWord(b[name:word])) {
		return last, true
	}
	return end, true
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
