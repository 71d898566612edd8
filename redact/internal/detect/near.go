package detect

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Near is the form of a word made by a machine that stands near a word which
// makes it a secret: zenTOKEN 4f9a..., <secret>{id 4f9a...}</secret>, token =
// 'a1...' | 'b2...'. Between the two stand signs, and words that may stand
// between a name and its value; any other word ends the search, and so does prose.
type Near struct {
	Names *names.Names
	// Weak: the anchor names other things as well, unless the word before it tells
	// whose it is. Without that, a UUID or a hash is no secret.
	Weak bool
	// Service: the anchor is the name of a service, to which its key is assigned.
	Service bool
	Rule    int
}

const (
	maxJoins = 4  // words between them
	maxReach = 80 // bytes in all
)

// Find implements names.Form. The match is the value without its quotes. A second value beside it
// in quotes goes to w.More.
func (f *Near) Find(w names.Window, at, to int) names.Finding {
	const longest = 12 // word that joins
	b := w.Text
	for names.Joints.Has(b[to-1]) {
		to--
	}
	if at >= 2 && b[at-1] == '/' && b[at-2] == '<' || f.Service && !names.Boundary(b, at) {
		return names.Finding{}
	}
	var inTag bool
	var signs lex.Class // all between the anchor and the value
	for i, joins := to, 0; joins <= maxJoins && i < to+maxReach; joins++ {
		from := i
		i = names.Joints.Run(b, i, names.MaxJoint)
		switch {
		case i-from == names.MaxJoint:
			return names.Finding{}
		case w.Cut(i):
			return names.Finding{Verdict: names.Undecided, Start: i}
		case i == len(b):
			return names.Finding{}
		}
		if joins == 0 && i > from && b[from] == '>' {
			name := lex.NameOfKey.RunBack(b, at, names.MaxName)
			inTag = name > 0 && b[name-1] == '<'
		}
		if inTag && joins > 0 && bytes.IndexByte(b[from:i], '<') >= 0 {
			return names.Finding{}
		}
		for j, c := range b[from:i] {
			if c == lex.MarkerStart[0] && w.Marker(from+j) > 0 {
				return names.Finding{}
			}
			signs |= lex.KindOf[c]
		}
		end := lex.Letters.Run(b, i, longest+1)
		if end == i && (i == from || names.Joints.Has(b[i-1])) {
			if end = lex.Digits.Run(b, i, 3); end-i > 2 || end < len(b) && !names.Joints.Has(b[end]) {
				end = i // a number of its own, other than the 1 of SECRET_1
			}
		}
		goesOn := end > i && end-i <= longest && (inTag || lex.Digits.Has(b[i]) || joinsValue(b[i:end]))
		if i > from {
			start := names.QuotedStart(b, from, i)
			if !goesOn && holdsRule(w, start, f.Rule) {
				return names.Finding{}
			}
			if x := f.value(w, at, start, signs, goesOn || w.Cut(end)); x.Verdict != names.NoMatch {
				return x
			}
		}
		switch {
		case w.Cut(end):
			return names.Finding{Verdict: names.Undecided, Start: i}
		case !goesOn:
			return names.Finding{}
		}
		i = end
	}
	return names.Finding{}
}

// isOfPublicKey says whether the name around the anchor at at begins with the words public key: PublicKeyToken of .NET.
func isOfPublicKey(b []byte, at int) bool {
	const public = "publickeytoken"
	name := b[lex.Word.RunBack(b, at, len(public)):lex.Word.Run(b, at, len(public))]
	return len(name) == len(public) && lex.EqualFold(name, public)
}

// isOfCache reports whether v, at start, is the key of a cache in a sentence about one: words and a hash after a colon.
// The anchor at at is the word key: Cache restored from key: Linux-node-4f9a.
func isOfCache(b []byte, at, start int, v []byte) bool {
	const longest = 64
	line := b[max(0, at-longest):at]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	_, sentence, found := bytes.Cut(line, []byte("Cache "))
	hash := bytes.LastIndexByte(v, '-') + 1
	return found && string(b[at:start]) == "key: " && (lex.Letters | lex.Blank).Within(sentence) && hash > 1 &&
		candidate.IsIdentifier(v[hash:]) && !candidate.IsMade(v[:hash-1]) && !candidate.HasScrambled(v[:hash-1])
}

// holds says whether all that a value can be that begins at start, without quotes, is of a
// match that is named after a rule before the given one.
func holdsRule(w names.Window, start, rule int) bool {
	s, found := w.MatchFrom(start)
	return found && start < s.End && (s.Start < start || s.Rule < rule) && !lex.Quote.Has(w.Text[start-1]) &&
		!w.Cut(s.End) && (s.End == len(w.Text) || !(names.MadeBare | lex.Colon | lex.Equals).Has(w.Text[s.End]))
}

// value finds the value that begins at start, and the one beside it. What is found already
// need not be looked at, unless the search goes on where it is none.
func (f *Near) value(w names.Window, at, start int, signs lex.Class, goesOn bool) names.Finding {
	b := w.Text
	end, isQuoted := names.MadeEnd(w, start)
	if w.Cut(end) {
		return names.Finding{Verdict: names.Undecided, Start: start}
	}
	if end-start < candidate.MinMade || !isQuoted && end < len(b) && (b[end] == '(' || b[end] == '[') {
		return names.Finding{}
	}
	if w.Cut(end + candidate.Operand) {
		return names.Finding{Verdict: names.Undecided, Start: start}
	}
	v := b[start:(lex.Dot|lex.Colon|lex.Dash|lex.Plus|lex.Slash).RunBack(b, end, end-start)]
	x := names.Finding{Verdict: names.Match, Start: start, End: start + len(v)}
	if !goesOn && end-start < names.MaxMade && w.IsFound(x.Start, x.End, f.Rule) && !(isQuoted && mayBeBeside(w, x)) {
		return names.Finding{}
	}
	const words = lex.Lower | lex.HexLower | lex.Dash | lex.Underscore | lex.Dot | lex.Slash
	switch {
	case w.Run(words, start, len(v)) == x.End && !lex.Letters.Within(v):
		return names.Finding{}
	case len(v) == 16 && lex.LowerHex.Within(v) && isOfPublicKey(b, at),
		names.IsAboutNamed(b[:lex.NameOfKey.RunBack(b, at, names.MaxName)], v), f.Weak && isOfCache(b, at, start, v):
		return names.Finding{}
	case !f.accepts(b, at, v, signs) || isMention(w, start, v, signs), !isQuoted && w.IsExpression(start),
		!isQuoted && (isDependency(b[x.End:]) || isDeclared(b, at, start, v)):
		return names.Finding{}
	case end-start >= names.MaxMade:
		return names.Finding{Verdict: names.OpenEnded, Start: start, End: end, Class: names.MadeBare | lex.Equals}
	case isQuoted:
		return w.Beside(x)
	}
	return x
}

// isMention says whether v is no secret, but what texts have near such a word as well: an
// anchor of a page, a commit that is pinned, a fingerprint, a template, the name of a secret.
func isMention(w names.Window, start int, v []byte, signs lex.Class) bool {
	if start > 0 {
		switch sign := w.Text[start-1]; {
		case sign == '#' && lex.Letters.Within(v), sign == '@' && candidate.IsIdentifier(v):
			return true
		}
	}
	return signs&^lex.Blank == 0 && candidate.IsFingerprint(v) || bytes.HasPrefix(v, []byte("sha256//")) ||
		isVersioned(v) || candidate.IsPublic(v) || candidate.IsHarmless(v) || candidate.IsTemplateOfWords(v) ||
		bytes.HasPrefix(v, []byte("${")) || bytes.HasPrefix(v, []byte("$(")) || names.IsNameOfSecret(w, v)
}

// isDeclared says whether v, at start, is a name that a program has there: a type after an
// asterisk, the name of the anchor at at again with a number, or one that holds its words.
func isDeclared(b []byte, at, start int, v []byte) bool {
	if !lex.Word.Within(v) || !lex.Letters.Has(v[0]) {
		return false
	}
	name := b[lex.Word.RunBack(b, at, names.MaxName):lex.Word.Run(b, at, names.MaxName)]
	anchor := b[at:lex.Letters.Run(b, at, len("credential"))]
	switch {
	case b[start-1] == '*':
		return !candidate.IsMade(v)
	case bytes.HasPrefix(v, name) && len(name) > len(anchor):
		return lex.Digits.Within(v[len(name):])
	}
	return lex.Letters.Within(v) && bytes.Contains(v, bytes.ToLower(anchor))
}

// isDependency says whether v goes on with the versions of a package: (>= 1.2).
func isDependency(v []byte) bool {
	return len(v) >= candidate.Operand && v[0] == ' ' && v[1] == '(' && (lex.Angle | lex.Equals).Has(v[2])
}

// isVersioned says whether one of the parts of v that dashes join is a version of two
// numbers or more: auth-1.6.1-C4Jx5dV9.
func isVersioned(v []byte) bool {
	if bytes.IndexByte(v, '-') < 0 || bytes.IndexByte(v, '.') < 0 {
		return false
	}
	for part := range bytes.FieldsFuncSeq(v, func(r rune) bool { return r == '-' }) {
		if (lex.Digits | lex.Dot).Within(part) && lex.Digits.Has(part[0]) && bytes.IndexByte(part, '.') > 0 {
			return true
		}
	}
	return false
}

// mayBeBeside says whether a string in quotes may stand next to x, a match in quotes.
func mayBeBeside(w names.Window, x names.Finding) bool {
	next := (names.Joints &^ lex.Newline).Run(w.Text, x.End, names.MaxJoint)
	return w.Cut(next) || lex.ClassOf(w.Text[min(x.End+2, next):next])&lex.Quote != 0
}

// accepts says whether v, near the anchor at at and with such signs between, is
// a secret.
func (f *Near) accepts(b []byte, at int, v []byte, signs lex.Class) bool {
	assigned := signs&(lex.Equals|lex.Colon|lex.Quote|lex.Angle) != 0
	if len(v) < candidate.MinMade || candidate.IsReplica(v) || bytes.Contains(v, []byte(lex.MarkerStart)) {
		return false
	}
	if f.Service {
		return assigned && len(v) >= 20 && (candidate.IsMade(v) || candidate.IsID(v, 32))
	}
	isPlain := func() bool { return f.Names.IsPlain(wordBefore(b, at)) || at > 0 && b[at-1] == ']' }
	isOwned := func() bool { return !f.Weak || f.Names.Owns(wordBefore(b, at)) }
	switch {
	case at > 0 && (b[at-1] == '?' || b[at-1] == '&'): // of a URL's query
		return candidate.IsID(v, candidate.MinMade) || candidate.IsMade(v)
	case candidate.IsID(v, candidate.MinMade) && names.IsOfID(b, at): // token_id
		return false
	case candidate.IsID(v, candidate.MinMade):
		return (!f.Weak || len(v) >= 24 && signs&lex.Newline == 0) && !isPlain() && isOwned()
	case f.Weak && isPlain():
		return false
	case candidate.IsMade(v), signs&lex.Quote != 0 && candidate.IsStrong(v) && !bytes.Contains(v, []byte("://")) &&
		!beginsCall(v):
		return assigned || isOwned()
	}
	return candidate.IsFilled(v, !f.Weak && signs&lex.Paren == 0) && !isPlain() && isOwned()
}

// beginsCall says whether v begins with the call of a function: hasPermission(
func beginsCall(v []byte) bool {
	name := lex.Letters.Run(v, 0, len(v))
	return name > 2 && name < len(v) && v[name] == '('
}

// wordBefore returns the word that ends before at, with one sign between: the
// last one of those that are distinguished by capitals.
func wordBefore(b []byte, at int) []byte {
	const longest = 32
	end := at
	if end > 0 && (lex.Underscore | lex.Dash | lex.Dot | lex.Blank).Has(b[end-1]) {
		end--
	}
	start := (lex.Lower | lex.HexLower | lex.Digits).RunBack(b, end, longest)
	if capitals := (lex.Upper | lex.HexUpper).RunBack(b, start, longest); start == end {
		start = capitals
	} else if capitals < start {
		start--
	}
	return b[start:end]
}

// joinsValue says whether the word may stand between a name and its value.
func joinsValue(v []byte) bool {
	const longest = 12
	var b [longest]byte
	for i, c := range v {
		b[i] = lex.LowerByte(c)
	}
	switch string(b[:len(v)]) {
	case "code", "key", "keys", "token", "tokens", "secret", "secrets", "access", "private", "api", "auth",
		"credential", "credentials",
		"password", "id", "is", "was", "value", "default", "string", "str", "text", "char", "const", "bytes", "byte",
		"live", "test", "prod", "sandbox", "admin", "master", "user", "bearer", "basic", "content":
		return true
	}
	return false
}
