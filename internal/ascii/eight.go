package ascii

import "encoding/binary"

// EachByte times a byte has that byte eight times.
const EachByte = 0x0101010101010101

// EightAt returns the eight bytes of text at a place as one number, the first one lowest.
func EightAt[T []byte | string](text T, at int) uint64 {
	b := text[at : at+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// LastBytes packs b, of at most eight bytes, into a number. Two texts of one length have the same number only if they
// are equal. If b is longer, only its first eight bytes count.
func LastBytes(b []byte) uint64 {
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

// OthersThanDigits returns the highest bit of each of eight bytes that is no digit.
func OthersThanDigits(eight uint64) uint64 {
	apart := eight ^ '0'*EachByte // 0 to 9 for digits
	return (apart&(0x7f*EachByte) + (0x7f-9)*EachByte | apart) & (0x80 * EachByte)
}

// WithoutDigits makes each of eight bytes that is a digit a 0.
func WithoutDigits(eight uint64) uint64 {
	return eight &^ ((OthersThanDigits(eight) ^ 0x80*EachByte) >> 7 * 0x0f)
}

// DigitsOf reads the first of eight bytes, the lowest first, that are one to eight digits, all at once: pairs of them,
// then pairs of those.
func DigitsOf(eight uint64, digits int) uint64 {
	b := eight << ((64 - 8*digits) & 63) & (0x0f * EachByte)
	b = b * (10<<8 + 1) >> 8 & 0x00ff00ff00ff00ff
	b = b * (100<<16 + 1) >> 16 & 0x0000ffff0000ffff
	return b * (10000<<32 + 1) >> 32
}
