package summarize

import (
	"bytes"
	"math/bits"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/mask"
)

const (
	leastPairs = 3 // of a line in logfmt
	maxPairs   = 96
)

// pair is a name, and where its value is in a line.
type pair struct {
	name  []byte
	value ascii.Span
	as    pairKind
}

type pairKind uint8

const (
	asRead   pairKind = iota // a number or a literal if it reads like one, without its quotes if it has some
	asNumber                 // of JSON
	asText                   // as it is
	asQuoted                 // with two quotes in it for one, as SQL has them
)

// cutPairs cuts a line in logfmt, one of an access log, a row of a dump, a sample of a metric, a benchmark, a traced call or a file in a
// listing: the last three have digits in them.
func (t *textTable) cutPairs(line []byte, has mask.Part) (ok bool) {
	if has&mask.Equals != 0 {
		if t.pairs, ok = cutPairs(t.pairs[:0], line); ok {
			return true
		}
	}
	if has&(mask.Digit|mask.Bracket) == mask.Digit|mask.Bracket {
		if t.pairs, ok = cutAccess(t.pairs[:0], line); ok {
			return true
		}
	}
	if has&mask.Bracket != 0 {
		if t.pairs, ok = t.inserts.cut(t.pairs[:0], line); ok {
			return true
		}
		t.inserts.create(line)
	}
	if has&mask.Bracket != 0 || t.hasSamples {
		if t.pairs, ok = cutSample(t.pairs[:0], line, t.hasSamples); ok {
			return true
		}
	}
	if has&mask.Digit == 0 {
		return false
	}
	if t.pairs, ok = cutBenchmark(t.pairs[:0], line); ok {
		return true
	}
	if has&mask.Bracket != 0 {
		if t.pairs, ok = cutCall(t.pairs[:0], line); ok {
			return true
		}
	}
	t.pairs, ok = cutListing(t.pairs[:0], line)
	return ok
}

// cutPairs cuts a line in logfmt: pairs name=value with blanks between them, a value in quotes if it has blanks, as
// log/slog's TextHandler and many loggers write it. It returns false if there is anything else in the line, or too few.
func cutPairs(dst []pair, line []byte) (pairs []pair, ok bool) {
	for i := 0; ; {
		for i < len(line) && line[i] == ' ' {
			i++
		}
		if i == len(line) {
			return dst, len(dst) >= leastPairs
		}
		name := ascii.Span{From: i, To: i + nameLen(line[i:])}
		if i = name.To; name.From == i || i == len(line) || line[i] != '=' || len(dst) == maxPairs {
			return dst, false
		}
		value := ascii.Span{From: i + 1, To: i + 1 + valueLen(line[i+1:])}
		if i = value.To; i < len(line) && line[i] != ' ' {
			return dst, false
		}
		dst = append(dst, pair{name: name.Of(line), value: value})
	}
}

// nameLen is the length of the name of a pair at the start of text: letters, digits and a few signs, of which an underscore alone
// may come first.
func nameLen(text []byte) (n int) {
	if len(text) == 0 || !ascii.IsLetter(text[0]) && text[0] != '_' {
		return 0
	}
	for n = 1; n < len(text) && inName[text[n]]; n++ {
	}
	return n
}

// inName says which bytes may be in the name of a pair.
var inName = func() (t [256]bool) {
	for c := range t {
		t[c] = ascii.IsAlphanumeric(byte(c)) || bytes.IndexByte([]byte("_.-/@"), byte(c)) >= 0
	}
	return t
}()

// valueLen is the length of the value at the start of text, with its quotes. What follows is no blank if it is none.
func valueLen(text []byte) (n int) {
	if len(text) > 0 && text[0] == '"' {
		for n = 1; n < len(text) && text[n] != '"'; n++ {
			if text[n] == '\\' {
				n++
			}
		}
		if n >= len(text) {
			return 0
		}
		return n + 1
	}
	for ; n+8 <= len(text); n += 8 {
		b := ascii.EightAt(text, n)
		if found := ascii.ZeroBytes(b^' '*ascii.EachByte) | ascii.ZeroBytes(b^'"'*ascii.EachByte); found != 0 {
			return n + bits.TrailingZeros64(found)/8
		}
	}
	for n < len(text) && text[n] != ' ' && text[n] != '"' {
		n++
	}
	return n
}

// addPairs takes in a line that has been cut into pairs, as a record.
func (s *Summary) addPairs(r Record) {
	t := &s.table
	s.beginLine(r.Seq)
	s.fields[rootNode].rows++
	if s.out != nil {
		s.out.row.keepLine(r.Value)
		s.out.row.filled = len(t.pairs)
		s.noteTimeOfLine(r.Value)
	}
	before := rootNode
	for _, p := range t.pairs {
		place := s.placeOfName(rootNode, before, p.name)
		if place == noNode {
			continue
		}
		before = place
		s.fields[place].isColumn = true
		types := &s.fields[place].types
		isText := types[jsonx.String] > 0 && types[jsonx.Number] == 0 // as the first value was
		t.cell = t.appendPairValue(t.cell[:0], p.value.Of(r.Value), isText, p.as)
		s.lineFields.add(s.paths.path(place), t.cell)
		s.addScalar(t.cell, jsonx.KindOf(t.cell[0]), place)
	}
	s.end()
	t.rows++
}

// appendPairValue appends a value as JSON: a number or a literal as it is, unless it is one of texts.
func (t *textTable) appendPairValue(dst, value []byte, isText bool, as pairKind) []byte {
	switch {
	case as == asNumber:
		return append(dst, value...)
	case as == asText:
	case as == asQuoted:
		if doubled := []byte("''"); bytes.Contains(value, doubled) {
			value = bytes.ReplaceAll(value, doubled, doubled[:1])
		}
	case !isText && isWrittenNumber(value), string(value) == "true", string(value) == "false", string(value) == "null":
		return append(dst, value...)
	case len(value) > 1 && value[0] == '"':
		t.unescaped = jsonx.AppendUnescapedKnown(t.unescaped[:0], unquoted(value))
		value = t.unescaped
	}
	return append(jsonx.AppendCanonicalText(append(dst, '"'), value), '"')
}
