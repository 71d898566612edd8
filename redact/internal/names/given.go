package names

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
)

// Value finds the value that begins at i; alone: the value is all of the text.
func (p *Phrase) Value(w Window, i int, alone bool) Finding {
	switch p.Want {
	case FormedID:
		return p.formed(w, i, alone, false)
	case MnemonicWords:
		if x := p.mnemonic(w, i, alone); x.Verdict != NoMatch {
			return x
		}
		entropy := *p // the seed in another notation than words
		entropy.Want = madeSecret
		return entropy.Value(w, i, alone)
	}
	b := w.Text
	start, end, isQuoted, class := i, i, alone, lex.BareValue
	var scheme []byte
	switch {
	case alone:
		class = lex.Everything
		end = class.Run(b, i, MaxValue)
	default:
		switch isType, decided := w.isTypeInBrackets(i); {
		case !decided:
			return Finding{Verdict: Undecided, Start: start}
		case isType:
			return Finding{}
		}
		inner, decided := w.unwrapped(i)
		switch {
		case !decided:
			return Finding{Verdict: Undecided, Start: start}
		case inner > i:
			return p.wrapped(w, i, inner)
		}
		for i < len(b) && i < start+2 &&
			(b[i] == '[' || b[i] == '(' || b[i] == '@' || lex.Letters.Has(b[i]) && i == start) {
			i++
		}
		if i == start && i+1 < len(b) && b[i] == '$' && b[i+1] == '\'' { // of a shell: $'x'
			i++
		}
		slashes := lex.Backslash.Run(b, i, 3)
		if w.Cut(slashes) {
			return Finding{Verdict: Undecided, Start: start}
		}
		if slashes < len(b) && lex.Quote.Has(b[slashes]) {
			if w.Cut(slashes + 1) {
				return Finding{Verdict: Undecided, Start: start}
			}
			isLifetime := b[slashes] == '\'' && i > 0 && b[i-1] == '&' // of Rust: &'a str
			if isLifetime || w.closes(slashes) || i > start &&
				w.isOpen(slashes) { // b in "cookie: b" is no sign of bytes
				return Finding{}
			}
			isQuoted = true
			class = lex.Everything &^ (lex.Quote | lex.Newline)
			start = slashes + 1
			if slashes == i {
				three, decided := w.Passes(i, tripled(b[i]))
				if !decided || w.Cut(i+2) && b[i+1] == b[i] {
					return Finding{Verdict: Undecided, Start: i}
				}
				if start = max(start, three); three == i && i+2 < len(b) && b[i+1] == b[i] && lex.Alnum.Has(b[i+2]) {
					start = i + 2 // in a cell of CSV
				}
			}
			end = ClosingQuote(w, start, b[slashes], slashes > i)
		} else {
			if p.Want == Number {
				class = lex.NumberPart
			}
			if p.Want == AuthSecret {
				credentials := afterScheme(w, start)
				scheme = bytes.TrimRight(b[start:credentials], " \t")
				start = credentials
			}
			if class == lex.BareValue {
				switch whole, decided := p.word(w, start); {
				case !decided:
					return Finding{Verdict: Undecided, Start: start}
				case whole > start:
					return Finding{Verdict: Match, Start: start, End: whole}
				}
			}
			end = bareEnd(w, start, class)
			switch {
			case class != lex.BareValue || p.Want == AnyValue:
			case end-start < MaxValue && w.Cut(end):
				return Finding{Verdict: Undecided, Start: start}
			default:
				end = codeEnd(w, start, max(start, w.Marker(start)), end)
			}
		}
	}
	const slack = 8 // ClosingQuote looks this far beyond
	if w.Cut(end) || end-start >= MaxValue && w.Cut(end+slack) {
		return Finding{Verdict: Undecided, Start: start}
	}
	if end-start >= MaxValue {
		if p.Want == Number || p.Want == LikelySecret && alone || (p.Want == PackedSecret || p.Want == SurelyPacked) &&
			!lex.Base64.Within(b[start:end]) {
			return Finding{}
		}
		return Finding{Verdict: OpenEnded, Start: start, End: end, Class: class}
	}
	if p.Want == Number && !isQuoted && end < len(b) && (lex.Letters | lex.Underscore).Has(b[end]) &&
		(lex.Digits).Has(b[end-1]) &&
		end > start {
		return Finding{} // 4711ab
	}
	last := end
	if !isQuoted {
		for end > start && (IsEndSign(b[end-1]) || lex.Blank.Has(b[end-1])) {
			end--
		}
		if v := b[start:end]; bytes.HasSuffix(v, []byte("’")) || bytes.HasSuffix(v, []byte("”")) {
			end -= len("’")
		}
		if p.Want == AuthSecret && lex.Letters.Within(b[start:end]) && !candidate.IsScrambled(b[start:end]) {
			switch isProse, decided := w.goesOn(end); {
			case !decided:
				return Finding{Verdict: Undecided, Start: start}
			// which has digits or a sign
			case isProse, speaksOfHeader(scheme), isSchemeWord(b[start:end]), lex.EqualFold(scheme, "basic"):
				return Finding{}
			}
		}
	}
	if end > w.Marker(start) && end > start && (p.accepts(b[start:end], isQuoted) || p.freeWord && end < len(b) &&
		b[end] == ';' && b[start] != '$') {
		for p.isAny() && end < last && (b[end] == '!' || b[end] == '?') && candidate.HasDigit(b[start:end]) {
			end++
		}
		x := Finding{Verdict: Match, Start: start, End: end}
		if isQuoted && !alone && p.Want == LikelySecret {
			return w.Beside(x)
		}
		return x
	}
	return Finding{}
}

// isTypeInBrackets reports whether a class stands at i, as comments of Ruby tell the type of a parameter:
// [Net::SSH::Key].
func (w Window) isTypeInBrackets(i int) (isType, decided bool) {
	b := w.Text
	if i+1 >= len(b) || b[i] != '[' || !(lex.Upper | lex.HexUpper).Has(b[i+1]) {
		return false, i+1 < len(b) || w.End
	}
	end := (lex.Letters | lex.Colon).Run(b, i+1, MaxName)
	if w.Cut(end) && end-i <= MaxName {
		return false, false
	}
	return end < len(b) && b[end] == ']' && bytes.Contains(b[i:end], []byte("::")), true
}

// wrapped finds the value that begins at inner, in what a program has around it from i on. What is in brackets alone is
// an argument, unless it looks like a secret.
func (p *Phrase) wrapped(w Window, i, inner int) Finding {
	one := *p
	isOpen := (lex.Angle | lex.Ampersand).Has(w.Text[i]) || lex.EqualFold(w.Text[i:min(inner, i+4)], "some")
	isBare := inner < len(w.Text) && !(lex.Quote | lex.Backslash).Has(w.Text[inner])
	if isBare && w.IsExpression(i) {
		return Finding{}
	}
	if p.Want == AnySecret && (isBare || !isOpen) {
		one.Want = TypedWord
	}
	x := one.Value(w, inner, false)
	switch {
	case !isBare || x.Verdict != Match:
		return x
	case w.Cut(x.End):
		return Finding{Verdict: Undecided, Start: i}
	case x.End == len(w.Text) || w.Text[x.End] != ')' && w.Text[x.End] != ']': // the first of several
		return Finding{}
	}
	return x
}

// wrappers are the types and functions of programs that have a text in brackets.
var wrappers = set(`some just optional option maybe ok right text str string bytes secret secretstring secretstr
	secretvalue sensitive sensitivestring sensitivevalue securestring password plaintext redacted value stringvalue`)

// makers are those behind a type.
var makers = set(`new of from make wrap valueof ofnullable`)

// unwrapped returns where the text begins that a program has in a value of another type at i: Some("x"),
// Secret::new("x"), <<"x">>, Optional[x]. It is i if there is none.
func (w Window) unwrapped(i int) (inner int, decided bool) {
	const longest = 48
	b := w.Text
	if i < len(b) && (b[i] == '<' || b[i] == '&') {
		inner = (lex.Angle | lex.Ampersand).Run(b, i, 2)
		switch {
		case w.Cut(inner):
			return i, false
		case inner < len(b) && (lex.Quote.Has(b[inner]) || b[inner] == '\\'):
			return inner, true
		}
		return i, true
	}
	if i == len(b) || !lex.Letters.Has(b[i]) {
		return i, true
	}
	end := (lex.Word | lex.Dot | lex.Colon).Run(b, i, longest)
	if w.Cut(end) && end-i < longest {
		return i, false
	}
	if end == len(b) || b[end] != '(' && b[end] != '[' {
		return i, true
	}
	word := b[i:end]
	last := word[bytes.LastIndexAny(word, ".:")+1:]
	var lower [longest]byte
	name := candidate.AppendLower(lower[:0], last)
	switch {
	case !wrappers[string(name)] && !(makers[string(name)] && len(last) < len(word)):
		return i, true
	case w.Cut(end + 1):
		return i, false
	}
	if next, decided := w.unwrapped(end + 1); next > end+1 || !decided {
		return next, decided
	}
	return end + 1, true
}

// NameOfOpened returns the name on a line whose value begins on the next line: key = """ or key: Some(. It is empty for
// other lines.
func NameOfOpened(line []byte) []byte {
	const longest = 48
	rest := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte(`"""`)), []byte("'''"))
	if len(rest) == len(line) {
		var isCall bool
		if rest, isCall = bytes.CutSuffix(line, []byte{'('}); !isCall {
			return nil
		}
		from := (lex.Word | lex.Dot | lex.Colon).RunBack(rest, len(rest), longest)
		word := rest[from:]
		var lower [longest]byte
		name := candidate.AppendLower(lower[:0], word[bytes.LastIndexAny(word, ".:")+1:])
		if len(word) > 0 && !wrappers[string(name)] && !(makers[string(name)] && len(name) < len(word)) {
			return nil
		}
		rest = rest[:from]
	}
	rest = bytes.TrimRight(rest, " \t")
	if len(rest) == 0 || !(lex.Equals | lex.Colon).Has(rest[len(rest)-1]) {
		return nil
	}
	rest = bytes.TrimRight(rest, " \t=:\"'")
	return rest[lex.NameOfKey.RunBack(rest, len(rest), MaxName):]
}

// IsEndSign says whether c is a sign that ends a sentence or a part of it after a value.
func IsEndSign(c byte) bool { return strings.IndexByte(",;.)]}:!?-", c) >= 0 }

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

// ClosingQuote returns where the string that begins at start ends, at its quote
// or at the end of the line.
func ClosingQuote(w Window, start int, q byte, escaped bool) int {
	b := w.Text
	limit := min(len(b), start+MaxValue)
	for i := start; i < limit; i++ {
		switch {
		case b[i] == q && i > start && !escaped:
			next, decided := w.quoteInside(i)
			if !decided {
				return len(b)
			}
			if next == i {
				return i
			}
			i = next
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

// quoteInside returns the last byte of the quote that stands for itself in a string, at i: written twice, as in YAML,
// SQL and CSV, or with a backslash between two strings of a shell. A letter or a digit follows it. It is i if the
// string ends there.
func (w Window) quoteInside(i int) (last int, decided bool) {
	b := w.Text
	inside := string([]byte{b[i], b[i]})
	if i+1 < len(b) && b[i+1] == '\\' {
		inside = `'\''`
	}
	switch end, decided := w.Passes(i, inside); {
	case !decided || end > i && w.Cut(end):
		return i, false
	case end > i && end < len(b) && lex.Alnum.Has(b[end]):
		return end - 1, true
	}
	return i, true
}

// bareEnd returns where a value without quotes ends. The signs that end it in a
// query and in an element do not, where it has others that neither has.
func bareEnd(w Window, start int, class lex.Class) int {
	b := w.Text
	limit := min(len(b), start+MaxValue)
	odd := false
	signs := max(start, w.Marker(start)) // those of a marker do not count
	for i := start; ; i++ {
		i = w.Run(class&^lex.Backslash, i, limit-i)
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

// accepts says whether v is a secret rather than something that stands for one, or is harmless.
func (p *Phrase) accepts(v []byte, isQuoted bool) bool {
	switch {
	case !p.mayBe(v, isQuoted):
		return false
	case p.Want == AnyValue || p.Want == PackedSecret:
		return true
	case p.IsSecret:
		return !p.IsHarmless(v) && !(isQuoted && candidate.IsTemplateOfWords(v))
	}
	return !p.Proper || !candidate.IsSentence(v)
}

// IsHarmless reports whether v is no secret, whatever the name before it is, or the name of a kind of what p names.
func (p *Phrase) IsHarmless(v []byte) bool {
	if !p.AnyWord && (string(v) == "read" || string(v) == "write" || // of permissions
		len(v) <= candidate.LongestHarmless && candidate.IsSpecifier(v)) {
		return true
	}
	return candidate.IsHarmless(v) || !p.AnyWord && p.isKind(v)
}

// isKind reports whether v is words of a program's name, of which one is the last of the phrase: NextToken, user_token
// and AccessTokenType of a token. Of a secret it is not the last: my_secret may be one.
func (p *Phrase) isKind(v []byte) bool {
	const capitals = lex.Upper | lex.HexUpper
	word := p.Words[strings.LastIndexByte(p.Words, ' ')+1:]
	if len(word) == 0 || len(v) > MaxName {
		return false
	}
	for at := 0; at+len(word) <= len(v); at++ {
		if lex.LowerByte(v[at]) != word[0] {
			continue
		}
		end := at + len(word)
		begins := at == 0 || v[at-1] == '_' || capitals.Has(v[at]) && !capitals.Has(v[at-1])
		ends := end == len(v) && word == "token" || end < len(v) && (v[end] == '_' || capitals.Has(v[end]))
		if begins && ends && lex.EqualFold(v[at:end], word) {
			return len(v) > len(word) && candidate.IsVariable(v) && !candidate.IsMade(v) && !candidate.HoldsFigures(v)
		}
	}
	return false
}

// mayBe says whether v looks like a value of the name.
func (p *Phrase) mayBe(v []byte, isQuoted bool) bool {
	if p.Want == AnyValue {
		return v[0] != '{'
	}
	if p.Want == PackedSecret {
		return IsPacked(v)
	}
	if p.Want == SurelyPacked {
		return IsSurelyPacked(v)
	}
	if p.IsArgument && (v[0] == '-' || !lex.NonSpace.Within(v)) ||
		(p.IsListed || p.Want == quotedWord) && bytes.Contains(v, []byte(lex.MarkerStart)) { // what is left of a value
		return false
	}
	if p.Of != 0 && !p.Of.Within(v) {
		return false
	}
	if candidate.IsPlaceholder(v, isQuoted) || candidate.IsPublic(v) || p.Proper &&
		(candidate.IsQualified(v) || lex.Digits.Has(v[0]) || candidate.IsSystemAccount(v)) ||
		p.AnyWord && candidate.IsFieldList(v) || p.isGiven && !isQuoted &&
		(candidate.IsVariable(v) || candidate.IsNumbered(v) || isMemberOfType(v)) ||
		p.Want != Number && candidate.IsObjectID(v) {
		return false
	}
	switch p.Want {
	case FormedID:
		return ReadID(p.Formats, v, 0, true) == len(v)
	case Number:
		n := 0
		for _, c := range v {
			if lex.Digits.Has(c) {
				n++
			} else if !lex.NumberPart.Has(c) {
				return false
			}
		}
		return n >= p.Digits[0] && n <= p.Digits[1]
	case LikelySecret:
		if !p.MayBeID && len(v) >= longNumber && lex.Digits.Within(v) {
			return true
		}
		if p.Typed && isQuoted && candidate.IsTyped(v) {
			return true
		}
		if isQuoted && bytes.IndexByte(v, ';') > 0 && holdsMadeField(v) {
			return true
		}
		isWord := lex.Letters.Within(v) && !candidate.IsScrambled(v)
		isUnlike := p.Qualified && len(v) >= candidate.MinMade && !candidate.IsMade(v) &&
			!candidate.IsID(v, candidate.MinMade) && !candidate.HasScrambled(v)
		if isWord && (!isQuoted || p.IsListed || candidate.IsPhrase(v)) || !isQuoted && isUnlike {
			return false // a name in a program
		}
		if p.IsLabel && candidate.IsNumbered(v) ||
			p.IsListed && (candidate.IsListItem(v) || len(v) >= candidate.MinMade && lex.Word.Within(v) &&
				!candidate.IsMade(v) && !candidate.IsID(v, candidate.MinMade)) {
			return false
		}
		return len(v) >= p.Min && candidate.IsLikelySecret(v) &&
			!(p.MayBeID && (candidate.IsIdentifier(v) || candidate.IsDated(v)))
	case madeSecret:
		return candidate.IsMade(v) || candidate.IsStrong(v) || candidate.IsID(v, candidate.MinMade)
	case AuthSecret:
		isWords := (lex.Letters | lex.Dash | lex.Underscore).Within(bytes.TrimRight(v, "!?.")) &&
			!candidate.IsScrambled(v)
		isMember := bytes.IndexByte(v, '.') > 0 && (lex.Word | lex.Dot).Within(v) && !candidate.IsMade(v)
		return len(v) >= 6 && !isSchemeAlone(v) && !speaksOfHeader(v) && !candidate.IsEndpoint(v) && !isMember &&
			!(v[0] == '/' && (lex.Letters | lex.Slash | lex.Dash | lex.Underscore | lex.Dot).Within(v)) &&
			!(isWords && (p.NotPath || candidate.IsMetavariable(v))) // another header's name, YOUR_TOKEN
	case TypedWord:
		return candidate.IsTyped(v) || candidate.HasInnerSign(v) || len(v) >= p.Min && candidate.IsLikelySecret(v) && !candidate.IsIdentifier(v)
	case quotedWord:
		isConstant := bytes.IndexByte(v, '_') > 0 && (lex.Upper | lex.HexUpper | lex.Digits | lex.Underscore).Within(v) &&
			!candidate.IsMade(v)
		return isQuoted && !candidate.IsEncoding(v) && !isConstant &&
			(!p.Proper || (lex.Upper | lex.HexUpper | lex.High | lex.Wide).Has(v[0])) && len(v) >= 4 &&
			((lex.NonSpace &^ lex.Comma).Within(v) || candidate.IsSalt(v)) &&
			(!bytes.ContainsAny(v, "(){}<>") || candidate.IsStrong(v) || candidate.IsSalt(v)) &&
			!(p.NotPath && (lex.Letters | lex.Dot | lex.Dash | lex.Underscore | lex.Colon | lex.Slash).Within(v))
	}
	switch {
	case isQuoted && !p.AnyWord &&
		(isSentence(v) || v[0] == '.' && (lex.Letters|lex.Dash|lex.Underscore|lex.Dot).Within(v)):
		return false
	case p.NotPath && (v[0] == '/' || v[0] == '.' || v[0] == '~'), candidate.IsPath(v), p.Words == "passwd" &&
		candidate.IsNameService(v):
		return false
	case isQuoted:
		return true
	case !p.AnyWord && (candidate.IsVariable(v) && !(p.Typed && candidate.HasDigit(v)) || len(v) <= longestCount &&
		lex.Digits.Within(v)), candidate.IsProse(v):
		return false
	}
	return len(v) >= 3
}

// holdsMadeField reports whether v is fields apart by semicolons, as of the header Cookie (RFC 6265 4.2.1), and one of
// them has a value that looks made.
func holdsMadeField(v []byte) bool {
	is := false
	for field := range bytes.SplitSeq(v, []byte{';'}) {
		name, value, found := bytes.Cut(bytes.TrimSpace(field), []byte{'='})
		if len(bytes.TrimSpace(field)) > 0 && (!found || !(lex.NameOfKey | lex.Tilde).Within(name)) {
			return false
		}
		is = is || candidate.IsLikelySecret(value) && !candidate.IsDated(value)
	}
	return is
}

// IsRule says whether a line is drawn: |---|:--:| or +-----+.
func IsRule(line []byte) bool {
	return len(bytes.Trim(line, "-+=|: \t\r")) == 0
}

// BeginsRecord says whether line is drawn before a record of psql: -[ RECORD 2 ]-+---.
func BeginsRecord(line []byte) bool {
	_, record, _ := bytes.Cut(line, []byte("-[ "))
	end := (lex.Letters | lex.Blank | lex.Digits).Run(record, 0, len(record))
	return end > 2 && lex.Digits.Has(record[max(0, end-2)]) && bytes.HasPrefix(record[end:], []byte{']'}) &&
		IsRule(record[end+1:]) && bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("-["))
}

// speaksOfHeader says whether v is a word that goes on after the name of the header with credentials in a text about
// it.
func speaksOfHeader(v []byte) bool {
	switch string(bytes.TrimRight(v, ".,")) {
	case "header", "headers", "scheme", "credential", "credentials", "required", "authentication", "invalid_token",
		"insufficient_scope":
		return true
	}
	return false
}

// IsIn says whether what stands where the value would be is one that is to be taken out.
func (p *Phrase) IsIn(value []byte, isQuoted bool, a *Around) bool {
	w := Window{value, true, a}
	isWord := p.Want == AuthSecret && lex.Letters.Within(value) && !candidate.IsScrambled(value)
	isOdd := p.isAny() && !isQuoted && candidate.IsOddWord(value, true)
	return len(value) > 0 && w.Marker(0) == 0 && !candidate.AreStopWords(value) && !IsRule(value) &&
		!BeginsRecord(value) && !isWord && (isOdd || p.accepts(value, isQuoted))
}

// Boundary says whether a token may begin at i: after anything but a letter or a
// digit, or after an escape that stands for such.
func Boundary(b []byte, i int) bool { return i == 0 || !lex.Alnum.Has(b[i-1]) || AfterEscape(b, i) }

// AfterEscape says whether an escape that is not decoded stands before i: \n,
// \u000a, %0A.
func AfterEscape(b []byte, i int) bool {
	switch {
	case i >= 2 && b[i-2] == '\\':
		return strings.IndexByte("nrtbf", b[i-1]) >= 0
	case i >= 3 && b[i-3] == '%':
		return lex.Hexadecimal.Within(b[i-2 : i])
	case i >= 6 && b[i-6] == '\\' && b[i-5] == 'u':
		return lex.Hexadecimal.Within(b[i-4 : i])
	}
	return false
}

// isAny reports whether the value may be a word that a person made up.
func (p *Phrase) isAny() bool { return p.Want == AnySecret || p.Want == TypedWord }
