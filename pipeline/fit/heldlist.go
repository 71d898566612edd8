package fit

// heldList is a list of packed chunks. It grows in blocks, which never move, so that a long list is never in memory
// twice. A copy of a list is a view of the same chunks.
type heldList struct {
	blocks     []*heldBlock
	from, upTo int // what of the blocks is in the list
}

const heldOfBlock = 128

type heldBlock [heldOfBlock]packedChunk

// len returns how many chunks are in the list.
func (l *heldList) len() int { return l.upTo - l.from }

// at returns the chunk with this index, to be read or changed.
func (l *heldList) at(i int) *packedChunk {
	i += l.from
	return &l.blocks[i/heldOfBlock][i%heldOfBlock]
}

// add adds a chunk.
func (l *heldList) add(p packedChunk) {
	if l.upTo == len(l.blocks)*heldOfBlock {
		l.blocks = append(l.blocks, new(heldBlock))
	}
	l.upTo++
	*l.at(l.len() - 1) = p
}

// empty removes all chunks. Their memory serves the next ones.
func (l *heldList) empty() { l.from, l.upTo = 0, 0 }

// slice returns the chunks from one index up to another.
func (l heldList) slice(from, upTo int) heldList {
	l.from, l.upTo = l.from+from, l.from+upTo
	return l
}
