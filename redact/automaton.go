package redact

import (
	"cmp"
	"slices"
	"strings"
)

// automaton finds every anchor in one pass: Aho and Corasick's automaton
// (Communications of the ACM 18(6), 1975) with its failure links resolved into
// a flat table over classes of bytes. Letters are folded to lower case, and all
// digits are one class, written '0' in an anchor. States that end an anchor are
// last, so one comparison tells whether there is something to do.
type automaton struct {
	class   [256]uint8
	next    []state // by state and class
	hit     state   // the first that ends an anchor
	depths  []uint8 // of each state: how many bytes of an anchor it stands for
	deepest int     // the largest of them
	ends    [][]ending
}

// state is where its row begins in automaton.next: a step is one look there.
type state uint32

// depth returns how many bytes of an anchor s stands for.
func (a *automaton) depth(s state) int { return int(a.depths[s>>classBits]) }

// endings returns the anchors that end at s, which is a hit, in the order of the catalogue.
func (a *automaton) endings(s state) []ending { return a.ends[(s-a.hit)>>classBits] }

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
	anchors = slices.Clone(anchors)
	slices.SortFunc(anchors, func(x, y anchorOf) int { return cmp.Or(strings.Compare(x.anchor, y.anchor), x.rule-y.rule) })
	anchors = slices.Compact(anchors)
	a := new(automaton)
	a.classify(anchors)
	t := newTrie(a, anchors)
	a.number(t)

	a.next = make([]state, len(t.nodes)<<classBits)
	row := func(n uint16) []state { return a.next[t.nodes[n].state:][:1<<classBits] }
	a.depths = make([]uint8, len(t.nodes))
	all := make([]ending, 0, t.endings)
	a.ends = make([][]ending, len(t.nodes)-int(a.hit>>classBits))
	for _, at := range t.order {
		n := &t.nodes[at]
		to := row(at)
		if at > 0 {
			copy(to, row(n.fail))
		}
		for child := n.child; child > 0; child = t.nodes[child].sibling {
			to[t.nodes[child].class] = t.nodes[child].state
		}
		a.depths[n.state>>classBits] = n.depth
		a.deepest = max(a.deepest, int(n.depth))
		if n.state < a.hit {
			continue
		}
		from := len(all)
		for _, x := range anchors[n.first:n.last] {
			all = append(all, ending{x.rule, len(x.anchor)})
		}
		if inherited := t.nodes[n.fail].state; inherited >= a.hit {
			all = append(all, a.endings(inherited)...)
		}
		ends := all[from:]
		if len(ends) > 1 {
			slices.SortFunc(ends, func(x, y ending) int { return x.rule - y.rule })
		}
		a.ends[(n.state-a.hit)>>classBits] = ends
	}
	return a
}

// classify gives each byte that an anchor holds a class; class 0 is all others.
// What texts are made of comes first, so that most steps stay in the first half
// of a row.
func (a *automaton) classify(anchors []anchorOf) {
	classes := 1
	add := func(b byte) {
		switch {
		case a.class[b] != 0:
			return
		case b == '0':
			for d := byte('0'); d <= '9'; d++ {
				a.class[d] = uint8(classes)
			}
		case b >= 'a' && b <= 'z':
			a.class[b-0x20] = uint8(classes)
		}
		a.class[b] = uint8(classes)
		classes++
	}
	for _, b := range []byte("etaoinsrhldcumfpgwybvkxjqz0 -_.") {
		add(b)
	}
	for _, x := range anchors {
		for _, b := range []byte(x.anchor) {
			add(b)
		}
	}
	if classes > 1<<classBits {
		panic("redact: the anchors use too many different bytes")
	}
}

// trie has a node for every prefix of an anchor; node 0 is the empty one.
type trie struct {
	nodes   []node
	order   []uint16 // breadth first
	endings int      // of all states
}

type node struct {
	child, sibling uint16 // 0: none
	fail           uint16 // the node of the longest suffix that is a prefix
	state          state  // in the automaton
	class, depth   uint8
	first, last    int // the anchors that end here
	endings        int // of them, and of those that end in suffixes
}

// newTrie makes the trie of anchors that are sorted.
func newTrie(a *automaton, anchors []anchorOf) *trie {
	t := &trie{nodes: make([]node, 1, 1<<12)}
	var path [256]uint16 // the nodes of the anchor before
	var before string
	var widths [256]int // nodes at each depth
	for i, x := range anchors {
		shared := 0
		for shared < len(x.anchor) && shared < len(before) && x.anchor[shared] == before[shared] {
			shared++
		}
		for d := shared; d < len(x.anchor); d++ {
			parent := &t.nodes[path[d]]
			n := node{sibling: parent.child, class: a.class[x.anchor[d]], depth: uint8(d + 1), first: i, last: i}
			parent.child = uint16(len(t.nodes))
			path[d+1] = parent.child
			t.nodes = append(t.nodes, n)
			widths[d+1]++
		}
		end := &t.nodes[path[len(x.anchor)]]
		if end.first == end.last {
			end.first = i
		}
		end.last = i + 1
		before = x.anchor
	}
	if len(t.nodes) > 1<<16 {
		panic("redact: too many anchors")
	}
	t.order = make([]uint16, len(t.nodes))
	at := 1
	for d, n := range widths {
		widths[d], at = at, at+n
	}
	parents := make([]uint16, len(t.nodes))
	for i := range t.nodes {
		for child := t.nodes[i].child; child > 0; child = t.nodes[child].sibling {
			parents[child] = uint16(i)
		}
		if d := t.nodes[i].depth; d > 0 {
			t.order[widths[d]] = uint16(i)
			widths[d]++
		}
	}
	for _, at := range t.order[1:] {
		n := &t.nodes[at]
		if n.depth > 1 {
			n.fail = t.longestSuffix(t.nodes[parents[at]].fail, n.class)
		}
		n.endings = n.last - n.first + t.nodes[n.fail].endings
		t.endings += n.endings
	}
	return t
}

// longestSuffix returns the node that continues at, or the longest suffix of it
// that has one, with class.
func (t *trie) longestSuffix(at uint16, class uint8) uint16 {
	for {
		for child := t.nodes[at].child; child > 0; child = t.nodes[child].sibling {
			if t.nodes[child].class == class {
				return child
			}
		}
		if at == 0 {
			return 0
		}
		at = t.nodes[at].fail
	}
}

// number gives each node a state, those that end an anchor last.
func (a *automaton) number(t *trie) {
	to := state(0)
	for _, ends := range []bool{false, true} {
		if ends {
			a.hit = to
		}
		for _, at := range t.order {
			if n := &t.nodes[at]; (n.endings > 0) == ends {
				n.state = to
				to += 1 << classBits
			}
		}
	}
}

// scan steps from s over b until an anchor ends. It returns how many bytes
// it has read and the state it is in; the state is a hit unless b is used up.
func (a *automaton) scan(s state, b []byte) (int, state) {
	next, class, hit := a.next, &a.class, a.hit
	for i, c := range b {
		s = next[s|state(class[c])]
		if s >= hit {
			return i + 1, s
		}
	}
	return len(b), s
}

// lanes is how many parts of a block are scanned at once: a step waits for the
// table, and the wait of one lane is spent on the others.
const lanes = 4

// maxBlock is how much is scanned at once, in bytes.
const maxBlock = 8 << 10

// hit is where an anchor ends in a block, and in which state: the number of its row.
type hit struct{ end, row uint16 }

// anchorScan finds the ends of the anchors in lines a block at a time, and so
// faster than scan where anchors are rare.
type anchorScan struct {
	automaton *automaton
	text      []byte
	ahead     int // no more than so much of text is read before it is asked for
	read      int // of text
	state     state

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
func (s *anchorScan) next(to int) (end int, at state, ok bool) {
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
	return s.start + int(h.end), state(h.row) << classBits, true
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
	s0, s1, s2, s3 := s.state, state(0), state(0), state(0)
	for i := part - a.deepest; i < part; i++ {
		s1 = next[s1|state(class[b0[i]])]
		s2 = next[s2|state(class[b1[i]])]
		s3 = next[s3|state(class[b2[i]])]
	}
	var count [lanes]int
	for i := range b0 {
		s0 = next[s0|state(class[b0[i]])]
		s1 = next[s1|state(class[b1[i]])]
		s2 = next[s2|state(class[b2[i]])]
		s3 = next[s3|state(class[b3[i]])]
		if max(s0, s1, s2, s3) >= first {
			s.record(&count, part, i+1, [lanes]state{s0, s1, s2, s3})
		}
	}
	n := count[0]
	for lane := 1; lane < lanes; lane++ {
		n += copy(s.found[n:], s.found[lane*part:][:count[lane]])
	}
	s.state = s3
	s.hits = s.found[:s.readPart(n, b, lanes*part)]
}

// record keeps the hits among the states of all lanes, each in the part of found
// that is its own. It is apart so that the loop that calls it stays in registers.
func (s *anchorScan) record(count *[lanes]int, part, end int, states [lanes]state) {
	for lane, at := range states {
		if at >= s.automaton.hit {
			s.found[lane*part+count[lane]] = hit{uint16(lane*part + end), uint16(at >> classBits)}
			count[lane]++
		}
	}
}

// readPart scans b[at:] and returns how many hits there are with the n before.
func (s *anchorScan) readPart(n int, b []byte, at int) int {
	for at < len(b) {
		var size int
		size, s.state = s.automaton.scan(s.state, b[at:])
		at += size
		if s.state >= s.automaton.hit {
			s.found[n] = hit{uint16(at), uint16(s.state >> classBits)}
			n++
		}
	}
	return n
}
