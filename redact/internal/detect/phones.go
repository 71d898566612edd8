package detect

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// NationalPhone is the form of a telephone number of the North American
// Numbering Plan; the anchor is its last seven digits.
type NationalPhone struct{}

// Find implements names.Form. The match is the number with its area, prefix and extension.
func (NationalPhone) Find(w names.Window, at, to int) names.Finding {
	b := w.Text
	start := at
	isArea := func(i int) bool {
		return i >= 0 && lex.Digits.Within(b[i:i+3]) && b[i] >= '2'
	}
	switch {
	case at >= 5 && b[at-1] == ')' && b[at-5] == '(' && isArea(at-4):
		start = at - 5
	case at >= 6 && b[at-1] == ' ' && b[at-2] == ')' && b[at-6] == '(' && isArea(at-5):
		start = at - 6
	case at >= 4 && isArea(at-4) && (b[at-1] == b[at+3] || b[at+3] == '-' && b[at-1] == ' '):
		start = at - 4
	default:
		return names.Finding{}
	}
	end, decided := extension(w, to)
	if !decided {
		return names.Finding{Verdict: names.Undecided, Start: max(0, start-4)}
	}
	if start >= 4 && string(b[start-4:start-1]) == "001" && lex.NumberPart.Has(b[start-1]) {
		start -= 4
	} else if start >= 2 && (lex.Blank | lex.Dash | lex.Dot).Has(b[start-1]) && b[start-2] == '1' &&
		(start == 2 || !lex.Digits.Has(b[start-3])) {
		start -= 2
		if start >= 1 && b[start-1] == '+' {
			start--
		}
	}
	if !names.StartsWord(b, start) || start > 0 && (lex.Dot|lex.Dash|lex.Plus|lex.Slash).Has(b[start-1]) &&
		(start < 2 || lex.Word.Has(b[start-2])) {
		return names.Finding{}
	}
	if end == to && (!names.EndsWord(b, to) || names.Joined(b, to, lex.Dot|lex.Dash|lex.Slash)) {
		return names.Finding{}
	}
	if start == at-4 && b[at-1] == ' ' && b[at+3] == ' ' {
		isFields, decided := isOfFields(w, start, end)
		switch {
		case !decided:
			return names.Finding{Verdict: names.Undecided, Start: start}
		case isFields || isOfRow(b, start, end) || isOfCounted(b, start):
			return names.Finding{}
		}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// isOfFields says whether b[start:end] is three of a row's fields: after the request and before what
// is in quotes, as logs of access have it; after another number and before that; or from the begin of
// a line on, before another number or the name of a file, as wc(1) counts.
func isOfFields(w names.Window, start, end int) (isFields, decided bool) {
	const longest = 64
	b := w.Text
	if w.Cut(end + 1) {
		return false, false
	}
	before := lex.Blank.RunBack(b, start, longest)
	if end == len(b) || b[end] != ' ' || before == start && before > 0 {
		return false, true
	}
	next := b[end+1:]
	if before > 0 && !lex.Newline.Has(b[before-1]) {
		isAfter := lex.Digits.Has(b[before-1]) && !lex.Letters.Has(b[max(0, before-2)]) ||
			b[before-1] == '"' && bytes.Contains(b[max(0, before-longest):before], []byte(" HTTP/"))
		return isAfter && len(next) > 0 && (next[0] == '"' || next[0] == '-'), true
	}
	name := lex.NonSpace.Run(next, 0, longest)
	if end+1+name == len(b) && !w.End && name < longest {
		return false, false
	}
	word := next[:name]
	isFile := bytes.IndexByte(word, '/') >= 0 || bytes.LastIndexByte(word, '.') > 0 &&
		!(lex.Dot|lex.Digits).Within(word)
	const area = 3 // digits, of another telephone
	return lex.Digits.Within(word) && name > 0 && name != area || isFile && bytes.IndexByte(word, '@') < 0 ||
		string(word) == "total", true
}

// isOfRow says whether b[start:end] stands in a row of numbers that are no telephones:
// after one with a fraction; or between numbers, three at least, of which the next is no
// area, as the next number of a list of telephones begins with.
func isOfRow(b []byte, start, end int) bool {
	const size = 3 // digits of an area
	before, after := numberBefore(b, start), numberAfter(b, end)
	switch {
	case len(before) < size || len(after) < size:
		return false
	case bytes.IndexByte(before, '.') > 0:
		return true
	}
	isLonger := len(numberBefore(b, start-1-len(before))) >= size || len(numberAfter(b, end+1+len(after))) >= size
	return len(after) != size && isLonger
}

// numberAfter returns the number that stands after the blank at i, nothing if there is none.
func numberAfter(b []byte, i int) []byte {
	const longest = 12
	if i >= len(b) || b[i] != ' ' {
		return nil
	}
	return b[i+1 : lex.Digits.Run(b, i+1, longest)]
}

// numberBefore returns the number that stands before the blank before i, nothing if there
// is none.
func numberBefore(b []byte, i int) []byte {
	const longest = 12
	if i < 2 || b[i-1] != ' ' || !lex.Digits.Has(b[i-2]) {
		return nil
	}
	from := (lex.Digits | lex.Dot).RunBack(b, i-1, longest)
	if from > 0 && lex.NonSpace.Has(b[from-1]) {
		return nil
	}
	return b[from : i-1]
}

// isOfCounted says whether what the text before i tells of are things that have numbers,
// and no telephones: failed tests, pages.
func isOfCounted(b []byte, i int) bool {
	const longest = 16
	end := (lex.Blank | lex.Colon).RunBack(b, i, 4)
	start := lex.Letters.RunBack(b, end, longest)
	if end == i || start == end || end-start == longest || speaksOfPhone(b[max(0, i-lex.LookBehind/2):i]) {
		return false
	}
	var low [longest]byte
	switch string(candidate.AppendLower(low[:0], b[start:end])) {
	case "tests", "cases", "lines", "pages", "rows", "columns", "records", "bytes", "blocks", "sectors", "inodes",
		"frames",
		"bugs", "issues", "commits", "revisions", "patches", "chapters", "sections", "samples":
		return true
	}
	return false
}

// extension returns the end of the extension of a telephone number that ends at
// i: x12, ext. 12; or i. It is undecided if what follows was not read.
func extension(w names.Window, i int) (end int, decided bool) {
	const look = 18
	b := w.Text
	at := lex.Blank.Run(b, i, 2)
	for _, word := range []string{"extension", "ext.", "ext", "x"} {
		if at+len(word) > len(b) || !lex.EqualFold(b[at:at+len(word)], word) {
			continue
		}
		from := lex.Blank.Run(b, at+len(word), 2)
		if to := lex.Digits.Run(b, from, 7); to > from && to-from <= 6 && names.EndsWord(b, to) {
			end = to
			break
		}
	}
	if w.Cut(i+look) && (lex.Word|lex.Blank|lex.Dot).Run(b, i, look) == len(b) || w.Cut(i+1) {
		return i, false
	}
	return max(end, i), true
}

// TrunkPhone is the form of a national number as most countries write it: the
// trunk prefix 0, or an area in parentheses, and groups of digits.
type TrunkPhone struct{}

// Find implements names.Form. The anchor is a part of the number, the match all of it.
func (TrunkPhone) Find(w names.Window, at, to int) names.Finding {
	const look = 20
	b := w.Text
	start := lex.Digits.RunBack(b, at, 6)
	inParens := false
	if b[at+2] == ')' {
		inParens = start > 0 && b[start-1] == '('
		if start--; !inParens {
			return names.Finding{}
		}
	} else if b[start] != '0' || b[start+1] == '0' {
		return names.Finding{}
	}
	if !names.StartsWord(b, start) || joinedBack(b, start, lex.NumberPart) && !w.IsAfterMatch(start) {
		return names.Finding{}
	}
	n, i, end := 0, start, start
	for i < len(b) && i < start+look {
		switch c := b[i]; {
		case lex.Digits.Has(c):
			n++
			end = i + 1
		case c == ' ' && i > start && (lex.Digits | lex.Paren).Has(b[i-1]), c == '-' && inParens &&
			lex.Digits.Has(b[i-1]), (c == '(' || c == ')') && inParens && i < at+3:
		default:
			i = start + look
		}
		i++
	}
	if i < start+look && w.Cut(i) || w.Cut(end+1) {
		return names.Finding{Verdict: names.Undecided, Start: start}
	}
	if n < 9 || n > 11 || !names.EndsWord(b, end) || names.Joined(b, end, lex.NumberPart) || end < len(b) &&
		b[end] == '*' {
		return names.Finding{}
	}
	switch isRow, decided := isRowOfBytes(w, start, end); {
	case !decided:
		return names.Finding{Verdict: names.Undecided, Start: start}
	case isRow:
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// isRowOfBytes says whether b[start:end] is a row of a table of bytes in octal: three
// groups of three such digits, apart from the begin of the line and with nothing after it.
func isRowOfBytes(w names.Window, start, end int) (isRow, decided bool) {
	const widest, size = 32, len("041 117 132")
	b := w.Text
	indent := lex.Blank.RunBack(b, start, widest)
	if end-start != size || start-indent < 2 || indent > 0 && !lex.Newline.Has(b[indent-1]) {
		return false, true
	}
	for i := start; i < end; i += 4 {
		if b[i] > '3' || b[i+1] > '7' || b[i+2] > '7' || i > start && b[i-1] != ' ' {
			return false, true
		}
	}
	if w.Cut(end) {
		return false, false
	}
	return end == len(b) || lex.Newline.Has(b[end]), true
}

// isCoordinate reports whether b[at:end] is a latitude and a longitude, in degrees and minutes and maybe seconds (ISO
// 6709, annex H): +404251-0740023. Without seconds a number of a telephone may have the same signs, unless it is a cell
// of a table.
func isCoordinate(b []byte, at, end int) bool {
	latitude, longitude, isPair := bytes.Cut(b[at+1:end], []byte{'-'})
	n := len(latitude)
	isCell := at > 0 && b[at-1] == '\t'
	return isPair && len(longitude) == n+1 && (n == 6 || n == 4 && isCell) && lex.Digits.Within(latitude) &&
		lex.Digits.Within(longitude) &&
		longitude[0] < '2' && latitude[2] < '6' && longitude[3] < '6'
}

// InternationalPhone is the form of a telephone number as ITU-T E.123 writes
// it: '+', a country, and 7 to 15 digits in all.
type InternationalPhone struct{}

// Find implements names.Form. The match begins with the plus sign.
func (InternationalPhone) Find(w names.Window, at, to int) names.Finding {
	const look = 28
	b := w.Text
	isVersion := at > 1 && b[at-1] == '~' && lex.Word.Has(b[at-2])
	if at > 0 && (lex.Word|lex.Plus|lex.Slash|lex.Equals|lex.Dot).Has(b[at-1]) && !names.AfterEscape(b, at) ||
		b[at+1] == '0' || isVersion {
		return names.Finding{}
	}
	var number [maxPhone]byte // digits
	n, groups, end := 0, 0, at+1
	var fits struct{ n, end int } // up to the last of its groups with which it is as long as a number can be
	i := at + 1
	for i < len(b) && i < at+look {
		switch c := b[i]; {
		case lex.Digits.Has(c) && n == maxPhone:
			n, end, i = fits.n, fits.end, at+look // another number follows
			continue
		case lex.Digits.Has(c):
			if !lex.Digits.Has(b[i-1]) {
				groups++
			}
			number[n] = c
			n++
			end = i + 1
		case (lex.Blank|lex.Dash|lex.Dot|lex.Paren).Has(c) && (lex.Digits|lex.Paren).Has(b[i-1]) || c == '(' &&
			b[i-1] == ' ' || c == ' ' && b[i-1] == ')':
			if lex.Digits.Has(b[i-1]) && groups <= mostGroups && mayBePhone(number[:n]) {
				fits.n, fits.end = n, i
			}
		default:
			i = at + look
			continue
		}
		i++
	}
	if n == 0 {
		return names.Finding{}
	}
	if i < at+look && w.Cut(i) || w.Cut(end+1) {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	// digits with a code of one digit: North America and Russia (ITU-T E.164)
	const ofZone = 11
	isShort := n < ofZone && (b[at+1] == '1' || b[at+1] == '7') // a number with a sign, a zone of time
	if n < 7 || isShort || groups == 1 && n < 9 || !names.EndsWord(b, end) ||
		names.Joined(b, end, lex.Dot|lex.Dash|lex.Slash) || isDecimal(b[at+1:end]) {
		return names.Finding{}
	}
	if isCoordinate(b, at, end) {
		return names.Finding{}
	}
	beginsLine := at == 0 || lex.Newline.Has(b[at-1]) || names.AfterEscape(b, at)
	if end-at-1 == n && isAddend(b, at, end) || beginsLine && isDate(b[at+1:]) { // a line that a diff adds
		return names.Finding{}
	}
	// the number went on
	if end+1 < len(b) && b[end] == ' ' && b[end+1] == lex.MarkerStart[0] && !mayBePhone(number[:n]) {
		switch {
		case w.Cut(end + 1 + lex.MaxMarker):
			return names.Finding{Verdict: names.Undecided, Start: at}
		case w.Marker(end+1) > 0:
			return names.Finding{}
		}
	}
	return names.Finding{Verdict: names.Match, Start: at, End: end}
}

// isDate says whether v begins with a day as ISO 8601 writes it, or with dots, and no number goes on there but a time
// of day.
func isDate(v []byte) bool {
	const size = len("2006-01-02")
	if len(v) < size || v[0] != '1' && v[0] != '2' || v[4] != '-' && v[4] != '.' || v[7] != v[4] {
		return false
	}
	isUpTo := func(i int, most byte) bool {
		n := 10*(v[i]-'0') + v[i+1] - '0'
		return lex.Digits.Within(v[i:i+2]) && n > 0 && n <= most
	}
	if !lex.Digits.Within(v[:4]) || !isUpTo(5, 12) || !isUpTo(8, 31) {
		return false
	}
	rest := v[size:]
	goesOn := len(rest) > 0 && (lex.Digits|lex.Dash|lex.Dot).Has(rest[0]) || len(rest) > 1 && rest[0] == ' ' &&
		(lex.Digits|lex.Paren).Has(rest[1])
	isClock := len(rest) > 3 && rest[0] == ' ' && lex.Digits.Within(rest[1:3]) && rest[3] == ':'
	return !goesOn || isClock
}

const (
	maxPhone   = 15 // digits, with the code of the country (ITU-T E.164)
	mostGroups = 6  // of digits
)

// endsPhone says whether a telephone's number with a sign and blanks ends before i.
func endsPhone(b []byte, i int) bool {
	const longest = maxPhone + mostGroups
	start := (lex.Digits | lex.Blank).RunBack(b, i, longest)
	if start == 0 || b[start-1] != '+' {
		return false
	}
	var number [longest]byte
	v := number[:0]
	for _, c := range b[start:i] {
		if lex.Digits.Has(c) {
			v = append(v, c)
		}
	}
	return mayBePhone(v)
}

// isAddend says whether b[at:end], a sign and digits, is a number that no telephone has, and
// stands in a text that speaks of none: drift +2147483647 ns, 12 (+604800000). What a text or
// a field of it begins with is taken for a number that somebody got wrong.
func isAddend(b []byte, at, end int) bool {
	const mostBlanks = 16
	before := lex.Blank.RunBack(b, at, mostBlanks)
	isInText := before > 0 && at-before < mostBlanks && (b[at-1] == ' ' || b[at-1] == '(')
	return isInText && !mayBePhone(b[at+1:end]) && !speaksOfPhone(b[max(0, at-lex.LookBehind/2):at])
}

// speaksOfPhone says whether a word of telephones is in b.
func speaksOfPhone(b []byte) bool {
	var low [lex.LookBehind]byte
	w := candidate.AppendLower(low[:0], b[max(0, len(b)-lex.LookBehind):])
	for _, part := range []string{"tel", "phone", "fax", "mobil", "movil", "móvil", "cell", "call", "ruf", "dial",
		"whatsapp", "sms", "gsm", "contact", "handy"} {
		if bytes.Contains(w, []byte(part)) {
			return true
		}
	}
	return false
}

// isDecimal says whether v begins with a number with a fraction, rather than the code
// of a country and a number as RFC 5733 2.5 writes them: 1.7035550100.
func isDecimal(v []byte) bool {
	const longestCode, shortest, ofAmerica = 3, 6, 10
	v = v[:(lex.Digits|lex.Dot|lex.Dash).Run(v, 0, len(v))]
	code := lex.Digits.Run(v, 0, len(v))
	if code == len(v) || v[code] != '.' || !lex.Digits.Within(v[code+1:]) {
		return false
	}
	n := len(v) - code - 1
	return code > longestCode || n < shortest || v[0] == '0' || code == 1 &&
		(v[0] != '1' && v[0] != '7' || n != ofAmerica)
}

// Excludes implements Excluder.
func (f NationalPhone) Excludes(b []byte, at, to int) bool {
	return findsNothing(f, b, at, to)
}

// Excludes implements Excluder.
func (f TrunkPhone) Excludes(b []byte, at, to int) bool {
	// A number before the blank is another token, if this one is in no string.
	if start := lex.Digits.RunBack(b, at, 6); start > 0 && lex.Blank.Has(b[start-1]) &&
		!findsNothing(f, b[start:], at-start, to-start) {
		return false
	}
	return findsNothing(f, b, at, to)
}

// Excludes implements Excluder.
func (f InternationalPhone) Excludes(b []byte, at, to int) bool {
	// What follows a blank may begin a token.
	if at > 0 && lex.Blank.Has(b[at-1]) && !findsNothing(f, b[at:], 0, to-at) {
		return false
	}
	return findsNothing(f, b, at, to)
}
