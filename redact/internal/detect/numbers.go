package detect

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// MaxNumber is the length of the longest number with its separators.
const MaxNumber = 48

// NumberStart returns where the number at the end of b begins, or len(b).
func NumberStart(b []byte) int {
	i := lex.NumberPart.RunBack(b, len(b), MaxNumber)
	for i < len(b) && !lex.Digits.Has(b[i]) && b[i] != '+' && b[i] != '(' {
		i++
	}
	return i
}

// isApart says whether b[start:end] is of no longer word: between two underscores
// it is emphasis, as plain text has it.
func isApart(b []byte, start, end int) bool {
	if start > 0 && end < len(b) && b[start-1] == '_' && b[end] == '_' {
		return true
	}
	return names.StartsWord(b, start) && names.EndsWord(b, end)
}

// joinedBack is joined for what stands before i.
func joinedBack(b []byte, i int, joiners lex.Class) bool {
	return i >= 2 && joiners.Has(b[i-1]) && lex.Digits.Has(b[i-2])
}

// CardNumber is the form of a payment card's number: ISO/IEC 7812, 13 to 19
// digits in one piece or in the groups that are printed on cards.
type CardNumber struct{}

var cardGroups = [][]int{{4, 4, 4, 4, 3}, {4, 4, 4, 4, 2}, {4, 4, 4, 4, 1}, {4, 4, 4, 4}, {4, 4, 4, 1}, {4, 6, 5},
	{4, 6, 4}}

// Find implements names.Form. The anchor is a part of the number, the match all of it.
func (CardNumber) Find(w names.Window, at, to int) names.Finding {
	const look = 24
	b := w.Text
	if isLater(b, at) {
		return names.Finding{}
	}
	if w.Cut(at + look) {
		if end := lex.NumberPart.Run(b, to, look); end == len(b) {
			return names.Finding{Verdict: names.Undecided, Start: lex.Digits.RunBack(b, at, 20)}
		}
	}
	if lex.Digits.Within(b[at:to]) {
		start, end := lex.Digits.RunBack(b, at, 20), lex.Digits.Run(b, to, 20)
		if !isApart(b, start, end) || joinedBack(b, start, lex.Dot) || names.Joined(b, end, lex.Dot) ||
			isNegative(b, start) {
			return names.Finding{}
		}
		if !isCard(b[start:end]) || isOfName(b, start) || isOfURL(b, start) {
			return names.Finding{}
		}
		if isAssignedNumber(b, start, end) {
			return names.Finding{}
		}
		switch isCode, decided := isMachineCode(w, start, end); {
		case !decided:
			return names.Finding{Verdict: names.Undecided, Start: start}
		case isCode:
			return names.Finding{}
		}
		switch isInteger, decided := isInteger(w, start, end); {
		case !decided:
			return names.Finding{Verdict: names.Undecided, Start: start}
		case isInteger:
			return names.Finding{}
		}
		return names.Finding{Verdict: names.Match, Start: start, End: end}
	}
	if !names.StartsWord(b, at) || joinedBack(b, at, lex.Dot) {
		return names.Finding{}
	}
	sep := b[at+4]
	for _, groups := range cardGroups {
		var number [19]byte
		n, i := 0, at
		for g, size := range groups {
			if g > 0 {
				if i >= len(b) || b[i] != sep {
					n = -1
					break
				}
				i++
			}
			if lex.Digits.Run(b, i, size+1) != i+size {
				n = -1
				break
			}
			n += copy(number[n:], b[i:i+size])
			i += size
		}
		if n <= 0 || !names.EndsWord(b, i) || !isCard(number[:n]) {
			continue
		}
		switch isRow, decided := isRowOfNumbers(w, at, i, sep); {
		case !decided:
			return names.Finding{Verdict: names.Undecided, Start: at}
		case !isRow:
			return names.Finding{Verdict: names.Match, Start: at, End: i}
		}
	}
	return names.Finding{}
}

// isLater says whether an anchor of digits alone stands one byte before the one at at, if
// that is such as well: what is said there is said of the whole row of digits.
func isLater(b []byte, at int) bool {
	return at > 0 && lex.Digits.Has(b[at-1]) && lex.Digits.Has(b[at+4])
}

// isAssignedNumber says whether the number b[start:end], longer than most cards', is what a
// program assigns to a name that does not speak of cards.
func isAssignedNumber(b []byte, start, end int) bool {
	const shortest, longest = 17, 18
	sign := lex.Blank.RunBack(b, start, 8)
	if end-start < shortest || end-start > longest || sign == start || sign == 0 || b[sign-1] != '=' {
		return false
	}
	name := lex.Blank.RunBack(b, sign-1, lex.LookBehind/2)
	return name < sign-1 && name > 0 && lex.Word.Has(b[name-1]) &&
		!speaksOfCard(b[lex.Word.RunBack(b, name, names.MaxName):name])
}

// speaksOfCard says whether a word of cards or of payment is in b.
func speaksOfCard(b []byte) bool {
	for part := range bytes.FieldsFuncSeq(b, func(r rune) bool { return r < 'A' || r > 'z' || r > 'Z' && r < 'a' }) {
		if isCardWord(part) {
			return true
		}
	}
	return false
}

// isImmediate says whether the number at i, which has a fraction, is an operand of an
// assembler, or an amount of money: $4503601774854144.0, $(4503601774854144.0).
func isImmediate(b []byte, i int) bool {
	if i > 0 && b[i-1] == '(' {
		i--
	}
	return i > 0 && b[i-1] == '$'
}

// isMachineCode says whether the number b[start:end] is what an instruction is translated
// to: the comment that ends a line of an assembler, which is a mnemonic and its operands.
func isMachineCode(w names.Window, start, end int) (isCode, decided bool) {
	const longest = 200
	b := w.Text
	comment := lex.Blank.RunBack(b, start, 2)
	if comment < 2 || string(b[comment-2:comment]) != "//" {
		return false, true
	}
	if w.Cut(end) {
		return false, false
	}
	line := b[max(0, comment-longest):comment]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	mnemonic := lex.Blank.Run(line, 0, len(line))
	operands := (lex.Upper | lex.HexUpper | lex.Digits | lex.Dot).Run(line, mnemonic, len(line))
	isLast := end == len(b) || lex.Newline.Has(b[end])
	return isLast && operands > mnemonic+1 && operands < len(line) && lex.Blank.Has(line[operands]) &&
		bytes.IndexByte(line[operands:], ',') >= 0, true
}

// isOfName says whether the number at i is the end of a name that a dash joins, such
// as fuzzer-5018..., other than one of a card.
func isOfName(b []byte, i int) bool {
	const longest = 24
	if i < 2 || b[i-1] != '-' {
		return false
	}
	start := lex.Letters.RunBack(b, i-1, longest)
	return start < i-1 && !isCardWord(b[start:i-1])
}

// isCardWord says whether v is a word that speaks of cards or of payment.
func isCardWord(v []byte) bool {
	const longest = 24
	var b [longest]byte
	if len(v) > longest {
		return false
	}
	w := candidate.AppendLower(b[:0], v)
	for _, part := range []string{"card", "karte", "carte", "carta", "tarjeta", "pay", "charge", "wallet",
		"billing", "checkout"} {
		if bytes.Contains(w, []byte(part)) {
			return true
		}
	}
	switch string(w) {
	case "cc", "pan", "ccn", "credit", "debit", "visa", "mc", "amex", "discover", "diners", "jcb", "maestro",
		"unionpay",
		"account", "accounts", "acct", "number", "num", "no", "nr":
		return true
	}
	return false
}

// isOfURL says whether the number at i is a part of a URL's path, or with a 1 at its
// begin of the query, and nothing before it speaks of cards: such are identifiers.
func isOfURL(b []byte, i int) bool {
	const longest = 200
	if i == 0 || b[i-1] != '/' && (b[i-1] != '=' || b[i] != '1') {
		return false
	}
	url := b[lex.NonSpace.RunBack(b, i, longest):i]
	_, path, found := bytes.Cut(url, []byte("://"))
	if !found || b[i-1] == '/' && bytes.ContainsAny(path, "?#") {
		return false
	}
	return !speaksOfCard(path)
}

// isOfDump says whether the number at i stands in a row of integers: apart by blanks from another of
// as many digits, or from the offset that a line begins with, as od(1) shows them.
func isOfDump(b []byte, i int) bool {
	const longest, shortest, offset = 24, 17, 7
	end := lex.Blank.RunBack(b, i, longest)
	start := lex.Hexadecimal.RunBack(b, end, longest)
	if end == i || start == end || start > 0 && !lex.Whitespace.Has(b[start-1]) && b[start-1] != '-' {
		return false
	}
	number := b[start:end]
	isOffset := len(number) >= offset && number[0] == '0' && (start == 0 || lex.Newline.Has(b[start-1]))
	return isOffset || len(number) >= shortest && lex.Digits.Within(number) && !(len(number) <= 19 && isCard(number))
}

// isInteger says whether the number b[start:end] is one of a program's: after another of as
// many digits and a fraction; or, longer than most cards', an integer of 64 bits: int64(...),
// or in a list with a blank between beside another such number that is no card's. A line of
// values apart by commas has no blank.
func isInteger(w names.Window, start, end int) (isInteger, decided bool) {
	const shortest, space = 17, 16
	b := w.Text
	if followsFraction(w, start) {
		return true, true
	}
	if end-start < shortest {
		return false, true
	}
	if isOfDump(b, start) {
		return true, true
	}
	if start > 0 && b[start-1] == '(' {
		kind := lex.Word.RunBack(b, start-1, len("uint64"))
		return bytes.HasSuffix(b[kind:start-1], []byte("int64")), true
	}
	isOther := func(from, to int) bool {
		isWhole := to > from && (to == len(b) || b[to] != '.')
		return isWhole && (isNegative(b, from) || to-from >= shortest && !(to-from <= 19 && isCard(b[from:to])))
	}
	if comma := lex.Whitespace.RunBack(b, start, space); comma > 0 && comma < start && b[comma-1] == ',' {
		if from := lex.Digits.RunBack(b, comma-1, 20); isOther(from, comma-1) {
			return true, true
		}
	}
	if end < len(b) && b[end] == ',' {
		from := lex.Whitespace.Run(b, end+1, space)
		isApart := from > end+1
		from = lex.Dash.Run(b, from, 1)
		to := lex.Digits.Run(b, from, 20)
		return isApart && isOther(from, to), !w.Cut(to)
	}
	return false, !w.Cut(end)
}

// followsFraction says whether the number at i stands in a list after one that has a
// fraction, other than of zeros, and is as long as a card's.
func followsFraction(w names.Window, i int) bool {
	const space, shortest, longest = 16, 15, 20
	b := w.Text
	comma := lex.Whitespace.RunBack(b, i, space)
	if comma == i || comma == 0 || b[comma-1] != ',' {
		return false
	}
	point := lex.Digits.RunBack(b, comma-1, longest) - 1
	return point > 0 && b[point] == '.' && len(bytes.Trim(b[point+1:comma-1], "0")) > 0 &&
		point-lex.Digits.RunBack(b, point, longest) >= shortest
}

// isRow says whether the groups of digits b[start:end] are of a longer row, with sep
// between: three groups of four or five digits stand beside them that are no other card.
// Two are enough before them, or if they are hexadecimal: a date and a code may follow.
func isRowOfNumbers(w names.Window, start, end int, sep byte) (isRow, decided bool) {
	const shortest, longest, fewest, pair = 4, 5, 3, 2
	b := w.Text
	n, isHex := 0, false
	for i := start - 1; n < pair && i > 0 && b[i] == sep; n++ {
		from := lex.Hexadecimal.RunBack(b, i, longest)
		if i-from < shortest || !names.StartsWord(b, from) {
			break
		}
		isHex = isHex || !lex.Digits.Within(b[from:i])
		i = from - 1
	}
	switch {
	case n > 0 && (holdsCard(b, start-1-cardWidth, sep) || endsPhone(b, start-1)):
		n = 0
	case n == pair:
		n = fewest
	}
	next := end
	for n < fewest && next < len(b) && b[next] == sep {
		to := lex.Hexadecimal.Run(b, next+1, longest)
		if w.Cut(to) {
			return false, false
		}
		if to-next-1 < shortest || !names.EndsWord(b, to) {
			break
		}
		isHex = isHex || !lex.Digits.Within(b[next+1:to])
		n++
		next = to
	}
	switch {
	case n < fewest && !(isHex && n == pair):
		return false, !w.Cut(next)
	case next == end:
		return true, true
	case w.Cut(end + 1 + cardWidth):
		return false, false
	}
	return !holdsCard(b, end+1, sep), true
}

// cardWidth is the length of a card's number in four groups.
const cardWidth = 19

// holdsCard says whether a card's number in four groups, with sep between, begins at i.
func holdsCard(b []byte, i int, sep byte) bool {
	var number [16]byte
	if i < 0 || i+cardWidth > len(b) || !names.EndsWord(b, i+cardWidth) {
		return false
	}
	for g := range 4 {
		at := i + g*5
		if !lex.Digits.Within(b[at:at+4]) || g > 0 && b[at-1] != sep {
			return false
		}
		copy(number[g*4:], b[at:at+4])
	}
	return isCard(number[:])
}

// isNegative says whether the number at i has a minus before it, rather than a dash.
func isNegative(b []byte, i int) bool {
	return i > 0 && b[i-1] == '-' && (i == 1 || !lex.Alnum.Has(b[i-2]) && b[i-2] != '-')
}

// CardFloat is the form of a card's number that was read as a floating-point
// number and written back: with a fraction, an exponent or both, as RFC 8259 6
// has them. Only a whole number is one; without a point it has all its digits.
type CardFloat struct{}

// Find implements names.Form. The match is the number with its fraction and exponent.
func (CardFloat) Find(w names.Window, at, to int) names.Finding {
	const maxWhole, maxExponent = 24, 3
	b := w.Text
	if isLater(b, at) {
		return names.Finding{}
	}
	start := lex.Digits.RunBack(b, at+1, MaxNumber)
	if start > 0 && b[start-1] == '.' {
		start = lex.Digits.RunBack(b, start-1, maxWhole)
	}
	point := lex.Digits.Run(b, start, maxWhole)
	hasPoint := point < len(b) && b[point] == '.'
	end := point
	if end < len(b) && b[end] == '.' {
		end = lex.Digits.Run(b, end+1, MaxNumber)
	}
	mantissa := end
	if end < len(b) && (b[end] == 'e' || b[end] == 'E') {
		end++
		if end < len(b) && (b[end] == '-' || b[end] == '+') {
			end++
		}
		end = lex.Digits.Run(b, end, maxExponent)
	}
	if w.Cut(end) || w.Cut(end+1) && b[end] == '.' {
		return names.Finding{Verdict: names.Undecided, Start: start}
	}
	if !hasPoint && (point-start < 13 || start > 0 && b[start-1] == '-') { // part of an identifier in hexadecimal
		return names.Finding{}
	}
	if end == point || !lex.Digits.Has(b[end-1]) || !names.StartsWord(b, start) || joinedBack(b, start, lex.Dot) ||
		!names.EndsWord(b, end) || names.Joined(b, end, lex.Dot) {
		return names.Finding{}
	}
	exponent := 0
	if mantissa < end {
		exponent, _ = strconv.Atoi(string(bytes.TrimPrefix(b[mantissa+1:end], []byte("+")))) // digits, as read above
	}
	var number [19]byte
	n, place := 0, point-start+exponent // how many digits are left before the point
	for i := start; i < mantissa || place > 0; i++ {
		c := byte('0')
		if i < mantissa {
			c = b[i]
		}
		switch {
		case c == '.':
			continue
		case n == 0 && c == '0': // leading
		case place <= 0 && c != '0', n == len(number):
			return names.Finding{}
		case place > 0:
			number[n] = c
			n++
		}
		place--
	}
	if !isCard(number[:n]) || isImmediate(b, start) {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// isCard checks the issuer's range, its length, and the check digit (ISO/IEC
// 7812-1 annex B, Luhn).
func isCard(d []byte) bool {
	if len(d) < 13 || len(d) > 19 {
		return false
	}
	same := true
	sum := 0
	for i := range d {
		n := int(d[len(d)-1-i] - '0')
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
		same = same && d[i] == d[0]
	}
	if sum%10 != 0 || same {
		return false
	}
	head := func(n int) int {
		v := 0
		for _, c := range d[:n] {
			v = v*10 + int(c-'0')
		}
		return v
	}
	between := func(v, from, to int) bool { return v >= from && v <= to }
	switch n := len(d); {
	case d[0] == '4': // Visa
		return n == 13 || n == 16 || n == 18 || n == 19
	case between(head(2), 51, 55), between(head(4), 2221, 2720): // Mastercard
		return n == 16
	case head(2) == 34, head(2) == 37: // American Express
		return n == 15
	case between(head(3), 300, 305), head(4) == 3095, head(2) == 36, head(2) == 38, head(2) == 39: // Diners Club
		return n == 14 || n == 16
	case head(4) == 6011, between(head(3), 644, 649), head(2) == 65: // Discover
		return n == 16 || n == 19
	case between(head(4), 3528, 3589): // JCB
		return n >= 16
	case head(4) == 2131, head(4) == 1800: // JCB, of old
		return n == 15
	case d[0] == '1' && d[1] != '0': // UATP; with a 0, the numbers of social networks begin
		return n == 15
	case head(2) == 62, head(2) == 81: // UnionPay
		return n >= 16
	case between(head(4), 2200, 2204): // Mir
		return n >= 16
	// Maestro and others
	case head(2) == 50, between(head(2), 56, 58), head(2) == 60, head(2) == 63, between(head(2), 67, 69):
		return n == 13 || n == 15 || n == 16 || n == 18 || n == 19
	}
	return false
}

// TrackData is the form of what is on a card's magnetic stripe (ISO/IEC 7813).
type TrackData struct{}

// Find implements names.Form. The match is a track with its sentinels; the last one may be
// missing after an =.
func (TrackData) Find(w names.Window, at, to int) names.Finding {
	const look = 110
	b := w.Text
	end := lex.Digits.Run(b, to, 20)
	sep, rest := byte('='), lex.Digits
	if b[at] == '%' {
		sep, rest = '^', lex.Everything&^lex.Newline
	}
	if w.Cut(end) {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	if end == len(b) || b[end] != sep || end-at < 13 {
		return names.Finding{}
	}
	for i := end + 1; i < at+look; i++ {
		switch {
		case w.Cut(i):
			return names.Finding{Verdict: names.Undecided, Start: at}
		case i < len(b) && b[i] == '?':
			return names.Finding{Verdict: names.Match, Start: at, End: i + 1}
		case i == len(b) || !rest.Has(b[i]):
			if sep == '=' && i-end > 7 {
				return names.Finding{Verdict: names.Match, Start: at, End: i}
			}
			return names.Finding{}
		}
	}
	return names.Finding{}
}

// SocialSecurity is the form of a US social security number, ddd-dd-dddd, in
// the ranges that are issued (SSA, POMS RM 10201).
type SocialSecurity struct{}

// Find implements names.Form. The match is the anchor.
func (SocialSecurity) Find(w names.Window, at, to int) names.Finding {
	b := w.Text
	if w.Cut(to + 1) {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	if !isApart(b, at, to) || joinedBack(b, at, lex.Dot|lex.Dash) || names.Joined(b, to, lex.Dot|lex.Dash) {
		return names.Finding{}
	}
	area, group, serial := b[at:at+3], b[at+4:at+6], b[at+7:to]
	if area[0] == '9' || string(area) == "000" || string(area) == "666" || string(group) == "00" ||
		string(serial) == "0000" {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: at, End: to}
}

// accountNumber is the form of an International Bank Account Number (ISO 13616,
// SWIFT's IBAN registry).
type accountNumber struct{ countries map[string]ibanFormat }

type ibanFormat struct {
	length  int
	numeric bool // no letters but the country's
}

// ibanFormats has the length of each country's numbers, and n if they are numeric.
const ibanFormats = "AD24 AE23n AL28 AT20n AZ28 BA20n BE16n BG22 BH22 BI27n BR29 BY28 CH21 CR22n CY28 CZ24n DE22n " +
	"DJ27n DK18n DO28 EE20n EG29n ES24n FI18n FK18 FO18n FR27 GB22 GE22 GI23 GL18n GR27 GT28 HN28 HR21n HU28n " +
	"IE22 IL23n IQ23 IS26n IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20n LU20 LV21 LY25n MC27 MD24 ME22n MK19 " +
	"MN20n MR27n MT31 MU30 NI28 NL18 NO15n OM23 PK24 PL28n PS29 PT25n QA29 RO24 RS22n RU33 SA24 SC31 " +
	"SD18n SE24n SI19n SK24n SM27 SO23n ST25n SV28 TL23n TN24n TR26 UA29 VA22n VG24 XK20n YE30"

// NewAccountNumber returns the form of IBANs.
func NewAccountNumber() accountNumber {
	f := accountNumber{make(map[string]ibanFormat)}
	for entry := range strings.FieldsSeq(ibanFormats) {
		length, numeric := strings.CutSuffix(entry[2:], "n")
		n, _ := strconv.Atoi(length) // digits, as the table above shows
		f.countries[entry[:2]] = ibanFormat{n, numeric}
	}
	return f
}

// Anchors returns a country and its first digits each, in order.
func (f accountNumber) Anchors() []string {
	var a []string
	for _, country := range slices.Sorted(maps.Keys(f.countries)) {
		a = append(a, strings.ToLower(country)+"00")
	}
	return a
}

func (f accountNumber) Find(w names.Window, at, to int) names.Finding {
	const longest = 34
	b := w.Text
	country := f.countries[string([]byte{b[at] &^ 0x20, b[at+1] &^ 0x20})]
	glued := country.numeric && at > 0 && lex.Letters.Has(b[at-1]) // so many digits after letters are nothing else
	if !names.StartsWord(b, at) && !glued || at > 1 && b[at-1] == '-' && lex.Alnum.Has(b[at-2]) {
		return names.Finding{}
	}
	var number [longest]byte
	n, i := 0, at
	var sep byte // between groups of four, if they are apart
	for ; i < len(b) && n < country.length; i++ {
		c := b[i]
		switch {
		case n == 4 && i == to && (c == ' ' || c == '-'):
			sep = c
			continue
		case sep != 0 && n%4 == 0 && i > to && lex.Alnum.Has(b[i-1]):
			if c != sep {
				return names.Finding{}
			}
			continue
		case lex.Letters.Has(c) && (n < 4 || !country.numeric):
			c &^= 0x20
		case !lex.Digits.Has(c):
			return names.Finding{}
		}
		number[n] = c
		n++
	}
	if w.Cut(i) {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	if n < country.length || !names.EndsWord(b, i) && !(glued && lex.Letters.Has(b[i])) || !isAccount(number[:n]) {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: at, End: i}
}

// isAccount checks an IBAN's check digits (ISO 7064, MOD 97-10).
func isAccount(d []byte) bool {
	rest := 0
	for i := range d {
		switch c := d[(i+4)%len(d)]; {
		case lex.Digits.Has(c):
			rest = (rest*10 + int(c-'0')) % 97
		default:
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}

// Excludes implements Excluder.
func (f CardNumber) Excludes(b []byte, at, to int) bool {
	return findsNothing(f, b, at, to)
}

// Excludes implements Excluder.
func (f CardFloat) Excludes(b []byte, at, to int) bool {
	return findsNothing(f, b, at, to)
}

// Excludes implements Excluder.
func (f SocialSecurity) Excludes(b []byte, at, to int) bool {
	return findsNothing(f, b, at, to)
}

// Excludes implements Excluder.
func (f accountNumber) Excludes(b []byte, at, to int) bool {
	return findsNothing(f, b, at, to)
}
