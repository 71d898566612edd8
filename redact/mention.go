package redact

import (
	"bytes"
	"strings"
)

// isReference says whether the value x of the name text[start:end] is no secret but the
// name of one: its own name again, or what a program calls another. What people choose
// can look so; such a value is a name only where a program gives it to another.
func (p *phrase) isReference(w window, start, end int, x finding) bool {
	const capitals = upper | hexUpper | underscore
	b, name, v := w.text, w.text[start:end], w.text[x.start:x.end]
	switch {
	case isOperation(v) && !quote.has(b[x.start-1]), isObjectName(v), isStatement(b, start, x), p.isNamedAfter(name, v):
		return true
	case p.isOwnField(name, v), isPartOfName(name, v), p.proper && !p.whole && isSmallAssigned(b, x),
		p.isStatus && capitals.has(name[0]) && end < len(b) && blank.has(b[end]) && isListItem(v): // PASS src/x.test.ts
		return true
	case !capitals.within(v) && isEnvironment(b, start, end, x.start):
		return false
	case !quote.has(b[x.start-1]) && (isOperand(w, x) || p.isConstant(b, start, name, x) || isVariableGiven(b, name, start, x) ||
		isRecordOf(b, start, end, v) || isMarkedUp(b, x)):
		return true
	}
	if n := digits.runBack(v, len(v), len(v)); !p.anyWord && len(v)-n <= longestInName {
		if n < len(v) && (p.typed || !isVariable(v)) { // secret1
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
		return !p.anyWord || isSpelledOut(name, v)
	case p.typed && hasDigit(v):
		return false
	case isQuoted && p.want != likelySecret:
		return !p.anyWord && (capitals.within(v) || v[0] == '_') && isNameOfSecret(w, bytes.TrimPrefix(v, []byte{'_'}))
	case isQuoted, !p.anyWord && p.want != authSecret:
		return isNameOfSecret(w, v)
	case b[start] == '-' && capitals.within(v): // --password WORD
		return isMetavariable(v)
	}
	isAssigned := x.start > 2 && b[x.start-1] == ' ' && b[x.start-2] == '=' &&
		bytes.IndexByte([]byte(" :=!"), b[x.start-3]) >= 0
	isOfObject := bytes.HasPrefix(name, []byte("self.")) || bytes.HasPrefix(name, []byte("this."))
	switch {
	case !isAssigned:
	case isVariable(v) && (p.want == authSecret || isOfObject),
		p.proper && (lower | hexLower).has(v[0]) && (word | dot).within(v):
		return true
	}
	isGiven := isAssigned || start > 1 && b[start-1] == ' ' && b[start-2] == ',' ||
		x.end < len(b) && bytes.IndexByte([]byte(",)]}"), b[x.end]) >= 0
	return isGiven && !digits.has(v[len(v)-1]) && isNameOfSecret(w, v)
}

// isStatement says whether the value x of the name at start is a variable that a statement of a
// program assigns: password = strict;
func isStatement(b []byte, start int, x finding) bool {
	return (start == 0 || b[start-1] != '$') && x.start > 2 && b[x.start-1] == ' ' && b[x.start-2] == '=' &&
		blank.has(b[x.start-3]) &&
		x.end < len(b) && b[x.end] == ';' && (letters | underscore).within(b[x.start:x.end])
}

// isNamedAfter says whether v is a variable that begins with the name it is given to, as a part of a
// program is named after what it is for: AuthorizationCode: AuthorizationCodeTTL.
func (p *phrase) isNamedAfter(name, v []byte) bool {
	const capitals = upper | hexUpper
	return !p.anyWord && len(v) > len(name) && letters.within(v) && equalFold(v[:len(name)], string(name)) &&
		capitals.has(v[len(name)]) &&
		!isScrambled(v)
}

// isEnvironment says whether the name b[start:end] is one of the environment's variables
// that is given what begins at value, as a shell and a file of such have it: NAME=value.
func isEnvironment(b []byte, start, end, value int) bool {
	return value == end+1 && b[end] == '=' && (upper | hexUpper | underscore | digits).within(b[start:end])
}

// isSpelledOut says whether the words of v, which end name, are told apart if those of
// name are: db_password for DB_PASSWORD, where dbpassword is what somebody chose.
func isSpelledOut(name, v []byte) bool {
	if !(lower | hexLower).within(v) {
		return true
	}
	tail := name[max(0, len(name)-len(v)):]
	return (lower | hexLower).within(tail[1:]) || (upper | hexUpper).within(tail)
}

// isMetavariable says whether v, in capitals, is the name of a kind of thing, as manuals
// have it for the argument of a flag: PASSWORD, NEW_PASS, FILE.
func isMetavariable(v []byte) bool {
	for _, end := range []string{"PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "TOKEN"} {
		if bytes.HasSuffix(v, []byte(end)) {
			return true
		}
	}
	switch string(v[bytes.LastIndexByte(v, '_')+1:]) {
	case "PASS", "PW", "PWD", "PWORD", "PHRASE", "WORD", "KEY", "PIN", "CODE", "CRED", "CREDS", "CREDENTIAL", "CREDENTIALS",
		"AUTH", "HASH", "VALUE", "VAL", "STRING", "STR", "TEXT", "HEX", "DATA", "INPUT", "FILE", "FILENAME", "FILEPATH", "PATH",
		"DIR", "DIRECTORY", "NAME", "USER", "USERNAME", "USERID", "LOGIN", "ID", "KEYID", "URL", "URI", "HOST", "SPEC", "SOURCE",
		"NUM", "NUMBER", "INT", "FD", "ARG", "ARGS", "ARGUMENT", "OPTION", "OPTIONS", "PARAM", "ENV", "VAR", "VARIABLE", "LIST",
		"TYPE", "MODE", "METHOD", "FORMAT", "COMMAND", "CMD", "PROGRAM", "PROMPT", "BOOL", "BOOLEAN":
		return true
	}
	return false
}

// isNameOfSecret says whether v has the words of a program's name for a secret, more than
// one, of which the last, or one of a word that is not made, makes it sensitive.
func isNameOfSecret(w window, v []byte) bool {
	if !letters.has(v[0]) || !(word | dot).within(v) || len(v) > maxName {
		return false
	}
	const capitals = upper | hexUpper
	body := v[:digits.runBack(v, len(v), len(v))]
	if !w.names.names.mayEnd(body) && isMade(v) {
		return false
	}
	isOne := true
	for i := 1; i < len(body); i++ {
		isOne = isOne && !(underscore | dot).has(body[i]) && (!capitals.has(body[i]) || capitals.has(body[i-1]))
	}
	tail := body[max(0, len(body)-2):]
	isWord := (lower | hexLower).within(tail) || capitals.within(tail)
	if isOne || !isWord {
		return false
	}
	if holdsFigures(body) {
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
	return !isMade(v) || len(last) > 2 && len(body) >= len(last) && equalFold(body[len(body)-len(last):], last)
}

// holdsFigures says whether a figure stands in v for a letter it looks like, as people
// write their passwords and no program a name: Secr3t.
func holdsFigures(v []byte) bool {
	const small = lower | hexLower
	for i := 1; i < len(v)-1; i++ {
		if strings.IndexByte("01345", v[i]) >= 0 && small.has(v[i-1]) && small.has(v[i+1]) {
			return true
		}
	}
	return false
}

// isTyped says whether v is a word with a figure in it and no name of a method: a text
// that goes on with it tells a password, the password is hunter2.
func isTyped(v []byte) bool {
	const shortest, longestName = 6, 8
	if len(v) < shortest || !hasDigit(v) || !letters.has(v[0]) || bytes.ContainsAny(v, "./:()[]{}\\") {
		return false
	}
	n := letters.run(v, 0, len(v))
	if n > longestName {
		return true
	}
	var b [longestName]byte
	switch string(appendLower(b[:0], v[:n])) {
	case "sha", "md", "aes", "des", "rsa", "dsa", "ed", "ecdsa", "hmac", "pbkdf", "argon", "bcrypt", "scrypt", "scram", "crypt",
		"utf", "ucs", "iso", "ascii", "latin", "unicode", "base", "pkcs", "rfc", "cve", "bug", "issue", "ntlm", "ntlmv", "oauth",
		"ldap", "ldapv", "smb", "smbv", "snmpv", "tls", "tlsv", "ssl", "sslv", "krb", "http", "x", "v":
		return false
	}
	return true
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
	return n == 0 || n < len(name) && (signs.has(name[n-1]) || (upper|hexUpper).has(name[n]))
}

// isSourceFile says whether a name is that of a file of source or of a manual, which
// changelogs and compilers put before a colon: passwd.c, passwd.1.xml.
func isSourceFile(name []byte) bool {
	switch string(name[bytes.LastIndexByte(name, '.')+1:]) {
	case "c", "h", "cc", "cpp", "cxx", "hpp", "go", "py", "rb", "rs", "js", "ts", "java", "kt", "cs", "php", "pl", "pm",
		"sh", "el", "in", "am", "po", "xml", "html", "md", "rst", "adoc", "asc", "1", "3", "5", "8":
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
	in := kindsIn(v)
	isSame := v[0] == v[len(v)-1] && bytes.Count(v, v[:1]) == len(v)
	switch {
	case isSame, in&^alnum == 0:
		return isSame || isStopWord(v) || !isQuoted && isHexLiteral(v)
	case !isQuoted && isExpression(v):
		return true
	}
	switch v[0] {
	case '$':
		return len(v) > 1 && ((v[1] == '{' || v[1] == '(' || v[1] == '_') || letters.has(v[1]) && !hasDigit(v))
	case '\\': // of troff: \fIpassword\fR, \*(Aq
		return isCharacters(v) || len(v) > 2 && (v[1] == 'f' && (upper|hexUpper|punctuation|paren).has(v[2]) || v[1] == '*' || v[1] == '-')
	case '{', '<', '%', '#', '@':
		last := v[len(v)-1]
		return v[0] == '{' || v[0] == '<' && last == '>' || v[0] == '%' && (last == '%' || len(v) < 4 || v[1] == '(' || isFormat(v)) ||
			(v[0] == '#' || v[0] == '@') && v[1] == '{'
	}
	if isStopWord(v) || in&colon != 0 && bytes.HasPrefix(v, []byte("arn:aws")) || !alnum.has(v[0]) && (isFormat(v) || isMask(v)) ||
		in&punctuation != 0 && (bytes.HasPrefix(v, []byte("map[")) || bytes.HasPrefix(v, []byte("[]"))) || in&quote != 0 && isFieldTag(v) {
		return true
	}
	if isQuoted { // "bad password: " + what
		if in&quote != 0 && isSubstitution(v) || in&blank != 0 && isComplaint(v) {
			return true
		}
		rest := bytes.TrimLeft(v, " ")
		return len(rest) > 1 && rest[0] == '+' && (letters | blank).has(rest[1])
	}
	if isHexLiteral(v) || in&paren != 0 && isCall(v) || in&(dollar|punctuation) != 0 && holdsTemplate(v) || isAlternatives(v) || isLink(v) || isRole(v) {
		return true
	}
	name := bytes.IndexByte(v, '[')
	if name > 0 && (word | dot).within(v[:name]) && !bytes.HasPrefix(v[name:], []byte(markerStart)) {
		return true // keys[0], map[string]string
	}
	if path := bytes.TrimRight(v, "[]{}()"); in&dot != 0 && bytes.IndexByte(path, '.') > 0 && (letters | underscore | dot).within(path) {
		return true // config.password
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

// areStopWords says whether all words of v that a dash or an underscore joins are such.
func areStopWords(v []byte) bool {
	for part := range bytes.FieldsFuncSeq(v, func(r rune) bool { return r == '-' || r == '_' }) {
		if !isStopWord(part) {
			return false
		}
	}
	return true
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

// isListItem says whether v, of a list of strings, is a name with a number, or of a file, or an action.
func isListItem(v []byte) bool {
	isFile := (word | dot | dash | slash).within(v) && bytes.IndexByte(v, '.') > 0
	return (isVariable(v) && hasDigit(v) || isFile || isAction(v)) && !isMade(v)
}

// isAction says whether v is an action of a service as policies of AWS have it: secretsmanager:GetSecretValue, s3:Get* (IAM User
// Guide, JSON policy elements: Action).
func isAction(v []byte) bool {
	service, action, _ := bytes.Cut(bytes.TrimSuffix(v, []byte{'*'}), []byte{':'})
	return len(service) > 1 && len(action) > 1 && (lower | hexLower | digits | dash).within(service) &&
		(upper | hexUpper).has(action[0]) && letters.within(action)
}

// isExpression says whether v is a part of a program other than a name: [name], [8]T{,
// (T *)name, *name, T{name}, !a.name, @_.
func isExpression(v []byte) bool {
	const longestTyped, longestHash = 20, 8
	name := letters | underscore | dot
	switch v[0] {
	case '[':
		i := (name | digits).run(v, 1, len(v))
		if i > 2 && i < len(v) && v[i] == ']' && (upper | hexUpper | underscore).within(v[1:i]) { // [ACCESS_TOKEN]&...
			return true
		}
		return i+1 < len(v) && v[i] == ']' && letters.has(v[i+1]) || i == len(v) && !hasDigit(v)
	case '(':
		return len(v) > 1 && (v[1] == '*' || !hasDigit(v) && (letters|underscore|ampersand|punctuation|dash|backslash).has(v[1]) ||
			(upper|hexUpper|underscore|digits).within(v[1:]) && letters.has(v[1]) && bytes.IndexByte(v, '_') > 0 ||
			(word|dollar).within(v[1:]) && (v[1] == '_' || bytes.IndexByte(v, '$') > 1))
	case '*', '&':
		return len(v) > 1 && (v[1] == ')' || letters.has(v[1]) &&
			(name.within(v[1:]) || (name|digits).within(v[1:]) && bytes.IndexByte(v, '.') > 0 || isVariable(v[1:]) ||
				len(v) > longestTyped && word.within(v[1:]) && !isMade(v[1:])))
	case '!':
		return len(v) > 1 && letters.has(v[1]) && name.within(v[1:]) && bytes.IndexByte(v, '.') > 0
	case '@':
		return len(v) > 1 && v[1] == '_' && (len(v) == 2 || !word.has(v[2]))
	}
	i := bytes.IndexByte(v, '{')
	if i < 1 || !letters.has(v[0]) || !(name | digits).within(v[:i]) {
		return false
	}
	rest := bytes.Trim(v[i:], "{}")
	isObject := (upper | hexUpper).has(v[0]) && len(rest) <= longestHash && lowerHex.within(rest) // Token{f3e1b2c, of Java
	return len(rest) < 2 || name.within(rest) || isObject
}

// isCall says whether v is a call of a function: a name and a parenthesis.
func isCall(v []byte) bool {
	i := bytes.IndexByte(v, '(')
	name := word | dot | colon | dash | dollar | angle | ampersand | comma | backslash | punctuation
	return i > 0 && name.within(v[:i]) && !bytes.ContainsAny(v[:i], "{}^#")
}

// isComplaint says whether v says of the field that it is the value of what is wrong with that:
// "is too short", "can't be blank".
func isComplaint(v []byte) bool {
	verb, rest, _ := bytes.Cut(v, []byte{' '})
	switch string(verb) {
	case "is", "isn't", "must", "can't", "cannot", "should", "has", "does", "doesn't", "needs":
		return bytes.IndexByte(rest, ' ') > 0 || isStopWord(rest)
	}
	return false
}

// isTemplateOfWords says whether v has names in it that are to be replaced, and nothing beside
// them that looks made: security-advisory:${name}:${id}.
func isTemplateOfWords(v []byte) bool {
	before, rest, found := bytes.Cut(v, []byte("${"))
	for more := found; more; before, rest, more = bytes.Cut(rest, []byte("${")) {
		if isLikelySecret(before) {
			return false
		}
		if _, rest, more = bytes.Cut(rest, []byte{'}'}); !more {
			return false
		}
	}
	return found && !isLikelySecret(before)
}

// holdsTemplate says whether v has a name in it that is to be replaced: ${name}, {{ name }},
// or $name{ before a quote.
func holdsTemplate(v []byte) bool {
	if element, found := bytes.CutSuffix(v, []byte{'{'}); found {
		name := (letters | underscore).runBack(element, len(element), len(element))
		return name > 0 && name < len(element) && element[name-1] == '$'
	}
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

// isHexLiteral says whether v is a number as programs write it: 0x1f, -0b11, 0o17, 0x1fULL.
func isHexLiteral(v []byte) bool {
	v = bytes.TrimPrefix(v, []byte("-"))
	if len(v) < 3 || v[0] != '0' {
		return false
	}
	v = bytes.TrimRight(v, "uUlL")
	if len(v) > 2 && (v[1] == 'b' || v[1] == 'o') {
		return (digits | underscore).within(v[2:])
	}
	return len(v) > 2 && len(v) <= 22 && equalFold(v[:2], "0x") && (hexadecimal | underscore).within(v[2:])
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

// isQualified says whether v is a name as programs qualify theirs, and not a person's:
// owner/project, package.Type.
func isQualified(v []byte) bool {
	if bytes.IndexByte(v, '/') >= 0 {
		return true
	}
	if !(word | dot | dash | slash).within(v) {
		return false
	}
	return bytes.IndexByte(v, '_') >= 0 || (lower|hexLower).has(v[0]) && bytes.IndexByte(v, '.') > 0
}

// isFieldList says whether v goes on with the names of a record's fields, uid:gid:shell, or
// is a line of the file of users: mara:x:1000:1000.
func isFieldList(v []byte) bool {
	name, rest, isUser := bytes.Cut(v, []byte(":x:"))
	isUser = isUser && len(name) > 0 && len(rest) > 0 && (digits | colon).has(rest[0]) && bytes.IndexByte(rest, ':') > 0
	return isUser || bytes.IndexByte(v, ':') > 0 && (letters|underscore|colon).within(v)
}

// isPublic says whether v begins with what anyone may read: a certificate, a public key.
func isPublic(v []byte) bool {
	return bytes.HasPrefix(v, []byte("-----BEGIN CERT")) || bytes.HasPrefix(v, []byte("-----BEGIN PUBLIC")) || isVerifierKey(v)
}

// isVerifierKey says whether v is a key that verifies signed notes, name+hash+key
// (golang.org/x/mod/sumdb/note); one that signs them begins with PRIVATE+KEY+.
func isVerifierKey(v []byte) bool {
	const hash = 8
	name := bytes.IndexByte(v, '+')
	return name > 0 && len(v) > name+hash+2 && v[name+1+hash] == '+' && lowerHex.within(v[name+1:name+1+hash]) &&
		base64.within(v[name+hash+2:])
}

// isSystemAccount says whether v is the name of an account that is no person's.
func isSystemAccount(v []byte) bool {
	switch string(v) {
	case "root", "admin", "administrator", "daemon", "nobody", "guest", "system", "operator":
		return true
	}
	return false
}

// isNameService says whether v is where a system looks for its users (nsswitch.conf(5)).
func isNameService(v []byte) bool {
	switch string(v) {
	case "compat", "files", "db", "nis", "nisplus", "hesiod", "winbind", "ldap", "sss", "systemd", "altfiles":
		return true
	}
	return false
}

// isCharacters says whether v is characters beyond ASCII, the first as programs write it: \U0001f511.
func isCharacters(v []byte) bool {
	const size = len(`\U0001f511`)
	for bytes.HasPrefix(v, []byte(`\U000`)) && len(v) >= size && hexadecimal.within(v[2:size]) {
		v = v[size:]
	}
	return (high | wide).within(v)
}

// isEncoding says whether v is how a text is written or digested, as the argument after
// a name tells: read("/run/key", "utf8").
func isEncoding(v []byte) bool {
	switch string(v) {
	case "scram-sha-1", "scram-sha-256", "utf8", "utf-8", "utf16le", "latin1", "base64", "base64url", "md5", "sha1", "sha256", "sha512", "sha-256", "sha-512":
		return true
	}
	return false
}
