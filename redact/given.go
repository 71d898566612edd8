package redact

import (
	"bytes"
	"strings"
)

// value finds the value that begins at i; alone: the value is all of the text.
func (p *phrase) value(w window, i int, alone bool) finding {
	switch p.want {
	case formedID:
		return p.formed(w, i, alone, false)
	case mnemonicWords:
		if x := p.mnemonic(w, i, alone); x.verdict != noMatch {
			return x
		}
		entropy := *p // the seed in another notation than words
		entropy.want = madeSecret
		return entropy.value(w, i, alone)
	}
	b := w.text
	start, end, isQuoted, class := i, i, alone, bareValue
	var scheme []byte
	switch {
	case alone:
		class = everything
		end = class.run(b, i, maxValue)
	default:
		for i < len(b) && i < start+2 &&
			(b[i] == '[' || b[i] == '(' || b[i] == '@' || letters.has(b[i]) && i == start) {
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
			if slashes == i {
				three, decided := w.passes(i, tripled(b[i]))
				if !decided {
					return finding{verdict: undecided, start: i}
				}
				start = max(start, three)
			}
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
			switch {
			case class != bareValue || p.want == anyValue:
			case end-start < maxValue && w.cut(end):
				return finding{verdict: undecided, start: start}
			default:
				end = codeEnd(b[:end], start, max(start, w.marker(start)))
			}
		}
	}
	const slack = 8 // closingQuote looks this far beyond
	if w.cut(end) || end-start >= maxValue && w.cut(end+slack) {
		return finding{verdict: undecided, start: start}
	}
	if end-start >= maxValue {
		if p.want == number || p.want == likelySecret && alone || p.want == packedSecret && !base64.within(b[start:end]) {
			return finding{}
		}
		return finding{verdict: growing, start: start, end: end, class: class}
	}
	if p.want == number && !isQuoted && end < len(b) && (letters | underscore).has(b[end]) && (digits).has(b[end-1]) &&
		end > start {
		return finding{} // 4711ab
	}
	if !isQuoted {
		for end > start && (isEndSign(b[end-1]) || blank.has(b[end-1])) {
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
	if end > w.marker(start) && end > start && (p.accepts(b[start:end], isQuoted) || p.freeWord && end < len(b) &&
		b[end] == ';') {
		x := finding{verdict: match, start: start, end: end}
		if isQuoted && !alone && p.want == likelySecret {
			return w.beside(x)
		}
		return x
	}
	return finding{}
}

// isEndSign says whether c is a sign that ends a sentence or a part of it after a value.
func isEndSign(c byte) bool { return strings.IndexByte(",;.)]}:!?-", c) >= 0 }

// tripled returns the quotes that a string over lines begins with.
func tripled(q byte) string {
	switch q {
	case '"':
		return `"""`
	case '\'':
		return "'''"
	}
	return "```"
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

// isFontChange says whether v begins with troff's change of the font: \fP, \fR, \fB, \fI.
func isFontChange(v []byte) bool {
	return len(v) > 2 && v[0] == '\\' && v[1] == 'f' && strings.IndexByte("PRBI", v[2]) >= 0
}

// accepts says whether v is a secret rather than something that stands for one.
func (p *phrase) accepts(v []byte, isQuoted bool) bool {
	if p.want == anyValue {
		return v[0] != '{'
	}
	if p.want == packedSecret {
		return isPacked(v)
	}
	if p.isArgument && (v[0] == '-' || !nonSpace.within(v)) ||
		(p.isListed || p.want == quotedWord) && bytes.Contains(v, []byte(markerStart)) { // what is left of a value
		return false
	}
	if p.of != 0 && !p.of.within(v) {
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
		if p.isLabel && isNumbered(v) || p.isListed && isListItem(v) {
			return false
		}
		return len(v) >= p.min && isLikelySecret(v) && !(p.mayBeID && isIdentifier(v))
	case madeSecret:
		return isMade(v) || isStrong(v) || isID(v, minMade)
	case authSecret:
		isWords := (letters | dash | underscore).within(v) && !isScrambled(v)
		return len(v) >= 6 && !isSchemeAlone(v) && !isEndpoint(v) &&
			!(v[0] == '/' && (letters | slash | dash | underscore | dot).within(v)) &&
			!(isWords && (p.notPath || isMetavariable(v))) // another header's name, YOUR_TOKEN
	case typedWord:
		return isTyped(v) || len(v) >= p.min && isLikelySecret(v) && !isIdentifier(v)
	case quotedWord:
		return isQuoted && !isEncoding(v) && (!p.proper || (upper | hexUpper | high | wide).has(v[0])) && len(v) >= 4 &&
			((nonSpace &^ comma).within(v) || isSalt(v)) &&
			(!bytes.ContainsAny(v, "(){}<>") || isStrong(v) || isSalt(v)) &&
			!(p.notPath && (letters | dot | dash | underscore | colon | slash).within(v))
	}
	switch {
	case isQuoted && !p.anyWord && (isSentence(v) || v[0] == '.' && (letters|dash|underscore|dot).within(v)):
		return false
	case p.notPath && (v[0] == '/' || v[0] == '.' || v[0] == '~'), isPath(v), p.words == "passwd" && isNameService(v):
		return false
	case isQuoted:
		return true
	case !p.anyWord && (isVariable(v) && !(p.typed && hasDigit(v)) || len(v) <= longestCount && digits.within(v)), isProse(v):
		return false
	}
	return len(v) >= 3
}
