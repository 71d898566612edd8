package summarize

import "bytes"

// A record that was too large for one chunk comes member by member, among others that came whole. Its members are told as theirs are.

// openedRecords is what is known of them.
type openedRecords struct {
	parts int // members of them, but for the first of each
	first int // members of the first record, as long as it is the only one

	top       int    // number of the record at hand among those at the top
	isCounted bool   // it is
	head      row    // its first scalars: they say which one it is
	member    []byte // path of the last of its members
}

// begin takes the number of the record that a chunk is in. It says whether that is the second one while the first one came member by
// member: it is known then that it was a record.
func (o *openedRecords) begin(top int) (isSecond bool) {
	if top == o.top {
		return false
	}
	isSecond = o.top == 1 && o.first > 0
	if isSecond {
		o.parts += o.first - 1
	}
	o.top, o.isCounted, o.member, o.first = top, false, o.member[:0], 0
	o.head.reset(0, rootNode)
	return isSecond
}

// goesOn says whether a member is more of the string that the last one began.
func (o *openedRecords) goesOn(r Record) bool {
	if bytes.HasPrefix(r.Value, []byte{'"'}) && bytes.Equal(r.Path, o.member) {
		return true
	}
	o.member = append(o.member[:0], r.Path...)
	return false
}

// countFirstOpened counts the first record, whose members were taken for records. As what is told of it stands what its first member
// was.
func (s *Summary) countFirstOpened() {
	s.fields[rootNode].rows++
	for id := range s.fields {
		if f := &s.fields[id]; id != rootNode && s.paths.nodes[id].parent == rootNode && f.values == 1 {
			f.rows = 0
		}
	}
	if s.out == nil {
		return
	}
	first := &s.out.ends[0].first
	if e := s.out.endsOf(rootNode, false); e != nil && e.count == 0 {
		e.first.keep(first)
		e.first.base, e.count = rootNode, 1
	}
}

// isMemberOfRecord says whether a chunk may be a member of one record of several. Larger arrays and objects have records of their own.
func isMemberOfRecord(r Record) bool {
	if len(r.Path) == 0 || len(r.Value) >= leastSplit && r.Value[0] != '"' {
		return false
	}
	name := lastOf(r.Path)
	if len(name) == len(r.Path) {
		_, isIndex := digits(name)
		return !isIndex
	}
	_, isIndex := digits(r.Path[:len(r.Path)-len(name)-1])
	return isIndex
}

// addMemberOfRecord takes in such a member.
func (s *Summary) addMemberOfRecord(r Record) {
	isFirst := !s.opened.isCounted
	s.opened.isCounted = true
	s.isOpened = false
	if isFirst {
		s.fields[rootNode].rows++
		s.begin(r.Seq, rootNode)
	} else {
		s.opened.parts++
		s.goOnWith(r.Seq)
	}
	if place := s.placeOf(r.Path, false); place != noNode {
		s.addValue(&cursor{src: r.Value}, place)
	} else {
		s.addFurther(r.Path)
	}
	if s.out != nil {
		s.endMember(isFirst)
	}
	s.addNested(r)
	s.addTexts(r)
}

// endMember ends what is kept of a member of the record at hand, with which the record has been counted if it is its first.
func (s *Summary) endMember(isFirst bool) {
	if len(s.opened.head.cells) == 0 {
		s.opened.head.keep(s.out.row)
	}
	if isFirst {
		s.end()
	} else {
		s.out.before = s.out.row
		s.offer()
	}
}

// goOnWith begins what is kept of one more member of the record at hand.
func (s *Summary) goOnWith(seq int) {
	s.depth = s.paths.nodes[rootNode].depth
	if s.out == nil {
		return
	}
	s.out.row.reset(seq, rootNode)
	for _, c := range s.opened.head.cells {
		s.out.row.addCell(c.place, c.text.of(s.opened.head.bytes))
	}
}
