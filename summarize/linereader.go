package summarize

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/texttable"
)

// lineReader takes in lines: as rows of a table, pairs, a name and its value, parts of a block, or by their template.
type lineReader struct {
	*Summary

	table        texttable.Table // in the lines
	pairs        formats.Pairs   // in the current line
	unescaped    []byte          // the current line, without escapes
	partsOfLines int             // that go on with one
	lastKey      int             // the field of the last line that was a name and its value
	arePairsCut  bool            // some line has more pairs than are read: counts of pairs are estimates
	namesVary    bool            // the lines seen so far say that such lines begin with no key
	chapter      int             // of the last number of a section that reads like an address
	lineFields   *lineFields     // of the lines, nil if they are not wanted
}

// addPairs takes in a line that has been cut into pairs, as a record.
func (s *lineReader) addPairs(r structure.Record) {
	t := &s.table
	s.beginLine(r.Seq)
	s.places.Fields[structure.RootNode].Rows++
	s.seeTime(r.Value)
	before := structure.RootNode
	for _, p := range t.Pairs {
		place := s.places.PlaceOfName(structure.RootNode, before, p.Name)
		if place == structure.NoNode {
			continue
		}
		before = place
		s.places.Fields[place].Named.IsColumn = true
		types := &s.places.Fields[place].Seen.Types
		isText := types[jsonx.String] > 0 && types[jsonx.Number] == 0 // as the first value was
		t.Cell = t.AppendPairValue(t.Cell[:0], p.Value.Of(r.Value), isText, p.As)
		s.lineFields.add(s.places.Paths.Path(place), t.Cell)
		s.values.addScalar(t.Cell, jsonx.KindOf(t.Cell[0]), place)
	}
	t.Rows++
}

// Lines that begin with a place in a file are those of compilers and linters (GNU Coding Standards, Formatting Error
// Messages), and of grep -n. What is counted of them is the file, and of a message how severe it is and its code. The
// line itself stays one with its template.
//
//	main.go:12:7: undefined: x
//	src/a.c:4:33: warning: unused variable 'n' [-Wunused-variable]
//	src/a.ts(1,25): error TS2307: Cannot find module 'x'
//	a.py:3:1: E501 line too long
//	cmd/x.go:195:2: should replace this if statement (S1017)
//	./cmd/x.go:167:		return nil
//	error[E0382]: borrow of moved value: `x`
//	  --> src/main.rs:3:5

// addDiagnostic takes in what a line has of a place in a file, and says whether it has one.
func (s *lineReader) addDiagnostic(line []byte) bool {
	d, ok := lineclass.CutDiagnostic(line[:min(len(line), mask.MaxLineLen)])
	if !ok {
		return false
	}
	if len(d.File) > 0 {
		s.addPair(lineclass.DiagnosticNames.File, d.File)
	}
	if len(d.Severity) > 0 {
		s.addPair(lineclass.DiagnosticNames.Severity, d.Severity)
	}
	if len(d.Code) > 0 {
		s.addPair(lineclass.DiagnosticNames.Code, d.Code)
	}
	return true
}

// addBlockLine takes in a line of a block.
func (s *lineReader) addBlockLine(r structure.Record) {
	s.beginLine(r.Seq)
	s.addUncounted(r.Value)
}

// Addresses in lines are counted under the name that their place has in a template: which ones come most often, and how
// many there are, tells of a log who is at the other end.

// privateNetwork is the first part of most addresses of private networks (RFC 1918). A section has it if one of the
// chapter before, or of the same, came first.
const privateNetwork = 10

// addAddresses takes in the addresses in the current line.
func (s *lineReader) addAddresses(line []byte) {
	if s.text.Has&(mask.Digit|mask.Dot) != mask.Digit|mask.Dot {
		return
	}
	line = line[:min(len(line), mask.MaxLineLen)]
	for start, end := mask.NextAddress(line, 0); start < end; start, end = mask.NextAddress(line, end) {
		if n := mask.SectionChapter(line, start, end); n > 0 && (n != privateNetwork || s.chapter >= n-1) {
			s.chapter = n
			continue
		}
		s.addPair([]byte(mask.AnyAddress), line[start:end])
	}
}

// placeInColumn returns the place of a name that begins in that column of the current line. A name
// under a heading, further to the right or left than the same name came first, is of a part of the
// record, and another field: limits.name. It is structure.NoNode if there is no room for it.
func (s *lineReader) placeInColumn(column int, name []byte) (place int) {
	if place = s.placeOfKey(name, false); place == structure.NoNode {
		return structure.NoNode
	}
	f := &s.places.Fields[place]
	if !f.Named.IsKey {
		f.Named.Column, f.Named.Outermost = int32(column), place
	}
	if f.Named.Column == int32(column) {
		return place
	}
	heading := s.text.Headings.Nearest()
	if heading == nil {
		return place
	}
	outermost := place
	s.places.NameBuf = append(append(append(s.places.NameBuf[:0], heading...), '.'), name...)
	if place = s.placeOfKey(s.places.NameBuf, false); place != structure.NoNode {
		s.places.Fields[place].Named.Column, s.places.Fields[place].Named.Outermost = int32(column), outermost
	}
	return place
}
