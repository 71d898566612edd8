package detect

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Token is the form of a secret that is told by a fixed part: a greedy run of
// body after it. No terminator is asked for.
type Token struct {
	prefix []string  // as they are spelled
	hexes  int       // digits of hexadecimal that an anchor has after a prefix that alone is met too often
	fold   bool      // spelled in either case
	Lead   lex.Class // what stands before the fixed part, if anything
	Leads  [2]int    // how much of it, from and to
	behind string    // a word that the token may stand right behind
	body   lex.Class
	Min    int  // bytes of body, at least
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
func (f *Token) isOdd(prefix []byte) bool {
	return f.loose || len(prefix) >= 4 && !f.plain && !f.common && f.Lead == 0 && !lex.Alnum.Within(prefix) &&
		!(lex.Hexadecimal|lex.Dash).Within(prefix)
}

// IsMixed says whether digits stand in v between letters, or letters between digits.
func IsMixed(v []byte) bool {
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
func cutShort(w names.Window, i int) (isCut, decided bool) {
	const longest = 12
	b := w.Text
	rest := b[i:min(len(b), i+longest)]
	if bytes.HasPrefix(rest, []byte("...")) || bytes.HasPrefix(rest, []byte("\u2026")) {
		return true, true
	}
	if len(rest) > 0 && !(lex.Quote | lex.Backslash | lex.Dot | lex.Newline).Has(rest[0]) && rest[0] != "\u2026"[0] {
		return false, true
	}
	end := i + len(rest) - len(bytes.TrimLeft(rest, "\\\"'}])"))
	switch {
	case w.Cut(end):
		return false, false
	case end == len(b) || lex.Newline.Has(b[end]):
		return true, true
	}
	return false, !w.Cut(i + len("\u2026"))
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

func (f *Token) anchors() []string {
	var a []string
	for _, prefix := range f.prefix {
		a = append(a, names.FoldDigits(strings.ToLower(prefix)))
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

// spelled says whether b is one of the alternatives of the prefix.
func (f *Token) spelled(b []byte) bool {
	for _, prefix := range f.prefix {
		if b[0] == prefix[0] && string(b) == prefix || f.fold && lex.EqualFold(b, prefix) {
			return true
		}
	}
	return false
}

// Find implements names.Form. The match is the token without its first f.after bytes.
func (f *Token) Find(w names.Window, at, to int) names.Finding {
	to -= f.hexes
	if !f.spelled(w.Text[at:to]) {
		return names.Finding{}
	}
	start := at
	if f.Lead != 0 {
		start = f.Lead.RunBack(w.Text, at, f.Leads[1]+1)
		if at-start > f.Leads[0] && names.AfterEscape(w.Text, start+1) {
			start++
		}
		if n := at - start; n < f.Leads[0] || n > f.Leads[1] {
			return names.Finding{}
		}
	}
	odd := f.isOdd(w.Text[at:to])
	isBehind := f.behind != "" && bytes.HasSuffix(w.Text[:start], []byte(f.behind))
	if !names.Boundary(w.Text, start) && !isBehind && !f.loose && !(odd && f.Min >= longBody) {
		return names.Finding{}
	}
	if f.common && at-lex.Base64.RunBack(w.Text, at, blobRun) == blobRun {
		return names.Finding{}
	}
	end := f.body.Run(w.Text, to, lex.MaxLook)
	look := lex.MaxLook
	if f.max > 0 {
		look = min(look, f.max+1)
		end = min(end, to+look)
	}
	if end-to < look && w.Cut(end) {
		return names.Finding{Verdict: names.Undecided, Start: start + f.after}
	}
	n := end - to
	if isMasked(w.Text[to:end]) {
		return names.Finding{}
	}
	if f.max > 0 && n > f.max { // by the signs of the sentence, perhaps
		const signs = 8
		switch last := (lex.Dot | lex.Dash | lex.Underscore).Run(w.Text, to+f.max, signs); {
		case last == to+f.max:
		case w.Cut(last):
			return names.Finding{Verdict: names.Undecided, Start: start + f.after}
		case last == len(w.Text) || !f.body.Has(w.Text[last]):
			n, end = f.max, to+f.max
		}
		if f.loose { // by the next one, perhaps
			switch next, decided := f.isNext(w, to+f.max); {
			case !decided:
				return names.Finding{Verdict: names.Undecided, Start: start + f.after}
			case next:
				n, end = f.max, to+f.max
			}
		}
	}
	if n < f.Min && odd && names.Boundary(w.Text, start) && n >= leastBody && IsMixed(w.Text[to:end]) &&
		!lex.Hexadecimal.Within(w.Text[at:end]) {
		switch isCut, decided := cutShort(w, end); {
		case !decided:
			return names.Finding{Verdict: names.Undecided, Start: start + f.after}
		case isCut:
			return names.Finding{Verdict: names.Shortened, Start: start + f.after, End: end, Class: f.body}
		}
	}
	if n < f.Min || f.max > 0 && n > f.max {
		return names.Finding{}
	}
	if f.check != nil && !f.check.ok(w.Text[start:end]) {
		return names.Finding{}
	}
	if n == look {
		return names.Finding{Verdict: names.OpenEnded, Start: start + f.after, End: end, Class: f.body}
	}
	if f.body&lex.Alnum != lex.Alnum && !f.loose && end < len(w.Text) && lex.Alnum.Has(w.Text[end]) {
		return names.Finding{}
	}
	for end > to && w.Text[end-1] == '.' { // of the sentence
		end--
	}
	return names.Finding{Verdict: names.Match, Start: start + f.after, End: end}
}

// isNext says whether the fixed part of another token of this form stands at i.
func (f *Token) isNext(w names.Window, i int) (isNext, decided bool) {
	for _, prefix := range f.prefix {
		rest := w.Text[i:min(len(w.Text), i+len(prefix))]
		switch {
		case string(rest) == prefix:
			return true, true
		case strings.HasPrefix(prefix, string(rest)) && w.Cut(i+len(rest)):
			return false, false
		}
	}
	return false, true
}

// Excludes implements Excluder.
func (f *Token) Excludes(b []byte, at, to int) bool {
	from, least := to-f.hexes, min(leastBody, f.Min)
	return !f.spelled(b[at:from]) || f.body.Run(b, from, least) < from+least || findsNothing(f, b, at, to)
}

// IsEscapeLetter says whether the letter at i is that of an escape that is not decoded: the n of \n, with any number
// of backslashes.
func IsEscapeLetter(b []byte, i int) bool {
	return i > 0 && b[i-1] == '\\' && strings.IndexByte("nrtbf", b[i]) >= 0
}
