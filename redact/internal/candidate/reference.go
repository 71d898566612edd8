package candidate

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
)

// IsEnvironment says whether the name b[start:end] is one of the environment's variables
// that is given what begins at value, as a shell and a file of such have it: NAME=value.
func IsEnvironment(b []byte, start, end, value int) bool {
	return value == end+1 && b[end] == '=' &&
		(lex.Upper | lex.HexUpper | lex.Underscore | lex.Digits).Within(b[start:end])
}

// IsSpelledOut says whether the words of v, which end name, are distinguished if those of
// name are: db_password for DB_PASSWORD, where dbpassword is what somebody chose.
func IsSpelledOut(name, v []byte) bool {
	if !(lex.Lower | lex.HexLower).Within(v) {
		return true
	}
	tail := name[max(0, len(name)-len(v)):]
	return (lex.Lower | lex.HexLower).Within(tail[1:]) || (lex.Upper | lex.HexUpper).Within(tail)
}

// IsMetavariable says whether v, in capitals, is the name of a kind of thing, as manuals
// have it for the argument of a flag: PASSWORD, NEW_PASS, FILE.
func IsMetavariable(v []byte) bool {
	for _, end := range []string{"PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "TOKEN"} {
		if bytes.HasSuffix(v, []byte(end)) {
			return true
		}
	}
	switch string(v[bytes.LastIndexByte(v, '_')+1:]) {
	case "PASS", "PW", "PWD", "PWORD", "PHRASE", "WORD", "KEY", "PIN", "CODE", "CRED", "CREDS", "CREDENTIAL",
		"CREDENTIALS",
		"AUTH", "HASH", "VALUE", "VAL", "STRING", "STR", "TEXT", "HEX", "DATA", "INPUT", "FILE", "FILENAME",
		"FILEPATH", "PATH",
		"DIR", "DIRECTORY", "NAME", "USER", "USERNAME", "USERID", "LOGIN", "ID", "KEYID", "URL", "URI", "HOST",
		"SPEC", "SOURCE",
		"NUM", "NUMBER", "INT", "FD", "ARG", "ARGS", "ARGUMENT", "OPTION", "OPTIONS", "PARAM", "ENV", "VAR",
		"VARIABLE", "LIST",
		"TYPE", "MODE", "METHOD", "FORMAT", "COMMAND", "CMD", "PROGRAM", "PROMPT", "BOOL", "BOOLEAN":
		return true
	}
	return false
}

// HoldsFigures says whether a figure stands in v for a letter it looks like, as people
// write their passwords and no program a name: Secr3t.
func HoldsFigures(v []byte) bool {
	const small = lex.Lower | lex.HexLower
	for i := 1; i < len(v)-1; i++ {
		if strings.IndexByte("01345", v[i]) >= 0 && small.Has(v[i-1]) && small.Has(v[i+1]) {
			return true
		}
	}
	return false
}

// IsTyped says whether v is a word with a figure in it and no name of a method: a text
// that goes on with it tells a password, the password is hunter2.
func IsTyped(v []byte) bool {
	const shortest, longestName = 6, 8
	if len(v) < shortest || !HasDigit(v) || !lex.Letters.Has(v[0]) || bytes.ContainsAny(v, "./:()[]{}\\") {
		return false
	}
	n := lex.Letters.Run(v, 0, len(v))
	if n > longestName {
		return true
	}
	var b [longestName]byte
	switch string(AppendLower(b[:0], v[:n])) {
	case "sha", "md", "aes", "des", "rsa", "dsa", "ed", "ecdsa", "hmac", "pbkdf", "argon", "bcrypt", "scrypt",
		"scram", "crypt",
		"utf", "ucs", "iso", "ascii", "latin", "unicode", "base", "pkcs", "rfc", "cve", "bug", "issue", "ntlm",
		"ntlmv", "oauth",
		"uint", "int", "float", "ldap", "ldapv", "smb", "smbv", "snmpv", "tls", "tlsv", "ssl", "sslv", "krb", "http", "x", "v":
		return false
	}
	return true
}

// IsSameName says whether v is the name itself, or the end of it, in any spelling.
func IsSameName(name, v []byte) bool {
	n := len(name)
	signs := lex.Underscore | lex.Dash | lex.Dot
	for i := len(v) - 1; i >= 0; i-- {
		if signs.Has(v[i]) {
			continue
		}
		for n > 0 && signs.Has(name[n-1]) {
			n--
		}
		if n == 0 || lex.LowerByte(name[n-1]) != lex.LowerByte(v[i]) {
			return false
		}
		n--
	}
	return n == 0 || n < len(name) && (signs.Has(name[n-1]) || (lex.Upper|lex.HexUpper).Has(name[n]))
}

// IsSourceFile says whether a name is that of a file of source or of a manual, which
// changelogs and compilers put before a colon: passwd.c, passwd.1.xml.
func IsSourceFile(name []byte) bool {
	switch string(name[bytes.LastIndexByte(name, '.')+1:]) {
	case "c", "h", "cc", "cpp", "cxx", "hpp", "go", "py", "rb", "rs", "js", "ts", "java", "kt", "cs", "php", "pl", "pm",
		"sh", "el", "in", "am", "po", "xml", "html", "md", "rst", "adoc", "asc", "1", "3", "5", "8":
		return bytes.IndexByte(name, '.') > 0
	}
	return false
}

// IsCommand says whether the name of a flag asks for something to be done with a
// secret: --change-passphrase USER.
func IsCommand(flag []byte) bool {
	verb, _, found := bytes.Cut(flag, []byte{'-'})
	switch string(verb) {
	case "ask", "change", "delete", "remove", "reset":
		return found
	}
	return false
}

// IsVariable says whether v is a name as programs have them: letters alone, or
// words that are distinguished by capitals, with a number at most: testKey2048.
func IsVariable(v []byte) bool {
	if (lex.Letters | lex.Underscore).Within(v) {
		return !HasScrambled(v)
	}
	v = bytes.TrimLeft(v, "_")
	if !lex.Word.Within(v) || len(v) == 0 || !lex.Letters.Has(v[0]) {
		return false
	}
	i := (lex.Letters | lex.Underscore).Run(v, 0, len(v))
	end := lex.Digits.Run(v, i, len(v))
	hump := false
	for j := 1; j < len(v); j++ {
		hump = hump || (lex.Upper|lex.HexUpper).Has(v[j]) &&
			((lex.Lower|lex.HexLower).Has(v[j-1]) || lex.Digits.Has(v[j-1]) && j+1 < len(v) &&
				(lex.Lower|lex.HexLower).Has(v[j+1]))
	}
	return hump && end-i <= LongestInName && (lex.Letters | lex.Underscore).Within(v[end:])
}

// IsPlaceholder says whether v stands for a value that is elsewhere: a
// variable, a template, a type, a call, a word of prose.
func IsPlaceholder(v []byte, isQuoted bool) bool {
	in := lex.ClassOf(v)
	isSame := v[0] == v[len(v)-1] && bytes.Count(v, v[:1]) == len(v)
	switch {
	case isSame, in&^lex.Alnum == 0:
		return isSame || IsStopWord(v) || !isQuoted && isHexLiteral(v)
	case !isQuoted && isExpression(v):
		return true
	}
	if !isQuoted && len(v) > 2 && isParameter(v) {
		return true
	}
	switch v[0] {
	case '(': // (2048 bit
		if !isQuoted && len(v) > 2 && len(v) <= LongestInName && lex.Digits.Within(v[1:]) {
			return true
		}
	case '/': // s/<PASSWORD>/${PASSWORD}/
		return len(v) > 2 && v[1] == '$' && (v[2] == '(' || v[2] == '{')
	case '[':
		if isQuoted && len(v) > 2 && v[len(v)-1] == ']' && (lex.Letters | lex.Underscore).Within(v[1:len(v)-1]) {
			return true // [SEP], of a tokenizer
		}
	case '$':
		return len(v) > 1 && (len(v) == 2 && (lex.Digits|lex.Punctuation).Has(v[1]) ||
			(v[1] == '{' || v[1] == '(' || v[1] == '_') || v[1] == '$' && (v[2] == '(' || v[2] == '{') || // of make
			lex.Letters.Has(v[1]) && !HasDigit(v))
	case '\\': // of troff: \fIpassword\fR, \*(Aq; a name of PHP: \App\User::class; what Swift puts in: \(name)
		if isOfNamespace(v) || isQuoted && len(v) > 3 && v[1] == '(' && (lex.Letters|lex.Underscore).Has(v[2]) {
			return true
		}
		return isCharacters(v) || len(v) > 2 &&
			(v[1] == 'f' && (lex.Upper|lex.HexUpper|lex.Punctuation|lex.Paren).Has(v[2]) || v[1] == '*' || v[1] == '-')
	case '{', '<', '%', '#', '@':
		last := v[len(v)-1]
		return v[0] == '{' && !isEncoded(v) || v[0] == '<' && last == '>' || v[0] == '%' &&
			(last == '%' || len(v) < 4 || v[1] == '(' || v[1] == '{' || last == '{' || isFormat(v)) ||
			(v[0] == '#' || v[0] == '@') && v[1] == '{'
	}
	if IsStopWord(v) || in&lex.Colon != 0 && bytes.HasPrefix(v, []byte("arn:aws")) || !lex.Alnum.Has(v[0]) &&
		(isFormat(v) || isMask(v)) ||
		in&lex.Punctuation != 0 && (bytes.HasPrefix(v, []byte("map[")) || bytes.HasPrefix(v, []byte("[]"))) ||
		in&lex.Quote != 0 && isFieldTag(v) {
		return true
	}
	if isQuoted { // "bad password: " + what
		if in&lex.Quote != 0 && isSubstitution(v) || in&lex.Blank != 0 && isComplaint(v) {
			return true
		}
		rest := v[(lex.Blank|lex.Quote).Run(v, 0, len(v)):]
		return len(rest) > 1 && rest[0] == '+' && (lex.Letters | lex.Blank).Has(rest[1])
	}
	if isHexLiteral(v) || in&lex.Dot != 0 && isNumberOf(v) || in&lex.Paren != 0 && isCall(v) ||
		in&(lex.Dollar|lex.Punctuation) != 0 &&
			holdsTemplate(v) || isAlternatives(v) || isLink(v) || isRole(v) {
		return true
	}
	name := bytes.IndexByte(v, '[')
	if name > 0 && (lex.Word | lex.Dot).Within(v[:name]) && !bytes.HasPrefix(v[name:], []byte(lex.MarkerStart)) {
		return true // keys[0], map[string]string
	}
	if path := bytes.TrimRight(v, "[]{}()"); in&lex.Dot != 0 && bytes.IndexByte(path, '.') > 0 &&
		(lex.Letters | lex.Underscore | lex.Dot).Within(path) {
		return true // config.password
	}
	return false
}

// isEncoded reports whether v begins with the name of an encoding in braces, as in a directory (RFC 2307 5.3) or Spring,
// or is base64 in braces, as in Jenkins: {noop}x, {cipher}4f9a, {SSHA}x.
func isEncoded(v []byte) bool {
	const longest, shortestPacked = 16, 24
	end := bytes.IndexByte(v, '}')
	if end < 0 {
		return false
	}
	scheme, rest := v[1:end], v[end+1:]
	if len(rest) == 0 {
		return len(scheme) >= shortestPacked && lex.Base64.Within(scheme) && HasDigit(scheme) &&
			(IsMade(scheme) || scheme[len(scheme)-1] == '=')
	}
	if len(scheme) > longest || bytes.IndexByte(rest, '{') >= 0 {
		return false
	}
	var b [longest]byte
	name, _, _ := bytes.Cut(AppendLower(b[:0], scheme), []byte{'@'})
	switch string(name) {
	case "noop", "cipher", "plain", "cleartext", "bcrypt", "pbkdf2", "scrypt", "argon2", "crypt", "aes", "xor", "md5",
		"smd5", "sha", "ssha", "sha256", "ssha256", "sha512", "ssha512":
		return true
	}
	return false
}

// IsStopWord says whether v is a word that follows the name of a secret without
// being one: a literal, a type, a word of prose.
func IsStopWord(v []byte) bool {
	const longest = 16
	if len(v) > longest || !(lex.Letters | lex.Slash | lex.Underscore).Within(v) {
		return false
	}
	var b [longest]byte
	for i, c := range v {
		b[i] = lex.LowerByte(c)
	}
	switch string(b[:len(v)]) {
	case "null", "nil", "none", "undefined", "true", "false", "yes", "no", "on", "off", "ok", "n/a", "na", "tbd",
		"todo",
		"string", "str", "text", "bytes", "byte", "int", "integer", "bool", "boolean", "float", "number", "object",
		"any",
		"char", "varchar", "optional", "required", "field", "input", "hidden", "type", "self", "this", "func",
		"function",
		"var", "let", "const", "new", "await", "async", "return", "if", "else", "not", "and", "or", "is", "are", "also",
		"were", "in",
		"for", "to",
		"the", "a", "an", "your", "my", "our", "their", "must", "should", "cannot", "can", "will", "was", "has",
		"have", "be",
		"been", "with", "from", "by", "of", "at", "as", "it", "that", "which", "when", "where", "what", "invalid",
		"incorrect",
		"wrong", "missing", "too", "write", "read", "expired", "failed", "failure", "success", "changed", "reset",
		"unset", "empty", "set",
		"updated",
		"enter", "please", "prompt", "default", "masked", "redacted", "removed", "omitted", "encrypted", "unknown",
		"unchanged", "value", "password", "passwd", "pwd", "passphrase", "secret", "token", "key", "valid", "enabled",
		"disabled",
		"struct", "interface", "range", "secretstr", "secretbytes":
		return true
	}
	return false
}

// AreStopWords says whether all words of v that a dash or an underscore joins are such.
func AreStopWords(v []byte) bool {
	for part := range bytes.FieldsFuncSeq(v, func(r rune) bool { return r == '-' || r == '_' }) {
		if !IsStopWord(part) {
			return false
		}
	}
	return true
}

// IsProse says whether v is a word that follows the name of a secret where a text speaks
// of it, and no value: the --password option, password: added.
func IsProse(v []byte) bool {
	const longest = 12
	var b [longest]byte
	if len(v) > longest {
		return false
	}
	switch string(AppendLower(b[:0], v)) {
	case "option", "options", "flag", "flags", "argument", "arguments", "parameter", "parameters", "switch", "switches",
		"command", "setting", "settings", "description", "but", "may", "see", "now", "then", "respectively", "instead",
		"via", "add", "added", "adds", "fix", "fixed", "fixes", "use", "used", "uses", "ditto", "likewise":
		return true
	}
	return false
}

// IsListItem says whether v, of a list of strings, is a name with a number, or of a file, or an action.
func IsListItem(v []byte) bool {
	isFile := (lex.Word | lex.Dot | lex.Dash | lex.Slash).Within(v) && bytes.IndexByte(v, '.') > 0
	return (IsVariable(v) && HasDigit(v) || isFile || isAction(v)) && !IsMade(v)
}

// isAction says whether v is an action of a service as policies of AWS have it: secretsmanager:GetSecretValue,
// s3:Get* (IAM User Guide, JSON policy elements: Action).
func isAction(v []byte) bool {
	service, action, _ := bytes.Cut(bytes.TrimSuffix(v, []byte{'*'}), []byte{':'})
	return len(service) > 1 && len(action) > 1 && (lex.Lower | lex.HexLower | lex.Digits | lex.Dash).Within(service) &&
		(lex.Upper | lex.HexUpper).Has(action[0]) && lex.Letters.Within(action)
}

// isExpression says whether v is a part of a program other than a name: [name], [8]T{,
// (T *)name, *name, T{name}, !a.name, @_.
func isExpression(v []byte) bool {
	const longestTyped, longestHash = 20, 8
	name := lex.Letters | lex.Underscore | lex.Dot
	switch v[0] {
	case '[':
		i := (name | lex.Digits).Run(v, 1, len(v))
		// [ACCESS_TOKEN]&...
		if i > 2 && i < len(v) && v[i] == ']' && (lex.Upper | lex.HexUpper | lex.Underscore).Within(v[1:i]) {
			return true
		}
		return i+1 < len(v) && v[i] == ']' && lex.Letters.Has(v[i+1]) || i == len(v) && !HasDigit(v)
	case '(':
		return len(v) > 1 && (v[1] == '*' || v[1] == '(' && len(v) > 2 && (lex.Upper|lex.HexUpper).Has(v[2]) ||
			!HasDigit(v) &&
				(lex.Letters|lex.Underscore|lex.Ampersand|lex.Punctuation|lex.Dash|lex.Backslash).Has(v[1]) ||
			(lex.Upper|lex.HexUpper|lex.Underscore|lex.Digits).Within(v[1:]) && lex.Letters.Has(v[1]) &&
				bytes.IndexByte(v, '_') > 0 ||
			(lex.Word|lex.Dollar).Within(v[1:]) && (v[1] == '_' || bytes.IndexByte(v, '$') > 1))
	case '*', '&':
		return len(v) > 1 && (v[1] == ')' || lex.Letters.Has(v[1]) &&
			(name.Within(v[1:]) || (name|lex.Digits).Within(v[1:]) && bytes.IndexByte(v, '.') > 0 ||
				IsVariable(v[1:]) ||
				len(v) > longestTyped && lex.Word.Within(v[1:]) && !IsMade(v[1:])))
	case '!':
		return len(v) > 1 && lex.Letters.Has(v[1]) && name.Within(v[1:]) && bytes.IndexByte(v, '.') > 0
	case '@':
		return len(v) > 1 && v[1] == '_' && (len(v) == 2 || !lex.Word.Has(v[2]))
	}
	i := bytes.IndexByte(v, '{')
	if i < 1 || !lex.Letters.Has(v[0]) || !(name | lex.Digits).Within(v[:i]) {
		return false
	}
	rest := bytes.Trim(v[i:], "{}")
	// Token{f3e1b2c, of Java
	isObject := (lex.Upper | lex.HexUpper).Has(v[0]) && len(rest) <= longestHash && lex.LowerHex.Within(rest)
	return len(rest) < 2 || name.Within(rest) || isObject
}

// isCall says whether v is a call of a function: a name and a parenthesis.
func isCall(v []byte) bool {
	i := bytes.IndexByte(v, '(')
	name := lex.Word | lex.Dot | lex.Colon | lex.Dash | lex.Dollar | lex.Angle | lex.Ampersand | lex.Comma |
		lex.Backslash | lex.Punctuation
	if i > 0 && bytes.Contains(v[:i], []byte(").")) { // the last of the arguments, and what the result is asked for
		name |= lex.Paren
	}
	return i > 0 && name.Within(v[:i]) && !bytes.ContainsAny(v[:i], "{}^#")
}

// isComplaint says whether v says of the field that it is the value of what is wrong with that:
// "is too short", "can't be blank".
func isComplaint(v []byte) bool {
	verb, rest, _ := bytes.Cut(v, []byte{' '})
	switch string(verb) {
	case "is", "isn't", "must", "can't", "cannot", "should", "has", "does", "doesn't", "needs":
		return bytes.IndexByte(rest, ' ') > 0 || IsStopWord(rest)
	}
	return false
}

// IsTemplateOfWords says whether v has names in it that are to be replaced, and nothing beside
// them that looks made: security-advisory:${name}:#{id}, $key, value-%d, label!=<key>=<value>.
func IsTemplateOfWords(v []byte) bool {
	const words = lex.Letters | lex.Dash | lex.Underscore | lex.Colon | lex.Dot | lex.Slash | lex.Blank |
		lex.Equals | lex.Comma
	found := false
	for at := 0; at < len(v); {
		end := templateEnd(v, at)
		switch {
		case end > at:
			at, found = end, true
		case v[at] == '!' && at+1 < len(v) && v[at+1] == '=': // is other than
			at++
		case !words.Has(v[at]) && !(at > 0 && words.Has(v[at-1]) && lex.Digits.Has(v[at]) && v[at-1] == 'v'):
			return false
		default:
			at++
		}
	}
	return found
}

// templateEnd returns the end of a name that is to be replaced, which begins at i, or i.
func templateEnd(v []byte, i int) int {
	rest := v[i:]
	switch {
	case len(rest) < 2:
		return i
	case rest[1] == '{' && rest[0] != '%':
		const expression = lex.Word | lex.Dot | lex.Paren | lex.Blank | lex.Colon | lex.Comma | lex.Quote | lex.Dollar
		if size := bytes.IndexByte(rest, '}'); size > 2 &&
			expression.Within(bytes.TrimPrefix(rest[2:size], []byte{'@'})) {
			return i + size + 1
		}
	case rest[0] == '\\' && rest[1] == '(': // of Swift
		if size := bytes.IndexByte(rest, ')'); size > 2 && (lex.Word | lex.Dot | lex.Paren).Within(rest[2:size]) {
			return i + size + 1
		}
	case rest[0] == '$' && (lex.Letters | lex.Underscore).Has(rest[1]):
		end := (lex.Letters | lex.Underscore).Run(v, i+1, len(v))
		if end < len(v) && v[end] == '[' { // $pair[0]
			if size := bytes.IndexByte(v[end:], ']'); size > 0 && (lex.Word | lex.Quote).Within(v[end+1:end+size]) {
				return end + size + 1
			}
		}
		if !HasDigit(rest) {
			return end
		}
	case rest[0] == '%' && (rest[1] == 's' || rest[1] == 'd' || rest[1] == 'v'):
		return i + 2
	case rest[0] == '<':
		if size := bytes.IndexByte(rest, '>'); size > 1 && (lex.Letters | lex.Underscore | lex.Dash).Within(rest[1:size]) {
			return i + size + 1
		}
	}
	return i
}

// holdsTemplate says whether v has a name in it that is to be replaced: ${name}, {{ name }},
// or $name{ before a quote.
func holdsTemplate(v []byte) bool {
	if element, found := bytes.CutSuffix(v, []byte{'{'}); found {
		name := (lex.Letters | lex.Underscore).RunBack(element, len(element), len(element))
		return name > 0 && name < len(element) && element[name-1] == '$'
	}
	for _, open := range []string{"${", "{{"} {
		if i := bytes.Index(v, []byte(open)); i >= 0 {
			end := (lex.Word | lex.Dot | lex.Blank | lex.Dash | lex.Dollar | lex.Colon).Run(v, i+len(open), len(v))
			if end == len(v) || v[end] == '(' || v[end] == '|' ||
				v[end] == '}' && (open == "${" || bytes.HasPrefix(v[end:], []byte("}}"))) {
				return true
			}
		}
	}
	return false
}

// isNumberOf says whether v is a number of something as Ruby writes it: 6.hours, 2.days.ago.
func isNumberOf(v []byte) bool {
	number := lex.Digits.Run(v, 0, LongestInName)
	return number > 0 && len(v) > number+3 && v[number] == '.' &&
		(lex.Lower | lex.HexLower | lex.Dot | lex.Underscore).Within(v[number:])
}

// isHexLiteral says whether v is a number as programs write it: 0x1f, -0b11, 0o17, 0x1fULL.
func isHexLiteral(v []byte) bool {
	v = bytes.TrimPrefix(v, []byte("-"))
	if len(v) < 3 || v[0] != '0' {
		return false
	}
	v = bytes.TrimRight(v, "uUlL")
	if len(v) > 2 && (v[1] == 'b' || v[1] == 'o') {
		return (lex.Digits | lex.Underscore).Within(v[2:])
	}
	return len(v) > 2 && len(v) <= 22 && lex.EqualFold(v[:2], "0x") && (lex.Hexadecimal | lex.Underscore).Within(v[2:])
}

// IsPath says whether v is a path in words to a file.
func IsPath(v []byte) bool {
	parts := bytes.Count(v, []byte{'/'})
	if parts < 2 && !(parts == 1 && v[0] == '~') || v[0] != '/' && v[0] != '.' && v[0] != '~' {
		return false
	}
	signs := lex.Slash | lex.Dash | lex.Dot | lex.Underscore | lex.Tilde
	return (lex.Letters|signs).Within(v) && !IsScrambled(v) || parts > 2 && (lex.Lower|lex.LowerHex|signs).Within(v)
}

// IsQualified says whether v is a name as programs qualify theirs, and not a person's:
// owner/project, package.Type.
func IsQualified(v []byte) bool {
	if bytes.IndexByte(v, '/') >= 0 {
		return true
	}
	if !(lex.Word | lex.Dot | lex.Dash | lex.Slash).Within(v) {
		return false
	}
	return bytes.IndexByte(v, '_') >= 0 || (lex.Lower|lex.HexLower).Has(v[0]) && bytes.IndexByte(v, '.') > 0
}

// IsFieldList says whether v goes on with the names of a record's fields, uid:gid:shell, or
// is a line of the file of users: mara:x:1000:1000.
func IsFieldList(v []byte) bool {
	name, rest, isUser := bytes.Cut(v, []byte(":x:"))
	isUser = isUser && len(name) > 0 && len(rest) > 0 && (lex.Digits | lex.Colon).Has(rest[0]) &&
		bytes.IndexByte(rest, ':') > 0
	return isUser || bytes.IndexByte(v, ':') > 0 && (lex.Letters|lex.Underscore|lex.Colon).Within(v)
}

// IsPublic says whether v begins with what anyone may read: a certificate, a public key.
func IsPublic(v []byte) bool {
	return bytes.HasPrefix(v, []byte("-----BEGIN CERT")) || bytes.HasPrefix(v, []byte("-----BEGIN PUBLIC")) ||
		IsVerifierKey(v) || isPublicDER(v)
}

// isPublicDER says whether v begins as the base64 of a public key or a certificate does (RFC 5280 4.1): a sequence that
// begins with a sequence. A private key begins with its version (RFC 5208 5, RFC 8017 A.1.2), and one that is encrypted
// has the object identifier of PKCS #5 within (RFC 5208 6).
func isPublicDER(v []byte) bool {
	const sequence = 0x30
	if len(v) < 64 || v[0] != 'M' || !lex.Base64.Within(v[:64]) {
		return false
	}
	var b [48]byte
	if _, err := base64.StdEncoding.Decode(b[:], v[:64]); err != nil || b[0] != sequence {
		return false
	}
	first := 2 // where what is in the sequence begins, after a length of one byte or more
	if b[1] > 0x80 {
		first += int(b[1] - 0x80)
	}
	return first < 6 && b[first] == sequence && !bytes.Contains(b[:], []byte("\x2a\x86\x48\x86\xf7\x0d\x01\x05"))
}

// IsVerifierKey says whether v is a key that verifies signed notes, name+hash+key
// (golang.org/x/mod/sumdb/note); one that signs them begins with PRIVATE+KEY+.
func IsVerifierKey(v []byte) bool {
	const hash = 8
	name := bytes.IndexByte(v, '+')
	return name > 0 && len(v) > name+hash+2 && v[name+1+hash] == '+' && lex.LowerHex.Within(v[name+1:name+1+hash]) &&
		lex.Base64.Within(v[name+hash+2:])
}

// IsSystemAccount says whether v is the name of an account that is no person's.
func IsSystemAccount(v []byte) bool {
	switch string(v) {
	case "root", "admin", "administrator", "daemon", "nobody", "guest", "system", "operator":
		return true
	}
	return false
}

// IsNameService says whether v is where a system looks for its users (nsswitch.conf(5)).
func IsNameService(v []byte) bool {
	switch string(v) {
	case "compat", "files", "db", "nis", "nisplus", "hesiod", "winbind", "ldap", "sss", "systemd", "altfiles":
		return true
	}
	return false
}

// isOfNamespace says whether v is a name of PHP that begins at the root: \App\User::class.
func isOfNamespace(v []byte) bool {
	return len(v) > 2 && (lex.Upper | lex.HexUpper).Has(v[1]) && (lex.Letters | lex.Backslash | lex.Colon).Within(v) &&
		bytes.IndexByte(v[1:], '\\') > 0
}

// isCharacters says whether v is characters beyond ASCII, the first as programs write it: \U0001f511.
func isCharacters(v []byte) bool {
	const size = len(`\U0001f511`)
	for bytes.HasPrefix(v, []byte(`\U000`)) && len(v) >= size && lex.Hexadecimal.Within(v[2:size]) {
		v = v[size:]
	}
	return (lex.High | lex.Wide).Within(v)
}

// IsEncoding says whether v is how a text is written or digested, as the argument after
// a name tells: read("/run/key", "utf8").
func IsEncoding(v []byte) bool {
	switch string(v) {
	case "scram-sha-1", "scram-sha-256", "utf8", "utf-8", "utf16le", "latin1", "base64", "base64url", "md5", "sha1",
		"sha256", "sha512", "sha-256", "sha-512":
		return true
	}
	return false
}

// AppendLower appends w to b in lower case.
func AppendLower(b, w []byte) []byte {
	for _, c := range w {
		b = append(b, lex.LowerByte(c))
	}
	return b
}

// LongestInName is how many digits a number in the name of a variable has: x25519.
const LongestInName = 5

// IsFontChange says whether v begins with troff's change of the font: \fP, \fR, \fB, \fI.
func IsFontChange(v []byte) bool {
	return len(v) > 2 && v[0] == '\\' && v[1] == 'f' && strings.IndexByte("PRBI", v[2]) >= 0
}

// isParameter reports whether v is a parameter of a statement of SQL, a symbol, or a field of what a
// template is given: @Name, :name, .Values.name.
func isParameter(v []byte) bool {
	switch v[0] {
	case '@', ':':
		return (lex.Letters | lex.Underscore).Has(v[1]) &&
			(IsVariable(v[1:]) || (lex.Letters | lex.Underscore | lex.Dot).Within(v[1:]))
	case '.':
		return v[1] == '$' || lex.Letters.Has(v[1]) && (lex.Word|lex.Dot).Within(v) && !HasDigit(v)
	case '?':
		return (lex.Letters | lex.Blank | lex.Underscore).Within(v[1:]) // ${NAME:?missing}
	}
	return false
}
