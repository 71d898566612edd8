package summarize

import "github.com/kfw-dev/kfw/internal/summarize/structure"

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
