package redact

import (
	"cmp"
	"slices"
)

// automaton finds every anchor in one pass: Aho and Corasick's automaton
// (Communications of the ACM 18(6), 1975) with its failure links resolved into
// a flat table over classes of bytes. Letters are folded to lower case, and all
// digits are one class, written '0' in an anchor. States that end an anchor are
// numbered last, so one comparison tells whether there is something to do.
type automaton struct {
	class   [256]uint8
	next    []uint16 // state<<classBits | class -> state
	hit     uint16   // the first state that ends an anchor
	depth   []uint8  // how many bytes of an anchor a state stands for
	deepest int      // the largest of them
	endings [][]ending
}

// ending is an anchor that ends at a state.
type ending struct {
	rule   int // index into the catalogue
	length int // of the anchor, in bytes
}

const classBits = 6

type anchorOf struct {
	anchor string
	rule   int
}

// newAutomaton builds the automaton of the given anchors, in lower case and of
// at most 255 bytes. Endings of a state are in the order of the catalogue.
func newAutomaton(anchors []anchorOf) *automaton {
	a := new(automaton)
	classes := 1 // class 0 is every byte that no anchor holds
	// What texts are made of comes first, so that most steps from a state stay in the first half of its row.
	for _, x := range append([]anchorOf{{anchor: "etaoinsrhldcumfpgwybvkxjqz0 -_."}}, anchors...) {
		for _, b := range []byte(x.anchor) {
			if a.class[b] != 0 {
				continue
			}
			if b == '0' {
				for d := byte('0'); d <= '9'; d++ {
					a.class[d] = uint8(classes)
				}
			}
			a.class[b] = uint8(classes)
			if b >= 'a' && b <= 'z' {
				a.class[b-0x20] = uint8(classes)
			}
			classes++
		}
	}
	if classes > 1<<classBits {
		panic("redact: the anchors use too many different bytes")
	}

	// A trie first, with its states in the order they are made; state 0 is its root.
	size := countStates(anchors)
	next := make([]uint16, 1<<classBits, size<<classBits)
	depth := make([]uint8, 1, size)
	endings := make([][]ending, 1, size)
	for _, x := range anchors {
		at := 0
		for i, b := range []byte(x.anchor) {
			to := &next[at<<classBits|int(a.class[b])]
			if *to == 0 {
				*to = uint16(len(depth))
				next = next[:len(next)+1<<classBits]
				depth = append(depth, uint8(i+1))
				endings = append(endings, nil)
			}
			at = int(*to)
		}
		e := ending{x.rule, len(x.anchor)}
		if !slices.Contains(endings[at], e) {
			endings[at] = append(endings[at], e)
		}
	}
	if len(depth) > 1<<16 {
		panic("redact: too many anchors")
	}

	fail := make([]uint16, len(depth))
	order := make([]uint16, 0, len(depth)) // breadth first: a failure link is resolved before it is used
	for _, n := range next[:classes] {
		if n != 0 {
			order = append(order, n)
		}
	}
	for i := 0; i < len(order); i++ {
		at := order[i]
		endings[at] = append(endings[at], endings[fail[at]]...)
		row, failRow := next[int(at)<<classBits:], next[int(fail[at])<<classBits:]
		for c := range classes {
			if n := row[c]; n != 0 {
				fail[n] = failRow[c]
				order = append(order, n)
			} else {
				row[c] = failRow[c]
			}
		}
	}

	number := make([]uint16, len(depth)) // of each state, those that end an anchor last
	last := uint16(0)
	for _, ends := range []bool{false, true} {
		if ends {
			a.hit = last + 1
		}
		for _, at := range order {
			if (len(endings[at]) > 0) == ends {
				last++
				number[at] = last
			}
		}
	}
	for i, n := range next {
		next[i] = number[n]
	}
	// Each state goes to its number, in place: a second table would be the largest thing in the process.
	row := func(at uint16) []uint16 { return next[int(at)<<classBits:][:1<<classBits] }
	var held [1 << classBits]uint16
	for at := range number {
		for number[at] != uint16(at) {
			to := number[at]
			copy(held[:], row(to))
			copy(row(to), row(uint16(at)))
			copy(row(uint16(at)), held[:])
			depth[at], depth[to] = depth[to], depth[at]
			endings[at], endings[to] = endings[to], endings[at]
			number[at], number[to] = number[to], to
		}
	}
	a.next, a.depth, a.endings = next, depth, endings[a.hit:]
	a.deepest = int(slices.Max(depth))
	for _, e := range a.endings {
		slices.SortFunc(e, func(x, y ending) int { return cmp.Compare(x.rule, y.rule) })
	}
	return a
}

// countStates returns how many states the trie of the anchors has: one for each prefix that no anchor before has.
func countStates(anchors []anchorOf) int {
	sorted := make([]string, len(anchors))
	for i, x := range anchors {
		sorted[i] = x.anchor
	}
	slices.Sort(sorted)
	states, before := 1, ""
	for _, s := range sorted {
		shared := 0
		for shared < len(s) && shared < len(before) && s[shared] == before[shared] {
			shared++
		}
		states += len(s) - shared
		before = s
	}
	return states
}

// scan steps from state over b until an anchor ends. It returns how many bytes
// it has read and the state it is in; the state is a hit unless b is used up.
func (a *automaton) scan(state uint16, b []byte) (int, uint16) {
	next, class, hit := a.next, &a.class, a.hit
	for i, c := range b {
		state = next[int(state)<<classBits|int(class[c])]
		if state >= hit {
			return i + 1, state
		}
	}
	return len(b), state
}

// lanes is how many parts of a block are scanned at once: a step waits for the
// table, and the wait of one lane is spent on the others.
const lanes = 4

// maxBlock is how much is scanned at once, in bytes.
const maxBlock = 8 << 10

// hit is where an anchor ends in a block, and in which state.
type hit struct{ end, state uint16 }

// anchorScan finds the ends of the anchors in lines a block at a time, and so
// faster than scan where anchors are rare.
type anchorScan struct {
	automaton *automaton
	text      []byte
	ahead     int // no more than so much of text is read before it is asked for
	read      int // of text
	state     uint16

	start int   // of the block in text
	hits  []hit // of the block, not yet asked for
	found [maxBlock]hit
}

// begin makes s ready for a text, at the start of a line.
func (s *anchorScan) begin(text []byte, ahead int) {
	s.text, s.ahead, s.read, s.state, s.hits = text, ahead, 0, 0, nil
}

// skip goes on at the start of another line. No anchor goes on beyond a line.
func (s *anchorScan) skip(to int) {
	for len(s.hits) > 0 && s.start+int(s.hits[0].end) <= to {
		s.hits = s.hits[1:]
	}
	if s.read < to {
		s.read, s.state = to, 0
	}
}

// next returns the next end of an anchor, if there is one in text[:to].
func (s *anchorScan) next(to int) (end int, state uint16, ok bool) {
	for len(s.hits) == 0 {
		if s.read >= to {
			return 0, 0, false
		}
		s.readBlock(max(s.ahead, to))
	}
	h := s.hits[0]
	if s.start+int(h.end) > to {
		return 0, 0, false
	}
	s.hits = s.hits[1:]
	return s.start + int(h.end), h.state, true
}

// readBlock scans a block, no further than to. A lane begins so far before its
// part that it is in the state that a single one would be in.
func (s *anchorScan) readBlock(to int) {
	b := s.text[s.read:min(len(s.text), s.read+maxBlock, to)]
	s.start = s.read
	s.read += len(b)
	a := s.automaton
	part := len(b) / lanes
	if part < 2*a.deepest {
		s.hits = s.found[:s.readPart(0, b, 0)]
		return
	}
	b0, b1, b2, b3 := b[:part], b[part:][:part], b[2*part:][:part], b[3*part:][:part]
	next, class, first := a.next, &a.class, a.hit
	s0, s1, s2, s3 := s.state, uint16(0), uint16(0), uint16(0)
	for i := part - a.deepest; i < part; i++ {
		s1 = next[int(s1)<<classBits|int(class[b0[i]])]
		s2 = next[int(s2)<<classBits|int(class[b1[i]])]
		s3 = next[int(s3)<<classBits|int(class[b2[i]])]
	}
	f0, f1, f2, f3 := s.found[:0], s.found[part:part], s.found[2*part:2*part], s.found[3*part:3*part]
	for i := range b0 {
		s0 = next[int(s0)<<classBits|int(class[b0[i]])]
		s1 = next[int(s1)<<classBits|int(class[b1[i]])]
		s2 = next[int(s2)<<classBits|int(class[b2[i]])]
		s3 = next[int(s3)<<classBits|int(class[b3[i]])]
		if max(s0, s1, s2, s3) < first {
			continue
		}
		if s0 >= first {
			f0 = append(f0, hit{uint16(i + 1), s0})
		}
		if s1 >= first {
			f1 = append(f1, hit{uint16(part + i + 1), s1})
		}
		if s2 >= first {
			f2 = append(f2, hit{uint16(2*part + i + 1), s2})
		}
		if s3 >= first {
			f3 = append(f3, hit{uint16(3*part + i + 1), s3})
		}
	}
	n := len(f0)
	for _, found := range [...][]hit{f1, f2, f3} {
		n += copy(s.found[n:], found)
	}
	s.state = s3
	s.hits = s.found[:s.readPart(n, b, lanes*part)]
}

// readPart scans b[at:] and returns how many hits there are with the n before.
func (s *anchorScan) readPart(n int, b []byte, at int) int {
	for at < len(b) {
		var size int
		size, s.state = s.automaton.scan(s.state, b[at:])
		at += size
		if s.state >= s.automaton.hit {
			s.found[n] = hit{uint16(at), s.state}
			n++
		}
	}
	return n
}
