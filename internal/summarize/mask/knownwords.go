package mask

import (
	"math/bits"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
)

const (
	maxKnownWords   = 1024 // words whose mask is kept, by some bits of their shape
	maxKnownWordLen = 32   // bytes of one of them
)

// knownWords remembers the masks of words. Words of one shape, which differ in their digits alone, have the same mask,
// unless there is an x after one of them: 0x7f is a hexadecimal number, 1x7f is none.
type knownWords struct{ all *[maxKnownWords]knownWord }

type knownWord struct {
	shape  uint64 // 0 for none
	length int    // whoever makes two words of one shape does not get past the end of one
	wordMask
}

func newKnownWords() knownWords {
	return knownWords{new([maxKnownWords]knownWord)}
}

// slot returns where the mask of a word of that shape is kept if it is known.
func (k knownWords) slot(shape uint64) *knownWord { return &k.all[shape>>1%maxKnownWords] }

// shapeAt returns where the word at i ends, at a blank, and its shape: the hash of what it is with a 0 for each digit,
// with its lowest bit set. Blanks follow the last word.
func shapeAt(text []byte, i int) (shape uint64, end int) {
	shape = sketch.PlaceFactor // with 0, zeros that a word begins with would not count
	for {
		b := ascii.EightAt(text, i)
		if n := bitsUntilBlank(b); n < 64 {
			b = b&(1<<n-1) | uint64(n)<<53 // of seven bytes at most, and how many they are
			return sketch.Mix(shape^ascii.WithoutDigits(b)) | 1, i + int(n/8)
		}
		shape = sketch.Mix(shape ^ ascii.WithoutDigits(b))
		i += 8
	}
}

// bitsUntilBlank returns where the first blank begins in eight bytes, the lowest first; 64 if there is none.
func bitsUntilBlank(bytes uint64) uint {
	// The lowest bit is that of a blank or a control character.
	low := (bytes - (' '+1)*ascii.EachByte) &^ bytes & (0x80 * ascii.EachByte)
	if low == 0 {
		return 64
	}
	n := uint(bits.TrailingZeros64(low)) & 56
	for n < 64 && Parts[byte(bytes>>(n&56))] != blank {
		n += 8
	}
	return n
}
