package summarize

import "encoding/binary"

const (
	maxKnownWords   = 1024 // words whose form is kept, by some bits of their shape
	maxKnownWordLen = 32   // bytes of one of them
)

// knownWords remembers the forms of words. Words of one shape, which differ in their digits alone, have the same form,
// unless there is an x in them: 0x7f is a hexadecimal number, 1x7f is none.
type knownWords struct{ all []knownWord }

type knownWord struct {
	shape uint64 // 0 for none
	wordForm
}

// wordForm is what is the same in all words of a shape.
type wordForm struct {
	hash uint32 // of what the word is masked to
	wordKind
	hasLong bool // there is a long number in it
	hasID   bool // what varies in it may be letters
	number  digitRun
}

// digitRun is where the only number of a word is, and how many of its digits are a fraction; nowhere when there are other
// digits, or too many for a count.
type digitRun struct{ from, to, decimals uint8 }

func newKnownWords() knownWords { return knownWords{make([]knownWord, maxKnownWords)} }

// slot returns where the form of a word of that shape is kept if it is known.
func (k knownWords) slot(shape uint64) *knownWord { return &k.all[shape>>32%maxKnownWords] }

// shapeOf is the hash of a word that has a 0 for each digit; never 0.
func shapeOf(word []byte) uint64 {
	hash := uint64(len(word)) * placeFactor
	for ; len(word) > 8; word = word[8:] {
		hash = mixed(hash ^ withoutDigits(binary.LittleEndian.Uint64(word)))
	}
	return mixed(hash^withoutDigits(lastBytes(word))) | 1
}

// withoutDigits makes each byte that is a digit a 0.
func withoutDigits(bytes uint64) uint64 {
	const ones = 0x0101010101010101
	other := bytes&(0xf0*ones) ^ '0'*ones                        // not 0 in what is no "0" to "?"
	other |= (bytes&(0x0f*ones) + (0x0f-9)*ones) & (0x10 * ones) // nor in ":" to "?"
	other = other>>4 | other>>5 | other>>6 | other>>7
	isDigit := ^other & ones
	return bytes &^ (isDigit * 0x0f)
}

// eachByte times a byte has that byte eight times.
const eachByte = 0x0101010101010101

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
