package redact

import (
	"bytes"
	b64 "encoding/base64"
)

// valueKind is what a value must look like to be taken for what its name says.
type valueKind uint8

const (
	anySecret    valueKind = iota // anything but a placeholder
	likelySecret                  // something that looks made by a machine
	authSecret                    // a scheme and its credentials
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
	maxValue  = 512
	valueOnly = true // of value: there is no name and no separator to skip
)

func (f *named) find(w window, at, to int) finding {
	b := w.text
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
	p := f.names.of(bytes.TrimLeft(b[start:end], "-."))
	if p == nil || p.rule != f.rule {
		return finding{}
	}
	isFlag := b[start] == '-'
	isTag := start > 0 && b[start-1] == '<'
	return p.after(w, end, isFlag, isTag)
}

// after finds the value of a name that ends at i.
func (p *phrase) after(w window, i int, isFlag, isTag bool) finding {
	b := w.text
	wait := func(i int) finding { return finding{verdict: undecided, start: i} }
	at := i
	for i < len(b) && i < at+6 && ((quote | backslash).has(b[i]) || b[i] == ']') {
		i++
	}
	quoted := bytes.ContainsAny(b[at:i], "\"'`")
	end := blank.run(b, i, 8)
	spaced := end > i
	i = end
	at = i
	for i < len(b) && i < at+4 && ((equals | colon).has(b[i]) || i > at && b[i] == '>') {
		i++
	}
	switch {
	case w.cut(i):
		return wait(i)
	case i == len(b):
		return finding{}
	case i > at: // = : := => ==
	case isTag && !spaced && b[i] == '>':
		i++
	case quoted && b[i] == ',':
		i++
	case isFlag && spaced && b[i] != '-':
	case spaced && !p.mayBeID && p.want != number && p.want != authSecret:
		// Nothing but a blank: only what can hardly be a word of a sentence.
		p = &phrase{rule: p.rule, want: likelySecret, mayBeID: true, min: 20}
	default:
		return finding{}
	}
	i = blank.run(b, i, 8)
	if w.cut(i) {
		return wait(i)
	}
	return p.value(w, i, false)
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
		for i < len(b) && i < start+2 && (b[i] == '[' || b[i] == '(' || (hexLower|lower).has(b[i]) && i == start) {
			i++
		}
		slashes := backslash.run(b, i, 3)
		if w.cut(slashes) {
			return finding{verdict: undecided, start: start}
		}
		if slashes < len(b) && quote.has(b[slashes]) {
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
		return finding{verdict: match, start: start, end: end}
	}
	return finding{}
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

// bareEnd returns where a value without quotes ends.
func bareEnd(w window, start int, class kinds) int {
	b := w.text
	limit := min(len(b), start+maxValue)
	for i := start; i < limit; i++ {
		if !class.has(b[i]) {
			return i
		}
		if b[i] == '\\' && i+1 < limit && bytes.IndexByte([]byte(`nrt"'\`), b[i+1]) >= 0 {
			return i
		}
	}
	return limit
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

// accepts says whether v is a secret rather than something that stands for one.
func (p *phrase) accepts(v []byte, isQuoted bool) bool {
	if p.want == anyValue {
		return v[0] != '{'
	}
	if isPlaceholder(v, isQuoted) {
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
		return len(v) >= p.min && isLikelySecret(v) && !(p.mayBeID && isIdentifier(v))
	case authSecret:
		return len(v) >= 6
	}
	switch {
	case isQuoted:
		return true
	case p.notPath && (v[0] == '/' || v[0] == '.' || v[0] == '~'):
		return false
	case !p.anyWord && (letters | underscore).within(v):
		return false // a variable
	}
	return len(v) >= 3
}

// isPlaceholder says whether v stands for a value that is elsewhere: a
// variable, a template, a type, a call, a word of prose.
func isPlaceholder(v []byte, isQuoted bool) bool {
	same := true
	for _, c := range v {
		same = same && c == v[0]
	}
	if same {
		return true
	}
	switch v[0] {
	case '$':
		return len(v) > 1 && ((v[1] == '{' || v[1] == '(') || letters.has(v[1]) && !hasDigit(v))
	case '{', '<', '%', '#', '@':
		last := v[len(v)-1]
		return v[0] == '{' || v[0] == '<' && last == '>' || v[0] == '%' && (last == '%' || len(v) < 4 || v[1] == '(') ||
			(v[0] == '#' || v[0] == '@') && v[1] == '{'
	}
	if isStopWord(v) {
		return true
	}
	if isQuoted { // "bad password: " + what
		rest := bytes.TrimLeft(v, " ")
		return len(rest) > 1 && rest[0] == '+' && (letters | blank).has(rest[1])
	}
	if bytes.IndexByte(v, '(') > 0 || bytes.Contains(v, []byte("${")) || bytes.Contains(v, []byte("{{")) || isHexLiteral(v) {
		return true
	}
	if name := (word | dot).run(v, 0, len(v)); name > 0 && name < len(v) && v[name] == '[' {
		return true // keys[0]
	}
	if path := bytes.TrimRight(v, "[]{}()"); bytes.IndexByte(path, '.') > 0 && (letters | underscore | dot).within(path) {
		return true // config.password
	}
	return false
}

// isHexLiteral says whether v is a number as programs write it: 0x1f.
func isHexLiteral(v []byte) bool {
	return len(v) > 2 && len(v) <= 18 && equalFold(v[:2], "0x") && hexadecimal.within(v[2:])
}

func hasDigit(v []byte) bool { return bytes.ContainsAny(v, "0123456789") }

// isLikelySecret says whether v looks made by a machine: letters and digits in
// one word that is neither a path nor words and small numbers in a row.
func isLikelySecret(v []byte) bool {
	if len(v) < 8 || bytes.Contains(v, []byte(markerStart)) || bytes.Contains(v, []byte("://")) || !nonSpace.within(v) {
		return false
	}
	if v[0] == '/' && bytes.Count(v, []byte("/")) > 1 || isHexLiteral(v) {
		return false
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
		"unchanged", "value", "password", "secret", "token", "key", "valid", "enabled", "disabled":
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
	end := class.run(b, i, maxValue)
	if end-i < maxValue && w.cut(end) {
		return finding{verdict: undecided, start: i}
	}
	v := b[i:end]
	switch {
	case end-i == maxValue:
		return finding{verdict: growing, start: i, end: end, class: class}
	case f.basic && !isBasic(v), !f.basic && !isBearer(v):
		return finding{}
	}
	return finding{verdict: match, start: i, end: end}
}

func isBearer(v []byte) bool {
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
