package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/drain"
	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/lineset"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// addKeys takes in the current line, of that template, under the names of the pairs in it, or under its own if it is a
// name and its value. It stays the line that it is: whether it is told as one or the
// other is known at the end.
func (s *lineReader) addKeys(line []byte, template int) {
	if s.text.Has&(mask.Equals|mask.Colon|mask.Bar|mask.Angle|mask.Bracket) == 0 {
		return // as most lines of prose
	}
	isDiagnostic := s.addDiagnostic(line)
	if s.addPairsIn(line) || isDiagnostic {
		return
	}
	if name, value, ok := formats.CutKey(line); ok {
		s.addKey(line, name, value, template)
	}
	s.addUncounted(line) // of two fields with one name the first counts
}

// addKey takes in the current line, of that template, which is a name and its value.
func (s *lineReader) addKey(line, name, value []byte, template int) {
	place := s.placeInColumn(lineset.IndentOfName(line), name)
	if place == structure.NoNode {
		return
	}
	s.addToKey(place, name, value)
	if template >= 0 {
		s.text.Templates.All[template].AddKey(s.places.Fields[place].Named.Outermost)
	}
}

// addPairsIn takes in the pairs in the current line. One alone may be anything, but for an attribute of XML.
func (s *lineReader) addPairsIn(line []byte) bool {
	if bytes.IndexByte(line, '=') < 0 {
		return false // as most
	}
	if len(line) > mask.MaxLineLen { // a word that may be cut is none
		whole := max(0, bytes.LastIndexByte(line[:mask.MaxLineLen], ' '))
		s.arePairsCut = s.arePairsCut || bytes.IndexByte(line[whole:], '=') >= 0
		line = line[:whole]
	}
	p := &s.pairs
	p.Begin(line)
	if _, _, isThere := p.Next(); !isThere {
		return false
	}
	if _, _, another := p.Next(); !another && !p.IsMarkup {
		return false
	}
	p.Begin(line)
	for name, value, ok := p.Next(); ok; name, value, ok = p.Next() {
		s.addPair(name, value)
	}
	return true
}

// addUncounted adds the pairs of the current line to its fields, if these are wanted. Facts do not
// count a single pair, nor pairs in a frame of a trace, but may count the same name in other lines.
func (s *lineReader) addUncounted(line []byte) {
	if s.lineFields == nil {
		return
	}
	s.pairs.Begin(line[:min(len(line), mask.MaxLineLen)])
	for name, value, ok := s.pairs.Next(); ok; name, value, ok = s.pairs.Next() {
		s.addField(name, value)
	}
}

// addField adds a field to the current line: a number as such, else a string.
func (s *lineReader) addField(name, value []byte) {
	if jsonx.Valid(value, 1) && jsonx.KindOf(value[0]) == jsonx.Number {
		s.lineFields.add(name, value)
		return
	}
	s.values.valueBuf = append(jsonx.AppendCanonicalText(append(s.values.valueBuf[:0], '"'), value), '"')
	s.lineFields.add(name, s.values.valueBuf)
}

// addPair takes in a pair in the current line.
func (s *lineReader) addPair(name, value []byte) {
	if place := s.placeOfKey(name, true); place != structure.NoNode {
		s.addToKey(place, name, value)
		s.places.Fields[place].Named.IsPair = true
	}
}

// placeOfKey returns the place of a name of the current line. Where lines that are a name and its value, and pairs in
// others, have the same name, what comes later is shown with its sign: "changed: [web-1]", and "changed=4" in a line
// of counts.
func (s *lineReader) placeOfKey(name []byte, isPair bool) (place int) {
	place = s.places.Grown(s.places.Paths.Key(s.lastKey, name))
	if place != structure.NoNode && s.places.Fields[place].Named.IsKey &&
		s.places.Fields[place].Named.IsPair != isPair {
		sign := byte(':')
		if isPair {
			sign = '='
		}
		s.places.NameBuf = append(append(s.places.NameBuf[:0], name...), sign)
		place = s.places.Grown(s.places.Paths.Key(s.lastKey, s.places.NameBuf))
	}
	return place
}

// addToKey takes in a value of the current line under the name at a place, which may have a sign at its end that the
// name in the line has not.
func (s *lineReader) addToKey(place int, name, value []byte) {
	s.lastKey = place
	f := &s.places.Fields[place]
	f.Named.IsKey = true
	if len(value) > formats.LongestOfKey || fields.HasWords(value, formats.WordsOfValue+1) {
		f.Named.Prose++
	}
	if !f.IsMostlyProse() {
		if s.lineFields != nil {
			path := s.places.Paths.Path(place)
			if s.addField(path, value); !bytes.Equal(path, name) {
				s.places.NameBuf = jsonx.AppendCanonicalText(s.places.NameBuf[:0], name)
				s.addField(s.places.NameBuf, value)
			}
		}
		s.values.valueBuf = append(jsonx.AppendCanonicalText(append(s.values.valueBuf[:0], '"'), value), '"')
		s.values.addScalar(s.values.valueBuf, jsonx.String, place)
	}
}

// judgeKeys finds out whether the names that lines begin with are keys: they are not if the same is said of many of
// them, as "creating" is of the resources that terraform makes.
func (s *lineReader) judgeKeys() {
	names := map[uint64]int{} // the last one with a value that begins with a word
	begins := 0
	for i := range s.places.Fields {
		f := &s.places.Fields[i]
		if !f.Named.IsKey || f.Named.IsPair || f.Seen.Counted < formats.LeastOfKey {
			continue
		}
		for _, e := range f.Seen.Counts.Entries {
			word, _, _ := bytes.Cut(jsonx.Inside(e.Text), []byte{' '})
			if len(word) < len("word") || !ascii.IsLetter(word[0]) {
				continue // yes, no and numbers may be said of anything
			}
			if hash := sketch.Hash(word); names[hash] != i {
				names[hash] = i
				begins++
			}
		}
	}
	s.namesVary = begins >= formats.LeastBegins && begins >= formats.NamesOfBegin*len(names)
}

// isShownKey reports whether lines that begin with a name are, as far as they are known, a name and its value, and
// whether the values tell more than the templates of the lines: some are equal, or they are numbers or times.
func (s *lineReader) isShownKey(f *fields.Field) bool {
	if !f.Named.IsKey || s.namesVary && !f.Named.IsPair || f.Seen.Counted < formats.LeastOfKey ||
		formats.ProseOfKey*f.Named.Prose > f.Seen.Counted {
		return false
	}
	if f.Seen.IsConstant() && f.Longest == 0 { // all are empty
		return false
	}
	return f.HasNumbers() || f.HasTimes() || f.Seen.Counts.Repeats()
}

// isShownByKey says whether all lines of a template are shown by their name.
func (s *lineReader) isShownByKey(t *drain.Template) bool {
	return t.Keyed == t.Count && s.isShownKey(&s.places.Fields[t.Key])
}

// keysBefore is how many names that are shown come more often than that of a field.
func (s *teller) keysBefore(f *fields.Field) (n int) {
	for i := range s.places.Fields {
		if of := &s.places.Fields[i]; s.lines.isShownKey(of) && of.Seen.Counted > f.Seen.Counted {
			n++
		}
	}
	return n
}
