package names

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/code"
)

// isReference says whether the value x of the name text[start:end] is no secret but the
// name of one: its own name again, or what a program calls another. What people choose
// can look so; such a value is a name only where a program gives it to another.
func (p *Phrase) isReference(w Window, start, end int, x Finding) bool {
	const capitals = lex.Upper | lex.HexUpper | lex.Underscore
	b, name, v := w.Text, w.Text[start:end], w.Text[x.Start:x.End]
	switch {
	case isOperation(v) && !lex.Quote.Has(b[x.Start-1]), isObjectName(v), isStatement(b, start, x), isAssigned(w, x),
		p.isNamedAfter(name, v), !lex.Quote.Has(b[x.Start-1]) && isKeyOfGPG(name, v), IsAboutNamed(b[:start], v):
		return true
	case b[x.Start-1] == ' ' && isBase(b, start, x):
		return true
	case p.isOwnField(name, v), candidate.IsPartOfName(name, v), p.Proper && !p.Whole && isSmallAssigned(b, x),
		// PASS src/x.test.ts
		p.isOtherName(w, v), !p.AnyWord && lex.Quote.Has(b[x.Start-1]) && candidate.IsConstant(v), p.endsInName(v),
		isMemberGiven(w, x),
		p.Want != Number && isOfNumbers(w, start, x),
		p.IsStatus && capitals.Has(name[0]) && end < len(b) && lex.Blank.Has(b[end]) && candidate.IsListItem(v):
		return true
	case !lex.Quote.Has(b[x.Start-1]) && end < len(b) && lex.Quote.Has(b[end]) && isConstantName(v):
		return true
	case !capitals.Within(v) && candidate.IsEnvironment(b, start, end, x.Start):
		return false
	case !p.AnyWord && !lex.Quote.Has(b[x.Start-1]) && (isLastOfLine(name, v, b[x.End:]) || isNumberedArgument(v, b[x.End:])):
		return true
	case !lex.Quote.Has(b[x.Start-1]) &&
		(isOperand(w, x) || p.isConstant(b, start, name, x) || isVariableGiven(b, name, start, x) ||
			x.Start == end+1 && candidate.IsRecordOf(b, start, end, v) || isMarkedUp(b, x)):
		return true
	}
	if n := lex.Digits.RunBack(v, len(v), len(v)); !p.AnyWord && len(v)-n <= candidate.LongestInName {
		if n < len(v) && (p.Typed || !candidate.IsVariable(v)) { // secret1
			n = len(v)
		}
		v = v[:n]
	}
	if len(v) == 0 || start > 0 && (b[start-1] == ';' || b[start-1] == ',') { // of a connection string
		return false
	}
	isQuoted := lex.Quote.Has(b[x.Start-1])
	switch {
	case candidate.IsSameName(name, v):
		return !p.AnyWord || candidate.IsSpelledOut(name, v)
	case p.Typed && candidate.HasDigit(v):
		return false
	case isQuoted && p.Want != LikelySecret:
		return !p.AnyWord && (capitals.Within(v) || v[0] == '_') && IsNameOfSecret(w, bytes.TrimPrefix(v, []byte{'_'}))
	case isQuoted, !p.AnyWord && p.Want != AuthSecret:
		return IsNameOfSecret(w, v)
	case b[start] == '-' && capitals.Within(v): // --password WORD
		return candidate.IsMetavariable(v)
	}
	isAssigned := x.Start > 2 && b[x.Start-1] == ' ' && b[x.Start-2] == '=' &&
		bytes.IndexByte([]byte(" :=!"), b[x.Start-3]) >= 0 || x.Start > 2 && bytes.HasSuffix(b[:x.Start], []byte("=> "))
	isOfObject := bytes.HasPrefix(name, []byte("self.")) || bytes.HasPrefix(name, []byte("this."))
	switch {
	case !isAssigned:
	case candidate.IsVariable(v) && (p.Want == AuthSecret || isOfObject),
		p.Proper && (lex.Lower | lex.HexLower).Has(v[0]) && (lex.Word | lex.Dot).Within(v):
		return true
	}
	isGiven := isAssigned || start > 1 && b[start-1] == ' ' && b[start-2] == ',' ||
		x.End < len(b) && bytes.IndexByte([]byte(",)]}"), b[x.End]) >= 0
	return isGiven && !lex.Digits.Has(v[len(v)-1]) && IsNameOfSecret(w, v)
}

// isKeyOfGPG reports whether v is the id of a key of GnuPG or its fingerprint, as git-config(1) has it for a signature.
func isKeyOfGPG(name, v []byte) bool {
	const size = 16
	return bytes.HasSuffix(name, []byte("signingkey")) && (len(v) == size || candidate.IsFingerprint(v)) &&
		(lex.Digits | lex.HexUpper).Within(v)
}

// IsAboutNamed reports whether v is not the named secret itself but its checksum or a tag, as the text before the name
// says: checksum/secret of Helm, aws:PrincipalTag/secret.
func IsAboutNamed(before, v []byte) bool {
	if kind, isTag := bytes.CutSuffix(before, []byte("Tag/")); isTag {
		isKind := bytes.HasSuffix(kind, []byte(":Principal")) || bytes.HasSuffix(kind, []byte(":Request")) ||
			bytes.HasSuffix(kind, []byte(":Resource"))
		return isKind && (lex.Letters | lex.Dash).Within(v) && !candidate.HasScrambled(v)
	}
	return bytes.HasSuffix(before, []byte("checksum/")) && candidate.IsIdentifier(v)
}

// isConstantName reports whether v is words in capitals as programs name their constants: TEST_DATA_BASE64. What JSON
// or a dict has after a name in quotes is such without any.
func isConstantName(v []byte) bool {
	return bytes.IndexByte(v, '_') > 0 && lex.Letters.Has(v[0]) &&
		(lex.Upper | lex.HexUpper | lex.Underscore | lex.Digits).Within(v) && !candidate.IsMade(v)
}

// endsInName says whether v is words that end with all words of the phrase, of which there are several:
// invalid_id_token.
func (p *Phrase) endsInName(v []byte) bool {
	const words = lex.Letters | lex.Dash | lex.Underscore | lex.Colon
	if strings.IndexByte(p.Words, ' ') < 0 || len(v) < len(p.Words) || !words.Within(v) {
		return false
	}
	for i, c := range v[len(v)-len(p.Words):] {
		if c = lex.LowerByte(c); p.Words[i] == ' ' && c != '_' && c != '-' || p.Words[i] != ' ' && c != p.Words[i] {
			return false
		}
	}
	return true
}

// isOtherName says whether v is one word that names the same, in another language: "password": "Passwort".
func (p *Phrase) isOtherName(w Window, v []byte) bool {
	if len(v) > MaxName || !lex.Letters.Within(v) || !(lex.Upper | lex.HexUpper).Has(v[0]) {
		return false
	}
	q, _ := w.Names.Of(v)
	return q != nil && q.Rule == p.Rule && len(q.Words) == len(v)
}

// isMemberGiven says whether the value x is a member of the class that its name is, in a program: Password::RESET_SENT.
func isMemberGiven(w Window, x Finding) bool {
	return x.Start > 2 && w.Text[x.Start-1] == ':' && w.Text[x.Start-2] == ':' &&
		lex.Word.Within(w.Text[x.Start:x.End]) &&
		!candidate.IsMade(w.Text[x.Start:x.End]) && w.IsExpression(x.Start)
}

// isOfNumbers says whether the value x of the name at start, in quotes, is a number in a map of numbers that lines of a
// program or of data have: the line before has another name in quotes, and a number.
func isOfNumbers(w Window, start int, x Finding) bool {
	b := w.Text
	isMember := func(line []byte) bool {
		line = bytes.TrimRight(bytes.TrimSpace(line), ",")
		number := lex.Digits.RunBack(line, len(line), len(line))
		name := bytes.TrimRight(line[:number], " ")
		quoted := bytes.TrimSuffix(name, []byte{':'})
		return number < len(line) && len(quoted) > 1 && len(quoted) < len(name) && lex.Quote.Has(quoted[0]) &&
			quoted[len(quoted)-1] == quoted[0]
	}
	return start > 0 && lex.Digits.Within(b[x.Start:x.End]) && x.End < len(b) && b[x.End] == ',' &&
		isMember(b[bytes.LastIndexByte(b[:start], '\n')+1:x.End]) && isMember(w.LineBefore(start))
}

// isBase says whether the value x of the name at start is what a type is made from or a member of a variable: class A : B,
// message.map[a.key] = b.value;
func isBase(b []byte, start int, x Finding) bool {
	v := b[x.Start:x.End]
	if !lex.Letters.Has(v[0]) || !(lex.Word | lex.Dot).Within(v) || candidate.IsMade(v) {
		return false
	}
	if x.Start > 1 && b[x.Start-2] == '=' {
		return bytes.IndexByte(v, '.') > 0 && x.End < len(b) && b[x.End] == ';'
	}
	end := lex.Blank.RunBack(b, start, 1)
	begin := (lex.Lower | lex.HexLower).RunBack(b, end, len("interface"))
	switch string(b[begin:end]) {
	case "class", "record", "struct", "interface", "object", "enum", "trait", "protocol", "extension",
		"where":
		return end < start
	}
	return false
}

// isStatement says whether the value x of the name at start is a variable that a statement of a
// program assigns: password = strict;
func isStatement(b []byte, start int, x Finding) bool {
	return (start == 0 || b[start-1] != '$') && x.Start > 2 && b[x.Start-1] == ' ' && b[x.Start-2] == '=' &&
		lex.Blank.Has(b[x.Start-3]) &&
		x.End < len(b) && b[x.End] == ';' && ((lex.Letters | lex.Underscore).Within(b[x.Start:x.End]) ||
		isSmallNumber(b[x.Start:x.End]) && (lex.Upper|lex.HexUpper|lex.Underscore).Within(b[lex.Word.RunBack(b,
			lex.NameOfKey.Run(b, start, MaxName), MaxName):lex.NameOfKey.Run(b, start, MaxName)]))
}

// isSmallNumber reports whether v is a number as programs give to what they list.
func isSmallNumber(v []byte) bool { return len(v) < 5 && lex.Digits.Within(v) }

// isAssigned reports whether the value x, in no quotes, is an expression that a line of a program assigns or compares
// with: a cast, a member, a name with figures, a number. The sign has blanks around it, which no shell and few files of
// settings have.
func isAssigned(w Window, x Finding) bool {
	b := w.Text
	if x.Start < 3 || b[x.Start-1] != ' ' {
		return false
	}
	sign := lex.NonSpace.RunBack(b, x.Start-1, 4)
	switch string(b[sign : x.Start-1]) {
	case "=", "==", "!=", "===", "!==", "=>", "?:", ":=":
	default:
		return false
	}
	v := b[x.Start:x.End]
	isMember := (lex.Letters | lex.Underscore).Within(v) && sign > 1 &&
		bytes.IndexByte(b[lex.NameOfKey.RunBack(b, sign-1, MaxName):sign], '.') > 0
	return sign > 0 && lex.Blank.Has(b[sign-1]) && (beginsExpression(v) || jsonx.IsNumber(v)) &&
		(w.IsExpression(x.Start) || isMember && w.IsCode(x.Start, code.Among))
}

// beginsExpression reports whether v begins with a name, after what a program puts before one, that ends with v or
// before a sign of an expression.
func beginsExpression(v []byte) bool {
	v = bytes.TrimLeft(v, "!&*(")
	end := (lex.Word | lex.Dollar).Run(v, 0, len(v))
	if end == 0 || lex.Digits.Has(v[0]) || candidate.IsMade(v[:end]) {
		return false
	}
	return end == len(v) || bytes.IndexByte([]byte(".-:([<)?{"), v[end]) >= 0 && !candidate.IsMade(v)
}

// isNamedAfter says whether v is a variable that begins with the name it is given to, as a part of a
// program is named after what it is for: AuthorizationCode: AuthorizationCodeTTL.
func (p *Phrase) isNamedAfter(name, v []byte) bool {
	const capitals = lex.Upper | lex.HexUpper
	return !p.AnyWord && len(v) > len(name) && lex.Letters.Within(v) && lex.EqualFold(v[:len(name)], string(name)) &&
		capitals.Has(v[len(name)]) &&
		!candidate.IsScrambled(v)
}

// IsNameOfSecret says whether v has the words of a program's name for a secret, more than
// one, of which the last, or one of a word that is not made, makes it sensitive.
func IsNameOfSecret(w Window, v []byte) bool {
	if !lex.Letters.Has(v[0]) || !(lex.Word | lex.Dot).Within(v) || len(v) > MaxName {
		return false
	}
	const capitals = lex.Upper | lex.HexUpper
	body := v[:lex.Digits.RunBack(v, len(v), len(v))]
	if !w.Names.names.mayEnd(body) && candidate.IsMade(v) {
		return false
	}
	isOne := true
	for i := 1; i < len(body); i++ {
		isOne = isOne && !(lex.Underscore | lex.Dot).Has(body[i]) && (!capitals.Has(body[i]) || capitals.Has(body[i-1]))
	}
	tail := body[max(0, len(body)-2):]
	isWord := (lex.Lower | lex.HexLower).Within(tail) || capitals.Within(tail)
	if isOne || !isWord {
		return false
	}
	if candidate.HoldsFigures(body) {
		return false
	}
	q, _ := w.Names.Of(body)
	if q == nil { // the first word may be what is done with it: validate_password
		first := (lex.Lower | lex.HexLower).Run(body, 0, len(body))
		if q, _ = w.Names.Of(body[first:]); q == nil {
			return false
		}
	}
	last := q.Words[strings.LastIndexByte(q.Words, ' ')+1:]
	return !candidate.IsMade(v) || len(last) > 2 && len(body) >= len(last) &&
		lex.EqualFold(body[len(body)-len(last):], last)
}
