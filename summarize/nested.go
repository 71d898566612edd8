package summarize

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

// The records of a response may be in arrays of larger ones: the issues of each repository, the spans of each process. They
// are records of their own where they are most of the larger ones, and where some came as chunks because a larger one was
// too large for one.
const (
	leastNested   = 5      // objects in arrays at a place
	leastScalars  = 3      // of each, on average: what has fewer is a name and a value
	shareOfNested = 2. / 3 // of the bytes of the records around them
	lookedInto    = 8      // of the first records at a place
	maxLooks      = 8      // places of records that are looked into
	maxLooked     = 32     // arrays in them
)

// nested are the records of an array, or of a map, that has been passed over: those at place, in what begins there.
type nested struct {
	place, from int
	isMap       bool
}

// look is what is known of the first records at a place.
type look struct {
	base, bytes int
	arrays      []arrayLook
}

// arrayLook is what the arrays at a place hold, all in all.
type arrayLook struct {
	place                    int
	objects, scalars, others int // elements that are objects, the scalars in them, and other elements
	bytes                    int
}

// lookInto decides from the first records at a place whether there are records in them: those that are deepest.
func (s *Summary) lookInto(c jsonx.Cursor, base int) {
	if s.out == nil || s.fields[base].rows > lookedInto || c.Kind() != jsonx.Object {
		return
	}
	at := 0
	for at < len(s.looks) && s.looks[at].base != base {
		at++
	}
	if at == len(s.looks) {
		if at == maxLooks {
			return
		}
		s.looks = append(s.looks, look{base: base})
	}
	l := &s.looks[at]
	from := c.At
	s.lookAround(l, &c, base)
	l.bytes += c.At - from
	best := noNode
	for _, a := range l.arrays {
		isMost := float64(a.bytes) >= shareOfNested*float64(l.bytes) && a.objects > a.others
		if !isMost || a.objects < leastNested || a.scalars < leastScalars*a.objects {
			continue
		}
		if best == noNode || s.paths.nodes[a.place].depth > s.paths.nodes[best].depth {
			best = a.place
		}
	}
	if best != noNode && !s.paths.nodes[best].holdsRecords {
		s.paths.nodes[best].holdsRecords = true
		if element := s.paths.element(best); s.fields[element].rows == 0 {
			s.countAsRecords(element)
		}
	}
}

// lookAround passes the value at the cursor and adds what its arrays hold. It returns how many scalars are in the value, and in no array in it.
func (s *Summary) lookAround(l *look, c *jsonx.Cursor, place int) (scalars int) {
	k := c.Kind()
	switch {
	case k < jsonx.Array:
		c.Take()
		return 1
	case place == noNode || s.paths.nodes[place].depth >= maxDepth || s.within == maxWithin:
		c.Take()
		return 0
	}
	s.within++
	defer func() { s.within-- }()
	if k == jsonx.Object {
		c.Enter()
		for before := rootNode; ; {
			name, ok := c.Member()
			if !ok {
				return scalars
			}
			member := s.placeOfName(place, before, s.canonical(name))
			if member != noNode {
				before = member
			}
			scalars += s.lookAround(l, c, s.paths.folded(member, c.Kind()))
		}
	}
	from, of := c.At, arrayLook{place: place}
	element := s.grown(s.paths.element(place))
	for c.Enter(); c.Element(); {
		if c.Kind() == jsonx.Object {
			of.objects++
			of.scalars += s.lookAround(l, c, element)
		} else {
			of.others++
			s.lookAround(l, c, element)
		}
	}
	of.bytes = c.At - from
	l.add(of)
	return 0
}

func (l *look) add(of arrayLook) {
	for i := range l.arrays {
		if a := &l.arrays[i]; a.place == of.place {
			a.objects, a.scalars, a.others, a.bytes = a.objects+of.objects, a.scalars+of.scalars, a.others+of.others, a.bytes+of.bytes
			return
		}
	}
	if len(l.arrays) < maxLooked && of.objects > 0 {
		l.arrays = append(l.arrays, of)
	}
}

// countAsRecords makes the elements that were values of larger records so far count as records. Which was the first is not
// known then.
func (s *Summary) countAsRecords(element int) {
	before := s.fields[element].values
	if before == 0 {
		return
	}
	s.fields[element].rows = before
	if e := s.out.endsOf(element, false); e != nil {
		e.first.reset(0, element)
		e.count = before
	}
	for id := range s.fields {
		switch {
		case id == element:
			s.fields[id].records = before
			continue
		case !s.isUnder(id, element):
			continue
		}
		s.fields[id].isLate = true
		if s.isIn(id, element) {
			s.fields[id].records = min(s.fields[id].values, before)
		}
	}
}

// passNested passes over an array or a map of records, which are taken in after the record that it is in.
func (s *Summary) passNested(c *jsonx.Cursor, place int, isMap bool) {
	in := nested{from: c.At, isMap: isMap}
	value := c.Take()
	if c := (jsonx.Cursor{Source: value}); c.IsEmpty() {
		return
	}
	if isMap {
		in.place = s.grown(s.paths.find(place, []byte(otherMemberName), true))
	} else {
		in.place = s.grown(s.paths.element(place))
	}
	if in.place == noNode {
		s.further.Add(uint64(place)*sketch.PlaceFactor, &s.nameRoom)
		return
	}
	s.nested = append(s.nested, in)
}

// addNested takes in the records in a chunk that have been passed over, and those in them.
func (s *Summary) addNested(r Record) {
	for i := 0; i < len(s.nested); i++ {
		in := s.nested[i]
		c := jsonx.Cursor{Source: r.Value, At: in.from}
		isFirst := true
		for c.Enter(); ; {
			name, ok := c.Entry(in.isMap)
			if !ok {
				break
			}
			s.addRecordAt(r.Seq, in.place, name, isFirst, &c)
			isFirst = false
		}
	}
	s.nested = s.nested[:0]
}

// addRecordAt takes in the value at the cursor as a record; name is that of a member of a map, isFirst says that it is the first
// one of an array.
func (s *Summary) addRecordAt(seq, place int, name []byte, isFirst bool, c *jsonx.Cursor) {
	if f := &s.fields[place]; s.out != nil && f.rows == 0 && f.values > 0 {
		s.countAsRecords(place) // larger ones came before, whole
	}
	s.begin(seq, place)
	if s.out != nil {
		s.out.row.isFirst = isFirst
	}
	s.fields[place].rows++
	if s.out != nil && len(name) > 0 {
		s.out.row.named(name)
	}
	if s.container.to == 0 {
		s.lookInto(*c, place)
	}
	s.addValue(c, place)
	s.end()
}
