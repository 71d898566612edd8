package redact

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
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
	start, end, isQuoted, class := i, i, alone, lex.BareValue
	var scheme []byte
	switch {
	case alone:
		class = lex.Everything
		end = class.Run(b, i, maxValue)
	default:
		for i < len(b) && i < start+2 &&
			(b[i] == '[' || b[i] == '(' || b[i] == '@' || lex.Letters.Has(b[i]) && i == start) {
			i++
		}
		slashes := lex.Backslash.Run(b, i, 3)
		if w.cut(slashes) {
			return finding{verdict: undecided, start: start}
		}
		if slashes < len(b) && lex.Quote.Has(b[slashes]) {
			if w.cut(slashes + 1) {
				return finding{verdict: undecided, start: start}
			}
			if w.closes(slashes) || i > start && w.isOpen(slashes) { // b in "cookie: b" is no sign of bytes
				return finding{}
			}
			isQuoted = true
			class = lex.Everything &^ (lex.Quote | lex.Newline)
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
				class = lex.NumberPart
			}
			if p.want == authSecret {
				credentials := afterScheme(w, start)
				scheme = bytes.TrimRight(b[start:credentials], " \t")
				start = credentials
			}
			end = bareEnd(w, start, class)
			switch {
			case class != lex.BareValue || p.want == anyValue:
			case end-start < maxValue && w.cut(end):
				return finding{verdict: undecided, start: start}
			default:
				end = codeEnd(w, start, max(start, w.marker(start)), end)
			}
		}
	}
	const slack = 8 // closingQuote looks this far beyond
	if w.cut(end) || end-start >= maxValue && w.cut(end+slack) {
		return finding{verdict: undecided, start: start}
	}
	if end-start >= maxValue {
		if p.want == number || p.want == likelySecret && alone || p.want == packedSecret &&
			!lex.Base64.Within(b[start:end]) {
			return finding{}
		}
		return finding{verdict: growing, start: start, end: end, class: class}
	}
	if p.want == number && !isQuoted && end < len(b) && (lex.Letters | lex.Underscore).Has(b[end]) &&
		(lex.Digits).Has(b[end-1]) &&
		end > start {
		return finding{} // 4711ab
	}
	if !isQuoted {
		for end > start && (isEndSign(b[end-1]) || lex.Blank.Has(b[end-1])) {
			end--
		}
		if v := b[start:end]; bytes.HasSuffix(v, []byte("’")) || bytes.HasSuffix(v, []byte("”")) {
			end -= len("’")
		}
		if p.want == authSecret && lex.Letters.Within(b[start:end]) && !candidate.IsScrambled(b[start:end]) {
			switch isProse, decided := w.goesOn(end); {
			case !decided:
				return finding{verdict: undecided, start: start}
			case isProse, isSchemeWord(b[start:end]), lex.EqualFold(scheme, "basic"): // which has digits or a sign
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
			end := lex.Backslash.Run(b, i, 4)
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
func bareEnd(w window, start int, class lex.Class) int {
	b := w.text
	limit := min(len(b), start+maxValue)
	odd := false
	signs := max(start, w.marker(start)) // those of a marker do not count
	for i := start; ; i++ {
		i = w.run(class&^lex.Backslash, i, limit-i)
		switch {
		case i == limit:
			return i
		case b[i] == '\\' && class.Has('\\'):
			if i+1 < limit && strings.IndexByte(`nrt"'\`, b[i+1]) >= 0 || i+2 < limit && candidate.IsFontChange(b[i:]) {
				return i
			}
		case class == lex.BareValue && (b[i] == '&' || b[i] == '>') &&
			(odd || bytes.ContainsAny(b[min(signs, i):i], "{}()[]$#^*")):
			odd = true
		default:
			return i
		}
	}
}

// accepts says whether v is a secret rather than something that stands for one.
func (p *phrase) accepts(v []byte, isQuoted bool) bool {
	if p.want == anyValue {
		return v[0] != '{'
	}
	if p.want == packedSecret {
		return isPacked(v)
	}
	if p.isArgument && (v[0] == '-' || !lex.NonSpace.Within(v)) ||
		(p.isListed || p.want == quotedWord) && bytes.Contains(v, []byte(lex.MarkerStart)) { // what is left of a value
		return false
	}
	if p.of != 0 && !p.of.Within(v) {
		return false
	}
	if candidate.IsPlaceholder(v, isQuoted) || candidate.IsPublic(v) || p.proper &&
		(candidate.IsQualified(v) || lex.Digits.Has(v[0]) || candidate.IsSystemAccount(v)) ||
		p.anyWord && candidate.IsFieldList(v) || p.isGiven && !isQuoted && candidate.IsVariable(v) ||
		p.want != number && candidate.IsObjectID(v) {
		return false
	}
	switch p.want {
	case number:
		n := 0
		for _, c := range v {
			if lex.Digits.Has(c) {
				n++
			} else if !lex.NumberPart.Has(c) {
				return false
			}
		}
		return n >= p.digits[0] && n <= p.digits[1]
	case likelySecret:
		if !p.mayBeID && len(v) >= longNumber && lex.Digits.Within(v) {
			return true
		}
		if p.typed && isQuoted && candidate.IsTyped(v) {
			return true
		}
		isWord := lex.Letters.Within(v) && !candidate.IsScrambled(v)
		isUnlike := p.qualified && len(v) >= candidate.MinMade && !candidate.IsMade(v) &&
			!candidate.IsID(v, candidate.MinMade)
		if isWord && (!isQuoted || p.isListed || candidate.IsPhrase(v)) || !isQuoted && isUnlike {
			return false // a name in a program
		}
		if p.isLabel && candidate.IsNumbered(v) || p.isListed && candidate.IsListItem(v) {
			return false
		}
		return len(v) >= p.min && candidate.IsLikelySecret(v) && !(p.mayBeID && candidate.IsIdentifier(v))
	case madeSecret:
		return candidate.IsMade(v) || candidate.IsStrong(v) || candidate.IsID(v, candidate.MinMade)
	case authSecret:
		isWords := (lex.Letters | lex.Dash | lex.Underscore).Within(v) && !candidate.IsScrambled(v)
		return len(v) >= 6 && !isSchemeAlone(v) && !candidate.IsEndpoint(v) &&
			!(v[0] == '/' && (lex.Letters | lex.Slash | lex.Dash | lex.Underscore | lex.Dot).Within(v)) &&
			!(isWords && (p.notPath || candidate.IsMetavariable(v))) // another header's name, YOUR_TOKEN
	case typedWord:
		return candidate.IsTyped(v) || len(v) >= p.min && candidate.IsLikelySecret(v) && !candidate.IsIdentifier(v)
	case quotedWord:
		return isQuoted && !candidate.IsEncoding(v) &&
			(!p.proper || (lex.Upper | lex.HexUpper | lex.High | lex.Wide).Has(v[0])) && len(v) >= 4 &&
			((lex.NonSpace &^ lex.Comma).Within(v) || candidate.IsSalt(v)) &&
			(!bytes.ContainsAny(v, "(){}<>") || candidate.IsStrong(v) || candidate.IsSalt(v)) &&
			!(p.notPath && (lex.Letters | lex.Dot | lex.Dash | lex.Underscore | lex.Colon | lex.Slash).Within(v))
	}
	switch {
	case isQuoted && !p.anyWord &&
		(isSentence(v) || v[0] == '.' && (lex.Letters|lex.Dash|lex.Underscore|lex.Dot).Within(v)):
		return false
	case p.notPath && (v[0] == '/' || v[0] == '.' || v[0] == '~'), candidate.IsPath(v), p.words == "passwd" &&
		candidate.IsNameService(v):
		return false
	case isQuoted:
		return true
	case !p.anyWord && (candidate.IsVariable(v) && !(p.typed && candidate.HasDigit(v)) || len(v) <= longestCount &&
		lex.Digits.Within(v)), candidate.IsProse(v):
		return false
	}
	return len(v) >= 3
}
