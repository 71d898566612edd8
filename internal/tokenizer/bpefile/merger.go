package bpefile

// merger merges the bytes of a piece into tokens. Its memory is some 40 bytes for each of the
// longest piece so far.
type merger struct {
	*vocabulary
	nodes []node   // by the byte where a token begins
	queue []uint64 // a heap of pairs to be merged: the rank, and where the left token begins
}

// node is a token of a piece.
type node struct {
	token  uint32
	next   uint32 // where the next token begins
	before uint32 // where the one before begins
	rank   uint32 // of the pair that the token and the next one make; none if they make none
}

// count returns how many tokens a piece is: of all pairs the one with the lowest rank is merged, of
// several the first, until there are no more. The time grows as n log n.
func (m *merger) count(piece []byte) int {
	m.nodes, m.queue = m.nodes[:0], m.queue[:0]
	for i, b := range piece {
		m.nodes = append(m.nodes, node{m.ofByte[b], uint32(i + 1), uint32(i) - 1, none})
	}
	for i := range m.nodes {
		m.look(uint32(i))
	}
	tokens := len(piece)
	for len(m.queue) > 0 {
		first := m.pop()
		left := &m.nodes[uint32(first)]
		if left.rank != uint32(first>>32) {
			continue // one of the two has been merged with another
		}
		right := &m.nodes[left.next]
		left.token = m.pair(left.token, right.token).token
		right.rank = none
		left.next = right.next
		if int(left.next) < len(m.nodes) {
			m.nodes[left.next].before = uint32(first)
		}
		m.look(uint32(first))
		if left.before != none {
			m.look(left.before)
		}
		tokens--
	}
	return tokens
}

// look finds out whether the token that begins here and the next one are to be merged.
func (m *merger) look(at uint32) {
	left := &m.nodes[at]
	left.rank = none
	if int(left.next) == len(m.nodes) {
		return
	}
	if p := m.pair(left.token, m.nodes[left.next].token); p.token != none {
		left.rank = p.rank
		m.push(uint64(p.rank)<<32 | uint64(at))
	}
}

func (m *merger) push(merge uint64) {
	q := append(m.queue, merge)
	for i := len(q) - 1; i > 0; {
		parent := (i - 1) / 2
		if q[parent] <= q[i] {
			break
		}
		q[parent], q[i] = q[i], q[parent]
		i = parent
	}
	m.queue = q
}

func (m *merger) pop() (first uint64) {
	q := m.queue
	first, q[0] = q[0], q[len(q)-1]
	q = q[:len(q)-1]
	for i := 0; 2*i+1 < len(q); {
		least := 2*i + 1
		if right := least + 1; right < len(q) && q[right] < q[least] {
			least = right
		}
		if q[i] <= q[least] {
			break
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
	m.queue = q
	return first
}
