package redact

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/kfw-dev/kfw/redact/lex"
)

// token is the form of a secret that is told by a fixed part: a greedy run of
// body after it. No terminator is asked for.
type token struct {
	prefix []string  // as they are spelled
	hexes  int       // digits of hexadecimal that an anchor has after a prefix that alone is met too often
	fold   bool      // spelled in either case
	lead   lex.Class // what stands before the fixed part, if anything
	leads  [2]int    // how much of it, from and to
	body   lex.Class
	min    int  // bytes of body, at least
	max    int  // bytes of body, at most: a longer run is something else. 0: a longer run is swallowed
	common bool // so short that it turns up in base64: not looked for deep in a run of it
	loose  bool // prefix and body are so rare in anything else that letters may stand on both sides
	plain  bool // the prefix is a word that others use, too: it needs all of its body, and nothing before it
	check  check
	after  int // bytes of the match that stay, from its start
}

// check tells a token from what only looks like one; it is given at most
// lex.MaxLook bytes of it.
type check interface {
	ok(tok []byte) bool
}

type checkFunc func([]byte) bool

func (f checkFunc) ok(tok []byte) bool { return f(tok) }

// expr is a check by a regular expression, compiled when it is first needed.
type expr struct {
	source string
	once   sync.Once
	re     *regexp.Regexp
}

func (e *expr) ok(tok []byte) bool {
	e.once.Do(func() { e.re = regexp.MustCompile(`^(?:` + e.source + `)`) })
	return e.re.Match(tok)
}

const (
	longBody  = 12 // after a prefix that is odd: so long that it needs no boundary before it
	leastBody = 6  // of a token that was cut
)

// isOdd says whether the prefix is one that turns up in nothing but its tokens: no
// word, and no part of a UUID.
func (f *token) isOdd(prefix []byte) bool {
	return f.loose || len(prefix) >= 4 && !f.plain && !f.common && f.lead == 0 && !lex.Alnum.Within(prefix) &&
		!(lex.Hexadecimal|lex.Dash).Within(prefix)
}

// isMixed says whether digits stand in v between letters, or letters between digits.
func isMixed(v []byte) bool {
	changes := 0
	for i := 1; i < len(v); i++ {
		if lex.Digits.Has(v[i]) != lex.Digits.Has(v[i-1]) {
			changes++
		}
	}
	return changes >= 2
}

// cutShort says whether whoever wrote the text cut it at i: it ends there, but
// for the quote and the brackets that were put after it, or goes on in dots.
func cutShort(w window, i int) (isCut, decided bool) {
	const longest = 12
	b := w.text
	rest := b[i:min(len(b), i+longest)]
	if bytes.HasPrefix(rest, []byte("...")) || bytes.HasPrefix(rest, []byte("\u2026")) {
		return true, true
	}
	if len(rest) > 0 && !(lex.Quote | lex.Backslash | lex.Dot | lex.Newline).Has(rest[0]) && rest[0] != "\u2026"[0] {
		return false, true
	}
	end := i + len(rest) - len(bytes.TrimLeft(rest, "\\\"'}])"))
	switch {
	case w.cut(end):
		return false, false
	case end == len(b) || b[end] == '\n':
		return true, true
	}
	return false, !w.cut(i + len("\u2026"))
}

// isMasked says whether v is a row of x, in groups or not, that stands for what a token
// has there: ghp_xxxx.
func isMasked(v []byte) bool {
	const shortest = 12
	n := 0
	for _, c := range v {
		switch {
		case lex.LowerByte(c) == 'x':
			n++
		case lex.Alnum.Has(c):
			return false
		}
	}
	return n >= shortest
}

// blobRun is how much base64 before a short prefix makes it a coincidence.
const blobRun = 128

func (f *token) anchors() []string {
	var a []string
	for _, prefix := range f.prefix {
		a = append(a, foldDigits(strings.ToLower(prefix)))
	}
	for range f.hexes {
		var longer []string
		for _, anchor := range a {
			for _, digit := range "0abcdef" {
				longer = append(longer, anchor+string(digit))
			}
		}
		a = longer
	}
	return a
}

func foldDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}, s)
}

// spelled says whether b is one of the alternatives of the prefix.
func (f *token) spelled(b []byte) bool {
	for _, prefix := range f.prefix {
		if b[0] == prefix[0] && string(b) == prefix || f.fold && lex.EqualFold(b, prefix) {
			return true
		}
	}
	return false
}

func (f *token) find(w window, at, to int) finding {
	to -= f.hexes
	if !f.spelled(w.text[at:to]) {
		return finding{}
	}
	start := at
	if f.lead != 0 {
		start = f.lead.RunBack(w.text, at, f.leads[1]+1)
		if at-start > f.leads[0] && afterEscape(w.text, start+1) {
			start++
		}
		if n := at - start; n < f.leads[0] || n > f.leads[1] {
			return finding{}
		}
	}
	odd := f.isOdd(w.text[at:to])
	if !boundary(w.text, start) && !f.loose && !(odd && f.min >= longBody) {
		return finding{}
	}
	if f.common && at-lex.Base64.RunBack(w.text, at, blobRun) == blobRun {
		return finding{}
	}
	end := f.body.Run(w.text, to, lex.MaxLook)
	look := lex.MaxLook
	if f.max > 0 {
		look = min(look, f.max+1)
		end = min(end, to+look)
	}
	if end-to < look && w.cut(end) {
		return finding{verdict: undecided, start: start + f.after}
	}
	n := end - to
	if isMasked(w.text[to:end]) {
		return finding{}
	}
	if f.max > 0 && n > f.max { // by the signs of the sentence, perhaps
		const signs = 8
		switch last := (lex.Dot | lex.Dash | lex.Underscore).Run(w.text, to+f.max, signs); {
		case last == to+f.max:
		case w.cut(last):
			return finding{verdict: undecided, start: start + f.after}
		case last == len(w.text) || !f.body.Has(w.text[last]):
			n, end = f.max, to+f.max
		}
		if f.loose { // by the next one, perhaps
			switch next, decided := f.isNext(w, to+f.max); {
			case !decided:
				return finding{verdict: undecided, start: start + f.after}
			case next:
				n, end = f.max, to+f.max
			}
		}
	}
	if n < f.min && odd && boundary(w.text, start) && n >= leastBody && isMixed(w.text[to:end]) &&
		!lex.Hexadecimal.Within(w.text[at:end]) {
		switch isCut, decided := cutShort(w, end); {
		case !decided:
			return finding{verdict: undecided, start: start + f.after}
		case isCut:
			return finding{verdict: shortened, start: start + f.after, end: end, class: f.body}
		}
	}
	if n < f.min || f.max > 0 && n > f.max {
		return finding{}
	}
	if f.check != nil && !f.check.ok(w.text[start:end]) {
		return finding{}
	}
	if n == look {
		return finding{verdict: growing, start: start + f.after, end: end, class: f.body}
	}
	if f.body&lex.Alnum != lex.Alnum && !f.loose && end < len(w.text) && lex.Alnum.Has(w.text[end]) {
		return finding{}
	}
	for end > to && w.text[end-1] == '.' { // of the sentence
		end--
	}
	return finding{verdict: match, start: start + f.after, end: end}
}

// isNext says whether the fixed part of another token of this form stands at i.
func (f *token) isNext(w window, i int) (isNext, decided bool) {
	for _, prefix := range f.prefix {
		rest := w.text[i:min(len(w.text), i+len(prefix))]
		switch {
		case string(rest) == prefix:
			return true, true
		case strings.HasPrefix(prefix, string(rest)) && w.cut(i+len(rest)):
			return false, false
		}
	}
	return false, true
}

// excludes implements excluder.
func (f *token) excludes(b []byte, at, to int) bool {
	from, least := to-f.hexes, min(leastBody, f.min)
	return !f.spelled(b[at:from]) || f.body.Run(b, from, least) < from+least || findsNothing(f, b, at, to)
}

// boundary says whether a token may begin at i: after anything but a letter or a
// digit, or after an escape that stands for such.
func boundary(b []byte, i int) bool { return i == 0 || !lex.Alnum.Has(b[i-1]) || afterEscape(b, i) }

// isEscapeLetter says whether the letter at i is that of an escape that is not decoded: the n of \n, with any number
// of backslashes.
func isEscapeLetter(b []byte, i int) bool {
	return i > 0 && b[i-1] == '\\' && strings.IndexByte("nrtbf", b[i]) >= 0
}

// afterEscape says whether an escape that is not decoded stands before i: \n,
// \u000a, %0A.
func afterEscape(b []byte, i int) bool {
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
