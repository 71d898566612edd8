package sketch

import (
	"encoding/binary"

	"github.com/dgryski/go-metro"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Mix is a step of a hash.
func Mix(hash uint64) uint64 {
	hash *= 0xff51afd7ed558ccd // of MurmurHash3's finalizer
	return hash ^ hash>>32
}

const hashSeed = 1337 // fixed: the same input gives the same estimates

// Hash returns the hash of b, the same in every run.
func Hash(b []byte) uint64 { return metro.Hash64(b, hashSeed) }

// HashWord returns the hash of a word in a place, eight bytes at a time.
func HashWord(word []byte, place uint64) uint64 {
	hash := (place + uint64(len(word))<<32) * PlaceFactor
	for ; len(word) >= 8; word = word[8:] {
		hash = Mix(hash ^ binary.LittleEndian.Uint64(word))
	}
	return Mix(hash ^ ascii.LastBytes(word))
}

// PlaceFactor makes the hash of a thing in a place from that of the thing and the number of the
// place.
const PlaceFactor = 0x9e3779b97f4a7c15
