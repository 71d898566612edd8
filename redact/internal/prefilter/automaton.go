package prefilter

import (
	"slices"

	"github.com/kfw-dev/kfw/redact/internal/decode"
)

// Automaton finds every anchor in one pass: Aho and Corasick's automaton
// (Communications of the ACM 18(6), 1975) with its failure links resolved into
// a flat table over classes of bytes. Letters are folded to lower case, and all
// digits are one class, written '0' in an anchor. States that end an anchor are
// last and have a bit that no other has, so one look tells of many states whether
// there is something to do.
type Automaton struct {
	class   [256]uint8
	next    []State // by state and class
	Hit     State   // the first that ends an anchor: the bit that they have
	depths  []uint8 // of each state: how many bytes of an anchor it stands for
	deepest int     // the largest of them
	ends    [][]Ending
}

// State is the number of its row in automaton.next: half the size of where that
// begins, so that more of the table is near.
type State uint16

// Depth returns how many bytes of an anchor s stands for.
func (a *Automaton) Depth(s State) int { return int(a.depths[s]) }

// Endings returns the anchors that end at s, which is a hit, in the order of the catalogue.
func (a *Automaton) Endings(s State) []Ending { return a.ends[s-a.Hit] }

// Ending is an anchor that ends at a state.
type Ending struct {
	Rule   int // index into the catalogue
	Length int // of the anchor, in bytes
}

const (
	classBits      = 6
	foreignClasses = 4 // a divisor of 0x80
)

// AnchorOf is an anchor of a rule.
type AnchorOf struct {
	Anchor string // in lower case, digits as 0; at most 255 bytes
	Rule   int    // index into the catalogue
}

// NewAutomaton builds the automaton of the given anchors, in lower case and of
// at most 255 bytes, which come in the order of the catalogue. Endings of a state are in that order, too.
func NewAutomaton(anchors []AnchorOf) *Automaton {
	a := new(Automaton)
	a.classify(anchors)
	t := newTrie(a, anchors)

	a.next = make([]State, a.number(t))
	row := func(n uint16) []State { return a.next[int(t.nodes[n].state)<<classBits:][:1<<classBits] }
	a.depths = make([]uint8, len(a.next)>>classBits)
	all := make([]Ending, 0, t.endings)
	a.ends = make([][]Ending, len(a.depths)-int(a.Hit))
	for _, at := range t.order {
		n := &t.nodes[at]
		to := row(at)
		if at > 0 {
			copy(to, row(n.fail))
		}
		for child := n.child; child > 0; child = t.nodes[child].sibling {
			to[t.nodes[child].class] = t.nodes[child].state
		}
		a.depths[n.state] = n.depth
		a.deepest = max(a.deepest, int(n.depth))
		if n.state < a.Hit {
			continue
		}
		from := len(all)
		for end := n.end; end > 0; end = t.ends[end].next {
			all = append(all, Ending{t.ends[end].rule, int(n.depth)})
		}
		if inherited := t.nodes[n.fail].state; inherited >= a.Hit {
			all = append(all, a.Endings(inherited)...)
		}
		ends := all[from:]
		if len(ends) > 1 {
			slices.SortFunc(ends, func(x, y Ending) int { return x.Rule - y.Rule })
		}
		a.ends[n.state-a.Hit] = ends
	}
	return a
}

// classify gives each byte that an anchor holds a class; class 0 is all others.
// What texts are made of comes first, so that most steps stay in the first half
// of a row, and all that kfw's own anchors in ASCII hold: such an anchor is found
// only where it stands. Letters outside ASCII share a few classes, and so do the
// last bytes if classes run out: there, rules look at what stands.
func (a *Automaton) classify(anchors []AnchorOf) {
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
		case b >= 0x80 && decode.NotationOf[b] == decode.Plain:
			for c := 0x80 + int(b)%foreignClasses; c <= 0xff; c += foreignClasses {
				if decode.NotationOf[c] == decode.Plain {
					a.class[c] = uint8(classes)
				}
			}
		}
		a.class[b] = uint8(classes)
		classes = min(classes+1, 1<<classBits-1)
	}
	for _, b := range []byte("etaoinsrhldcumfpgwybvkxjqz0 -_.!#$%&()*+/:;<=>?@[\\]{|}~\x00\b\t\x1b") {
		add(b)
	}
	for _, x := range anchors {
		for _, b := range []byte(x.Anchor) {
			add(b)
		}
	}
}

// trie has a node for every prefix of an anchor; node 0 is the empty one. Anchors that look the same to the automaton
// are the same.
type trie struct {
	nodes   []node
	first   [1 << classBits]uint16 // the children of node 0, by class
	order   []uint16               // breadth first
	ends    []trieEnd              // lists of them; 0 ends a list
	endings int                    // of all states
}

type node struct {
	child, sibling uint16 // 0: none
	fail           uint16 // the node of the longest suffix that is a prefix
	state          State  // in the automaton
	class, depth   uint8
	end            int32 // the first anchor that ends here, in the order of the catalogue
	endings        int32 // of those that end here, and of those that end in suffixes
}

// trieEnd is that an anchor of a rule ends at a node.
type trieEnd struct {
	rule int
	next int32
}

func newTrie(a *Automaton, anchors []AnchorOf) *trie {
	const perAnchor = 3 // nodes, about: most of an anchor is often the beginning of another
	t := &trie{nodes: make([]node, 1, 1+perAnchor*len(anchors)), ends: make([]trieEnd, 1, 1+len(anchors))}
	for _, x := range slices.Backward(anchors) { // since lists grow at their beginning
		at := uint16(0)
		for d := range len(x.Anchor) {
			at = t.childOf(at, a.class[x.Anchor[d]])
		}
		n := &t.nodes[at]
		if n.end > 0 && t.ends[n.end].rule == x.Rule {
			continue
		}
		t.ends = append(t.ends, trieEnd{x.Rule, n.end})
		n.end = int32(len(t.ends) - 1)
		n.endings++
	}
	t.order = make([]uint16, 1, len(t.nodes))
	for i := 0; i < len(t.order); i++ { // it grows
		parent := t.order[i]
		fail := t.nodes[parent].fail
		for child := t.nodes[parent].child; child > 0; child = t.nodes[child].sibling {
			n := &t.nodes[child]
			if parent > 0 {
				n.fail = t.longestSuffix(fail, n.class)
			}
			n.endings += t.nodes[n.fail].endings
			t.endings += int(n.endings)
			t.order = append(t.order, child)
		}
	}
	return t
}

// childOf returns the child of a node for a class. It makes the child if the node has none.
func (t *trie) childOf(at uint16, class uint8) uint16 {
	child := t.first[class]
	if at > 0 {
		for child = t.nodes[at].child; child > 0 && t.nodes[child].class != class; {
			child = t.nodes[child].sibling
		}
	}
	if child > 0 {
		return child
	}
	if len(t.nodes) == 1<<16 {
		panic("redact: too many anchors")
	}
	child = uint16(len(t.nodes))
	t.nodes = append(t.nodes, node{sibling: t.nodes[at].child, class: class, depth: t.nodes[at].depth + 1})
	t.nodes[at].child = child
	if at == 0 {
		t.first[class] = child
	}
	return child
}

// longestSuffix returns the node that continues at, or the longest suffix of it
// that has one, with class.
func (t *trie) longestSuffix(at uint16, class uint8) uint16 {
	for ; at > 0; at = t.nodes[at].fail {
		for child := t.nodes[at].child; child > 0; child = t.nodes[child].sibling {
			if t.nodes[child].class == class {
				return child
			}
		}
	}
	return t.first[class]
}

// number gives each node a state, those that end an anchor last, and returns the
// length of the table.
func (a *Automaton) number(t *trie) int {
	ends := 0
	for i := range t.nodes {
		if t.nodes[i].endings > 0 {
			ends++
		}
	}
	const most = 1 << 15
	if max(ends, len(t.nodes)-ends) > most {
		panic("redact: too many anchors")
	}
	a.Hit = 1
	for int(a.Hit) < max(ends, len(t.nodes)-ends) {
		a.Hit <<= 1
	}
	other, end := State(0), a.Hit
	for _, at := range t.order {
		to := &other
		if t.nodes[at].endings > 0 {
			to = &end
		}
		t.nodes[at].state = *to
		*to++
	}
	return int(end) << classBits
}

// Scan steps from s over b until an anchor ends. It returns how many bytes
// it has read and the state it is in; the state is a hit unless b is used up.
func (a *Automaton) Scan(s State, b []byte) (int, State) {
	next, class, hit := a.next, &a.class, a.Hit
	for i, c := range b {
		s = next[int(s)<<classBits|int(class[c])]
		if s >= hit {
			return i + 1, s
		}
	}
	return len(b), s
}

// lanes is how many parts of a block are scanned at once: a step waits for the
// table, and the wait of one lane is spent on the others.
const lanes = 8

// A block is what is scanned at once, in bytes. Its parts are constant: where they
// are takes no registers then.
const (
	ScanBlock = 8 << 10
	laneBytes = ScanBlock / lanes
	leastRest = ScanBlock / 4 // of a text that is worth a block, most of which was scanned before
)

// hit is where an anchor ends in a block, and in which state: the number of its
// row among those of hits.
type hit struct{ end, row uint16 }

// AnchorScan finds the ends of the anchors in lines a block at a time, and so
// faster than scan where anchors are rare.
type AnchorScan struct {
	Automaton *Automaton
	text      []byte
	Ahead     int // no more than so much of text is read before it is asked for
	read      int // of text
	state     State

	start int   // of the block in text
	hits  []hit // of the block, not yet asked for
	found [ScanBlock]hit
}

// Begin makes s ready for a text, at the start of a line.
func (s *AnchorScan) Begin(text []byte) {
	s.text, s.Ahead, s.read, s.state, s.hits = text, 0, 0, 0, nil
}

// Skip goes on at the start of another line. No anchor goes on beyond a line.
func (s *AnchorScan) Skip(to int) {
	for len(s.hits) > 0 && s.start+int(s.hits[0].end) <= to {
		s.hits = s.hits[1:]
	}
	if s.read < to {
		s.read, s.state = to, 0
	}
}

// Next returns the next end of an anchor, if there is one in text[:to].
func (s *AnchorScan) Next(to int) (end int, at State, ok bool) {
	for len(s.hits) == 0 {
		if s.read >= to {
			return 0, 0, false
		}
		s.readBlock(max(s.Ahead, to))
	}
	h := s.hits[0]
	if s.start+int(h.end) > to {
		return 0, 0, false
	}
	s.hits = s.hits[1:]
	return s.start + int(h.end), s.Automaton.Hit + State(h.row), true
}

// readBlock scans a block, no further than to.
func (s *AnchorScan) readBlock(to int) {
	to = min(to, len(s.text))
	if to < ScanBlock || to-s.read < leastRest {
		s.readPart(min(to, s.read+ScanBlock))
		return
	}
	s.start = s.read
	if to-s.start < ScanBlock {
		s.start = to - ScanBlock
		s.state = s.stateAt(s.start)
	}
	n := s.readLanes((*[ScanBlock]byte)(s.text[s.start:]))
	s.hits = s.found[:n]
	s.Skip(s.read) // what was scanned before
	s.read = s.start + ScanBlock
}

// stateAt returns the state in which text[:at] ends.
func (s *AnchorScan) stateAt(at int) (ends State) {
	a := s.Automaton
	for _, c := range s.text[max(0, at-a.deepest):at] {
		ends = a.next[int(ends)<<classBits|int(a.class[c])]
	}
	return ends
}

// readLanes scans b from state, leaves the state in which it ends, and returns how
// many hits it has found.
func (s *AnchorScan) readLanes(b *[ScanBlock]byte) int {
	const n = laneBytes
	a := s.Automaton
	next, class, ends := a.next, &a.class, a.Hit
	s0 := s.state
	var s1, s2, s3, s4, s5, s6, s7 State
	for i := n - a.deepest; i < n; i++ { // the state that a lane is in depends on no more
		s1 = next[int(s1)<<classBits|int(class[b[i]])]
		s2 = next[int(s2)<<classBits|int(class[b[i+n]])]
		s3 = next[int(s3)<<classBits|int(class[b[i+2*n]])]
		s4 = next[int(s4)<<classBits|int(class[b[i+3*n]])]
		s5 = next[int(s5)<<classBits|int(class[b[i+4*n]])]
		s6 = next[int(s6)<<classBits|int(class[b[i+5*n]])]
		s7 = next[int(s7)<<classBits|int(class[b[i+6*n]])]
	}
	var count [lanes]int
	for i := range n {
		s0 = next[int(s0)<<classBits|int(class[b[i]])]
		s1 = next[int(s1)<<classBits|int(class[b[i+n]])]
		s2 = next[int(s2)<<classBits|int(class[b[i+2*n]])]
		s3 = next[int(s3)<<classBits|int(class[b[i+3*n]])]
		s4 = next[int(s4)<<classBits|int(class[b[i+4*n]])]
		s5 = next[int(s5)<<classBits|int(class[b[i+5*n]])]
		s6 = next[int(s6)<<classBits|int(class[b[i+6*n]])]
		s7 = next[int(s7)<<classBits|int(class[b[i+7*n]])]
		if (s0|s1|s2|s3|s4|s5|s6|s7)&ends != 0 {
			s.record(&count, i+1, [lanes]State{s0, s1, s2, s3, s4, s5, s6, s7})
		}
	}
	s.state = s7
	found := count[0]
	for lane := 1; lane < lanes; lane++ {
		found += copy(s.found[found:], s.found[lane*n:][:count[lane]])
	}
	return found
}

// record keeps the hits among the states of all lanes, each in the part of found
// that is its own. It is apart so that the loop that calls it stays in registers.
func (s *AnchorScan) record(count *[lanes]int, end int, states [lanes]State) {
	ends := s.Automaton.Hit
	for lane, at := range states {
		n := count[lane]
		s.found[lane*laneBytes+n] = hit{uint16(lane*laneBytes + end), uint16(at - ends)}
		if at >= ends {
			n++ // else the next takes its place: where a hit is can't be foreseen
		}
		count[lane] = n
	}
}

// readPart scans up to to.
func (s *AnchorScan) readPart(to int) {
	n := 0
	for s.start = s.read; s.read < to; {
		var size int
		size, s.state = s.Automaton.Scan(s.state, s.text[s.read:to])
		s.read += size
		if ends := s.Automaton.Hit; s.state >= ends {
			s.found[n] = hit{uint16(s.read - s.start), uint16(s.state - ends)}
			n++
		}
	}
	s.hits = s.found[:n]
}
