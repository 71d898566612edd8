package redact

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
)

// isReference says whether the value x of the name text[start:end] is no secret but the
// name of one: its own name again, or what a program calls another. What people choose
// can look so; such a value is a name only where a program gives it to another.
func (p *phrase) isReference(w window, start, end int, x finding) bool {
	const capitals = lex.Upper | lex.HexUpper | lex.Underscore
	b, name, v := w.text, w.text[start:end], w.text[x.start:x.end]
	switch {
	case isOperation(v) && !lex.Quote.Has(b[x.start-1]), isObjectName(v), isStatement(b, start, x),
		p.isNamedAfter(name, v):
		return true
	case p.isOwnField(name, v), candidate.IsPartOfName(name, v), p.proper && !p.whole && isSmallAssigned(b, x),
		// PASS src/x.test.ts
		p.isStatus && capitals.Has(name[0]) && end < len(b) && lex.Blank.Has(b[end]) && candidate.IsListItem(v):
		return true
	case !capitals.Within(v) && candidate.IsEnvironment(b, start, end, x.start):
		return false
	case !lex.Quote.Has(b[x.start-1]) &&
		(isOperand(w, x) || p.isConstant(b, start, name, x) || isVariableGiven(b, name, start, x) ||
			candidate.IsRecordOf(b, start, end, v) || isMarkedUp(b, x)):
		return true
	}
	if n := lex.Digits.RunBack(v, len(v), len(v)); !p.anyWord && len(v)-n <= candidate.LongestInName {
		if n < len(v) && (p.typed || !candidate.IsVariable(v)) { // secret1
			n = len(v)
		}
		v = v[:n]
	}
	if len(v) == 0 || start > 0 && (b[start-1] == ';' || b[start-1] == ',') { // of a connection string
		return false
	}
	isQuoted := lex.Quote.Has(b[x.start-1])
	switch {
	case candidate.IsSameName(name, v):
		return !p.anyWord || candidate.IsSpelledOut(name, v)
	case p.typed && candidate.HasDigit(v):
		return false
	case isQuoted && p.want != likelySecret:
		return !p.anyWord && (capitals.Within(v) || v[0] == '_') && isNameOfSecret(w, bytes.TrimPrefix(v, []byte{'_'}))
	case isQuoted, !p.anyWord && p.want != authSecret:
		return isNameOfSecret(w, v)
	case b[start] == '-' && capitals.Within(v): // --password WORD
		return candidate.IsMetavariable(v)
	}
	isAssigned := x.start > 2 && b[x.start-1] == ' ' && b[x.start-2] == '=' &&
		bytes.IndexByte([]byte(" :=!"), b[x.start-3]) >= 0
	isOfObject := bytes.HasPrefix(name, []byte("self.")) || bytes.HasPrefix(name, []byte("this."))
	switch {
	case !isAssigned:
	case candidate.IsVariable(v) && (p.want == authSecret || isOfObject),
		p.proper && (lex.Lower | lex.HexLower).Has(v[0]) && (lex.Word | lex.Dot).Within(v):
		return true
	}
	isGiven := isAssigned || start > 1 && b[start-1] == ' ' && b[start-2] == ',' ||
		x.end < len(b) && bytes.IndexByte([]byte(",)]}"), b[x.end]) >= 0
	return isGiven && !lex.Digits.Has(v[len(v)-1]) && isNameOfSecret(w, v)
}

// isStatement says whether the value x of the name at start is a variable that a statement of a
// program assigns: password = strict;
func isStatement(b []byte, start int, x finding) bool {
	return (start == 0 || b[start-1] != '$') && x.start > 2 && b[x.start-1] == ' ' && b[x.start-2] == '=' &&
		lex.Blank.Has(b[x.start-3]) &&
		x.end < len(b) && b[x.end] == ';' && (lex.Letters | lex.Underscore).Within(b[x.start:x.end])
}

// isNamedAfter says whether v is a variable that begins with the name it is given to, as a part of a
// program is named after what it is for: AuthorizationCode: AuthorizationCodeTTL.
func (p *phrase) isNamedAfter(name, v []byte) bool {
	const capitals = lex.Upper | lex.HexUpper
	return !p.anyWord && len(v) > len(name) && lex.Letters.Within(v) && lex.EqualFold(v[:len(name)], string(name)) &&
		capitals.Has(v[len(name)]) &&
		!candidate.IsScrambled(v)
}

// isNameOfSecret says whether v has the words of a program's name for a secret, more than
// one, of which the last, or one of a word that is not made, makes it sensitive.
func isNameOfSecret(w window, v []byte) bool {
	if !lex.Letters.Has(v[0]) || !(lex.Word | lex.Dot).Within(v) || len(v) > maxName {
		return false
	}
	const capitals = lex.Upper | lex.HexUpper
	body := v[:lex.Digits.RunBack(v, len(v), len(v))]
	if !w.names.names.mayEnd(body) && candidate.IsMade(v) {
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
	q, _ := w.names.of(body)
	if q == nil { // the first word may be what is done with it: validate_password
		first := (lex.Lower | lex.HexLower).Run(body, 0, len(body))
		if q, _ = w.names.of(body[first:]); q == nil {
			return false
		}
	}
	last := q.words[strings.LastIndexByte(q.words, ' ')+1:]
	return !candidate.IsMade(v) || len(last) > 2 && len(body) >= len(last) &&
		lex.EqualFold(body[len(body)-len(last):], last)
}
