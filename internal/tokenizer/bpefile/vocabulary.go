package bpefile

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// none is no token, and no rank.
const none = ^uint32(0)

// vocabulary knows the tokens by their bytes, and which two of them are merged into which.
//
// A token has the number of its place here; those of the file do not matter for counting.
type vocabulary struct {
	text    []byte   // of all tokens, one after another
	ends    []uint32 // of each token in text
	seed    maphash.Seed
	slots   []uint32 // by the hash of its bytes, a token and 1
	ofByte  [256]uint32
	longest int // bytes of a token
	pairs   []pair
	shift   int
}

// pair says that two neighbours are merged. The lowest rank is merged first.
type pair struct{ left, right, rank, token uint32 } // token is none in an empty slot

func newVocabulary(tokens, merges int) *vocabulary {
	v := &vocabulary{seed: maphash.MakeSeed(), slots: make([]uint32, 1<<bits.Len(uint(tokens+tokens/2)))}
	size := bits.Len(uint(merges + merges/3))
	v.pairs, v.shift = make([]pair, 1<<size), 64-size
	for i := range v.pairs {
		v.pairs[i].token = none
	}
	return v
}

func (v *vocabulary) bytesOf(token uint32) []byte {
	from := uint32(0)
	if token > 0 {
		from = v.ends[token-1]
	}
	return v.text[from:v.ends[token]]
}

// slot returns where a token of these bytes is, or where it would be.
func (v *vocabulary) slot(token []byte) *uint32 {
	for i := maphash.Bytes(v.seed, token); ; i++ {
		slot := &v.slots[i&uint64(len(v.slots)-1)]
		if *slot == 0 || bytes.Equal(v.bytesOf(*slot-1), token) {
			return slot
		}
	}
}

// add adds a token, unless there is one of these bytes.
func (v *vocabulary) add(token []byte) {
	slot := v.slot(token)
	if *slot != 0 {
		return
	}
	v.text = append(v.text, token...)
	v.ends = append(v.ends, uint32(len(v.text)))
	*slot = uint32(len(v.ends))
	v.longest = max(v.longest, len(token))
}

// find returns the token of these bytes, or none.
func (v *vocabulary) find(token []byte) uint32 { return *v.slot(token) - 1 }

// hasBytes looks up the token of each byte, and reports whether all are there.
func (v *vocabulary) hasBytes() bool {
	for b := range v.ofByte {
		v.ofByte[b] = v.find([]byte{byte(b)})
		if v.ofByte[b] == none {
			return false
		}
	}
	return true
}

func (v *vocabulary) pair(left, right uint32) *pair {
	const odd = 0x9E3779B97F4A7C15 // the golden ratio spreads what is alike
	for i := (uint64(left)<<32 | uint64(right)) * odd >> v.shift; ; i++ {
		p := &v.pairs[i&uint64(len(v.pairs)-1)]
		if p.token == none || p.left == left && p.right == right {
			return p
		}
	}
}
