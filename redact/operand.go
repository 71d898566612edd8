package redact

import "bytes"

// operand is how many bytes after a value tell that it is a part of a longer expression.
const operand = 3

// isOwnField says whether v is a name with a dot that ends in the very word that names it,
// or in all of the name, and so tells where the value is: password is "Alias.password", a
// file x.sig, Alias#password.
func (p *phrase) isOwnField(name, v []byte) bool {
	if !letters.has(v[0]) || bytes.IndexByte(v, '.') < 0 && bytes.IndexByte(v, '#') < 0 {
		return false
	}
	dot := bytes.LastIndexAny(v, ".#")
	if dot <= 0 || !(nameOfKey | slash).within(v[:dot]) || isMade(v) {
		return false
	}
	return equalFold(v[dot+1:], p.words) || bytes.Equal(v[dot+1:], name)
}

// isPartOfName says whether v, in capitals, is words of the name itself, as constants have
// it: PCP_PASSWORD_REQUIRED_PROPERTY = "PCP_PASSWORD_REQUIRED".
func isPartOfName(name, v []byte) bool {
	return (upper | hexUpper | underscore | digits).within(v) && bytes.IndexByte(v, '_') > 0 && len(v) < len(name) && bytes.Contains(name, v)
}

// isSmallAssigned says whether the value x is a word without a capital, and no colon or sign
// directly before it gives it: a program has so what it calls a full name, and a person's is
// not.
func isSmallAssigned(b []byte, x finding) bool {
	i := quote.runBack(b, x.start, 1)
	from := blank.runBack(b, i, maxAlign)
	v := b[x.start:x.end]
	return from < i && from > 0 && b[from-1] != ':' && nonSpace.within(v) && !bytes.ContainsFunc(v, isCapital)
}

// isCapital says whether r may begin a name: a capital, or of an alphabet outside ASCII.
func isCapital(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 0x80 }

// isOperand says whether the value x is the first part of an expression that goes on, a name
// without digits: base + 15, name+"..." where no string is open; or is given to two names: a = b = 1.
func isOperand(w window, x finding) bool {
	b, v := w.text, w.text[x.start:x.end]
	rest := b[x.end:]
	if name, found := bytes.CutSuffix(v, []byte{'+'}); found {
		return len(rest) > 0 && quote.has(rest[0]) && (letters | underscore | dot).within(name) && !w.isOpen(x.end)
	}
	isAssigned := x.start > 1 && b[x.start-1] == ' ' && b[x.start-2] == '='
	if !isAssigned || len(rest) < operand {
		return false
	}
	isSum := (letters | underscore | dot).within(v) && string(rest[:operand]) == " + "
	return isSum || letters.has(v[0]) && (word|dot).within(v) && string(rest[:operand]) == " = "
}

// isConstant says whether the value x is the number of one of a program's constants, which
// are declared so or follow one another: const NO_PASSPHRASE = 177, or the type of one.
func (p *phrase) isConstant(b []byte, start int, name []byte, x finding) bool {
	const longest = 4
	v := b[x.start:x.end]
	isAssigned := x.start > 2 && b[x.start-1] == ' ' && b[x.start-2] == '=' && b[x.start-3] == ' '
	if !isAssigned || p.want == number || !(upper | hexUpper | underscore | digits).within(name) || bytes.IndexByte(name, '_') < 0 {
		return false
	}
	if bytes.HasSuffix(b[:start], []byte("type ")) {
		return (letters | underscore).within(v)
	}
	isListed := x.end < len(b) && b[x.end] == ',' || bytes.HasSuffix(b[:start], []byte("const "))
	return isListed && len(v) <= longest && digits.within(v)
}

// isVariableGiven says whether the value x is a variable: one with the name itself and a
// number of bits where a program goes on, Password: password16, or of several that are given
// at once.
func isVariableGiven(b, name []byte, start int, x finding) bool {
	v := b[x.start:x.end]
	if x.start < 2 || b[x.start-1] != ' ' {
		return false
	}
	if stem := v[:digits.runBack(v, len(v), 3)]; len(stem) < len(v) {
		return x.end < len(b) && isSize(v[len(stem):]) && bytes.IndexByte([]byte(",)]}"), b[x.end]) >= 0 && b[x.start-2] == ':' &&
			isSameName(name, stem) && (upper | hexUpper).has(name[0])
	}
	return b[x.start-2] == '=' && isVariable(v) && isTuple(b, start)
}

// isSize says whether v is a number of bits that words of computers have.
func isSize(v []byte) bool {
	switch string(v) {
	case "8", "16", "32", "64":
		return true
	}
	return false
}

// isTuple says whether the name at i is the last of several that a line begins with.
func isTuple(b []byte, i int) bool {
	const longest = 80
	start := (word | comma | blank | dot).runBack(b, i, longest)
	return (start == 0 || newline.has(b[start-1])) && i-start < longest && bytes.IndexByte(b[start:i], ',') > 0
}

// isRecordOf says whether the name text[start:end] is one of a row of fields that colons
// join, as a format is described, and v goes on with it: group:password:GID.
func isRecordOf(b []byte, start, end int, v []byte) bool {
	return start > 1 && word.has(b[start-2]) && b[start-1] == ':' && b[end] == ':' && (letters | underscore | colon).within(v)
}

// isMarkedUp says whether the value x is what troff prints in another font, in capitals: the
// name of an argument, in any language.
func isMarkedUp(b []byte, x finding) bool {
	return isFontChange(b[x.end:]) && (upper | hexUpper | underscore | dash | high | wide).within(b[x.start:x.end])
}

// isFormat says whether v is nothing but verbs of printf and signs: %s:%s.
func isFormat(v []byte) bool {
	if bytes.IndexByte(v, '%') < 0 {
		return false
	}
	for i := 0; i < len(v); i++ {
		switch {
		case v[i] == '%' && i+1 < len(v) && (lower | hexLower).has(v[i+1]):
			i++
		case !(everything &^ (alnum | high | wide)).has(v[i]):
			return false
		}
	}
	return true
}

// isSubstitution says whether v is a command whose output a shell puts there: `pwd`.
func isSubstitution(v []byte) bool {
	command := bytes.Trim(v, "'")
	return len(command) > 2 && command[0] == '`' && command[len(command)-1] == '`'
}

// isFieldTag says whether v is what Go tells of a field of a struct: json:"api_key,omitempty".
func isFieldTag(v []byte) bool {
	end := (lower | hexLower | underscore).run(v, 0, len(v))
	return end > 0 && len(v) > end+2 && v[end] == ':' && v[end+1] == '"' && v[len(v)-1] == '"'
}

// isObjectID says whether v is an identifier of ASN.1 (ITU-T X.660): 2.5.4.42.
func isObjectID(v []byte) bool {
	return len(v) > 4 && v[0] >= '0' && v[0] <= '2' && v[1] == '.' && (digits | dot).within(v) && bytes.Count(v, []byte{'.'}) > 2
}

// isMask says whether v has nothing but signs, asterisks among them: it was hidden before.
func isMask(v []byte) bool {
	return bytes.Contains(v, []byte("***")) && (everything &^ (alnum | high | wide)).within(v)
}

// isAlternatives says whether v is words of which one is to be chosen, as the syntax of a
// command has them in brackets, or literals: [file|stdin|env], true|false, on/off.
func isAlternatives(v []byte) bool {
	const brackets = "[](){}<>"
	if bytes.IndexByte(v, '|') < 0 && bytes.IndexByte(v, '/') < 0 {
		return false
	}
	isOr := func(r rune) bool { return r == '|' || r == '/' }
	words := bytes.Trim(v, brackets)
	isBracketed := len(words) > 0 && bytes.IndexByte([]byte("[({<"), v[0]) >= 0 && bytes.IndexByte(words, '|') > 0
	n, areStops := 0, true
	for part := range bytes.FieldsFuncSeq(words, isOr) {
		if !letters.has(part[0]) || !(word | dash).within(part) || isMade(part) {
			return false
		}
		n++
		areStops = areStops && isStopWord(part)
	}
	return n > 1 && (isBracketed || areStops)
}

// isLink says whether v is the address of a page, in words.
func isLink(v []byte) bool {
	const inWords = letters | slash | dash | dot | colon | underscore
	return (bytes.HasPrefix(v, []byte("https://")) || bytes.HasPrefix(v, []byte("http://"))) && inWords.within(v)
}

// isEndpoint says whether v is the address of a page or a service, without a user or a query.
func isEndpoint(v []byte) bool {
	return (bytes.HasPrefix(v, []byte("https://")) || bytes.HasPrefix(v, []byte("http://"))) &&
		(alnum | slash | dash | dot | colon | underscore).within(v)
}

// isRole says whether v begins with what tells how reStructuredText shows a word: :ref:`x`.
func isRole(v []byte) bool {
	return v[0] == ':' && len(v) > 2 && v[len(v)-1] == ':' && (letters | colon).within(v)
}
