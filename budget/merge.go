package budget

import "github.com/kfw-dev/kfw/budget/pairs"

const (
	// shortPiece is up to how many bytes a piece is merged by looking through all of its pairs for the lowest.
	shortPiece = 16
	// middlePiece is up to how many bytes a piece is merged in one window.
	middlePiece = 256
	// pairBlock is how many pairs of a longer one share a lowest pair.
	pairBlock = 8
	// mergeWindow is how many bytes are merged at once.
	mergeWindow = 1024
)

// merger merges pieces. It has room for one at a time.
type merger struct {
	vocabulary *pairs.Table
	tokens     [mergeWindow]uint32 // the token that begins at a byte
	pairs      [mergeWindow]uint32 // what it makes with the next one; pairs.None if it makes none, or there is no token
	next       [mergeWindow]uint16 // where the next token begins
	before     [mergeWindow]uint16 // where the one before begins
	lowest     [mergeWindow / pairBlock]uint32
}

// short returns how many tokens a piece of up to shortPiece bytes is.
func (m *merger) short(piece []byte) int {
	tokens, made := m.tokens[:shortPiece], m.pairs[:shortPiece]
	n := len(piece)
	for i, b := range piece {
		tokens[i] = m.vocabulary.OfByte(b)
		if i > 0 {
			made[i-1] = m.vocabulary.Of(tokens[i-1], tokens[i])
		}
	}
	for n > 1 {
		lowest, at := pairs.None, 0
		for i, pair := range made[:n-1] {
			if pair < lowest {
				lowest, at = pair, i
			}
		}
		if lowest == pairs.None {
			break
		}
		n--
		tokens[at] = lowest
		for i := at + 1; i < n; i++ {
			tokens[i], made[i-1] = tokens[i+1], made[i]
		}
		if at > 0 {
			made[at-1] = m.vocabulary.Of(tokens[at-1], lowest)
		}
		if at < n-1 {
			made[at] = m.vocabulary.Of(lowest, tokens[at+1])
		}
	}
	return n
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
	last := n - 1
	for i, b := range piece {
		m.tokens[i] = m.vocabulary.OfByte(b)
		m.next[i], m.before[i] = uint16(i+1), uint16(max(i-1, 0))
		if i > 0 {
			m.pairs[i-1] = m.vocabulary.Of(m.tokens[i-1], m.tokens[i])
		}
	}
	blocks := last/pairBlock + 1
	for i := last; i < blocks*pairBlock; i++ {
		m.pairs[i] = pairs.None
	}
	for block := range blocks {
		m.lower(block)
	}
	for {
		lowest, block := pairs.None, 0
		for i, pair := range m.lowest[:blocks] {
			if pair < lowest {
				lowest, block = pair, i
			}
		}
		if lowest == pairs.None {
			break
		}
		at := block * pairBlock
		for m.pairs[at] != lowest {
			at++
		}
		m.join(at, len(piece))
		n--
	}
	return n
}

// join merges the token at this byte of a piece with the next one.
func (m *merger) join(at, size int) {
	gone := int(m.next[at])
	after := int(m.next[gone])
	m.tokens[at] = m.pairs[at]
	m.next[at] = uint16(after)
	m.pairs[gone] = pairs.None
	if after < size {
		m.before[after] = uint16(at)
		m.pairs[at] = m.vocabulary.Of(m.tokens[at], m.tokens[after])
	} else {
		m.pairs[at] = pairs.None
	}
	if at > 0 {
		before := int(m.before[at])
		m.pairs[before] = m.vocabulary.Of(m.tokens[before], m.tokens[at])
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
	lowest := pairs.None
	for _, pair := range m.pairs[block*pairBlock : (block+1)*pairBlock] {
		lowest = min(lowest, pair)
	}
	m.lowest[block] = lowest
}
