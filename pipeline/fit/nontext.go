package fit

import (
	"bytes"
	"iter"

	"github.com/kfw-dev/kfw/pipeline/internal/blob"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// nonText tells whether a response is no text, by the bytes of it that no text has.
type nonText struct {
	head  []byte // the first bytes of the response
	bytes int
	odd   int // of these, NUL and sequences of invalid UTF-8
}

const (
	longestHead = 384 // bytes that tell what a file is
	leastOdd    = 20  // of text at most one byte in so many is odd
)

// see counts the odd bytes of a chunk. source is the chunk as it came, shown is its text with
// U+FFFD in place of invalid UTF-8.
func (b *nonText) see(source, shown []byte) {
	if n := longestHead - len(b.head); n > 0 {
		b.head = append(b.head, source[:min(n, len(source))]...)
		if len(b.head) < longestHead {
			b.head = append(b.head, '\n')
		}
	}
	b.bytes += len(source)
	b.odd += bytes.Count(shown, []byte{0}) + bytes.Count(shown, []byte("\uFFFD"))
}

// is reports whether what came is no text.
func (b *nonText) is() bool { return b.odd*leastOdd > b.bytes }

// NonText returns the media type of a binary response, by its first chunks. It is empty for text,
// and for a response of a few bytes.
func NonText(chunks iter.Seq2[split.Chunk, error]) (media string, err error) {
	const most = 64 << 10 // bytes that are looked at
	var b nonText
	for c, err := range chunks {
		if err != nil {
			return "", err
		}
		if b.see(c.Source, bytes.ToValidUTF8(c.Source, []byte("\uFFFD"))); b.bytes > most {
			break
		}
	}
	if b.bytes < longestHead || !b.is() {
		return "", nil
	}
	return blob.MediaOf(b.head), nil
}
