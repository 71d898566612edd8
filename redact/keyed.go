package redact

import (
	"bytes"
	b64 "encoding/base64"
	"strings"
)

// valueKind is what a value must look like to be taken for what its name says.
type valueKind uint8

const (
	anySecret    valueKind = iota // anything but a placeholder
	likelySecret                  // something that looks made by a machine
	madeSecret                    // something that can hardly be anything else
	authSecret                    // a scheme and its credentials
	quotedWord                    // one word in quotes that is no placeholder
	number                        // digits, as many as the phrase says
	typedWord                     // one word with a figure in it, as people have it
	anyValue                      // whatever it is, but for the begin of an object
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
	// longNumber is so many digits that it counts nothing, and is no time in milliseconds.
	longNumber = 15
	// longestInName is how many digits a number in the name of a variable has: x25519.
	longestInName = 5
	valueOnly     = true // of value: there is no name and no separator to skip
)

func (f *named) find(w window, at, to int) finding {
	const small = lower | hexLower
	b := w.text
	if to-at < shortestGlued && (at > 0 && small.has(b[at-1]) && small.has(b[at]) && !afterEscape(b, at) ||
		to < len(b) && small.has(b[to-1]) && small.has(b[to])) {
		return finding{} // part of another word: waiting, passed
	}
	start := nameOfKey.runBack(b, at, maxName)
	end := nameOfKey.run(b, to, maxName)
	if end-to == maxName {
		return finding{}
	}
	if w.cut(end) {
		return finding{verdict: undecided, start: end}
	}
	for end > to && b[end-1] == '.' {
		end--
	}
	p, _ := w.names.of(b[(dash|dot).run(b, start, end-start):end])
	if (p == nil || p.rule != f.rule) && afterEscape(b, start+1) {
		start++
		p, _ = w.names.of(b[(dash|dot).run(b, start, end-start):end])
	}
	if p == nil || p.rule != f.rule {
		return finding{}
	}
	if p.want != anyValue && (isSourceFile(b[start:end]) || isOptional(b, start, end)) {
		return finding{}
	}
	if p.want == authSecret && !isHeader(b[start:end]) && !w.isCode(start, end) {
		likely := *p
		likely.want = likelySecret
		p = &likely
	}
	if p.isStatus && (upper | hexUpper).has(b[start]) && end < len(b) && b[end] == ':' {
		return finding{} // PASS: a test
	}
	if p.want == anySecret && start > 0 && b[start-1] == ';' { // of a connection string
		free := *p
		free.anyWord = true
		p = &free
	}
	if p.anyWord && p.want == anySecret && w.followsLogin(start) && !w.isGiven(end) {
		plain := *p
		plain.anyWord = false
		return plain.value(w, blank.run(b, end, 8), false)
	}
	if b[start] == '-' && p.anyWord && isCommand(bytes.TrimLeft(b[start:end], "-")) {
		likely := *p
		likely.want = likelySecret
		p = &likely
	}
	x := p.after(w, start, end)
	if x.verdict != match || p.want == anyValue {
		return x
	}
	if w.cut(x.end + operand) {
		return finding{verdict: undecided, start: x.start}
	}
	if p.isReference(w, start, end, x) {
		return finding{}
	}
	return x
}

// isHeader says whether name is that of the header with credentials, and not of one about
// it: authorization, X-Authorization; not authorization_code.
func isHeader(name []byte) bool {
	const header = "authorization"
	name = bytes.TrimRight(name, "0123456789_-.")
	return len(name) >= len(header) && equalFold(name[len(name)-len(header):], header)
}

// isCode says whether the name text[start:end] is that of a code of OAuth (RFC 6749 4.1.2), to
// which a value is given.
func (w window) isCode(start, end int) bool {
	const code = "code"
	b := w.text
	name := b[start:end]
	end = quote.run(b, end, 1)
	return len(name) > len(code) && equalFold(name[len(name)-len(code):], code) && end < len(b) && (equals | colon).has(b[end])
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
	url := b[(nonSpace&^quote).runBack(b, i, longest):i]
	return bytes.Contains(url, []byte("://"))
}

// excludes implements excluder.
func (f *named) excludes(b []byte, at, to int) bool {
	start, end := nameOfKey.runBack(b, at, maxName), nameOfKey.run(b, to, maxName)
	return f.names.of(bytes.Trim(b[start:end], "-.")) == nil &&
		(!afterEscape(b, start+1) || f.names.of(bytes.Trim(b[start+1:end], "-.")) == nil)
}

// isGiven says whether a sign that gives a value to a name stands at i: = or a colon.
func (w window) isGiven(i int) bool {
	i = blank.run(w.text, i, 8)
	return i < len(w.text) && (equals | colon).has(w.text[i])
}

// followsLogin says whether the name at i stands where a .netrc has the password:
// after the word login and a name (ftp(1)).
func (w window) followsLogin(i int) bool {
	const login = "login"
	user := whitespace.runBack(w.text, i, 20)
	end := nonSpace.runBack(w.text, user, maxName)
	end = whitespace.runBack(w.text, end, 20)
	return user < i && end >= len(login) && equalFold(w.text[end-len(login):end], login)
}

// after finds the value of the name text[start:i].
func (p *phrase) after(w window, start, i int) finding {
	b := w.text
	isFlag := b[start] == '-' && !isHyphen(b, start)
	isTag := start > 0 && b[start-1] == '<'
	if isTag && start > 1 && (b[start-2] == '?' || b[start-2] == 'P' && start > 2 && b[start-3] == '?') {
		return finding{} // a group of an expression: (?P<password>
	}
	wait := func(i int) finding { return finding{verdict: undecided, start: i} }
	at := i
	for i < len(b) && i < at+6 && ((quote | backslash).has(b[i]) || b[i] == ']') {
		i++
	}
	quoted := bytes.ContainsAny(b[at:i], "\"'`")
	if w.cut(i + 2) {
		return wait(i)
	}
	if quoted && isOfQuotedURL(b, start) {
		return finding{}
	}
	if p.proper && !quoted && i > at && i < len(b) && blank.has(b[i]) { // index[fullName] = "..."
		return finding{}
	}
	if !quoted && i+2 < len(b) && b[i] == ':' && b[i+1] == ':' && (letters | backslash | tilde).has(b[i+2]) && !p.anyWord {
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
	end := blank.run(b, i, 8)
	spaced := end > i
	i = end
	if spaced && !quoted && p.anyWord && p.want == anySecret {
		verb := letters.run(b, i, len("was")+1)
		if w.cut(verb) {
			return wait(i)
		}
		if verb < len(b) && b[verb] == ':' && isCopula(b[i:verb]) {
			i = verb
		}
	}
	end, decided := w.assignment(i, spaced)
	if !decided {
		return wait(i)
	}
	switch {
	case i == len(b):
		return finding{}
	case end > i:
		isComparison := end-at > 1 && b[end-1] == '=' && (b[end-2] == '=' || b[end-2] == '!')
		return p.assigned(w, start, end, spaced, isComparison)
	case isTag && !spaced && b[i] == '>':
		i++
		if w.cut(i) {
			return wait(i)
		}
		if i < len(b) && b[i] == '@' && start > 1 && b[start-2] == ':' { // https://<user>:<password>@host
			return finding{}
		}
		return p.given(w, i)
	case quoted && b[i] == ',' && start > 0 && b[start-1] == '/': // /etc/passwd
		return finding{}
	case quoted && b[i] == ',':
		return p.next(w, start, i+1, isFlag)
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
		if stars < len(b) && blank.has(b[stars]) { // **Password:** x
			begin = stars
		}
	}
	x := p.given(w, begin)
	if x.verdict != match || quote.has(b[x.start-1]) || p.want == anyValue {
		return x
	}
	v := b[x.start:x.end]
	if isComparison && (isVariable(v) || (word|dot).within(v) && bytes.IndexByte(v, '.') > 0 && !isMade(v)) {
		return finding{}
	}
	isApart := b[sign-1] == ':' || b[sign-1] == '=' && blank.has(b[begin]) && (!spaced || isCommented(b, start))
	if isApart && p.anyWord && p.want == anySecret && letters.within(v) {
		switch isProse, decided := w.goesOn(x.end); {
		case !decided:
			return finding{verdict: undecided, start: x.start}
		case isProse:
			return finding{}
		}
	}
	return x
}

// given finds the value that begins at i, or after blanks.
func (p *phrase) given(w window, i int) finding {
	i = blank.run(w.text, i, 8)
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
	return p.value(w, i, false)
}

// next finds the value that a comma before i parts from its name, which begins at start, both
// in quotes: in a call, or in a list.
func (p *phrase) next(w window, start, i int, isFlag bool) finding {
	i = blank.run(w.text, i, 8)
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

// orElse finds the value that a program takes if that of the name is missing; the sign of
// that, || or ??, ends at i.
func (p *phrase) orElse(w window, i int) finding {
	one := phrase{rule: p.rule, want: quotedWord}
	x := one.value(w, blank.run(w.text, i, 8), false)
	if x.verdict == match && areStopWords(w.text[x.start:x.end]) { // "not-set"
		return finding{}
	}
	return x
}

// argument finds the value that a function of that name is given, at i.
func (p *phrase) argument(w window, name []byte, i int) finding {
	switch {
	case w.cut(i):
		return finding{verdict: undecided, start: i}
	case i == len(w.text) || !quote.has(w.text[i]):
		return finding{}
	case p.anyWord && isSetter(name):
		return p.spaced(w, i, anySecret)
	case p.qualified:
		one := phrase{rule: p.rule, want: madeSecret}
		return one.value(w, i, false)
	}
	x := p.spaced(w, i, likelySecret)
	if x.verdict == match && !isSetter(name) && isNumber(w.text[x.start:x.end]) { // token("17")
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
	end := bareValue.run(w.text, x.end, maxValue)
	if w.cut(end + 1) {
		return finding{verdict: undecided, start: i}
	}
	v := w.text[x.start:x.end]
	if !bytes.HasPrefix(w.text[end:], []byte("</")) || !hasDigit(v) && !isStrong(v) {
		return finding{}
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
func isHyphen(b []byte, i int) bool { return i > 1 && b[i-1] == '\\' && word.has(b[i-2]) }

// isAttribute says whether the value of an attribute in quotes begins at i: key="
func isAttribute(b []byte, i int) bool { return i > 1 && quote.has(b[i-1]) && b[i-2] == '=' }

// isSetter says whether name is that of a function that is given what it names.
func isSetter(name []byte) bool {
	name = name[bytes.LastIndexByte(name, '.')+1:]
	return len(name) > 4 && (equalFold(name[:3], "set") || equalFold(name[:4], "with"))
}

// isFirst says whether the string that holds the name at i is the first of what is in
// brackets: set("token", x), rather than one of a list.
func isFirst(b []byte, i int) bool {
	i = (quote | backslash).runBack(b, i, 4)
	i = whitespace.runBack(b, i, 20)
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
	i = (letters | quote).run(b, i, 3) // 't
	start := blank.run(b, i, 2)
	end := letters.run(b, start, longest)
	if w.cut(end) && end-start < longest {
		return false, false
	}
	return start > i && end > start && (end == len(b) || (blank | dot | comma).has(b[end])), true
}

// spaced finds the value that begins at i, with nothing before it that gives it
// to the name: only what can hardly be a word of a sentence, or, where anything
// can be the value, what stands in quotes.
func (p *phrase) spaced(w window, i int, want valueKind) finding {
	b := w.text
	isTold := false
	if want == anySecret {
		if verb := letters.run(b, i, len("was")+1); verb < len(b) && b[verb] == ' ' && isCopula(b[i:verb]) {
			i = verb + 1
			isTold = true
		}
	}
	q := backslash.run(b, i, 3)
	if w.cut(max(q, i+len("was "))) && (letters|blank|backslash).run(b, i, len("was ")) == len(b) || w.cut(q) {
		return finding{verdict: undecided, start: i}
	}
	isQuoted := q < len(b) && quote.has(b[q])
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
func isCopula(v []byte) bool { return equalFold(v, "is") || equalFold(v, "was") }

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
		for i < len(b) && i < first+4 && ((equals | colon).has(b[i]) || i > first && b[i] == '>') {
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
	name := (blank | newline | quote | comma | backslash).run(b, end, 4)
	word := (letters | ampersand | punctuation).run(b, name, longestWord+1)
	next := quote.run(b, word, 1)
	next = blank.run(b, next, 4)
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
	return equalFold(v, "value") || equalFold(v, "content") || equalFold(v, "default")
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
	end := digits.run(b, i+1, 6)
	if end == len(b) || b[end] != ']' {
		return i
	}
	return end + 1
}

// value finds the value that begins at i; alone: the value is all of the text.
func (p *phrase) value(w window, i int, alone bool) finding {
	b := w.text
	start, end, isQuoted, class := i, i, alone, bareValue
	var scheme []byte
	switch {
	case alone:
		class = everything
		end = class.run(b, i, maxValue)
	default:
		for i < len(b) && i < start+2 &&
			(b[i] == '[' || b[i] == '(' || b[i] == '@' || (hexLower|lower).has(b[i]) && i == start) {
			i++
		}
		slashes := backslash.run(b, i, 3)
		if w.cut(slashes) {
			return finding{verdict: undecided, start: start}
		}
		if slashes < len(b) && quote.has(b[slashes]) {
			if w.cut(slashes + 1) {
				return finding{verdict: undecided, start: start}
			}
			if w.closes(slashes) || i > start && w.isOpen(slashes) { // b in "cookie: b" is no sign of bytes
				return finding{}
			}
			isQuoted = true
			class = everything &^ (quote | newline)
			start = slashes + 1
			end = closingQuote(w, start, b[slashes], slashes > i)
		} else {
			if p.want == number {
				class = numberPart
			}
			if p.want == authSecret {
				credentials := afterScheme(w, start)
				scheme = bytes.TrimRight(b[start:credentials], " \t")
				start = credentials
			}
			end = bareEnd(w, start, class)
		}
	}
	const slack = 8 // closingQuote looks this far beyond
	if w.cut(end) || end-start >= maxValue && w.cut(end+slack) {
		return finding{verdict: undecided, start: start}
	}
	if end-start >= maxValue {
		if p.want == number || p.want == likelySecret && alone {
			return finding{}
		}
		return finding{verdict: growing, start: start, end: end, class: class}
	}
	if !isQuoted {
		for end > start && bytes.IndexByte([]byte(",;.)]}:!?- \t"), b[end-1]) >= 0 {
			end--
		}
		if v := b[start:end]; bytes.HasSuffix(v, []byte("’")) || bytes.HasSuffix(v, []byte("”")) {
			end -= len("’")
		}
		if p.want == authSecret && letters.within(b[start:end]) && !isScrambled(b[start:end]) {
			switch isProse, decided := w.goesOn(end); {
			case !decided:
				return finding{verdict: undecided, start: start}
			case isProse, isSchemeWord(b[start:end]), equalFold(scheme, "basic"): // which has digits or a sign
				return finding{}
			}
		}
	}
	if end > w.marker(start) && end > start && p.accepts(b[start:end], isQuoted) {
		x := finding{verdict: match, start: start, end: end}
		if isQuoted && !alone && p.want == likelySecret {
			return w.beside(x)
		}
		return x
	}
	return finding{}
}

// closes says whether the quote at i ends a string that holds the name, as in
// find("password=", text): one was open before, and what follows goes on in code.
func (w window) closes(i int) bool {
	b := w.text
	return i+1 < len(b) && bytes.IndexByte([]byte("),;+] \n"), b[i+1]) >= 0 && w.isOpen(i)
}

// isOpen says whether a string that began with a quote like that at i is open there.
func (w window) isOpen(i int) bool {
	const look = 200
	before := w.text[max(0, i-look):i]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	return bytes.Count(before, w.text[i:i+1])%2 == 1
}

// closingQuote returns where the string that begins at start ends, at its quote
// or at the end of the line.
func closingQuote(w window, start int, q byte, escaped bool) int {
	b := w.text
	limit := min(len(b), start+maxValue)
	for i := start; i < limit; i++ {
		switch {
		case b[i] == '\n' || b[i] == q:
			return i
		case b[i] != '\\':
		case escaped:
			end := backslash.run(b, i, 4)
			if end < len(b) && b[end] == q {
				return i
			}
			i = end - 1
		default:
			i++
		}
	}
	return limit
}

// bareEnd returns where a value without quotes ends. The signs that end it in a
// query and in an element do not, where it has others that neither has.
func bareEnd(w window, start int, class kinds) int {
	b := w.text
	limit := min(len(b), start+maxValue)
	odd := false
	signs := max(start, w.marker(start)) // those of a marker do not count
	for i := start; ; i++ {
		i = (class &^ backslash).run(b, i, limit-i)
		switch {
		case i == limit:
			return i
		case b[i] == '\\' && class.has('\\'):
			if i+1 < limit && strings.IndexByte(`nrt"'\`, b[i+1]) >= 0 || i+2 < limit && isFontChange(b[i:]) {
				return i
			}
		case class == bareValue && (b[i] == '&' || b[i] == '>') && (odd || bytes.ContainsAny(b[min(signs, i):i], "{}()[]$#^*")):
			odd = true
		default:
			return i
		}
	}
}

// afterScheme skips the word that tells the kind of credentials: Bearer, Basic.
func afterScheme(w window, start int) int {
	const longest = 24
	end := (alnum | dash).run(w.text, start, longest)
	if end == start || end == len(w.text) || !blank.has(w.text[end]) {
		return start
	}
	return blank.run(w.text, end, 4)
}

// isFontChange says whether v begins with troff's change of the font: \fP, \fR, \fB, \fI.
func isFontChange(v []byte) bool {
	return len(v) > 2 && v[0] == '\\' && v[1] == 'f' && strings.IndexByte("PRBI", v[2]) >= 0
}

// isSchemeWord says whether v is a word that tells the kind of credentials.
func isSchemeWord(v []byte) bool {
	return equalFold(v, "basic") || equalFold(v, "bearer") || equalFold(v, "digest") || equalFold(v, "negotiate")
}

// accepts says whether v is a secret rather than something that stands for one.
func (p *phrase) accepts(v []byte, isQuoted bool) bool {
	if p.want == anyValue {
		return v[0] != '{'
	}
	if p.isArgument && (v[0] == '-' || !nonSpace.within(v)) {
		return false
	}
	if isPlaceholder(v, isQuoted) || isPublic(v) || p.proper && (isQualified(v) || digits.has(v[0]) || isSystemAccount(v)) ||
		p.anyWord && isFieldList(v) || p.isGiven && !isQuoted && isVariable(v) || p.want != number && isObjectID(v) {
		return false
	}
	switch p.want {
	case number:
		n := 0
		for _, c := range v {
			if digits.has(c) {
				n++
			} else if !numberPart.has(c) {
				return false
			}
		}
		return n >= p.digits[0] && n <= p.digits[1]
	case likelySecret:
		if !p.mayBeID && len(v) >= longNumber && digits.within(v) {
			return true
		}
		if p.typed && isQuoted && isTyped(v) {
			return true
		}
		isWord := letters.within(v) && !isScrambled(v)
		isUnlike := p.qualified && len(v) >= minMade && !isMade(v) && !isID(v, minMade)
		if isWord && (!isQuoted || p.isListed || isPhrase(v)) || !isQuoted && isUnlike {
			return false // a name in a program
		}
		if p.isListed && isListItem(v) {
			return false
		}
		return len(v) >= p.min && isLikelySecret(v) && !(p.mayBeID && isIdentifier(v))
	case madeSecret:
		return isMade(v) || isStrong(v) || isID(v, minMade)
	case authSecret:
		return len(v) >= 6 && !isSchemeAlone(v) && !(p.notPath && (letters | dash | underscore).within(v) &&
			(p.isListed || !isQuoted || bytes.ContainsAny(v, "-_"))) // another header's name
	case typedWord:
		return isTyped(v) || len(v) >= p.min && isLikelySecret(v) && !isIdentifier(v)
	case quotedWord:
		return isQuoted && !isEncoding(v) && (!p.proper || (upper | hexUpper | high | wide).has(v[0])) && len(v) >= 4 && (nonSpace &^ comma).within(v) &&
			(!bytes.ContainsAny(v, "(){}<>") || isStrong(v)) &&
			!(p.notPath && (letters | dot | dash | underscore | colon | slash).within(v))
	}
	switch {
	case p.notPath && (v[0] == '/' || v[0] == '.' || v[0] == '~'), isPath(v):
		return false
	case isQuoted:
		return true
	case !p.anyWord && isVariable(v) && !(p.typed && hasDigit(v)), isProse(v):
		return false
	}
	return len(v) >= 3
}

// isLikelySecret says whether v looks made by a machine: letters and digits in
// one word that is neither a path nor words and small numbers in a row.
func isLikelySecret(v []byte) bool {
	if i := bytes.Index(v, []byte(markerStart)); i >= 0 {
		v = v[:i]
	}
	if len(v) < 8 || bytes.Contains(v, []byte("://")) || !nonSpace.within(v) {
		return false
	}
	if i := bytes.IndexByte(v, ':'); i > 0 && i+1 < len(v) && v[i+1] == ':' && (word | colon).within(v) && !isMade(v) { // Name::Of::Class
		return false
	}
	if v[0] == '/' && bytes.Count(v, []byte("/")) > 1 || isHexLiteral(v) {
		return false
	}
	if isStrong(v) {
		return true
	}
	var seen kinds
	for _, c := range v {
		seen |= kindOf[c]
	}
	if seen&digits == 0 {
		return len(v) >= 20 && seen&(lower|hexLower) != 0 && seen&(upper|hexUpper) != 0 && seen&(slash|dot|blank|underscore|dash) == 0
	}
	if seen&letters == 0 {
		return false
	}
	part := 0 // the longest part that mixes letters and digits
	for start := 0; start < len(v); {
		end := start
		var in kinds
		for end < len(v) && alnum.has(v[end]) {
			in |= kindOf[v[end]]
			end++
		}
		if in&digits != 0 && in&letters != 0 {
			part = max(part, end-start)
		}
		start = end + 1
	}
	return part >= 6
}

// isScrambled says whether capitals change with small letters more often than in
// words put together.
func isScrambled(v []byte) bool {
	changes := 0
	for i := 1; i < len(v); i++ {
		if (upper | hexUpper).has(v[i]) != (upper | hexUpper).has(v[i-1]) {
			changes++
		}
	}
	return changes*5 >= len(v)*2
}

// isPhrase says whether v, letters alone, reads as words put together: most letters are
// small, few words are short, and there are as many vowels as in words.
func isPhrase(v []byte) bool {
	small, starts, vowels := 0, 0, 0
	for i, c := range v {
		switch {
		case (lower | hexLower).has(c):
			small++
		case i == 0 || (lower | hexLower).has(v[i-1]):
			starts++
		}
		if strings.IndexByte("aeiou", lowerByte(c)) >= 0 {
			vowels++
		}
	}
	return small*2 >= len(v) && starts*6 <= len(v) && vowels*10 >= len(v)*3
}

// isIdentifier says whether v is a UUID or a hash in hexadecimal.
func isIdentifier(v []byte) bool {
	switch len(v) {
	case 32, 40, 64:
		return hexadecimal.within(v)
	case 36:
		return (hexadecimal | dash).within(v) && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
	}
	return false
}

func hasDigit(v []byte) bool { return kindsIn(v)&digits != 0 }

// credentials is the form of what follows the word Bearer or Basic.
type credentials struct{ basic bool }

func (f credentials) find(w window, at, to int) finding {
	b := w.text
	if !boundary(b, at) {
		return finding{}
	}
	i := to
	for i < len(b) && i < to+6 && ((blank | colon | equals | quote | backslash).has(b[i])) {
		i++
	}
	if w.cut(i) && i < to+6 {
		return finding{verdict: undecided, start: i}
	}
	if i == to {
		return finding{}
	}
	class := alnum | dash | dot | underscore | tilde | plus | slash | equals | colon | percent
	if f.basic {
		class = base64
	}
	end := class.run(b, i, maxValue)
	if end-i < maxValue && w.cut(end) {
		return finding{verdict: undecided, start: i}
	}
	v := b[i:end]
	if len(v) > 0 && v[0] == '+' && quote.has(b[i-1]) { // "Bearer " + token
		return finding{}
	}
	switch {
	case end-i == maxValue:
		return finding{verdict: growing, start: i, end: end, class: class}
	case f.basic && !isBasic(v), !f.basic && !isBearer(v):
		return finding{}
	}
	return finding{verdict: match, start: i, end: end}
}

func isBearer(v []byte) bool {
	if i := bytes.IndexByte(v, '='); i > 0 && (letters | underscore).within(v[:i]) &&
		(bytes.IndexByte(v[:i], '_') > 0 || len(bytes.Trim(v[i:], "=")) > 0) {
		return false // a parameter of a challenge: realm=example.com
	}
	return len(v) >= 8 && !isPlaceholder(v, false) && !bytes.Contains(v, []byte("://")) && (hasDigit(v) || bytes.ContainsAny(v, "+=") || len(v) >= 24)
}

// isBasic says whether v is a user and a password as RFC 7617 writes them.
func isBasic(v []byte) bool {
	const whole = 24 // bytes: a longer one may be cut
	n := len(bytes.TrimRight(v, "="))
	if len(v) < 8 || !base64.within(v) || n%4 == 1 && n < whole {
		return false
	}
	var plain [48]byte
	head := v[:min(len(v), 64)/4*4]
	n, _ = b64.StdEncoding.Decode(plain[:], head) // what comes before an error counts
	for i, c := range plain[:n] {
		if c == ':' {
			return i > 0 || (everything &^ (control | high | wide)).within(plain[:n])
		}
		if control.has(c) || newline.has(c) {
			return false
		}
	}
	return false
}
