package names

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/code"
)

// A password without quotes may have any signs. If a line of settings has nothing but a name and a value, the value goes
// to the end of the line. Elsewhere it ends where a URL query, an XML element or an expression would.

// word returns the end of the word at start if its signs show that it is a password; else start.
func (p *Phrase) word(w Window, start int) (end int, decided bool) {
	b := w.Text
	if !p.isAny() || start == len(b) || w.Marker(start) > 0 {
		return start, true
	}
	end = w.wordEnd(start)
	if w.Cut(end) {
		return start, end-start >= MaxValue
	}
	bare := lex.BareValue.Run(b[:end], start, MaxValue)
	short := bare
	for short > start && IsEndSign(b[short-1]) {
		short--
	}
	if candidate.IsNoCode(b[start:short]) {
		return short, true
	}
	for end > start && (b[end-1] == ',' || b[end-1] == ';') {
		end--
	}
	v := b[start:end]
	line := b[bytes.LastIndexByte(b[:start], '\n')+1 : start]
	isTight := len(line) > 1 && line[len(line)-1] == '=' && !(lex.Blank.Has(line[len(line)-2]) || lex.Blank.Has(line[0]))
	isOdd := candidate.IsOddWord(v, isTight)
	isCut := bare < end || bytes.IndexByte(v, ',') >= 0
	if !isOdd && !isCut || !candidate.MayHaveSigns(v) || !w.isSetting(p, start) {
		return start, true
	}
	if isAll, decided := w.isAllOfLine(end); !isAll || !decided {
		return start, decided
	}
	if isOdd || bare > start && p.accepts(b[start:min(bare, end)], false) || candidate.IsLikelySecret(v) {
		return end, true
	}
	return start, true
}

// wordEnd returns where the word ends that begins at start: before a blank, the next field of a query or of a row, a
// tag, or a quote that does not stand between letters and digits.
func (w Window) wordEnd(start int) int {
	b := w.Text
	limit := min(len(b), start+MaxValue)
	line := b[max(0, start-longestCell):start]
	isRow := bytes.IndexByte(line[bytes.LastIndexByte(line, '\n')+1:], ',') >= 0
	goesOn := func(i int, without string) bool {
		return i == limit || !lex.Whitespace.Has(b[i]) && strings.IndexByte(without, b[i]) < 0
	}
	for i := start; i < limit; i++ {
		switch c := b[i]; c {
		case ' ', '\t', '\r', '\n':
			return i
		case '"', '\'', '`':
			if i == start || !goesOn(i+1, ",;:)]}\\\"'`") || isOpenBefore(b, start, c) {
				return i
			}
		case '\\':
			if i+1 < limit && strings.IndexByte(`nrt"'\`, b[i+1]) >= 0 {
				return i
			}
		case '&':
			if i > start && !goesOn(i+1, "&") || isField(b[i+1:limit], '=') || isQuoteEntity(b[i:limit]) {
				return i
			}
		case '<', '>':
			if i > start && !goesOn(i+1, "/!?%<>\"'`") || c == '<' && bytes.IndexByte(b[i:limit], '>') > 0 {
				return i
			}
		case ',', ';':
			if i > start && (beginsNext(b, i+1) || c == ',' && isRow) {
				return i
			}
		}
	}
	return limit
}

// isOpenBefore reports whether a string that began with the quote q is open on the line before i.
func isOpenBefore(b []byte, i int, q byte) bool {
	line := b[max(0, i-MaxValue):i]
	return bytes.Count(line[bytes.LastIndexByte(line, '\n')+1:], []byte{q})%2 == 1
}

// isField reports whether v begins with a name and the sign that gives it a value.
func isField(v []byte, sign byte) bool {
	end := lex.NameOfKey.Run(v, 0, MaxName)
	return end > 0 && end < len(v) && v[end] == sign
}

// isQuoteEntity reports whether v begins with a quote or an angle bracket in HTML notation, which ends a value.
func isQuoteEntity(v []byte) bool {
	for _, entity := range []string{"&quot;", "&#34;", "&#39;", "&apos;", "&lt;", "&gt;"} {
		if bytes.HasPrefix(v, []byte(entity)) {
			return true
		}
	}
	return false
}

// isSetting reports whether the value at start stands after a name as in a settings file or a listing of settings. The
// name begins its line, maybe after a word such as export; or it is a variable in capitals; or it is in a .netrc, or in
// a struct as Go prints it: {Host:db Password:x}. A name of passwords may also stand after other words.
func (w Window) isSetting(p *Phrase, start int) bool {
	b := w.Text
	sign := lex.Blank.RunBack(b, start, MaxAlign)
	end, isSign := sign, sign > 0 && (lex.Equals.Has(b[sign-1]) || b[sign-1] == ':' || b[sign-1] == '|')
	isAlias := isSign && b[sign-1] == ':' && start < len(b) && (b[start] == '*' || b[start] == '&') // of YAML
	if isSign {
		end = lex.Blank.RunBack(b, sign-1, MaxAlign)
	}
	quote := lex.Quote.RunBack(b, end, 1)
	name := lex.NameOfKey.RunBack(b, quote, MaxName)
	switch {
	case name == quote || isAlias || !isSign && sign == start || w.IsCode(start, code.Itself):
		return false
	case !isSign && w.followsLogin(name):
		return true
	case isSign && end == sign-1 && start == sign && candidate.IsEnvironment(b, name, quote, start) &&
		bytes.IndexByte(b[name:quote], '_') > 0 && (name == 0 || lex.Whitespace.Has(b[name-1])):
		return true
	case isSign && p.AnyWord && name > 0 && lex.Blank.Has(b[name-1]):
		isStruct := b[sign-1] == ':' && start == sign && end == sign-1
		return !isOpenBefore(b, name, '"') && !isOpenBefore(b, name, '`') && (isStruct || !inBrackets(b, name))
	}
	name = lex.Quote.RunBack(b, name, 1)
	return startsLine(b, name) || startsLine(b, w.keyword(name))
}

// keyword returns the start of a word such as export or set before the name at i; i if there is none.
func (w Window) keyword(i int) int {
	const longest = len("declare -x ")
	for _, word := range []string{"export ", "declare -x ", "- ", "set ", "setenv ", "ENV "} {
		if bytes.HasSuffix(w.Text[max(0, i-longest):i], []byte(word)) {
			return i - len(word)
		}
	}
	return i
}

// isAllOfLine reports whether only a comment or another field follows the value on its line.
func (w Window) isAllOfLine(end int) (is, decided bool) {
	b := w.Text
	next := lex.Blank.Run(b, end, MaxAlign)
	switch {
	case w.Cut(next):
		return false, false
	case next == len(b):
		return true, true
	case lex.Newline.Has(b[next]):
		return true, true
	}
	if name := lex.NameOfKey.Run(b, next, MaxName); w.Cut(name) {
		return false, false
	}
	return next > end && (b[next] == '#' || isField(b[next:], '=') || isField(b[next:], ':')), true
}

// closed returns the end of the text of an XML element, at its closing tag. The text begins at i and has no blanks. It
// returns i if there is no such text, or if the text may be a reference.
func (w Window) closed(i int) (end int, decided bool) {
	b := w.Text
	limit := lex.NonSpace.Run(b, i, MaxValue)
	size := bytes.Index(b[i:limit], []byte("</"))
	switch end = i + size; {
	case size < 0:
		return i, limit-i >= MaxValue || !w.Cut(limit)
	case w.Marker(i) > 0, !candidate.MayHaveSigns(b[i:end]), candidate.IsHarmless(b[i:end]):
		return i, true
	}
	if tag := bytes.IndexByte(b[i:end], '<'); tag >= 0 && bytes.IndexByte(b[i+tag:end], '>') > 0 {
		return i, true
	}
	return end, true
}
