package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// formats.CutPairs cuts a line in logfmt, one of an access log, a row of a dump, a sample of a metric, a benchmark, a traced call or a file in a
// listing: the last three have digits in them.
func (t *textTable) cutPairs(line []byte, has mask.Part) (ok bool) {
	if has&mask.Equals != 0 {
		if t.pairs, ok = formats.CutPairs(t.pairs[:0], line); ok {
			return true
		}
	}
	if has&(mask.Digit|mask.Bracket) == mask.Digit|mask.Bracket {
		if t.pairs, ok = formats.CutAccess(t.pairs[:0], line); ok {
			return true
		}
	}
	if has&mask.Bracket != 0 {
		if t.pairs, ok = t.inserts.Cut(t.pairs[:0], line); ok {
			return true
		}
		t.inserts.Create(line)
	}
	if has&mask.Bracket != 0 || t.hasSamples {
		if t.pairs, ok = formats.CutSample(t.pairs[:0], line, t.hasSamples); ok {
			return true
		}
	}
	if has&mask.Digit == 0 {
		return false
	}
	if t.pairs, ok = formats.CutBenchmark(t.pairs[:0], line); ok {
		return true
	}
	if has&mask.Bracket != 0 {
		if t.pairs, ok = formats.CutCall(t.pairs[:0], line); ok {
			return true
		}
	}
	t.pairs, ok = formats.CutListing(t.pairs[:0], line)
	return ok
}

// addPairs takes in a line that has been cut into pairs, as a record.
func (s *Summary) addPairs(r structure.Record) {
	t := &s.table
	s.beginLine(r.Seq)
	s.fields[structure.RootNode].rows++
	if s.out != nil {
		s.out.row.keepLine(r.Value)
		s.out.row.filled = len(t.pairs)
		s.noteTimeOfLine(r.Value)
	}
	before := structure.RootNode
	for _, p := range t.pairs {
		place := s.placeOfName(structure.RootNode, before, p.Name)
		if place == structure.NoNode {
			continue
		}
		before = place
		s.fields[place].isColumn = true
		types := &s.fields[place].types
		isText := types[jsonx.String] > 0 && types[jsonx.Number] == 0 // as the first value was
		t.cell = t.appendPairValue(t.cell[:0], p.Value.Of(r.Value), isText, p.As)
		s.lineFields.add(s.paths.Path(place), t.cell)
		s.addScalar(t.cell, jsonx.KindOf(t.cell[0]), place)
	}
	s.end()
	t.rows++
}

// appendPairValue appends a value as JSON: a number or a literal as it is, unless it is one of texts.
func (t *textTable) appendPairValue(dst, value []byte, isText bool, as formats.PairKind) []byte {
	switch {
	case as == formats.AsNumber:
		return append(dst, value...)
	case as == formats.AsText:
	case as == formats.AsQuoted:
		if doubled := []byte("''"); bytes.Contains(value, doubled) {
			value = bytes.ReplaceAll(value, doubled, doubled[:1])
		}
	case !isText && isWrittenNumber(value), string(value) == "true", string(value) == "false", string(value) == "null":
		return append(dst, value...)
	case len(value) > 1 && value[0] == '"':
		t.unescaped = jsonx.AppendUnescapedKnown(t.unescaped[:0], formats.Unquoted(value))
		value = t.unescaped
	}
	return append(jsonx.AppendCanonicalText(append(dst, '"'), value), '"')
}
