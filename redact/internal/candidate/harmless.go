package candidate

import (
	"bytes"
	"unicode"

	"github.com/kfw-dev/kfw/internal/lex"
)

// LongestHarmless is how long a value is at most that is looked at to see if it is harmless.
const LongestHarmless = 160

// IsHarmless reports whether v is no secret whatever the name before it: a version, an address without
// a password, a path, the hash of a file, the name of an algorithm, a reference, or a message to people.
func IsHarmless(v []byte) bool {
	if len(v) == 0 || len(v) > LongestHarmless {
		return false
	}
	in := lex.ClassOf(v)
	switch {
	case in&lex.Dot != 0 && (isVersions(v) || isClass(v) || isFileName(v) || isCommandLine(v)),
		in&lex.Slash != 0 && (IsPlainURL(v) || IsPath(v) || isResource(v)), in&lex.Colon != 0 &&
			(isURN(v) || isLookup(v)),
		lex.Digits.Has(v[0]) && isDuration(v):
		return true
	// a flag
	case bytes.HasPrefix(v, []byte("--")) && (lex.Letters | lex.Dash).Within(bytes.TrimSuffix(v, []byte{'='})):
		return true
	case isSpecialToken(v), isInstruction(v), isPattern(v), isHidden(v),
		v[0] == '#' && (lex.Letters | lex.Dash).Within(v[1:]),                    // of a page
		bytes.HasPrefix(v, []byte("-----BEGIN ")) && bytes.IndexByte(v, '<') > 0: // a template of a key
		return true
	case in&(lex.Dollar|lex.Punctuation|lex.Percent) != 0:
		return IsReference(v) || isMessage(v)
	}
	return in&(lex.Blank|lex.High|lex.Wide) != 0 && isMessage(v) || isIntegrity(v) || isAlgorithm(v) || isLabel(v)
}

// isSpecialToken reports whether v is a word in brackets, as tokenizers of texts name what is no text: [SEP], <unk>,
// <|eot|>.
func isSpecialToken(v []byte) bool {
	last := v[len(v)-1]
	return len(v) > 2 && (v[0] == '[' && last == ']' || v[0] == '<' && last == '>') &&
		(lex.Letters | lex.Underscore).Within(bytes.Trim(v[1:len(v)-1], "|"))
}

// isPattern reports whether v is a regular expression with a range of characters: ^[a-z]{8,}$, [0-9a-f]+.
func isPattern(v []byte) bool {
	last := v[len(v)-1]
	open := bytes.IndexByte(v, '[')
	if open < 0 || open > 1 || open == 1 && v[0] != '^' || !bytes.ContainsRune([]byte("$+*}"), rune(last)) {
		return false
	}
	size := bytes.IndexByte(v[open:], ']')
	return size > 3 && v[open+2] == '-' && lex.Alnum.Has(v[open+1]) && lex.Alnum.Has(v[open+3])
}

// isHidden reports whether v is what a program writes in place of a secret: **REDACTED**, and Ansible's for no_log.
func isHidden(v []byte) bool {
	const sides = "*<>[]-_"
	if string(v) == "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER" {
		return true
	}
	switch word := bytes.Trim(v, sides); string(word) {
	case "REDACTED", "redacted", "MASKED", "masked", "HIDDEN", "hidden", "FILTERED", "filtered":
		return bytes.IndexByte([]byte(sides), v[0]) >= 0 && bytes.IndexByte([]byte(sides), v[len(v)-1]) >= 0
	}
	return false
}

// isInstruction reports whether v says in words what is to be put there: your-api-key-here.
func isInstruction(v []byte) bool {
	const longest = len("replace")
	first := v[:lex.Letters.Run(v, 0, longest+1)]
	return (lex.EqualFold(first, "your") || lex.EqualFold(first, "replace") || lex.EqualFold(first, "insert")) &&
		len(first) < len(v) && (lex.Letters | lex.Dash | lex.Underscore).Within(v)
}

// isDuration reports whether v is a time that something lasts: 90m, 2h45m, 5 minutes, 1.5 hours.
func isDuration(v []byte) bool {
	const longestUnit = len("milliseconds")
	for i := 0; i < len(v); {
		number := (lex.Digits | lex.Dot).Run(v, i, len(v))
		from := lex.Blank.Run(v, number, 1)
		end := (lex.Lower | lex.HexLower).Run(v, from, longestUnit)
		if number == i {
			return false
		}
		switch string(bytes.TrimSuffix(v[from:end], []byte{'s'})) {
		case "", "m", "h", "d", "w", "y", "u", "n", "min", "sec", "second", "minute", "hour", "day", "week", "month",
			"year",
			"millisecond", "microsecond":
		default:
			return false
		}
		if from == end {
			return false
		}
		i = lex.Blank.Run(v, end, 1)
	}
	return true
}

// isLookup reports whether v tells by a word and a path where to look: hash:/etc/postfix/sasl_passwd, file:/run/key.
func isLookup(v []byte) bool {
	kind, path, _ := bytes.Cut(v, []byte{':'})
	return len(kind) > 0 && len(path) > 1 && path[0] == '/' && path[1] != '/' &&
		(lex.Lower | lex.HexLower).Within(kind) && IsPath(path)
}

// IsSpecifier reports whether v says where a package is from: workspace:*, npm:name@1.2.0, github:owner/name#v1.
func IsSpecifier(v []byte) bool {
	const inName = lex.Word | lex.Dash | lex.Dot | lex.Slash
	source, rest, _ := bytes.Cut(v, []byte{':'})
	switch string(source) {
	case "workspace", "npm", "jsr":
		at := bytes.LastIndexByte(rest, '@') + 1
		name, version := bytes.Trim(rest[:at], "@"), rest[at:]
		isAny := string(version) == "*" || string(version) == "^" || string(version) == "~"
		return (isAny || len(version) > 0 && isVersions(version)) && inName.Within(name) && !IsMade(name) &&
			!HasScrambled(name)
	case "github", "gitlab", "bitbucket":
		name, version, _ := bytes.Cut(rest, []byte{'#'})
		for part := range bytes.FieldsFuncSeq(rest, func(r rune) bool { return r == '/' || r == '#' }) {
			in := lex.ClassOf(part)
			isMixed := in&lex.Digits != 0 && in&(lex.Upper|lex.HexUpper) != 0
			if !inName.Within(part) || isMixed || IsMade(part) || HasScrambled(part) || IsID(part, MinMade) {
				return false
			}
		}
		return bytes.Count(name, []byte{'/'}) == 1 && len(name) > 2 && bytes.IndexByte(version, '/') < 0
	}
	return false
}

// isCommandLine reports whether v is a command in words, of which one is a file of source: node a/token.js --out x.
func isCommandLine(v []byte) bool {
	if !(lex.Lower | lex.HexLower).Has(v[0]) {
		return false
	}
	words, hasFile := 0, false
	for word := range bytes.FieldsSeq(v) {
		if !(lex.Letters | lex.Dash | lex.Dot | lex.Slash | lex.Underscore).Within(word) || HasScrambled(word) ||
			IsMade(word) {
			return false
		}
		hasFile = hasFile || words > 0 && isFileName(word)
		words++
	}
	return hasFile
}

// isFileName reports whether v is the name of a file in words, maybe with a place in it: private.backend.pem,
// x.html#name.
func isFileName(v []byte) bool {
	if path, isHome := bytes.CutPrefix(v, []byte("~/")); isHome {
		name, isKey := bytes.CutSuffix(path[bytes.LastIndexByte(path, '/')+1:], []byte(".pub"))
		return isKey && (lex.Word | lex.Dash | lex.Dot | lex.Slash).Within(path) && !IsMade(name) &&
			!HasScrambled(name) && !IsID(name, MinMade)
	}
	v, _, _ = bytes.Cut(v, []byte{'#'})
	dot := bytes.LastIndexByte(v, '.')
	if dot < 1 || !(lex.Word | lex.Dash | lex.Dot | lex.Slash).Within(v) {
		return false
	}
	switch string(v[dot+1:]) {
	case "php", "py", "rb", "js", "ts", "go", "java", "cs", "kt", "rs", "pem", "key", "crt", "cer", "der", "p12", "pfx",
		"jks", "keystore", "gpg", "asc", "pub", "txt", "json", "yaml", "yml",
		"toml", "ini", "conf", "cfg", "env", "properties", "xml", "html", "sql", "md", "csv", "log", "sh", "so":
		return !IsMade(v) && !HasScrambled(v)
	}
	return false
}

// IsStandIn reports whether v, a word, says that something is to be put in its place: changeme, your-secret.
func IsStandIn(v []byte) bool {
	for _, word := range []string{"change", "replace", "your", "example", "placeholder", "dummy", "todo", "insert"} {
		for i := 0; i+len(word) <= len(v); i++ {
			if lex.EqualFold(v[i:i+len(word)], word) {
				return true
			}
		}
	}
	return false
}

// IsTranslation reports whether v is what a catalogue of messages has for key, in words of a language. A key in words
// of which blanks tell each apart has words of several; what is beyond ASCII, or begins with a capital where not
// anything is a secret, may be one.
func IsTranslation(key, v []byte, isAnyWord bool) bool {
	const capitals = lex.Upper | lex.HexUpper
	if !(lex.Letters | lex.High | lex.Wide | lex.Blank | lex.Dash | lex.Quote | lex.Paren | lex.Comma | lex.Dot | lex.Colon).Within(bytes.TrimRight(v, "?!")) || len(key) == 0 || IsScrambled(v) {
		return false
	}
	in := lex.ClassOf(v)
	isForeign := in&(lex.High|lex.Wide) != 0
	isProper := capitals.Has(v[0]) && (lex.Lower | lex.HexLower).Within(v[1:])
	areWords := capitals.Has(v[0]) && in&(lex.Blank|lex.Dash) != 0 && (lex.Letters | lex.Blank | lex.Dash).Within(v)
	return !isAnyWord && isForeign && capitals.Has(v[0]) && in&(lex.Blank|lex.Dash) != 0 ||
		bytes.IndexByte(key, ' ') > 0 && (in&(lex.Blank|lex.Dash) != 0 || isForeign || isProper) ||
		capitals.Has(key[0]) && (isForeign || areWords || isProper && !isAnyWord)
}

// isLabel reports whether v is the word for a password in a language, with a capital, as forms and catalogues of
// messages have it.
func isLabel(v []byte) bool {
	const longest = 16
	if len(v) > longest || !(lex.Upper | lex.HexUpper).Has(v[0]) || !(lex.Lower | lex.HexLower).Within(v[1:]) {
		return false
	}
	var b [longest]byte
	switch string(AppendLower(b[:0], v)) {
	case "password", "passwort", "kennwort", "contrasena", "senha", "parola", "parole", "wachtwoord", "lozinka",
		"zaporka", "heslo",
		"salasana", "adgangskode", "passord", "parool", "geslo", "sandi", "pasahitza", "contrasenya",
		"geheimnis", "segreto", "secreto", "segredo":
		return true
	}
	return false
}

// isURN reports whether v is a name of a standard (RFC 8141): urn:ietf:params:oauth:token-type:jwt.
func isURN(v []byte) bool {
	rest, isURN := bytes.CutPrefix(v, []byte("urn:"))
	return isURN && (lex.Alnum | lex.Dash | lex.Colon | lex.Dot | lex.Underscore).Within(rest) &&
		bytes.IndexByte(rest, ':') > 0 &&
		!IsMade(rest) && !isUUID(rest[bytes.LastIndexByte(rest, ':')+1:])
}

// isClass reports whether v is a class of a package: java.util.ArrayList.
func isClass(v []byte) bool {
	name := v[bytes.LastIndexByte(v, '.')+1:]
	return bytes.Count(v, []byte{'.'}) > 1 && (lex.Word | lex.Dot).Within(v) && (lex.Lower | lex.HexLower).Has(v[0]) &&
		lex.Letters.Within(name) &&
		len(name) > 1 && (lex.Upper | lex.HexUpper).Has(name[0]) && (lex.Lower | lex.HexLower).Has(name[1]) &&
		!IsMade(v) && !HasScrambled(v)
}

// isResource reports whether v is a path in words that begins in no directory: org/example/schema.sql.
func isResource(v []byte) bool {
	const least = 2 // slashes
	return bytes.Count(v, []byte{'/'}) >= least && (lex.Lower | lex.HexLower).Has(v[0]) &&
		(lex.Lower | lex.HexLower | lex.Slash | lex.Dash | lex.Dot | lex.Underscore).Within(v)
}

// isVersions reports whether v is a version or a range of such: 1.2.1, ^2.7.0, >=1.0 <2.0.0-rc.1.
func isVersions(v []byte) bool {
	n := 0
	for part := range bytes.FieldsFuncSeq(v, func(r rune) bool { return r == ' ' || r == '|' || r == ',' }) {
		if !isVersion(part) {
			return false
		}
		n++
	}
	return n > 0
}

// isVersion reports whether v is numbers that dots join, with signs that compare before it and maybe
// the name of a build behind it.
func isVersion(v []byte) bool {
	const longestName = 24
	v = bytes.TrimLeft(v, "^~<>=v(")
	if epoch := lex.Digits.Run(v, 0, 3); epoch > 0 && epoch < len(v) && v[epoch] == ':' { // of Debian: 1:4.13
		v = v[epoch+1:]
	}
	end := (lex.Digits | lex.Dot).Run(v, 0, len(v))
	if end < 3 || !lex.Digits.Has(v[0]) || bytes.IndexByte(v[:end], '.') < 0 {
		return false
	}
	rest := v[end:]
	if year := bytes.LastIndexByte(v[:end], '.') + 1; end-year == 4 && len(rest) == 0 { // 1.5.1990
		return false
	}
	return len(rest) == 0 || v[end-1] == '.' && (string(rest) == "x" || string(rest) == "*") ||
		len(rest) <= longestName && (rest[0] == '-' || rest[0] == '+' || lex.Letters.Has(rest[0])) &&
			(lex.Word|lex.Dash|lex.Dot|lex.Plus).Within(rest) && !IsMade(rest)
}

// IsPlainURL reports whether v is an address that has no user and, neither in its path nor in its query, a
// part that looks made.
func IsPlainURL(v []byte) bool {
	scheme, rest, isURL := bytes.Cut(v, []byte("://"))
	if !isURL || len(scheme) == 0 || len(rest) == 0 || !(lex.Alnum | lex.Plus).Within(scheme) ||
		bytes.IndexByte(rest, '@') >= 0 ||
		!lex.NonSpace.Within(rest) {
		return false
	}
	for part := range bytes.FieldsFuncSeq(rest, func(r rune) bool { return bytes.ContainsRune([]byte("/?&=#;"), r) }) {
		if IsLikelySecret(part) && bytes.IndexByte(part, '.') < 0 || IsMade(part) || IsID(part, MinMade) {
			return false
		}
	}
	return true
}

// isIntegrity reports whether v is the hash of a file as lock files have it (Subresource Integrity 3.5).
func isIntegrity(v []byte) bool {
	rest, isHash := bytes.CutPrefix(v, []byte("sha"))
	size := lex.Digits.Run(rest, 0, 3)
	return isHash && size > 0 && size < len(rest)-1 && (rest[size] == '-' || rest[size] == ':') &&
		lex.Base64.Within(rest[size+1:])
}

// isAlgorithm reports whether v is the name of an algorithm or of an encoding of cryptography, in one of
// its spellings: RS256, aes-256-cbc, PKCS8.
func isAlgorithm(v []byte) bool {
	const longest, longestWord, longestNumber, partsOfSuite = 32, 8, 4, 3
	const signs = lex.Dash | lex.Underscore | lex.Slash | lex.Plus
	if len(v) > longest {
		return false
	}
	n, parts, isSuite := 0, 0, false
	for at := 0; at < len(v); {
		word := lex.Letters.Run(v, at, longestWord+1)
		if with := bytes.Index(v[at:word], []byte("With")); with > 0 { // of Java: PBKDF2WithHmacSHA256
			word = at + with
		}
		end := lex.Digits.Run(v, word, longest)
		isLong := end-word > longestNumber && string(v[word:end]) != "25519"
		isJoined := end > word && end < len(v) && lex.Letters.Has(v[end]) && v[end] != 'W' // A128CBC
		if word-at > longestWord || isLong || end < len(v) && !signs.Has(v[end]) && !isJoined &&
			!bytes.HasPrefix(v[end:], []byte("With")) {
			return false
		}
		part := v[at:word]
		if at = signs.Run(v, end, len(v)); at == end && end < len(v) && !isJoined {
			at += len("With")
		}
		if parts++; len(part) == 0 {
			continue
		}
		var b [longestWord]byte
		switch string(AppendLower(b[:0], part)) {
		case "rsa", "dsa", "ec", "ecdsa", "eddsa", "ed", "x", "curve", "secp", "aes", "des", "sha", "md", "hmac",
			"hmacsha", "hs",
			"rs", "es", "ps", "pkcs", "pbkdf", "argon", "bcrypt", "scrypt", "chacha", "poly", "oaep", "pss", "gcm",
			"cbc", "ctr",
			"ecb", "kw", "a", "dir", "id", "ecdh", "der", "pem", "jwk", "hex", "utf", "with", "ssa", "rc", "blowfish",
			"sm", "ripemd",
			"xts":
			n += end - (word - len(part))
		case "psk", "dhe", "ecdhe", "ccm", "tls", "null", "srp", "aria", "camellia":
			isSuite = true
		default:
			return false
		}
	}
	return n > 2 && (!isSuite || parts >= partsOfSuite)
}

// IsReference reports whether v names a value instead of giving it: ${NAME}, $(command), %NAME%, $NAME,
// {{ name }}. A scheme of credentials may stand before the reference, as in "Bearer {{ name }}".
func IsReference(v []byte) bool {
	const longestScheme = 10
	if scheme := lex.Letters.Run(v, 0, longestScheme); scheme > 0 && scheme < len(v) && v[scheme] == ' ' {
		v = v[scheme+1:]
	}
	if len(v) < 3 {
		return false
	}
	name := lex.Word | lex.Dot | lex.Blank | lex.Dash
	inner, isRef := within(v, "${{", "}}")
	if !isRef {
		inner, isRef = within(v, "{{", "}}")
	}
	if !isRef {
		inner, isRef = within(v, "${", "}")
	}
	if !isRef {
		inner, isRef = within(v, "#{", "}")
	}
	if !isRef {
		inner, isRef = within(v, "$(", ")")
	}
	if !isRef {
		inner, isRef = within(v, "%", "%")
	}
	switch {
	case isRef:
		inner, _, _ = bytes.Cut(inner, []byte(":?"))
		return len(inner) > 0 && (name | lex.Colon | lex.Paren | lex.Dollar).Within(inner) &&
			!bytes.Contains(inner, []byte(":-"))
	case v[0] == '$':
		v, _, _ = bytes.Cut(v, []byte{'/'}) // $HOME/.ssh/key
		return len(v) > 1 && (lex.Upper | lex.HexUpper | lex.Underscore | lex.Digits).Within(v[1:]) &&
			lex.Letters.Has(v[1])
	}
	return false
}

// within returns the part of v between begin and end, if v begins and ends so.
func within(v []byte, begin, end string) (inner []byte, is bool) {
	if len(v) <= len(begin)+len(end) {
		return nil, false
	}
	inner, is = bytes.CutPrefix(v, []byte(begin))
	if !is {
		return nil, false
	}
	return bytes.CutSuffix(inner, []byte(end))
}

// isMessage reports whether v is what a program tells people, or the name of a field in their language:
// words, of which the first alone has a capital, or letters outside ASCII alone.
func isMessage(v []byte) bool {
	const ofWord = lex.Letters | lex.High | lex.Wide | lex.Quote | lex.Dash
	const signs = lex.Comma | lex.Dot | lex.Colon | lex.Paren | lex.Slash
	if (lex.High | lex.Wide | lex.Blank | signs).Within(v) {
		return bytes.IndexFunc(v, unicode.IsLetter) >= 0 &&
			bytes.IndexFunc(v, func(r rune) bool {
				return !unicode.In(r, unicode.L, unicode.M, unicode.P, unicode.Zs)
			}) < 0
	}
	words, small := 0, 0
	for part := range bytes.FieldsSeq(v) {
		part = bytes.Trim(part, ".,:;!?()\"'%-")
		switch {
		case len(part) == 0, words > 0 && lex.Digits.Within(part) && len(part) < 4:
			continue
		case !isWordWith(part, ofWord|lex.Slash) || len(part) > 3 && IsScrambled(part):
			return false
		case words > 0 && (lex.Lower | lex.HexLower | lex.High | lex.Wide).Has(part[0]):
			small++
		}
		words++
	}
	return words > 1 && small > 0 && (lex.Upper | lex.HexUpper | lex.High | lex.Wide).Has(v[0])
}

// isWordWith reports whether v has nothing but k, and letters that JSON has written as \u00f1.
func isWordWith(v []byte, k lex.Class) bool {
	const size = len(`\u00f1`)
	for {
		i := k.Run(v, 0, len(v))
		if i == len(v) {
			return true
		}
		if len(v) < i+size || v[i] != '\\' || v[i+1] != 'u' || !lex.Hexadecimal.Within(v[i+2:i+size]) {
			return false
		}
		v = v[i+size:]
	}
}

// IsSentence reports whether v is a message of three words or more that ends as a sentence does, or says that something
// is, has or must be.
func IsSentence(v []byte) bool {
	if len(v) == 0 || bytes.Count(v, []byte{' '}) < 2 {
		return false
	}
	if bytes.IndexByte([]byte(".!?"), v[len(v)-1]) >= 0 && isMessage(v) {
		return true
	}
	for word := range bytes.SplitSeq(v, []byte{' '}) {
		switch string(word) {
		case "is", "are", "was", "were", "be", "has", "have", "must", "should", "not", "cannot":
			return true
		}
	}
	return false
}
