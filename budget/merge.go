package budget

import "github.com/kfw-dev/kfw/budget/internal/pairs"

const (
	// middlePiece is up to how many bytes a piece is merged in one window.
	middlePiece = 256
	// mergeWindow is how many bytes are merged at once.
	mergeWindow = 1 << placeBits
	// placeBits is how many bits a place in a window takes.
	placeBits = 10
	// pairBlock is how many pairs share a lowest one.
	pairBlock = 8
)

// noPair is more than any pair.
const noPair = ^uint32(0)

// merger merges pieces. It has room for one at a time.
//
// A pair is the token that two neighbours make, and in the low bits the byte where the left one begins: so the one to
// be merged next is the lowest number.
type merger struct {
	vocabulary *pairs.Table
	tokens     [mergeWindow]uint32 // the token that begins at a byte
	pairs      [mergeWindow]uint32 // of it and the next one; noPair if they make none, or there is no token
	next       [mergeWindow]uint16 // where the next token begins
	before     [mergeWindow]uint16 // where the one before begins
	lowest     [mergeWindow / pairBlock]uint32
}

// pair returns the pair of two neighbours, of which the left one begins at this byte.
func (m *merger) pair(left, right uint32, at int) uint32 {
	token := m.vocabulary.Of(left, right)
	if token == pairs.None {
		return noPair
	}
	return token<<placeBits | uint32(at)
}

// ends appends where the tokens of a piece end, each further on by offset. It has up to mergeWindow bytes.
func (m *merger) ends(dst []int, piece []byte, offset int) []int {
	m.count(piece)
	for i := 0; i < len(piece); {
		i = int(m.next[i])
		dst = append(dst, offset+i)
	}
	return dst
}

// count returns how many tokens a piece of up to mergeWindow bytes is.
func (m *merger) count(piece []byte) int {
	n := len(piece)
	if n == 0 {
		return 0
	}
	for i, b := range piece {
		m.tokens[i] = m.vocabulary.OfByte(b)
		m.next[i], m.before[i] = uint16(i+1), uint16(max(i-1, 0))
		if i > 0 {
			m.pairs[i-1] = m.pair(m.tokens[i-1], m.tokens[i], i-1)
		}
	}
	blocks := (n-1)/pairBlock + 1
	for i := n - 1; i < blocks*pairBlock; i++ {
		m.pairs[i] = noPair
	}
	for block := range blocks {
		m.lower(block)
	}
	for size := n; ; n-- {
		lowest := noPair
		for _, pair := range m.lowest[:blocks] {
			lowest = min(lowest, pair)
		}
		if lowest == noPair {
			break
		}
		m.join(int(lowest&(mergeWindow-1)), size)
	}
	return n
}

// join merges the token at this byte of a piece with the next one.
func (m *merger) join(at, size int) {
	gone := int(m.next[at])
	after := int(m.next[gone])
	token := m.pairs[at] >> placeBits
	m.tokens[at] = token
	m.next[at] = uint16(after)
	m.pairs[gone] = noPair
	m.pairs[at] = noPair
	if after < size {
		m.before[after] = uint16(at)
		m.pairs[at] = m.pair(token, m.tokens[after], at)
	}
	if at > 0 {
		before := int(m.before[at])
		m.pairs[before] = m.pair(m.tokens[before], token, before)
		if before/pairBlock != at/pairBlock {
			m.lower(before / pairBlock)
		}
	}
	m.lower(at / pairBlock)
	if gone/pairBlock != at/pairBlock {
		m.lower(gone / pairBlock)
	}
}

// lower finds the lowest pair of a block.
func (m *merger) lower(block int) {
	of := (*[pairBlock]uint32)(m.pairs[block*pairBlock:])
	m.lowest[block] = min(of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7])
}
