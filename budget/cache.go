package budget

import (
	"encoding/binary"
	"math/bits"
)

const (
	cachedPiece   = 15      // the longest piece that is remembered, in bytes
	smallestCache = 1 << 9  // pieces
	largestCache  = 1 << 12 // 64 KiB: it stays in the first cache of a processor
)

// pieceCache remembers how many tokens short pieces are: most pieces of a text have been in it before. A piece can be
// in one place only, where the last one that belongs there is.
type pieceCache struct {
	pieces []cachedCount
	shift  int // of a hash, to the place in pieces
	misses int
}

// cachedCount is a piece, in the order of its bytes and filled up with zeros. The highest byte has its length in the
// lower half, and in the upper half its tokens; for none at all it is 0.
type cachedCount struct{ low, high uint64 }

func newPieceCache(size int) pieceCache {
	return pieceCache{pieces: make([]cachedCount, size), shift: 64 - bits.TrailingZeros(uint(size))}
}

// pieceKey returns the first size bytes of text, at most cachedPiece, as the cache keeps them, without the tokens.
func pieceKey(text []byte, size int) cachedCount {
	var key cachedCount
	if len(text) >= 16 {
		key = cachedCount{binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:])}
	} else {
		var filled [16]byte
		copy(filled[:], text)
		key = cachedCount{binary.LittleEndian.Uint64(filled[:]), binary.LittleEndian.Uint64(filled[8:])}
	}
	if size < 8 {
		key.low &= 1<<(8*size) - 1
		key.high = 0
	} else {
		key.high &= 1<<(8*(size-8)) - 1
	}
	key.high |= uint64(size) << 56
	return key
}

func (c *pieceCache) place(key cachedCount) int {
	const odd1, odd2 = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
	return int((key.low*odd1 ^ key.high*odd2) * odd1 >> c.shift)
}

// find returns the tokens of a piece, 0 if it is not there.
func (c *pieceCache) find(key cachedCount) int {
	found := &c.pieces[c.place(key)]
	if found.low != key.low || found.high<<4 != key.high<<4 {
		return 0
	}
	return int(found.high >> 60)
}

func (c *pieceCache) add(key cachedCount, tokens int) {
	if c.misses++; c.misses > len(c.pieces) && len(c.pieces) < largestCache {
		*c = newPieceCache(8 * len(c.pieces))
	}
	place := c.place(key)
	key.high |= uint64(tokens) << 60
	c.pieces[place] = key
}
