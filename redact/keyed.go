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
	p, _ := w.names.of(bytes.TrimLeft(b[start:end], "-."))
	if (p == nil || p.rule != f.rule) && afterEscape(b, start+1) {
		start++
		p, _ = w.names.of(bytes.TrimLeft(b[start:end], "-."))
	}
	if p == nil || p.rule != f.rule {
		return finding{}
	}
	if isSourceFile(b[start:end]) {
		return finding{}
	}
	if p.isStatus && (upper | hexUpper).has(b[start]) && end < len(b) && b[end] == ':' {
		return finding{} // PASS: a test
	}
	if p.want == anySecret && start > 0 && b[start-1] == ';' { // of a connection string
		free := *p
		free.anyWord = true
		p = &free
	}
	if p.anyWord && p.want == anySecret && w.followsLogin(start) {
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
	if x.verdict == match && p.isReference(w, start, end, x) {
		return finding{}
	}
	return x
}

// isSourceFile says whether a name is that of a file of source or of a manual, which
// changelogs and compilers put before a colon: passwd.c, passwd.1.xml.
func isSourceFile(name []byte) bool {
	switch string(name[bytes.LastIndexByte(name, '.')+1:]) {
	case "c", "h", "cc", "cpp", "cxx", "hpp", "go", "py", "rb", "rs", "js", "ts", "java", "kt", "cs", "php", "pl", "pm", "sh",
		"el", "in", "am", "po", "xml", "html", "md", "rst", "adoc", "asc", "1", "3", "5", "8":
		return bytes.IndexByte(name, '.') > 0
	}
	return false
}

// isCommand says whether the name of a flag asks for something to be done with a
// secret: --change-passphrase USER.
func isCommand(flag []byte) bool {
	verb, _, found := bytes.Cut(flag, []byte{'-'})
	switch string(verb) {
	case "ask", "change", "delete", "remove", "reset":
		return found
	}
	return false
}

// isReference says whether the value x of the name text[start:end] is no secret but the
// name of one: its own name again, or what a program calls another. What people choose
// can look so; such a value is a name only where a program gives it to another.
func (p *phrase) isReference(w window, start, end int, x finding) bool {
	b, name, v := w.text, w.text[start:end], w.text[x.start:x.end]
	if n := digits.runBack(v, len(v), len(v)); !p.anyWord && len(v)-n <= longestInName {
		if n < len(v) && !isVariable(v) { // secret1
			n = len(v)
		}
		v = v[:n]
	}
	if len(v) == 0 || start > 0 && (b[start-1] == ';' || b[start-1] == ',') { // of a connection string
		return false
	}
	isQuoted := quote.has(b[x.start-1])
	switch {
	case isSameName(name, v):
		return true
	case isQuoted && p.want != likelySecret:
		return !p.anyWord && (upper | hexUpper | underscore).within(v) && isNameOfSecret(w, v)
	case isQuoted, !p.anyWord && p.want != authSecret:
		return isNameOfSecret(w, v)
	case b[start] == '-' && (upper | hexUpper | underscore).within(v): // --password WORD
		return true
	}
	isAssigned := x.start > 2 && b[x.start-1] == ' ' && b[x.start-2] == '=' && bytes.IndexByte([]byte(" :=!"), b[x.start-3]) >= 0
	if isAssigned && letters.has(v[0]) && (word | dot).within(v) && (p.proper && (lower|hexLower).has(v[0]) ||
		isVariable(v) && (p.want == authSecret || bytes.HasPrefix(name, []byte("self.")) || bytes.HasPrefix(name, []byte("this.")))) {
		return true
	}
	isGiven := isAssigned || start > 1 && b[start-1] == ' ' && b[start-2] == ',' ||
		x.end < len(b) && bytes.IndexByte([]byte(",)]}"), b[x.end]) >= 0
	return isGiven && !digits.has(v[len(v)-1]) && isNameOfSecret(w, v)
}

// isNameOfSecret says whether v has the words of a program's name for a secret, more than
// one, of which the last, or one of a word that is not made, makes it sensitive.
func isNameOfSecret(w window, v []byte) bool {
	if !letters.has(v[0]) || !(word | dot).within(v) || len(v) > maxName {
		return false
	}
	body := bytes.TrimRight(v, "0123456789")
	isOne := true
	for i := 1; i < len(body); i++ {
		isOne = isOne && !(underscore | dot).has(body[i]) && !((upper | hexUpper).has(body[i]) && !(upper | hexUpper).has(body[i-1]))
	}
	if isOne {
		return false
	}
	q, _ := w.names.of(body)
	if q == nil { // the first word may be what is done with it: validate_password
		first := (lower | hexLower).run(body, 0, len(body))
		if q, _ = w.names.of(body[first:]); q == nil {
			return false
		}
	}
	last := q.words[strings.LastIndexByte(q.words, ' ')+1:]
	return len(last) > 2 && len(body) >= len(last) && equalFold(body[len(body)-len(last):], last) || !isMade(v)
}

// isSameName says whether v is the name itself, or the end of it, in any spelling.
func isSameName(name, v []byte) bool {
	n := len(name)
	signs := underscore | dash | dot
	for i := len(v) - 1; i >= 0; i-- {
		if signs.has(v[i]) {
			continue
		}
		for n > 0 && signs.has(name[n-1]) {
			n--
		}
		if n == 0 || lowerByte(name[n-1]) != lowerByte(v[i]) {
			return false
		}
		n--
	}
	return n == 0 || signs.has(name[n-1]) || (upper | hexUpper).has(name[n])
}

// excludes implements excluder.
func (f *named) excludes(b []byte, at, to int) bool {
	start, end := nameOfKey.runBack(b, at, maxName), nameOfKey.run(b, to, maxName)
	return f.names.of(bytes.Trim(b[start:end], "-.")) == nil &&
		(!afterEscape(b, start+1) || f.names.of(bytes.Trim(b[start+1:end], "-.")) == nil)
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
	isFlag := b[start] == '-'
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
	if !quoted && i+2 < len(b) && b[i] == ':' && b[i+1] == ':' && (letters | backslash | tilde).has(b[i+2]) && !p.anyWord {
		return finding{} // Session::clear
	}
	i = subscript(b, i)
	end := blank.run(b, i, 8)
	spaced := end > i
	i = end
	end, decided := w.assignment(i, spaced)
	if !decided {
		return wait(i)
	}
	switch {
	case i == len(b):
		return finding{}
	case end > i:
		i = end
	case isTag && !spaced && b[i] == '>':
		i++
		if w.cut(i) {
			return wait(i)
		}
		if i < len(b) && b[i] == '@' && start > 1 && b[start-2] == ':' { // https://<user>:<password>@host
			return finding{}
		}
	case quoted && b[i] == ',' && start > 0 && b[start-1] == '/': // /etc/passwd
		return finding{}
	case quoted && b[i] == ',':
		i = blank.run(b, i+1, 8)
		if w.cut(i) {
			return wait(i)
		}
		one := *p
		switch {
		case p.want == anySecret:
			one = phrase{rule: p.rule, want: quotedWord, notPath: true}
		case p.want == likelySecret || p.want == authSecret:
			one.isListed = !isFirst(b, start)
			one.notPath = true
		}
		return one.value(w, i, false)
	case isFlag && spaced && b[i] != '-' && !quoted:
	case b[i] == '(' && !quoted && !spaced && (p.want == anySecret || p.want == likelySecret):
		if w.cut(i + 1) {
			return wait(i + 1)
		}
		if i+1 == len(b) || !quote.has(b[i+1]) {
			return finding{}
		}
		if !p.qualified {
			return p.spaced(w, i+1, likelySecret)
		}
		one := phrase{rule: p.rule, want: madeSecret}
		return one.value(w, i+1, false)
	case spaced && !quoted && p.anyWord && p.want == anySecret:
		return p.spaced(w, i, anySecret)
	case spaced && !quoted && p.want == number && p.digits[0] >= longNumber-3: // no count is as long
	case spaced && !p.mayBeID && p.want != number && p.want != authSecret:
		return p.spaced(w, i, likelySecret)
	default:
		return finding{}
	}
	given := i
	i = blank.run(b, i, 8)
	if w.cut(i) {
		return wait(i)
	}
	x := p.value(w, i, false)
	if x.verdict != match || quote.has(b[x.start-1]) {
		return x
	}
	v := b[x.start:x.end]
	isComparison := end-at > 1 && b[end-1] == '=' && (b[end-2] == '=' || b[end-2] == '!')
	if isComparison && (isVariable(v) || (word|dot).within(v) && bytes.IndexByte(v, '.') > 0 && !isMade(v)) {
		return finding{}
	}
	if p.anyWord && p.want == anySecret && letters.within(v) && (b[end-1] == ':' || b[end-1] == '=' && !spaced && i > given) {
		switch isProse, decided := w.goesOn(x.end); {
		case !decided:
			return wait(x.start)
		case isProse:
			return finding{}
		}
	}
	return x
}

// isFirst says whether the string that holds the name at i is the first of what is in
// brackets: set("token", x), rather than one of a list.
func isFirst(b []byte, i int) bool {
	i = (quote | backslash).runBack(b, i, 4)
	i = whitespace.runBack(b, i, 20)
	return i > 0 && bytes.IndexByte([]byte("([{"), b[i-1]) >= 0
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
	if want == anySecret {
		for _, word := range []string{"is ", "was "} {
			if i+len(word) <= len(b) && equalFold(b[i:i+len(word)], word) {
				i += len(word)
			}
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
		one := phrase{rule: p.rule, want: quotedWord}
		return one.value(w, i, false)
	case isQuoted:
		one := phrase{rule: p.rule, want: likelySecret, min: 8}
		return one.value(w, i, false)
	}
	one := phrase{rule: p.rule, want: likelySecret, mayBeID: true, min: 20}
	return one.value(w, i, false)
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
			if w.closes(slashes) {
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
				start = afterScheme(w, start)
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
	const look = 200
	b := w.text
	before := b[max(0, i-look):i]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	return i+1 < len(b) && bytes.IndexByte([]byte("),;+] "), b[i+1]) >= 0 && bytes.Count(before, b[i:i+1])%2 == 1
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
			if i+1 < limit && strings.IndexByte(`nrt"'\`, b[i+1]) >= 0 {
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

// isSchemeAlone says whether after the word that tells the kind of credentials v has none,
// but what stands for them: "Basic " + x, "Bearer %s".
func isSchemeAlone(v []byte) bool {
	scheme := (alnum | dash).run(v, 0, len(v))
	rest := bytes.TrimLeft(v[scheme:], " ")
	return scheme < len(v) && (len(rest) == 0 || v[scheme] == ' ' && isPlaceholder(rest, true))
}

// accepts says whether v is a secret rather than something that stands for one.
func (p *phrase) accepts(v []byte, isQuoted bool) bool {
	if p.want == anyValue {
		return v[0] != '{'
	}
	if isPlaceholder(v, isQuoted) || isPublicBlock(v) || p.proper && isQualified(v) || p.anyWord && isFieldList(v) {
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
		isWord := letters.within(v) && !isScrambled(v)
		isUnlike := p.qualified && len(v) >= minMade && !isMade(v) && !isID(v, minMade)
		if isWord && (!isQuoted || isPhrase(v)) || !isQuoted && isUnlike {
			return false // a name in a program
		}
		isNumbered := isVariable(v) && hasDigit(v) || (word|dot|dash|slash).within(v) && bytes.IndexByte(v, '.') > 0
		if p.isListed && isNumbered && !isMade(v) {
			return false // or in a list of such
		}
		return len(v) >= p.min && isLikelySecret(v) && !(p.mayBeID && isIdentifier(v))
	case madeSecret:
		return isMade(v) || isStrong(v) || isID(v, minMade)
	case authSecret:
		name := dash | underscore
		if p.isListed {
			name |= letters
		}
		isHeader := p.notPath && (name | letters).within(v) && (name&letters != 0 || bytes.ContainsAny(v, "-_") || !isQuoted)
		return len(v) >= 6 && !isHeader && !isSchemeAlone(v)
	case quotedWord:
		return isQuoted && !isEncoding(v) && len(v) >= 4 && (nonSpace &^ comma).within(v) && (!bytes.ContainsAny(v, "(){}<>") || isStrong(v)) &&
			!(p.notPath && (letters | dot | dash | underscore | colon | slash).within(v))
	}
	switch {
	case p.notPath && (v[0] == '/' || v[0] == '.' || v[0] == '~'), isPath(v):
		return false
	case isQuoted:
		return true
	case !p.anyWord && isVariable(v), isProse(v):
		return false
	}
	return len(v) >= 3
}

// isQualified says whether v is a name as programs qualify theirs, and not a person's:
// owner/project, package.Type.
func isQualified(v []byte) bool {
	if !(word | dot | dash | slash).within(v) {
		return false
	}
	return bytes.ContainsAny(v, "/_") || (lower|hexLower).has(v[0]) && bytes.IndexByte(v, '.') > 0
}

// isFieldList says whether v goes on with the names of a record's fields: uid:gid:shell.
func isFieldList(v []byte) bool {
	return bytes.IndexByte(v, ':') > 0 && (letters | underscore | colon).within(v)
}

// isPublicBlock says whether v begins with what anyone may read: a certificate, a public key.
func isPublicBlock(v []byte) bool {
	return bytes.HasPrefix(v, []byte("-----BEGIN CERT")) || bytes.HasPrefix(v, []byte("-----BEGIN PUBLIC"))
}

// isEncoding says whether v is how a text is written or digested, as the argument after
// a name tells: read("/run/key", "utf8").
func isEncoding(v []byte) bool {
	switch string(v) {
	case "utf8", "utf-8", "utf16le", "latin1", "base64", "base64url", "md5", "sha1", "sha256", "sha512", "sha-256", "sha-512":
		return true
	}
	return false
}

// isPath says whether v is a path in words to a file.
func isPath(v []byte) bool {
	parts := bytes.Count(v, []byte{'/'})
	if parts < 2 && !(parts == 1 && v[0] == '~') || v[0] != '/' && v[0] != '.' && v[0] != '~' {
		return false
	}
	signs := slash | dash | dot | underscore | tilde
	return (letters|signs).within(v) && !isScrambled(v) || parts > 2 && (lower|lowerHex|signs).within(v)
}

// isProse says whether v is a word that follows the name of a secret where a text speaks
// of it, and no value: the --password option, password: added.
func isProse(v []byte) bool {
	const longest = 12
	var b [longest]byte
	if len(v) > longest {
		return false
	}
	switch string(appendLower(b[:0], v)) {
	case "option", "options", "flag", "flags", "argument", "arguments", "parameter", "parameters", "switch", "switches",
		"command", "setting", "settings", "description", "but", "may", "see", "now", "then", "respectively", "instead",
		"add", "added", "adds", "fix", "fixed", "fixes", "use", "used", "uses", "ditto", "likewise":
		return true
	}
	return false
}

// isVariable says whether v is a name as programs have them: letters alone, or
// words that are told apart by capitals, with a number at most: testKey2048.
func isVariable(v []byte) bool {
	if (letters | underscore).within(v) {
		return true
	}
	if !word.within(v) || !letters.has(v[0]) {
		return false
	}
	i := (letters | underscore).run(v, 0, len(v))
	end := digits.run(v, i, len(v))
	hump := false
	for j := 1; j < len(v); j++ {
		hump = hump || (upper|hexUpper).has(v[j]) &&
			((lower|hexLower).has(v[j-1]) || digits.has(v[j-1]) && j+1 < len(v) && (lower|hexLower).has(v[j+1]))
	}
	return hump && end-i <= longestInName && (letters | underscore).within(v[end:])
}

// isPlaceholder says whether v stands for a value that is elsewhere: a
// variable, a template, a type, a call, a word of prose.
func isPlaceholder(v []byte, isQuoted bool) bool {
	same := true
	for _, c := range v {
		same = same && c == v[0]
	}
	if same || !isQuoted && isExpression(v) {
		return true
	}
	switch v[0] {
	case '$':
		return len(v) > 1 && ((v[1] == '{' || v[1] == '(' || v[1] == '_') || letters.has(v[1]) && !hasDigit(v))
	case '\\': // of troff: \fIpassword\fR, \*(Aq
		return len(v) > 2 && (v[1] == 'f' && (upper|punctuation|paren).has(v[2]) || v[1] == '*' || v[1] == '-')
	case '{', '<', '%', '#', '@':
		last := v[len(v)-1]
		return v[0] == '{' || v[0] == '<' && last == '>' || v[0] == '%' && (last == '%' || len(v) < 4 || v[1] == '(') ||
			(v[0] == '#' || v[0] == '@') && v[1] == '{'
	}
	if isStopWord(v) || bytes.HasPrefix(v, []byte("arn:aws")) {
		return true
	}
	if isQuoted { // "bad password: " + what
		rest := bytes.TrimLeft(v, " ")
		return len(rest) > 1 && rest[0] == '+' && (letters | blank).has(rest[1])
	}
	if isCall(v) || holdsTemplate(v) || isHexLiteral(v) {
		return true
	}
	if name := (word | dot).run(v, 0, len(v)); name > 0 && name < len(v) && v[name] == '[' && !bytes.HasPrefix(v[name:], []byte(markerStart)) {
		return true // keys[0], map[string]string
	}
	if path := bytes.TrimRight(v, "[]{}()"); bytes.IndexByte(path, '.') > 0 && (letters | underscore | dot).within(path) {
		return true // config.password
	}
	return false
}

// isExpression says whether v is a part of a program other than a name: [name], [8]T{,
// (T *)name, *name, T{name}, @_.
func isExpression(v []byte) bool {
	name := letters | underscore | dot
	switch v[0] {
	case '[':
		i := (name | digits).run(v, 1, len(v))
		return i+1 < len(v) && v[i] == ']' && letters.has(v[i+1]) || i == len(v) && !hasDigit(v)
	case '(':
		return !hasDigit(v) && len(v) > 1 && (letters | underscore | ampersand | punctuation | dash).has(v[1])
	case '*', '&':
		return len(v) > 1 && letters.has(v[1]) && (name.within(v[1:]) || (name|digits).within(v[1:]) && bytes.IndexByte(v, '.') > 0)
	case '@':
		return len(v) > 1 && v[1] == '_' && (len(v) == 2 || !word.has(v[2]))
	}
	i := (name | digits).run(v, 0, len(v))
	if i == 0 || i == len(v) || v[i] != '{' || !letters.has(v[0]) {
		return false
	}
	rest := bytes.Trim(v[i:], "{}")
	return len(rest) < 2 || name.within(rest)
}

// isCall says whether v is a call of a function: a name and a parenthesis.
func isCall(v []byte) bool {
	i := bytes.IndexByte(v, '(')
	name := word | dot | colon | dash | dollar | angle | ampersand | comma | backslash | punctuation
	return i > 0 && name.within(v[:i]) && !bytes.ContainsAny(v[:i], "{}^#")
}

// holdsTemplate says whether v has a name in it that is to be replaced: ${name}, {{ name }}.
func holdsTemplate(v []byte) bool {
	for _, open := range []string{"${", "{{"} {
		if i := bytes.Index(v, []byte(open)); i >= 0 {
			end := (word | dot | blank | dash | dollar | colon).run(v, i+len(open), len(v))
			if end == len(v) || v[end] == '(' || v[end] == '|' ||
				v[end] == '}' && (open == "${" || bytes.HasPrefix(v[end:], []byte("}}"))) {
				return true
			}
		}
	}
	return false
}

// isHexLiteral says whether v is a number as programs write it: 0x1f, -0b11, 0o17.
func isHexLiteral(v []byte) bool {
	v = bytes.TrimPrefix(v, []byte("-"))
	if len(v) > 2 && v[0] == '0' && (v[1] == 'b' || v[1] == 'o') {
		return (digits | underscore).within(v[2:])
	}
	return len(v) > 2 && len(v) <= 22 && equalFold(v[:2], "0x") && (hexadecimal | underscore).within(v[2:])
}

func hasDigit(v []byte) bool { return bytes.ContainsAny(v, "0123456789") }

// isLikelySecret says whether v looks made by a machine: letters and digits in
// one word that is neither a path nor words and small numbers in a row.
func isLikelySecret(v []byte) bool {
	if i := bytes.Index(v, []byte(markerStart)); i >= 0 {
		v = v[:i]
	}
	if len(v) < 8 || bytes.Contains(v, []byte("://")) || !nonSpace.within(v) {
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

// isStopWord says whether v is a word that follows the name of a secret without
// being one: a literal, a type, a word of prose.
func isStopWord(v []byte) bool {
	const longest = 16
	if len(v) > longest || !(letters | slash | underscore).within(v) {
		return false
	}
	var b [longest]byte
	for i, c := range v {
		b[i] = lowerByte(c)
	}
	switch string(b[:len(v)]) {
	case "null", "nil", "none", "undefined", "true", "false", "yes", "no", "on", "off", "ok", "n/a", "na", "tbd", "todo",
		"string", "str", "text", "bytes", "byte", "int", "integer", "bool", "boolean", "float", "number", "object", "any",
		"char", "varchar", "optional", "required", "field", "input", "hidden", "type", "self", "this", "func", "function",
		"var", "let", "const", "new", "await", "async", "return", "if", "else", "not", "and", "or", "is", "in", "for", "to",
		"the", "a", "an", "your", "my", "our", "their", "must", "should", "cannot", "can", "will", "was", "has", "have", "be",
		"been", "with", "from", "by", "of", "at", "as", "it", "that", "which", "when", "where", "what", "invalid", "incorrect",
		"wrong", "missing", "expired", "failed", "failure", "success", "changed", "reset", "unset", "empty", "set", "updated",
		"enter", "please", "prompt", "default", "masked", "redacted", "removed", "omitted", "encrypted", "unknown",
		"unchanged", "value", "password", "secret", "token", "key", "valid", "enabled", "disabled",
		"struct", "interface", "range", "secretstr", "secretbytes":
		return true
	}
	return false
}

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
	return len(v) >= 8 && !isPlaceholder(v, false) && (hasDigit(v) || bytes.ContainsAny(v, "+=") || len(v) >= 24)
}

// isBasic says whether v is a user and a password as RFC 7617 writes them.
func isBasic(v []byte) bool {
	if len(v) < 8 || !base64.within(v) {
		return false
	}
	var plain [48]byte
	head := v[:min(len(v), 64)/4*4]
	n, _ := b64.StdEncoding.Decode(plain[:], head) // what comes before an error counts
	for _, c := range plain[:n] {
		if c == ':' {
			return true
		}
		if control.has(c) || newline.has(c) {
			return false
		}
	}
	return false
}
