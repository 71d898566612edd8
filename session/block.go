package session

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

const (
	// blockSize is how many bytes of a response and of its index a block holds. Only a chunk that is larger by itself
	// makes a larger block. Smaller blocks compress worse, larger ones cost resident memory; at 64 KiB a page is found
	// by unpacking little.
	blockSize = 64 << 10

	// maxLead is how much of a lead stays with its chunk. What comes before is kept as bytes between chunks, so that
	// white space of any size passes through in constant memory.
	maxLead = blockSize / 4

	// maxBlock bounds what a damaged or hostile file can make a reader allocate.
	maxBlock = 1 << 30
)

// ErrDamaged is the cause of an *Unusable whose stored data has changed.
var ErrDamaged = errors.New("damaged")

// A block is a run of bytes of a response, in order, followed by its index, which has an entry for each part:
//
//	between = 0x00 length                                     bytes that belong to no chunk
//	chunk   = flags lead-length source-length [path]           flags: 1 chunk, 2 a path follows, and 4 times the kind
//	path    = shared-length suffix-length suffix               shared with the path of the chunk before in this block
//
// Lengths are unsigned varints (encoding/binary). A chunk without a path entry has the path of the chunk before; the
// first starts from the empty path.
const (
	flagChunk = 1
	flagPath  = 2
	kindShift = 2
)

// entryMax is the most an index entry takes beside the suffix of its path.
const entryMax = 1 + 4*binary.MaxVarintLen64

// blockWriter collects a block. Its buffers are kept from one block to the next.
type blockWriter struct {
	bytes   []byte // of the response; in seal the index follows them for a moment
	index   []byte
	between int // how many of the last bytes have no entry yet
	path    []byte
	chunks  int
	last    int   // number of the last chunk, when the block is written
	end     int64 // how many bytes of the response there are up to its end, then
	number  int   // of the block
	row     int64 // that has the block as it was when it was written last, 0 for none
}

// newBlockWriter returns one with room for a chunk as large as a block, and what stands before it.
func newBlockWriter() *blockWriter { return &blockWriter{bytes: make([]byte, 0, blockSize+maxLead)} }

// reset makes b the block with that number, and empty.
func (b *blockWriter) reset(number int) {
	*b = blockWriter{bytes: b.bytes[:0], index: b.index[:0], path: b.path[:0], number: number}
}

func (b *blockWriter) isEmpty() bool { return len(b.bytes) == 0 && b.chunks == 0 }

// room returns how many bytes between chunks can still be added.
func (b *blockWriter) room() int {
	return blockSize - len(b.bytes) - len(b.index) - entryMax
}

func (b *blockWriter) fits(lead, source, path []byte) bool {
	return len(lead)+len(source)+len(path)+entryMax <= b.room()
}

func (b *blockWriter) addBetween(p []byte) {
	b.bytes = append(b.bytes, p...)
	b.between += len(p)
}

func (b *blockWriter) addChunk(lead, source, path []byte, kind uint8) {
	b.index = b.appendBetween(b.index)
	b.between = 0
	b.bytes = append(b.bytes, lead...)
	b.bytes = append(b.bytes, source...)
	b.chunks++

	flags := flagChunk | kind<<kindShift
	shared := sharedPrefix(b.path, path)
	if shared < len(path) || shared < len(b.path) {
		flags |= flagPath
	}
	b.index = append(b.index, flags)
	b.index = binary.AppendUvarint(b.index, uint64(len(lead)))
	b.index = binary.AppendUvarint(b.index, uint64(len(source)))
	if flags&flagPath != 0 {
		b.index = binary.AppendUvarint(b.index, uint64(shared))
		b.index = binary.AppendUvarint(b.index, uint64(len(path)-shared))
		b.index = append(b.index, path[shared:]...)
		b.path = append(b.path[:shared], path[shared:]...)
	}
}

func (b *blockWriter) appendBetween(index []byte) []byte {
	if b.between == 0 {
		return index
	}
	return binary.AppendUvarint(append(index, 0), uint64(b.between))
}

// The content of a block begins with how it is packed:
//
//	by s2   = 0x01 CRC-32C(4 bytes, little-endian, of what is packed) s2-block    since schema 5
//	by zstd = a frame (RFC 8878), which begins with 0x28 and has a checksum       before
//
// s2 (github.com/klauspost/compress/s2) makes about a third more of a response than zstd, in half the time.
const (
	packedByS2   = 0x01
	packedByZstd = 0x28
	headOfS2     = 1 + crc32.Size
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal appends the packed block to dst. The block can be added to afterwards.
func (b *blockWriter) seal(dst []byte) []byte {
	n := len(b.bytes)
	b.bytes = b.appendBetween(append(b.bytes, b.index...))
	dst = binary.LittleEndian.AppendUint32(append(dst, packedByS2), crc32.Checksum(b.bytes, castagnoli))
	dst = slices.Grow(dst, s2.MaxEncodedLen(len(b.bytes)))
	packed := s2.Encode(dst[len(dst):cap(dst)], b.bytes)
	b.bytes = b.bytes[:n]
	return dst[:len(dst)+len(packed)]
}

func sharedPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func newDecoder() (*zstd.Decoder, error) {
	return zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxBlock))
}

// blockReader gives back what a blockWriter collected. Its buffers are kept from one block to the next.
type blockReader struct {
	content  []byte // as it is in the file
	unpacked []byte
	bytes    []byte // of the response that have not been given back
	index    []byte // of the parts that have not been given back
	path     []byte
	zstd     *zstd.Decoder // of old blocks, made for the first of them
}

// part is a chunk, or bytes between chunks. It is valid until the next one.
type part struct {
	lead, source, path []byte
	chunk              bool
	kind               uint8
}

// open unpacks a block whose first n bytes are the response's.
func (b *blockReader) open(content []byte, n int64) error {
	unpacked, err := b.unpack(content)
	if err != nil || n < 0 || n > int64(len(unpacked)) {
		return ErrDamaged // the decoder's own message is about the file's bytes
	}
	b.unpacked = unpacked
	b.bytes, b.index, b.path = unpacked[:n], unpacked[n:], b.path[:0]
	return nil
}

// unpack returns what the content of a block is, in memory of the one before if there is enough of it.
func (b *blockReader) unpack(content []byte) (unpacked []byte, err error) {
	if len(content) == 0 {
		return nil, ErrDamaged
	}
	switch content[0] {
	case packedByS2:
		return b.unpackS2(content)
	case packedByZstd:
		if b.zstd == nil {
			if b.zstd, err = newDecoder(); err != nil {
				return nil, err
			}
		}
		return b.zstd.DecodeAll(content, b.unpacked[:0])
	}
	return nil, ErrDamaged
}

func (b *blockReader) unpackS2(content []byte) (unpacked []byte, err error) {
	if len(content) < headOfS2 {
		return nil, ErrDamaged
	}
	packed := content[headOfS2:]
	if size, err := s2.DecodedLen(packed); err != nil || size > maxBlock {
		return nil, ErrDamaged
	}
	unpacked, err = s2.Decode(b.unpacked[:cap(b.unpacked)], packed)
	if err == nil && crc32.Checksum(unpacked, castagnoli) != binary.LittleEndian.Uint32(content[1:]) {
		err = ErrDamaged
	}
	return unpacked, err
}

// next returns the next part, false at the end of the block.
func (b *blockReader) next() (part, bool, error) {
	if len(b.index) == 0 {
		if len(b.bytes) != 0 {
			return part{}, false, ErrDamaged
		}
		return part{}, false, nil
	}
	flags := b.index[0]
	b.index = b.index[1:]
	lead, ok := b.take()
	if !ok {
		return part{}, false, ErrDamaged
	}
	p := part{lead: lead}
	if flags&flagChunk == 0 {
		return p, true, nil
	}
	p.chunk, p.kind = true, flags>>kindShift
	if p.source, ok = b.take(); !ok {
		return part{}, false, ErrDamaged
	}
	if flags&flagPath != 0 {
		shared, ok := b.length(len(b.path))
		if !ok {
			return part{}, false, ErrDamaged
		}
		suffix, ok := b.length(len(b.index))
		if !ok || suffix > len(b.index) {
			return part{}, false, ErrDamaged
		}
		b.path = append(b.path[:shared], b.index[:suffix]...)
		b.index = b.index[suffix:]
	}
	p.path = b.path
	return p, true, nil
}

// take returns as many of the response's bytes as the next length in the index says.
func (b *blockReader) take() ([]byte, bool) {
	n, ok := b.length(len(b.bytes))
	if !ok {
		return nil, false
	}
	taken := b.bytes[:n:n]
	b.bytes = b.bytes[n:]
	return taken, true
}

// length reads a varint that is at most limit.
func (b *blockReader) length(limit int) (int, bool) {
	v, n := binary.Uvarint(b.index)
	if n <= 0 || v > uint64(limit) {
		return 0, false
	}
	b.index = b.index[n:]
	return int(v), true
}
