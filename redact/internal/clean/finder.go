package clean

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/commands"
	"github.com/kfw-dev/kfw/redact/internal/decode"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/lines"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/prefilter"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// So many lines in a row that are not clean make it likely that the next is not, either.
const (
	denseLines  = 8  // then one in so many is looked at
	mostlyDense = 64 // and then one in so many
)

// Finder finds the whole lines that hold nothing to redact.
type Finder struct {
	rules  *catalogue.Set
	names  *names.NameCache
	around *names.Around
	lines  lines.Checker

	scan    prefilter.AnchorScan
	dense   int    // lines in a row that were not clean
	decoded []byte // the line that is looked at
	letters []int  // of its escapes, where it was not decoded
}

// New returns a Finder of lines in which no rule of r finds anything; around is what is known
// around a match.
func New(r *catalogue.Set, around *names.Around) Finder {
	return Finder{rules: r, names: around.Names, around: around, lines: lines.Checker{Names: around.Names},
		scan: prefilter.AnchorScan{Automaton: r.Automaton}}
}

// WholeLines returns where the whole lines end that begin at from in src and hold nothing to redact and
// nothing that would have to be decoded to see. They need not be taken apart. More says that the
// next line was not looked at: it begins limit or more after from. isDocument says that JSON is
// likely. open is where in JSON that goes over lines the first line begins, and is set to
// where the last one ends.
func (c *Finder) WholeLines(src []byte, from, limit int, isDocument bool, open *lex.JSONLines) (at int, more bool) {
	if c.scan.Ahead = from + limit; c.dense > 1 {
		c.scan.Ahead = 0 // the first one is as likely as not to be the last
	}
	for at = from; at < len(src) && at-from < limit; c.scan.Ahead = from + limit {
		size := bytes.IndexByte(src[at:], '\n')
		if size < 0 {
			break
		}
		line := src[at : at+size]
		body := detect.LineBody(line)
		isJSON := open.Depth > 0 || len(body) > 0 && beginsJSON(body, isDocument)
		if !c.isClean(line, body, at, isJSON, open.Depth > 0) || isJSON && !goesOn(open, line, body) {
			break
		}
		at += size + 1
	}
	if at > from {
		c.dense = 0
	}
	return at, at == len(src) || at-from >= limit
}

// beginsJSON reports whether a line of text that is whole begins a value of JSON.
func beginsJSON(body []byte, isDocument bool) bool {
	if !lex.MayBeJSON(body[0], isDocument) {
		return false
	}
	isJSON, _ := lex.BeginsJSON(body, true)
	return isJSON
}

// goesOn takes in a clean line of JSON, and reports whether that tells the lexer nothing: it begins
// no value that goes over lines, and ends none.
func goesOn(open *lex.JSONLines, line, body []byte) bool {
	if open.Depth == 0 {
		return lex.EndsOnLine(body)
	}
	after := *open
	if !after.ReadLine(line) || after.End(false) {
		return false
	}
	*open = after
	return true
}

// Begin begins to look at the lines of src.
func (c *Finder) Begin(src []byte) { c.scan.Begin(src) }

// IsWorthIt reports whether to look at the next line. It is not worth it for each where lines
// before were not clean.
func (c *Finder) IsWorthIt() bool {
	c.dense++
	n := c.dense
	return n <= denseLines || n%denseLines == 0 && n <= mostlyDense || n%mostlyDense == 0
}

// isClean reports whether a line, with body after its blanks, can be copied without a scan. The
// line begins at from. isWithin says that it begins within a JSON value.
func (c *Finder) isClean(line, body []byte, from int, isJSON, isWithin bool) bool {
	end := from + len(line)
	c.letters = c.letters[:0]
	if isJSON && bytes.IndexByte(line, '\\') >= 0 {
		if !c.decode(line) {
			return false
		}
		line = c.decoded
	}
	if decode.MayBePacked(line) || isWithin && !isSettled(line) || isJSON && (structure.MayBeData(line) || structure.BeginsKeyNumber(body)) {
		return false
	}
	c.scan.Skip(from)
	checked, asked, saysNothing := !isJSON, false, isJSON
	in := stringIn{end: -1}
	before := 0 // escapes before the anchor
	for {
		to, state, ok := c.scan.Next(end)
		if !ok {
			return true
		}
		to -= from
		for before < len(c.letters) && c.letters[before] < to {
			before++
		}
		if !asked && !isJSON && bytes.Contains(line, []byte(lex.ObjectBegin)) {
			return false // a line of JSON has no quotes in its strings here, and so no object
		}
		asked = true
		for _, e := range c.rules.Automaton.Endings(state) {
			if before > 0 && c.letters[before-1] >= to-e.Length {
				continue // the letter of an escape is not of the text
			}
			at, to := to-e.Length-before, to-before
			r := &c.rules.Catalogue[e.Rule]
			x, ok := r.Form.(detect.Excluder)
			isExcluded := ok && x.Excludes(line, at, to) && !(isJSON && r.IsNamed && isPartOfKey(line, at, to))
			if !saysNothing && r.SaysOfLines && lines.MaySay(r, line, at, to, isExcluded) {
				if names.PairNameIn(body, c.names) != nil || c.lines.SaysOfNext(body) {
					return false
				}
				saysNothing = true
			}
			if isExcluded {
				continue
			}
			if r.Opens || !checked && !isTokens(line) {
				return false
			}
			checked = true
			switch {
			case !isJSON && c.isHarmless(r, line, at, to):
			case isJSON && in.seek(line, to) && c.isHarmlessIn(r, line, at, to, in):
			default:
				return false
			}
		}
	}
}

// maxDecoded is the length of a line that is decoded to see if it is clean.
const maxDecoded = 4 << 10

// decode decodes a line of JSON whose only escapes are \n, \r and \t; false
// means that it has others. No anchor holds what they stand for: those of the line
// are those of the text, except where they are.
func (c *Finder) decode(line []byte) bool {
	if len(line) > maxDecoded {
		return false
	}
	c.decoded = c.decoded[:0]
	for at := 0; ; at += 2 {
		n := bytes.IndexByte(line[at:], '\\')
		if n < 0 {
			c.decoded = append(c.decoded, line[at:]...)
			return true
		}
		c.decoded = append(c.decoded, line[at:at+n]...)
		at += n
		if at+1 == len(line) {
			return false
		}
		switch line[at+1] {
		case 'n':
			c.decoded = append(c.decoded, '\n')
		case 'r':
			c.decoded = append(c.decoded, '\r')
		case 't':
			c.decoded = append(c.decoded, '\t')
		default:
			return false
		}
		c.letters = append(c.letters, at+1)
	}
}

// isHarmlessIn is isHarmless for an anchor in a string of a line of JSON.
func (c *Finder) isHarmlessIn(r *detect.Rule, line []byte, at, to int, in stringIn) bool {
	if r.IsNamed && c.tells(line, in) {
		return false
	}
	if r.SaysOfLines && len(c.letters) > 0 && c.saysOfLinesIn(line[in.start:in.end], to-in.start) {
		return false
	}
	if _, isManifest := r.Form.(structure.Manifest); isManifest &&
		(in.isKey && structure.MayHaveData(line[in.end+1:]) || !in.isKey &&
			isKind(line[:in.start-1])) {
		return false
	}
	if _, isProgram := r.Form.(commands.ProgramName); isProgram && !in.isKey &&
		commands.IsArgumentOf(line, in.start, in.end) {
		return false
	}
	return !(r.Leads && in.isKey) && c.isHarmless(r, line[in.start:in.end], at-in.start, to-in.start)
}

// saysOfLinesIn is saysOfLines of the line in a text in which an anchor ends at to.
func (c *Finder) saysOfLinesIn(text []byte, to int) bool {
	size := bytes.IndexByte(text[to:min(len(text), to+structure.MaxHeader)], '\n')
	return size >= 0 && c.lines.SaysOfNext(text[bytes.LastIndexByte(text[:to], '\n')+1:to+size])
}

// tells says whether a string of a line of JSON may be the name of a secret that is in another.
func (c *Finder) tells(line []byte, in stringIn) bool {
	before, after := line[:in.start-1], line[in.end+1:]
	part, isFirst, isOfList := names.NoPart, isFirstOfArray(before), false
	if end := lex.Whitespace.RunBack(before, len(before), len(before)); end > 0 {
		switch before[end-1] {
		case ':':
			part = names.PartOf(structure.KeyBefore(before[:end]))
		case ',', '[':
			isOfList = !in.isKey
		}
	}
	isFlag := line[in.start] == '-'
	switch {
	case part == names.KindKey:
		return true
	case !isFlag && !isOfList && !in.isKey && part != names.PairName:
		return false
	}
	p, _ := c.names.Of(line[max(in.start, in.end-names.MaxName):in.end])
	switch {
	case p == nil:
		return false
	case isOfList && structure.MayHaveRows(after, 1), part == names.PairName &&
		(mayHaveValue(after) || names.MayNameValue(before) || structure.IsOfColumnList(before) && structure.MayHaveRows(after, 2)):
		return true
	case !isFlag && !isFirst && !in.isKey:
		return false
	}
	return isFlag || !isFirst || !isListOfWords(p, after)
}

// isHarmless says whether the rule finds nothing at its anchor in text[at:to].
func (c *Finder) isHarmless(r *detect.Rule, text []byte, at, to int) bool {
	return r.Form.Find(names.Window{Text: text, End: true, Around: c.around}, at, to).Verdict == names.NoMatch
}
