package summarize

import "bytes"

// A record that was too large for one chunk comes member by member, among others that came whole. Its members are told as theirs are.

// isMemberOfRecord says whether a chunk is a member of one record of several. Larger arrays and objects have records of their own.
func (s *Summary) isMemberOfRecord(r Record) bool {
	if len(r.Path) == 0 || len(r.Value) >= leastSplit && r.Value[0] != '"' || s.fields[rootNode].rows == 0 {
		return false
	}
	name := lastOf(r.Path)
	if len(name) == len(r.Path) {
		_, isIndex := digits(name)
		return !isIndex && r.Top > 1
	}
	_, isIndex := digits(r.Path[:len(r.Path)-len(name)-1])
	return isIndex
}

// addMemberOfRecord takes in such a member. What goes on with a string is not counted again.
func (s *Summary) addMemberOfRecord(r Record, isNew bool) {
	switch {
	case isNew:
		s.fields[rootNode].rows++
		s.begin(r.Seq, rootNode)
	case bytes.Equal(r.Path, s.member):
		s.parts++
		return
	default:
		s.parts++
		if s.out != nil {
			s.out.row.reset(r.Seq, rootNode)
		}
	}
	s.member = append(s.member[:0], r.Path...)
	if place := s.placeOf(r.Path, false); place != noNode {
		s.addValue(&cursor{src: r.Value}, place)
	} else {
		s.further.add(hashOf(r.Path), &s.nameRoom)
	}
	switch {
	case isNew:
		s.end()
	case s.out != nil:
		s.out.before = s.out.row
		s.offer()
	}
}
