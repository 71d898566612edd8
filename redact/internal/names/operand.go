package names

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
)

// isOwnField says whether v is a name with a dot that ends in the very word that names it,
// or in all of the name, and so tells where the value is: password is "Alias.password", a
// file x.sig, Alias#password.
func (p *Phrase) isOwnField(name, v []byte) bool {
	if !lex.Letters.Has(v[0]) || bytes.IndexByte(v, '.') < 0 && bytes.IndexByte(v, '#') < 0 {
		return false
	}
	dot := bytes.LastIndexAny(v, ".#")
	if dot <= 0 || !(lex.NameOfKey | lex.Slash).Within(v[:dot]) || candidate.IsMade(v) {
		return false
	}
	return lex.EqualFold(v[dot+1:], p.Words) || bytes.Equal(v[dot+1:], name)
}

// isSmallAssigned says whether the value x is a word without a capital, and no colon or sign
// directly before it gives it: a program has so what it calls a full name, and a person's is
// not.
func isSmallAssigned(b []byte, x Finding) bool {
	i := lex.Quote.RunBack(b, x.Start, 1)
	from := lex.Blank.RunBack(b, i, MaxAlign)
	v := b[x.Start:x.End]
	return from < i && from > 0 && b[from-1] != ':' && lex.NonSpace.Within(v) &&
		!bytes.ContainsFunc(v, candidate.IsCapital)
}

// isOperand says whether the value x is the first part of an expression that goes on, a name
// without digits: base + 15, name+"..." where no string is open; or is given to two names: a = b = 1.
func isOperand(w Window, x Finding) bool {
	b, v := w.Text, w.Text[x.Start:x.End]
	rest := b[x.End:]
	if isCompared(v, rest) {
		return true
	}
	if name, found := bytes.CutSuffix(v, []byte{'+'}); found {
		return len(rest) > 0 && lex.Quote.Has(rest[0]) && (lex.Letters | lex.Underscore | lex.Dot).Within(name) &&
			!w.isOpen(x.End)
	}
	isAssigned := x.Start > 1 && b[x.Start-1] == ' ' && b[x.Start-2] == '='
	if !isAssigned || len(rest) < candidate.Operand {
		return false
	}
	isSum := (lex.Letters | lex.Underscore | lex.Dot).Within(v) && string(rest[:candidate.Operand]) == " + "
	return isSum || lex.Letters.Has(v[0]) && (lex.Word|lex.Dot).Within(v) && string(rest[:candidate.Operand]) == " = "
}

// isConstant says whether the value x is the number of one of a program's constants, which
// are declared so or follow one another: const NO_PASSPHRASE = 177, or the type of one.
func (p *Phrase) isConstant(b []byte, start int, name []byte, x Finding) bool {
	const longest = 4
	v := b[x.Start:x.End]
	isAssigned := x.Start > 2 && b[x.Start-1] == ' ' && b[x.Start-2] == '=' && b[x.Start-3] == ' '
	if !isAssigned || p.Want == Number || !(lex.Upper | lex.HexUpper | lex.Underscore | lex.Digits).Within(name) ||
		bytes.IndexByte(name, '_') < 0 {
		return false
	}
	if bytes.HasSuffix(b[:start], []byte("type ")) {
		return (lex.Letters | lex.Underscore).Within(v)
	}
	isListed := x.End < len(b) && b[x.End] == ',' || bytes.HasSuffix(b[:start], []byte("const "))
	return isListed && len(v) <= longest && lex.Digits.Within(v)
}

// isVariableGiven says whether the value x is a variable: one with the name itself and a
// number of bits where a program goes on, Password: password16, or of several that are given
// at once.
func isVariableGiven(b, name []byte, start int, x Finding) bool {
	v := b[x.Start:x.End]
	if x.Start < 2 || b[x.Start-1] != ' ' {
		return false
	}
	if stem := v[:lex.Digits.RunBack(v, len(v), 3)]; len(stem) < len(v) {
		return x.End < len(b) && candidate.IsSize(v[len(stem):]) &&
			bytes.IndexByte([]byte(",)]}"), b[x.End]) >= 0 && b[x.Start-2] == ':' &&
			candidate.IsSameName(name, stem) && (lex.Upper | lex.HexUpper).Has(name[0])
	}
	return b[x.Start-2] == '=' && candidate.IsVariable(v) && candidate.IsTuple(b, start)
}

// isMarkedUp says whether the value x is what troff prints in another font, in capitals: the
// name of an argument, in any language.
func isMarkedUp(b []byte, x Finding) bool {
	return candidate.IsFontChange(b[x.End:]) &&
		(lex.Upper | lex.HexUpper | lex.Underscore | lex.Dash | lex.High | lex.Wide).Within(b[x.Start:x.End])
}

// isCompared reports whether a program compares v, or declares it: a sign that rest begins with has v on
// its left. It is a name then.
func isCompared(v, rest []byte) bool {
	if len(rest) < candidate.Operand || !lex.Letters.Has(v[0]) || !(lex.Word | lex.Dot).Within(v) ||
		candidate.IsMade(v) {
		return false
	}
	switch string(rest[:candidate.Operand]) {
	case " = ", " :=", " ==", " !=", " ??":
		return true
	}
	return false
}

// isLastOfLine reports whether v is a name that a comma follows, which ends the line, as a program lists
// its members.
func isLastOfLine(name, v, rest []byte) bool {
	return len(rest) > 0 && rest[0] == ',' && (len(rest) == 1 || lex.Newline.Has(rest[1])) &&
		(candidate.IsVariable(v) || candidate.IsSameName(name, v[:lex.Digits.RunBack(v, len(v), 1)])) // psk=psk1,
}

// isNumberedArgument reports whether v is a variable, words in small letters with a digit at the end that
// underscores join, that is the last argument of a call: api_key=token_source_1).
func isNumberedArgument(v, rest []byte) bool {
	n := (lex.Lower | lex.HexLower | lex.Underscore).Run(v, 0, len(v))
	return n+1 == len(v) && lex.Digits.Has(v[n]) && bytes.Count(v, []byte{'_'}) > 1 && v[n-1] == '_' &&
		len(rest) > 0 && rest[0] == ')'
}
