package summarize

import (
	"encoding/binary"
	"math/bits"
)

const (
	maxKnownWords   = 1024 // words whose form is kept, by some bits of their shape
	maxKnownWordLen = 32   // bytes of one of them
)

// knownWords remembers the forms of words. Words of one shape, which differ in their digits alone, have the same form,
// unless there is an x after one of them: 0x7f is a hexadecimal number, 1x7f is none.
type knownWords struct{ all *[maxKnownWords]knownWord }

type knownWord struct {
	shape  uint64 // 0 for none
	length int    // whoever makes two words of one shape does not get past the end of one
	wordForm
}

func newKnownWords() knownWords {
	return knownWords{new([maxKnownWords]knownWord)}
}

// slot returns where the form of a word of that shape is kept if it is known.
func (k knownWords) slot(shape uint64) *knownWord { return &k.all[shape>>1%maxKnownWords] }

// shapeAt returns where the word at i ends, at a blank, and its shape: the hash of what it is with a 0 for each digit,
// with its lowest bit set. Blanks follow the last word.
func shapeAt(text []byte, i int) (shape uint64, end int) {
	shape = placeFactor // with 0, zeros that a word begins with would not count
	for {
		b := eightAt(text, i)
		if n := bitsUntilBlank(b); n < 64 {
			b = b&(1<<n-1) | uint64(n)<<53 // of seven bytes at most, and how many they are
			return mixed(shape^withoutDigits(b)) | 1, i + int(n/8)
		}
		shape = mixed(shape ^ withoutDigits(b))
		i += 8
	}
}

// bitsUntilBlank returns where the first blank begins in eight bytes, the lowest first; 64 if there is none.
func bitsUntilBlank(bytes uint64) uint {
	low := (bytes - (' '+1)*eachByte) &^ bytes & (0x80 * eachByte) // the lowest bit is that of a blank or a control character
	if low == 0 {
		return 64
	}
	n := uint(bits.TrailingZeros64(low)) & 56
	for n < 64 && parts[byte(bytes>>(n&56))] != blank {
		n += 8
	}
	return n
}

// withoutDigits makes each byte that is a digit a 0.
func withoutDigits(bytes uint64) uint64 {
	return bytes &^ ((othersThanDigits(bytes) ^ 0x80*eachByte) >> 7 * 0x0f)
}

// othersThanDigits returns the highest bit of each byte that is no digit.
func othersThanDigits(bytes uint64) uint64 {
	apart := bytes ^ '0'*eachByte // 0 to 9 for digits
	return (apart&(0x7f*eachByte) + (0x7f-9)*eachByte | apart) & (0x80 * eachByte)
}

// eachByte times a byte has that byte eight times.
const eachByte = 0x0101010101010101

// eightAt returns the eight bytes of text at a place as one number, the first one lowest.
func eightAt(text []byte, at int) uint64 { return binary.LittleEndian.Uint64(text[at : at+8 : at+8]) }

// lastBytes returns up to eight bytes as one number.
func lastBytes(b []byte) uint64 {
	switch n := len(b); {
	case n >= 8:
		return binary.LittleEndian.Uint64(b)
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<(8*(n-4))
	case n > 0:
		return uint64(b[0]) | uint64(b[n/2])<<(8*(n/2)) | uint64(b[n-1])<<(8*(n-1))
	}
	return 0
}

// mixed is a step of a hash.
func mixed(hash uint64) uint64 {
	hash *= 0xff51afd7ed558ccd // of MurmurHash3's finalizer
	return hash ^ hash>>32
}
