package gitleaks

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/prefilter"
)

// Pattern is the form of a rule of a RuleFile: a regular expression that is asked
// near its anchors only.
type Pattern struct {
	source  string
	groups  int
	group   int     // of the secret; 0: the first one that holds something, or all
	entropy float64 // bits per byte that the secret must be above, if not 0
	allowed []*allowlist
	anchors []string
	also    []string // one of them stands from the anchor on, if there are any

	Leads  bool      // the secret comes after the anchor
	nearby bool      // the anchors need not be in a match, which may begin up to look bytes after
	lead   int       // how far before its anchor a match may begin, in bytes
	reach  int       // and the secret
	look   int       // from the start of the anchor to the end of what is looked at
	grows  lex.Class // what a match goes on with that is longer than that

	once     [3]sync.Once
	compiled [3]*regexp.Regexp // by where
}

// where is how an expression is asked.
type where int

const (
	anywhere where = iota
	atStart        // of the text, and of the match
	inside         // the match begins after one byte
)

const (
	// slack is what may be looked at beyond a match: the rest of a marker.
	slack = lex.MaxMarker + 8
	// farLead is how far before its anchor a match may begin whose secret does not.
	farLead = lex.LookBehind/2 - slack
	// telling is the strength of a text that is not written by chance.
	telling = 20
)

var errNoAnchor = errors.New("nothing to find it by")

// newPattern understands a regular expression. Its errors do not quote it.
func newPattern(source string, group int, keywords []string) (*Pattern, error) {
	tree, err := parseExpression(source)
	if err != nil {
		return nil, err
	}
	p := &Pattern{source: source, group: group, groups: tree.MaxCap()}
	known := prefilter.LiteralsOf(tree, group)
	folded := anchorsIn(keywords)
	var best prefilter.Literals
	at := prefilter.Strongest(known)
	if at >= 0 {
		best = known[at]
	}
	switch n := prefilter.Strength(best.Texts); {
	case at >= 0 && (n >= telling || n >= telling/2 && implies(known, folded)):
	case len(folded) > 0:
		p.nearby, p.Leads, p.anchors = true, true, folded
	case at < 0:
		return nil, errNoAnchor
	}
	whole := prefilter.ExtentOf(tree)
	p.look = lex.MaxLook
	if !p.nearby {
		p.anchors, p.also = best.Texts, prefilter.Rarest(known[at+1:], best.Texts)
		p.look = min(lex.MaxLook, whole.Max+slack)
		p.reach, p.Leads = best.Secret.Max, best.Leads
		if !best.Begin() {
			p.lead = min(best.Before.Max, farLead)
		}
	}
	if p.nearby || p.look == lex.MaxLook {
		if p.grows = prefilter.Repeated(tree); p.grows == 0 {
			p.grows = whole.Kinds &^ lex.Whitespace
		}
	}
	return p, nil
}

// parseExpression parses a regular expression. Its error is a reason that does
// not quote it.
func parseExpression(source string) (*syntax.Regexp, error) {
	const most = 64 << 10
	if len(source) > most {
		return nil, errors.New("longer than 64 KiB")
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if bad, ok := errors.AsType[*syntax.Error](err); ok {
		if bad.Code == syntax.ErrInvalidRepeatSize {
			return nil, errors.New("a repeat of more than 1000, or of less than nothing")
		}
		return nil, errors.New(string(bad.Code))
	}
	return tree, err
}

// anchorsIn returns keywords as anchors: of each what an anchor may hold.
func anchorsIn(keywords []string) (anchors []string) {
	for _, keyword := range keywords {
		best, run := "", ""
		for _, r := range keyword + "\x00" {
			c, ok := prefilter.AnchorByte(r)
			if ok && len(run) < prefilter.LiteralLength {
				run += string(rune(c))
				continue
			}
			if len(run) > len(best) {
				best = run
			}
			run = ""
		}
		if best != "" && !slices.Contains(anchors, best) {
			anchors = append(anchors, best)
		}
	}
	return anchors
}

// implies says whether every match holds a keyword, so that a keyword is nothing
// to ask for.
func implies(known []prefilter.Literals, keywords []string) bool {
	return len(keywords) == 0 || slices.ContainsFunc(known, func(l prefilter.Literals) bool {
		return !slices.ContainsFunc(l.Texts,
			func(text string) bool { return !prefilter.ContainsAny([]string{text}, keywords) })
	})
}

// allow adds allowlists.
func (p *Pattern) allow(lists []*allowlist) {
	p.allowed = append(p.allowed, lists...)
	for _, a := range lists {
		if a.target == "line" {
			p.look = lex.MaxLook
		}
	}
}

// expression returns the compiled expression. It has been parsed before.
func (p *Pattern) expression(at where) *regexp.Regexp {
	p.once[at].Do(func() {
		source := p.source
		if tree, err := parseExpression(source); err == nil {
			source = tree.String() // in which every quotation and group is closed
		}
		switch at {
		case atStart:
			source = `\A(?:` + source + `)`
		case inside:
			source = `\A(?s:.)(?:` + source + `)`
		}
		p.compiled[at] = regexp.MustCompile(source)
	})
	return p.compiled[at]
}

// Find implements names.Form. The match is the secret in a match of the expression. The first call
// compiles the expression.
func (p *Pattern) Find(w names.Window, at, to int) names.Finding {
	hold := at
	if p.reach > 0 || p.nearby {
		hold = lex.LocalPart.RunBack(w.Text, at, lex.MaxLead)
	}
	limit := at + p.look
	if len(w.Text) <= limit && !w.End {
		return names.Finding{Verdict: names.Undecided, Start: hold}
	}
	isCut := len(w.Text) > limit
	w.Text = w.Text[:min(limit, len(w.Text))]
	switch {
	case len(p.also) > 0 && !prefilter.HoldsFolded(w.Text[at:], p.also):
		return names.Finding{}
	case p.nearby:
		return p.all(w, hold, isCut)
	case p.lead > 0:
		begin := max(0, at-p.lead-1)
		for _, m := range p.expression(anywhere).FindAllSubmatchIndex(w.Text[begin:], -1) {
			if m[0] <= at-begin && m[1] >= to-begin {
				if f := p.secret(w, m, begin, hold, isCut); f.Verdict != names.NoMatch {
					return f
				}
			}
		}
		return names.Finding{}
	case at == 0:
		return p.secret(w, p.expression(atStart).FindSubmatchIndex(w.Text), 0, hold, isCut)
	}
	m := p.expression(inside).FindSubmatchIndex(w.Text[at-1:])
	if m != nil {
		m[0]++
	}
	return p.secret(w, m, at-1, hold, isCut)
}

// all finds every match that begins after from.
func (p *Pattern) all(w names.Window, from int, isCut bool) (all names.Finding) {
	begin := max(0, from-1)
	for _, m := range p.expression(anywhere).FindAllSubmatchIndex(w.Text[begin:], -1) {
		switch f := p.secret(w, m, begin, from, isCut); {
		case f.Verdict == names.NoMatch:
		case all.Verdict == names.NoMatch:
			all = f
		case f.Verdict == names.OpenEnded: // it comes last
			w.Add(all.Start, all.End)
			return f
		default:
			w.Add(f.Start, f.End)
		}
	}
	return all
}

// secret returns what is secret of a match, whose indices are from begin: nothing
// if it is not one after all. It begins at hold at the earliest.
func (p *Pattern) secret(w names.Window, m []int, begin, hold int, isCut bool) names.Finding {
	if m == nil || m[1] == m[0] {
		return names.Finding{}
	}
	start, end := p.secretIn(m)
	from, to := m[0]+begin, m[1]+begin
	start, end = max(start+begin, hold), end+begin
	if start >= end || p.entropy != 0 && entropy(w.Text[start:end]) <= p.entropy || isMarked(w, from, to) {
		return names.Finding{}
	}
	for _, a := range p.allowed {
		if a.allows(w.Text[start:end], w.Text[from:to], lineAround(w.Text, from, to)) {
			return names.Finding{}
		}
	}
	if isCut && end == to && to > len(w.Text)-slack { // what ended it may be the end of the window
		return names.Finding{Verdict: names.OpenEnded, Start: start, End: end, Class: p.grows}
	}
	const terminator = 4 // bytes
	if p.group == 0 && to-end > terminator {
		end = to // the group was not meant to be all of the secret
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// secretIn returns where the secret is in a match.
func (p *Pattern) secretIn(m []int) (start, end int) {
	for group := max(p.group, 1); group <= p.groups; group++ {
		if s, e := m[2*group], m[2*group+1]; s < e {
			return s, e
		}
		if p.group > 0 {
			break
		}
	}
	return m[0], m[1]
}

// marked says whether a marker stands in text[start:end] or reaches into it.
func isMarked(w names.Window, start, end int) bool {
	for i := max(0, start-lex.MaxMarker); i < end; i++ {
		n := bytes.Index(w.Text[i:min(len(w.Text), end+lex.MaxMarker)], []byte(lex.MarkerStart))
		if n < 0 {
			return false
		}
		i += n
		if to := w.Marker(i); i < end && to > start {
			return true
		}
	}
	return false
}

// entropy returns Shannon's entropy of b in bits per byte.
func entropy(b []byte) float64 {
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			share := float64(n) / float64(len(b))
			bits -= share * math.Log2(share)
		}
	}
	return bits
}
