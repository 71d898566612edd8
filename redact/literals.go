package redact

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// literals are texts of which every match of an expression holds one, as anchors
// are written: in lower case, digits as 0.
type literals struct {
	texts  []string
	before extent // what may stand before them in the match
	secret extent // and in the secret
	leads  bool   // the secret comes after them
}

const (
	mostLiterals  = 64
	mostClass     = 40 // characters of a class that are told apart
	literalLength = 24 // bytes; more tell nothing more
)

// extent is what a part of an expression matches.
type extent struct {
	min, max int // bytes
	kinds    kinds
	asserts  bool // it asks for more than bytes: a boundary, the start of a line
}

// unbounded is an extent of more bytes than any rule looks at.
const unbounded = 1 << 20

func (e extent) then(next extent) extent {
	return extent{
		min(e.min+next.min, unbounded), min(e.max+next.max, unbounded), e.kinds | next.kinds, e.asserts || next.asserts,
	}
}

func (e extent) or(other extent) extent {
	return extent{min(e.min, other.min), max(e.max, other.max), e.kinds | other.kinds, e.asserts || other.asserts}
}

// times is e repeated; most is -1 for any number.
func (e extent) times(least, most int) extent {
	e.min = min(e.min*least, unbounded)
	if most < 0 && e.max > 0 {
		e.max = unbounded
	}
	e.max = min(e.max*max(most, 1), unbounded)
	if most == 0 {
		return extent{}
	}
	return e
}

func extentOf(re *syntax.Regexp) extent {
	switch re.Op {
	case syntax.OpNoMatch, syntax.OpEmptyMatch:
		return extent{}
	case syntax.OpLiteral:
		var e extent
		for _, r := range re.Rune {
			n := utf8.RuneLen(r)
			e = e.then(extent{min: n, max: n, kinds: kindsOf(r, r)})
			if re.Flags&syntax.FoldCase != 0 {
				e.kinds |= kindsOf(swapCase(r), swapCase(r))
			}
		}
		return e
	case syntax.OpCharClass:
		e := extent{min: utf8.UTFMax}
		for i := 0; i+1 < len(re.Rune); i += 2 {
			lo, hi := re.Rune[i], re.Rune[i+1]
			if lo == hi && isFold(lo) {
				continue
			}
			e.min = min(e.min, max(utf8.RuneLen(lo), 1))
			e.max = max(e.max, max(utf8.RuneLen(hi), 1))
			e.kinds |= kindsOf(lo, hi)
		}
		return e
	case syntax.OpAnyChar:
		return extent{min: 1, max: utf8.UTFMax, kinds: everything}
	case syntax.OpAnyCharNotNL:
		return extent{min: 1, max: utf8.UTFMax, kinds: everything &^ newline}
	case syntax.OpCapture:
		return extentOf(re.Sub[0])
	case syntax.OpConcat:
		var e extent
		for _, sub := range re.Sub {
			e = e.then(extentOf(sub))
		}
		return e
	case syntax.OpAlternate:
		e := extentOf(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			e = e.or(extentOf(sub))
		}
		return e
	case syntax.OpStar:
		return extentOf(re.Sub[0]).times(0, -1)
	case syntax.OpPlus:
		return extentOf(re.Sub[0]).times(1, -1)
	case syntax.OpQuest:
		return extentOf(re.Sub[0]).times(0, 1)
	case syntax.OpRepeat:
		return extentOf(re.Sub[0]).times(re.Min, re.Max)
	}
	return extent{asserts: true}
}

// kindsOf returns the classes of the bytes of the characters from lo to hi.
func kindsOf(lo, hi rune) (k kinds) {
	for r := lo; r <= min(hi, utf8.RuneSelf-1); r++ {
		k |= kindOf[r]
	}
	if hi >= utf8.RuneSelf {
		k |= high | wide
	}
	return k
}

// isFold says whether r is one of the two characters outside ASCII that stand for
// k and s where case does not count. No secret is written with them.
func isFold(r rune) bool { return r == '\u212a' || r == '\u017f' }

func swapCase(r rune) rune {
	if r < utf8.RuneSelf && letters.has(byte(r)) {
		return r ^ 0x20
	}
	return r
}

// repeated returns the classes of what an expression takes in long runs.
func repeated(re *syntax.Regexp) (k kinds) {
	const long = maxLook / 4
	switch re.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		if e := extentOf(re); e.max >= long {
			return e.kinds
		}
	}
	for _, sub := range re.Sub {
		k |= repeated(sub)
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
	found     []literals
}

// literalsOf returns all that can be told, leftmost first. The group is the one
// of the secret, 0 for the first one or, if there is none, the match.
func literalsOf(re *syntax.Regexp, group int) []literals {
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
	f.pass(re, extentOf(re))
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
	known = min(known, literalLength)
	for range known {
		f.walk(re)
	}
	f.endRun()
	if most > 0 {
		most -= known
	}
	f.pass(re, extentOf(re).times(least-known, most))
}

func (f *literalFinder) alternate(re *syntax.Regexp) {
	var all literals
	for i, sub := range re.Sub {
		branch := *f // a run goes on in each branch
		branch.run, branch.found = slices.Clone(f.run), nil
		branch.walk(sub)
		branch.endRun()
		at := strongest(branch.found)
		if at < 0 || len(all.texts)+len(branch.found[at].texts) > mostLiterals {
			all.texts = nil
			break
		}
		best := branch.found[at]
		if i == 0 {
			all = literals{before: best.before, secret: best.secret}
		}
		all.texts = append(all.texts, best.texts...)
		all.before, all.secret = all.before.or(best.before), all.secret.or(best.secret)
		all.leads = all.leads || best.leads
	}
	f.endRun()
	if all.texts != nil {
		f.found = append(f.found, all)
	}
	f.pass(re, extentOf(re))
}

// add puts each of texts after each of the run.
func (f *literalFinder) add(texts []string, re *syntax.Regexp) {
	if len(f.run) > 0 && (len(f.run)*len(texts) > mostLiterals || len(f.run[0]) >= literalLength || f.isEnough(texts)) {
		f.endRun()
	}
	if len(f.run) == 0 {
		f.run, f.runMatch, f.runSecret = []string{""}, f.match, f.secret
	}
	f.run = product(f.run, texts)
	f.pass(re, extentOf(re))
	f.runBegun = f.begun
}

// isEnough says whether the run is better left as it is than made many.
func (f *literalFinder) isEnough(texts []string) bool {
	const few, rare = 8, 15
	return (len(texts) > few || slices.Contains(texts, "") && len(texts) > 1) && strength(f.run) >= rare
}

func (f *literalFinder) endRun() {
	if len(f.run) > 0 && !slices.Contains(f.run, "") {
		slices.Sort(f.run)
		texts := f.run[:0]
		for _, text := range f.run {
			text = text[:min(len(text), literalLength)]
			if len(texts) == 0 || !strings.HasPrefix(text, texts[len(texts)-1]) {
				texts = append(texts, text)
			}
		}
		f.found = append(f.found, literals{texts, f.runMatch, f.runSecret, !f.runBegun})
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
			c, ok := anchorByte(r)
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
			if next == nil || len(texts)*len(next) > mostLiterals || len(texts[0]) > literalLength {
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
		if re.Min != re.Max || re.Max > literalLength || next == nil {
			return nil
		}
		texts := []string{""}
		for range re.Min {
			if len(texts)*len(next) > mostLiterals || len(texts[0]) > literalLength {
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
			if isFold(r) {
				continue
			}
			c, ok := anchorByte(r)
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

// anchorByte returns a character as it stands in an anchor. Some may not: a
// quote, since strings of JSON are told apart by them; what is no printable
// ASCII, since the automaton has few classes.
func anchorByte(r rune) (byte, bool) {
	if r < ' ' || r > '~' || r == '"' {
		return 0, false
	}
	return foldByte(byte(r)), true
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

// strength says how rarely the weakest of texts turns up by chance.
func strength(texts []string) int {
	const most = 40
	weakest := most
	for _, text := range texts {
		n := 0
		for _, c := range []byte(text) {
			switch {
			case letters.has(c):
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

// begin says whether a match may as well be taken to begin with the texts.
func (l *literals) begin() bool { return l.before.min == 0 && !l.before.asserts && l.secret.max == 0 }

// isUsable says whether what comes before the texts in a secret is still at hand
// when they are seen.
func (l *literals) isUsable() bool { return l.secret.kinds&^localPart == 0 && l.secret.max <= maxLead }

// strongest returns the index of the best of all that can be used, the leftmost if
// there are several; -1 for none.
func strongest(all []literals) int {
	const rare, bonus = 10, 20 // for what needs no look back
	best, most := -1, 0
	for i := range all {
		l := &all[i]
		rank := strength(l.texts)
		if l.begin() && rank >= rare {
			rank += bonus
		}
		if l.isUsable() && rank > most {
			best, most = i, rank
		}
	}
	return best
}

// rarest returns the best texts of all to see that an expression does not match
// though one of anchors is there, if any are worth it.
func rarest(all []literals, anchors []string) (texts []string) {
	const few, worth = 8, 9
	most := worth - 1
	for _, l := range all {
		if n := strength(l.texts); len(l.texts) <= few && n > most && !containsAny(anchors, l.texts) {
			texts, most = l.texts, n
		}
	}
	return texts
}

// containsAny says whether one of all holds one of texts.
func containsAny(all, texts []string) bool {
	return slices.ContainsFunc(all, func(s string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(s, text) })
	})
}

// holdsFolded says whether one of texts, as anchors are written, stands in b.
func holdsFolded(b []byte, texts []string) bool {
	for _, text := range texts {
		for i := 0; i+len(text) <= len(b); i++ {
			n := 0
			for n < len(text) && foldByte(b[i+n]) == text[n] {
				n++
			}
			if n == len(text) {
				return true
			}
		}
	}
	return false
}

// foldByte returns a byte as it stands in an anchor.
func foldByte(c byte) byte {
	if digits.has(c) {
		return '0'
	}
	return lowerByte(c)
}
