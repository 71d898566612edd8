package redact

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/redact/catalogue"
	"github.com/kfw-dev/kfw/redact/commands"
	"github.com/kfw-dev/kfw/redact/decode"
	"github.com/kfw-dev/kfw/redact/detect"
	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/lines"
	"github.com/kfw-dev/kfw/redact/names"
	"github.com/kfw-dev/kfw/redact/prefilter"
	"github.com/kfw-dev/kfw/redact/structure"
)

// cleanLines returns where the whole lines end that begin at from in src and
// hold nothing to redact and nothing that would have to be decoded to see. They
// need not be taken apart. More says that the next line was not looked at: it
// begins limit or more after from.
func (f *filter) cleanLines(src []byte, from, limit int) (at int, more bool) {
	if f.clean.scan.Ahead = from + limit; f.clean.dense > 1 {
		f.clean.scan.Ahead = 0 // the first one is as likely as not to be the last
	}
	for at = from; at < len(src) && at-from < limit; f.clean.scan.Ahead = from + limit {
		size := bytes.IndexByte(src[at:], '\n')
		if size < 0 || !f.clean.isClean(src[at:at+size], at, f.format == JSON || f.lines.Depth > 0) ||
			f.format != JSON && !f.goesOnClean(src[at:at+size]) {
			return at, false
		}
		at += size + 1
	}
	return at, true
}

// goesOnClean takes in a clean line of text, and reports whether that tells the lexer nothing: it
// begins no JSON that goes over lines, and ends none.
func (f *filter) goesOnClean(line []byte) bool {
	if f.lines.Depth == 0 {
		return !lex.MayBeginJSON(detect.LineBody(line))
	}
	if bytes.IndexByte(line, '\\') >= 0 || !isTokens(line) {
		return false
	}
	after := f.lines
	if !after.ReadLine(line) {
		return false
	}
	f.lines = after
	return true
}

// isClean says so of a line that begins at from in what is scanned. In JSON it is of JSON, whatever it begins with.
func (c *cleaner) isClean(line []byte, from int, inJSON bool) bool {
	body := detect.LineBody(line)
	isJSON := inJSON || len(body) > 0 && body[0] == '{'
	end := from + len(line)
	c.letters = c.letters[:0]
	if isJSON && bytes.IndexByte(line, '\\') >= 0 {
		if !c.decode(line) {
			return false
		}
		line = c.decoded
	}
	if decode.MayBePacked(line) || inJSON && !isSettled(line) {
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
		if !asked && !isJSON && bytes.Contains(line, []byte(objectBegin)) {
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

// isSettled says whether a line does not end in a name that has no value yet, nor at the begin of an array.
func isSettled(line []byte) bool {
	if n := len(line); n > 0 && (line[n-1] == '}' || line[n-1] == ']' || line[n-1] == ',') {
		return true // as nearly always
	}
	line = bytes.TrimRight(line, " \t\r")
	if n := len(line); n > 0 && line[n-1] == '"' {
		line = bytes.TrimRight(line[:max(0, bytes.LastIndexByte(line[:n-1], '"'))], " \t\r")
		return bytes.HasSuffix(line, []byte{':'})
	}
	return !bytes.HasSuffix(line, []byte{':'}) && !bytes.HasSuffix(line, []byte{'['})
}

// maxDecoded is the length of a line that is decoded to see if it is clean.
const maxDecoded = 4 << 10

// decode decodes a line of JSON whose only escapes are \n, \r and \t; false
// means that it has others. No anchor holds what they stand for: those of the line
// are those of the text, except where they are.
func (c *cleaner) decode(line []byte) bool {
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

// isPartOfKey says whether an anchor in a line of JSON may stand in a string of more than one word that is a
// key, what names the value of a pair, or the first of a row: {"stripe live key":"..."}.
func isPartOfKey(line []byte, at, to int) bool {
	size := bytes.IndexByte(line[to:], '"')
	if size < 0 {
		return true
	}
	end := to + size
	start := bytes.LastIndexByte(line[:at], '"') + 1
	if lex.NameOfKey.Run(line, start, end-start) == end {
		return false // all of it was looked at
	}
	after := lex.Whitespace.Run(line, end+1, len(line))
	isValue := after < len(line) && strings.IndexByte(",}]", line[after]) >= 0
	return !isValue || start > 0 && (isPairName(line[:start-1]) || isFirstOfArray(line[:start-1]))
}

// isTokens says whether a line without escapes is a sequence of JSON's tokens.
func isTokens(line []byte) bool {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '"':
			end := bytes.IndexByte(line[i+1:], '"')
			if end < 0 {
				return false
			}
			i += end + 2
		case lex.Whitespace.Has(c), strings.IndexByte(",:[]{}", c) >= 0:
			i++
		default:
			end := i
			for end < len(line) && (lex.Alnum | lex.Dash | lex.Plus | lex.Dot).Has(line[end]) {
				end++
			}
			if end < len(line) && !lex.EndsToken(line[end]) || !lex.IsLiteral(line[i:end]) &&
				(line[max(0, i-1)] == '{' || !lex.IsNumber(line[i:end])) {
				return false
			}
			i = end
		}
	}
	return true
}

// stringIn is where a string without escapes stands in a line of JSON:
// line[start:end], between its quotes.
type stringIn struct {
	start, end int
	isKey      bool // if only of a broken line
}

// seek moves on to the string in which an anchor ends at to; false means that it
// stands in none. No anchor has a quote in it. However often seek is asked, it
// goes over the line once.
func (s *stringIn) seek(line []byte, to int) bool {
	if to <= s.end {
		return true
	}
	passed := line[s.end+1 : to]
	size := bytes.IndexByte(line[to:], '"')
	if size < 0 || bytes.Count(passed, []byte{'"'})%2 == 0 {
		return false
	}
	s.start = s.end + 1 + bytes.LastIndexByte(passed, '"') + 1
	s.end = to + size
	after := lex.Whitespace.Run(line, s.end+1, len(line))
	s.isKey = after == len(line) || strings.IndexByte(",}]", line[after]) < 0
	return true
}

// isHarmlessIn is isHarmless for an anchor in a string of a line of JSON.
func (c *cleaner) isHarmlessIn(r *detect.Rule, line []byte, at, to int, in stringIn) bool {
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
func (c *cleaner) saysOfLinesIn(text []byte, to int) bool {
	size := bytes.IndexByte(text[to:min(len(text), to+structure.MaxHeader)], '\n')
	return size >= 0 && c.lines.SaysOfNext(text[bytes.LastIndexByte(text[:to], '\n')+1:to+size])
}

// tells says whether a string of a line of JSON may be the name of a secret that is in another.
func (c *cleaner) tells(line []byte, in stringIn) bool {
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
		(mayHaveValue(after) || bytes.Contains(before,
			[]byte(`alue"`)) || structure.IsOfColumnList(before) && structure.MayHaveRows(after, 2)):
		return true
	case !isFlag && !isFirst && !in.isKey:
		return false
	}
	return isFlag || !isFirst || !isListOfWords(p, after)
}

// isListOfWords says whether the first string of an array, which is the name p, is followed by one that can't be its
// value.
func isListOfWords(p *names.Phrase, after []byte) bool {
	next, isList := bytes.CutPrefix(after, []byte{','})
	next, isString := bytes.CutPrefix(bytes.TrimLeft(next, " \t\r"), []byte{'"'})
	if !isList || !isString {
		return false
	}
	next, _, _ = bytes.Cut(next, []byte{'"'})
	row := p.OfRow()
	return row.Value(names.Window{Text: next, End: true, Around: &detect.Nothing}, 0,
		names.ValueOnly).Verdict == names.NoMatch
}

// isFirstOfArray says whether what follows b is the first of an array.
func isFirstOfArray(b []byte) bool {
	end := lex.Whitespace.RunBack(b, len(b), len(b))
	return end > 0 && b[end-1] == '['
}

// isPairName says whether b ends with the key of what names the other value of a pair.
func isPairName(b []byte) bool { return names.PartOf(structure.KeyBefore(b)) == names.PairName }

// isKind says whether b ends with the key of the kind of an object.
func isKind(b []byte) bool { return names.PartOf(structure.KeyBefore(b)) == names.KindKey }

// mayHaveValue says whether the value of a pair may stand in b, which ends a line of
// JSON's tokens and begins after the name, or on the next line.
func mayHaveValue(b []byte) bool {
	if bytes.Contains(b, []byte(`alue"`)) {
		return true
	}
	open, isString := 0, false
	for _, c := range b {
		switch {
		case c == '"':
			isString = !isString
		case isString:
		case c == '{', c == '[':
			open++
		case c == '}', c == ']':
			if open--; open < 0 {
				return false
			}
		}
	}
	return true
}

// isHarmless says whether the rule finds nothing at its anchor in text[at:to].
func (c *cleaner) isHarmless(r *detect.Rule, text []byte, at, to int) bool {
	return r.Form.Find(names.Window{Text: text, End: true, Around: c.around}, at, to).Verdict == names.NoMatch
}

// cleaner finds the whole lines that hold nothing to redact.
type cleaner struct {
	rules  *catalogue.Set
	names  *names.NameCache
	around *names.Around
	lines  lines.Checker

	scan    prefilter.AnchorScan
	dense   int    // lines in a row that were not clean
	decoded []byte // the line that is looked at
	letters []int  // of its escapes, where it was not decoded
}

// mayBeClean says whether to see if the next lines are clean. It is not worth it
// for each of them where lines before were not.
func (f *filter) mayBeClean() bool {
	if f.paths.current != nil {
		return false // it takes all brackets and names to know where the lexer stands
	}
	if f.carried.records > 0 {
		f.carried.records--
		return false
	}
	f.clean.dense++
	n := f.clean.dense
	return n <= denseLines || n%denseLines == 0 && n <= mostlyDense || n%mostlyDense == 0
}

// passClean takes the clean lines that begin at from in src, where f is fresh, up to one that ends
// limit or more after it, and returns where they end.
func (f *filter) passClean(src []byte, from, limit int) (at int) {
	at = from
	if f.mayBeClean() {
		if at, f.fresh = f.cleanLines(src, from, limit); at > from {
			f.pass(src[from:at])
			if passed := src[from:at]; f.text.markers.HasKeys() && (passed[0] == '{' || passed[0] == '[' ||
				bytes.Contains(passed, []byte("\n{")) || bytes.Contains(passed, []byte("\n["))) {
				f.text.markers.NewRecord()
			}
			f.clean.dense = 0
			f.text.lines.ForgetRow()
			return at
		}
	}
	f.fresh = false
	return at
}

// So many lines in a row that are not clean make it likely that the next is not, either.
const (
	denseLines  = 8  // then one in so many is looked at
	mostlyDense = 64 // and then one in so many
)
