package prefilter

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/lex"
)

// Literals are texts of which every match of an expression holds one, as anchors
// are written: in lower case, digits as 0.
type Literals struct {
	Texts  []string
	Before extent // what may stand before them in the match
	Secret extent // and in the secret
	Leads  bool   // the secret comes after them
}

const (
	mostLiterals  = 64
	mostClass     = 40 // characters of a class that are told apart
	LiteralLength = 24 // bytes; more tell nothing more
)

// extent is what a part of an expression matches.
type extent struct {
	Min, Max int // bytes
	Kinds    lex.Class
	asserts  bool // it asks for more than bytes: a boundary, the start of a line
}

// unbounded is an extent of more bytes than any rule looks at.
const unbounded = 1 << 20

func (e extent) then(next extent) extent {
	return extent{
		min(e.Min+next.Min, unbounded), min(e.Max+next.Max, unbounded), e.Kinds | next.Kinds, e.asserts || next.asserts,
	}
}

func (e extent) or(other extent) extent {
	return extent{min(e.Min, other.Min), max(e.Max, other.Max), e.Kinds | other.Kinds, e.asserts || other.asserts}
}

// times is e repeated; most is -1 for any number.
func (e extent) times(least, most int) extent {
	e.Min = min(e.Min*least, unbounded)
	if most < 0 && e.Max > 0 {
		e.Max = unbounded
	}
	e.Max = min(e.Max*max(most, 1), unbounded)
	if most == 0 {
		return extent{}
	}
	return e
}

// ExtentOf returns how many bytes a match of re has, at least and at most, and their classes. A
// Max of 1 MiB is no bound.
func ExtentOf(re *syntax.Regexp) extent {
	switch re.Op {
	case syntax.OpNoMatch, syntax.OpEmptyMatch:
		return extent{}
	case syntax.OpLiteral:
		var e extent
		for _, r := range re.Rune {
			n := utf8.RuneLen(r)
			e = e.then(extent{Min: n, Max: n, Kinds: kindsOf(r, r)})
			if re.Flags&syntax.FoldCase != 0 {
				e.Kinds |= kindsOf(swapCase(r), swapCase(r))
			}
		}
		return e
	case syntax.OpCharClass:
		e := extent{Min: utf8.UTFMax}
		for i := 0; i+1 < len(re.Rune); i += 2 {
			lo, hi := re.Rune[i], re.Rune[i+1]
			if lo == hi && IsFold(lo) {
				continue
			}
			e.Min = min(e.Min, max(utf8.RuneLen(lo), 1))
			e.Max = max(e.Max, max(utf8.RuneLen(hi), 1))
			e.Kinds |= kindsOf(lo, hi)
		}
		return e
	case syntax.OpAnyChar:
		return extent{Min: 1, Max: utf8.UTFMax, Kinds: lex.Everything}
	case syntax.OpAnyCharNotNL:
		return extent{Min: 1, Max: utf8.UTFMax, Kinds: lex.Everything &^ lex.Newline}
	case syntax.OpCapture:
		return ExtentOf(re.Sub[0])
	case syntax.OpConcat:
		var e extent
		for _, sub := range re.Sub {
			e = e.then(ExtentOf(sub))
		}
		return e
	case syntax.OpAlternate:
		e := ExtentOf(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			e = e.or(ExtentOf(sub))
		}
		return e
	case syntax.OpStar:
		return ExtentOf(re.Sub[0]).times(0, -1)
	case syntax.OpPlus:
		return ExtentOf(re.Sub[0]).times(1, -1)
	case syntax.OpQuest:
		return ExtentOf(re.Sub[0]).times(0, 1)
	case syntax.OpRepeat:
		return ExtentOf(re.Sub[0]).times(re.Min, re.Max)
	}
	return extent{asserts: true}
}

// kindsOf returns the classes of the bytes of the characters from lo to hi.
func kindsOf(lo, hi rune) (k lex.Class) {
	for r := lo; r <= min(hi, utf8.RuneSelf-1); r++ {
		k |= lex.KindOf[r]
	}
	if hi >= utf8.RuneSelf {
		k |= lex.High | lex.Wide
	}
	return k
}

// IsFold says whether r is one of the two characters outside ASCII that stand for
// k and s where case does not count. No secret is written with them.
func IsFold(r rune) bool { return r == '\u212a' || r == '\u017f' }

func swapCase(r rune) rune {
	if r < utf8.RuneSelf && lex.Letters.Has(byte(r)) {
		return r ^ 0x20
	}
	return r
}

// Repeated returns the classes of what an expression takes in long runs.
func Repeated(re *syntax.Regexp) (k lex.Class) {
	const long = lex.MaxLook / 4
	switch re.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		if e := ExtentOf(re); e.Max >= long {
			return e.Kinds
		}
	}
	for _, sub := range re.Sub {
		k |= Repeated(sub)
	}
	return k
}

// literalFinder goes through an expression from left to right.
type literalFinder struct {
	group int // the secret; 0: the first group

	match  extent // up to here
	secret extent
	begun  bool // the secret has

	run       []string // what may stand in a row before here
	runMatch  extent   // at its start
	runSecret extent
	runBegun  bool // the secret has at its end
	found     []Literals
}

// LiteralsOf returns all that can be told, leftmost first. The group is the one
// of the secret, 0 for the first one or, if there is none, the match.
func LiteralsOf(re *syntax.Regexp, group int) []Literals {
	f := literalFinder{group: group, begun: re.MaxCap() == 0}
	f.walk(re)
	f.endRun()
	return f.found
}

func (f *literalFinder) walk(re *syntax.Regexp) {
	if texts := exactly(re); texts != nil {
		f.add(texts, re)
		return
	}
	switch re.Op {
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			f.walk(sub)
		}
	case syntax.OpCapture:
		f.begun = f.begun || f.isSecret(re)
		f.walk(re.Sub[0])
	case syntax.OpLiteral: // with a character that no anchor may have
		if len(re.Rune) == 1 {
			f.skip(re)
			return
		}
		for i := range re.Rune {
			f.walk(&syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: re.Rune[i : i+1]})
		}
	case syntax.OpPlus:
		f.repeat(re.Sub[0], 1, -1)
	case syntax.OpRepeat:
		f.repeat(re.Sub[0], re.Min, re.Max)
	case syntax.OpAlternate:
		f.alternate(re)
	default:
		f.skip(re)
	}
}

// skip passes over what no text is known of.
func (f *literalFinder) skip(re *syntax.Regexp) {
	f.endRun()
	f.pass(re, ExtentOf(re))
}

func (f *literalFinder) pass(re *syntax.Regexp, e extent) {
	f.begun = f.begun || f.holdsSecret(re)
	f.match = f.match.then(e)
	if f.begun {
		f.secret = f.secret.then(e)
	}
}

func (f *literalFinder) repeat(re *syntax.Regexp, least, most int) {
	known := least
	if texts := exactly(re); len(texts) != 1 {
		known = min(least, 1)
	}
	known = min(known, LiteralLength)
	for range known {
		f.walk(re)
	}
	f.endRun()
	if most > 0 {
		most -= known
	}
	f.pass(re, ExtentOf(re).times(least-known, most))
}

func (f *literalFinder) alternate(re *syntax.Regexp) {
	var all Literals
	for i, sub := range re.Sub {
		branch := *f // a run goes on in each branch
		branch.run, branch.found = slices.Clone(f.run), nil
		branch.walk(sub)
		branch.endRun()
		at := Strongest(branch.found)
		if at < 0 || len(all.Texts)+len(branch.found[at].Texts) > mostLiterals {
			all.Texts = nil
			break
		}
		best := branch.found[at]
		if i == 0 {
			all = Literals{Before: best.Before, Secret: best.Secret}
		}
		all.Texts = append(all.Texts, best.Texts...)
		all.Before, all.Secret = all.Before.or(best.Before), all.Secret.or(best.Secret)
		all.Leads = all.Leads || best.Leads
	}
	f.endRun()
	if all.Texts != nil {
		f.found = append(f.found, all)
	}
	f.pass(re, ExtentOf(re))
}

// add puts each of texts after each of the run.
func (f *literalFinder) add(texts []string, re *syntax.Regexp) {
	if len(f.run) > 0 && (len(f.run)*len(texts) > mostLiterals || len(f.run[0]) >= LiteralLength || f.isEnough(texts)) {
		f.endRun()
	}
	if len(f.run) == 0 {
		f.run, f.runMatch, f.runSecret = []string{""}, f.match, f.secret
	}
	f.run = product(f.run, texts)
	f.pass(re, ExtentOf(re))
	f.runBegun = f.begun
}

// isEnough says whether the run is better left as it is than made many.
func (f *literalFinder) isEnough(texts []string) bool {
	const few, rare = 8, 15
	return (len(texts) > few || slices.Contains(texts, "") && len(texts) > 1) && Strength(f.run) >= rare
}

func (f *literalFinder) endRun() {
	if len(f.run) > 0 && !slices.Contains(f.run, "") {
		slices.Sort(f.run)
		texts := f.run[:0]
		for _, text := range f.run {
			text = text[:min(len(text), LiteralLength)]
			if len(texts) == 0 || !strings.HasPrefix(text, texts[len(texts)-1]) {
				texts = append(texts, text)
			}
		}
		f.found = append(f.found, Literals{texts, f.runMatch, f.runSecret, !f.runBegun})
	}
	f.run = nil
}

func (f *literalFinder) isSecret(re *syntax.Regexp) bool {
	return re.Op == syntax.OpCapture && (f.group == 0 || re.Cap == f.group)
}

func (f *literalFinder) holdsSecret(re *syntax.Regexp) bool {
	return f.isSecret(re) || slices.ContainsFunc(re.Sub, f.holdsSecret)
}

// exactly returns all that an expression matches, nil if that is too much or has
// a character that no anchor may have.
func exactly(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		var b strings.Builder
		for _, r := range re.Rune {
			c, ok := AnchorByte(r)
			if !ok {
				return nil
			}
			b.WriteByte(c)
		}
		return []string{b.String()}
	case syntax.OpCharClass:
		return exactClass(re.Rune)
	case syntax.OpCapture:
		return exactly(re.Sub[0])
	case syntax.OpConcat:
		texts := []string{""}
		for _, sub := range re.Sub {
			next := exactly(sub)
			if next == nil || len(texts)*len(next) > mostLiterals || len(texts[0]) > LiteralLength {
				return nil
			}
			texts = product(texts, next)
		}
		return texts
	case syntax.OpAlternate:
		var texts []string
		for _, sub := range re.Sub {
			next := exactly(sub)
			if next == nil || len(texts)+len(next) > mostLiterals {
				return nil
			}
			texts = append(texts, next...)
		}
		return texts
	case syntax.OpQuest:
		if texts := exactly(re.Sub[0]); texts != nil {
			return append([]string{""}, texts...)
		}
		return nil
	case syntax.OpRepeat:
		next := exactly(re.Sub[0])
		if re.Min != re.Max || re.Max > LiteralLength || next == nil {
			return nil
		}
		texts := []string{""}
		for range re.Min {
			if len(texts)*len(next) > mostLiterals || len(texts[0]) > LiteralLength {
				return nil
			}
			texts = product(texts, next)
		}
		return texts
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}
	}
	return nil
}

func exactClass(ranges []rune) []string {
	var set [utf8.RuneSelf]bool
	var texts []string
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if IsFold(r) {
				continue
			}
			c, ok := AnchorByte(r)
			if !ok {
				return nil
			}
			if !set[c] {
				set[c] = true
				texts = append(texts, string(rune(c)))
			}
			if len(texts) > mostClass {
				return nil
			}
		}
	}
	return texts
}

// AnchorByte returns a character as it stands in an anchor. Some may not: a
// quote, since strings of JSON are told apart by them; what is no printable
// ASCII, since the automaton has few classes.
func AnchorByte(r rune) (byte, bool) {
	if r < ' ' || r > '~' || r == '"' {
		return 0, false
	}
	return FoldByte(byte(r)), true
}

func product(a, b []string) []string {
	all := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			all = append(all, x+y)
		}
	}
	return all
}

// Strength says how rarely the weakest of texts turns up by chance.
func Strength(texts []string) int {
	const most = 40
	weakest := most
	for _, text := range texts {
		n := 0
		for _, c := range []byte(text) {
			switch {
			case lex.Letters.Has(c):
				n += 5
			case c == '0':
				n++
			default:
				n += 4
			}
		}
		weakest = min(weakest, n)
	}
	return weakest
}

// Begin says whether a match may as well be taken to begin with the texts.
func (l *Literals) Begin() bool { return l.Before.Min == 0 && !l.Before.asserts && l.Secret.Max == 0 }

// isUsable says whether what comes before the texts in a secret is still held
// when they are seen.
func (l *Literals) isUsable() bool {
	return l.Secret.Kinds&^lex.LocalPart == 0 && l.Secret.Max <= lex.MaxLead
}

// Strongest returns the index of the best of all that can be used, the leftmost if
// there are several; -1 for none.
func Strongest(all []Literals) int {
	const rare, bonus = 10, 20 // for what needs no look back
	best, most := -1, 0
	for i := range all {
		l := &all[i]
		rank := Strength(l.Texts)
		if l.Begin() && rank >= rare {
			rank += bonus
		}
		if l.isUsable() && rank > most {
			best, most = i, rank
		}
	}
	return best
}

// Rarest returns the best texts of all to see that an expression does not match
// though one of anchors is there, if any are worth it.
func Rarest(all []Literals, anchors []string) (texts []string) {
	const few, worth = 8, 9
	most := worth - 1
	for _, l := range all {
		if n := Strength(l.Texts); len(l.Texts) <= few && n > most && !ContainsAny(anchors, l.Texts) {
			texts, most = l.Texts, n
		}
	}
	return texts
}

// ContainsAny says whether one of all holds one of texts.
func ContainsAny(all, texts []string) bool {
	return slices.ContainsFunc(all, func(s string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(s, text) })
	})
}

// HoldsFolded says whether one of texts, as anchors are written, stands in b.
func HoldsFolded(b []byte, texts []string) bool {
	for _, text := range texts {
		for i := 0; i+len(text) <= len(b); i++ {
			n := 0
			for n < len(text) && FoldByte(b[i+n]) == text[n] {
				n++
			}
			if n == len(text) {
				return true
			}
		}
	}
	return false
}

// FoldByte returns a byte as it stands in an anchor.
func FoldByte(c byte) byte {
	if lex.Digits.Has(c) {
		return '0'
	}
	return lex.LowerByte(c)
}
