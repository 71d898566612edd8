// Package pairs is the table that byte-pair encoding needs: which two tokens make which.
//
// Byte-pair encoding begins with the bytes of a piece and, as long as there is one, merges the pair of neighbours
// that makes the token of the lowest rank, the first of them if there are several. In the vocabularies of tiktoken a
// rank is the number of a token, and every token can be made of two others in one way only (package generate verifies
// it). So all that merging needs to know is which pairs make which token, and no token's bytes.
package pairs

import "errors"

// TokenBits is how many bits the number of a token takes.
const TokenBits = 18

// None is what a pair makes that makes none. It is more than any rank.
const None = ^uint32(0)

// Layout is how a table of pairs lies in a file: slots of 8 bytes, each a pair and the token that it makes; then for
// every bucket of pairs, in 2 bytes, how its slots are displaced; then for every byte its token. All numbers are
// little-endian. The table is a perfect hash: a pair can be in one slot only.
type Layout struct {
	SlotBits   uint   // logarithm of the number of slots
	Multiplier uint64 // of the hash: one with which no two pairs of a bucket want the same slot
	Tokens     uint32 // of a vocabulary that a larger one begins with; 0: it has all tokens of the file
}

// O200k returns the layout of the table of o200k_base.
func O200k() Layout { return Layout{SlotBits: 18, Multiplier: 0x522E811FCD850E21} }

// CL100k returns the layout of the table of cl100k_base.
func CL100k() Layout { return Layout{SlotBits: 17, Multiplier: 0x9E3779B97F4A7C15} }

// P50k returns the layout of the table of p50k_base.
func P50k() Layout { return Layout{SlotBits: 16, Multiplier: 0x9E3779B97F4A7C15} }

// R50k returns the layout of the table of p50k_base for r50k_base, which lacks its last tokens.
func R50k() Layout {
	l := P50k()
	l.Tokens = 50_256
	return l
}

// Slots returns how many slots there are.
func (l Layout) Slots() int { return 1 << l.SlotBits }

// Buckets returns how many buckets there are: one for four slots, that is three pairs.
func (l Layout) Buckets() int { return 1 << (l.SlotBits - 2) }

// DisplacementAt returns where the displacement of a bucket is in the file.
func (l Layout) DisplacementAt(bucket int) int { return l.Slots()*8 + bucket*2 }

// ByteAt returns where the token of a byte is in the file.
func (l Layout) ByteAt(b byte) int { return l.DisplacementAt(l.Buckets()) + int(b) }

// Size returns the length of the file in bytes.
func (l Layout) Size() int { return l.ByteAt(0xFF) + 1 }

// Key returns what a pair of tokens is looked up by: TokenBits*2 bits.
func Key(left, right uint32) uint64 { return uint64(left)<<TokenBits | uint64(right) }

// The bits of a hash: the highest are those of the bucket, then come those of the slot.
func (l Layout) bucketShift() uint { return 64 - (l.SlotBits - 2) }
func (l Layout) slotShift() uint   { return l.bucketShift() - l.SlotBits }
func (l Layout) slotMask() uint64  { return 1<<l.SlotBits - 1 }

// Bucket returns the bucket of a pair.
func (l Layout) Bucket(key uint64) int { return int(key * l.Multiplier >> l.bucketShift()) }

// Slot returns the slot of a pair whose bucket is displaced so.
func (l Layout) Slot(key uint64, displacement uint16) int {
	return int((key*l.Multiplier>>l.slotShift() ^ uint64(displacement)<<2) & l.slotMask())
}

// Table is such a file, read where it lies.
type Table struct {
	slots         string
	displacements string
	bytes         string
	multiplier    uint64
	bucketShift   uint
	slotShift     uint
	slotMask      uint64
	tokens        uint32 // those from here on are not of the vocabulary
	touched       byte   // keeps the compiler from leaving out what reads it
}

// pageSize is that of memory; a multiple of it would do less, a fraction more than is needed.
const pageSize = 4096

// New returns the table that a file holds. It keeps file and makes nothing of it; but it reads a byte of every page,
// which takes a tenth of a millisecond: so what the process takes of memory does not grow with the text that it
// counts.
func New(layout Layout, file string) (*Table, error) {
	if len(file) != layout.Size() {
		return nil, errors.New("a table of pairs has the wrong size")
	}
	var touched byte
	for i := 0; i < len(file); i += pageSize {
		touched |= file[i]
	}
	tokens := layout.Tokens
	if tokens == 0 {
		tokens = None
	}
	return &Table{
		tokens:        tokens,
		touched:       touched,
		slots:         file[:layout.DisplacementAt(0)],
		displacements: file[layout.DisplacementAt(0):layout.ByteAt(0)],
		bytes:         file[layout.ByteAt(0):],
		multiplier:    layout.Multiplier,
		bucketShift:   layout.bucketShift(),
		slotShift:     layout.slotShift(),
		slotMask:      layout.slotMask(),
	}, nil
}

// Of returns the token that two neighbours make, or None. It is what Bucket and Slot of the layout say.
func (t *Table) Of(left, right uint32) uint32 {
	key := Key(left, right)
	hash := key * t.multiplier
	bucket := hash >> (t.bucketShift & 63) * 2
	displacement := uint64(t.displacements[bucket]) | uint64(t.displacements[bucket+1])<<8
	entry := load64(t.slots, (hash>>(t.slotShift&63)^displacement<<2)&t.slotMask*8)
	token := uint32(entry & (1<<TokenBits - 1))
	if entry>>TokenBits != key || token >= t.tokens {
		return None
	}
	return token
}

// OfByte returns the token that a byte is.
func (t *Table) OfByte(b byte) uint32 { return uint32(t.bytes[b]) }

// load64 returns the little-endian number at s[at:at+8]. The compiler makes one load of it where the machine has that.
func load64(s string, at uint64) uint64 {
	s = s[at : at+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
